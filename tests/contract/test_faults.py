"""What breaks under a server: what its visitors see then, that nothing saved is lost, and how it comes back."""

import asyncio
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

import attnviz as av
from attnviz.core.errors import AttnvizError
from attnviz.pretrained.known_models import BY_NAME
from attnviz.pretrained.loading.load import bundled_folder
from attnviz.training.checkpoints import MODEL
from benchmarks.people import Person
from tests.browser.live import ROOT, Server, serve

LONG = "the cat sat on the mat and the dog lay beside it " * 20
VISITORS = 40  # where one forward pass runs and one may wait
# Trains in a process of its own, as the server does, and says how that ended.
TRAIN = """
import sys, time
from dataclasses import replace
from pathlib import Path
from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import Trainings
from attnviz_app.settings import Settings
from attnviz_app.train.request import own_ask
trainings = Trainings(Settings(), Store(Path(sys.argv[1]), 512 * 1024**2))
ask = replace(own_ask("reverse"), steps=int(sys.argv[2]), heads=1)
trainings.submit("ann", ask)
while (job := trainings.queue.job(ask.id)).is_active:
    print(trainings.store.path(ask.id), job.progress.step, flush=True)
    time.sleep(0.1)
print(job.state, job.error, flush=True)
"""


def ask(server: Server, text: str) -> int:
    body = json.dumps({"model": "minilm-l6", "text": text, "layer": 0, "head": 0}).encode()
    request = urllib.request.Request(f"{server.url}/api/heads/exact", body, {"Content-Type": "application/json"})
    try:
        return int(urllib.request.urlopen(request, timeout=60).status)
    except urllib.error.HTTPError as error:
        assert json.load(error)["error"]  # a sentence
        return error.code


def cut_off(server: Server, text: str) -> None:
    with suppress(OSError):
        ask(server, text)


def train(folder: Path, steps: int, **options) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", TRAIN, str(folder), str(steps)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, **options)


def gets_no_memory(server: Server) -> None:
    """A sentence is the answer where torch gets none, and what is there already is answered."""
    status, pid = Path(f"/proc/{server.process.pid}/status").read_text(), server.process.pid
    resource.prlimit(pid, resource.RLIMIT_AS, (int(status.split("VmSize:")[1].split()[0]) * 1024, -1))
    assert ask(server, LONG) == 422
    assert ask(server, "A cat.") == 200 and "Traceback" not in server.log_text()
    resource.prlimit(pid, resource.RLIMIT_AS, (-1, -1))


def hold_up(server: Server) -> None:
    """A hundred slow connections, and twenty people who are cut off in the middle of what they were sent."""
    host, port = "127.0.0.1", int(server.url.rsplit(":", 1)[1])
    slow = [socket.create_connection((host, port)) for _ in range(100)]
    for one in slow:
        one.sendall(b"POST /api/heads/exact HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")

    async def cut() -> None:
        people = await asyncio.gather(*(Person.arrive(server, name) for name in range(20)))
        for person in people:
            person.socket.transport.abort()
        await (await Person.arrive(server, 99)).type_sentence()

    asyncio.run(cut())
    assert ask(server, "A cat.") == 200 and "Traceback" not in server.log_text()
    for one in slow:
        one.close()


def test_killed_it_starts_again_in_its_folder_without_memory_it_says_so_and_slow_connections_hold_up_nobody(tmp_path):
    kept = tmp_path / "runs" / "run-kept"
    kept.mkdir(parents=True)
    (kept / MODEL).write_bytes(b"weights")
    environment = {"ATTNVIZ_DATA": str(tmp_path)}
    with serve(environment=environment) as server:
        assert ask(server, "A cat.") == 200
        second = [sys.executable, "-c", "from attnviz_app.settings import read_settings; read_settings()"]
        refused = subprocess.run(
            second, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.PIPE, check=False
        )
        assert b"which another server uses" in refused.stderr
        asked = [threading.Thread(target=cut_off, args=(server, f"{n} {LONG}")) for n in range(8)]
        for thread in asked:
            thread.start()
        time.sleep(0.1)
        server.process.kill()
        for thread in asked:
            thread.join()
    with serve(environment=environment) as server:
        assert ask(server, "A cat.") == 200
        gets_no_memory(server)
        hold_up(server)
    assert (kept / MODEL).read_bytes() == b"weights"


async def visit(server: Server, name: int) -> bool:
    """Whether the visitor was told that the server is busy."""
    person = await Person.arrive(server, name)  # while the model is loaded
    await person.type_sentence(f"{name} {LONG}".strip())
    was_refused = person.is_refused
    await person.type_sentence(f"Visitor {name} tries again.")
    await person.socket.close()
    return was_refused


def test_a_full_server_answers_everybody_with_a_picture_or_a_sentence():
    async def crowd(server: Server) -> list[bool]:
        return await asyncio.gather(*(visit(server, name) for name in range(VISITORS)))

    environment = {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_WORKERS": "1", "ATTNVIZ_QUEUE_LENGTH": "1"}
    with serve(environment=environment) as server:
        refused = asyncio.run(crowd(server))
    assert 0 < sum(refused) < VISITORS


def test_a_full_disk_ends_a_training_in_a_sentence(tmp_path):
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    said, _ = train(tmp_path, 60, preexec_fn=full).communicate(timeout=300)
    assert said.splitlines()[-1].startswith("failed There is no room left to write")


def test_a_model_whose_folder_goes_away_answers_from_memory_and_is_then_refused_in_a_sentence(tmp_path):
    folder = shutil.copytree(bundled_folder(BY_NAME["minilm-l6"]), tmp_path / "model")
    settings = Settings(models=(str(folder),))
    runs = Runs(settings)
    runs.trace(str(folder), "A cat.")
    shutil.rmtree(folder)
    assert runs.trace(str(folder), "A dog.").verified.holds
    with pytest.raises(AttnvizError, match="There is no model in"):
        Runs(settings).trace(str(folder), "A cat.")


def test_a_model_whose_folder_hangs_holds_up_nobody_who_asks_another(monkeypatch):
    load, asked, answers = av.load, threading.Event(), threading.Event()

    def hanging(name: str, **place: object) -> object:
        if name == "minilm-l6":
            asked.set()
            answers.wait()
        return load(name, **place)

    monkeypatch.setattr(av, "load", hanging)
    runs, found = Runs(Settings()), []
    waiting = threading.Thread(target=lambda: found.append(runs.trace("minilm-l6", "A cat.")))
    waiting.start()
    assert asked.wait(60)
    assert runs.trace("reverse", "a b c").sites and not found
    answers.set()
    waiting.join()
    assert found[0].sites
