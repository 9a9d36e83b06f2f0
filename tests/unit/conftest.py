"""What several files of unit tests share."""

from collections.abc import Iterator

import pytest

from attnviz.core import one_thread as threads


@pytest.fixture
def one_thread() -> Iterator[None]:
    """For many small operations, where a second thread would only wait."""
    with threads.one_thread():
        yield
