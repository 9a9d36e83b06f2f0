"""Shared by every tier: two threads, no hub, and the bundled model loaded once."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # before anything imports transformers: a test that asks the network fails
os.environ["TRANSFORMERS_OFFLINE"] = "1"

import pytest
import torch

torch.set_num_threads(2)


@pytest.fixture(scope="session")
def minilm():
    """The bundled model, loaded once a session; it is frozen and shared, so no test may change it."""
    from attnviz import catalog

    return catalog.load("minilm-l6")
