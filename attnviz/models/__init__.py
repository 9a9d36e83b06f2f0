"""The transformer from scratch, to be read in this order:

config        every number and style that is chosen
attention     the formula, one head, many heads
positions     which token comes first
layers        embedding, feed-forward, norms, residual connections
blocks        attention and feed-forward: one block of an encoder or decoder
transformer   the whole: Encoder, Decoder, EncoderDecoder
decoding      writing a text, token by token

Attention alone, from x to its output, takes a quarter of an hour: attention, then core/attend and core/ops.

support/ holds what these use: masks, cache, input checks, vocabularies, published weights.

>>> import torch, attnviz as av
>>> x = torch.randn(1, 5, 16)  # [B, T, d_model]
>>> av.models.MultiHeadAttention(d_model=16, n_heads=4)(x).shape
torch.Size([1, 5, 16])
"""

from attnviz.models.attention import MultiHeadAttention, ProcessHeads, SelfAttention, scaled_dot_product_attention
from attnviz.models.blocks import DecoderBlock, EncoderBlock, ParallelBlock
from attnviz.models.config import (
    BERT_EMBEDDING,
    GPT2_EMBEDDING,
    LLAMA,
    LLAMA_EMBEDDING,
    PAPER_EMBEDDING,
    AttentionStyle,
    EmbeddingStyle,
    RotaryStyle,
    TransformerConfig,
)
from attnviz.models.decoding import Decoded, DecodingStep, Hypothesis, beam_search, greedy_search, sample
from attnviz.models.layers import (
    FeedForward,
    GatedFeedForward,
    NormBothSides,
    NormedHeads,
    PostNorm,
    PreNorm,
    Residual,
    RMSNorm,
    TokenEmbedding,
)
from attnviz.models.positions import (
    LearnedPositions,
    RotaryPositions,
    SinusoidalPositions,
    rotary_frequencies,
    sinusoidal_positions,
)
from attnviz.models.support.convert import from_published
from attnviz.models.support.key_value_cache import KeysAndValues, KeyValueCache
from attnviz.models.support.masking import causal_mask
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.vocabulary import Vocabulary, padded
from attnviz.models.transformer import Decoder, Encoder, EncoderDecoder
from attnviz.trace.generation import Stretch
from attnviz.trace.sampling import Sampling

__all__ = [
    "BERT_EMBEDDING", "GPT2_EMBEDDING", "LLAMA", "LLAMA_EMBEDDING", "PAPER_EMBEDDING", "AttentionStyle", "Decoded",
    "Decoder", "DecoderBlock", "DecodingStep", "EmbeddingStyle", "Encoder", "EncoderBlock", "EncoderDecoder",
    "FeedForward", "GatedFeedForward", "Hypothesis", "KeyValueCache", "KeysAndValues", "LearnedPositions",
    "MultiHeadAttention", "NormBothSides", "NormedHeads", "ParallelBlock", "PostNorm", "PreNorm", "ProcessHeads",
    "RMSNorm", "Residual", "RotaryPositions", "RotaryStyle", "Sampling", "SelfAttention", "SinusoidalPositions",
    "Stretch", "TokenEmbedding", "TransformerConfig", "Vocabulary", "beam_search", "causal_mask", "from_published",
    "greedy_search", "padded", "parameters_of", "rotary_frequencies", "sample", "scaled_dot_product_attention",
    "sinusoidal_positions",
]  # fmt: skip
