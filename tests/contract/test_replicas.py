"""The configuration of the proxy before two replicas, as processes: sticky, silent about texts, one may be killed."""

import asyncio
import http.client
import json
import os
import socket
import subprocess

import pytest
from attnviz_app.serving.rooms import GUESSES

from benchmarks.people import Person, connected
from tests.browser.live import ROOT, Server, free_port, serve, wait_until

MARK = "zwiebelfisch"


def get(port: int, path: str, cookie: str = "") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    return answer.status, (answer.getheader("Set-Cookie") or "").split(";")[0]


def guess(port: int, source: str) -> int:
    """The status of a wrong room's code from that address, which says that it is another's."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    headers = {"Content-Type": "application/json", "Cookie": "attnviz=one", "X-Forwarded-For": "192.0.2.9"}
    connection.request("POST", "/api/rooms/say", json.dumps({"code": "BCDFG", "ticket": ""}), headers)
    return connection.getresponse().status


async def type_over(proxy: Server, cookie: str, name: int) -> None:
    """Open a page as one browser does, type a sentence, and leave."""
    async with connected(proxy, Cookie=cookie, Origin=proxy.url) as socket:
        person = await Person(socket, name).open("heads")
        await person.type_sentence()


@pytest.mark.needs("haproxy")
def test_two_replicas_behind_the_proxy(tmp_path):
    port, log = free_port(), tmp_path / "proxy.log"
    options = ("--server.address", "127.0.0.1", "--logger.messageFormat", "%(message)s")
    with (
        serve(environment={"ATTNVIZ_MODE": "hosted"}, options=options) as one,
        serve(environment={"ATTNVIZ_MODE": "hosted"}, options=options) as two,
        log.open("wb") as out,
    ):
        at = {"ATTNVIZ_BIND": f"127.0.0.1:{port}", "ATTNVIZ_ONE": one.url[7:], "ATTNVIZ_TWO": two.url[7:]}
        command = ["haproxy", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
        process = subprocess.Popen(command, env={**os.environ, **at}, stdout=out, stderr=subprocess.STDOUT)
        proxy = Server(f"http://127.0.0.1:{port}", process, log)
        try:
            for replica in (int(it.url.rsplit(":", 1)[1]) for it in (one, two)):
                wait_until(lambda at=replica: get(at, "/readyz")[0] == 200, 180)
            wait_until(lambda: len({get(port, "/healthz")[1] for _ in range(4)}) == 2, 60)  # the proxy has seen it
            cookies = [get(port, f"/?text={MARK}")[1] for _ in range(6)]
            assert set(cookies) == {"attnviz=one", "attnviz=two"}
            assert get(port, "/metrics")[0] == 404
            assert [guess(port, "127.0.0.2") for _ in range(GUESSES + 1)] == [404] * GUESSES + [429]
            assert guess(port, "127.0.0.3") == 404  # another visitor is not held up by it
            slow = socket.create_connection(("127.0.0.1", port))
            slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")  # and no more of its headers

            async def visit(cookies: list[str]) -> None:
                await asyncio.gather(*(type_over(proxy, cookie, name) for name, cookie in enumerate(cookies)))

            asyncio.run(visit(cookies))
            one.process.kill()
            one.process.wait()
            wait_until(lambda: get(port, "/", "attnviz=one")[0] == 200, 60)  # the other takes over
            asyncio.run(visit(["attnviz=one", "attnviz=two"]))
            slow.settimeout(20)
            assert b" 408 " in slow.recv(100)
        finally:
            process.terminate()
            process.wait()
    said = log.read_text()
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert MARK not in said
    for cookie in ("one", "two"):  # a session stays with the replica that it began with
        assert any(line["server"] == cookie and line["path"] == "/_stcore/stream" for line in lines)
