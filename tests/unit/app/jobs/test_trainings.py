"""Trainings: one of one's own, only what the page offers, and a process that keeps what it trained and always ends."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from attnviz_app.jobs.process import ChildProcess
from attnviz_app.jobs.training_request import own_ask
from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import Trainings
from attnviz_app.settings import Settings

import attnviz as av
from attnviz.core.errors import InputError, LimitError
from attnviz.training.checkpoints import MODEL, RESUME
from attnviz.training.progress import read_progress
from tests.job_fake import FakeProcess, leave_nothing_behind, started, until

QUICK = replace(own_ask("reverse"), steps=50, heads=1)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, 512 * 1024**2)


@pytest.fixture
def trainings(store):
    FakeProcess.started.clear()
    made = Trainings(Settings(training_queue=3), store, FakeProcess)
    yield made
    leave_nothing_behind(made)


def ended(trainings, run, seconds=60):
    """A training, once it is over."""
    until(lambda: not trainings.queue.job(run).is_active, seconds)
    return trainings.queue.job(run)


def test_a_hundred_clicks_are_one_training_and_a_person_has_one(trainings):
    for _ in range(100):
        trainings.submit("ann", QUICK)
    started()
    for n in range(1, 100):
        with pytest.raises(LimitError) as caught:
            trainings.submit("ann", replace(QUICK, steps=50 + n))
        assert caught.value.id == "training-own"
    assert len(FakeProcess.started) == 1 and trainings.queue.of("ann").asked == QUICK


def test_a_full_queue_says_so(trainings):
    for n in range(4):  # one runs, three wait
        trainings.submit(f"person {n}", replace(QUICK, steps=50 + n))
        if n == 0:
            started()
    with pytest.raises(LimitError) as caught:
        trainings.submit("late", replace(QUICK, steps=99))
    assert (caught.value.id, caught.value.arguments["n"]) == ("training-queue-full", 3)


def test_a_run_that_outgrows_its_room_is_stopped(trainings, monkeypatch):
    monkeypatch.setattr("attnviz_app.jobs.trainings.ROOM", 1000)
    trainings.submit("ann", QUICK)
    process = started()
    process.say(10, {"sentences": 0.25})
    until(lambda: trainings.queue.job(QUICK.id).progress.step == 10)
    assert not process.is_stopped
    (process.folder / "steps").write_bytes(bytes(2000))
    process.say(20, {"sentences": 0.25})
    until(lambda: process.is_stopped)


def test_training_that_is_switched_off_is_refused(store):
    off = Trainings(Settings(training=False), store, FakeProcess)
    with pytest.raises(LimitError, match="switched off"):
        off.submit("ann", QUICK)


@pytest.mark.parametrize("odd", [
    {"task": "rm -rf"}, {"heads": 3}, {"heads": 10**9}, {"layers": 0}, {"rate": float("nan")}, {"rate": 7.0},
    {"steps": 0}, {"steps": 10**9},
])  # fmt: skip
def test_a_training_the_page_does_not_offer_is_refused(trainings, odd):
    with pytest.raises(InputError):
        trainings.submit("ann", replace(QUICK, **odd))
    assert trainings.queue.of("ann") is None


def test_a_real_training_gives_a_model_that_loads_and_is_not_made_again(store):
    real = Trainings(Settings(), store, ChildProcess)
    real.submit("ann", QUICK)
    job = ended(real, QUICK.id, 120)
    assert (job.state, job.progress.step, job.error) == ("finished", 50, None)
    assert job.progress.accuracy.keys() == {"sentences"}
    model = av.load(str(store.path(QUICK.id)))
    assert (model.card.n_heads, model.plan.steps) == (1, 50)
    assert store.is_done(QUICK.id) and real.submit("bo", QUICK).state == "finished"


def test_a_process_is_ended_at_once_before_its_first_step_and_one_that_is_killed_is_said_in_a_sentence(store):
    long, real = replace(QUICK, steps=3000), Trainings(Settings(), store, ChildProcess)

    def begun() -> int:
        real.submit("ann", long)
        until(lambda: real._process is not None, 60)
        return real._process._process.pid

    process = begun()
    real.queue.leave(long.id, "ann")
    job = ended(real, long.id)
    assert (job.state, job.error) == (("left", None) if job.progress.step == 0 else ("stopped", None))
    assert not is_alive(process)
    os.kill(begun(), signal.SIGKILL)
    job = ended(real, long.id)
    assert job.state == "failed" and job.error.id == "training-crashed"


SERVER = """
import sys
from dataclasses import asdict, replace
from attnviz_app.jobs.training_request import own_ask
from attnviz_app.jobs.process import ChildProcess
plan = replace(own_ask("reverse"), steps=3000, heads=1).plan
asked = {"work": "train", "task": "reverse", "plan": asdict(plan), "is_resumed": False}
process = ChildProcess({**asked, "folder": sys.argv[1], "seconds": 600.0})
print(process._process.pid, flush=True)
process.listen(lambda line: print("heard", flush=True))
"""


def test_a_process_gives_way_to_pages_ends_with_the_server_and_goes_on_with_the_next_till_its_time_is_up(store):
    long = replace(QUICK, steps=3000)
    folder = store.begin(long, 0)
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(folder)], stdout=subprocess.PIPE, text=True)
    child = int(server.stdout.readline())
    assert server.stdout.readline() == "heard\n"
    assert os.getpriority(os.PRIO_PROCESS, child) >= 10
    server.kill()
    server.wait()
    until(lambda: not is_alive(child), 30)
    assert (folder / MODEL).is_file() and (folder / RESUME).is_file()
    stopped = read_progress(folder).step
    limits = Settings(training_steps=3000).model_copy(update={"training_seconds": 1.0})
    later = Trainings(limits, store, ChildProcess)
    later.submit("ann", long)
    until(lambda: later.queue.job(long.id).progress.step > 0, 120)
    assert later.queue.job(long.id).progress.step > stopped > 0  # a new one would begin with 1
    over = ended(later, long.id, 120)
    assert over.state == "out-of-time" and over.progress.step > stopped
    assert (folder / RESUME).is_file()


def is_alive(pid: int) -> bool:
    """Whether a process that is no child of ours runs; one nobody has waited for counts as ended."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
