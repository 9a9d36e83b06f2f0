"""From a batched recording to the trace of one text: the only door through which a batch axis leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import CaptureError, InputError
from attnviz.core.masks import Mask
from attnviz.core.ops import Call
from attnviz.core.recording import Recording
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord, Replay
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace, run_versions


def trace_of(
    run: Recording,
    i: int,
    *,
    card: Card | None,
    tokens: Tokens | Sequence[str] | None,
    target: Tokens | Sequence[str] | None,
    parameters: Mapping[str, Mapping[str, Tensor]],
) -> Trace:
    """Text number `i` of a recording as a Trace; see `Recording.trace`."""
    if not run.complete:
        raise CaptureError(
            "The recording ended in an error, so it cannot become a trace. Run it again.", id="run-failed"
        )
    calls = run.site_calls()
    if not calls:
        raise CaptureError(
            "Nothing was recorded. Run the model inside `with record()`, and build it on attnviz.attend.",
            id="no-records",
        )
    n_texts = max(
        _n_texts(_batched(run, place, run[f"{place}.{name}"])) for place, _ in calls.values() for name in "qk"
    )
    if not isinstance(i, int) or not 0 <= i < n_texts:
        raise _no_such_text(i, n_texts)
    records = {site.key: _record(run, site, place, call, i, parameters) for site, (place, call) in calls.items()}
    stream = {name: _of_text(value, i) for name, value in run.stream_values().items()}  # [T, D] each
    pair = TokenPair(*_token_pair(records, tokens, target))
    first = next(iter(records.values()))
    layers = {site.layer for site in calls}
    width = next((value.shape[-1] for value in stream.values()), first.n_heads * first.source.v.shape[-1])
    shown = card or Card("your-code", "your code", "your code", len(layers), first.n_heads, width)
    dropped = sorted({f"dropout {call.dropout:g}" for _, call in calls.values() if call.dropout})
    edits = (*run.edits, *dropped)
    return Trace(shown, pair, records, stream, edits=edits, versions=run_versions(), matrices=parameters)


def _record(
    run: Recording, site: Site, place: str, call: Call, i: int, parameters: Mapping[str, Mapping[str, Tensor]]
) -> AttentionRecord:
    q, k, v = (_headed(_batched(run, place, run[f"{place}.{name}"]), i) for name in ("q", "k", "v"))  # [H, T, Dh]
    if site.kind == "self" and q.shape[1] != k.shape[1]:
        raise CaptureError(
            f"{place} has {q.shape[1]} queries and {k.shape[1]} keys; expected as many of both where a text looks at "
            'itself. If the keys are of another text, run it inside `with at(Site("decoder", "cross", 0)):`. If they '
            "come from a cache, record the whole text without it."
        )
    n_axes = 2 if _is_one(run, place) else run[f"{place}.q"].ndim
    mask = Mask.of(_mask_of_text(call, i, n_axes), q.shape[1], k.shape[1])
    edited = {name: _headed(_batched(run, place, value), i) for name, value in run.changed_values(place).items()}
    own = parameters.get(site.key, {})
    source = Replay(q, k, v, call.scale, mask, call.softcap, call.sinks)
    return AttentionRecord(site, source, own.get("w_o"), own.get("b_o"), edited)


def _is_one(run: Recording, place: str) -> bool:
    """Whether a layer read one text without a batch axis, [T, D]."""
    return f"{place}.out" in run and run[f"{place}.out"].ndim == 2


def _batched(run: Recording, place: str, value: Tensor) -> Tensor:
    """A value of an attention with its batch axis: one text of several heads, [H, T, Dh], gets one."""
    return value[None] if value.ndim == 3 and _is_one(run, place) else value


def _n_texts(value: Tensor) -> int:
    return value.shape[0] if value.ndim > 2 else 1


def _no_such_text(i: int, n_texts: int) -> CaptureError:
    return CaptureError(
        f"There is no text number {i!r} in this recording. It has {n_texts}, counted from 0.",
        id="no-such-text", index=i,
    )  # fmt: skip


def _of_text(value: Tensor, i: int) -> Tensor:
    """Text number i of a batched value; a value of one text, or of two axes, belongs to every text."""
    value, n_texts = value.detach(), _n_texts(value)
    if n_texts > 1 and i >= n_texts:
        raise _no_such_text(i, n_texts)
    if value.ndim <= 2:
        return value
    return value[0] if n_texts == 1 else value[i].clone()  # a view of a batch would keep the whole batch alive


def _headed(value: Tensor, i: int) -> Tensor:
    """Text number i of an attention's value, [H, T, Dh].

    Four axes are [B, H, T, Dh]; three are [B, T, Dh], one head, as `SelfAttention` has it; two are one text, one head.
    """
    if value.ndim > 4:
        raise CaptureError(
            f"A recorded value has {value.ndim} axes. Expected [batch, heads, tokens, features] or fewer.",
            id="too-many-axes", axes=value.ndim,
        )  # fmt: skip
    own = _of_text(value, i)
    return own if own.ndim == 3 else own[None]  # [H, T, Dh]


def _mask_of_text(call: Call, i: int, q_ndim: int) -> Tensor | None:
    parts = []
    for part in (call.mask, call.bias):
        if part is not None and part.ndim == q_ndim and part.ndim > 2:
            part = part[min(i, part.shape[0] - 1)]  # [1 | H, Tq, Tk]
        parts.append(None if part is None else part.detach().clone())  # people write into their masks again
    mask, bias = parts
    if bias is None:
        return mask
    return ops.add_mask(bias, mask)  # [1 | H, Tq, Tk]


def _token_pair(
    records: Mapping[str, AttentionRecord], tokens: Tokens | Sequence[str] | None, target: Tokens | Sequence[str] | None
) -> tuple[Tokens, Tokens | None]:
    has_cross = any(record.site.kind == "cross" for record in records.values())
    is_source = [r for r in records.values() if r.site.stack == "encoder" or r.site.kind == "cross" or not has_cross]
    own = [record for record in records.values() if record.site.stack == "decoder"]
    source = _tokens(tokens, is_source[0].n_keys)
    return source, _tokens(target, own[0].n_queries) if has_cross and own else None


def _tokens(given: Tokens | Sequence[str] | None, n: int) -> Tokens:
    if isinstance(given, Tokens):
        return given
    if given is not None and (isinstance(given, str) or not isinstance(given, Sequence)):
        raise InputError(
            f"tokens came as {type(given).__name__}; expected Tokens, or their texts in a list. A text is split by its "
            "model's vocabulary: tokens=[\"the\", \"cat\"].",
            id="trace-tokens", came=type(given).__name__,
        )  # fmt: skip
    return Tokens.plain(tuple(given) if given is not None else tuple(str(position + 1) for position in range(n)))
