"""Many people at once: each types a new sentence now and then on the Heads page, and waits for the answer.

A person is a web socket that speaks as Streamlit's browser side does. Measured is the time from Enter to the end of the
script's run, whose messages hold the picture; the browser paints it in a thread of its own.
"""

import asyncio
import itertools
import random
import re
import sys
import time
from urllib.request import urlopen

import httpx2 as httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from attnviz.text import strings
from benchmarks.table import Row, bytes_in_proc, p95
from tests.browser.live import Server, free_port, serve

SEED = 0
LANGUAGE_MODEL, LAYERS, HEADS = "smollm2-135m", 30, 9
MB = 1e6
OWN = re.compile(rb"of person (\d+)\.")
REFUSED = re.compile(r'^attnviz_forward_total{[^}]*"refused"[^}]*} (\S+)', re.MULTILINE)
BUSY, WAITS = (strings("en")(id, n=7).split("7")[0].encode() for id in ("error-busy", "queue-waiting"))  # beginnings
WORDS = ("river", "teacher", "engine", "garden", "letter", "winter", "cook", "island", "market", "violin", "stone")


def connected(server: Server, **headers: str) -> websockets.connect:
    """A web socket as a browser opens it, with these headers."""
    return websockets.connect(
        server.url.replace("http", "ws") + "/_stcore/stream", subprotocols=[websockets.Subprotocol("streamlit")],
        max_size=None, open_timeout=60, additional_headers=headers,
    )  # fmt: skip


class Person:
    """One visitor of the Heads page."""

    def __init__(self, socket: websockets.ClientConnection, name: int, words: int = 9) -> None:
        """`words`: of one of this person's sentences, besides those between them."""
        self.socket, self.name, self.text_id, self.typed, self.words = socket, name, "", 0, words
        self.ids: set[str] = set()  # of all widgets
        self.is_refused = False  # whether the last answer was that the server is busy
        self.told_at: float | None = None  # when the last sentence was first said to wait, or to come back
        self.told_s = 0.0  # seconds until the last sentence was answered, or said to wait or to come back
        self.heard: set[bytes] = set()  # the names of those whose sentences the last answer held

    @classmethod
    async def arrive(cls, server: Server, name: int, words: int = 9) -> "Person":
        """Open the page and wait for its first picture."""
        return await cls(await connected(server), name, words).open("heads")

    async def open(self, page: str) -> "Person":
        message = BackMsg()
        message.rerun_script.page_name = page
        await self.socket.send(message.SerializeToString())
        await self.until_finished()
        return self

    async def type_sentence(self, text: str = "") -> float:
        """Type a sentence, one that nobody typed before if none is given; returns the seconds until it was answered."""
        self.typed += 1
        chosen = random.Random(f"{SEED} {self.name} {self.typed}").choices(WORDS, k=self.words)
        message = BackMsg()
        message.rerun_script.page_name = "heads"
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.text_id
        state.string_value = text or f"The {' and the '.join(chosen)} of person {self.name}."
        start = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        await self.until_finished()
        seconds = time.perf_counter() - start
        self.told_s = seconds if self.told_at is None else self.told_at - start
        if not text and self.heard != {str(self.name).encode()}:
            raise RuntimeError(f"person {self.name} was answered with the sentences of {self.heard}")
        return seconds

    async def until_finished(self) -> None:
        """Read what the server says until the script has run; the text box's name may change in a run."""
        self.is_refused, self.told_at, self.heard = False, None, set()
        while True:
            raw = bytes(await self.socket.recv(decode=False))
            self.is_refused |= BUSY in raw
            if self.told_at is None and (BUSY in raw or WAITS in raw):
                self.told_at = time.perf_counter()
            self.heard |= set(OWN.findall(raw))
            said = ForwardMsg.FromString(raw)
            element = said.delta.new_element
            if id := getattr(getattr(element, element.WhichOneof("type") or "", None), "id", ""):
                self.ids.add(id)
                if "-text-box--" in id:
                    self.text_id = id
            if said.HasField("script_finished") and said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return


async def crowd(
    server: Server, n: int, every_s: float, sentences: int, words: int = 9, until_told: bool = False
) -> list[float]:
    """Seconds of every sentence of `n` people who each type one about every `every_s`.

    Args:
        until_told: to the answer, or to the sentence that says to wait or to come back.
    """

    async def life(name: int) -> list[float]:
        wait = random.Random(f"{SEED} {name}")
        await asyncio.sleep(wait.uniform(0, every_s))
        person = await Person.arrive(server, name, words)
        times = []
        for _ in range(sentences):
            await asyncio.sleep(wait.uniform(0.5, 1.5) * every_s)
            seconds = await person.type_sentence()
            times.append(person.told_s if until_told else seconds)
        await person.socket.close()
        return times

    return [seconds for one in await asyncio.gather(*map(life, range(n))) for seconds in one]


