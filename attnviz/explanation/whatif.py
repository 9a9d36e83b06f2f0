"""What if: a run with something switched, as a real forward pass whose every step can still be written out.

    changed = run(model, base, Switches(temperature=0.5, silenced=(("encoder.0.self", 1),)))

The switches become edits of what each attention is given (its scale, its mask), so the records of the run have the
change as part of their arithmetic. `Trace.edits` says what was switched.
"""

from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from attnviz.core.edit import Edit
from attnviz.core.errors import InputError, StepError
from attnviz.core.tensor_checks import check_token
from attnviz.explanation import block_switches
from attnviz.explanation.attention_steps import is_divided
from attnviz.explanation.matrices import Note
from attnviz.trace.edits import CausalMask, HeadEdit, HiddenToken, NoPositions, NoScaling, Temperature
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay

THETAS = (2.0, 1e12)  # what can be asked for


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
    rotation: bool = True  # whether queries and keys are rotated by their positions
    theta: float | None = None  # θ of other frequencies, in place of the model's own
    swaps_groups: bool = False  # whether each group of heads reads the keys and values of the next one
    gate: bool = True  # whether the feed-forward part multiplies by its gate

    def __post_init__(self) -> None:
        Temperature(self.temperature)  # refuses one out of its range
        low, high = THETAS
        if self.theta is not None and not low <= self.theta <= high:
            raise InputError(id="bad-theta", theta=self.theta, low=low, high=high)

    @property
    def of_blocks(self) -> dict[str, Any]:
        """Those of the parts that decoders have had since Llama, as `block_switches` takes them."""
        return {"rotation": self.rotation, "theta": self.theta, "swaps": self.swaps_groups, "gate": self.gate}

    def edits(self, base: Trace) -> tuple[Edit, ...]:
        """The edits that make them, of the model that made a run; empty = nothing is switched."""
        source = "encoder" if base.tokens.target is not None else base.sites[0].stack  # whose keys the source's are
        edits: list[tuple[bool, Edit]] = [
            (self.causal is not None, CausalMask(bool(self.causal))),
            (not self.scaling, NoScaling()),
            (self.temperature != 1.0, Temperature(self.temperature)),
            (not self.positions, NoPositions()),
            *((True, HeadEdit(site, head)) for site, head in self.silenced),
            (self.hidden is not None, HiddenToken(self.hidden or 0, source)),
            (self.hidden_target is not None, HiddenToken(self.hidden_target or 0, "decoder", is_target=True)),
        ]
        of_blocks = block_switches.edits(base, **self.of_blocks)
        return (*(edit for is_so, edit in edits if is_so), *of_blocks)

    def notes(self, base: Trace) -> tuple[Note, ...]:
        """The same for a person: message ids and what fills them, layers and heads counted from 1. First comes that it
        is so in all layers.
        """
        said = [
            (Note("what-if-causal-on" if self.causal else "what-if-causal-off"), self.causal is not None),
            (Note("what-if-scaling-off"), not self.scaling),
            (Note("what-if-temperature", {"temperature": f"{self.temperature:g}"}), self.temperature != 1.0),
            (Note("what-if-positions-off"), not self.positions),
            (Note("what-if-rotation-off"), not self.rotation),
            (Note("what-if-theta", {"theta": f"{self.theta or 0:,.10g}"}), self.rotation and self.theta is not None),
            (Note("what-if-groups-swapped"), self.swaps_groups),
            (Note("what-if-gate-off"), not self.gate),
        ]
        notes = [note for note, is_so in said if is_so]
        is_one = len({other.stack for other in base.sites}) == 1
        for key in dict.fromkeys(site for site, _ in self.silenced):
            place, heads = base[key].site, sorted(head + 1 for site, head in self.silenced if site == key)
            where = "layer" if is_one else "cross" if place.kind == "cross" else place.stack
            places = {"layer": str(place.layer + 1), "head": _ranges(heads), "where": where}
            notes.append(Note("what-if-silenced", {**places, "count": len(heads)}))
        for token, tokens in ((self.hidden, base.tokens.source), (self.hidden_target, base.tokens.target)):
            if token is not None and tokens is not None:
                notes.append(Note("what-if-hidden", {"token": tokens.name(token % len(tokens))}))
        is_everywhere = {note.id for note in notes} - {"what-if-positions-off", "what-if-silenced"}
        return (Note("what-if-everywhere"), *notes) if is_everywhere else tuple(notes)


def _ranges(numbers: list[int]) -> str:
    """1, 2, 3, 4, 7 -> "1–4, 7"."""
    said = []
    for _, places in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
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
    """
    if base.edits:
        raise InputError(id="what-if-of-edited")
    _check(base, switches)
    if switches == Switches():
        return base
    target = None if base.tokens.target is None else base.tokens.target.given
    ran = model.trace(base.tokens.source.given, target, switches.edits(base))
    # a table of positions that was not used is not among its parameters
    unused = () if switches.positions else ("positions", "is_sinusoidal")  # names that embeddings alone have
    matrices = {
        point: {name: value for name, value in parameters.items() if name not in unused}
        for point, parameters in block_switches.restated(ran, **switches.of_blocks).items()
    }
    return replace(ran, matrices=matrices)


def _check(base: Trace, switches: Switches) -> None:
    replays = [base[site].replay for site in base.sites]  # says so where scores are not q·k
    if not switches.scaling and not all(map(is_divided, replays)):
        raise StepError(id="not-divided", model=base.card.name)
    if not switches.positions and not any("positions" in parameters for parameters in base.matrices.values()):
        raise StepError(id="positions-are-fixed", model=base.card.name)
    block_switches.check(base, **switches.of_blocks)
    for site, head in switches.silenced:
        base[site].check_head(head)
    for token, tokens in ((switches.hidden, base.tokens.source), (switches.hidden_target, base.tokens.target)):
        if token is not None:
            check_token(token, 0 if tokens is None else len(tokens))
