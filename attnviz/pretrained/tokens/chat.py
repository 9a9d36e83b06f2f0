"""A chat as the text that a model's own template makes of it, and which role each part of that text belongs to.

transformers renders templates in Jinja's immutable sandbox, which bounds what they reach, not how long they run.
Where a template adds a system message of its own, it is found by giving one; a part that cannot be told from the
template's output belongs to no role.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from transformers import PreTrainedTokenizerBase

from attnviz.core.errors import InputError
from attnviz.trace.given import Chat

LONGEST = 100_000  # characters of a template; the longest published ones have some ten thousand
MARK = "attnviz"  # stands in a message for what a template adds there
Messages = Sequence[tuple[str, str]]
Render = Callable[[Messages, bool], str]


class RoleSpan(NamedTuple):
    """Some characters of the text, and whose they are."""

    start: int
    stop: int
    role: str


def rendered(tokenizer: PreTrainedTokenizerBase, chat: Chat, model: str) -> tuple[str, tuple[RoleSpan, ...]]:
    """The text of a chat, and the spans of it that belong to a role.

    Raises:
        InputError: there is no template, it is too long, or it refuses this chat.
    """
    if not tokenizer.chat_template:
        raise InputError(id="reads-no-chat", model=model)
    if len(template := str(tokenizer.chat_template)) > LONGEST:
        raise InputError(id="template-too-long", model=model, n=len(template), limit=LONGEST)

    def render(messages: Messages, is_prompted: bool) -> str:
        said = [{"role": role, "content": content} for role, content in messages]
        return str(tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=is_prompted))

    try:
        text = render(chat.messages, chat.is_prompted)
    except Exception as error:  # a template runs code of its own and raises what it likes
        reason = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")[:200]
        raise InputError(id="chat-refused", model=model, reason=reason) from error
    bos = tokenizer.bos_token or ""
    return text, role_spans(
        chat, text, render, len(bos) if bos and text.startswith(bos) and text.count(bos) == 1 else 0
    )


def role_spans(chat: Chat, text: str, render: Render, start: int = 0) -> tuple[RoleSpan, ...]:
    """Whose each part is: whole messages with their marks where a shorter chat is the beginning of a longer one, else
    what each message says.

    Args:
        start: the first character that may belong to a message.
    """
    messages = with_system(chat, text, render)
    spans, at = [], start
    for n, (role, content) in enumerate(messages, 1):
        beginning = attempt(render, messages[:n], False)
        stop = len(beginning or "")
        if not beginning or not text.startswith(beginning) or content.strip() not in text[at:stop]:
            return contents_of(messages, text)
        spans.append(RoleSpan(at, stop, role))
        at = stop
    return (*spans, RoleSpan(at, len(text), "assistant")) if chat.is_prompted and at < len(text) else tuple(spans)


def with_system(chat: Chat, text: str, render: Render) -> Messages:
    """The messages, with the system message that the template added before them, if it did."""
    if chat.messages[0][0] == "system":
        return chat.messages
    before, mark, after = (attempt(render, [("system", MARK), *chat.messages], chat.is_prompted) or "").partition(MARK)
    is_added = mark and text.startswith(before) and text.endswith(after) and len(before + after) < len(text)
    if not is_added:
        return chat.messages
    messages = [("system", text[len(before) : len(text) - len(after)]), *chat.messages]
    return messages if attempt(render, messages, chat.is_prompted) == text else chat.messages


def contents_of(messages: Messages, text: str) -> tuple[RoleSpan, ...]:
    """What each message says, where the text has it."""
    spans, at = [], 0
    for role, content in messages:
        said = content.strip()
        start = text.find(said, at) if said else -1
        if start >= 0:
            at = start + len(said)
            spans.append(RoleSpan(start, at, role))
    return tuple(spans)


def attempt(render: Render, messages: Messages, is_prompted: bool) -> str | None:
    """What a template makes of messages that nobody gave; None where it refuses them."""
    try:
        return render(messages, is_prompted)
    except Exception:
        return None