async def _picks(server: Server) -> list[float]:
    """Seconds of one pick after the other of heads of a sentence that was shown, until cancelled."""
    times: list[float] = []
    body = {"model": LANGUAGE_MODEL, "text": "The capital of France is"}
    async with httpx.AsyncClient(timeout=None) as client:
        try:
            for number in itertools.count():
                start = time.perf_counter()
                at = {"layer": number % LAYERS, "head": number % HEADS}
                (await client.post(f"{server.url}/api/heads/exact", json={**body, **at})).raise_for_status()
                times.append(time.perf_counter() - start)
                await asyncio.sleep(1.0)
        except asyncio.CancelledError:
            return times


async def _beside_picks(
    server: Server, n: int, every_s: float, sentences: int, until_told: bool
) -> tuple[list[float], list[float]]:
    picks = asyncio.create_task(_picks(server))
    typed = await crowd(server, n, every_s, sentences, words=5, until_told=until_told)
    picks.cancel()
    return typed, await picks


def language_model() -> list[Row]:
    """People who type about 20 tokens each to the language model, hosted, while one person picks heads."""
    rows = []
    numbers = free_port()
    hosted = {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_MODELS": LANGUAGE_MODEL, "ATTNVIZ_METRICS_PORT": str(numbers)}
    with serve(environment=hosted) as server:
        asyncio.run(crowd(server, 1, 0.1, 10, words=5))
        before = _memory(server)
        for n, every_s, sentences, target, told in ((30, 30.0, 4, 0.5, False), (100, 10.0, 6, 2.0, True)):
            refused = _refused(numbers)
            typed, picks = asyncio.run(_beside_picks(server, n, every_s, sentences, told))
            until = "answered or told to wait" if told else "answered"
            note = f"; {_refused(numbers) - refused:.0f} were told to come back"
            what = f"{LANGUAGE_MODEL}: {n} people, a sentence every {every_s:g} s, {until}"
            rows.append(p95(what, typed, target, "s", note))
            rows.append(p95("beside them, a head is picked", picks, 0.15, "s"))
        asyncio.run(crowd(server, 170, 10.0, 1, words=5))
        time.sleep(60)
        grown = (_memory(server) - before) / MB
    return [*rows, Row(f"{LANGUAGE_MODEL}: memory after 300 people left", grown, 150, "MB")]


def _refused(port: int) -> float:
    """How many sentences a server has refused because it was busy."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return sum(map(float, REFUSED.findall(answer.read().decode())))


def _memory(server: Server) -> float:
    return bytes_in_proc(f"{server.process.pid}/status", "VmRSS")


def measure() -> list[Row]:
    rows = []
    with serve() as server:
        asyncio.run(crowd(server, 1, 0.1, 10))
        before = _memory(server)
        for n, every_s, sentences, target in ((30, 30.0, 4, 0.12), (100, 5.0, 10, 1.5), (200, 10.0, 3, None)):
            times = asyncio.run(crowd(server, n, every_s, sentences))
            rows.append(p95(f"{n} people, a new sentence every {every_s:g} s", times, target, "s"))
        time.sleep(40)  # Streamlit lets go of sessions that left, and the server of freed memory
        grown = (_memory(server) - before) / MB
    rows.append(Row("memory after 330 sessions left, above that after ten sentences", grown, 150, "MB"))
    return rows + language_model()


def hour(minutes: float) -> list[Row]:
    """An hour of a class that types a sentence in 36 s each, compressed; then 200 who come and leave."""
    every_s = 36.0 * minutes / 60
    with serve(environment={"ATTNVIZ_MODE": "hosted"}) as server:
        asyncio.run(crowd(server, 1, 0.1, 10))
        memory, times = [_memory(server)], []
        for _ in range(4):
            times += asyncio.run(crowd(server, 30, every_s, 25))
            memory.append(_memory(server))
        asyncio.run(crowd(server, 200, 10.0, 3))
        time.sleep(180)
        rows = [Row(f"memory after {15 * at} minutes of the hour", n / MB, None, "MB") for at, n in enumerate(memory)]
        rows.append(p95(f"30 people, an hour in {minutes:g} minutes", times, None, "s"))
        return [*rows, Row("memory three minutes after 200 more left", _memory(server) / MB, None, "MB")]


if __name__ == "__main__":  # python -m benchmarks.people MINUTES
    print(*hour(float(sys.argv[1])), sep="\n")
