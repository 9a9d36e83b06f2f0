"""The untrained model of a task: the project's own blocks, in the shape a plan asks for."""

from __future__ import annotations

from threading import Lock

import torch
from torch import Tensor, nn

from attnviz.models.config import EmbeddingStyle, TransformerConfig
from attnviz.models.layers import TokenEmbedding
from attnviz.models.transformer import Decoder, EncoderDecoder
from attnviz.training.batches import Batch, Encoder
from attnviz.training.tasks.task import Shape

SPARE_TOKENS = 2  # <start> and <end>
# Beside sines and cosines the first token vectors are made this much shorter than the paper's: a head that looks one
# place back has to tell places apart, and is found in hundreds of steps instead of thousands.
QUIET_TOKENS = 0.3
_SEEDING = Lock()  # torch draws first weights from one generator for the whole process


class NoFeedForward(nn.Module):
    """In the place of the feed-forward part: adds nothing to the stream."""

    def forward(self, x: Tensor) -> Tensor:
        """[B, T, D] -> [B, T, D], all zero."""
        return torch.zeros_like(x)  # [B, T, D]


def config_of(shape: Shape, n_words: int, max_words: int, *, is_encoder: bool = False) -> TransformerConfig:
    """One stack of this shape: pre-norm, no dropout (the examples never run out), tied embeddings."""
    return TransformerConfig(
        vocab_size=n_words,
        d_model=shape.d_model,
        n_heads=shape.n_heads,
        n_layers=(is_encoder and shape.n_encoder_layers) or shape.n_layers,
        d_ff=shape.d_ff,
        max_tokens=max_words + SPARE_TOKENS,
        dropout=0.0,
        norm="pre",
        embedding=EmbeddingStyle(
            positions=shape.positions, is_scaled=shape.positions == "sinusoidal", is_tied=shape.is_tied
        ),
    )


def built(encoder: Encoder, shape: Shape, seed: int) -> EncoderDecoder | Decoder:
    """A new model; the same seed gives the same first weights, and no one else's randomness is touched."""
    task = encoder.task
    target = config_of(shape, len(encoder.target), task.max_words)
    with _SEEDING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if task.has_source:
            model: EncoderDecoder | Decoder = EncoderDecoder(
                config_of(shape, len(encoder.source), task.max_words, is_encoder=True), target
            )
        else:
            model = Decoder(target)
    if shape.positions == "sinusoidal":
        with torch.no_grad():
            for part in model.modules():
                if isinstance(part, TokenEmbedding):
                    part.tokens.weight.mul_(QUIET_TOKENS)
    if not shape.has_feed_forward:
        for part in list(model.modules()):
            if hasattr(part, "feed_forward"):
                part.feed_forward = NoFeedForward()
    return model


def logits_of(model: EncoderDecoder | Decoder, batch: Batch) -> Tensor:
    """What the model would write next at each row: [B, T, V]."""
    if isinstance(model, Decoder):
        return model(batch.given, is_token=batch.given_is_token)  # [B, T, V]
    return model(
        batch.source, batch.given, source_is_token=batch.source_is_token, target_is_token=batch.given_is_token
    )  # [B, T, V]
