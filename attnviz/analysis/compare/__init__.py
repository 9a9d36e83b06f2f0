"""Comparing two runs or models: common units, distances of heads, matching, a map of all heads, what moved."""

from attnviz.analysis.compare.comparison import Comparison, can_compare, compare
from attnviz.analysis.compare.difference import Difference, difference
from attnviz.analysis.compare.distances import HeadMap, head_map, one_to_one
from attnviz.analysis.compare.metric_quartiles import metric_quartiles
from attnviz.analysis.compare.self_attention_heads import Head
from attnviz.analysis.compare.similarity import Similarity, common_sentences, similarity

__all__ = [
    "Comparison", "Difference", "Head", "HeadMap", "Similarity", "can_compare", "common_sentences", "compare",
    "difference", "head_map", "metric_quartiles", "one_to_one", "similarity",
]  # fmt: skip
