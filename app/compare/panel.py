"""What the Compare page draws: its widgets, the picture, and what is under it."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import streamlit as st
from attnviz_app.compare import files
from attnviz_app.compare import state as page
from attnviz_app.compare.picture import drawn
from attnviz_app.compare.query import Question, pair_in
from attnviz_app.compare.sections import causes, effect, no_common_text, tables
from attnviz_app.compare.sides import baseline, has_variants, over_sentences, own_name, side_label, steps
from attnviz_app.compare.sides import sides as all_sides
from attnviz_app.compare.state import COMPARE
from attnviz_app.host import component, events, lines, visitor
from attnviz_app.host.events import later
from attnviz_app.open_model import first_use
from attnviz_app.open_model import panel as open_model
from attnviz_app.serving import checkpoints
from attnviz_app.serving.examples import text_of
from attnviz_app.serving.runs import runs
from attnviz_app.serving.trace_files import MOST_BYTES, is_file, traced
from attnviz_app.shell import controls, given_box, panels
from attnviz_app.shell.panels import coming

from attnviz.analysis.compare import Comparison, Similarity, can_compare, compare
from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError, InputError
from attnviz.scratch.variants import OURS
from attnviz.text import Strings
from attnviz.trace.given import from_text, texts_of
from attnviz.trace.trace import Trace
from attnviz.views.compare import Pair, first_pair
from attnviz.views.compare.all_heads import can_measure

TEXT_BYTES = 16 * 1024**2  # of similarities over one text, of all visitors together
_on_text: BoundedCache[Similarity] = BoundedCache(TEXT_BYTES, lambda similarity: similarity.every.nbytes)
TEXT, OTHER = "compare-text", "compare-other"  # widgets
LEAST = 2  # words that both sides read of a text


def bar(say: Strings) -> None:
    """A, B, what they read, and the ways to a pair that are a click away."""
    now = COMPARE.asked
    _side_menu("a", now.a, "● A", say)
    st.button(say("compare-swap"), key="compare-swap", on_click=later(page.swap))  # shell.css shows ⇄ for it
    _side_menu("b", now.b, "◇ B", say)
    has_file = is_file(now.a) or is_file(now.b)  # whose own text stands
    _variant_buttons(now, say)
    _upload(say)
    given_box.boxes(
        TEXT, lambda: page.texts(COMPARE.asked)[0], _ask, say, label=say("text-label"),
        hint=say("text-placeholder"), is_off=has_file,
    )  # fmt: skip
    if not has_file:
        both = [runs().forms(own_name(name)) for name in (now.a, now.b)]
        forms = [form for form in both[0] if form in both[1]]
        given_box.form_switch(TEXT, lambda: page.texts(COMPARE.asked)[0], _ask, forms, say)
    prepared = (*page.examples(now.a, now.b), *page.pairs(now.a, now.b))
    controls.example_menu("compare-examples", prepared, _take_example, say, is_off=has_file)
    given_box.boxes(
        OTHER, _of_b, _ask_other, say, label=say("compare-other"), hint=say("compare-other-hint"),
        is_off=is_file(now.b), has_button=False,
    )  # fmt: skip
    open_model.offer(COMPARE.notices, "compare-a", say)


def first_use_line(say: Strings) -> None:
    models = [own_name(name) for name in (COMPARE.asked.a, COMPARE.asked.b)]
    first_use.line(models, lambda model: page.choose("a", model), say)


def _ask(text: str) -> None:
    COMPARE.change(text=text)


def _of_b() -> str:
    """What stands in the box of B: nothing while that is A's text; two texts and a chat in any case, to be changed."""
    text, of_b = page.texts(COMPARE.asked)
    return "" if of_b == text and isinstance(from_text(text), str) else of_b


def _ask_other(text: str) -> None:
    is_same = text == COMPARE.asked.text or not any(part.strip() for part in texts_of(from_text(text)))
    COMPARE.change(other="" if is_same else text)


def _variant_buttons(now: Question, say: Strings) -> None:
    models = [own_name(name) for name in (now.a, now.b)]
    for kind, side in (
        ("same", None if is_file(now.a) else now.a),
        ("untrained", next(filter(None, map(baseline, models)), None)),
        ("ours", next((OURS + name for name in models if has_variants(name)), None)),
    ):
        if side is not None:
            is_there = side == now.b or (side == now.a and kind != "same")
            st.button(
                say(f"compare-to-{kind}"), key=f"compare-to-{kind}", disabled=is_there,
                on_click=later(page.choose), args=("b", side), help=say(f"compare-to-{kind}-help"),
            )  # fmt: skip


def _upload(say: Strings) -> None:
    """A button, and behind it a place for a trace file of each side."""
    with st.popover(say("compare-bring"), key="compare-files"), st.container(key="compare-bring"):
        st.html(f'<style>.st-key-compare-bring{{--av-upload:"{say("compare-file-choose")}"}}</style>')
        lines.note(say("compare-bring-about"))
        for place in ("a", "b"):
            key = f"compare-file-{place}"
            st.file_uploader(
                say(key), type=["safetensors"], key=key, max_upload_size=MOST_BYTES >> 20,
                on_change=later(page.take_file, key), args=(place,),
            )  # fmt: skip
            refused = say("compare-file-refused", most=MOST_BYTES >> 20)
            st.html(f'<p class="av-refused" role="alert">{refused}</p>')  # shell.css: by the browser alone
            lines.alert(files.problem(place), say)
        lines.note(say("compare-bring-link"))


