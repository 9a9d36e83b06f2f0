"""The shape of a transformer: every number and style that is chosen before it is built.

`TransformerConfig()` is the base model of "Attention Is All You Need" (2017), table 3. BERT and GPT-2 differ from it in
these fields and in nothing else.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from attnviz.core.tensor_checks import check_choice
from attnviz.models.support.argument_checks import check_heads, check_number, check_size

PositionStyle = Literal["sinusoidal", "learned", "none"]
NormStyle = Literal["post", "pre"]
ActivationName = Literal["relu", "gelu", "gelu_tanh"]


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

    def __post_init__(self) -> None:
        check_choice("positions", self.positions, get_args(PositionStyle))
        check_size("n_token_types", self.n_token_types, least=0)


PAPER_EMBEDDING = EmbeddingStyle()
BERT_EMBEDDING = EmbeddingStyle(positions="learned", is_scaled=False, n_token_types=2, is_normed=True)
GPT2_EMBEDDING = EmbeddingStyle(positions="learned", is_scaled=False)


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
    norm: NormStyle = "post"  # LayerNorm after each sum (paper, BERT) or before each part (GPT-2)
    norm_eps: float = 1e-5  # added to the variance before the square root
    activation: ActivationName = "relu"  # of the feed-forward part; gelu_tanh is GPT-2's approximation of gelu
    bias: bool = True  # whether linear layers and norms add a learned constant
    embedding: EmbeddingStyle = PAPER_EMBEDDING

    def __post_init__(self) -> None:
        check_choice("norm", self.norm, get_args(NormStyle))
        check_choice("activation", self.activation, get_args(ActivationName), "GPT-2's gelu_new is our gelu_tanh.")
        for name in ("vocab_size", "d_model", "n_heads", "n_layers", "d_ff", "max_tokens"):
            check_size(name, getattr(self, name))
        check_number("dropout", self.dropout, below=1)
        check_number("norm_eps", self.norm_eps)
        check_heads(self.d_model, self.n_heads)
