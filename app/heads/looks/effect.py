"""What a change to a head does to what the model gives, beside the same done to other heads, as blocks of a panel."""

from collections.abc import Hashable

import torch
from attnviz_app.heads.looks.head_names import map_of_heads, name_in_words, name_of, place_of
from attnviz_app.serving.runs import runs

from attnviz.analysis.heads.effect import OTHERS, Effect, Effects, effect
from attnviz.bounded_cache import BoundedCache
from attnviz.core.site import Site
from attnviz.text import Strings, signed
from attnviz.trace.edits import HeadEdit
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import part_of
from attnviz.views.panel.blocks import Block, Fact, Facts, Maps, Prose, Table

KEPT = 256  # effects remembered, of all visitors together
DECIMALS = {"probability": 1, "cosine": 2}  # of a change in points; the least printed is the least that colours end at
LITTLE = 0.5  # points: so small a change is called next to nothing
MASKS = ("[MASK]", "<mask>")
_kept: BoundedCache[Effects] = BoundedCache(KEPT, lambda effects: 1)


def measured(trace: Trace, name: str, edit: HeadEdit, position: int | None) -> Effects:
    """The effect, measured once.

    Args:
        name: of the model. position: whose prediction is looked at.
    Raises:
        AttnvizError: this model or this edge cannot be changed so, or too many people are waiting.
    """

    def run() -> Effects:
        with runs().gate.entered():
            return effect(runs().model(name), trace, edit, position=position)

    texts = [None if tokens is None else tokens.source for tokens in (trace.tokens.source, trace.tokens.target)]
    return _kept.get((name, trace.card.revision, *texts, edit, position), run)


def silencing_key(model: str, trace: Trace, text: str, target: str, part: str, position: int | None) -> Hashable:
    """The name of the work that silences every head of a part."""
    return ("silencing", model, trace.card.revision, text, target, part, position)


def position_of(trace: Trace, site: Site, pinned: int | None) -> int | None:
    """Whose prediction is looked at, of a model that predicts: a hidden token, else the pinned one, else the last.

    Of a tagger that is the first word, not a token that ends the text; of classes and of a span the first row.
    """
    if trace.prediction is None:
        return None
    if trace.prediction.of in ("classes", "span"):
        return 0
    tokens = trace.tokens.source if trace.tokens.target is None else trace.tokens.target
    hidden = [place for place, text in enumerate(tokens.text) if text in MASKS]
    if hidden:
        return hidden[0]
    is_here = pinned is not None and trace.query_tokens(site) is tokens and pinned < len(tokens)
    words = [place for place, special in enumerate(tokens.special) if not special]
    other = words[0] if trace.prediction.of == "labels" and words else len(tokens) - 1
    return pinned if is_here else other


def effect_blocks(trace: Trace, effects: Effects, say: Strings) -> tuple[Block, ...]:
    """What the change does, whether it is more than the same does to others, and all of them in a table."""
    every = (effects.chosen, *sorted(effects.others, key=lambda each: -abs(each.points)))
    rows = [_row(trace, each, effects, say) for each in every]
    sites = [Site.parse(each.edit.site) for each in every]
    shown = part_of(sites[0])
    leads = [place_of(trace, site, each.head, shown) for site, each in zip(sites, every, strict=True)]
    size = _size(effects.chosen.points, effects)
    as_much = sum(_size(each.points, effects) >= size for each in effects.others)
    larger = say(
        "heads-effect-not-larger" if as_much else "heads-effect-larger", n=len(effects.others), as_much=as_much
    )
    if size <= LITTLE:
        larger = f"{say('heads-effect-little')} {larger}"
    measures = ("after", "points") if effects.measure == "probability" else ("cosine",)
    columns = (say("heads-column-head"), *(say(f"heads-effect-{measure}") for measure in measures))
    table = Table(columns, rows, say("heads-effect-table"), marked=0, leads=leads)
    return Facts([_fact(trace, effects, say)]), Prose(larger), *_words(trace, effects, say), table


