"""What breaks under a server: what its visitors see then, that nothing saved is lost, and how it comes back."""

import asyncio
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attnviz_app.jobs.training_request import own_ask
from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import Trainings
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

import attnviz as av
from attnviz import catalog
from attnviz.core.errors import AttnvizError
from attnviz.training.checkpoints import MODEL
from benchmarks.people import Person
from tests.browser.live import ROOT, Server, serve
from tests.contract.test_visitors import LONG, refuses_foreigners_and_sends_nothing, status, watched
from tests.job_fake import until


def ask(server: Server, text: str) -> int:
    return status(server, "/api/heads/exact", text)


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


def test_a_local_server_starts_again_says_that_memory_is_short_is_held_up_by_nobody_and_asks_no_stranger(tmp_path):
    kept = tmp_path / "data" / "runs" / "run-kept"
    kept.mkdir(parents=True)
    (kept / MODEL).write_bytes(b"weights")
    environment = {"ATTNVIZ_DATA": str(tmp_path / "data")}
    with serve(environment=environment) as server:
        assert ask(server, "A cat.") == 200
        second = [sys.executable, "-c", "from attnviz_app.settings import read_settings; read_settings()"]
        refused = subprocess.run(
            second, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.PIPE, check=False
        )
        assert b"which another server uses" in refused.stderr
        with ThreadPoolExecutor(8) as people:
            for number in range(8):
                people.submit(ask, server, f"{number} {LONG}")
            time.sleep(0.1)
            server.process.kill()
    with watched(tmp_path, environment, ()) as (server, notes):
        assert ask(server, "A cat.") == 200
        refuses_foreigners_and_sends_nothing(server, notes)
        gets_no_memory(server)
        hold_up(server)
    assert (kept / MODEL).read_bytes() == b"weights"


def test_a_full_disk_ends_a_training_in_a_sentence(tmp_path):
    trainings, asked = Trainings(Settings(), Store(tmp_path, 512 * 1024**2)), own_ask("reverse")
    trainings.submit("ann", asked)
    until(lambda: trainings._process is not None, 60)
    resource.prlimit(trainings._process._process.pid, resource.RLIMIT_FSIZE, (100_000, 100_000))
    until(lambda: not trainings.queue.job(asked.id).is_active, 120)
    job = trainings.queue.job(asked.id)
    assert job.state == "failed" and str(job.error).startswith("There is no room left to write ")


def test_a_model_whose_folder_goes_away_answers_from_memory_and_is_then_refused_in_a_sentence(tmp_path):
    folder = shutil.copytree(catalog.get("minilm-l6"), tmp_path / "model")
    settings = Settings(models=(str(folder),))
    runs = Runs(settings)
    runs.trace(str(folder), "A cat.")
    shutil.rmtree(folder)
    assert runs.trace(str(folder), "A dog.").verified.holds
    with pytest.raises(AttnvizError, match="There is no file or folder"):
        Runs(settings).trace(str(folder), "A cat.")


def test_a_model_whose_folder_hangs_holds_up_nobody_who_asks_another(monkeypatch):
    load, asked, answers = av.load, threading.Event(), threading.Event()

    def hanging(name: str, **place: object) -> object:
        if name == "minilm-l6":
            asked.set()
            answers.wait()
        return load(name, **place)

    monkeypatch.setattr(av, "load", hanging)
    runs = Runs(Settings())
    waiting = ThreadPoolExecutor(1).submit(runs.trace, "minilm-l6", "A cat.")
    assert asked.wait(60)
    assert runs.trace("reverse", "a b c").sites and not waiting.done()
    answers.set()
    assert waiting.result().sites
