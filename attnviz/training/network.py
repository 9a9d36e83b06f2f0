"""The untrained model of a task: the project's own blocks, in the shape that a plan asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

import torch
from torch import Tensor, nn

from attnviz.models.config import AttentionStyle, EmbeddingStyle, RotaryStyle, TransformerConfig
from attnviz.models.layers import TokenEmbedding
from attnviz.models.transformer import Decoder, EncoderDecoder
from attnviz.training.batches import Batch
from attnviz.training.tasks.task import Shape, Task

Network = EncoderDecoder | Decoder

SPARE_TOKENS = 2  # <start> and <end>
# With sinusoidal positions the initial token vectors are scaled by this, so that positions weigh more: a head that
# attends to the previous token then forms in hundreds of steps instead of thousands.
TOKEN_SCALE = 0.3
_SEEDING = Lock()  # torch draws from one generator for the whole process


class NoFeedForward(nn.Module):
    """Replaces the feed-forward part; adds nothing to the residual stream."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)  # [B, T, d_model]


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """What torch draws inside depends on the seed alone; its own generator stays as it was."""
    with _SEEDING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def new_network(task: Task, shape: Shape, seed: int) -> Network:
    """A new model. The same seed gives the same weights; torch's own generator stays as it was."""
    is_sinusoidal = shape.positions == "sinusoidal"
    target = TransformerConfig(
        vocab_size=len(task.target.entries),
        d_model=shape.d_model,
        n_heads=shape.n_heads,
        n_layers=shape.n_layers,
        d_ff=shape.d_ff,
        max_tokens=task.max_words + SPARE_TOKENS,
        dropout=shape.dropout,
        norm="pre",
        embedding=EmbeddingStyle(
            positions="none" if shape.positions == "rotary" else shape.positions,
            is_scaled=is_sinusoidal,
            is_tied=shape.is_tied,
        ),
        attention=AttentionStyle(rotary=RotaryStyle() if shape.positions == "rotary" else None),
    )
    if shape.is_modern:
        target = replace(target, norm_kind="rms", activation="silu", is_gated=True, bias=False)
    with seeded(seed):
        if task.has_source:
            n_layers = shape.n_encoder_layers or shape.n_layers
            source = replace(target, vocab_size=len(task.source.entries), n_layers=n_layers)
            network: Network = EncoderDecoder(source, target)
        else:
            network = Decoder(target)
    for part in list(network.modules()):
        if is_sinusoidal and isinstance(part, TokenEmbedding):
            with torch.no_grad():
                part.tokens.weight.mul_(TOKEN_SCALE)
        if not shape.has_feed_forward and hasattr(part, "feed_forward"):
            part.feed_forward = NoFeedForward()
    return network


def logits_of(network: Network, batch: Batch) -> Tensor:
    """The logits of the next token at each row: [B, T, V]."""
    if isinstance(network, Decoder):
        return network(batch.given, is_token=batch.given_is_token)  # [B, T, V]
    return network(
        batch.source, batch.given, source_is_token=batch.source_is_token, target_is_token=batch.given_is_token
    )  # [B, T, V]
