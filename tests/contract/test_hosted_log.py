"""A hosted server under forged messages: each kind is one line of JSON, and no log and no number holds a text."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections import Counter

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.people import Person, connected
from tests.browser.live import Server, free_port, serve, wait_until

MARK = "zwiebelfisch"
PAGES = ("", "heads", "step", "compare", "train", "about")
LINK = f"text={MARK}&model={MARK}&layer=%FF&head=NaN&lang=xx&run={MARK}&size=%00&a={MARK}&task={MARK}"
FORGED = {
    "string_value": MARK,
    "json_value": "{" + MARK,
    "int_value": 10**9,
    "trigger_value": True,
    "double_value": float("nan"),
    "json_trigger_value": f'{{"{MARK}',
    "bytes_value": MARK.encode(),
}


@pytest.fixture(scope="module")
def forged():
    """A server after the messages, its metrics, and what it wrote."""
    port = free_port()
    environment = {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_METRICS_PORT": str(port)}
    options = ("--server.address", "127.0.0.1", "--logger.messageFormat", "%(message)s")
    with serve(environment=environment, options=options) as server:
        wait_until(lambda: urllib.request.urlopen(f"{server.url}/readyz", timeout=5).status == 200, 120)
        asyncio.run(forge(server))
        body = json.dumps({"model": "minilm-l6", "text": MARK, "layer": 0, "head": 0}).encode()
        ask = urllib.request.Request(f"{server.url}/api/heads/exact", body, {"Content-Type": "application/json"})
        urllib.request.urlopen(ask, timeout=60).read()
        numbers = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
        assert urllib.request.urlopen(f"{server.url}/healthz", timeout=5).read() == b"ok"
        yield numbers, server.log_text()


async def forge(server: Server) -> None:
    person = await Person.arrive(server, 1)
    await person.type_sentence(MARK)
    await person.socket.close()
    ids: set[str] = set()
    for page in PAGES:
        async with connected(server) as socket:
            ids |= (await Person(socket, 0).open(page)).ids
    for page in PAGES:
        for field, value in FORGED.items():
            async with connected(server) as socket:
                message = BackMsg()
                message.rerun_script.page_name, message.rerun_script.query_string = page, LINK
                for id in ids:
                    setattr(message.rerun_script.widget_states.widgets.add(id=id), field, value)
                await socket.send(message.SerializeToString())
                await Person(socket, 0).until_finished()
                message.rerun_script.fragment_id = MARK
                await socket.send(message.SerializeToString())
    for raw in (b"\xff\xff" + MARK.encode(), MARK):
        async with connected(server) as socket:
            await socket.send(raw)
            with pytest.raises(websockets.ConnectionClosed):
                await socket.recv()


def test_every_line_is_json_said_once_without_a_visitors_text(forged):
    numbers, log = forged
    assert MARK not in log and MARK not in numbers and "Traceback" not in log
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    rest = {line for line in log.splitlines() if line.strip() and not line.startswith("{")}
    assert all("URL:" in line or "Streamlit app" in line for line in rest), rest  # what it prints as it starts
    errors = Counter((line["message"], line.get("error"), *line.get("at", [])[-1:]) for line in lines)
    assert any(line.get("error") for line in lines) and max(errors.values()) <= 3  # in as many minutes
    assert all(line["at"] for line in lines if "error" in line)


def test_the_numbers_say_what_the_server_does(forged):
    numbers = dict(line.rsplit(" ", 1) for line in forged[0].splitlines() if not line.startswith("#"))
    assert float(numbers['attnviz_forward_total{kind="passed"}']) >= 2
    assert float(numbers['attnviz_memory_bytes{part="traces"}']) > 0 and float(numbers["attnviz_sessions"]) == 0
    assert 50e6 < float(numbers['attnviz_memory_bytes{part="weights"}']) < 200e6
    assert float(numbers['attnviz_memory_bytes{part="heap_used"}']) > 50e6
    assert {'attnviz_memory_bytes{part="tables"}', 'attnviz_memory_bytes{part="trainings"}'} <= numbers.keys()
    assert float(numbers['attnviz_answer_seconds_count{route="heads"}']) >= 2
    assert float(numbers['attnviz_answer_seconds_bucket{le="+Inf",route="/heads/exact"}']) == 1
    assert numbers["attnviz_forward_waiting"] == "0.0" and numbers['attnviz_jobs{kind="training"}'] == "0.0"
