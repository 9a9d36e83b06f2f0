"""The picture of the Compare page as the page shows it: its words, scale and kinds."""

from attnviz_app.compare.sides import is_surveyed, prepared, side_label
from attnviz_app.compare.state import COMPARE
from attnviz_app.jobs.surveys import surveys
from attnviz_app.serving import measured_heads
from attnviz_app.serving.examples import text_of
from attnviz_app.shell import visitor

from attnviz.analysis.compare import Comparison, Similarity
from attnviz.analysis.compare.self_attention_heads import heads_of
from attnviz.scratch.variants import OURS
from attnviz.text import Strings
from attnviz.views import View
from attnviz.views.compare import Pair
from attnviz.views.compare import compare as draw
from attnviz.views.heads.tokens import unknown_notice

SAME_WEIGHTS = 1e-5  # the end of the scale where both sides hold the same weights


def drawn(found: Comparison, similarity: Similarity | None, pair: Pair | None, say: Strings) -> View:
    """The picture of two runs."""
    now = COMPARE.shown
    return draw(
        found, similarity, pair, query=_row(found), names=(side_label(now.a, say), side_label(now.b, say)),
        kinds=_kinds(found), strings=say.view("compare"), lang=visitor.language(), size=visitor.size(), scale=_scale(),
        notice=_notice(found),
    )  # fmt: skip


def _row(found: Comparison) -> int | None:
    """The row of the word that the text is about, where it is a prepared one of A's model."""
    now, say = COMPARE.shown, visitor.say()
    pick = next((pick for name, pick in prepared(now.a).items() if text_of(name, say) == now.text), None)
    if pick is None or pick.token is None:
        return None
    return next((at for at, unit in enumerate(found.units.each) if pick.token in unit.in_a), None)


def _scale() -> float | None:
    """The end of the difference scale where both sides hold the same weights; None where the picture finds its own."""
    now = COMPARE.shown
    return SAME_WEIGHTS if now.a == OURS + now.b or now.b == OURS + now.a else None


def _kinds(found: Comparison) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The kind of every head of both sides: over sentences where that was measured, else on this text."""
    now, kinds = COMPARE.shown, []
    for name, trace in ((now.a, found.trace_a), (now.b, found.trace_b)):
        frame = surveys().frame(name, visitor.language(), starts=False) if is_surveyed(name) else None
        if frame is None:
            frame = measured_heads.of_sentence(trace, name)
        of = dict(zip(zip(frame["site"], frame["head"], strict=True), frame["kind_of_head"], strict=True))
        kinds.append(tuple(str(of.get((head.site, head.head), "mixed")) for head in heads_of(trace)))
    return kinds[0], kinds[1]


def _notice(found: Comparison) -> str | None:
    """What keeps a side from reading this text."""
    say = visitor.say()
    for trace in (found.trace_a, found.trace_b):
        unknown = unknown_notice(trace.tokens.source, say)
        if unknown is not None:
            return say("compare-unknown", model=trace.card.name, said=unknown)
    return None
