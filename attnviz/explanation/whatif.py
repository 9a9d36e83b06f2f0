"""What if: a run with something switched, as a real forward pass whose every step can still be written out.

    changed = run(model, base, Switches(temperature=0.5, silenced=(("encoder.0.self", 1),)))

The switches become edits of the run; afterwards each record says the change as part of its arithmetic (its scale, its
mask), which is checked against the values the run used. `Trace.edits` says what was switched.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.capture import Edit
from attnviz.core.errors import CaptureError, InputError, StepError
from attnviz.core.ops import Call
from attnviz.core.recording import largest_difference
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import is_divided
from attnviz.explanation.matrices import Note
from attnviz.trace.mask import Mask
from attnviz.trace.model_protocol import Model, PatchesElsewhere
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import AppliedEdit, Verified
from attnviz.trace.trace import Trace
from attnviz.trace.verify import TOLERANCE
from attnviz.trace.weight_sources import Replay, call_of

TEMPERATURES = (0.1, 10.0)  # what can be asked for


@dataclass(frozen=True)
class Switches:
    """What to change; the defaults change nothing."""

    causal: bool | None = None  # whether a token cannot attend to later ones; None = as the model has it
    scaling: bool = True  # whether QKᵀ is divided by √dₖ
    temperature: float = 1.0  # τ: the scores are divided by it, before a soft-cap and the mask
    positions: bool = True  # whether positions are added to the embedding
    silenced: tuple[tuple[str, int], ...] = ()  # (site, head): contexts that are set to 0
    hidden: int | None = None  # a source token that no query can attend to
    hidden_target: int | None = None  # the same in the decoder's own text

    def __post_init__(self) -> None:
        low, high = TEMPERATURES
        if not low <= self.temperature <= high:
            raise InputError(id="bad-temperature", temperature=self.temperature, low=low, high=high)

    @property
    def edits(self) -> tuple[AppliedEdit, ...]:
        """What was changed, for `Trace.edits`; empty = nothing."""
        tau = self.temperature
        said = [
            (AppliedEdit("causal mask on" if self.causal else "causal mask off"), self.causal is not None),
            (AppliedEdit("no 1/√dₖ", "no scaling"), not self.scaling),
            (AppliedEdit(f"temperature {tau:g}", "temperature", tau), tau != 1.0),
            (AppliedEdit("no positions"), not self.positions),
            *((AppliedEdit(f"{site} head {head} silenced"), True) for site, head in self.silenced),
            (AppliedEdit(f"token {self.hidden} hidden"), self.hidden is not None),
            (AppliedEdit(f"target token {self.hidden_target} hidden"), self.hidden_target is not None),
        ]
        return tuple(edit for edit, is_so in said if is_so)

    def notes(self, base: Trace) -> tuple[Note, ...]:
        """The same for a person: message ids and what fills them, layers and heads counted from 1."""
        said = [
            (Note("what-if-causal-on" if self.causal else "what-if-causal-off"), self.causal is not None),
            (Note("what-if-scaling-off"), not self.scaling),
            (Note("what-if-temperature", {"temperature": f"{self.temperature:g}"}), self.temperature != 1.0),
            (Note("what-if-positions-off"), not self.positions),
        ]
        found = [note for note, is_so in said if is_so]
        is_one = len({other.stack for other in base.sites}) == 1
        for key in dict.fromkeys(site for site, _ in self.silenced):
            own, heads = base[key].site, sorted(head + 1 for site, head in self.silenced if site == key)
            where = "layer" if is_one else "cross" if own.kind == "cross" else own.stack
            places = {"layer": str(own.layer + 1), "head": _ranges(heads), "where": where}
            found.append(Note("what-if-silenced", {**places, "count": len(heads)}))
        for token, tokens in ((self.hidden, base.tokens.source), (self.hidden_target, base.tokens.target)):
            if token is not None and tokens is not None:
                found.append(Note("what-if-hidden", {"token": tokens.name(token)}))
        return tuple(found)


def _ranges(numbers: list[int]) -> str:
    """1, 2, 3, 4, 7 -> "1–4, 7"."""
    said = []
    for _, places in groupby(enumerate(numbers), lambda it: it[1] - it[0]):
        run = [number for _, number in places]
        said.append(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)))
    return ", ".join(said)


def divides(base: Trace) -> bool:
    """Whether every attention of a run divides QKᵀ by √dₖ, so that this can be left out; T5, for one, does not."""
    sources = (base[site].source for site in base.sites)
    return all(isinstance(source, Replay) and is_divided(source) for source in sources)


def run(model: Model, base: Trace, switches: Switches) -> Trace:
    """The same text through the same model, with something switched.

    Args:
        model: what made `base`.
        base: an untouched run; its target text, if it has one, is kept.
        switches: what to change.
    Returns:
        a Trace whose records replay what the run used (`verified` says how closely); `base` itself if nothing changes.
    Raises:
        InputError: a token, site or head that is not there.
        StepError: this model cannot be switched so; the message says why.
        CaptureError: the run's own values are not what the changed scale and mask give.
    """
    if base.edits:
        raise InputError(id="what-if-of-edited")
    _check(base, switches)
    if not switches.edits:
        return base
    target = None if base.tokens.target is None else base.tokens.target.given
    if isinstance(model, PatchesElsewhere):
        return model.patch(base.tokens.source.given, switches, target)
    changed = {site: _record_with(base, site, switches) for site in base.sites}
    edits = [*(_edit(record, switches) for record in changed.values()), *_embedding_edits(base, switches)]
    ran = model.trace(base.tokens.source.given, target, edits)
    return _restated(ran, switches)


def _check(base: Trace, switches: Switches) -> None:
    if not switches.scaling and not divides(base):
        raise StepError(
            id="not-divided", model=base.card.name,
        )  # fmt: skip
    for site, head in switches.silenced:
        base[site].check_head(head)
    for name, token, tokens in (
        ("hidden", switches.hidden, base.tokens.source),
        ("hidden_target", switches.hidden_target, base.tokens.target),
    ):
        n = 0 if tokens is None else len(tokens)
        if token is not None and not 0 <= token < n:
            raise InputError(
                in_code=f"{name}={token}, and the text has {n} tokens. Expected 0 to {n - 1}.",
                id="no-such-token", token=token, n=n,
            )  # fmt: skip


def _record_with(trace: Trace, site: Site, switches: Switches) -> AttentionRecord:
    """The record with the scale and the mask that the switches ask for."""
    record = trace[site]
    replay = record.replay  # says so where scores are not q·k
    usual = replay.q.shape[-1] ** -0.5
    scale = (replay.scale if switches.scaling else replay.scale / usual) / switches.temperature
    return replace(record, source=replace(replay, scale=scale, mask=_mask(trace, record, switches)))


def _mask(trace: Trace, record: AttentionRecord, switches: Switches) -> Mask:
    mask, site = record.source.mask, record.site
    if site.kind == "self" and switches.causal is not None:
        if switches.causal is False and mask.allowed is not None:
            raise StepError(id="mask-is-fixed", site=site.key)
        mask = replace(mask, causal=switches.causal)
    is_target = trace.key_tokens(site) is trace.tokens.target
    token = switches.hidden_target if is_target else switches.hidden
    if token is None:
        return mask
    visible = torch.ones(mask.n_keys, dtype=torch.bool)  # [T_k]
    visible[token] = False
    return replace(mask, padding=visible if mask.padding is None else mask.padding & visible)


def _edit(record: AttentionRecord, switches: Switches) -> Edit:
    """The weights of the run's own QKᵀ with the changed scale and mask, and silenced heads."""
    call, silenced = call_of(record.source, slice(0, record.n_queries)), _heads(record.site, switches)
    raw: list[Tensor] = []

    def change(name: str, value: Tensor) -> Tensor | None:
        match name.rpartition(".")[2]:
            case "raw":
                raw[:] = [value]  # [..., H, T_q, T_k]
            case "weights":
                mask, bias, sinks = (
                    None if own is None else own.to(value.device) for own in (call.mask, call.bias, call.sinks)
                )
                scores = ops.cap_scores(ops.scale_scores(raw.pop(), call.scale), call.softcap)  # [..., H, T_q, T_k]
                return ops.replay_from_scores("weights", scores, Call(1.0, mask, bias, sinks=sinks)).to(value)
            case "context" if silenced:
                value[..., silenced, :, :] = 0.0  # [..., H, T_q, d_v]
                return value
        return None

    return Edit(f"{record.site.key}.*", change, ", ".join(map(str, switches.edits)))


