"""A configuration small enough for a test, and texts of its vocabulary."""

import torch

from attnviz.models import TransformerConfig


def tiny(**changes: object) -> TransformerConfig:
    """Two layers, four heads, 16 wide, 12 positions, 20 tokens, no dropout."""
    shape = {"vocab_size": 20, "d_model": 16, "n_heads": 4, "n_layers": 2, "d_ff": 24, "max_tokens": 12, "dropout": 0.0}
    return TransformerConfig(**{**shape, **changes})  # type: ignore[arg-type]


def ids(batch: int = 2, n_tokens: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.randint(20, (batch, n_tokens), generator=torch.Generator().manual_seed(seed))
