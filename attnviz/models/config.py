"""The shape of a transformer: every number and style that is chosen before it is built.

`TransformerConfig()` is the base model of "Attention Is All You Need" (2017), table 3. BERT, GPT-2, Llama and what came
after it differ from it in these fields and in nothing else. `LLAMA` is the first Llama; `dataclasses.replace` makes
another size of it.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import check_choice, check_size
from attnviz.models.support.argument_checks import check_groups, check_heads, check_number, check_positive

PositionStyle = Literal["sinusoidal", "learned", "none"]
NormStyle = Literal["post", "pre", "both"]
NormKind = Literal["layer", "rms"]
ActivationName = Literal["relu", "gelu", "gelu_tanh", "silu"]
PairStyle = Literal["halves", "neighbours"]


@dataclass(frozen=True)
class EmbeddingStyle:
    """How token ids become vectors, and at the end vectors become logits of tokens.

    Source: "Attention Is All You Need" (2017), sections 3.4 and 3.5; BERT (2018), figure 2; GPT-2 (2019), section 2.3.
    """

    positions: PositionStyle = "sinusoidal"
    is_scaled: bool = True  # token vectors times √d_model, so that positions do not outweigh them
    n_token_types: int = 0  # BERT has 2, a vector for "first sentence" and one for "second sentence"
    is_normed: bool = False  # BERT puts a LayerNorm after the sum
    is_tied: bool = True  # logits are computed with the token table, not with a matrix of their own
    softcap: float | None = None  # c of Gemma 2, which keeps logits within ±c: c · tanh(logits / c)

    def __post_init__(self) -> None:
        check_choice("positions", self.positions, get_args(PositionStyle))
        check_size("n_token_types", self.n_token_types, least=0)
        check_positive(softcap=self.softcap)


PAPER_EMBEDDING = EmbeddingStyle()
BERT_EMBEDDING = EmbeddingStyle(positions="learned", is_scaled=False, n_token_types=2, is_normed=True)
GPT2_EMBEDDING = EmbeddingStyle(positions="learned", is_scaled=False)
LLAMA_EMBEDDING = EmbeddingStyle(positions="none", is_scaled=False, is_tied=False)  # positions rotate q and k instead


@dataclass(frozen=True)
class RotaryStyle:
    """Which pairs of numbers of q and k are rotated, and how fast; the formula is in positions.py.

    Source: Su et al. 2021 (RoFormer), section 3.4; `factor`: Chen et al. 2023 (position interpolation), equation 4;
        `magnitude`: Peng et al. 2023 (YaRN), section 3.4.
    """

    theta: float = 10_000.0  # θ; pair i of a head turns by θ^(−2i/width) radians a token
    pairs: PairStyle = "halves"  # number i with i + width/2 (Llama as published), or 2i with 2i + 1 (the paper)
    width: int | None = None  # how many numbers of a head are rotated, the first ones; None = all
    factor: float = 1.0  # every frequency is divided by it, for texts that much longer
    frequencies: tuple[float, ...] | None = None  # radians a token of each pair, given instead (Llama 3, YaRN)
    magnitude: float = 1.0  # what sines and cosines are multiplied by (YaRN)

    def __post_init__(self) -> None:
        check_choice("pairs", self.pairs, get_args(PairStyle))
        check_positive(theta=self.theta, factor=self.factor, magnitude=self.magnitude)
        if self.width is not None:
            check_size("width", self.width, least=2)


@dataclass(frozen=True)
class AttentionStyle:
    """What self-attention has besides the formula; the defaults are the paper's. Cross-attention has it as the paper.

    Source: `n_kv_heads`: Ainslie et al. 2023, section 2.2, and Shazeer 2019 for a single one; `window`: Beltagy et al.
        2020, section 3.1; `softcap`: Gemma 2 (2024), section 2; `normalises_qk`: Henry et al. 2020, as Qwen 3 has it.
    """

    n_kv_heads: int | None = None  # G, heads of keys and values, each for H / G heads of queries; None = H
    head_width: int | None = None  # d_k; None = d_model / H
    rotary: RotaryStyle | None = None  # positions that rotate q and k
    normalises_qk: bool = False  # an RMSNorm over each head's q and k, before the rotation
    window: int | None = None  # a token can attend to so many tokens at most, itself and those before it
    softcap: float | None = None  # c, which keeps scores within ±c: c · tanh(scores / c)
    scale: float | None = None  # what raw is multiplied by; None = 1/√d_k
    qkv_bias: bool | None = None  # of W_Q, W_K and W_V, where it is not that of the other matrices (Qwen 2)

    def __post_init__(self) -> None:
        for name in ("n_kv_heads", "head_width", "window"):
            if getattr(self, name) is not None:
                check_size(name, getattr(self, name))
        check_positive(softcap=self.softcap, scale=self.scale)


PAPER_ATTENTION = AttentionStyle()


@dataclass(frozen=True)
class TransformerConfig:
    """One stack of blocks; the defaults are the paper's base model.

    Raises:
        InputError: a style is misspelled, or a size is impossible.
    Source: "Attention Is All You Need" (2017), table 3, row "base".
    """

    vocab_size: int = 37_000  # V, different tokens
    d_model: int = 512  # width of the residual stream
    n_heads: int = 8  # H; each head is d_model / H wide
    n_layers: int = 6  # L, blocks on top of each other
    d_ff: int = 2048  # hidden width of the feed-forward part
    max_tokens: int = 512  # longest text the positions cover
    dropout: float = 0.1  # share of numbers set to zero in training
    norm: NormStyle = "post"  # after each sum (paper, BERT), before each part (GPT-2), or before and after (Gemma 2)
    norm_eps: float = 1e-5  # added to the variance before the square root
    activation: ActivationName = "relu"  # of the feed-forward part; gelu_tanh is GPT-2's approximation of gelu
    bias: bool = True  # whether linear layers and norms add a learned constant
    embedding: EmbeddingStyle = PAPER_EMBEDDING
    norm_kind: NormKind = "layer"  # LayerNorm, or RMSNorm (Llama)
    is_gated: bool = False  # feed-forward with a gate: with silu it is SwiGLU (Llama), with gelu GeGLU (Gemma)
    is_parallel: bool = False  # attention and feed-forward read the same x (GPT-J, GPT-NeoX)
    # Of every block; or several that take turns from block to block, such as one with a window and one without.
    attention: AttentionStyle | tuple[AttentionStyle, ...] = PAPER_ATTENTION

    def attention_of(self, layer: int) -> AttentionStyle:
        """The style of one block's self-attention; layer is counted from 0."""
        if isinstance(self.attention, AttentionStyle):
            return self.attention
        return self.attention[layer % len(self.attention)]

    def __post_init__(self) -> None:
        check_choice("norm", self.norm, get_args(NormStyle))
        check_choice("norm_kind", self.norm_kind, get_args(NormKind))
        if self.activation not in get_args(ActivationName):
            raise InputError(
                id="no-activation", came=repr(self.activation), known=tuple(map(repr, get_args(ActivationName)))
            )
        for name in ("vocab_size", "d_model", "n_heads", "n_layers", "d_ff", "max_tokens"):
            check_size(name, getattr(self, name))
        check_number("dropout", self.dropout, below=1)
        check_number("norm_eps", self.norm_eps)
        if self.attention == ():
            raise InputError(id="no-attention-style")
        for layer in range(self.n_layers):
            style = self.attention_of(layer)
            check_groups(self.n_heads, style.n_kv_heads)
            if style.head_width is None:
                check_heads(self.d_model, self.n_heads)
        if self.is_parallel and self.norm != "pre":
            raise InputError(id="parallel-norm", came=repr(self.norm))


LLAMA = TransformerConfig(  # Touvron et al. 2023, table 2, first row
    vocab_size=32_000, d_model=4096, n_heads=32, n_layers=32, d_ff=11_008, max_tokens=2048, dropout=0.0, norm="pre",
    norm_eps=1e-6, activation="silu", bias=False, embedding=LLAMA_EMBEDDING, norm_kind="rms", is_gated=True,
    attention=AttentionStyle(rotary=RotaryStyle()),
)  # fmt: skip
