"""Visitors who come all at once or send anything: each is answered, nothing leaves the server or is written down."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product, starmap
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
import websockets
from attnviz_app.log import OneLine
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.people import Person, connected
from tests.browser.live import Server, free_port, serve

# Python runs this at the start of the server and of each process it starts.
NOTE = """
import sys
def note(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        with open({path!r}, "a") as file:
            file.write(event + " " + repr(arguments[1:] if event in ("socket.connect", "socket.sendto") else arguments))
            file.write(chr(10))
sys.addaudithook(note)
sys.audit("socket.connect", None, "'127.0.0.1' is how a line of ours looks")
"""
ASKS_THE_WAY = "('192.0.2.1', 9)"  # attnviz.cli.network: a datagram's way is looked up, none is sent
OURS = (ASKS_THE_WAY, "'127.0.0.1'", "'localhost'", "'::1'", "'0.0.0.0'", "(None,", "('/", "(b'/")
FOREIGN = "http://127.0.0.1.evil.example:8501"

VISITORS = 40  # where one forward pass runs and one may wait
LONG = "the cat sat on the mat and the dog lay beside it " * 20
MARK = "zwiebelfisch"
PAGES = ("", "heads", "step", "compare", "train", "about")
LINK = f"text={MARK}&model={MARK}&layer=%FF&head=NaN&lang=xx&run={MARK}&size=%00&model2={MARK}&task={MARK}"
FORGED = {
    "string_value": MARK,
    "json_value": "{" + MARK,
    "int_value": 10**9,
    "trigger_value": True,
    "double_value": float("nan"),
    "json_trigger_value": f'{{"{MARK}',
    "bytes_value": MARK.encode(),
}


@contextmanager
def watched(folder: Path, environment: dict[str, str], options: tuple[str, ...]) -> Iterator[tuple[Server, Path]]:
    """A server, and the file of what it has connected to."""
    notes = folder / "notes"
    notes.write_text("")
    (folder / "sitecustomize.py").write_text(NOTE.format(path=str(notes)))
    with serve(
        environment={"PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "0", **environment}, options=options
    ) as server:
        yield server, notes


@pytest.fixture(scope="module")
def hosted(tmp_path_factory):
    """A hosted server after a crowd and forged messages: its connections, numbers and log, and how many it refused."""
    port, folder = free_port(), tmp_path_factory.mktemp("watch")
    options = ("--server.address", "0.0.0.0", "--server.allowedHosts", "127.0.0.1")
    options += ("--logger.messageFormat", "%(message)s")
    environment = {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_METRICS_PORT": str(port)}
    environment |= {"ATTNVIZ_WORKERS": "1", "ATTNVIZ_QUEUE_LENGTH": "1"}
    with watched(folder, environment, options) as (server, notes):
        refused = asyncio.run(crowd(server))
        assert status(server, "/readyz") == 200
        asyncio.run(forge(server))
        assert status(server, "/api/heads/exact") == 200
        numbers = httpx2.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
        assert httpx2.get(f"{server.url}/healthz", trust_env=False).text == "ok"
        yield SimpleNamespace(server=server, notes=notes, numbers=numbers, log=server.log_text(), refused=refused)


async def crowd(server: Server) -> int:
    """How many of them were told that the server is busy, before they tried again."""

    async def visit(name: int) -> bool:
        person = await Person.arrive(server, name)  # while the model is loaded
        await person.type_sentence(f"{name} {LONG}".strip())
        was_refused = person.is_refused
        await person.type_sentence(f"Visitor {name} tries again.")
        await person.socket.close()
        return was_refused

    return sum(await asyncio.gather(*map(visit, range(VISITORS))))


async def forge(server: Server) -> None:
    """Each page gets each wrong value for every widget of all pages; then come messages that are none."""
    ids: set[str] = set()

    async def look(page: str) -> None:
        async with connected(server) as socket:
            ids.update((await Person(socket, 0).open(page)).ids)

    async def send(page: str, field: str) -> None:
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = page, LINK
        for id in ids:
            setattr(message.rerun_script.widget_states.widgets.add(id=id), field, FORGED[field])
        async with connected(server) as socket:
            await socket.send(message.SerializeToString())
            await Person(socket, 0).until_finished()
            message.rerun_script.fragment_id = MARK
            await socket.send(message.SerializeToString())

    async with connected(server) as socket:
        await (await Person(socket, 1).open("heads")).type_sentence(MARK)
    await asyncio.gather(*map(look, PAGES))
    await asyncio.gather(*starmap(send, product(PAGES, FORGED)))
    for raw in (b"\xff\xff" + MARK.encode(), MARK):
        async with connected(server) as socket:
            await socket.send(raw)
            with pytest.raises(websockets.ConnectionClosed):
                await socket.recv()


async def shakes_hands(server: Server, **headers: str) -> bool:
    try:
        async with connected(server, **headers) as socket:
            await Person(socket, 0).open("")
            return True
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code == 403
        return False


def status(server: Server, path: str, text: str = MARK, **headers: str) -> int:
    asked = {"model": "minilm-l6", "text": text, "layer": 0, "head": 0} if path.startswith("/api") else None
    method = "GET" if asked is None else "POST"
    answer = httpx2.request(method, server.url + path, json=asked, headers=headers, timeout=60, trust_env=False)
    assert answer.status_code != 422 or answer.json()["error"]  # a sentence
    return answer.status_code


def refuses_foreigners_and_sends_nothing(server: Server, notes: Path) -> None:
    async def visit() -> None:
        person = await Person.arrive(server, 1)
        await person.type_sentence()
        await person.socket.close()
        assert await shakes_hands(server, Origin=server.url)
        assert not await shakes_hands(server, Origin=FOREIGN)

    asyncio.run(visit())
    assert status(server, "/api/heads/exact", Origin=server.url) == 200
    assert status(server, "/api/heads/exact", Origin=FOREIGN) == 403
    assert status(server, "/", Host="evil.example") == 403
    assert status(server, "/_stcore/metrics") == 404
    connections = notes.read_text().splitlines()
    assert "is how a line of ours looks" in connections[0]
    assert [line for line in connections if not any(ours in line for ours in OURS)] == []


def test_foreign_origins_and_hosts_are_refused_and_nothing_leaves_a_hosted_server(hosted):
    refuses_foreigners_and_sends_nothing(hosted.server, hosted.notes)


def test_every_line_is_json_said_once_without_a_visitors_text(hosted):
    assert MARK not in hosted.log and MARK not in hosted.numbers and "Traceback" not in hosted.log
    lines = [json.loads(line) for line in hosted.log.splitlines() if line.startswith("{")]
    rest = {line for line in hosted.log.splitlines() if line.strip() and not line.startswith("{")}
    assert all("URL:" in line or "Streamlit app" in line for line in rest), rest  # what it prints as it starts
    errors = Counter((line["message"], line.get("error"), *line.get("at", [])[-1:]) for line in lines)
    assert any(line.get("error") for line in lines) and max(errors.values()) <= 3  # in as many minutes
    assert all(line["at"] for line in lines if "error" in line)


@pytest.mark.parametrize(("values", "message"), [((3, 2.5), "3 over 2.5"), ((MARK, 2), "%s over %s")])
def test_others_numbers_are_written_and_their_texts_are_not(values: tuple[object, ...], message: str) -> None:
    record = OneLine(logging.LogRecord)("streamlit", logging.WARNING, "a.py", 1, "%s over %s", values, None)
    assert json.loads(record.getMessage())["message"] == message


def test_a_full_server_answers_everybody_with_a_picture_or_a_sentence_and_its_numbers_say_so(hosted):
    assert 0 < hosted.refused < VISITORS
    numbers = dict(line.rsplit(" ", 1) for line in hosted.numbers.splitlines() if not line.startswith("#"))
    assert float(numbers['attnviz_forward_total{kind="passed"}']) >= 2
    assert float(numbers['attnviz_forward_total{kind="refused"}']) >= hosted.refused
    assert float(numbers['attnviz_memory_bytes{part="traces"}']) > 0 and float(numbers["attnviz_sessions"]) == 0
    assert 50e6 < float(numbers['attnviz_memory_bytes{part="weights"}']) < 220e6
    assert float(numbers['attnviz_memory_bytes{part="heap_used"}']) > 50e6
    assert {'attnviz_memory_bytes{part="tables"}', 'attnviz_memory_bytes{part="trainings"}'} <= numbers.keys()
    assert float(numbers['attnviz_answer_seconds_count{route="heads"}']) >= 2
    assert float(numbers['attnviz_answer_seconds_bucket{le="+Inf",route="/heads/exact"}']) == 1
    assert numbers["attnviz_forward_waiting"] == "0.0" and numbers['attnviz_jobs{kind="training"}'] == "0.0"
