"""Figures for papers and notebooks: from what the library returns to plotly figures, which can be restyled freely.

>>> import attnviz as av
>>> trace = av.load("reverse").trace("a b c")
>>> av.figures.pattern(trace, "encoder.1.self", head=0).update_layout(width=500).layout.title.text
'Encoder layer 1, head 0'

one head       pattern  arcs  tokens  difference  distance
all heads      heads  head_map  scatter  similarity
reasons        ledger  lens  patching
training       training
any numbers    curves  histogram  counts
a file         save

The functions keep no state and display nothing. Importing this room loads plotly.
"""

from attnviz.figures.attention import arcs, difference, distance, heads, pattern, tokens
from attnviz.figures.lines import counts, curves, histogram
from attnviz.figures.per_head import head_map, scatter, similarity
from attnviz.figures.reasons import ledger, lens, patching
from attnviz.figures.save import save
from attnviz.figures.template import DARK, LIGHT, PROJECTOR, template_name
from attnviz.figures.training_runs import training

__all__ = [
    "DARK", "LIGHT", "PROJECTOR", "arcs", "counts", "curves", "difference", "distance", "head_map", "heads",
    "histogram", "ledger", "lens", "patching", "pattern", "save", "scatter", "similarity", "template_name", "tokens",
    "training",
]  # fmt: skip
