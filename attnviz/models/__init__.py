from attnviz.models.attention import MultiHeadAttention, SelfAttention, causal_mask, scaled_dot_product_attention
from attnviz.models.cache import KeysAndValues, KeyValueCache

__all__ = [
    "KeyValueCache",
    "KeysAndValues",
    "MultiHeadAttention",
    "SelfAttention",
    "causal_mask",
    "scaled_dot_product_attention",
]