def _side_menu(side: str, name: str, mark: str, say: Strings) -> None:
    """The models, and the steps of the training of the one that is chosen."""
    labels, model = {each: f"{mark}  {side_label(each, say)}" for each in all_sides()}, checkpoints.model_of(name)
    open_model.menu(
        f"compare-{side}", model, tuple(labels), lambda name: page.choose(side, name), say,
        label=say(f"compare-{side}"), name_of=lambda each: labels.get(each, each),
    )  # fmt: skip
    at, parsed = steps(model), checkpoints.parsed(name)
    if at:
        controls.menu(
            f"compare-{side}-step", page.LAST if parsed is None else parsed[0], (page.LAST, *at),
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
        missing = next((name for name in (now.a, now.b) if not (is_file(name) or runs().has_model(name))), None)
        line = "" if missing is None else say("loading-model", model=side_label(missing, say))
        try:
            with panels.placeholder(line):
                a, b, why_last = _ran()
        except InputError as problem:
            page.note_picture(False)
            with st.container(key="compare-below"):
                no_common_text.show(f"{panels.reason(problem, say)} {say('compare-no-maps')}", None, say)
            return
        with st.container():  # always there, so that the picture keeps its place among the elements
            if why_last is not None:
                panels.text_problem(why_last, say)
            panels.notices(COMPARE.notices, say)
            for trace in dict.fromkeys((a, b)):
                panels.doubled_start(trace, say)
            for refused in filter(None, map(files.problem, "ab")):
                lines.quiet(say.error(refused))  # also once the place for files is closed
        _picture(a, b, say)


def _ran() -> tuple[Trace, Trace, AttnvizError | None]:
    """Both runs of the texts on the page; where these sides cannot read them, of the last that they could, and why.

    Raises:
        AttnvizError: there is none before them either.
    """
    now, shown = COMPARE.asked, COMPARE.shown
    try:
        traces = _both(now)
    except InputError as problem:
        if is_file(now.a) or is_file(now.b):  # there is no other text to fall back on
            raise
        is_same = (shown.a, shown.b) == (now.a, now.b) and shown != now
        last = shown if is_same else replace(now, text=page.first_text(now.a, now.b), other="")
        if last == now:
            raise
        traces = _both(last)
        COMPARE.fell_back(last)
        return *traces, problem
    COMPARE.answered(now)
    return *traces, None


def _both(now: Question) -> tuple[Trace, Trace]:
    """Both runs.

    Raises:
        InputError: one of them cannot read its text, or both read one word of it at most.
    """
    a, b = (traced(*each) for each in zip((now.a, now.b), page.texts(now), strict=True))
    if can_compare(a, b) and len(compare(a, b).units) < LEAST:
        raise InputError(id="one-word")
    return a, b


def _picture(a: Trace, b: Trace, say: Strings) -> None:
    page.note_picture(can_compare(a, b))
    if not can_compare(a, b):
        with st.container(key="compare-below"):
            no_common_text.show(say("compare-two-texts-two-models"), (a, b), say)
        return
    now, (text, other) = COMPARE.shown, page.texts(COMPARE.shown)
    compared = compare(a, b)
    cards = [(trace.card.id, trace.card.revision) for trace in (a, b)]
    key, pair = (now.a, now.b, *cards, text, other), page.BEGINNING.of(now, lambda brought, before: brought)
    many = None if compared.is_of_two_texts else over_sentences(now.a, now.b).result
    name = ("compare", *key, pair, visitor.language(), visitor.size(), many is not None)
    payload = runs().payloads.get(name, lambda: drawn(compared, many, pair, say).payload)
    question = {"a": now.a, "b": now.b, "text": text, "other": other}
    link = COMPARE.link({**visitor.link(), **{name: page.under(name) for name in page.UNDER}})
    component.view(payload, "compare-view", link=link, question=question)
    with st.container(key="compare-below"):
        if many is None and not compared.is_of_two_texts:
            coming(lambda: over_sentences(now.a, now.b), say)
        at = pair_in(component.followed("compare-follow")) or pair or first_pair(compared, many)
        for part in _parts(compared, many, key, at, say):
            try:
                part()
            except AttnvizError as problem:  # the other parts are shown all the same
                lines.alert(problem, say)
    component.follow("compare", "compare-follow", "compare-below")


def _parts(
    compared: Comparison, many: Similarity | None, key: tuple[object, ...], at: Pair, say: Strings
) -> Iterator[Callable[[], None]]:
    """What is under the picture, one after the other."""
    now, heads = COMPARE.shown, (at.layer_a, at.head_a, at.layer_b, at.head_b)
    has_file = is_file(now.a) or is_file(now.b)
    if compared.is_of_two_texts and not has_file:
        yield lambda: causes.show(compared, say, shown=heads)
    if compared.is_same_shape and can_measure(compared):
        yield lambda: tables.moved(compared, say, shown=heads)
    if many is not None or (can_measure(compared) and not compared.is_of_two_texts):
        yield lambda: tables.matches(many or _on_text.get(key, lambda: compared.similarity), say, shown=heads)
    if has_file:
        yield lambda: lines.note(say("compare-file-no-effect"))
    else:
        yield lambda: effect.show(compared, at, say)
