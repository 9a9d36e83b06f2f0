"""Any cell of an attention, written out: the terms it is made of and the rule that makes it.

Values come from the trace; the rule recomputed in float64 over the terms gives the value again, and a test walks
every step to hold that. What a trace cannot write out is refused in a sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor

from .errors import StepError
from .records import AttentionRecord
from .site import Site
from .steps import BY_NAME
from .trace import Trace


@dataclass(frozen=True)
class Term:
    """One part of a cell: `left` and `right`, and what the rule makes of them."""

    label: str  # the token or the number of the feature, from 0
    left: float
    right: float
    product: float


@dataclass(frozen=True)
class Cell:
    """One number of an attention with the arithmetic that makes it."""

    value: float  # as the trace has it
    rule: str
    terms: tuple[Term, ...]
    formula: str
    own: int = 0  # softmax row: which term is this cell's

    @property
    def recomputed(self) -> float:
        """The rule over the terms, in float64."""
        return RULES[self.rule](self.terms, self.own)

    @property
    def is_sum(self) -> bool:
        """Whether the products of the terms add up to the value."""
        return self.rule in ("product", "add")


def _softmax(terms: Sequence[Term], own: int) -> float:
    total = math.fsum(term.product for term in terms)
    return terms[own].product / total if total > 0 else 0.0  # nothing allowed: zero by convention


RULES: dict[str, Callable[[Sequence[Term], int], float]] = {
    "product": lambda terms, own: math.fsum(term.left * term.right for term in terms),
    "add": lambda terms, own: _sum(term.left for term in terms),
    "scale": lambda terms, own: terms[0].left * terms[0].right,
    "cap": lambda terms, own: terms[0].right * math.tanh(terms[0].left / terms[0].right),
    "softmax row": _softmax,
}


def _sum(values: object) -> float:
    parts = [float(value) for value in values]  # type: ignore[attr-defined]
    return -math.inf if -math.inf in parts else math.fsum(parts)


def explain(
    trace: Trace,
    site: str | Site,
    step: str,
    *,
    head: int = 0,
    query: int | None = None,
    key: int | None = None,
    feature: int | None = None,
) -> Cell:
    """One cell of one step, written out.

    Args:
        trace: the run.
        site: where, `"encoder.2.self"`.
        step: which matrix: q k v raw scores capped masked weights context out.
        head: which head, from 0 (not for `out`, which has all heads side by side).
        query, key, feature: the cell's row and column, from 0, as the step's axes need them.
    Returns:
        the cell; `cell.recomputed` gives `cell.value` again.
    Raises:
        StepError: no such step, a missing or impossible index, or a trace without the matrices this step uses.
    """
    if step not in BY_NAME:
        raise StepError(
            f"There is no step {step!r}. Expected one of: {', '.join(BY_NAME)}.", id="no-such-step", step=step
        )
    record = trace[site]
    if BY_NAME[step].writes in record.edited:
        raise StepError(
            f"{step} of {record.site} was replaced by an edit ({', '.join(trace.edits)}), so no arithmetic makes it. "
            "Explain the untouched run.",
            id="edited-step", step=step,
        )  # fmt: skip
    row_axis, column_axis = BY_NAME[step].axes
    given = {"query": query, "key": key, "feature": feature}
    sizes = {"query": record.n_queries, "key": record.n_keys, "feature": _width(record, step)}
    row, column = (_index(step, axis, given[axis], sizes[axis]) for axis in (row_axis, column_axis))
    return _WRITERS[step](trace, record, head, row, column)


def _width(record: AttentionRecord, step: str) -> int:
    if step == "out":
        return record.n_heads * record.source.v.shape[-1] if record.w_o is None else record.w_o.shape[0]
    return record.replay.q.shape[-1] if step in ("q", "k") else record.source.v.shape[-1]


def _index(step: str, axis: str, given: int | None, size: int) -> int:
    if given is None or not 0 <= given < size:
        came = "nothing" if given is None else str(given)
        raise StepError(
            f"A cell of {step!r} needs {axis}= from 0 to {size - 1}; came {came}.",
            id="bad-cell", step=step, axis=axis, last=size - 1, came=came,
        )  # fmt: skip
    return given


def _products(labels: Sequence[str], left: Tensor, right: Tensor) -> tuple[Term, ...]:
    pairs = zip(labels, left.double().tolist(), right.double().tolist(), strict=True)
    return tuple(Term(label, a, b, a * b) for label, a, b in pairs)


def _features(n: int) -> list[str]:
    return [str(feature) for feature in range(n)]


def _projection(name: str) -> Callable[[Trace, AttentionRecord, int, int, int], Cell]:
    """The writer of one cell of Q, K or V: a row of X times a row of the stored [out, in] weight, plus the bias."""

    def write(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
        parameters = trace.parameters(record.site.key)
        if f"w_{name}" not in parameters:
            raise StepError(
                f"{name} of {record.site} is not one product of X and a matrix in this model "
                "(it is rotated or normalised after it), so it cannot be written out from X.",
                id="not-a-product", name=name, site=record.site.key,
            )  # fmt: skip
        matrix = getattr(record.replay, name)  # [H, T, Dh]
        grouped = head * matrix.shape[0] // record.n_heads  # the key head this query head uses
        x = _input(trace, record.site, is_key=name != "q")  # [T, D]
        line = grouped * matrix.shape[-1] + column  # row of the stored weight
        weight = parameters[f"w_{name}"].detach()[line]  # [D]
        terms = _products(_features(x.shape[-1]), x[row], weight)
        if f"b_{name}" in parameters:
            bias = float(parameters[f"b_{name}"][line])
            terms += (Term("bias", bias, 1.0, bias),)
        return Cell(float(matrix[grouped, row, column]), "product", terms, BY_NAME[name].formula)

    return write


def _input(trace: Trace, site: Site, is_key: bool) -> Tensor:
    point = f"{site.stack}.{site.layer}.{'in' if site.kind == 'self' else 'mid'}"
    points = ("encoder.out",) if is_key and site.kind == "cross" else (f"{site.key}.x", point)
    for candidate in points:
        if candidate in trace.stream:
            return trace.stream[candidate]  # [T, D]
    raise StepError(
        f"This trace does not hold the input of {site} ({' or '.join(points)}), so Q, K and V cannot be written out.",
        id="no-input", site=site.key,
    )  # fmt: skip


def _raw(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    replay = record.replay
    grouped = head * replay.k.shape[0] // record.n_heads
    terms = _products(_features(replay.q.shape[-1]), replay.q[head, row], replay.k[grouped, column])
    return Cell(_cell(record.raw(head, slice(row, row + 1)), column), "product", terms, BY_NAME["raw"].formula)


def _scores(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    raw, scale = _cell(record.raw(head, slice(row, row + 1)), column), record.replay.scale
    value = raw * scale if record.replay.softcap else _cell(record.scores(head, slice(row, row + 1)), column)
    return Cell(value, "scale", (Term("scale", raw, scale, raw * scale),), BY_NAME["scores"].formula)


def _capped(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    cap = record.replay.softcap
    if cap is None:
        raise StepError(
            f"The scores of {record.site} are not capped in this model.", id="no-softcap", site=record.site.key
        )
    before = _scores(trace, record, head, row, column).value
    value = _cell(record.scores(head, slice(row, row + 1)), column)
    term = Term("cap", before, cap, cap * math.tanh(before / cap))
    return Cell(value, "cap", (term,), BY_NAME["capped"].formula)


def _masked(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    rows = slice(row, row + 1)
    score = _cell(record.scores(head, rows), column)
    added = float(record.source.mask.rows(row, row + 1, head)[0, 0, column])
    terms = (Term("score", score, 1.0, score), Term("mask", added, 1.0, added))
    return Cell(_cell(record.masked(head, rows), column), "add", terms, BY_NAME["masked"].formula)


def _weights(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    rows = slice(row, row + 1)
    masked = record.masked(head, rows)[0].double().tolist()
    labels = [trace.key_tokens(record.site).name(key) for key in range(record.n_keys)]
    if record.source.sinks is not None:
        masked.append(float(record.source.sinks[head]))
        labels.append("sink")
    highest = max(masked)
    terms = tuple(
        Term(label, x, highest, 0.0 if x == -math.inf else math.exp(x - highest))
        for label, x in zip(labels, masked, strict=True)
    )
    return Cell(_cell(record.weights(head, rows), column), "softmax row", terms, BY_NAME["weights"].formula, own=column)


def _context(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    weights = record.weights(head, slice(row, row + 1))[0]  # [Tk]
    values = record.source.values(slice(head, head + 1))[0, :, column]  # [Tk]
    labels = [trace.key_tokens(record.site).name(key) for key in range(record.n_keys)]
    value = _cell(record.context(head, slice(row, row + 1)), column)
    return Cell(value, "product", _products(labels, weights, values), BY_NAME["context"].formula)


def _out(trace: Trace, record: AttentionRecord, head: int, row: int, column: int) -> Cell:
    out = record.out(slice(row, row + 1))  # [1, D]; says so when W_O is not held
    assert record.w_o is not None
    context = record.context(rows=slice(row, row + 1))[:, 0].flatten()  # [H·Dv]
    terms = _products(_features(context.shape[0]), context, record.w_o.detach()[column])
    if record.b_o is not None:
        bias = float(record.b_o[column])
        terms += (Term("bias", bias, 1.0, bias),)
    return Cell(_cell(out, column), "product", terms, BY_NAME["out"].formula)


def _cell(row: Tensor, column: int) -> float:
    return float(row[0, column])


_WRITERS: dict[str, Callable[[Trace, AttentionRecord, int, int, int], Cell]] = {
    "q": _projection("q"),
    "k": _projection("k"),
    "v": _projection("v"),
    "raw": _raw,
    "scores": _scores,
    "capped": _capped,
    "masked": _masked,
    "weights": _weights,
    "context": _context,
    "out": _out,
}