def _words(trace: Trace, effects: Effects, say: Strings) -> tuple[Block, ...]:
    """The likeliest words after the change, each with what it had before; one that was not among them is new."""
    if trace.predicted_tokens is None or not effects.chosen.likeliest:
        return ()
    say = say.of(trace.card.tokens)
    rows = []
    for word in effects.chosen.likeliest:
        before = say("heads-effect-at-most", percent=percent(word.before)) if word.is_bound else percent(word.before)
        name = say("heads-effect-new", word=word.text) if word.is_new else word.text
        rows.append((name, before, percent(word.after)))
    columns = [say(f"heads-effect-words-{column}") for column in ("word", "before", "after")]
    return (Table(columns, rows, say("heads-effect-words")),)


def silenced_blocks(trace: Trace, effects: Effects, say: Strings) -> tuple[Block, ...]:
    """Every head of a part by what silencing it does, beside the largest effect of five drawn by chance."""
    sites = list(dict.fromkeys(each.edit.site for each in effects.others))
    is_cosine = effects.measure == "cosine"
    values = torch.tensor([100 * (each.after - each.before) for each in effects.others]).reshape(
        len(sites), -1
    )  # [L, H]
    largest = abs(effects.chosen.points)
    n = sum(_size(points, effects) > _size(largest, effects) for points in values.flatten().tolist())
    place = divmod(int(values.abs().argmax()), values.shape[1])
    site = Site.parse(sites[place[0]])
    measured = "none" if _size(float(values[place]), effects) == 0 else "most"
    words = say(
        f"heads-silenced-{measured}-{effects.measure}", token=_watched(trace, effects, say),
        most_head=name_in_words(trace, site, place[1], say), n=n, all=values.numel(),
        others=min(OTHERS, values.numel()),
        points=cosine(1 + float(values[place]) / 100) if is_cosine else signed(float(values[place]), 1),
        largest=cosine(effects.chosen.after) if is_cosine else signed(largest, 1).lstrip("+"),
    )  # fmt: skip
    title = say("heads-silenced-map-cosine" if is_cosine else "heads-silenced-map", token=_watched(trace, effects, say))
    limit = max(float(values.abs().max()), 10.0 ** -DECIMALS[effects.measure])
    return Prose(words), Maps([map_of_heads(title, values, say, limit=limit, leads=True)])


def _size(points: float, effects: Effects) -> float:
    """A change as large as it is printed: none is called larger than another that prints the same."""
    return round(abs(points), DECIMALS[effects.measure])


def _watched(trace: Trace, effects: Effects, say: Strings) -> str:
    """Whose probability is measured: a word, a class, or where the span of an answer starts."""
    if trace.prediction is None or trace.prediction.of != "span":
        return effects.token or ""
    return say("heads-effect-span", token=trace.tokens.source.name(int(trace.prediction.ids[0, 0])))


def _fact(trace: Trace, effects: Effects, say: Strings) -> Fact:
    chosen = effects.chosen
    if effects.measure == "cosine":
        return Fact(say("heads-effect-cosine"), cosine(chosen.after), say("heads-effect-cosine-note"))
    token = _watched(trace, effects, say)
    note = say("heads-effect-probability-note", token=token, before=percent(chosen.before), after=_after(chosen, say))
    return Fact(say("heads-effect-points-name"), signed(chosen.points, 1), note)


def _row(trace: Trace, each: Effect, effects: Effects, say: Strings) -> tuple[str, ...]:
    name = name_of(trace, Site.parse(each.edit.site), each.head, say)
    if effects.measure == "cosine":
        return name, cosine(each.after)
    return name, _after(each, say), signed(each.points, 1)


def _after(each: Effect, say: Strings) -> str:
    return say("heads-effect-at-most", percent=percent(each.after)) if each.is_bound else percent(each.after)


def percent(share: float) -> str:
    """With a decimal: these are compared."""
    return f"{100 * share:.1f}%"


def cosine(value: float) -> str:
    """Four decimals: many heads leave a text's embedding nearly where it was."""
    return f"{value:.4f}".replace("-", "−")
