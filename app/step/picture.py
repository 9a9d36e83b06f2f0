"""The picture of the Step through page: the steps of what is asked and picked, as bytes. Knows no Streamlit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from attnviz_app.notice import verified
from attnviz_app.serving.checkpoints import steps_of
from attnviz_app.serving.runs import runs
from attnviz_app.step import runs as step_runs
from attnviz_app.step.choices import (
    DRAWS,
    HEATS,
    ROTATIONS,
    Hideable,
    asked,
    fitted,
    held,
    hidden_at,
    hideable,
    places_of,
    sites_of,
    text_of_keys,
    why_dropped,
)
from attnviz_app.step.query import LOOKS, UNCHANGED, Picked, Question, picked_link
from attnviz_app.step.runs import Source
from attnviz_app.step.telling_cell import telling_cell
from attnviz_app.step.tokenizers import tokenizer_of

from attnviz import views
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.explanation import TABS, block_switches
from attnviz.explanation.closer_looks.cache import is_cached
from attnviz.explanation.closer_looks.torch_layer import is_torch_layer
from attnviz.explanation.head_view import HeadView
from attnviz.explanation.matrices import Note
from attnviz.explanation.whatif import UNSWITCHED, ScoreSwitches, Switches, divides
from attnviz.text import Language, Strings, sentences, strings
from attnviz.trace.decoder_rows import next_words
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay
from attnviz.training.gradient_step import has_gradient_step
from attnviz.views.heads.attention_parts import parts_of
from attnviz.views.heads.tokens import unknown_notice
from attnviz.views.pack import amended

LOUD = ("step-note-no-block", "step-note-no-decoder")  # said above the picture: it is less than the tab's name promises
Asks = Sequence[Mapping[str, Any] | None]


@dataclass(frozen=True, eq=False)
class Shown:
    """The run of a question, with what is switched, and the place in it."""

    ran: Source
    trace: Trace  # with the switches
    picked: Picked  # as it was fitted to the run
    is_free: bool  # whether the cell is the page's choice: the person picked none
    problem: AttnvizError | None  # why it is not all that was asked for


def shown(question: Question, picked: Picked, asks: Asks = ()) -> Shown:
    """Run what is asked and picked.

    Args:
        asks: what the person chose in the picture since, in order; see choices.asked.

    Raises:
        AttnvizError: the model cannot read the text, or too many people are waiting.
    """
    wanted = replace(picked, guessed="") if asks else picked  # another run is guessed at anew
    for one in asks:
        untouched = step_runs.source(question, wanted.tab).untouched  # has more to switch than the model's own run
        wanted = asked(fitted(wanted, untouched), one, untouched)
    ran = step_runs.source(question, wanted.tab)
    now = fitted(wanted, ran.untouched)
    problem = why_dropped(wanted.switches, now.switches, ran.untouched.card.name)
    trace = ran.untouched
    try:
        trace = step_runs.changed(ran, now.switches)
    except AttnvizError as reason:  # this model cannot be switched so
        problem = reason
    is_free = picked.at is None or any(one and one.get("isFree") for one in asks)
    if now.at is None or is_free:
        attention = next((str(one["attention"]) for one in asks if one and one.get("attention") in trace.records), "")
        now = replace(now, at=telling_cell(trace, ran.untouched, now, attention if now.tab == picked.tab else ""))
    return Shown(ran, trace, held(now, trace), is_free, problem)


def picture(question: Question, picked: Picked, asks: Asks, *, lang: Language, size: str) -> bytes:
    """The bytes of the picture; its header says where in it the person is, and that as a link says it.

    Raises:
        AttnvizError: as `shown`.
    """
    on_screen = shown(question, picked, asks)
    try:
        return _bytes(question, on_screen, lang, size)
    except AttnvizError as problem:  # this model has no such tab
        if on_screen.picked.tab == TABS[0]:
            raise
        first = shown(question, Picked(switches=on_screen.picked.switches))
        return _bytes(question, replace(first, problem=problem), lang, size)


def _bytes(question: Question, on_screen: Shown, lang: Language, size: str) -> bytes:
    """Raises: AttnvizError: this run holds too little for the tab; the message says what is missing."""
    say = strings(lang)
    now, at = (
        replace(on_screen.picked, at=None, matrix="", row=None, key=None, guessed="", columns="", is_presented=False),
        on_screen.picked.at or views.At(),
    )
    notice = None if on_screen.problem is None else say.error(on_screen.problem)
    key = ("step", on_screen.trace.card.revision, replace(question, look=""), now, notice, lang, size)
    payload = runs().payloads.get(key, lambda: _packed(question, on_screen, notice, say, size))
    place = picked_link(on_screen.picked) | ({} if len(parts_of(on_screen.trace)) > 1 else {"part": ""})
    return amended(payload, picked=at._asdict(), place=place, is_free=on_screen.is_free)


def _packed(question: Question, on_screen: Shown, notice: str | None, say: Strings, size: str) -> bytes:
    trace, ran, now = on_screen.trace, on_screen.ran, on_screen.picked
    made = step_runs.steps(trace, now, ran.untouched)
    notes = [*made.notes, *([] if ran.note is None else [ran.note])]
    loud = next((note for note in notes if note.id in LOUD), None) if notice is None else None
    above = (
        unknown_notice(trace.tokens.source, say.of(trace.card.tokens)),
        notice if loud is None else said(loud, say),
    )
    return views.stepper(
        made, trace, lang=say.language, size=size,
        notice=sentences(*above) or None,
        edits=[said(note, say) for note in now.switches.notes(ran.untouched)] if trace.edits else [],
        questions=step_runs.questions(made, say) if question.guesses else None,
        written=step_runs.written(ran, now.switches) if now.tab == "decoder" else None,
        before=step_runs.before(ran.untouched, trace, made, now),
        wrote=next_words(ran.untouched) if trace.edits else (),
        controls=_controls(ran, trace, now, say),
        notes=[*(said(note, say) for note in notes if note is not loud), *_provenance(question, trace, say)],
    ).payload  # fmt: skip


def said(note: Note, say: Strings) -> str:
    arguments = {name: said(it, say) if isinstance(it, Note) else it for name, it in note.arguments.items()}
    return say(note.id, **arguments)


def _provenance(question: Question, trace: Trace, say: Strings) -> list[str]:
    """Whose weights these are, and this run's own check."""
    card = trace.card
    weights = " · ".join(filter(None, (say.named(card.name), card.revision[:7], card.licence)))
    is_untrained = question.model in step_runs.UNTRAINED
    about = say("stepping-untrained", seed=card.revision) if is_untrained else weights
    return [about, *verified(trace, say)]


