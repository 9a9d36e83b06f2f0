"""Where the Compare page keeps what a person chose and points at, in the session and in the link."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from attnviz_app import page_state
from attnviz_app.compare import files
from attnviz_app.compare.query import NAMES, Comparing, from_link, pointed, to_link
from attnviz_app.compare.sides import Known, first_sides, menu_name, own_name, text_of_file
from attnviz_app.host import events, heard, url
from attnviz_app.serving import checkpoints, missing_models
from attnviz_app.serving.allowed_models import offer
from attnviz_app.serving.examples import examples_of, task_of, text_of
from attnviz_app.serving.trace_files import is_file
from streamlit.runtime.uploaded_file_manager import UploadedFile

# Widget keys
A, B, TEXT, SHOW, OTHER, EFFECT_START, SWAP, BASELINE, OURS_BUTTON, EXAMPLES, TABLE, FILES = (
    f"compare-{it}" for it in (
        "a", "b", "text", "show", "other", "effect-start", "swap", "baseline", "ours", "examples", "table", "files",
    )
)  # fmt: skip
STEP = {"a": "compare-a-step", "b": "compare-b-step"}
FILE = {"a": "compare-a-file", "b": "compare-b-file"}
LAST = ""  # of the steps: the model as its training left it
FIRST_UNSPACED = 0x2E80  # code points from here on: Chinese, Japanese and their neighbours
VIEW, EXACT = "compare-view", "compare-exact"

OWN_LINK = url.Part("compare", NAMES)
_KEPT, _GOOD, _MOUNTED, _ASKED = (f"attnviz.compare-{it}" for it in ("kept", "good", "mounted", "asked"))


def begin() -> None:
    """Bring the link and the session together; called at the start of every run of the page."""
    events.take()
    query = OWN_LINK.query()
    if OWN_LINK.is_opened(query):
        keep(from_link(query, Known()))
        missing_models.note("compare", {side: query.get(side, "") for side in ("a", "b")}, Known())
        OWN_LINK.remember(query)
        st.session_state.pop(_MOUNTED, None)  # the picture takes its pair from the link
    now = comparing()
    language = page_state.read().language
    for place, key, side in (("a", A, now.a), ("b", B, now.b)):
        at = checkpoints.parsed(side)
        events.put(key, menu_name(side), language=language)
        events.put(STEP[place], LAST if at is None else at[0], language=f"{language} {menu_name(side)}")
    text, of_b = texts(now)
    events.put(TEXT, text)
    events.put(OTHER, now.other if not is_file(now.b) else "" if of_b == text else of_b)


def comparing() -> Comparing:
    """What is on the page, with what the page chose by itself."""
    now: Comparing = st.session_state.get(_KEPT, Comparing())
    known, first = Known(), first_sides()
    a = now.a if now.a in known else first[0]
    b = now.b if now.b in known else (first[1] if a == first[0] else a)
    return replace(now, a=a, b=b, text=now.text or first_text(a, b))


def texts(now: Comparing) -> tuple[str, str]:
    """What A reads and what B reads. The text of a trace file stands, and a model beside one reads it too."""
    of_a, of_b = text_of_file(now.a), text_of_file(now.b)
    text = next((it for it in (of_a, of_b) if it is not None), now.text)
    return text, of_b if of_b is not None else (now.other or text)


def keep(now: Comparing) -> None:
    """Keep what is asked for now."""
    st.session_state[_KEPT] = now


def change(**changes: Any) -> None:
    """Ask for something else; other sides and texts have other heads to point at."""
    now = replace(comparing(), **changes)
    if {"a", "b"} & changes.keys():
        now = replace(now, heads=None)
    keep(replace(now, spot=None))


def choose(side: str, name: str) -> None:
    """Another model on a side; a text that nobody typed makes room for one that both sides read."""
    missing_models.forget("compare")
    now = comparing()
    is_own = now.text != first_text(now.a, now.b)
    change(**{side: name})
    if not is_own:
        change(text="")


def choose_step(side: str, step: object) -> None:
    """The same model at another step of its training."""
    own = menu_name(getattr(comparing(), side))
    change(**{side: checkpoints.named(step, own) if isinstance(step, int) else own})


def take_file(file: UploadedFile | None, place: str) -> None:
    """Put a trace file on a side, or take it away again."""
    side = files.take(file, place)
    if side is not None:
        missing_models.forget("compare")
        change(**{place: side})


def swap() -> None:
    """A for B, with what each reads and which head is picked."""
    missing_models.forget("compare")
    now = comparing()
    heads = None if now.heads is None else (*now.heads[2:], *now.heads[:2])
    text, other = (now.other, now.text) if now.other else (now.text, "")
    keep(replace(now, a=now.b, b=now.a, text=text, other=other, heads=heads))


def first_text(a: str, b: str) -> str:
    """The first prepared text of the side that reads least: a small model knows few words."""
    own = [own_name(name) for name in (a, b)]
    tasks = [offer().task(name) or task_of(name) for name in own]
    name, task = next(((name, task) for name, task in zip(own, tasks, strict=True) if task), (own[0], None))
    texts = [text_of(example, page_state.say()) for example in examples_of(task, name)]
    return next((text for text in texts if _has_words(text)), " ".join(texts[0]))  # symbols are read one by one anyway


def _has_words(text: str) -> bool:
    """Whether a text has several words for any tokenizer: a space between them, or a script without spaces."""
    return " " in text.strip() or any(ord(character) >= FIRST_UNSPACED for character in text)


def examples() -> tuple[str, ...]:
    """The prepared texts of the side that reads least, by name."""
    now = comparing()
    own = [own_name(name) for name in (now.a, now.b)]
    name = next((name for name in own if offer().task(name) or task_of(name)), own[0])
    return tuple(examples_of(offer().task(name) or task_of(name), name))


def point(picture: object, revision: str, drawn_from: tuple[str, str]) -> None:
    """Take over what the picture says is picked; a browser may say anything, and say it of an earlier picture.

    Args:
        revision: of the picture that can be meant; drawn_from: its sides, which may have been changed since.
    """
    said, now = getattr(picture, "selection", None), comparing()
    if not isinstance(said, Mapping):
        return
    heard.note(VIEW, said)
    if said.get("revision") == revision and (now.a, now.b) == drawn_from:
        keep(pointed(now, said))


def pick(heads: tuple[int, int, int, int]) -> None:
    """Point at another pair from outside the picture, which takes it over."""
    now = comparing()
    keep(replace(now, heads=heads))
    st.session_state.pop(_MOUNTED, None)


def mounted(*key: object) -> Comparing:
    """What a picture was mounted with: it stays while the person points inside, so that nothing is sent again."""
    kept = st.session_state.get(_MOUNTED)
    if kept is None or kept[0] != key:
        kept = st.session_state[_MOUNTED] = (key, comparing(), heard.last(VIEW))
    first: Comparing = kept[1]
    return first


def heard_then() -> int:
    """The last pick that had been heard of when the picture was mounted."""
    number: int = st.session_state[_MOUNTED][2]
    return number


def ask(asked: Hashable) -> None:
    """Note which heads are to be silenced."""
    st.session_state[_ASKED] = asked


def asked() -> Hashable | None:
    """The heads that were asked for last."""
    noted: Hashable | None = st.session_state.get(_ASKED)
    return noted


def read_well(text: str, other: str) -> None:
    """Note texts that both sides could read."""
    now = comparing()
    st.session_state[_GOOD] = (now.a, now.b, text, other)


def good() -> tuple[str, str]:
    """The last texts that these two sides could read."""
    now = comparing()
    a, b, text, other = st.session_state.get(_GOOD, ("", "", "", ""))
    return (text, other) if (a, b) == (now.a, now.b) else (first_text(now.a, now.b), "")


def write() -> None:
    """Put what is shown into the address bar, where it is not there already. A trace file stands in no link."""
    now = comparing()
    text, other = good()
    a, b = ("" if is_file(name) else name for name in (now.a, now.b))
    OWN_LINK.write(to_link(replace(now, a=a, b=b, text=text, other=other)))
