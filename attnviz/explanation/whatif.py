"""What if: a run with something switched, as a real forward pass whose every step can still be written out.

    warm = ScoreSwitches(temperature=4.0)
    changed = run(model, base, Switches(heads=(("encoder.1.self", 5, warm),), silenced=(("encoder.0.self", 1),)))

The switches become edits of what each attention is given (its scale, its mask), so the records of the run have the
change as part of their arithmetic. `Trace.edits` says what was switched.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Any

from attnviz.core.edit import Edit
from attnviz.core.errors import InputError, StepError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_token
from attnviz.explanation import block_switches
from attnviz.explanation.attention_steps import is_divided
from attnviz.explanation.matrices import Note
from attnviz.trace.edits import CausalMask, HeadEdit, HiddenToken, InHead, NoPositions, NoScaling, Temperature
from attnviz.trace.model_protocol import Model
from attnviz.trace.split_batch import stack_of_keys
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay

THETAS = (2.0, 1e12)  # what can be asked for


@dataclass(frozen=True)
class ScoreSwitches:
    """What to change between QKᵀ and the weights, of one head or of all; the defaults change nothing."""

    causal: bool | None = None  # whether a token cannot attend to later ones; None = as the model has it
    scaling: bool = True  # whether QKᵀ is divided by √dₖ
    temperature: float = 1.0  # τ: the scores are divided by it, before a soft-cap and the mask
    hidden: int | None = None  # a token that no query can attend to: one of the source, or of one head a key of its own

    def __post_init__(self) -> None:
        Temperature(self.temperature)  # refuses one out of its range

    @property
    def of_scores(self) -> "ScoreSwitches":
        """Only the switches of scores."""
        return ScoreSwitches(**{each.name: getattr(self, each.name) for each in fields(ScoreSwitches)})

    def _score_edits(self, stack: str) -> Iterator[CausalMask | NoScaling | Temperature | HiddenToken]:
        """The edits that make them; a token is hidden in the text of this stack."""
        if self.causal is not None:
            yield CausalMask(self.causal)
        if not self.scaling:
            yield NoScaling()
        if self.temperature != 1.0:
            yield Temperature(self.temperature)
        if self.hidden is not None:
            yield HiddenToken(self.hidden, "encoder" if stack == "encoder" else "decoder")

    def _score_notes(self, tokens: Tokens) -> Iterator[Note]:
        """The same for a person; one of these tokens is hidden."""
        if self.causal is not None:
            yield Note("what-if-causal-on" if self.causal else "what-if-causal-off")
        if not self.scaling:
            yield Note("what-if-scaling-off")
        if self.temperature != 1.0:
            yield Note("what-if-temperature", {"temperature": f"{self.temperature:g}"})
        if self.hidden is not None:
            yield _hidden(self.hidden, tokens)


UNSWITCHED = ScoreSwitches()


@dataclass(frozen=True)
class Switches(ScoreSwitches):
    """What to change; the defaults change nothing. What is said of scores is so in all heads of all layers."""

    hidden_target: int | None = None  # a token that no query can attend to, of the decoder's own text
    heads: tuple[tuple[str, int, ScoreSwitches], ...] = ()  # (site, head, the same of this head alone)
    positions: bool = True  # whether positions are added to the embedding
    silenced: tuple[tuple[str, int], ...] = ()  # (site, head): contexts that are set to 0
    rotation: bool = True  # whether queries and keys are rotated by their positions
    theta: float | None = None  # θ of other frequencies, in place of the model's own
    swaps_groups: bool = False  # whether each group of heads reads the keys and values of the next one
    gate: bool = True  # whether the feed-forward part multiplies by its gate

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = THETAS
        if self.theta is not None and not low <= self.theta <= high:
            raise InputError(id="bad-theta", theta=self.theta, low=low, high=high)

    @property
    def of_blocks(self) -> dict[str, Any]:
        """Those of the parts that decoders have had since Llama, as `block_switches` takes them."""
        return {"rotation": self.rotation, "theta": self.theta, "swaps": self.swaps_groups, "gate": self.gate}

    @property
    def is_of_all(self) -> bool:
        """Whether something of scores is changed in all heads."""
        return self.of_scores != UNSWITCHED or self.hidden_target is not None

    def of_head(self, site: str, head: int) -> ScoreSwitches:
        """What is changed of one head alone."""
        return next((of_head for *place, of_head in self.heads if place == [site, head]), UNSWITCHED)

    def edits(self, base: Trace) -> tuple[Edit, ...]:
        """The edits that make them, of the model that made a run; empty = nothing is switched."""
        source = "encoder" if base.tokens.target is not None else base.sites[0].stack  # whose keys the source's are
        made: list[Edit] = [*self._score_edits(source)]
        if self.hidden_target is not None:
            made.append(HiddenToken(self.hidden_target, "decoder", is_target=True))
        for site, head, of_head in self.heads:
            stack = stack_of_keys(Site.parse(site))
            made += [InHead(edit, site, head, base[site].n_heads) for edit in of_head._score_edits(stack)]
        made += [] if self.positions else [NoPositions()]
        made += [HeadEdit(site, head) for site, head in self.silenced]
        return (*made, *block_switches.edits(base, **self.of_blocks))

    def notes(self, base: Trace) -> tuple[Note, ...]:
        """The same for a person, each with where it is so: message ids and what fills them, layers and heads counted
        from 1.
        """
        of_all = [*self._score_notes(base.tokens.source)]
        if self.hidden_target is not None and base.tokens.target is not None:
            of_all.append(_hidden(self.hidden_target, base.tokens.target))
        notes = [_where(note, {"where": "all", "layer": "", "head": ""}) for note in of_all]
        for site, head, of_head in self.heads:
            place = {**_place(site, base), "head": str(head + 1)}
            notes += [_where(note, place) for note in of_head._score_notes(base.key_tokens(Site.parse(site)))]
        of_blocks = [
            (Note("what-if-rotation-off"), not self.rotation),
            (Note("what-if-theta", {"theta": f"{self.theta or 0:,.10g}"}), self.rotation and self.theta is not None),
            (Note("what-if-groups-swapped"), self.swaps_groups),
            (Note("what-if-gate-off"), not self.gate),
        ]
        notes += [] if self.positions else [Note("what-if-positions-off")]
        notes += [_where(note, {"where": "layers", "layer": "", "head": ""}) for note, is_so in of_blocks if is_so]
        for site in dict.fromkeys(site for site, _ in self.silenced):
            heads = sorted(head + 1 for key, head in self.silenced if key == site)
            silenced: dict[str, str | int | Note] = {
                **_place(site, base), "head": _ranges(heads), "count": len(heads),
            }  # fmt: skip
            notes.append(Note("what-if-silenced", silenced))
        return tuple(notes)


def _hidden(token: int, tokens: Tokens) -> Note:
    return Note("what-if-hidden", {"token": tokens.name(token % len(tokens))})


def _place(site: str, base: Trace) -> dict[str, str]:
    """Which attention it is: its layer, and which stack or that it is a cross-attention, where there are several."""
    place, is_one = base[site].site, len({other.stack for other in base.sites}) == 1
    where = "layer" if is_one else "cross" if place.kind == "cross" else place.stack
    return {"layer": str(place.layer + 1), "where": where}


def _where(note: Note, place: dict[str, str]) -> Note:
    return Note("what-if-where", {**place, "what": note})


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
    of_heads = [of_head for _, _, of_head in switches.heads]
    if switches.is_of_all and of_heads:
        raise InputError(id="what-if-twice")
    if not all(each.scaling for each in (switches, *of_heads)) and not all(map(is_divided, replays)):
        raise StepError(id="not-divided", model=base.card.name)
    if not switches.positions and not any("positions" in parameters for parameters in base.matrices.values()):
        raise StepError(id="positions-are-fixed", model=base.card.name)
    block_switches.check(base, **switches.of_blocks)
    for site, head in (*switches.silenced, *(place[:2] for place in switches.heads)):
        base[site].check_head(head)
    for site, _, of_head in switches.heads:
        if of_head.causal is not None and base[site].site.kind == "cross":
            raise StepError(id="mask-is-fixed", site=site)
        if of_head.hidden is not None:
            check_token(of_head.hidden, base[site].n_keys)
    for token, tokens in ((switches.hidden, base.tokens.source), (switches.hidden_target, base.tokens.target)):
        if token is not None:
            check_token(token, 0 if tokens is None else len(tokens))
