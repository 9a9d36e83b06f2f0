"""What all pages draw the same way: errors, notices, what is still to come, the token table, where numbers come from.

Text that a person typed is only ever shown escaped, never as Markdown.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import streamlit as st
from attnviz_app.host import events, lines, visitor
from attnviz_app.jobs.queue import Measured
from attnviz_app.log import failure
from attnviz_app.notice import Notice, verified
from attnviz_app.serving import checkpoints, model_menu
from attnviz_app.serving.gate import tell_waiting
from attnviz_app.serving.runs import progress, runs
from attnviz_app.serving.surveys import SEQUENCES
from attnviz_app.serving.training_names import short_label
from attnviz_app.serving.truncation import Cut, cut_of

from attnviz.core.errors import AttnvizError, LimitError, UnknownWords
from attnviz.engine.messages import EngineError
from attnviz.scratch.variants import of_variant
from attnviz.text import Strings
from attnviz.trace.run_facts import Card
from attnviz.trace.tokens import Tokens, meaning_of
from attnviz.trace.trace import Trace

POLL_SECONDS = 1.0  # between two lines that say how far a measurement is: only a run that a page asks for can show it
SHORT_LIST = 40  # known words up to which they stand in the sentence itself


@contextmanager
def error_boundary(also: Callable[[AttnvizError], None] | None = None) -> Iterator[None]:
    """Show a card instead of a traceback.

    Args:
        also: draws into the card what can be done about an error.
    """
    try:
        yield
    except AttnvizError as error:
        error_card(error, visitor.say(), also=also)
    except Exception as error:
        place, say = failure(error), visitor.say()
        detail = f"{type(error).__name__} ({place.name}:{place.lineno})"
        error_card(AttnvizError(id="internal"), say, detail=detail)


def error_card(
    error: AttnvizError, say: Strings, *, can_retry: bool = True, detail: str = "",
    also: Callable[[AttnvizError], None] | None = None,
) -> None:  # fmt: skip
    """One sentence on what failed and what to do, a way to try again, and the technical detail folded away."""
    detail = detail or f"{type(error).__name__} ({error.id})"
    with st.container(key="error-card"):
        st.html(
            f'<div class="av-card" role="alert"><h2>{escape(say("error-title"))}</h2>'
            f"<p>{escape(say.error(error))}</p>"
            f"<details><summary>{escape(say('error-details'))}</summary><code>{escape(detail)}</code></details></div>"
        )
        if also is not None:
            also(error)
        if can_retry:
            st.button(say("error-retry"), key="error-retry")


def dialog(title: str, draw: Callable[[], None], *, asked: Callable[[], object], close: Callable[[], None]) -> None:
    """A closer look over the page; Escape closes it, and none that was opened since.

    Args:
        draw: runs again by itself: Streamlit keeps it, so it takes nothing large.
        asked: which look is asked for.
    """
    opened = asked()

    def content() -> None:
        with error_boundary():
            events.apply()
            if asked() != opened:
                st.rerun()
            draw()

    def dismissed() -> None:
        if asked() == opened:
            close()

    st.dialog(title, width="large", on_dismiss=events.later(dismissed))(content)()


def first_part(problem: AttnvizError, text: str, ask: Callable[[Cut], None], say: Strings) -> None:
    """A button that shows as much of a text as is taken, where that kept it from being shown."""
    cut = cut_of(problem, text)
    if cut is not None:
        st.button(say("cut-show"), key="cut-show", type="primary", on_click=events.later(ask), args=(cut,))


def title(text: str, *, is_shown: bool = True) -> None:
    """The one heading of a page; not shown where the picture has its own, and read aloud all the same."""
    st.html(f'<h1 class="{"av-title" if is_shown else "av-hidden"}">{escape(text)}</h1>')


@contextmanager
def opening(models: Sequence[str]) -> Iterator[Callable[[Sequence[str]], None]]:
    """What is seen of a page until its picture comes, or a line of its own on what it waits for: see shell.css.

    Args:
        models: that it shows, by the names of a link, which may say anything.

    Yields: what says that they are others.
    """
    place, say = st.empty(), visitor.say()

    def show(models: Sequence[str]) -> None:
        line = loading_line(models, say) or say("page-coming")
        place.html(f'<p class="av-opening" role="status">{escape(line)}</p>')

    show(models)
    try:
        yield show
    finally:
        place.empty()


def loading_line(models: Sequence[str], say: Strings) -> str:
    """That the first of these models that is not in memory is loaded; "" where all are, or unknown here."""
    of_sides = (of_variant(checkpoints.model_of(name)) for name in models)
    missing = (name for name in of_sides if name in model_menu.ALLOWED and not runs().has_model(name))
    return next((say("loading-model", model=short_label(name, say)) for name in missing), "")


@contextmanager
def waiting(model: str, say: Strings) -> Iterator[None]:
    """What is seen while the model is loaded, how much of it has come where it comes from a hub, and how many wait."""
    label = short_label(model, say)
    with placeholder("" if runs().has_model(model) else say("loading-model", model=label)) as show:
        here = threading.get_ident()

        def tell(came: int, total: int) -> None:
            if threading.get_ident() == here:  # what Streamlit shows belongs to this thread
                show(say("fetching-model", model=label, came=megabytes(came), total=megabytes(total)))

        told, told_waiting = progress.set(tell), tell_waiting.set(lambda n: show(say("queue-waiting", n=n)))
        try:
            yield
        finally:
            progress.reset(told)
            tell_waiting.reset(told_waiting)


def megabytes(n_bytes: int) -> float:
    return round(n_bytes / 1e6, 1 if n_bytes < 1e7 else None)


@contextmanager
def placeholder(line: str) -> Iterator[Callable[[str], None]]:
    """A line over a hatched field, unless there is none; its style sheet keeps it unseen for the first 300 ms.

    Yields: what puts another line there.
    """
    place = st.empty()

    def show(line: str) -> None:
        place.html(f'<div class="av-wait" role="status"><p>{escape(line)}</p><div class="av-hatched"></div></div>')

    if line:
        show(line)
    try:
        yield show
    finally:
        place.empty()


@contextmanager
def writing(n: int, cancel: Callable[[], None], say: Strings) -> Iterator[Callable[[int], None]]:
    """A line over the page with how many of n tokens are written, and the button that cancels it.

    Yields: what says how many there are; an event that came meanwhile ends the run there.
    """
    over = st.empty()
    with over.container(key="writing", horizontal=True, vertical_alignment="center"):
        place = st.empty()

        def tell(done: int) -> None:
            bar = lines.bar(done, n, say("heads-writing-bar"))
            place.html(f'<p class="av-progress" role="status">{say("heads-writing", done=done, n=n)}</p>{bar}')

        tell(0)
        st.button(say("heads-writing-stop"), key="writing-stop", on_click=events.later(cancel))
        yield tell
    over.empty()


def coming(ask: Callable[[], Measured[Any]], say: Strings, *, says: str = "heads-coming") -> None:
    """One line; while a measurement goes on it is drawn again every second, and the page once it is done.

    Args:
        ask: looks at how far it is. It may be kept by Streamlit, so it takes nothing large.
        says: the message that says it, of texts or of runs that are done.
    """
    now = ask()
    if now.error is not None:
        lines.note(say.error(now.error), is_status=True)
        return

    def follow() -> None:
        events.apply()
        measured, words = ask(), visitor.say()
        if not measured.is_coming:
            st.rerun()
        st.html(_progress(measured, words, says))

    st.fragment(follow, run_every=POLL_SECONDS)()


def _progress(measured: Measured[Any], say: Strings, says: str) -> str:
    counted = {"done": measured.done, "total": measured.total, "repeats": SEQUENCES}
    said = say(says, **counted) if measured.total else say("heads-coming-first")
    bar = lines.bar(measured.done, max(measured.total, 1), say("heads-coming-bar"))
    return f'<p class="av-progress" role="status">{escape(said)}</p>{bar}'


def text_problem(problem: AttnvizError, say: Strings, *, also: Callable[[], None] | None = None) -> None:
    """One line that says why a text is not the one in the picture."""
    text = f"<b>{escape(reason(problem, say))}</b> {escape(say('notice-not-this-text'))}{_known_words(problem, say)}"
    with st.container(key="problem", horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="av-line" role="alert"><span>{text}</span></div>')
        if also is not None:
            also()
        if isinstance(problem, LimitError | EngineError):  # it can pass; Enter alone would not send the same text again
            st.button(say("error-retry"), key="error-retry")


def notices(told: list[Notice], say: Strings) -> None:
    for id, arguments in told:
        said = dict(arguments)
        if f"model-{said.get('shown')}" in say:
            said["shown"] = say(f"model-{said['shown']}")
        lines.quiet(say(id, **said))


def doubled_start(trace: Trace, say: Strings) -> None:
    """That the text has the start token that the tokenizer adds."""
    tokens = trace.tokens.source
    if tokens.starts_twice:
        lines.quiet(say("notice-starts-twice", token=tokens.text[0]), role="note")


def cut_line(cut: Cut | None, n_shown: int, say: Strings) -> None:
    """How much of the typed text is in the picture, where that is not the whole of it."""
    if cut is None:
        return
    unit = "tokens" if cut.counts_tokens else "characters"
    shown = n_shown if cut.counts_tokens else len(cut.part)
    text = f"<b>{escape(say(f'cut-{unit}', shown=shown, n=cut.n))}</b> {escape(say('cut-rest'))}"
    st.html(f'<div class="av-line" role="status"><span>{text}</span></div>')


def reason(problem: AttnvizError, say: Strings) -> str:
    """What is wrong in a sentence; a long list of known words is left to those who ask for it."""
    if _is_long_list(problem):
        return say("unknown-words-short", model=problem.arguments["model"], words=problem.arguments["words"])
    return say.error(problem)


def _is_long_list(problem: AttnvizError) -> bool:
    return isinstance(problem, UnknownWords) and int(problem.arguments.get("n", 0)) > SHORT_LIST


def _known_words(problem: AttnvizError, say: Strings) -> str:
    """The list itself, folded away."""
    if not _is_long_list(problem):
        return ""
    title = say("unknown-words-known", n=problem.arguments["n"])
    known = say("view-kit-list-separator").join(sorted(problem.arguments["every"], key=str.casefold))
    return f"<details><summary>{escape(title)}</summary>{escape(known)}</details>"


def provenance(trace: Trace, say: Strings) -> None:
    card = trace.card
    about = filter(None, (source(card, say) or say.named(card.name), card.revision[:7], card.licence))
    foot("".join(verified(trace, say)), " · ".join(about))


def source(card: Card, say: Strings) -> str:
    """Where a model's weights come from: an address, or the command that trained them here."""
    made, _, command = card.source.partition(": ")
    if made != "trained with AttnViz":
        return card.source
    return say("about-trained", command=command) if command else say("about-trained-here")


