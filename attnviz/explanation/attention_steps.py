"""The steps of one attention of a run, each with the matrices it read and wrote: from X and W_Q to the head's output.

Any Trace will do. A step is made for some of the queries alone where that is asked for, so that one cell of a long text
costs one row. What the trace holds is taken from it; what it does not hold is made with the same `ops`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import StepError
from attnviz.explanation.head_view import SHOWN, Place, Projection, read_by, read_name
from attnviz.explanation.matrices import ONE, Axis, Matrix, Reading, StepMatrix
from attnviz.explanation.recompute import proved
from attnviz.explanation.steps import BY_NAME

NO_SCALING = "no 1/√Dh"  # the label of a run without it


def step_of(place: Place, name: str) -> StepMatrix:
    """One step of an attention.

    Args:
        name: q k v raw scores capped masked weights context silenced head-out concat out; or q-all, k-all, v-all for
            the heads side by side and q-split, k-split, v-split for this head's part of them.
    Raises:
        StepError: no such step, or this trace lacks the matrices it uses.
        TraceShapeError: this model's score is not q·k.
    """
    if name not in _MAKERS:
        raise StepError(
            f"There is no step {name!r}. Expected one of: {', '.join(BY_NAME)}.", id="no-such-step", step=name
        )
    return proved(_MAKERS[name](place), place.trace.edits)


def is_projected(place: Place, name: Projection) -> bool:
    """Whether Q, K or V is one product of an X that this trace holds and a matrix that it names."""
    try:
        read_by(place.trace, place.site, is_key=name != "q")
    except StepError:
        return False
    return f"w_{name}" in place.trace.matrices.get(place.site.key, {})


def _projected(place: Place, name: Projection, is_all: bool) -> StepMatrix:
    parameters = place.trace.parameters(place.site.key)
    if f"w_{name}" not in parameters:
        raise StepError(
            f"{name} of {place.site} is not one product of X and a matrix in this model "
            "(it is rotated or normalised after it), so it cannot be written out from X.",
            id="not-a-product", name=name, site=place.site.key,
        )  # fmt: skip
    point, x = read_by(place.trace, place.site, is_key=name != "q")  # [T, D]
    axis, written = place.axis(name), place.of_all(name) if is_all else place.of_head(name)
    inputs = Axis("feature", "D", x.shape[-1])
    read = Matrix(f"{point}.{axis.letter}", read_name(point), x[axis.start : axis.stop], axis, inputs)  # [T, D]
    lines, width = slice(None), place.values(name).shape[-1]
    if not is_all:
        head = place.head if name == "q" else place.key_head
        lines = slice(head * width, (head + 1) * width)  # this head's rows of the stored [out, in] weight
    shown, weight = (
        SHOWN[name],
        parameters[f"w_{name}"][lines],
    )  # [Dh, D], as torch stores it
    stored = Matrix(
        f"{written.key}.w", f"W_{shown}ᵀ", weight, written.columns, inputs, role=name, turned_name=f"W_{shown}"
    )  # [Dh, D]
    bias = None
    if f"b_{name}" in parameters:
        values = parameters[f"b_{name}"][lines][None]  # [1, Dh]
        bias = Matrix(f"{written.key}.b", f"b_{shown}", values, ONE, written.columns, role=name)
    readings = (Reading(read), Reading(stored, is_turned=True))
    return StepMatrix(BY_NAME[name], "qkv", written, readings, bias, head=None if is_all else place.head)


def _split(place: Place, name: Projection) -> StepMatrix:
    head = place.head if name == "q" else place.key_head
    first = head * place.values(name).shape[-1]
    written, whole = place.of_head(name), Reading(place.of_all(name))
    return StepMatrix(BY_NAME["split"], "split", written, (whole,), facts={"first": first}, head=place.head)


def _square(place: Place, name: str, values: Tensor, colour: str = "signed") -> Matrix:
    """A matrix of queries and keys, [Tq, Tk]."""
    return Matrix(place.key(name), name, values, place.queries, place.keys, colour)  # type: ignore[arg-type]


def _raw_matrix(place: Place) -> Matrix:
    return _square(place, "raw", place.record.raw(place.head, place.rows))


def _raw(place: Place) -> StepMatrix:
    q, k = place.of_head("q"), place.of_head("k")
    written = _raw_matrix(place)
    return StepMatrix(BY_NAME["raw"], "raw", written, (Reading(q), Reading(k, is_turned=True)), head=place.head)


def _scores_matrix(place: Place) -> Matrix:
    """Scaled, before a soft-cap."""
    record, rows = place.record, place.rows
    if getattr(record.source, "softcap", None) is None:
        return _square(place, "scores", record.scores(place.head, rows))
    return _square(place, "scores", ops.scale_scores(record.raw(place.head, rows), record.replay.scale))


def _scores(place: Place) -> StepMatrix:
    factors = scale_factors(place)
    written, raw = _scores_matrix(place), Reading(_raw_matrix(place))
    return StepMatrix(BY_NAME["scores"], "scores", written, (raw,), factors=factors, head=place.head)


def scale_factors(place: Place) -> dict[str, float]:
    """What QKᵀ is multiplied by, as factors with names: 1/√Dh, and beside it the temperature of a run that has one."""
    scale, usual = place.record.replay.scale, place.record.replay.q.shape[-1] ** -0.5
    if NO_SCALING in place.trace.edits:
        return {"1": 1.0} if scale == 1.0 else {"1/τ": scale}
    if math.isclose(scale, usual, rel_tol=1e-6):
        return {"1/√Dh": scale}
    return {"1/√Dh": usual, "1/τ": scale / usual} if place.trace.edits else {"scale": scale}


def _capped_matrix(place: Place) -> Matrix:
    name = "scores" if getattr(place.record.source, "softcap", None) is None else "capped"
    return _square(place, name, place.record.scores(place.head, place.rows))


def _capped(place: Place) -> StepMatrix:
    cap = place.record.replay.softcap
    if cap is None:
        site = place.site
        raise StepError(f"The scores of {site} are not capped in this model.", id="no-softcap", site=site.key)
    before = Reading(_scores_matrix(place))
    return StepMatrix(
        BY_NAME["capped"], "scores", _capped_matrix(place), (before,), facts={"cap": cap}, head=place.head
    )


def _masked_matrix(place: Place) -> Matrix:
    return _square(place, "masked", place.record.masked(place.head, place.rows))


def _masked(place: Place) -> StepMatrix:
    mask, start, stop = place.record.source.mask, place.rows.start, place.rows.stop
    allowed = mask.allowed_rows(start, stop, place.head)[0]  # [Tq, Tk]
    zeros = torch.zeros(allowed.shape)  # [Tq, Tk]
    added = _square(place, "M", torch.where(allowed.cpu(), zeros, ops.NEVER), "mask")
    operands = [Reading(_capped_matrix(place))]
    bias = mask.bias_rows(start, stop, place.head)  # [1, Tq, Tk] or None
    if bias is not None:
        operands.append(Reading(_square(place, "B", bias[0])))
    operands.append(Reading(added))
    return StepMatrix(BY_NAME["masked"], "masked", _masked_matrix(place), tuple(operands), head=place.head)


def _weights_matrix(place: Place) -> Matrix:
    return _square(place, "weights", place.record.weights(place.head, place.rows), "weights")


def _weights(place: Place) -> StepMatrix:
    masked, sinks = _masked_matrix(place), place.record.source.sinks
    facts = {} if sinks is None else {"sink": float(sinks[place.head])}
    x = masked.values.double()  # [Tq, Tk]
    highest = x.amax(-1, keepdim=True).clamp(min=facts.get("sink", ops.NEVER))  # [Tq, 1]
    exp = torch.where(x == ops.NEVER, 0.0, torch.exp(x - highest))  # [Tq, Tk]
    total = exp.sum(-1, keepdim=True)  # [Tq, 1]
    if facts:
        total = total + torch.exp(facts["sink"] - highest)
    extras = {
        name: Matrix(place.key(name), name, part, place.queries, axis)
        for name, part, axis in (("highest", highest, ONE), ("exp", exp, place.keys), ("sum", total, ONE))
    }
    return StepMatrix(
        BY_NAME["weights"], "weights", _weights_matrix(place), (Reading(masked),), extras=extras, facts=facts,
        head=place.head,
    )  # fmt: skip


def _mixed(place: Place) -> Matrix:
    """weights · V, before an edit of the context: [Tq, Dv]."""
    weights = place.record.weights(place.head, place.rows)  # [Tq, Tk]
    values = place.record.source.values(slice(place.head, place.head + 1))[0]  # [Tk, Dv]
    return _featured(place, "context", ops.weigh_values(weights, values))


def _featured(place: Place, name: str, values: Tensor) -> Matrix:
    return Matrix(place.key(name), name, values, place.queries, place.of_head("v").columns)


def is_silenced(place: Place) -> bool:
    """Whether this head's context was set to zero in this run."""
    return "context" in place.record.edited and not bool(place.record.edited["context"][place.head].any())


