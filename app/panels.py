"""What all pages draw the same way: errors, notices, the token table, and where a picture's numbers come from.

Text that a person typed is only ever shown escaped, never as Markdown.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st
from attnviz_app import state
from attnviz_app.runs import runs

from attnviz.core.errors import AttnvizError, LimitError
from attnviz.core.trace import Trace
from attnviz.text import Strings, negotiate, strings

log = logging.getLogger(__name__)


@contextmanager
def error_boundary() -> Iterator[None]:
    """Show a card instead of a traceback; the log gets type and place, not the message: that may hold a text."""
    try:
        yield
    except AttnvizError as error:
        error_card(error, _say())
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        log.error("%s at %s:%s in %s", type(error).__name__, place.filename, place.lineno, place.name)
        say = _say()
        detail = f"{type(error).__name__} ({place.name}:{place.lineno})"
        error_card(AttnvizError(say("error-internal")), say, detail=detail)


def error_card(error: AttnvizError, say: Strings, *, can_retry: bool = True, detail: str = "") -> None:
    """One sentence on what failed and what to do, a way to try again, and the technical detail folded away."""
    detail = detail or f"{type(error).__name__}" + (f" ({error.id})" if error.id else "")
    with st.container(key="error-card"):
        st.html(
            f'<div class="av-card" role="alert"><h2>{escape(say("error-title"))}</h2>'
            f"<p>{escape(say.error(error))}</p>"
            f"<details><summary>{escape(say('error-details'))}</summary><code>{escape(detail)}</code></details></div>"
        )
        if can_retry:
            st.button(say("error-retry"), key="error-retry")


def title(text: str, *, is_shown: bool = True) -> None:
    """The one heading of a page; not shown where the picture has its own, and read aloud all the same."""
    st.html(f'<h1 class="{"av-title" if is_shown else "av-hidden"}">{escape(text)}</h1>')


@contextmanager
def waiting(say: Strings) -> Iterator[None]:
    """One line and a hatched field while the model is loaded; its style sheet keeps it unseen for the first 300 ms."""
    place = st.empty()
    model = state.wanted().model
    if not runs().has_model(model):
        line = escape(say("loading-model", model=model))
        place.html(f'<div class="av-wait" role="status"><p>{line}</p><div class="av-hatched"></div></div>')
    try:
        yield
    finally:
        place.empty()


def problem_line(problem: AttnvizError | None, say: Strings) -> None:
    """One line that says why the picture is still the last one, and what was corrected in the link."""
    if problem is not None:
        is_example = any(state.read().text == say(f"example-{name}-text") for name in state.EXAMPLES)
        kept = say("notice-example" if is_example else "notice-last-good")
        text = f"<b>{escape(say.error(problem))}</b> {escape(kept)}"
        with st.container(key="problem", horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="av-line" role="alert"><span>{text}</span></p>')
            if isinstance(
                problem, LimitError
            ):  # the same text can be shown later, and Enter alone would not send it again
                st.button(say("error-retry"), key="error-retry")
    for id, arguments in state.take_notices():
        st.html(f'<p class="av-line av-quiet" role="status"><span>{escape(say(id, **dict(arguments)))}</span></p>')


def provenance(trace: Trace, say: Strings) -> None:
    """This run's own check, and whose weights these are."""
    card, parts = trace.card, []
    if trace.verified is not None:
        check = say("verified", difference=trace.verified.difference, rows=trace.verified.rows)
        parts.append(f"<span>{escape(check)}</span>")
    about = " · ".join(filter(None, (card.source or card.name, card.revision[:7], card.licence)))
    parts.append(f'<span class="av-end" lang="en">{escape(about)}</span>')
    st.html(f'<div class="av-foot">{"".join(parts)}</div>')


def token_table(trace: Trace, say: Strings) -> None:
    """Every token of the text behind one button: place, piece, id, span, bytes, and whether the model knows it."""
    tokens = trace.tokens.source
    with st.popover(say("token-table"), key="token-table"):
        names = ("position", "piece", "id", "span", "bytes", "unknown")
        head = "".join(f'<th scope="col">{escape(say("token-" + name))}</th>' for name in names)
        rows = "".join(f"<tr>{_token_row(trace, index, say)}</tr>" for index in range(len(tokens)))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        st.html(f'<div class="av-tokens" tabindex="0">{table}</div>')


def _token_row(trace: Trace, index: int, say: Strings) -> str:
    tokens = trace.tokens.source
    start, end = tokens.spans[index]
    written = tokens.source[start:end].encode("utf-8", "replace")
    piece = tokens.pieces[index] if tokens.pieces else tokens.text[index]
    spelling = f" <small>{escape(piece)}</small>" if piece != tokens.text[index] else ""
    is_added = start == end
    cells = (
        str(index + 1),
        f"<bdi>{escape(tokens.text[index])}</bdi>{spelling}",
        str(tokens.ids[index]),
        "–" if is_added else f"{start}–{end}",
        "–" if is_added else f"<code>{written[:16].hex(' ')}{'…' if len(written) > 16 else ''}</code>",
        escape(say("token-yes")) if tokens.unknown[index] else "",
    )
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _say() -> Strings:
    """The catalogue of the screen, also where the state could not be made."""
    try:
        return strings(state.read().language, strict=False)
    except KeyError:
        return strings(negotiate(st.context.locale), strict=False)