# ------------------------------------------------------------------------------------- what can be chosen and switched


def _controls(ran: Source, trace: Trace, now: Picked, say: Strings) -> dict[str, Any]:
    """What can be chosen and switched in the picture itself, and what is now."""
    untouched, record, switches = ran.untouched, trace[now.site], now.switches
    return {
        "tab": now.tab,
        "tabs": list(TABS),
        "site": now.site,
        "sites": [{"key": key, "name": _site_name(key, trace, say)} for key in sites_of(trace, now.tab)],
        "head": now.head,
        "heads": 1 if now.tab == "block" else record.n_heads,
        "n_heads": record.n_heads,
        "keys": {site: text_of_keys(site, trace) for site in _of_block(now.site, trace)},
        "tokens": _names(hideable(now, trace), trace, say),
        "can": _can(untouched, now),
        "whatif": {
            "all": _scores(switches, untouched[now.site].source.mask.causal, hidden_at(now, trace)),
            "heads": _of_heads(now, untouched),
            "scope": "all" if switches.is_of_all else "heads" if switches.heads else "",
            "isMasked": all(own.causal is not False for own in (switches, *(own for _, _, own in switches.heads))),
            "positions": switches.positions,
            "rotation": _rotation(switches),
            "swaps": switches.swaps_groups,
            "gate": switches.gate,
            "silenced": [list(one) for one in switches.silenced],
        },
        "rotations": {rule: _rotation_name(rule, say) for rule in dict.fromkeys((*ROTATIONS, _rotation(switches)))},
        "isChanged": switches != UNCHANGED,
        "draw": _draw(now, say) if now.tab == "decoder" and "decoder.vocabulary" in trace.matrices else None,
        "looks": [{"key": key, "name": say(f"look-{key}")} for key in _looks(ran.model, untouched, now)],
    }


def _of_block(key: str, trace: Trace) -> list[str]:
    """The attentions of a block: those whose heads can be on the screen together."""
    return [other for other in trace.records if other.rpartition(".")[0] == key.rpartition(".")[0]]


def _scores(of: ScoreSwitches, is_causal: bool, hide: Sequence[int]) -> dict[str, Any]:
    """What is switched of scores, as the bar shows it."""
    causal = is_causal if of.causal is None else of.causal
    return {"causal": causal, "scaling": of.scaling, "temperature": of.temperature, "hide": list(hide)}