def context_matrix(place: Place) -> Matrix:
    """The context of a head as the model went on with it: [Tq, Dv]."""
    used = place.record.context(place.head, place.rows)  # [Tq, Dv]
    return _featured(place, "silenced" if is_silenced(place) else "context", used)


def _context(place: Place) -> StepMatrix:
    written = _mixed(place) if is_silenced(place) else context_matrix(place)
    operands = (Reading(_weights_matrix(place)), Reading(place.of_head("v")))
    return StepMatrix(BY_NAME["context"], "context", written, operands, head=place.head)


def _silenced(place: Place) -> StepMatrix:
    if not is_silenced(place):
        raise StepError(
            f"Head {place.head} of {place.site} was not silenced in this run.",
            id="not-silenced", head=place.head, site=place.site.key,
        )  # fmt: skip
    operands = (Reading(_mixed(place)),)
    return StepMatrix(
        BY_NAME["silenced"], "context", context_matrix(place), operands, factors={"0": 0.0}, head=place.head
    )


def _head_out(place: Place) -> StepMatrix:
    w_o = _w_o(place)  # [D, H·Dv]
    context = context_matrix(place)
    width = context.columns.size
    own = w_o[:, place.head * width : (place.head + 1) * width]  # [D, Dv]
    columns = Axis("feature", "D", w_o.shape[0])
    stored = Matrix(f"{place.key('out')}.w", "W_Oᵀ", own, columns, context.columns, turned_name="W_O")  # [D, Dv]
    written = Matrix(
        place.key("out"), "out", ops.project(context.values, stored.values), place.queries, columns
    )  # [Tq, D]
    operands = (Reading(context), Reading(stored, is_turned=True))
    return StepMatrix(BY_NAME["head-out"], "out", written, operands, head=place.head)


