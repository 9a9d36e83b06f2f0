"""A configuration small enough for a test."""

from attnviz.models import TransformerConfig


def tiny(**changes: object) -> TransformerConfig:
    """Two layers, four heads, 16 wide, 12 positions, 20 tokens, no dropout."""
    shape = {"vocab_size": 20, "d_model": 16, "n_heads": 4, "n_layers": 2, "d_ff": 24, "max_tokens": 12, "dropout": 0.0}
    return TransformerConfig(**{**shape, **changes})  # type: ignore[arg-type]
