"""Routes of the rooms: opening one, listening to it by server-sent events, teaching in it, and answering."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import threading
from collections.abc import AsyncIterator
from functools import partial
from types import FrameType
from typing import Annotated, Literal

import segno
from attnviz_app.api.route import Body, in_thread, quick
from attnviz_app.api.shown import read, shown
from attnviz_app.host.url import PAGES
from attnviz_app.lessons.content import short_test
from attnviz_app.serving.rooms import ALL, CHOICES, CHOSEN, ITEMS, NoRoom, Question, Room, Student
from attnviz_app.settings import LOOPBACK, settings
from pydantic import Field, model_validator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from attnviz.cli.network import network_address
from attnviz.core.errors import InputError
from attnviz.text import Language

BEAT_SECONDS = 1.0  # between two signs of life where nothing happens: a bar says after three that it is cut off
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # a proxy that held events back would hold the class
STEP = re.compile(r"\b(?:lesson|step)=\w+")  # of a link

Code = Annotated[str, Field(pattern=r"^[A-Za-z]{5}$")]
Secret = Annotated[str, Field(max_length=64)]
Text = Annotated[str, Field(min_length=1, max_length=300)]
Option = Annotated[str, Field(min_length=1, max_length=120)]
TestName = Literal["before A", "before B", "after A", "after B"]
Answer = Annotated[str, Field(pattern=r"^[0-9]{1,3}(,[0-9]{1,3})?$")]


class Opened(Body):
    """A room is asked for. `base`: the address that the teacher's browser has of the server."""

    base: Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.:\[\]-]+(/[A-Za-z0-9._~/-]*)?$", max_length=300)]


class Listened(Body):
    """Who listens: the teacher by a secret, a student by the ticket of before, if there is one."""

    code: Code
    secret: Secret = ""
    ticket: Secret = ""


class Wording(Body):
    """A question in one language."""

    text: Text
    options: Annotated[tuple[Option, ...], Field(max_length=1024)] = Field(default=(), strict=False)
    why: Annotated[str, Field(max_length=600)] = ""  # said once the answers are shown


class Asked(Body):
    """A question for all; see serving.rooms.Question."""

    words: Annotated[dict[Language, Wording], Field(min_length=1)]
    right: Annotated[str, Field(max_length=8)] = ""
    of: Annotated[str, Field(pattern=r"^(lesson=\d{1,4}&step=\d{1,4})?$")] = ""

    @model_validator(mode="after")
    def _offers_the_same(self) -> Asked:
        if len({len(question.options) for question in self.words.values()}) > 1:
            raise ValueError("each language has the same options")
        return self


class Taught(Body):
    """What the teacher does; what is None stays as it is."""

    code: Code
    secret: Secret
    at: Annotated[tuple[Literal[PAGES], Annotated[str, Field(max_length=1 << 16)]] | None, Field(strict=False)] = None  # type: ignore[valid-type]
    by: Secret = ""  # which of the teacher's machines shows it
    takes: bool = False  # that machine was touched: it leads from now on
    ask: Asked | None = None
    right: Answer | None = None  # to the question, once its answers are shown
    answer: Answer | None = None  # of a teacher who rehearses
    does: Literal["", "reveal", "unask", "close"] = ""
    totals: TestName | None = None  # of the short test, to show
    drop: Annotated[int, Field(ge=0)] | None = None  # which of the sentences is deleted
    sentences: bool | None = None


class Taken(Body):
    """The short test, as a student answered it: which option of each item, from 0."""

    name: TestName
    answers: Annotated[str, Field(pattern=rf"^[0-{CHOICES - 1}]{{{ITEMS}}}$")]


class Said(Body):
    """What a student does."""

    code: Code
    ticket: Secret
    follows: bool | None = None
    answer: Answer | None = None
    sentence: Text | None = None
    test: Taken | None = None


def _address_for_class(asked: Opened, request: Request) -> Response:
    """Where a class would find a room that is opened here; "" where no other machine reaches this one."""
    base, is_reached = _reachable(asked.base)
    return JSONResponse({"link": base if is_reached else ""})


def _open(asked: Opened, request: Request) -> Response:
    room = ALL.open(_address(request))
    base, is_reached = _reachable(asked.base)
    link = f"{base}/?class={room.code}"
    picture = segno.make(link, micro=False).svg_data_uri(scale=8, border=2, light="#fff") if is_reached else ""
    return JSONResponse({"code": room.code, "secret": room.secret, "link": link, "qr": picture})


def _listen(asked: Listened, request: Request) -> Response:
    if asked.secret:
        heard = _desk(ALL.taught(asked.code, asked.secret, _address(request)))
    else:
        room = ALL.find(asked.code, _address(request), asked.ticket)
        ticket = room.join(asked.ticket)
        heard = _seat(room, ticket, room.students[ticket])
    return StreamingResponse(heard, media_type="text/event-stream", headers=HEADERS)


