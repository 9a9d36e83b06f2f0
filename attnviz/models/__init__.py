"""The transformer from scratch, to be read in this order:

config        every number that has to be chosen
attention     one head, many heads
positions     where a token stands
layers        embedding, feed-forward, residual with LayerNorm
blocks        attention + feed-forward = one floor
transformer   the whole: Encoder, Decoder, EncoderDecoder
decoding      writing a text with it, token by token

The rest serves these: masking, cache, checks, vocabulary, weights of published models, exchange with torch.
"""

from attnviz.models.attention import MultiHeadAttention, SelfAttention, scaled_dot_product_attention
from attnviz.models.blocks import DecoderBlock, EncoderBlock
from attnviz.models.config import BERT, GPT2, PAPER, EmbeddingStyle, TransformerConfig
from attnviz.models.decoding import Decoded, DecodingStep, Hypothesis, Reading, beam, greedy
from attnviz.models.layers import FeedForward, Residual, TokenEmbedding
from attnviz.models.positions import LearnedPositions, SinusoidalPositions, sinusoidal_positions
from attnviz.models.reading import minilm_lines
from attnviz.models.support.cache import KeysAndValues, KeyValueCache
from attnviz.models.support.convert import decoder_from_gpt2, encoder_from_bert
from attnviz.models.support.masking import causal_mask
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.vocabulary import Vocabulary, padded
from attnviz.models.transformer import Decoder, Encoder, EncoderDecoder

__all__ = [
    "BERT",
    "GPT2",
    "PAPER",
    "Decoded",
    "Decoder",
    "DecoderBlock",
    "DecodingStep",
    "EmbeddingStyle",
    "Encoder",
    "EncoderBlock",
    "EncoderDecoder",
    "FeedForward",
    "Hypothesis",
    "KeyValueCache",
    "KeysAndValues",
    "LearnedPositions",
    "MultiHeadAttention",
    "Reading",
    "Residual",
    "SelfAttention",
    "SinusoidalPositions",
    "TokenEmbedding",
    "TransformerConfig",
    "Vocabulary",
    "beam",
    "causal_mask",
    "decoder_from_gpt2",
    "encoder_from_bert",
    "greedy",
    "minilm_lines",
    "padded",
    "parameters_of",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
]
