"""Numbers of the heads view: one head, a window of a long one, its vectors, and the kinds of all heads."""

from __future__ import annotations

from typing import Annotated, Literal

from attnviz_app.api.route import Body, post
from attnviz_app.jobs.surveys import REPEATS, surveys
from attnviz_app.serving import measured_heads
from attnviz_app.serving.runs import runs
from pydantic import Field

from attnviz import views
from attnviz.text import strings
from attnviz.trace.trace import Trace
from attnviz.views.heads import revision_of

Index = Annotated[int, Field(ge=0, lt=1 << 24)]  # beyond any text; what is outside the head is put inside


class Picture(Body):
    """Which picture: what a link says before anything in it is picked."""

    model: str
    text: str
    target: str = ""
    part: str = ""

    def trace(self) -> Trace:
        return runs().trace(self.model, self.text, self.target)


class Head(Picture):
    """One head of a picture."""

    layer: Index
    head: Index


class Window(Head):
    """Some rows and columns of a head, each from and up to."""

    rows: tuple[Index, Index] = Field(strict=False)
    columns: tuple[Index, Index] = Field(strict=False)


class Vectors(Head):
    """Queries and keys of a head; of a long text those of one row."""

    token: Index | None = None


class Kinds(Picture):
    """What all heads do, in this text or over many sentences."""

    source: Literal["sentence", "many"]
    starts: bool = False  # whether many sentences are measured for this request


def _exact(asked: Head) -> bytes:
    trace = asked.trace()
    key = ("exact", revision_of(trace, asked.part), asked.layer, asked.head)
    return runs().payloads.get(key, lambda: views.exact(trace, asked.layer, asked.head, part=asked.part).payload)


def _window(asked: Window) -> bytes:
    trace = asked.trace()
    key = ("window", revision_of(trace, asked.part), asked.layer, asked.head, asked.rows, asked.columns)

    def made() -> bytes:
        return views.window(trace, asked.layer, asked.head, asked.rows, asked.columns, part=asked.part).payload

    return runs().payloads.get(key, made)


def _neurons(asked: Vectors) -> bytes:
    return views.neurons(asked.trace(), asked.layer, asked.head, asked.token, part=asked.part).payload


def _kinds(asked: Kinds) -> bytes:
    trace = asked.trace()
    if asked.source == "sentence":
        frame = measured_heads.of_sentence(trace, (asked.model, trace.card.revision, asked.text, asked.target))
        return views.kinds(trace, frame, part=asked.part, lang=asked.lang).payload
    many = surveys().of(asked.model, asked.lang, starts=asked.starts)
    if many.found is not None:
        n = len(many.found.sentences)
        return views.kinds(trace, many.found.frame, part=asked.part, lang=asked.lang, n=n).payload
    n, share = max(many.total - REPEATS, 0), many.done / max(many.total, 1)
    error = many.error if asked.starts else None  # nobody is told why what they did not ask for cannot be had
    reason = None if error is None else strings(asked.lang, strict=False).error(error)
    return views.kinds_waiting(trace, n, part=asked.part, share=share, reason=reason).payload


ROUTES = (
    post("/heads/exact", Head, _exact),
    post("/heads/window", Window, _window),
    post("/heads/neurons", Vectors, _neurons),
    post("/heads/kinds", Kinds, _kinds),
)
