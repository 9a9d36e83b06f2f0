"""The picture of the Compare page as the page shows it: its words, scale and kinds."""

from attnviz_app.compare.sides import is_surveyed, own_name, side_label
from attnviz_app.compare.state import COMPARE
from attnviz_app.heads.query import Question
from attnviz_app.heads.state import example_pick
from attnviz_app.host import visitor
from attnviz_app.serving import measured_heads
from attnviz_app.serving.surveys import surveys

from attnviz.analysis.compare import Comparison, Similarity
from attnviz.analysis.compare.self_attention_heads import heads_of
from attnviz.scratch.variants import OURS
from attnviz.text import Strings
from attnviz.views import View
from attnviz.views.compare import Pair
from attnviz.views.compare import compare as draw
from attnviz.views.heads.tokens import unknown_notice

SAME_WEIGHTS = 1e-5  # the end of the scale where both sides hold the same weights


def drawn(compared: Comparison, similarity: Similarity | None, pair: Pair | None, say: Strings) -> View:
    now, query = COMPARE.shown, None
    if pair is not None:
        row, key = (None if token is None else _unit(compared, token) for token in (pair.query, pair.key))
        pair, query = pair._replace(query=row, key=key), row
    is_same = now.a == OURS + now.b or now.b == OURS + now.a
    return draw(
        compared, similarity, pair, query=_row(compared) if query is None else query,
        names=(side_label(now.a, say), side_label(now.b, say)),
        kinds=_kinds(compared), lang=visitor.language(), size=visitor.size(),
        scale=SAME_WEIGHTS if is_same else None, notice=_notice(compared, say),
    )  # fmt: skip


def _row(compared: Comparison) -> int | None:
    """The row of the word that the text is about, where it is a prepared one of A's model."""
    pick = example_pick(Question(own_name(COMPARE.shown.a), COMPARE.shown.text))
    if pick is None or pick.token is None:
        return None
    return _unit(compared, pick.token)


def _unit(compared: Comparison, token: int) -> int | None:
    """Where a token of A stands among the units that stand beside each other; None where it was left out."""
    return next((at for at, unit in enumerate(compared.units.each) if token in unit.in_a), None)


def _kinds(compared: Comparison) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The kind of every head of both sides: over sentences where that was measured, else on this text."""
    now, kinds = COMPARE.shown, []
    for name, trace in ((now.a, compared.trace_a), (now.b, compared.trace_b)):
        frame = surveys().frame(name, visitor.language(), starts=False) if is_surveyed(name) else None
        if frame is None:
            frame = measured_heads.of_sentence(trace, name)
        of = dict(zip(zip(frame["site"], frame["head"], strict=True), frame["kind_of_head"], strict=True))
        kinds.append(tuple(str(of.get((head.site, head.head), "mixed")) for head in heads_of(trace)))
    return kinds[0], kinds[1]


def _notice(compared: Comparison, say: Strings) -> str | None:
    """What keeps a side from reading this text."""
    for trace in (compared.trace_a, compared.trace_b):
        unknown = unknown_notice(trace.tokens.source, say.of(trace.card.tokens))
        if unknown is not None:
            return say("compare-unknown", model=trace.card.name, said=unknown)
    return None
