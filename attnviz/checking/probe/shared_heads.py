"""The stage that gives a function fewer heads of keys and values than of queries, where it takes that."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.faults_of_values import TILED
from attnviz.checking.find.search import agrees, difference, finding
from attnviz.checking.report import Finding, Measurement

HEADS, GROUPS = 6, 2  # of queries, and of keys and values
_WHAT = "heads that share keys and values"


def shared_heads(understood: Understood) -> Seen:
    """Most functions refuse this, and may; one that takes it should let neighbours share."""
    examination = understood.examination
    takes_heads = examination.axes == 4 and not examination.has_one_key_head
    if not examination.candidate.is_function or not takes_heads:
        return Seen()
    if understood.explanation.has_mistakes:
        return Seen(unchecked=(f"{_WHAT}: until what was found above is mended",))
    more = replace(examination, sizes=replace(examination.sizes, n_heads=HEADS))
    query, key, value = more.inputs(95)
    key, value = key[:, :GROUPS], value[:, :GROUPS]  # [B, G, T, Dh] each
    answer = more.ask((query, key, value))
    if answer.out is None:
        return Seen()
    theirs = answer.out.detach()
    times = HEADS // GROUPS
    right = _ours(understood, (query, key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)))
    if agrees(right, theirs):
        return Seen(checked=(_WHAT,))
    if agrees(_ours(understood, (query, key.repeat(1, times, 1, 1), value.repeat(1, times, 1, 1))), theirs):
        return Seen(notes=(finding(TILED),), checked=(_WHAT,))
    measured = Measurement("largest difference from the right output", difference(right, theirs))
    sentence = (
        f"With {HEADS} heads of queries and {GROUPS} of keys and values it runs, and the output is wrong; with equally "
        "many it is right."
    )
    return Seen((Finding("shared-heads-differ", sentence, TILED.fix, (measured,)),), checked=(_WHAT,))


def _ours(understood: Understood, inputs: Inputs) -> Tensor:
    return understood.explanation.values(inputs).out  # [B, H, T, Dh]
