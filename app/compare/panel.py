"""What the Compare page draws: its widgets, the picture, and what is under it."""

from dataclasses import dataclass, replace

import streamlit as st
from attnviz_app.compare import files
from attnviz_app.compare import state as page
from attnviz_app.compare.picture import drawn
from attnviz_app.compare.query import Question, pair_in
from attnviz_app.compare.sections import causes, effect, no_common_text, tables
from attnviz_app.compare.sides import baseline, has_variants, over_sentences, own_name, side_label, steps
from attnviz_app.compare.sides import sides as all_sides
from attnviz_app.compare.state import COMPARE
from attnviz_app.host import component, events
from attnviz_app.host.events import later
from attnviz_app.serving import checkpoints
from attnviz_app.serving.examples import text_of
from attnviz_app.serving.runs import runs
from attnviz_app.serving.trace_files import MOST_BYTES, is_file, traced
from attnviz_app.shell import controls, lines, panels, visitor
from attnviz_app.shell.panels import coming

from attnviz.analysis.compare import Similarity, can_compare, compare
from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError, InputError
from attnviz.scratch.variants import OURS
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.compare import can_measure, first_pair

TEXT_BYTES = 16 * 1024**2  # of similarities over one text, of all visitors together
_on_text: BoundedCache[Similarity] = BoundedCache(TEXT_BYTES, lambda found: found.every.nbytes)
LEAST = 2  # words that both sides read of a text


@dataclass(frozen=True)
class Sides:
    """The runs on the page, and what kept newer ones from being shown."""

    a: Trace
    b: Trace
    problem: AttnvizError | None = None


def bar(say: Strings) -> None:
    """A, B, what they read, and the ways to a pair that are a click away."""
    now = COMPARE.asked
    text, of_b = page.texts(now)
    _side_menu("a", now.a, page.A, "● A", say)
    st.button(say("compare-swap"), key=page.SWAP, on_click=later(page.swap))  # shell.css shows ⇄ for it
    _side_menu("b", now.b, page.B, "◇ B", say)
    has_file = is_file(now.a) or is_file(now.b)  # whose own text stands
    _variant_buttons(now, say)
    _upload(say)
    label, hint = say("text-label"), say("text-placeholder")
    controls.line_box(page.TEXT, text, lambda it: COMPARE.change(text=it), label=label, hint=hint, is_off=has_file)
    prepared = (*page.examples(now.a, now.b), *page.pairs(now.a, now.b))
    controls.example_menu(page.EXAMPLES, prepared, _take_example, say, is_off=has_file)
    other = now.other if not is_file(now.b) else "" if of_b == text else of_b
    label, hint = say("compare-other"), say("compare-other-hint")
    controls.line_box(
        page.OTHER, other, lambda it: COMPARE.change(other=it), label=label, hint=hint, is_off=is_file(now.b)
    )


def _variant_buttons(now: Question, say: Strings) -> None:
    own = [own_name(name) for name in (now.a, now.b)]
    ours = next((OURS + name for name in own if has_variants(name)), None)
    for kind, key, side in (
        ("same", page.SAME, None if is_file(now.a) else now.a),
        ("untrained", page.BASELINE, next(filter(None, map(baseline, own)), None)), ("ours", page.OURS_BUTTON, ours),
    ):  # fmt: skip
        if side is not None:
            is_there = side == now.b or (side == now.a and key != page.SAME)
            st.button(
                say(f"compare-to-{kind}"), key=key, disabled=is_there,
                on_click=later(page.choose), args=("b", side), help=say(f"compare-to-{kind}-help"),
            )  # fmt: skip


def _upload(say: Strings) -> None:
    """A button, and behind it a place for a trace file of each side."""
    with st.popover(say("compare-bring"), key=page.FILES), st.container(key="compare-bring"):
        st.html(f'<style>.st-key-compare-bring{{--av-upload:"{say("compare-file-choose")}"}}</style>')
        lines.note(say("compare-bring-about"))
        for place in ("a", "b"):
            st.file_uploader(
                say(f"compare-file-{place}"), type=["safetensors"], key=page.FILE[place],
                max_upload_size=MOST_BYTES >> 20, on_change=later(page.take_file, page.FILE[place]), args=(place,),
            )  # fmt: skip
            refused = say("compare-file-refused", most=MOST_BYTES >> 20)
            st.html(f'<p class="av-refused" role="alert">{refused}</p>')  # shell.css: by the browser alone
            lines.alert(files.problem(place), say)
        lines.note(say("compare-bring-link"))


