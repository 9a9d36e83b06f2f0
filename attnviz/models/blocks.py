"""One block: attention mixes the tokens, feed-forward works on each of them, and both add to the residual stream x.

A block takes and returns [B, T, d_model], so blocks stack. A sublayer adds to x instead of replacing it: it has to
learn only a correction, and the sums let gradients reach the first block. A norm comes after the sum, before the
sublayer, or before and after the sublayer (the residual connections in layers.py):

    post-norm (paper, BERT)     x = norm(x + f(x))
    pre-norm (GPT-2, Llama)     x = x + f(norm(x))
    both (Gemma 2)              x = x + norm'(f(norm(x)))

Post-norm puts every gradient through every norm, so training needs a learning-rate warm-up. Pre-norm leaves the sums
free; the stream then grows from block to block, and one more norm follows the last one.

In training, dropout sets some numbers to zero: of the embedding and of what is added to the stream, as in the paper,
and of the attention weights and the hidden feed-forward numbers, as in BERT, GPT-2 and torch.

`tap` hands a value to the recorder, and `at` names the place: what is tapped as "mid" inside `at("encoder.2")` is read
as `run["encoder.2.mid"]`, and "x" inside `at(Site("encoder", "self", 2))` as `run["encoder.2.self.x"]`: what this
attention reads, in pre-norm the stream after its norm. Without a `record()` both do nothing.
"""

from torch import Tensor, nn

from attnviz.core.capture import at, tap
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.config import PAPER_ATTENTION, AttentionStyle, TransformerConfig
from attnviz.models.layers import RESIDUALS, FeedForward, GatedFeedForward, process_heads_of
from attnviz.models.support.argument_checks import check_memory
from attnviz.models.support.key_value_cache import KeyValueCache


class EncoderBlock(nn.Module):
    """Self-attention, then feed-forward.

        post-norm:  mid = norm(x + SelfAttention(x))       out = norm(mid + FeedForward(mid))
        pre-norm:   mid = x + SelfAttention(norm(x))       out = mid + FeedForward(norm(mid))

    Args:
        layer: number of the block, from 0, where blocks differ (`config.attention_of`).
    Source: "Attention Is All You Need" (2017), section 3.1; figure 1 on the left.
    """

    def __init__(self, config: TransformerConfig, layer: int = 0) -> None:
        super().__init__()
        residual = RESIDUALS[config.norm]
        self.self_attention = attention_of(config, config.attention_of(layer))
        self.self_residual = residual(config)
        self.feed_forward = feed_forward_of(config)
        self.feed_forward_residual = residual(config)

    def forward(self, x: Tensor, *, mask: Tensor | None = None, layer: int = 0) -> Tensor:
        """[B, T, d_model] -> [B, T, d_model].

        Args:
            x: the residual stream.
            mask: which query can attend to which key, broadcast to [B, H, T, T]; bool True = can attend, or float,
                added to the scores.
            layer: number of the block, from 0; it is in the recorded names.
        """

        def attend(x: Tensor) -> Tensor:
            with at(Site("encoder", "self", layer)):
                return self.self_attention(tap("x", x), mask=mask)  # [B, T, d_model]: query, key and value

        def feed(x: Tensor) -> Tensor:
            return tap("feed_forward", self.feed_forward(x))  # [B, T, d_model]

        with at(f"encoder.{layer}"):
            x = tap("in", x)  # [B, T, d_model]
            x = tap("mid", self.self_residual(x, attend))  # [B, T, d_model]
            return tap("out", self.feed_forward_residual(x, feed))  # [B, T, d_model]