async def _teach(asked: Taught, request: Request) -> Response:
    room = ALL.taught(asked.code, asked.secret, _address(request))
    if asked.at is not None and not await _is_shown(room, asked.at, asked):
        return Response(status_code=204)
    if asked.ask is not None or asked.does == "unask":
        ask = asked.ask
        if ask is not None and any(
            len(set(question.options)) < len(question.options) for question in ask.words.values()
        ):
            raise InputError(id="room-choices")
        if ask is not None and any(len(question.options) > CHOSEN for question in ask.words.values()):
            raise InputError(id="room-many", n=CHOSEN)
        room.question = None if ask is None else Question(ask.model_dump()["words"], ask.right, ask.of)
        room.rehearsed = ""
        for student in room.students.values():
            student.answer = ""
    if asked.answer and room.question is not None and room.is_rehearsal and room.question.takes(asked.answer):
        room.rehearsed = asked.answer
    if room.question is not None:
        room.question.is_revealed |= asked.does == "reveal"
        room.question.right = asked.right or room.question.right
    if asked.drop is not None:
        room.sentences.pop(asked.drop, None)
    if asked.sentences is not None:
        room.takes_sentences = asked.sentences
    if asked.totals is not None:
        room.show_totals(asked.totals)
    if asked.does == "close":
        ALL.close(room)
    room.changed()
    return Response(status_code=204)


async def _is_shown(room: Room, at: tuple[str, str], asked: Taught) -> bool:
    """Show a page to the class once what it asks was read; False where something newer was to be shown meanwhile.

    Of two machines of a teacher one leads: what the other one still says, as of a picture that came late, is over.

    Raises:
        AttnvizError: it cannot be read. The class goes on seeing what it saw.
    """
    if asked.by != room.by and room.by and not asked.takes:
        return False
    room.turn += 1
    turn, now = room.turn, shown(*at)
    if now != room.read:
        await in_thread(partial(read, now, asked.say))
        if turn != room.turn:
            return False
    before, after = ("&".join(sorted(STEP.findall(query))) for query in (room.query, at[1]))
    is_next = before and after and before != after
    if is_next and room.question is not None and room.question.is_over_at(after):
        room.question = None
    (room.page, room.query), room.by, room.read = at, asked.by, now
    return True


def _say(asked: Said, request: Request) -> Response:
    room = ALL.find(asked.code, _address(request), asked.ticket)
    student = room.students.get(asked.ticket)
    if student is None:
        raise NoRoom(id="no-ticket")
    if asked.follows is not None:
        student.follows = asked.follows
    question = room.question
    if asked.answer and question is not None and question.takes(asked.answer):
        student.answer = asked.answer
    if asked.sentence and (sentence := asked.sentence.strip()):
        room.say(student, sentence)
    if asked.test is not None:
        form = asked.test.name.partition(" ")[2]
        right = "".join(str(each.right) for item in short_test() for name, each in item.items() if name == form)
        room.count(student, asked.test.name, asked.test.answers, right)
    room.changed(for_all=False)
    return Response(status_code=204)


async def _desk(room: Room) -> AsyncIterator[str]:
    """What the teacher hears."""
    mine = asyncio.Event()
    room.desks.add(mine)
    try:
        async for beat in _beats(room, mine):
            yield beat or _line(room.seen_by_teacher())
    finally:
        room.desks.discard(mine)
        room.heard = ALL.clock()


async def _seat(room: Room, ticket: str, student: Student) -> AsyncIterator[str]:
    """What a student hears."""
    mine = asyncio.Event()
    room.listeners.add(mine)
    student.tabs += 1
    room.changed(for_all=False)
    try:
        async for beat in _beats(room, mine):
            yield beat or _line(
                {**room.seen_by_all(), "ticket": ticket, "answer": student.answer, "tests": sorted(student.tests)}
            )
    finally:
        room.listeners.discard(mine)
        student.tabs -= 1
        room.changed(for_all=False)


async def _beats(room: Room, event: asyncio.Event) -> AsyncIterator[str]:
    """Nothing at first and whenever the event is set, else a sign of life; until the room is closed."""
    yield ""
    while not room.is_closed:
        try:
            await asyncio.wait_for(event.wait(), BEAT_SECONDS)
        except TimeoutError:
            ALL.sweep()
            yield ": \n\n"
        else:
            if ALL.is_stopping:
                return
            event.clear()
            yield ""


def end_with_server() -> None:
    """Have the signals that end the server end the streams first; called in its event loop, once it listens."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        return  # signals do not come here

    def end(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(ALL.stop)
        then = before[signal.Signals(number)]
        if callable(then):
            then(number, frame)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}


def _line(state: dict[str, object]) -> str:
    return f"data: {json.dumps(state, ensure_ascii=False)}\n\n"


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _reachable(base: str) -> tuple[str, bool]:
    """The address of this server for other machines, and whether they reach it: the teacher's own may say localhost."""
    scheme, _, rest = base.rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    name, colon, port = host.partition(":")
    if name not in LOOPBACK:
        return base.rstrip("/"), True
    name = network_address() if settings().is_hosted else name
    return f"{scheme}://{name}{colon}{port}{slash}{path}", name not in LOOPBACK


ROUTES = (
    quick("/rooms/address", Opened, _address_for_class),
    quick("/rooms/open", Opened, _open),
    quick("/rooms/listen", Listened, _listen),
    quick("/rooms/teach", Taught, _teach),
    quick("/rooms/say", Said, _say),
)
