"""A class that follows: how long after the teacher's press it is at the students', while one of them sends rubbish.

A student is what a browser is to the server: a stream of events and a web socket. When the stream says that the
teacher shows something else, the student asks for that page, and for the picture that the page fetches. It takes
about five minutes, most of them between the presses, so that one is not measured while the one before is still drawn.
"""

import asyncio
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx2 as httpx
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.people import Person, crowd
from benchmarks.table import Row, p95
from tests.browser.live import Server, serve

SHOWN = 8  # changes of what the teacher shows
WARM_UP = 2  # such changes, of which each thing is shown once
EVERY_S = 4.0
N = 40
SENTENCE = {"model": "smollm2-135m", "text": "The capital of France is"}
HOSTED = {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_MODELS": SENTENCE["model"]}
STEP = {"lesson": "4", "step": "2"}  # of the lesson on the language model
AT = {  # what the teacher shows in turn
    "another cell": [("step", {**SENTENCE, "matrix": "raw", "token": "4", "key": str(n)}) for n in (1, 2)],
    "another page": [
        ("step", {**SENTENCE, "matrix": "raw", "token": "4", "key": "2"}),
        ("heads", {**SENTENCE, "layer": "6"}),
    ],
    "an answer revealed": [("heads", SENTENCE), ("lessons", {**STEP, "told": "1"})],
}
TARGETS = {"another cell": 0.5, "another page": 1.5, "an answer revealed": 1.0}


@dataclass
class Times:
    """Seconds from the teacher's press."""

    heard: list[float] = field(default_factory=list)  # until the event was there
    drawn: list[float] = field(default_factory=list)  # until the page's numbers were there


class Class:
    """One room on a server, its teacher, and those who follow."""

    def __init__(self, server: Server, client: httpx.AsyncClient) -> None:
        self.server, self.client, self.times, self.pressed = server, client, Times(), 0.0
        self.page = ""  # where the students are
        self.room: dict[str, Any] = {}

    async def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.client.post(f"{self.server.url}/api/{path}", json=body)

    async def student(self, name: int, *, has_page: bool) -> None:
        """Follow until cancelled."""
        person = await Person.arrive(self.server, name) if has_page else None
        last = ""
        body = {"code": self.room["code"]}
        async with self.client.stream("POST", f"{self.server.url}/api/rooms/listen", json=body) as events:
            async for line in events.aiter_lines():
                state = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
                if not state.get("query") or state["query"] == last:
                    continue
                last, pressed = state["query"], self.pressed
                self.times.heard.append(time.perf_counter() - pressed)
                if person is not None:
                    await self.go(person, state["page"], last)
                    self.times.drawn.append(time.perf_counter() - pressed)

    async def go(self, person: Person, page: str, query: str) -> None:
        """What a browser does: another page runs, and the picture that is picked in it is fetched."""
        if page != self.page:
            message = BackMsg()
            message.rerun_script.page_name, message.rerun_script.query_string = page, query
            await person.socket.send(message.SerializeToString())
            await person.until_finished()
        if page == "step":
            asked = dict(parse_qsl(query))
            picked = {name: asked[name] for name in ("matrix", "token", "key")}
            await self.post("step/picture", {**SENTENCE, "picked": picked})

    async def rubbish(self) -> None:
        """A student who sends what no page does."""
        dice = random.Random(0)
        while True:
            body = {"code": self.room["code"], "ticket": dice.randbytes(8).hex(), "answer": dice.choice(["x" * 999, 7])}
            await self.post(dice.choice(["rooms/say", "rooms/teach", "rooms/listen"]), body)
            await asyncio.sleep(0.05)

    async def teach(self, n: int, *, pages: int, what: str, shown: int) -> Times:
        """Show one thing after the other to `n` students, `pages` of whom have a page open."""
        self.page = "step" if what == "another cell" else ""
        self.room = (await self.post("rooms/open", {"base": self.server.url})).json()
        tasks = [asyncio.create_task(self.student(name, has_page=name < pages)) for name in range(n)]
        tasks.append(asyncio.create_task(self.rubbish()))
        await asyncio.sleep(2 + 0.5 * pages)
        for turn in range(shown):
            page, asked = AT[what][turn % 2]
            secret = {"code": self.room["code"], "secret": self.room["secret"]}
            self.pressed = time.perf_counter()
            await self.post("rooms/teach", {**secret, "at": [page, urlencode({**asked, "n": str(turn)})]})
            await asyncio.sleep(EVERY_S)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [it for it in results if isinstance(it, Exception)]
        assert not failed, failed[0]
        return self.times


async def _class(server: Server, n: int, *, pages: int, what: str, shown: int = SHOWN) -> Times:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=None, limits=limits) as client:
        return await Class(server, client).teach(n, pages=pages, what=what, shown=shown)


def beside_typists() -> Iterator[Row]:
    """A class of 30 on the pictures of one page, while 30 others type a sentence in 12 s each."""

    async def both(server: Server) -> tuple[Times, list[float]]:
        return await asyncio.gather(_class(server, 30, pages=30, what="another cell"), crowd(server, 30, 12.0, 4))

    with serve(environment=HOSTED) as server:
        asyncio.run(crowd(server, 1, 0.1, 10))
        asyncio.run(_class(server, 2, pages=2, what="another cell", shown=WARM_UP))
        times, typed = asyncio.run(both(server))
    named = (("heard", times.heard), ("drawn", times.drawn), ("a sentence beside it", typed))
    yield from (p95(f"30 students beside 30 typists: {how}", found, None, "s") for how, found in named)


def measure() -> Iterator[Row]:
    yield from beside_typists()
    with serve(environment=HOSTED) as server:
        asyncio.run(_class(server, 2, pages=2, what="another page", shown=WARM_UP))
        for n, pages, what in (*((N, N, what) for what in AT), (200, 0, "another cell")):
            times = asyncio.run(_class(server, n, pages=pages, what=what))
            for how, found in (("heard", times.heard), ("drawn", times.drawn)):
                if found:
                    note = f"; {SHOWN} presses, {EVERY_S:g} s apart"
                    yield p95(f"{n} students, {what} is {how}", found, TARGETS[what], "s", note)
