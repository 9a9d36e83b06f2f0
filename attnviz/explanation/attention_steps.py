"""The steps of one attention of a run, each with the matrices it read and wrote: from X and W_Q to the head's output.

What the trace holds is taken from it; the rest is computed with the same `ops`. Steps can be made for some of the
queries, so that one cell of a long text costs one row.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import StepError
from attnviz.explanation.head_view import HeadView, Projection, features, input_name, input_of
from attnviz.explanation.matrices import ONE, Matrix, Operand, RunStep
from attnviz.explanation.step_makers import product, product_step, rms_norm_step
from attnviz.models.positions import rotary_frequencies
from attnviz.trace.weight_sources import Replay


def attention_step(view: HeadView, name: str) -> RunStep:
    """One step of an attention.

    Args:
        name: q k v q-norm k-norm q-rotated k-rotated raw scores capped masked weights context silenced head-out concat
            out; or q-all, k-all, v-all for the heads side by side and q-split, k-split, v-split for this head's columns
            of them.
    """
    return _MAKERS[name](view)


def is_projected(view: HeadView, name: Projection) -> bool:
    """Whether Q, K or V is one product of an X that this trace holds and a matrix that it names."""
    try:
        input_of(view.trace, view.site, is_key=name != "q")
    except StepError:
        return False
    return f"w_{name}" in view.parameters


def processing(view: HeadView, read: Sequence[Projection]) -> list[str]:
    """The steps between the products and QKᵀ, of those of Q and K that are read: norms, then rotations."""
    asked = [("norm", view.is_normed), ("rotated", view.is_rotated)]
    return [f"{name}-{step}" for step, is_so in asked for name in read if is_so(name)]


def is_silenced(view: HeadView) -> bool:
    """Whether this head's context was set to zero in this run."""
    return "context" in view.record.edited and not bool(view.record.edited["context"][view.head].any())


def is_divided(replay: Replay, head: int = 0, tau: float = 1.0) -> bool:
    """Whether QKᵀ of a head is divided by √d_k, apart from a temperature."""
    return math.isclose(replay.scale_of(head) * tau, replay.q.shape[-1] ** -0.5, rel_tol=1e-6)


def scale_factors(view: HeadView) -> dict[str, float]:
    """What QKᵀ is multiplied by, as factors with names: the model's own scale, and 1/τ where a temperature was set."""
    replay, here = view.record.replay, ("", f"{view.site.key}.{view.head}")
    changed = {edit.kind: edit.value for edit in view.trace.edits if edit.head in here}
    tau = changed.get("temperature") or 1.0
    factors = {"1/√d_k" if is_divided(replay, view.head, tau) else "scale": replay.scale_of(view.head) * tau}
    if "no scaling" in changed:
        factors = {} if tau != 1.0 else {"1": 1.0}
    return factors | ({"1/τ": 1 / tau} if tau != 1.0 else {})


def _step(view: HeadView, name: str, result: Matrix, *read: Matrix | Operand, **others: Any) -> RunStep:
    """A step of this head; of all heads with head=None, and of heads of keys and values by the number of theirs."""
    made = RunStep.of(name, result, *read, **({"head": view.head} | others))
    return made if made.head is None else _in_key_group(view, made)