def _of_heads(now: Picked, untouched: Trace) -> dict[str, dict[str, Any]]:
    """The same of every attention on the screen, and of each of its heads that is changed: "encoder.1.self.5"."""
    to_hide, shown = hideable(now, untouched), {}
    for site in _of_block(now.site, untouched):
        is_causal, text = untouched[site].source.mask.causal, text_of_keys(site, untouched)
        shown[site] = _scores(UNSWITCHED, is_causal, ())
        for head in (head for key, head, _ in now.switches.heads if key == site):
            own = now.switches.of_head(site, head)
            shown[f"{site}.{head}"] = _scores(own, is_causal, places_of(to_hide, **{text: own.hidden}))
    return shown


def _draw(now: Picked, say: Strings) -> dict[str, Any]:
    """How the next token can be chosen, and how it is: in the words of a link."""
    sampling = now.sampling
    word = f"k{sampling.top_k}" if sampling.top_k else f"p{sampling.top_p:g}" if sampling.top_p else "all"
    names = {rule: _draw_name(rule, say) for rule in dict.fromkeys((*DRAWS, word))}
    heat = f"{sampling.temperature:g}"
    return {"rule": word, "rules": names, "heat": heat, "heats": list(dict.fromkeys((*HEATS, heat)))}


def _draw_name(word: str, say: Strings) -> str:
    if word in ("k1", "all"):
        return say(f"stepping-draw-{'greedy' if word == 'k1' else 'all'}")
    return say(f"stepping-draw-{word[0]}", n=word[1:])


def _looks(model: Model, untouched: Trace, now: Picked) -> list[str]:
    """The closer looks of the tab that this model has something for."""
    view = HeadView.of(untouched, now.site)
    adds_positions = _adds_positions(untouched, view.site)
    has = {
        "distance": view.is_rotated("q") and now.switches.rotation, "cache": is_cached(untouched, view.site),
        "torch-check": is_torch_layer(untouched, view.site), "positions": adds_positions, "shuffle": adds_positions,
        "merges": tokenizer_of(model, untouched) is not None,
        "learning": has_gradient_step(model, view.site) and bool(steps_of(untouched.card.id, runs().store)),
    }  # fmt: skip
    return [key for key in LOOKS[now.tab] if has.get(key, True)]


def _can(untouched: Trace, now: Picked) -> list[str]:
    """The switches this model and this attention have."""
    record = untouched[now.site]
    if not isinstance(record.source, Replay):
        return []
    mask, site = record.source.mask, record.site
    is_free = site.kind == "self" and mask.allowed is None
    can = ["causal"] if is_free else []
    can += ["scaling", "temperature"] if divides(untouched) else ["temperature"]
    can += ["rotation"] if block_switches.is_rotated(untouched) else []
    can += ["swaps"] if block_switches.is_grouped(untouched) else []
    can += ["gate"] if block_switches.is_gated(untouched) else []
    can += ["positions"] if _adds_positions(untouched, site) else []
    can += [] if now.tab == "block" else ["silence"]  # a block has all heads, and none is chosen
    return [*can, "hide"]


def _adds_positions(untouched: Trace, site: Site) -> bool:
    """Whether a table of positions is known to be added to the embedding below an attention."""
    return "positions" in untouched.matrices.get(f"{site.stack}.embed", {})


def _rotation(switches: Switches) -> str:
    """One of ROTATIONS, or another θ that a link says."""
    return "none" if not switches.rotation else "own" if switches.theta is None else f"{switches.theta:.0f}"


def _rotation_name(word: str, say: Strings) -> str:
    return f"θ {int(word):,}" if word.isdigit() else say(f"stepping-rotation-{word}")


def _names(hideables: Hideable, trace: Trace, say: Strings) -> list[dict[str, str]]:
    """The tokens that can be hidden; those of the target say so where the source's stand beside them."""
    has_both = len({text for text, _ in hideables}) > 1
    names: list[dict[str, str]] = []
    for text, place in hideables:
        tokens = trace.tokens.target if text == "target" else trace.tokens.source
        assert tokens is not None
        name = tokens.name(place)
        named = say("stepping-hide-target", token=name) if has_both and text == "target" else name
        names.append({"text": text, "name": named})
    return names


def _site_name(key: str, trace: Trace, say: Strings) -> str:
    """Encoder 1, decoder 2, or decoder 2 on the source: counted from 1."""
    site = Site.parse(key)
    if len({Site.parse(other).stack for other in trace.records}) == 1:
        return say("stepping-site-layer", layer=site.layer + 1)
    kind = "cross" if site.kind == "cross" else site.stack
    return say(f"stepping-site-{kind}", layer=site.layer + 1)
