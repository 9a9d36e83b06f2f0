"""The server asks no other host for anything, whatever a visitor sends: each connection of its processes is noted."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.people import Person
from tests.browser.live import Server, serve

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
OURS = ("'127.0.0.1'", "'localhost'", "'::1'", "'0.0.0.0'", "(None,", "('/", "(b'/")
FOREIGN = ("https://evil.example", "http://127.0.0.1.evil.example:8501", "null", "http://[::1", "//")


@pytest.fixture(scope="module", params=["local", "hosted"])
def watched(request, tmp_path_factory):
    """A server, and what it has connected to."""
    folder = tmp_path_factory.mktemp("watch")
    notes = folder / "notes"
    (folder / "sitecustomize.py").write_text(NOTE.format(path=str(notes)))
    environment = {"PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "0", "ATTNVIZ_MODE": request.param}
    options = () if request.param == "local" else ("--server.address", "0.0.0.0", "--server.allowedHosts", "127.0.0.1")
    notes.write_text("")
    with serve(environment=environment, options=options) as server:
        yield server, notes


def foreign(notes: Path) -> list[str]:
    return [line for line in notes.read_text().splitlines() if not any(ours in line for ours in OURS)]


async def shakes_hands(server: Server, **headers: str) -> bool:
    try:
        async with websockets.connect(
            server.url.replace("http", "ws") + "/_stcore/stream", subprotocols=[websockets.Subprotocol("streamlit")],
            additional_headers=headers, max_size=None,
        ) as socket:  # fmt: skip
            message = BackMsg()
            message.rerun_script.query_string = ""
            await socket.send(message.SerializeToString())
            await socket.recv()
            return True
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code == 403
        return False


def status(server: Server, path: str, **headers: str) -> int:
    body = json.dumps({"model": "minilm-l6", "text": "A cat.", "layer": 0, "head": 0}).encode()
    headers = {"Content-Type": "application/json", **headers}
    try:
        asked = urllib.request.Request(server.url + path, body if path.startswith("/api") else None, headers)
        return int(urllib.request.urlopen(asked, timeout=60).status)
    except urllib.error.HTTPError as error:
        return error.code


def test_foreign_origins_and_hosts_are_refused_and_nothing_leaves(watched):
    server, notes = watched

    async def visit() -> None:
        person = await Person.arrive(server, 1)
        await person.type_sentence()
        await person.socket.close()
        assert await shakes_hands(server)
        assert await shakes_hands(server, Origin=server.url)
        for origin in FOREIGN:
            assert not await shakes_hands(server, Origin=origin), origin

    asyncio.run(visit())
    assert status(server, "/api/heads/exact", Origin=server.url) == 200
    assert [status(server, "/api/heads/exact", Origin=origin) for origin in FOREIGN] == [403] * len(FOREIGN)
    assert status(server, "/", Host="evil.example") == 403
    assert status(server, "/_stcore/metrics") == 404
    assert "is how a line of ours looks" in notes.read_text() and foreign(notes) == []