def _in_key_group(view: HeadView, step: RunStep) -> RunStep:
    """Add the facts of grouped heads: which group this head is in, the size of a group, and the key head they share."""
    size = _group_size(view)
    if size == 1:
        return step
    group = {"key_group": view.head // size, "group_size": size, "key_head": view.head_of("k")}
    return replace(step, facts={**step.facts, **{name: float(fact) for name, fact in group.items()}})


def _group_size(view: HeadView) -> int:
    """How many heads share one head of keys and values."""
    return view.record.n_heads // view.n_heads_of("v")


# ------------------------------------------------------------------------------------------------------ Q, K and V


def _projected(view: HeadView, name: Projection, is_all: bool) -> RunStep:
    parameters = view.parameters
    if f"w_{name}" not in parameters:
        view.trace.parameters(view.site.key)  # where the trace holds none at all, it says so
        raise StepError(id="not-a-product", name=name, site=view.site.key)
    # This head's rows of the stored [out, in] weight.
    result, columns = (view.of_all(name), slice(None)) if is_all else (view.product_of_head(name), view.part(name))
    point, x = input_of(view.trace, view.site, is_key=name != "q")  # [T, d_model]
    tokens = view.tokens(name)
    x_rows = x[tokens.start : tokens.stop]  # [T, d_model]
    read = Matrix(f"{point}.{tokens.letter}", input_name(point), x_rows, tokens, features(x.shape[-1]))
    weight, bias = parameters[f"w_{name}"][columns], parameters.get(f"b_{name}")  # [d_k, d_model], [H·d_k] or None
    made = product_step(
        name, result, read, weight, None if bias is None else bias[columns], f"W_{name.upper()}",
        head=None if is_all else view.head_of(name),
    )  # fmt: skip
    shared = view.record.n_heads // view.n_heads_of(name)
    return made if shared == 1 else replace(made, facts={"shared": float(shared)})


def _split(view: HeadView, name: Projection) -> RunStep:
    facts, head = {"first": view.part(name).start}, view.head_of(name)
    return _step(view, "split", view.product_of_head(name), view.of_all(name), facts=facts, head=head)


def _normed(view: HeadView, name: Projection) -> RunStep:
    """Each token's query or key of this head, normalised; where it is rotated after that, computed as the model did."""
    if not view.is_normed(name):
        raise StepError(id="not-normalised", name=name, site=str(view.site))
    read, used, eps = view.product_of_head(name), view.of_head(name), float(view.parameters["eps"])
    is_last = not view.is_rotated(name)
    made = rms_norm_step(
        f"{name}-norm", read, view.parameters[f"{name}_gain"], eps, head=view.head_of(name),
        key=used.key if is_last else f"{used.key}.norm", shown=f"{name.upper()}_norm",
        values=used.values if is_last else None,
    )  # fmt: skip
    return _in_key_group(view, made)


def _rotated(view: HeadView, name: Projection) -> RunStep:
    if not view.is_rotated(name):
        raise StepError(id="not-rotated", model=view.trace.card.name)
    read = _normed(view, name).result if view.is_normed(name) else view.product_of_head(name)
    used, parameters = view.of_head(name), view.parameters
    frequencies, is_halves = parameters["frequencies"].float().cpu(), bool(parameters["is_halves"])  # [width/2]
    by_column = frequencies.repeat(2) if is_halves else frequencies.repeat_interleave(2)  # [width]
    row = torch.zeros(1, used.columns.size)  # [1, d_k], columns beyond the width stay as they are
    row[0, : len(by_column)] = by_column
    facts: dict[str, float | str] = {
        "width": float(len(by_column)), "pairs": "halves" if is_halves else "neighbours",
        "magnitude": float(parameters["magnitude"]),
    }  # fmt: skip
    if "theta" in parameters and bool(frequencies.any()):  # an older file lacks it, and a what-if may turn nothing
        facts |= _theta(frequencies, float(parameters["theta"]))
    extras = {"frequency": Matrix(f"{view.site.key}.frequency", "frequency", row, ONE, used.columns)}
    return _step(view, f"{name}-rotated", used, read, extras=extras, facts=facts, head=view.head_of(name))


def _theta(frequencies: Tensor, theta: float) -> dict[str, float | str]:
    """θ, and whether the frequencies [width/2] are slower than it says, as in models that were stretched."""
    is_plain = torch.allclose(frequencies, rotary_frequencies(2 * len(frequencies), theta), rtol=1e-5, atol=0.0)
    return {"theta": theta} if is_plain else {"theta": theta, "table": "stretched"}


# ------------------------------------------------------------------------------------------- from raw to weights


def _matrix(view: HeadView, name: str) -> Matrix:
    """raw, scores (before a soft-cap), capped, masked or weights of this head, as the run has them: [T_q, T_k]."""
    record, head, rows = view.record, view.head, view.rows
    if name == "scores" and _is_capped(view):
        values = ops.scale_scores(record.raw(head, rows), record.replay.scale_of(head))  # [T_q, T_k]
    else:
        values = getattr(record, "scores" if name == "capped" else name)(head, rows)  # [T_q, T_k]
    return view.matrix(name, values, view.keys, "weights" if name == "weights" else "signed")


def _is_capped(view: HeadView) -> bool:
    return getattr(view.record.source, "softcap", None) is not None


def _raw(view: HeadView) -> RunStep:
    return _step(view, "raw", _matrix(view, "raw"), view.of_head("q"), view.of_head("k").transposed)


def _scores(view: HeadView) -> RunStep:
    return _step(view, "scores", _matrix(view, "scores"), _matrix(view, "raw"), factors=scale_factors(view))


def _capped(view: HeadView) -> RunStep:
    if not _is_capped(view):
        raise StepError(id="not-capped", site=str(view.site))
    facts = {"cap": view.record.replay.softcap}
    return _step(view, "capped", _matrix(view, "capped"), _matrix(view, "scores"), facts=facts)


def _masked(view: HeadView) -> RunStep:
    mask, start, stop = view.record.source.mask, view.rows.start, view.rows.stop
    allowed = mask.allowed_rows(start, stop, view.head)[0].cpu()  # [T_q, T_k]
    added = [view.matrix("M", torch.where(allowed, 0.0, ops.NEVER), view.keys, "mask")]
    bias = mask.bias_rows(start, stop, view.head)  # [1, T_q, T_k] or None
    if bias is not None:
        added.insert(0, view.matrix("B", bias[0], view.keys))
    before = _matrix(view, "capped" if _is_capped(view) else "scores")
    return _step(view, "masked", _matrix(view, "masked"), before, *added)


def _weights(view: HeadView) -> RunStep:
    masked, sinks = _matrix(view, "masked"), view.record.source.sinks
    facts = {} if sinks is None else {"sink": float(sinks[view.head])}
    highest = masked.values.amax(-1, keepdim=True).clamp(min=facts.get("sink", ops.NEVER))  # [T_q, 1]
    extras = {"highest": view.matrix("highest", highest, ONE)}
    return _step(view, "weights", _matrix(view, "weights"), masked, extras=extras, facts=facts)


# ------------------------------------------------------------------------------------------- from context to out


def _context_matrix(view: HeadView) -> Matrix:
    """The context of a head as the model used it: [T_q, d_v]."""
    used = view.record.context(view.head, view.rows)  # [T_q, d_v]
    return view.matrix("silenced" if is_silenced(view) else "context", used, view.of_head("v").columns)


def _computed_context(view: HeadView) -> Matrix:
    """weights · V, whatever was done to the context afterwards: [T_q, d_v]."""
    values = view.record.source.values(slice(view.head, view.head + 1))[0]  # [T_k, d_v]
    computed = ops.weigh_values(view.record.weights(view.head, view.rows), values)  # [T_q, d_v]
    return view.matrix("context", computed, view.of_head("v").columns)


def _context(view: HeadView) -> RunStep:
    result = _computed_context(view) if is_silenced(view) else _context_matrix(view)
    return _step(view, "context", result, _matrix(view, "weights"), view.of_head("v"))


def _silenced(view: HeadView) -> RunStep:
    if not is_silenced(view):
        raise StepError(id="not-silenced", head=str(view.head), site=str(view.site))
    return _step(view, "silenced", _context_matrix(view), _computed_context(view), factors={"0": 0.0})


def _head_out(view: HeadView) -> RunStep:
    w_o, context = view.record.known_w_o, _context_matrix(view)  # [d_model, H·d_v], [T_q, d_v]
    width = context.columns.size
    of_head = w_o[:, view.head * width : (view.head + 1) * width]  # [d_model, d_v]
    result = product(view.key("out"), "out", context, of_head, None, features(len(w_o)))  # [T_q, d_model]
    return product_step("head-out", result, context, of_head, None, "W_O", head=view.head)


def _concat_matrix(view: HeadView) -> Matrix:
    values = ops.merge_heads(view.record.context(rows=view.rows))  # [T_q, H·d_v]
    return Matrix(f"{view.site.key}.concat", "concat", values, view.queries, features(values.shape[-1], "H·d_v"))


def _concat(view: HeadView) -> RunStep:
    contexts = [_context_matrix(replace(view, head=head)) for head in range(view.record.n_heads)]
    size = _group_size(view)
    facts = {} if size == 1 else {"group_size": float(size)}
    return _step(view, "concat", _concat_matrix(view), *contexts, head=None, facts=facts)


def _out(view: HeadView) -> RunStep:
    out, w_o = view.record.out(view.rows), view.record.known_w_o  # [T_q, d_model], [d_model, H·d_v]
    result = Matrix(f"{view.site.key}.out", "out", out, view.queries, features(len(w_o)))  # [T_q, d_model]
    return product_step("out", result, _concat_matrix(view), w_o, view.record.b_o, "W_O")


PROJECTIONS: tuple[Projection, ...] = ("q", "k", "v")
_MAKERS: dict[str, Callable[[HeadView], RunStep]] = {
    **{name: partial(_projected, name=name, is_all=False) for name in PROJECTIONS},
    **{f"{name}-all": partial(_projected, name=name, is_all=True) for name in PROJECTIONS},
    **{f"{name}-split": partial(_split, name=name) for name in PROJECTIONS},
    **{f"{name}-norm": partial(_normed, name=name) for name in PROJECTIONS[:2]},
    **{f"{name}-rotated": partial(_rotated, name=name) for name in PROJECTIONS[:2]},
    "raw": _raw, "scores": _scores, "capped": _capped, "masked": _masked, "weights": _weights, "context": _context,
    "silenced": _silenced, "head-out": _head_out, "concat": _concat, "out": _out,
}  # fmt: skip
