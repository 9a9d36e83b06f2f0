"""One block: attention mixes the tokens, feed-forward works on each, and both add to the residual stream.

Every block takes [B, T, D] and gives [B, T, D], so blocks stack. A sublayer does not replace x, the residual stream; it
adds to it. So it has to learn only what is missing, and gradients reach the first block through the sums.
`enter` gives what a sublayer reads, `leave` adds what it computed; the LayerNorm stands at one of the two (layers.py):

    post-norm (paper, BERT)     enter(x) = x                leave(x, out) = LayerNorm(x + out)
    pre-norm (GPT-2)            enter(x) = LayerNorm(x)     leave(x, out) = x + out

    FeedForward(x) = activation(x W_1 + b_1) W_2 + b_2         D -> d_ff -> D, each token by itself; ReLU or GELU
    LayerNorm(x) = (x − mean) / sqrt(variance + eps) · gain + bias      over the D numbers of each token by itself
    variance = mean of (x − mean)², divided by D, not D − 1; eps keeps a token of equal numbers from dividing by 0

`bias=False` in the configuration leaves out every constant: of attention, of feed-forward and of LayerNorm.

Post-norm keeps the stream at one size, but every gradient has to pass every LayerNorm, so training must begin with
small steps. Pre-norm leaves the way of the sums free; the stream grows, and one more LayerNorm follows the last block.

While training, dropout sets some numbers to zero: of the embedding and of what `leave` adds, as in the paper, and of
the weights (attention.py) and inside the feed-forward (layers.py), as BERT, GPT-2 and torch do. `tap` offers a value to
whoever records, and `at` says under which name: inside `at(Site("encoder", "self", 2))`, `tap("x", …)` is
`encoder.2.self.x`. Without a recorder the block runs as if they were not there.
"""

from __future__ import annotations

from torch import Tensor, nn

from attnviz.core.attend import Kernel
from attnviz.core.capture import at, tap
from attnviz.core.site import Site
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.config import TransformerConfig, check_config
from attnviz.models.layers import FeedForward, Residual
from attnviz.models.support.cache import KeyValueCache, check_cache
from attnviz.models.support.checks import check_memory, check_vectors


class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward.

        post-norm:  mid = LayerNorm(x + SelfAttention(x))       out = LayerNorm(mid + FeedForward(mid))
        pre-norm:   mid = x + SelfAttention(LayerNorm(x))       out = mid + FeedForward(LayerNorm(mid))

    Source: "Attention Is All You Need" (2017), section 3.1; figure 1 on the left.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _attention(config)
        self.self_residual = Residual(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_residual = Residual(config)

    def forward(self, x: Tensor, *, mask: Tensor | None = None, layer: int = 0, kernel: Kernel = "explicit") -> Tensor:
        """Run the block once.

        Args:
            x: [B, T, D], the residual stream.
            mask: who may look at whom, broadcast to [B, H, T, T]; bool True = may look, or float added to the scores.
            layer: which block of the stack this is, from 0; recorded values are named after it, such as
                `encoder.2.self.weights`.
            kernel: "explicit" or "fused", see `MultiHeadAttention.forward`.
        Returns:
            [B, T, D].
        Raises:
            TraceShapeError, MaskError, InputError: x or the mask does not fit this block, or x holds NaN.
        """
        check_vectors("x", x, self.self_attention.d_model, self.self_attention.w_q)
        x = tap(f"encoder.{layer}.in", x)  # [B, T, D]

        with at(Site("encoder", "self", layer)):
            query = tap("x", self.self_residual.enter(x))  # [B, T, D], key and value as well
            self_out = self.self_attention(query, mask=mask, kernel=kernel)  # [B, T, D]
        x = tap(f"encoder.{layer}.mid", self.self_residual.leave(x, self_out))  # [B, T, D]

        ff_out = self.feed_forward(self.feed_forward_residual.enter(x))  # [B, T, D] -> [B, T, d_ff] -> [B, T, D]
        return tap(f"encoder.{layer}.out", self.feed_forward_residual.leave(x, ff_out))  # [B, T, D]


class DecoderBlock(nn.Module):
    """Self-attention that does not look ahead, attention to another text, then feed-forward.

        mid = LayerNorm(x + SelfAttention(x))
        crossed = LayerNorm(mid + CrossAttention(mid, memory))
        out = LayerNorm(crossed + FeedForward(crossed))

    Written for post-norm; in pre-norm each LayerNorm stands inside, as in EncoderBlock, but memory is read as it is:
    the encoder's last LayerNorm has been over it. Cross-attention is the same layer as self-attention: the queries come
    from this text, the keys and values from memory, which is what the encoder made of the source text. A causal
    language model such as GPT-2 has no second text and leaves that line out.

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
        """Run the block once; layer and kernel as for EncoderBlock.

        Args:
            x: [B, T, D], the residual stream; with a cache, of the new tokens alone.
            memory: [B, Ts, D], the encoder's output, where the block has cross-attention.
            mask: broadcast to [B, H, T, Tk], where Tk is T and the tokens a cache holds from before. It must hold the
                causal triangle, `causal_mask(T)` of masking.py: the block adds no rule of its own. `Decoder` makes it.
            memory_mask: who may look at whom in the source text, broadcast to [B, H, T, Ts].
            cache: keys and values of the tokens read before.
        Returns:
            [B, T, D].
        Raises:
            TraceShapeError, MaskError, InputError: as in EncoderBlock; memory is missing, unwanted or not the cache's.
        """
        check_vectors("x", x, self.self_attention.d_model, self.self_attention.w_q)
        check_memory(memory, memory_mask, has_cross=self.cross_attention is not None, part="decoder block", like=x)
        check_cache(cache)
        x = tap(f"decoder.{layer}.in", x)  # [B, T, D]
        with at(site := Site("decoder", "self", layer)):
            query = tap("x", self.self_residual.enter(x))  # [B, T, D], key and value as well
            past = None if cache is None else cache.of(site)
            self_out = self.self_attention(query, mask=mask, past=past, kernel=kernel)  # [B, T, D]
        x = tap(f"decoder.{layer}.mid", self.self_residual.leave(x, self_out))  # [B, T, D]
        if self.cross_attention is not None and self.cross_residual is not None:
            with at(site := Site("decoder", "cross", layer)):
                query = tap("x", self.cross_residual.enter(x))  # [B, T, D]; key and value are memory, [B, Ts, D]
                past = None if cache is None else cache.of(site)  # of a cross site: read once, never appended to
                cross_out = self.cross_attention(query, memory, mask=memory_mask, past=past, kernel=kernel)  # [B, T, D]
            x = tap(f"decoder.{layer}.crossed", self.cross_residual.leave(x, cross_out))  # [B, T, D]
        ff_out = self.feed_forward(self.feed_forward_residual.enter(x))  # [B, T, D] -> [B, T, d_ff] -> [B, T, D]
        return tap(f"decoder.{layer}.out", self.feed_forward_residual.leave(x, ff_out))  # [B, T, D]


def _attention(config: TransformerConfig) -> MultiHeadAttention:
    check_config(config)
    return MultiHeadAttention(config.d_model, config.n_heads, bias=config.bias, dropout=config.dropout)
