"""The effect of a change to a head as blocks of a panel: the number, and the same of five other heads."""

from __future__ import annotations

from attnviz_app.heads.sections.table import ShownHead, name_of

from attnviz.analysis.heads.effect import Effect, Effects
from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import part_of, parts_of, sites_of
from attnviz.views.panel.blocks import Block, Fact, Facts, Prose, Table


def effect_blocks(trace: Trace, found: Effects, say: Strings) -> tuple[Block, ...]:
    """What the change does, whether it is more than the same does to others, and all of them in a table."""
    rows = [_row(trace, each, found, say) for each in (found.chosen, *found.others)]
    larger = say("heads-effect-larger" if found.is_larger_than_others else "heads-effect-not-larger",
                 n=len(found.others))  # fmt: skip
    measures = ("after", "points") if found.measure == "probability" else ("cosine",)
    columns = (say("heads-column-head"), *(say(f"heads-effect-{measure}") for measure in measures))
    return (
        Facts([_fact(found, say)]), Prose(larger), Table(columns, rows, say("heads-effect-table"), marked=0),
    )  # fmt: skip


def _fact(found: Effects, say: Strings) -> Fact:
    chosen = found.chosen
    if found.measure == "cosine":
        return Fact(say("heads-effect-cosine"), cosine(chosen.after), say("heads-effect-cosine-note"))
    note = say("heads-effect-probability-note", token=found.token or "", before=percent(chosen.before),
               after=_after(chosen, say))  # fmt: skip
    return Fact(say("heads-effect-points-name"), points(chosen.points), note)


def _row(trace: Trace, each: Effect, found: Effects, say: Strings) -> tuple[str, ...]:
    name = _name(trace, each, say)
    if found.measure == "cosine":
        return name, cosine(each.after)
    return name, _after(each, say), points(each.points)


def _after(each: Effect, say: Strings) -> str:
    return say("heads-effect-at-most", percent=percent(each.after)) if each.is_bound else percent(each.after)


def _name(trace: Trace, each: Effect, say: Strings) -> str:
    site = Site.parse(each.change.site)
    part = part_of(site)
    layer = sites_of(trace, part).index(site)
    return name_of(ShownHead(part if len(parts_of(trace)) > 1 else "", layer, each.change.head), say)


def points(value: float) -> str:
    """A change in points: +0.4, −12.3; what rounds to none has no sign."""
    return f"{value:+.1f}".replace("-", "−") if round(abs(value), 1) else "0.0"


def percent(share: float) -> str:
    """With a decimal: these are compared."""
    return f"{100 * share:.1f}%"


def cosine(value: float) -> str:
    """Four decimals: many heads leave a text's embedding nearly where it was."""
    return f"{value:.4f}".replace("-", "−")
