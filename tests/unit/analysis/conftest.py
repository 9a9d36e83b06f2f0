"""The small model whose circuit is known, loaded once, and its run over a text that repeats itself."""

import pytest

import attnviz as av


@pytest.fixture(scope="session")
def trained():
    """It learnt to repeat what followed; no test may change it."""
    return av.load("induction")


@pytest.fixture(scope="session")
def repeated(trained):
    """The last f follows n as the one before it did."""
    return trained.trace("a 1 k e u c v s f n f n f")