def _embedding_edits(base: Trace, switches: Switches) -> tuple[Edit, ...]:
    if switches.positions:
        return ()
    stacks = [stack for stack in ("encoder", "decoder") if "positions" in base.matrices.get(f"{stack}.embed", {})]
    if not stacks:
        raise StepError(id="positions-are-fixed", model=base.card.name)
    return tuple(Edit(f"{stack}.embed", _without_positions(base, stack), "no positions") for stack in stacks)


def _without_positions(base: Trace, stack: str) -> Callable[[str, Tensor], Tensor]:
    """X computed from the table without positions: taking them away from X would leave rounding errors."""
    own = base.parameters(f"{stack}.embed")
    tokens = base.tokens.target if stack == "decoder" and base.tokens.target is not None else base.tokens.source

    def change(name: str, value: Tensor) -> Tensor:
        x = own["table"][list(tokens.ids)] * float(own["scale"])  # [T, d_model]
        if "types" in own:
            x = x + own["types"][0]  # [T, d_model]
        if "gain" in own:
            x = ops.normalise(x, own["gain"], own["shift"], float(own["eps"]))  # [T, d_model]
        return x.to(value).expand_as(value)  # [B, T, d_model]

    return change


def _restated(ran: Trace, switches: Switches) -> Trace:
    """The run with its changes stated as scale, mask and missing positions instead of as edited values."""
    records, worst, n_rows, tolerance = {}, 0.0, 0, 0.0
    for site in ran.sites:
        used, silenced = ran[site], _heads(site, switches)
        record = replace(_record_with(ran, site, switches), edited={})
        for name in ("weights",) if silenced else ("weights", "context"):
            if name in used.edited:
                ours, theirs = getattr(record, name)(), used.edited[name].float()  # [H, T_q, T_k] or [H, T_q, d_v]
                worst = max(worst, largest_difference(ours, theirs) / max(1.0, float(theirs.abs().max())))
                n_rows += ours.shape[-2]
        tolerance = max(tolerance, TOLERANCE[used.replay.q.dtype])
        if silenced:
            context = record.context().clone()  # [H, T_q, d_v]
            context[silenced] = 0.0
            record = replace(record, edited={"context": context})
        records[site.key] = record
    if worst > tolerance:
        raise CaptureError(
            in_code=f"The changed run used weights that differ by {worst:.1e} from those of its scale and mask.",
            id="what-if-differs",
        )
    return replace(
        ran, records=records, edits=switches.edits, matrices=_matrices(ran, switches),
        verified=Verified(worst, n_rows, tolerance),
    )  # fmt: skip


def _heads(site: Site, switches: Switches) -> list[int]:
    return [head for key, head in switches.silenced if key == site.key]


def _matrices(ran: Trace, switches: Switches) -> dict[str, dict[str, Tensor]]:
    """The parameters of the run; a table of positions that was not used is not among them."""
    unused = () if switches.positions else ("positions", "is_sinusoidal")  # names that embeddings alone have
    return {
        point: {name: value for name, value in own.items() if name not in unused} for point, own in ran.matrices.items()
    }
