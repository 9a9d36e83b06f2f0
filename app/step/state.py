"""Where the Step through page keeps what a person points at and asks for, in the session and in the link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from attnviz_app import page_state
from attnviz_app.host import heard, url
from attnviz_app.serving import missing_models, model_menu
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.settings import settings
from attnviz_app.step.query import NAMES, Stepping, asked, fitted, from_link, pointed, to_link

from attnviz.core.errors import AttnvizError
from attnviz.trace.trace import Trace
from attnviz.views import At

# Widget keys
MODEL, TEXT, SHOW, EXAMPLES = "step-model", "step-text", "step-show", "step-examples"
BY_WORD, GUESSES = "step-words", "step-guesses"
VIEW = "stepper-view"

OWN_LINK = url.Part("step", NAMES)
_KEPT, _GOOD, _MOUNTED, _REFUSED = (f"attnviz.step-{it}" for it in ("kept", "good", "mounted", "refused"))

UNTRAINED = ("untrained-encoder", "untrained-decoder", "untrained-encoder-decoder")
SMALL = ("translate-en-zh", "translate-zh-en", "reverse", "induction")  # numbers fit into cells
FOR_CHINESE = {"zh-CN": "translate-zh-en", "zh-TW": "translate-zh-en"}


def begin() -> Stepping:
    """Bring the link and the session together; called at the start of every run of the page."""
    query = OWN_LINK.query()
    if OWN_LINK.is_opened(query):
        _keep(from_link(query, stepping()))
        missing_models.note("step", {"on": query.get("on", "")}, models())
        st.session_state.pop(_MOUNTED, None)
        OWN_LINK.remember(query)
    return stepping()


def stepping() -> Stepping:
    """What is on the page."""
    kept: Stepping = st.session_state.get(_KEPT, Stepping())
    return kept


def change(**changes: Any) -> None:
    """Ask for something else; the link says it once it is shown."""
    _keep(replace(stepping(), **changes))


def put(new: Stepping) -> None:
    """Keep what was fitted to a run, and say it in the link."""
    _keep(new)
    _write()


def model() -> str:
    """The model whose steps are shown: the one chosen here, else the one chosen elsewhere, else the page's first."""
    named = stepping().model
    if named and named in models():
        return named
    if has_chosen_elsewhere():
        return page_state.read().model
    return first_model()


def first_model() -> str:
    """A shipped small model that reads the language of the page, where the operator offers it."""
    preferred = (FOR_CHINESE.get(page_state.read().language, SMALL[0]), *SMALL)
    return next((name for name in preferred if name in settings().models), settings().models[0])


def has_chosen_elsewhere() -> bool:
    """Whether the person has typed a sentence or chosen a model on another page."""
    now = page_state.read()
    return now.model != settings().models[0] or not model_menu.is_example(now.text)


def models() -> tuple[str, ...]:
    """The models of the menu: the small ones that ship first, then the others, then those that were never trained."""
    known = model_menu.models()
    small = [name for name in SMALL if name in known]
    return (*small, *(name for name in known if name not in (*small, *UNTRAINED)), *UNTRAINED)


def text() -> str:
    """The text on the page, as it was typed; else the model's first example."""
    now = stepping()
    if now.text:
        return now.text
    if not now.model and has_chosen_elsewhere():
        return page_state.read().text
    return first_text(model())


def first_text(name: str) -> str:
    return text_of(next(iter(examples_of(model_menu.task(name)))), page_state.say())


def choose_model(name: str) -> None:
    """Another model; its first example takes the place of a text that it cannot read. How one reads stays as it is."""
    missing_models.forget("step")
    now = stepping()
    _keep(Stepping(model=name, text=text(), tab=now.tab, by_word=now.by_word, guesses=now.guesses))


def good_text(name: str) -> str:
    """The last text that this model could read."""
    kept: dict[str, str] = st.session_state.setdefault(_GOOD, {})
    return kept.get(name, first_text(name))


def read_well(name: str, read: str) -> None:
    """Note a text that could be read."""
    st.session_state.setdefault(_GOOD, {})[name] = read


def point(said: Mapping[str, object], trace: Trace) -> None:
    """Take over what the picture says is picked and asked for; a browser may say anything."""
    heard.note(VIEW, said)
    now = pointed(stepping(), said)
    if "ask" in said:
        asks = said["ask"]
        now = asked(fitted(now, trace), asks if isinstance(asks, Mapping) else None, trace)
    _keep(now)
    _write()


def mounted(*key: object) -> At | None:
    """The cell a picture was mounted with: it stays while the person points inside, so that nothing is sent again."""
    kept = st.session_state.get(_MOUNTED)
    if kept is None or kept[0] != key:
        kept = st.session_state[_MOUNTED] = (key, stepping().at, heard.last(VIEW))
    at: At | None = kept[1]
    return at


def heard_then() -> int:
    """The last pick that had been heard of when the picture was mounted."""
    number: int = st.session_state[_MOUNTED][2]
    return number


def refuse(reason: AttnvizError) -> None:
    """Note why another lesson is shown than the one that was asked for."""
    st.session_state[_REFUSED] = (replace(stepping(), at=None, look=""), reason)


def refusal() -> AttnvizError | None:
    """Why another lesson is shown than the one that was asked for, until the reader goes on to something else."""
    place, reason = st.session_state.get(_REFUSED, (None, None))
    return reason if place == replace(stepping(), at=None, look="") else None


def _keep(new: Stepping) -> None:
    st.session_state[_KEPT] = new


def _write() -> None:
    """Put what is shown into the address bar, where it is not there already, with the last text that could be read."""
    now = stepping()
    OWN_LINK.write(to_link(replace(now, text=good_text(model())) if now.text else now))
