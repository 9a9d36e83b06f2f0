"""The boxes of what a model reads: a text, two texts, or the messages of a chat. All pages have these.

What is asked is one string, `attnviz.trace.given.as_text`, so links and pages hold one value whatever it is.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import Literal

import streamlit as st
from attnviz_app.host import events
from attnviz_app.shell import controls

from attnviz.text import Strings
from attnviz.trace.given import Chat, Given, Ids, Pair, as_text, from_text, texts_of

Form = Literal["text", "pair", "chat"]
Ask = Callable[[str], None]
Send = Callable[[], None]  # submits what stands in a box
ROLES = ("system", "user", "assistant")
MOST_MESSAGES = 32


def form_of(given: Given) -> Form:
    return "chat" if isinstance(given, Chat) else "pair" if isinstance(given, Pair) else "text"


def boxes(
    name: str, asked: Callable[[], str], ask: Ask, say: Strings, *, label: str, hint: str, is_off: bool = False,
    has_button: bool = True,
) -> None:  # fmt: skip
    """The boxes of what is asked; Enter in one of them or the button shows it.

    Args:
        name: of the widgets. asked: what is asked now, as one string. ask: asks for another.
    """
    given = from_text(asked())
    if is_off or isinstance(given, Ids):  # of a file, which stands; ids become a text when they are changed
        given = "\n".join(texts_of(given))
    if isinstance(given, str):
        sent = [lines_box(name, given, lambda text: ask(as_text(text)), label=label, hint=hint, is_off=is_off)]
    else:
        with st.container(key=f"{name}-given"):
            if isinstance(given, Pair):
                sent = _pair(name, given, asked, ask, say, label=label)
            else:
                sent = _chat(name, given, asked, ask, say)
    if has_button:
        show_button(name, sent, say, is_off=is_off)


def lines_box(
    name: str, typed: str, submit: Callable[[str], None], *, label: str, hint: str, is_off: bool = False
) -> Send:
    """A text of one line or several, without a button; in it views/hosts/enter_key.js has Enter show the text.

    Returns what submits the text, for a button.
    """
    st.text_area(
        label, typed, height="content", key=events.put(name, typed), placeholder=hint, label_visibility="collapsed",
        on_change=(send := events.changed(submit, name)), disabled=is_off,
    )  # fmt: skip
    return send


def show_button(name: str, sent: Sequence[Send], say: Strings, *, is_off: bool = False) -> None:
    """The button that shows what stands in some boxes. While that differs from what is drawn, a line says so."""

    def send() -> None:
        for one in sent:
            one()

    st.button(say("text-show"), key=f"{name}-show", on_click=send, disabled=is_off)
    with st.container(key="enter"):  # shell.css shows it while Streamlit holds the typed text back
        st.html(f'<p class="av-enter">{escape(say("text-enter"))}</p>')


def form_switch(name: str, asked: Callable[[], str], ask: Ask, forms: Sequence[str], say: Strings) -> None:
    """What is read, where the model reads more than a text."""
    form = form_of(from_text(asked()))
    if len(forms) < 2 and form == "text":
        return
    options = tuple(each for each in ("text", "pair", "chat") if each in forms or each == form)

    def choose(new: str) -> None:
        ask(as_text(turned(from_text(asked()), new)))

    controls.segments(
        f"{name}-form", form, options, choose, label=say("text-form"), name_of=lambda each: say(f"text-form-{each}"),
        language=say.language,
    )  # fmt: skip


def turned(given: Given, form: str) -> Given:
    """The same texts in another form."""
    texts = [text for text in texts_of(given) if text.strip()] or [""]
    if form == "pair":
        return Pair(texts[0], "\n".join(texts[1:]))
    if form == "chat":
        return Chat(tuple(("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(texts)), True)
    return "\n".join(texts)


def _pair(name: str, given: Pair, asked: Callable[[], str], ask: Ask, say: Strings, *, label: str) -> list[Send]:
    def put(at: int) -> Callable[[str], None]:
        def typed(text: str) -> None:
            now = from_text(asked())
            if isinstance(now, Pair):  # else another form was chosen meanwhile
                ask(as_text(Pair(text, now.second) if at == 0 else Pair(now.first, text)))

        return typed

    second = say("text-second")
    return [
        lines_box(f"{name}-first", given.first, put(0), label=f"A · {label}", hint=label),
        lines_box(f"{name}-second", given.second, put(1), label=f"B · {second}", hint=second),
    ]


def _chat(name: str, given: Chat, asked: Callable[[], str], ask: Ask, say: Strings) -> list[Send]:
    def change(act: Callable[[list[tuple[str, str]]], object]) -> None:
        now = from_text(asked())
        if isinstance(now, Chat):
            messages = list(now.messages)
            act(messages)
            ask(as_text(Chat(tuple(messages), now.is_prompted)))

    def role_of(n: int) -> Callable[[str], None]:
        return lambda role: change(lambda messages: messages.__setitem__(n, (role, messages[n][1])))

    def text_of(n: int) -> Callable[[str], None]:
        return lambda text: change(lambda messages: messages.__setitem__(n, (messages[n][0], text)))

    sent = []
    for n, (role, content) in enumerate(given.messages):
        with st.container(key=f"{name}-message-{n}", horizontal=True, vertical_alignment="center"):
            label = say("text-message", n=n + 1)
            controls.menu(
                f"{name}-role-{n}", role, tuple(dict.fromkeys((*ROLES, role))), role_of(n), say,
                label=say("text-role", n=n + 1),
                name_of=lambda role: say(f"view-kit-role-{role}") if role in ROLES else role,
            )  # fmt: skip
            sent.append(lines_box(f"{name}-say-{n}", content, text_of(n), label=label, hint=label))
            st.button(
                say("text-message-remove", n=n + 1), key=f"{name}-remove-{n}", disabled=len(given.messages) < 2,
                on_click=events.later(lambda n=n: change(lambda messages: messages.pop(n))),
            )  # fmt: skip
    with st.container(key=f"{name}-chat-end", horizontal=True, vertical_alignment="center"):
        following = "assistant" if given.messages[-1][0] == "user" else "user"
        st.button(
            say("text-message-add"), key=f"{name}-add", disabled=len(given.messages) >= MOST_MESSAGES,
            on_click=events.later(lambda: change(lambda messages: messages.append((following, "")))),
        )  # fmt: skip

        def prompt(is_on: bool) -> None:
            now = from_text(asked())
            if isinstance(now, Chat):
                ask(as_text(Chat(now.messages, is_on)))

        controls.switch(f"{name}-prompted", given.is_prompted, prompt, label=say("text-prompted"))
    return sent