def foot(left: str, right: str) -> None:
    """The last line of a page: a check, and where the numbers come from."""
    end = f'<span class="av-end">{escape(right)}</span>'
    st.html(f'<div class="av-foot"><span>{escape(left)}</span>{end}</div>')


def token_table(trace: Trace, say: Strings) -> None:
    """Every token of each text behind one button: place, piece, id, span, bytes, and whether the model knows it."""
    with st.popover(say("token-table"), key="token-table"):
        names = ("position", "piece", "id", "span", "bytes", "unknown")
        head = "".join(f'<th scope="col">{escape(say("token-" + name))}</th>' for name in names)
        tables = ""
        for tokens in filter(None, (trace.tokens.source, trace.tokens.target)):
            rows = "".join(f"<tr>{_token_row(tokens, index, say)}</tr>" for index in range(len(tokens)))
            tables += f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        st.html(f'<div class="av-tokens" tabindex="0">{tables}</div>')


def _token_row(tokens: Tokens, index: int, say: Strings) -> str:
    start, end = tokens.spans[index]
    written = tokens.source[start:end].encode("utf-8", "replace")
    piece = tokens.pieces[index] if tokens.pieces else tokens.text[index]
    spelling = f" <small>{escape(piece)}</small>" if piece != tokens.text[index] else ""
    meaning, is_added = meaning_of(tokens.text[index]), start == end
    name = escape(tokens.text[index])
    cells = (
        str(index + 1),
        (f'<bdi title="{escape(say(f"view-kit-token-{meaning}"))}">{name}</bdi>' if meaning else f"<bdi>{name}</bdi>")
        + spelling,
        str(tokens.ids[index]),
        "–" if is_added else f"{start}–{end}",
        "–" if is_added else f"<code>{written[:16].hex(' ')}{'…' if len(written) > 16 else ''}</code>",
        escape(say("token-yes")) if tokens.unknown[index] else "",
    )
    return "".join(f"<td>{cell}</td>" for cell in cells)
