"""What the About page says: its prose, the models offered here, limits and versions."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import version

from attnviz_app.host import lines
from attnviz_app.serving import long_texts, model_menu
from attnviz_app.serving.runs import runs
from attnviz_app.serving.training_names import model_label, right
from attnviz_app.settings import PREFIX, settings
from attnviz_app.shell import panels
from pydantic import ByteSize

from attnviz.scratch.untrained import UntrainedModel
from attnviz.text import Strings, figure, sentences
from attnviz.trace.model_protocol import Model
from attnviz.training import bundled_models
from attnviz.training.trained_model import TrainedModel

PACKAGES = ("attnviz", "torch", "transformers", "streamlit")
LIMITS = {  # the rows of the table: which setting each is
    "characters": "max_characters", "tokens": "max_tokens", "untrained-tokens": "untrained_tokens",
    "long-tokens": "long_tokens", "cache": "trace_cache", "training": "training", "training-steps": "training_steps",
    "training-seconds": "training_seconds", "training-queue": "training_queue", "training-store": "training_store",
}  # fmt: skip
SECTIONS = ("what", "not-proof", "numbers", "privacy")


def words(say: Strings) -> None:
    """What attention does not prove, where the numbers come from, what happens to a sentence."""
    parts = (
        f"<h2>{escape(say(f'about-{section}'))}</h2><p>{escape(say(f'about-{section}-text'))}</p>"
        for section in SECTIONS
    )
    lines.prose(f"<h1>{escape(say('about-title'))}</h1>{_columns(parts)}")


def models(say: Strings) -> None:
    lines.prose(f"<h2>{escape(say('about-models'))}</h2>")
    cards = ""
    with panels.placeholder("") as show:
        for name in model_menu.ALLOWED.names:
            show(say("loading-model", model=model_label(name, say)))
            cards += _model(name, say)
    lines.prose(f'<div class="av-models">{cards}</div>')


def _model(name: str, say: Strings) -> str:
    """The card of one model; one that has to be fetched is described once it was opened."""
    here = (runs().offered[0], *bundled_models.names(), *long_texts.MODELS)
    if name not in here and not runs().has_model(name):
        facts = f"<p>{escape(say('about-not-opened'))}</p>"
    else:
        rows = (f"<dt>{escape(what)}</dt><dd>{_cell(fact)}</dd>" for what, fact in _facts(runs().model(name), say))
        facts = f"<dl>{''.join(rows)}</dl>"
    return f"<article><h3>{escape(model_label(name, say))}</h3>{facts}</article>"


def _facts(model: Model, say: Strings) -> list[tuple[str, str]]:
    """(name, what it is) of each fact of a model."""
    card = model.card
    size = (say("about-size"), say("about-size-is", layers=card.n_layers, heads=card.n_heads, n=f"{card.parameters:,}"))
    if isinstance(model, UntrainedModel):
        return [size, (say("about-source"), say("stepping-untrained", seed=card.revision))]
    proved = [say("about-proved-load", difference=figure(card.probe_difference or 0.0))]
    if isinstance(model, TrainedModel):
        proved = right(model.task.name, model.header["log"][-1]["accuracy"], say)
    languages = [_language(code, say) for code in card.languages]
    reads = say("view-kit-list-separator").join(languages) or say("about-symbols")
    if card.max_tokens is not None:
        reads = say("about-reads-at-most", languages=reads, n=f"{card.max_tokens:,}")
    types = say("view-kit-list-separator").join(card.quantised)
    stored = [(say("about-stored"), say("about-stored-is", types=types))] if card.quantised else []
    return [
        size,
        (say("about-reads"), reads),
        *stored,
        (say("about-proved"), sentences(*proved)),
        (say("about-source"), panels.source(card, say)),
        (say("about-revision"), card.revision[:12]),
        (say("about-licence"), card.licence),
    ]


def figures(say: Strings) -> None:
    """What the operator allows, and what runs here."""
    packages = [(package, version(package)) for package in PACKAGES]
    lines.prose(_columns([
        _table(say("about-limits"), (say("about-limit"), say("about-value"), say("about-set-by")), _limits(say)),
        _table(say("about-versions"), (say("about-package"), say("about-version")), packages),
    ]))  # fmt: skip


def _limits(say: Strings) -> list[tuple[str, str, str]]:
    limits = [(id, name, getattr(settings(), name)) for id, name in LIMITS.items()]
    return [(say(f"about-limits-{id}"), _limit(value, say), f"{PREFIX}{name.upper()}") for id, name, value in limits]


def _limit(value: int | float | None, say: Strings) -> str:
    if value is None:
        return say("about-limits-by-memory")
    if isinstance(value, bool):
        return say("about-on" if value else "about-off")
    return _size(value) if isinstance(value, ByteSize) else f"{value:,.0f}"


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


def _columns(parts: Iterable[str]) -> str:
    """Parts side by side where there is room."""
    return f'<div class="av-columns">{"".join(f"<section>{part}</section>" for part in parts)}</div>'


def _table(title: str, head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h2>{escape(title)}</h2><div class="av-scroll" tabindex="0">{table}</div>'
