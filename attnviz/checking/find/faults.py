"""The known mistakes in the order in which they are reported: those without a mask, and those of gradients."""

from __future__ import annotations

from attnviz.checking.find.fault import Fault, row
from attnviz.checking.find.faults_of_masks import CAUSAL
from attnviz.checking.find.faults_of_scores import KEYS, SCALE, SOFTMAX
from attnviz.checking.find.faults_of_values import AXES, ENDS, MATRICES, PROJECTIONS, SKIPPED, STRIDED

_BEFORE = AXES + PROJECTIONS + SKIPPED + MATRICES + SCALE + CAUSAL
FORWARD: tuple[Fault, ...] = _BEFORE + SOFTMAX + ENDS + (STRIDED,)
IN_ORDER: tuple[Fault, ...] = _BEFORE + KEYS + SOFTMAX + ENDS  # in which they happen, those of the keys too

DETACHED: tuple[Fault, ...] = tuple(
    row("gradient-cut", f"The gradient is cut at {name}: {dead}.",
        "look for .detach(), .data, .item(), torch.tensor(…) or torch.no_grad() there", detach=place)
    for place, name, dead in (
        ("weights", "the weights", "Q and K never learn where to look"),
        ("scores", "the scores", "Q and K never learn where to look"),
        ("q", "the queries", "W_Q never learns"),
        ("k", "the keys", "W_K never learns"),
        ("v", "the values", "W_V never learns"),
        ("context", "the context", "only the output projection learns"),
        ("input", "the input", "layers below this one never learn"),
    )
)  # fmt: skip
