"""Mounts the views and the small components of the frame in a Streamlit page."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import streamlit as st
from attnviz_app.host import charts, events, url, visitor

from attnviz import views
from attnviz.text import LANGUAGES, Strings
from attnviz.views.pack import amended
from attnviz.views.panel import Block, Chart

# The module behind it picks the view by the payload's own header.
_view = st.components.v2.component(
    "attnviz.view", html='<div class="attnviz-mount"></div>', js="hosts/streamlit.js", css="hosts/waiting.css"
)

# The same without a shadow root: the Tab key in a dialog of Streamlit does not look into one.
_panel = st.components.v2.component(
    "attnviz.panel", html='<div class="attnviz-mount"></div>', js="hosts/streamlit.js", isolate_styles=False
)

_link = st.components.v2.component("attnviz.link", js="hosts/copy_link.js", css="hosts/buttons.css")
_press = st.components.v2.component("attnviz.press", js="hosts/press_button.js", css="hosts/buttons.css")
_room = st.components.v2.component("attnviz.room", js="hosts/room_bar.js", css="hosts/room.css")
_test = st.components.v2.component("attnviz.test", js="hosts/short_test.js", css="hosts/room.css")
_guide = st.components.v2.component("attnviz.guide", js="hosts/guide.js", css="hosts/room.css")
_theme = st.components.v2.component("attnviz.theme", js="hosts/theme_button.js", isolate_styles=False)
_away = st.components.v2.component("attnviz.away", js="hosts/away.js", css="hosts/away.css")
_follow = st.components.v2.component("attnviz.follow", js="hosts/follow_picks.js")


def view(
    payload: bytes, key: str, *, link: Mapping[str, Any], question: Mapping[str, Any],
    on_go: Callable[[], None] | None = None, is_open: bool = False,
) -> None:  # fmt: skip
    """Show a picture. What is picked in it goes into the link, and it fetches its numbers itself.

    Args:
        payload: the same picture has the same bytes, whatever is asked and picked.
        link: of `PageState.link`.
        question: what its requests for numbers say of the picture; see app/api.
        is_open: whether nobody chose what is picked in it, and it may choose better once it knows more.
        on_go: called when the picture asks for another page; the widget's `go` says which.
    """
    calls: dict[str, Any] = {} if on_go is None else {"on_go_change": on_go}
    _view(data=amended(payload, link=link, question=question, is_open=is_open), key=key, **calls)


def panel(blocks: Sequence[Block], title: str, key: str, say: Strings, on_go: Callable[[], None] | None = None) -> None:
    """Show facts, sentences, tables, maps and curves in a dialog or under a picture; screen readers say the title.

    Args:
        on_go: called when a row or a cell that leads somewhere is pressed; the widget's `go` says where to.
    """

    show = partial(_blocks, title=title, say=say, on_go=on_go)
    groups = [list(group) for _, group in groupby(blocks, lambda block: isinstance(block, Chart))]
    for at, group in enumerate(groups):
        group_key = f"{key}-{at}" if at else key
        if drawn := [block for block in group if isinstance(block, Chart)]:
            charts.charts(drawn, group_key, show)
        else:
            show(group, group_key)


def figure(
    fig: Any, chart: Chart, key: str, say: Strings, *, on_pick: Callable[[Any], None] | None = None,
    height: int = charts.HEIGHT,
) -> None:  # fmt: skip
    """Show a figure of plotly's over its numbers; as of charts.figure."""
    numbers = partial(_blocks, title=chart.title, say=say)
    charts.figure(fig, chart, key, numbers, on_pick=on_pick, height=height)


def _blocks(
    blocks: Sequence[Block], key: str, *, title: str, say: Strings, on_go: Callable[[], None] | None = None
) -> None:
    made = views.panel(blocks, title=title, lang=say.language, size=visitor.size())
    calls: dict[str, Any] = {} if on_go is None else {"on_go_change": on_go}
    _panel(data=amended(made.payload, leads=on_go is not None), key=key, **calls)


def follow(view: str, key: str, below: str) -> None:
    """Run this part of the page again when the person comes to what is `below` a picture and something else is picked.

    Drawn after all that is below, a container of that key: its browser side then knows that all of it has come.
    """
    _follow(data={"view": view, "below": below}, key=key, on_picked_change=lambda: None)


def followed(key: str) -> dict[str, str]:
    """What `follow` told last is picked, as the link says it; empty until it has, which it does at once."""
    return _said(getattr(st.session_state.get(key), "picked", None))


