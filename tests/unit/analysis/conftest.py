"""One thread for many small operations; the small model whose circuit is known, and its run over a repeated text."""

import pytest

import attnviz as av


@pytest.fixture(autouse=True)
def small_operations(one_thread: None) -> None:
    pass


@pytest.fixture(scope="session")
def trained():
    """It learnt to repeat what followed; no test may change it."""
    return av.load("induction")


@pytest.fixture(scope="session")
def repeated(trained):
    """The last f follows n as the one before it did."""
    return trained.trace("a 1 k e u c v s f n f n f")
