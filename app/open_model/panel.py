"""What is drawn to open a model: the entry in a menu, its dialog, and how far a model is that is fetched and loaded."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from html import escape

import streamlit as st
from attnviz_app.host import events, lines, visitor
from attnviz_app.notice import Notice
from attnviz_app.open_model import state
from attnviz_app.open_model.state import OTHER
from attnviz_app.serving.opened_models import LONGEST, opened_models
from attnviz_app.serving.openings import Opening, openings
from attnviz_app.serving.training_names import short_label
from attnviz_app.settings import settings
from attnviz_app.shell import controls, panels

from attnviz.catalog import LocalModel
from attnviz.text import Strings

POLL_SECONDS = 0.5  # between two lines that say how much has come: only a run that a page asks for can show it
FIELD, FORM = "open-model-name", "open-model-form"
PATHS = ("file", "folder")  # arguments of an error
MARKUP = re.compile(r"([\\`*_{}\[\]()#+.!<>~|:$&^-])")


def menu(
    name: str, value: str, options: tuple[str, ...], choose: Callable[[str], None], say: Strings, *, label: str,
    name_of: Callable[[str], str],
) -> None:  # fmt: skip
    """A menu of models whose second entry opens another one, on a computer of the person's own.

    Args:
        choose: asks for a model, one of the menu or one that was opened.
    """

    def chosen(model: str) -> None:
        state.ask(name) if model == OTHER else choose(model)

    labels: dict[str, str] = {}
    for model in options:  # the browser tells models apart by their labels
        short = name_of(model)
        labels[model] = f"{short} ({model})" if short in labels.values() else short
        if model == options[0] and state.is_possible():
            labels[OTHER] = say("open-model")  # a long list hides its end
    controls.menu(
        name, value, tuple(labels), chosen, say, label=label, name_of=lambda model: labels.get(model, model),
    )  # fmt: skip
    if state.is_asked_by(name):
        dismissed = events.later(partial(state.close, name))
        st.dialog(say("open-model-title"), width="medium", on_dismiss=dismissed)(_content)(choose)


def offer(told: Sequence[Notice], name: str, say: Strings) -> None:
    """A button for each model that a link names and that is not in the menu: it opens the dialog with that name."""
    for at, (_, said) in enumerate(told):
        arguments = dict(said)
        asked = str(arguments.get("asked", ""))[:LONGEST]
        if state.could_open(asked):
            label, menu_name = say("open-model-offer", model=_plain(asked[:60])), str(arguments.get("menu", name))
            st.button(label, key=f"{name}-offer-{at}", on_click=events.later(state.ask), args=(menu_name, asked))


def _content(choose: Callable[[str], None]) -> None:
    with panels.error_boundary():
        events.apply()
        say = visitor.say()
        with st.container(key="open-model"):
            _field(say)
            lines.note(say("open-model-hint"))
            _status(choose, say)
            _opened(say)
            lines.head(say("open-model-here"))
            place = st.empty()
            place.html(f'<p class="av-note" role="status">{escape(say("open-model-looking"))}</p>')
            models = state.here()
            with place.container(key="local-models"):
                _computer(models, say)


def _field(say: Strings) -> None:
    key = events.put(FIELD, state.typed())
    with st.form(FORM, border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            say("open-model-field"), state.typed(), key=key, max_chars=LONGEST, autocomplete="off",
        )  # fmt: skip
        opens = events.later(state.open, FIELD)
        st.form_submit_button(say("open-model-open"), key="open-model-open", on_click=opens)


def _status(choose: Callable[[str], None], say: Strings) -> None:
    """How far the model is; one that is there is asked for by the next run, which closes the dialog."""
    job = state.opening()
    if job is not None and job.state == "finished":
        events.later(lambda: choose(state.finished()))()
        st.rerun()
    if job is not None:
        progress(job.asked, say)


def _opened(say: Strings) -> None:
    names = opened_models().names
    if not names:
        return
    lines.head(say("open-model-opened"))
    with st.container(key="opened-models"):
        for at, name in enumerate(names):
            remove = events.later(state.remove)
            st.button(
                say("open-model-remove", model=_plain(name)), key=f"opened-model-{at}", icon=":material/close:",
                type="tertiary", on_click=remove, args=(name,),
            )  # fmt: skip


def _computer(models: Sequence[LocalModel], say: Strings) -> None:
    """Those that can be opened, by their names; those that cannot with the reason, folded away."""
    if not models:
        lines.note(say("open-model-none"))
    reasons = [_reason(one, say) for one in models]
    for at, (one, why) in enumerate(zip(models, reasons, strict=True)):
        if not why:
            with st.container(key=f"local-model-{at}", gap=None):
                opens = events.later(state.open)
                st.button(_plain(one.name), key=f"local-{at}", type="tertiary", on_click=opens, args=(one.name,))
                st.html(_about(one, say))
    if any(reasons):
        with st.expander(say("open-model-not", n=sum(map(bool, reasons)))):
            for one, why in zip(models, reasons, strict=True):
                if why:
                    name = f'<p class="av-local-name"><bdi>{escape(one.name)}</bdi></p>'
                    st.html(f'{name}{_about(one, say)}<p class="av-note">{escape(why)}</p>')


def _reason(one: LocalModel, say: Strings) -> str:
    """Why a model cannot be opened, by its name instead of the path of its files; "" where it can."""
    limit = settings().model_cache
    if one.problem is not None:
        named = {key: one.name if key in PATHS else value for key, value in one.problem.arguments.items()}
        return say(f"error-{one.problem.id}", **named)
    if one.memory > limit:
        size, most = (round(n_bytes / 2**30, 1) for n_bytes in (one.memory, limit))
        return say("error-model-too-large-here", model=one.name, size=size, limit=most)
    return ""


def _about(one: LocalModel, say: Strings) -> str:
    """What it is, and beside that its size."""
    what = [one.source, one.architecture, *one.quantised[:1]]
    if one.parameters:
        what.append(say("open-model-parameters", n=_short(one.parameters)))
    disk, memory = _size(one.n_bytes), _size(one.memory)
    sizes = say("open-model-sizes", disk=disk, memory=memory) if one.memory else say("open-model-disk", disk=disk)
    about = escape(" · ".join(filter(None, what)))
    return f'<p class="av-local av-note"><span>{about}</span><span>{escape(sizes) if one.n_bytes else ""}</span></p>'


def _short(n: int) -> str:
    """A number of parameters as the names of models say it."""
    return f"{n / 1e9:.1f}B" if n >= 1e9 else f"{n / 1e6:.0f}M" if n >= 1e6 else f"{n:,}"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes >= 1e9 else f"{panels.megabytes(n_bytes):g} MB"


def _plain(text: str) -> str:
    """A text as a label shows it: Streamlit takes labels for Markdown."""
    return MARKUP.sub(r"\\\1", text)


# ------------------------------------------------------------------------------------------------------- how far it is


def begin(name: str) -> None:
    openings().open(name)


def progress(name: str, say: Strings) -> None:
    """How far a model is that is being opened, with a button that cancels it; once that ends the page is drawn again.

    Nothing where nobody opens it. Why it failed is a line here with a button that tries again.
    """
    job = openings().of(name)
    if job is not None and job.is_active:
        st.fragment(_follow, run_every=POLL_SECONDS)(name)
    elif job is not None and job.error is not None:
        with st.container(key="opening-failed", horizontal=True, vertical_alignment="center"):
            lines.alert(job.error, say)
            st.button(say("error-retry"), key="opening-retry", on_click=events.later(begin), args=(name,))


def _follow(name: str) -> None:
    events.apply()
    job, say = openings().of(name), visitor.say()
    if job is None or not job.is_active:
        st.rerun()
    with st.container(key="opening", horizontal=True, vertical_alignment="center"):
        st.html(_how_far(job, short_label(name, say), say))
        st.button(
            say("opening-cancel"), key="opening-cancel", on_click=events.later(openings().cancel), args=(name,),
        )  # fmt: skip


def _how_far(job: Opening, label: str, say: Strings) -> str:
    """One line and a bar; while the weights are read the bar says only that something goes on."""
    came, total = job.progress
    if job.state == "waiting":
        said = say("opening-waits", model=label)
    elif job.state == "stopping":
        said = say("opening-cancelling", model=label)
    elif came < total:
        said = say("fetching-model", model=label, came=panels.megabytes(came), total=panels.megabytes(total))
    else:
        said, came = say("loading-model", model=label), 0
    bar = lines.bar(came, max(total, 1), say("heads-coming-bar"))
    return f'<p class="av-progress" role="status">{escape(said)}</p>{bar}'
