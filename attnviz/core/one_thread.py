"""Runs small matrices on one thread."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread, so that no number depends on how many cores there are.

    Small matrices lose nothing: on a busy machine, waiting for a second thread takes many times longer than its work.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