def _side_menu(side: str, name: str, key: str, mark: str, say: Strings) -> None:
    labels, own = {it: f"{mark}  {side_label(it, say)}" for it in all_sides()}, checkpoints.model_of(name)
    controls.menu(
        key, own, tuple(labels), lambda name: page.choose(side, name), say, label=say(f"compare-{side}"),
        name_of=lambda it: labels.get(it, it),
    )  # fmt: skip
    at = steps(own)
    if at:
        parsed = checkpoints.parsed(name)
        controls.menu(
            page.STEP[side], page.LAST if parsed is None else parsed[0], (page.LAST, *at),
            lambda step: page.choose_step(side, step), say, label=say(f"compare-{side}-step"),
            name_of=lambda step: say("compare-step-last") if step == page.LAST else say("compare-step", step=step),
        )  # fmt: skip


def _take_example(name: str | None) -> None:
    if name in page.pairs(COMPARE.asked.a, COMPARE.asked.b):
        page.take_pair(name)
    elif name is not None:
        COMPARE.change(text=text_of(name, visitor.say()), other="")


@st.fragment
def picture() -> None:
    """The comparison. It takes nothing: Streamlit keeps a fragment's arguments; traces belong to the bounded cache."""
    say = visitor.say()
    with panels.error_boundary():
        events.apply()
        now = COMPARE.asked
        names = [name for name in (now.a, now.b) if not (is_file(name) or runs().has_model(own_name(name)))]
        line = say("loading-model", model=side_label(names[0], say)) if names else ""
        try:
            with panels.placeholder(line):
                both = _ran()
        except InputError as problem:
            page.note_picture(False)
            with st.container(key="compare-below"):
                no_common_text.show(f"{panels.reason(problem, say)} {say('compare-no-maps')}", None, say)
            return
        shown = COMPARE.shown
        with st.container():  # always there, so that the picture keeps its place among the elements
            if both.problem is not None:
                is_example = shown.text == page.first_text(shown.a, shown.b)
                panels.text_problem(both.problem, say, is_of_example=is_example)
            panels.notices(COMPARE.notices, say)
        _picture(both, say)


def _ran() -> Sides:
    """Both runs of the texts on the page; of the last that these sides could read where these cannot.

    Raises:
        AttnvizError: there is none before them either.
    """
    now, shown = COMPARE.asked, COMPARE.shown
    try:
        found = _both(now)
    except InputError as problem:
        if is_file(now.a) or is_file(now.b):  # there is no other text to fall back on
            raise
        is_same = (shown.a, shown.b) == (now.a, now.b) and shown != now
        last = shown if is_same else replace(now, text=page.first_text(now.a, now.b), other="")
        if last == now:
            raise
        both = _both(last)
        COMPARE.fell_back(last)
        return replace(both, problem=problem)
    COMPARE.answered(now)
    return found


def _both(now: Question) -> Sides:
    """Both runs.

    Raises:
        InputError: one of them cannot read its text, or both read one word of it at most.
    """
    text, other = page.texts(now)
    found = Sides(traced(now.a, text), traced(now.b, other))
    if can_compare(found.a, found.b) and len(compare(found.a, found.b).units) < LEAST:
        raise InputError("Both sides share one word of this text. Expected two at least.", id="one-word")
    return found


def _picture(both: Sides, say: Strings) -> None:
    page.note_picture(can_compare(both.a, both.b))
    if not can_compare(both.a, both.b):
        with st.container(key="compare-below"):
            no_common_text.show(say("compare-two-texts-two-models"), (both.a, both.b), say)
        return
    now, (text, other) = COMPARE.shown, page.texts(COMPARE.shown)
    found = compare(both.a, both.b)
    cards = [(it.card.id, it.card.revision) for it in (both.a, both.b)]
    key, pair = (now.a, now.b, *cards, text, other), page.base()
    many = None if found.is_of_two_texts else over_sentences(now.a, now.b).found
    name = ("compare", *key, pair, visitor.language(), visitor.size(), many is not None)
    payload = runs().payloads.get(name, lambda: drawn(found, many, pair, say).payload)
    question = {"a": now.a, "b": now.b, "text": text, "other": other}
    component.view(payload, page.VIEW, link=COMPARE.link({**visitor.link(), **page.in_link()}), question=question)
    told = component.follow("compare", page.FOLLOW)
    with st.container(key="compare-below"):
        if many is None and not found.is_of_two_texts:
            coming(lambda: over_sentences(now.a, now.b), say)
        at = pair_in(told) or pair or first_pair(found, many)
        heads = (at.layer_a, at.head_a, at.layer_b, at.head_b)
        if found.is_of_two_texts and not (is_file(now.a) or is_file(now.b)):
            causes.show(found, say, shown=heads)
        if found.is_same_shape and can_measure(found):
            tables.moved(found, say, shown=heads)
        over = many or (_on_text.get(key, lambda: found.similarity) if can_measure(found) else None)
        if over is not None and not found.is_of_two_texts:
            tables.matches(over, say, shown=heads)
        if is_file(now.a) or is_file(now.b):
            lines.note(say("compare-file-no-effect"))
        else:
            effect.show(found, at, say)
