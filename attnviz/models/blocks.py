"""One block: attention mixes the tokens, feed-forward works on each of them, and both add to the residual stream x.

A block takes and returns [B, T, d_model], so blocks stack. A sublayer adds to x instead of replacing it: it has to
learn only a correction, and the sums let gradients reach the first block. LayerNorm comes after the sum or before the
sublayer:

    post-norm (paper, BERT)     x = LayerNorm(x + f(x))
    pre-norm (GPT-2)            x = x + f(LayerNorm(x))

Post-norm puts every gradient through every LayerNorm, so training needs a learning-rate warm-up. Pre-norm leaves the
sums free; the stream then grows from block to block, and one more LayerNorm follows the last one.

In training, dropout sets some numbers to zero: of the embedding and of what is added to the stream, as in the paper,
and of the attention weights and the hidden feed-forward numbers, as in BERT, GPT-2 and torch.

`tap` hands a value to the recorder, and `at` names it: what is tapped as "x" inside `at(Site("encoder", "self", 2))` is
read as `run["encoder.2.self.x"]`, what this attention reads: in pre-norm the stream after LayerNorm. Outside `at` the
name is given in full, "encoder.2.mid". Without a `record()` both do nothing.
"""

from torch import Tensor, nn

from attnviz.core.capture import at, tap
from attnviz.core.site import Site
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.config import TransformerConfig
from attnviz.models.layers import FeedForward, Residual
from attnviz.models.support.argument_checks import check_memory
from attnviz.models.support.key_value_cache import KeyValueCache


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

    def forward(self, x: Tensor, *, mask: Tensor | None = None, layer: int = 0) -> Tensor:
        """[B, T, d_model] -> [B, T, d_model].

        Args:
            x: the residual stream.
            mask: which query can attend to which key, broadcast to [B, H, T, T]; bool True = can attend, or float,
                added to the scores.
            layer: number of the block, from 0; it is in the recorded names.
        """
        x = tap(f"encoder.{layer}.in", x)  # [B, T, d_model]

        with at(Site("encoder", "self", layer)):
            read = tap("x", self.self_residual.enter(x))  # [B, T, d_model]: query, key and value
            self_out = self.self_attention(read, mask=mask)  # [B, T, d_model]
        x = tap(f"encoder.{layer}.mid", self.self_residual.leave(x, self_out))  # [B, T, d_model]

        ff_out = self.feed_forward(self.feed_forward_residual.enter(x))  # [B, T, d_model]
        ff_out = tap(f"encoder.{layer}.feed_forward", ff_out)  # [B, T, d_model]
        return tap(f"encoder.{layer}.out", self.feed_forward_residual.leave(x, ff_out))  # [B, T, d_model]


class DecoderBlock(nn.Module):
    """Self-attention (causal by the mask that Decoder gives it), cross-attention to another text, then feed-forward.

        mid = LayerNorm(x + SelfAttention(x))
        crossed = LayerNorm(mid + CrossAttention(mid, memory))
        out = LayerNorm(crossed + FeedForward(crossed))

    In pre-norm the LayerNorms move as in EncoderBlock. Cross-attention is the same layer as self-attention: queries
    come from this text, keys and values from memory, the encoder's output. A language model such as GPT-2 has no second
    text and no cross-attention.

    Args:
        has_cross: whether there is a second text to attend to.
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
    ) -> Tensor:
        """[B, T, d_model] -> [B, T, d_model]; layer as for EncoderBlock.

        Args:
            x: the residual stream; with a cache, of the new tokens only.
            memory: [B, Ts, d_model], where the block has cross-attention.
            mask: broadcast to [B, H, T, T_k]; with a cache T_k counts the tokens before too. It must hold the causal
                triangle, `causal_mask(T)`: `Decoder` puts it in, the block adds nothing.
            memory_mask: which token can attend to which source token, broadcast to [B, H, T, Ts].
            cache: keys and values of the tokens before.
        """
        check_memory(memory, memory_mask, has_cross=self.cross_attention is not None)
        x = tap(f"decoder.{layer}.in", x)  # [B, T, d_model]

        with at(site := Site("decoder", "self", layer)):
            read = tap("x", self.self_residual.enter(x))  # [B, T, d_model]: query, key and value
            past = None if cache is None else cache.of(site)
            self_out = self.self_attention(read, mask=mask, past=past)  # [B, T, d_model]
        x = tap(f"decoder.{layer}.mid", self.self_residual.leave(x, self_out))  # [B, T, d_model]

        if self.cross_attention is not None and self.cross_residual is not None:
            with at(site := Site("decoder", "cross", layer)):
                read = tap("x", self.cross_residual.enter(x))  # [B, T, d_model]: query; memory is key and value
                past = None if cache is None else cache.of(site)
                cross_out = self.cross_attention(read, memory, mask=memory_mask, past=past)  # [B, T, d_model]
            x = tap(f"decoder.{layer}.crossed", self.cross_residual.leave(x, cross_out))  # [B, T, d_model]

        ff_out = self.feed_forward(self.feed_forward_residual.enter(x))  # [B, T, d_model]
        ff_out = tap(f"decoder.{layer}.feed_forward", ff_out)  # [B, T, d_model]
        return tap(f"decoder.{layer}.out", self.feed_forward_residual.leave(x, ff_out))  # [B, T, d_model]


def _attention(config: TransformerConfig) -> MultiHeadAttention:
    return MultiHeadAttention(config.d_model, config.n_heads, bias=config.bias, dropout=config.dropout)