class DecoderBlock(nn.Module):
    """Self-attention (causal by the mask that Decoder gives it), cross-attention to another text, then feed-forward.

        mid = norm(x + SelfAttention(x))
        crossed = norm(mid + CrossAttention(mid, memory))
        out = norm(crossed + FeedForward(crossed))

    In pre-norm the norms move as in EncoderBlock. Cross-attention is the same layer as self-attention: queries come
    from this text, keys and values from memory, the encoder's output. A language model such as GPT-2 has no second text
    and no cross-attention.

    Args:
        layer: number of the block, from 0, where blocks differ (`config.attention_of`).
        has_cross: whether there is a second text to attend to.
    Source: "Attention Is All You Need" (2017), section 3.1; figure 1 on the right.
    """

    def __init__(self, config: TransformerConfig, layer: int = 0, *, has_cross: bool = True) -> None:
        super().__init__()
        residual = RESIDUALS[config.norm]
        self.self_attention = attention_of(config, config.attention_of(layer))
        self.self_residual = residual(config)
        self.cross_attention = attention_of(config, PAPER_ATTENTION) if has_cross else None
        self.cross_residual = residual(config) if has_cross else None
        self.feed_forward = feed_forward_of(config)
        self.feed_forward_residual = residual(config)

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

        def attend(x: Tensor) -> Tensor:
            with at(site := Site("decoder", "self", layer)):
                past = None if cache is None else cache.of(site)
                return self.self_attention(tap("x", x), mask=mask, past=past)  # [B, T, d_model]: query, key and value

        def attend_across(x: Tensor) -> Tensor:
            assert self.cross_attention is not None
            with at(site := Site("decoder", "cross", layer)):
                past = None if cache is None else cache.of(site)
                # [B, T, d_model]: query; memory is key and value
                return self.cross_attention(tap("x", x), memory, mask=memory_mask, past=past)

        def feed(x: Tensor) -> Tensor:
            return tap("feed_forward", self.feed_forward(x))  # [B, T, d_model]

        with at(f"decoder.{layer}"):
            x = tap("in", x)  # [B, T, d_model]
            x = tap("mid", self.self_residual(x, attend))  # [B, T, d_model]
            if self.cross_residual is not None:
                x = tap("crossed", self.cross_residual(x, attend_across))  # [B, T, d_model]
            return tap("out", self.feed_forward_residual(x, feed))  # [B, T, d_model]


class ParallelBlock(DecoderBlock):
    """A decoder's block whose two parts read the same x, so that neither waits for the other.

        out = x + SelfAttention(norm(x)) + FeedForward(norm'(x))

    Source: Wang & Komatsuzaki 2021 (GPT-J); Black et al. 2022 (GPT-NeoX), section 2.1.
    """

    def __init__(self, config: TransformerConfig, layer: int = 0, *, has_cross: bool = False) -> None:
        if has_cross:
            raise InputError(id="parallel-cross")
        super().__init__(config, layer, has_cross=False)

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
        """As for DecoderBlock, without memory."""
        check_memory(memory, memory_mask, has_cross=False)

        def attend(x: Tensor) -> Tensor:
            with at(site := Site("decoder", "self", layer)):
                past = None if cache is None else cache.of(site)
                return self.self_attention(tap("x", x), mask=mask, past=past)  # [B, T, d_model]: query, key and value

        with at(f"decoder.{layer}"):
            x = tap("in", x)  # [B, T, d_model]
            fed = tap("feed_forward", self.feed_forward(self.feed_forward_residual.norm(x)))  # [B, T, d_model]
            added = self.feed_forward_residual.dropout(fed)  # [B, T, d_model]
            return tap("out", self.self_residual(x, attend) + added)  # [B, T, d_model]


def attention_of(config: TransformerConfig, style: AttentionStyle) -> MultiHeadAttention:
    """The attention that a configuration describes."""
    return MultiHeadAttention(
        config.d_model, config.n_heads, n_kv_heads=style.n_kv_heads, head_width=style.head_width, bias=config.bias,
        qkv_bias=style.qkv_bias, dropout=config.dropout, scale=style.scale, softcap=style.softcap,
        process_heads=process_heads_of(config, style),
    )  # fmt: skip


def feed_forward_of(config: TransformerConfig) -> FeedForward | GatedFeedForward:
    """The feed-forward part that a configuration describes."""
    return GatedFeedForward(config) if config.is_gated else FeedForward(config)
