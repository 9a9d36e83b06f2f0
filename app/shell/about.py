"""The tables of the About page: what is installed, offered and allowed here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import PackageNotFoundError, version

import streamlit as st
from attnviz_app.serving.runs import runs
from attnviz_app.settings import settings
from pydantic import ByteSize

from attnviz.text import Strings, figure

PACKAGES = ("attnviz", "torch", "transformers", "streamlit")
MODEL_COLUMNS = (
    "model", "layers", "heads", "parameters", "max-tokens", "languages", "licence", "source", "revision", "probe",
)  # fmt: skip
SECTIONS = ("not-proof", "numbers", "privacy")


def words(say: Strings) -> None:
    """What attention does not prove, where the numbers come from, what happens to a sentence."""
    parts = "".join(f"<h2>{escape(say(f'about-{it}'))}</h2><p>{escape(say(f'about-{it}-text'))}</p>" for it in SECTIONS)
    st.html(f'<div class="av-prose"><h1>{escape(say("about-title"))}</h1>{parts}</div>')


def models(say: Strings) -> None:
    """The models offered here, with their licences; those beside the first are described once they are loaded."""
    head = [say(f"about-{it}") for it in MODEL_COLUMNS]
    rows: list[tuple[str, ...]] = []
    for name in settings().models:
        if name != settings().models[0] and not runs().has_model(name):
            rows.append((name,))
            continue
        card = runs().model(name).card
        probe = "–" if card.probe_difference is None else figure(card.probe_difference)
        size = (str(card.n_layers), str(card.n_heads), f"{card.parameters:,}", str(card.max_tokens or "–"))
        languages = ", ".join(_language(code, say) for code in card.languages)
        rows.append((card.name, *size, languages, card.licence, card.source, card.revision[:12], probe))
    _table(say("about-models"), head, [(*row, *("–",) * (len(head) - len(row))) for row in rows])


def limits(say: Strings) -> None:
    """What the operator allows."""
    now = settings()
    rows = (
        (say("about-limits-models"), ", ".join(now.models)),
        (say("about-limits-characters"), f"{now.max_characters:,}"),
        (say("about-limits-tokens"), f"{now.max_tokens:,}"),
        (say("about-limits-untrained-tokens"), f"{now.untrained_tokens:,}"),
        (say("about-limits-long-tokens"), f"{now.long_tokens:,}"),
        (say("about-limits-cache"), _size(now.trace_cache)),
        (say("about-limits-training"), say("about-on" if now.training else "about-off")),
        (say("about-limits-training-steps"), f"{now.training_steps:,}"),
        (say("about-limits-training-seconds"), f"{now.training_seconds:,.0f}"),
        (say("about-limits-training-queue"), f"{now.training_queue:,}"),
        (say("about-limits-training-store"), _size(now.training_store)),
    )
    _table(say("about-limits"), (say("about-limit"), say("about-value")), rows)


def versions(say: Strings) -> None:
    """The versions that made what is on the screen."""
    _table(say("about-versions"), (say("about-package"), say("about-version")), [(it, _version(it)) for it in PACKAGES])


def _language(code: str, say: Strings) -> str:
    """A language's name in the person's own; its code where the catalogues do not name it."""
    id = f"about-language-{code.split('-')[0].lower()}"
    return say(id) if id in say else code


def _size(size: ByteSize) -> str:
    """268435456 -> "256 MiB"."""
    return size.human_readable(separator=" ").replace(".0 ", " ")


def _cell(text: str) -> str:
    """One cell; an address is a link."""
    if not text.startswith("https://"):
        return escape(text)
    return f'<a href="{escape(text)}" rel="noreferrer">{escape(text.removeprefix("https://"))}</a>'


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "–"


def _table(title: str, head: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    above = f"<h2>{escape(title)}</h2>" if title else ""
    st.html(f'<div class="av-prose">{above}<div class="av-scroll" tabindex="0">{table}</div></div>')