def _w_o(place: Place) -> Tensor:
    place.record.out(slice(0, 0))  # says so when W_O is not held
    assert place.record.w_o is not None
    return place.record.w_o.detach()  # [D, H·Dv]


def _joined(place: Place) -> Matrix:
    contexts = place.record.context(rows=place.rows)  # [H, Tq, Dv]
    values = ops.merge_heads(contexts)  # [Tq, H·Dv]
    return Matrix(
        f"{place.site.key}.concat", "concat", values, place.queries, Axis("feature", "H·Dv", values.shape[-1])
    )


def _concat(place: Place) -> StepMatrix:
    heads = [Place(place.trace, place.record, head, place.rows) for head in range(place.record.n_heads)]
    operands = tuple(Reading(context_matrix(head)) for head in heads)
    return StepMatrix(BY_NAME["concat"], "concat", _joined(place), operands)


def _out(place: Place) -> StepMatrix:
    key, joined = f"{place.site.key}.out", _joined(place)
    w_o, b_o = _w_o(place), place.record.b_o
    columns = Axis("feature", "D", w_o.shape[0])
    stored = Matrix(f"{key}.w", "W_Oᵀ", w_o, columns, joined.columns, turned_name="W_O")  # [D, H·Dv]
    bias = None if b_o is None else Matrix(f"{key}.b", "b_O", b_o[None], ONE, columns)  # [1, D]
    written = Matrix(key, "out", place.record.out(place.rows), place.queries, columns)  # [Tq, D]
    return StepMatrix(BY_NAME["out"], "out", written, (Reading(joined), Reading(stored, is_turned=True)), bias)


_NAMES: tuple[Projection, ...] = ("q", "k", "v")
_MAKERS: dict[str, Callable[[Place], StepMatrix]] = {
    **{name: partial(_projected, name=name, is_all=False) for name in _NAMES},
    **{f"{name}-all": partial(_projected, name=name, is_all=True) for name in _NAMES},
    **{f"{name}-split": partial(_split, name=name) for name in _NAMES},
    "raw": _raw, "scores": _scores, "capped": _capped, "masked": _masked, "weights": _weights, "context": _context,
    "silenced": _silenced, "head-out": _head_out, "concat": _concat, "out": _out,
}  # fmt: skip
