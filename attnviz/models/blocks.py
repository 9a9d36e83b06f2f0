"""One floor of the tower: attention mixes the tokens, feed-forward works on each, both add to the residual stream.

Every block takes [B, T, D] and gives [B, T, D], so blocks stack. A residual has two ends: `enter` gives what a part
reads, `leave` adds what the part found to the stream; one of the two holds the LayerNorm (layers.Residual).

`tap` only offers a value to whoever records, and `at` says under which name: without a recorder both do nothing, and
the block can be read as if they were not there.
"""

from __future__ import annotations

from torch import Tensor, nn

from attnviz.core.attend import Kernel
from attnviz.core.capture import at, tap
from attnviz.core.site import Site
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.cache import KeyValueCache
from attnviz.models.checks import check_memory
from attnviz.models.config import TransformerConfig
from attnviz.models.layers import FeedForward, Residual


class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward.

        mid = LayerNorm(x + SelfAttention(x))
        out = LayerNorm(mid + FeedForward(mid))

    Written for post-norm, as in the paper; where the LayerNorm stands for pre-norm is in `layers.Residual`.

    Source: "Attention Is All You Need" (2017), section 3.1; figure 1 on the left.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _attention(config)
        self.self_residual = Residual(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_residual = Residual(config)

    def forward(self, x: Tensor, *, mask: Tensor | None = None, layer: int = 0, kernel: Kernel = "explicit") -> Tensor:
        """One floor up.

        Args:
            x: [B, T, D].
            mask: who may look at whom, broadcast to [B, H, T, T]; bool True = may look, or float added to the scores.
            layer: which floor this is, from 0; recorded values are named after it, such as `encoder.2.self.weights`.
            kernel: "explicit" or "fused", see `MultiHeadAttention.forward`.
        Returns:
            [B, T, D].
        """
        x = tap(f"encoder.{layer}.in", x)  # [B, T, D]

        with at(Site("encoder", "self", layer)):
            asking = tap("x", self.self_residual.enter(x))  # [B, T, D]
            found = self.self_attention(asking, mask=mask, kernel=kernel)  # [B, T, D]
        x = tap(f"encoder.{layer}.mid", self.self_residual.leave(x, found))  # [B, T, D]

        thought = self.feed_forward(self.feed_forward_residual.enter(x))  # [B, T, D]
        return tap(f"encoder.{layer}.out", self.feed_forward_residual.leave(x, thought))  # [B, T, D]


class DecoderBlock(nn.Module):
    """Self-attention that does not look ahead, attention to another text, then feed-forward.

        mid = LayerNorm(x + SelfAttention(x))
        crossed = LayerNorm(mid + CrossAttention(mid, memory))
        out = LayerNorm(crossed + FeedForward(crossed))

    Cross-attention is the same layer as self-attention: the queries come from this text, the keys and values from
    memory, which is what the encoder made of the source text. A causal language model such as GPT-2 has no second
    text and leaves that line out.

    Args:
        has_cross: whether there is a second text to look at.
    Source: "Attention Is All You Need" (2017), section 3.1; figure 1 on the right.
    """

    def __init__(self, config: TransformerConfig, *, has_cross: bool = True) -> None:
        super().__init__()
        self.self_attention = _attention(config)
        self.self_residual = Residual(config)
        self.cross_attention = _attention(config) if has_cross else None
        self.cross_residual = Residual(config) if has_cross else None
        self.feed_forward = FeedForward(config)
        self.feed_forward_residual = Residual(config)

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        layer: int = 0,
        cache: KeyValueCache | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """One floor up.

        Args:
            x: [B, T, D].
            memory: [B, Ts, D], the encoder's output; needed by a block with cross-attention and only by that.
            mask: who may look at whom in this text, broadcast to [B, H, T, T]; the block adds no rule of its own, so
                the mask must hold the causal triangle (`masking.causal_mask`).
            memory_mask: who may look at whom in the source text, broadcast to [B, H, T, Ts].
            layer: which floor this is, from 0; recorded values are named after it, such as `decoder.2.cross.weights`.
            cache: keys and values of tokens read before; x then holds only the new ones.
            kernel: "explicit" or "fused", see `MultiHeadAttention.forward`.
        Returns:
            [B, T, D].
        Raises:
            TraceShapeError: memory is missing, or came to a block that does not look at it.
            InputError: the cache holds the keys of another memory.
        """
        check_memory(memory, memory_mask, has_cross=self.cross_attention is not None, part="decoder block")
        x = tap(f"decoder.{layer}.in", x)  # [B, T, D]

        with at(site := Site("decoder", "self", layer)):
            past = None if cache is None else cache.of(site)
            asking = tap("x", self.self_residual.enter(x))  # [B, T, D]
            found = self.self_attention(asking, mask=mask, past=past, kernel=kernel)  # [B, T, D]
        x = tap(f"decoder.{layer}.mid", self.self_residual.leave(x, found))  # [B, T, D]

        if self.cross_attention is not None and self.cross_residual is not None:
            with at(site := Site("decoder", "cross", layer)):
                past = None if cache is None else cache.of(site)
                asking = tap("x", self.cross_residual.enter(x))  # [B, T, D]
                # Memory is key and value: weights are [B, H, T, Ts], each of our tokens looking at theirs.
                found = self.cross_attention(asking, memory, mask=memory_mask, past=past, kernel=kernel)  # [B, T, D]
            x = tap(f"decoder.{layer}.crossed", self.cross_residual.leave(x, found))  # [B, T, D]

        thought = self.feed_forward(self.feed_forward_residual.enter(x))  # [B, T, D]
        return tap(f"decoder.{layer}.out", self.feed_forward_residual.leave(x, thought))  # [B, T, D]


def _attention(config: TransformerConfig) -> MultiHeadAttention:
    return MultiHeadAttention(config.d_model, config.n_heads, bias=config.bias, dropout=config.dropout)
