"""Two of anything: units that both sides share, distances of heads, matching, a map of all heads, two sentences."""

from attnviz.analysis.compare.common import common_sentences
from attnviz.analysis.compare.comparison import Comparison, compare
from attnviz.analysis.compare.difference import Difference, difference
from attnviz.analysis.compare.headmap import HeadMap, head_map
from attnviz.analysis.compare.matching import nearest, one_to_one
from attnviz.analysis.compare.metrics import metrics_beside
from attnviz.analysis.compare.self_attention_heads import Head
from attnviz.analysis.compare.similarity import Similarity, similarity
from attnviz.analysis.compare.two_texts import TwoTexts, compare_texts
from attnviz.analysis.compare.units import Unit, Units, common_units

__all__ = [
    "Comparison", "Difference", "Head", "HeadMap", "Similarity", "TwoTexts", "Unit", "Units", "common_sentences",
    "common_units", "compare", "compare_texts", "difference", "head_map", "metrics_beside", "nearest", "one_to_one",
    "similarity",
]  # fmt: skip