def press(label: str, key: str, view: str, act: Callable[[dict[str, str]], None], *, needs_pick: bool = False) -> None:
    """A button. `act` is called, by the next run, with what is picked in a picture when it is pressed.

    Args:
        needs_pick: it takes what the person picked, and not what a link brought; it is off until then.
    """

    def pressed(said: object) -> None:
        told = getattr(said, "pressed", None)
        picked = told.get("picked") if isinstance(told, Mapping) else None
        act(_said(picked))

    data = {"label": label, "view": view, "own": needs_pick}
    _press(data=data, key=key, width="content", on_pressed_change=events.later(pressed, key))


def away(
    words: Mapping[str, str], view: str, *, asked: Mapping[str, str], spoken_of: Sequence[Mapping[str, str]],
    back: Callable[[], None],
) -> None:  # fmt: skip
    """A line where the picture is of something else than the words beside it; nothing where it is not.

    Args:
        words: what it says where the picture is of "other" things, or was "changed", and of the way "back".
        asked: what the link of the words' step says. spoken_of: each picture that they speak of, as a link says it.
        back: called, by the next run, when the person wants to go back to what the words speak of.
    """
    data = {"words": words, "view": view, "asked": asked, "spokenOf": spoken_of}
    _away(data=data, key="lesson-away", on_back_change=events.later(back))


def _said(picked: object) -> dict[str, str]:
    """What a browser says is picked; empty where it says anything else."""
    return {str(name): str(value) for name, value in picked.items()} if isinstance(picked, Mapping) else {}


def room(
    say: Strings, *, launches: bool = False, question: Mapping[str, Any] | None = None,
    on_chart: Callable[[object], None] | None = None,
) -> None:  # fmt: skip
    """The bar of a class's room, or where one is opened and joined.

    Args:
        launches: whether it is that place. question: what a teacher may ask there; see app/api/rooms.
        on_chart: called, by the next run, with what the class answered, where its teacher asks for a figure of it.
    """
    data = {"words": say.view("room"), "lang": say.language, "launches": launches, "question": question}
    if on_chart is None:
        _room(data=data, key="room-launch" if launches else "room")
        return
    chart = events.later(lambda said: on_chart(getattr(said, "chart", None)), "room")
    _room(data=data, key="room", on_chart_change=chart)


def short_test(say: Strings, asked: Mapping[str, Any]) -> object:
    """The short test before and after the lessons: {test, form, forms}; see app/lessons/panel.

    Returns:
        what the browser says of totals that are shown; see app/lessons/class_answers.
    """
    data = {**asked, "words": say.view("test"), "lang": say.language}
    return getattr(_test(data=data, key="short-test", on_counted_change=lambda: None), "counted", None)


def guide(say: Strings, *, launches: bool = False) -> None:
    """The bar of a first look, which shows nothing until somebody asks for it, or the button that does."""
    data = {"words": say.view("guide"), "lang": say.language, "launches": launches}
    _guide(data=data, key="guide-launch" if launches else "guide", width="content" if launches else "stretch")


def theme(say: Strings) -> None:
    """Where the Tab key comes to Streamlit's menu, which has the theme, and what its own stops are called and speak."""
    home = f"{say('nav-home')} · {say('shell-brand')}"
    data = {
        "label": say("control-theme"), "skip": say("control-skip-head"), "home": home, "page": url.page(),
        "languages": LANGUAGES,
    }  # fmt: skip
    _theme(data=data, key="theme", width="content")


def link(
    say: Strings, *, asked: Mapping[str, str] | None, kept: Mapping[str, Any],
    recall: Callable[[Mapping[str, object]], None],
) -> None:  # fmt: skip
    """The button that copies the link to this screen; it also tells of Back and Forward, and keeps what a reload loses.

    Args:
        asked: what the link of a page without a picture says.
        kept: what the browser keeps. recall takes it back after a reload.
    """
    words = {
        "label": say("control-link-copy"), "copied": say("control-link-copied"), "help": say("control-link-help"),
        "skip": say("control-skip"),
    }  # fmt: skip
    data = {**words, **kept, "url": url.told(), "asked": None if asked is None else dict(asked)}

    def remembered(said: object) -> None:
        told = getattr(said, "remembered", None)
        if isinstance(told, Mapping):
            recall(told)

    _link(
        data=data, key=url.LINK, width="content",
        on_remembered_change=events.later(remembered, url.LINK), on_opened_change=lambda: None,
    )  # fmt: skip
