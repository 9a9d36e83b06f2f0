"""Matrices as small as those of these tests are slower with two threads, and much slower on a busy machine."""

from collections.abc import Iterator

import pytest

from attnviz.core.one_thread import one_thread


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield
