"""What the Compare page draws: its widgets, and the picture, which alone runs again when something in it is picked."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import streamlit as st
from attnviz_app import compare_effect, compare_tables, mount, panels, state
from attnviz_app import compare_state as page
from attnviz_app.compare_sides import has_twins, side_label, sides
from attnviz_app.examples import text_of
from attnviz_app.heads_coming import coming
from attnviz_app.inputs import later, take
from attnviz_app.runs import runs
from attnviz_app.similar import Measured, similarities
from attnviz_app.surveys import Surveyed, surveys

from attnviz.analysis.compare import Comparison, compare
from attnviz.analysis.compare.reading import heads_of
from attnviz.core.errors import AttnvizError, InputError
from attnviz.core.trace import Trace
from attnviz.lessons.twins import OURS, UNTRAINED, is_twin
from attnviz.text import Strings
from attnviz.views import View
from attnviz.views.compare import Pair, can_measure, exact_pair, first_pair, revision_of
from attnviz.views.compare import compare as draw
from attnviz.views.heads.tokens import unknown_notice

SAME_WEIGHTS = 1e-5  # the end of the scale where both sides hold the same weights


@dataclass(frozen=True)
class Sides:
    """The runs on the page, and what kept newer ones from being shown."""

    a: Trace
    b: Trace
    problem: AttnvizError | None = None


def bar(say: Strings) -> None:
    """A, B and the sentence."""
    _side_menu("a", page.A, "● A", say)
    _side_menu("b", page.B, "◇ B", say)
    st.text_input(
        say("text-label"), key=page.TEXT, placeholder=say("text-placeholder"), label_visibility="collapsed",
        on_change=later(lambda text: page.change(text=text), page.TEXT), autocomplete="off",
    )  # fmt: skip
    st.menu_button(
        say("example-label"), page.examples(), key=page.EXAMPLES, format_func=lambda name: say(f"example-{name}"),
        on_click=later(_take_example, page.EXAMPLES),
    )  # fmt: skip


def _side_menu(side: str, key: str, mark: str, say: Strings) -> None:
    st.selectbox(
        say(f"compare-{side}"), sides(), key=key, format_func=lambda name: f"{mark}  {side_label(name, say)}",
        label_visibility="collapsed", on_change=later(lambda name: page.choose(side, name), key),
    )  # fmt: skip


def _take_example(name: str | None) -> None:
    if name is not None:
        page.change(text=text_of(name, state.say()), other="")


def more(say: Strings) -> None:
    """The ways to a pair that are a click away, and another sentence for B."""
    now = page.comparing()
    st.button(say("compare-swap"), key=page.SWAP, on_click=later(page.swap))
    own = now.a.partition(":")[2] if is_twin(now.a) else now.a
    if has_twins(own):
        for kind, key in ((UNTRAINED, page.BASELINE), (OURS, page.OURS_BUTTON)):
            st.button(
                say(f"compare-to-{kind[:-1]}"), key=key, disabled=kind + own in (now.a, now.b),
                on_click=later(page.choose), args=("b", kind + own), help=say(f"compare-to-{kind[:-1]}-help"),
            )  # fmt: skip
    st.text_input(
        say("compare-other"), key=page.OTHER, placeholder=say("compare-other-hint"), label_visibility="collapsed",
        on_change=later(lambda text: page.change(other=text), page.OTHER), autocomplete="off",
    )  # fmt: skip


@st.fragment
def picture() -> None:
    """The comparison. It takes nothing: Streamlit keeps a fragment's arguments; traces belong to the bounded cache."""
    say = state.say()
    with panels.error_boundary():
        take()
        now = page.comparing()
        names = [name for name in (now.a, now.b) if not runs().has_model(name.partition(":")[2] or name)]
        line = say("loading-model", model=side_label(names[0], say)) if names else ""
        with panels.placeholder(line):
            both = _ran(say)
        if both.problem is not None:
            panels.text_problem(both.problem, say, is_of_example=page.good()[0] == page.first_text(now.a, now.b))
        page.write()
        _picture(both, say)


def _ran(say: Strings) -> Sides:
    """Both runs of the texts on the page; of the last that could be read where these cannot.

    Raises:
        AttnvizError: there is none before them either.
    """
    now = page.comparing()
    try:
        found = Sides(runs().trace(now.a, now.text), runs().trace(now.b, now.other or now.text))
    except InputError as problem:
        text, other = page.good()
        return Sides(runs().trace(now.a, text), runs().trace(now.b, other or text), problem)
    page.read_well(now.text, now.other)
    return found


def _picture(both: Sides, say: Strings) -> None:
    a, b = both.a, both.b
    if a.tokens.source.source != b.tokens.source.source:
        with st.container(key="compare-below"):
            if (a.card.id, a.card.revision) == (b.card.id, b.card.revision):
                compare_tables.two_texts(a, b, say)
            else:
                _without_maps(a, b, say)
        return
    now, shown = page.comparing(), state.read()
    found, measured = compare(a, b), similarities().of(now.a, now.b)
    key = (a.card.id, a.card.revision, b.card.id, b.card.revision, a.tokens.source.source)
    base = page.mounted(*key, shown.language, shown.size, measured.found is not None)
    pair = base.pair
    name = ("compare", *key, pair, shown.language, shown.size, measured.found is not None)
    payload = runs().payloads.get(name, lambda: _drawn(found, measured, pair, say).payload)
    revision = revision_of(found)
    mount.view(payload, page.VIEW, later(lambda said: page.point(said, revision), page.VIEW))
    if now.pair is not None and now.heads != base.heads:
        mount.view(exact_pair(found, now.pair).payload, page.EXACT, _nothing)
    with st.container(key="compare-below"):
        if measured.found is None:
            coming(lambda: _coming(now.a, now.b), say)
        over = measured.found or (found.similarity if can_measure(found) else None)
        if over is not None:
            compare_tables.matches(over, say)
        compare_effect.show(found, now.pair or _first(found), say)
        st.download_button(
            say("compare-html"), lambda: _file(now.a, now.b, say), "attnviz-compare.html", "text/html",
            key="compare-html", on_click="ignore",
        )  # fmt: skip


def _nothing() -> None:
    """Numbers say nothing back."""


def _without_maps(a: Trace, b: Trace, say: Strings) -> None:
    """Two models on two texts: why there are no maps, and what can be compared all the same."""
    now = page.comparing()
    st.html(f'<p class="av-line" role="status"><span>{escape(say("compare-two-texts-two-models"))}</span></p>')
    counts = [surveys().known(name, say.language) if not is_twin(name) else None for name in (now.a, now.b)]
    compare_tables.kinds(tuple(None if it is None else it.frame for it in counts), (a, b), say)
    measured = similarities().of(now.a, now.b)
    if measured.found is None:
        coming(lambda: _coming(now.a, now.b), say)
    else:
        compare_tables.matches(measured.found, say)


def _drawn(found: Comparison, measured: Measured, pair: Pair | None, say: Strings) -> View:
    now, shown = page.comparing(), state.read()
    names = (side_label(now.a, say), side_label(now.b, say))
    return draw(
        found, measured.found, pair, names=names, kinds=_kinds(found), strings=say.view("compare"),
        lang=shown.language, size=shown.size, scale=_scale(), notice=_notice(found),
    )  # fmt: skip


def _file(a: str, b: str, say: Strings) -> bytes:
    """The picture as a page that needs no server, made when it is asked for."""
    now, text = page.comparing(), page.good()[0]
    found, measured = compare(runs().trace(a, text), runs().trace(b, text)), similarities().of(a, b)
    return _drawn(found, measured, now.pair, say).html().encode()


def _first(found: Comparison) -> Pair:
    """The pair that a picture begins with where nobody chose one: it says which."""
    return first_pair(found, similarities().of(page.comparing().a, page.comparing().b).found)


def _scale() -> float | None:
    """The end of the difference scale where both sides hold the same weights; None where the picture finds its own."""
    now = page.comparing()
    own = {now.a.partition(":")[2] if is_twin(now.a) else now.a, now.b.partition(":")[2] if is_twin(now.b) else now.b}
    is_untrained = any(name.startswith(UNTRAINED) for name in (now.a, now.b))
    return SAME_WEIGHTS if now.a != now.b and len(own) == 1 and not is_untrained else None


def _kinds(found: Comparison) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The kind of every head of both sides, where both were measured already."""
    now, kinds = page.comparing(), []
    for name, trace in ((now.a, found.trace_a), (now.b, found.trace_b)):
        if is_twin(name):
            return None
        known = surveys().known(name, state.read().language)
        if known.frame is None:
            return None
        of = dict(
            zip(zip(known.frame["site"], known.frame["head"], strict=True), known.frame["kind_of_head"], strict=True)
        )
        kinds.append(tuple(str(of.get((head.site, head.head), "mixed")) for head in heads_of(trace)))
    return kinds[0], kinds[1]


def _notice(found: Comparison) -> str | None:
    """What keeps a side from reading this text."""
    say = state.say()
    for trace in (found.trace_a, found.trace_b):
        unknown = unknown_notice(trace.tokens.source, say)
        if unknown is not None:
            return say("compare-unknown", model=trace.card.name, said=unknown)
    return None


def _coming(a: str, b: str) -> Surveyed:
    """How far the measurement of a pair is."""
    now = similarities().of(a, b)
    reason = None if now.error is None else state.say().error(now.error)
    return Surveyed(None, now.done, now.total, reason if now.found is None else "")
