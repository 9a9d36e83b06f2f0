"""Everyone's trainings: one at a time, a queue with true places, one of one's own, and a process that always ends."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from attnviz_app.jobs.training_process import TrainingProcess
from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import OneAtATime, QueueFull, TrainingOff, Trainings
from attnviz_app.settings import Settings
from attnviz_app.train.request import Ask, own_ask

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.training.checkpoints import MODEL, RESUME
from tests.training_fake import FakeProcess, leave_nothing_behind, until

QUICK = replace(own_ask("reverse"), steps=50, heads=1)


def numbered(n: int) -> Ask:
    """Trainings that differ."""
    return replace(QUICK, steps=50 + n)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, 512 * 1024**2)


@pytest.fixture
def trainings(store):
    FakeProcess.started.clear()
    made = Trainings(Settings(training_queue=3), store, FakeProcess)
    yield made
    leave_nothing_behind(made)


def running(trainings, n=1):
    """The n-th process, once it is there."""
    until(lambda: len(FakeProcess.started) >= n)
    return FakeProcess.started[n - 1]


def end(trainings, process, outcome="finished"):
    process.lines.put({"outcome": outcome})
    until(lambda: not trainings.job(process.sitting.ask.id).is_active)


def test_they_run_one_after_the_other_in_the_order_of_asking(trainings):
    for n, person in enumerate(("ann", "bo", "cy")):
        trainings.submit(person, numbered(n))
    first = running(trainings)
    until(lambda: trainings.job(numbered(0).id).state == "running")
    assert [trainings.place(numbered(n).id) for n in range(3)] == [0, 1, 2]
    end(trainings, first)
    second = running(trainings, 2)
    assert second.sitting.ask == numbered(1)
    until(lambda: trainings.place(numbered(2).id) == 1)
    assert len(FakeProcess.started) == 2
    end(trainings, second)
    end(trainings, running(trainings, 3))
    assert [trainings.job(numbered(n).id).state for n in range(3)] == ["finished"] * 3


def test_a_thousand_clicks_are_one_training(trainings):
    for _ in range(1000):
        trainings.submit("ann", QUICK)
    running(trainings)
    assert len(FakeProcess.started) == 1 and trainings.place(QUICK.id) == 0
    for n in range(1, 1000):
        with pytest.raises(OneAtATime) as caught:
            trainings.submit("ann", numbered(n))
        assert caught.value.id == "training-own"
    assert trainings.of("ann").ask == QUICK


def test_threads_that_race_start_one_process(trainings):
    threads = [threading.Thread(target=trainings.submit, args=(f"person {n}", QUICK)) for n in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    running(trainings)
    assert len(FakeProcess.started) == 1
    assert len(trainings.job(QUICK.id).owners) == 30


def test_a_full_queue_says_so(trainings):
    for n in range(4):  # one runs, three wait
        trainings.submit(f"person {n}", numbered(n))
        if n == 0:
            running(trainings)
    with pytest.raises(QueueFull) as caught:
        trainings.submit("late", numbered(9))
    assert (caught.value.id, caught.value.arguments["n"]) == ("training-queue-full", 3)


def test_the_place_moves_up_when_one_before_gives_up(trainings):
    for n, person in enumerate(("ann", "bo", "cy")):
        trainings.submit(person, numbered(n))
    running(trainings)
    until(lambda: trainings.place(numbered(2).id) == 2)
    assert trainings.cancel("bo", numbered(1).id)
    assert trainings.job(numbered(1).id).state == "left"
    assert trainings.place(numbered(2).id) == 1
    assert trainings.of("bo") is None


def test_nobody_cancels_anothers_training(trainings):
    trainings.submit("ann", QUICK)
    process = running(trainings)
    trainings.submit("bo", numbered(1))
    assert not trainings.cancel("eve", QUICK.id)
    assert not trainings.cancel("eve", numbered(1).id)
    assert not trainings.cancel("ann", numbered(1).id)
    assert not process.is_stopped and trainings.place(numbered(1).id) == 1


def test_a_training_that_others_wait_for_goes_on_without_one_of_them(trainings):
    trainings.submit("ann", QUICK)
    process = running(trainings)
    trainings.submit("bo", QUICK)
    assert trainings.cancel("ann", QUICK.id)
    assert not process.is_stopped and trainings.of("ann") is None
    assert trainings.cancel("bo", QUICK.id)
    assert process.is_stopped
    until(lambda: trainings.job(QUICK.id).state == "stopped")


def test_progress_is_the_newest_point_and_accuracy_the_newest_checkpoint(trainings):
    trainings.submit("ann", QUICK)
    process = running(trainings)
    process.say(10, {"sentences": 0.25})
    process.say(20)
    until(lambda: (trainings.job(QUICK.id) or QUICK).step == 20)
    job = trainings.job(QUICK.id)
    assert (job.loss, job.seconds, job.accuracy, job.n_checkpoints) == (0.05, 2.0, {"sentences": 0.25}, 1)


def test_a_crash_is_said_and_the_next_one_runs(trainings):
    trainings.submit("ann", QUICK)
    trainings.submit("bo", numbered(1))
    running(trainings).lines.put({"crash": True})
    until(lambda: trainings.job(QUICK.id).state == "failed")
    assert trainings.job(QUICK.id).error.id == "training-crashed"
    assert running(trainings, 2).sitting.ask == numbered(1)
    assert trainings.of("ann") is None


def test_a_training_that_is_given_up_before_its_first_step_is_ended_at_once(store):
    long = replace(QUICK, steps=3000)
    real = Trainings(Settings(), store, TrainingProcess)
    real.submit("ann", long)
    until(lambda: real._process is not None, 60)
    process = real._process
    real.cancel("ann", long.id)
    until(lambda: not real.job(long.id).is_active, 60)
    job = real.job(long.id)
    assert (job.state, job.error) == (("left", None) if job.step == 0 else ("stopped", None))
    assert not is_alive(process.pid)


def test_a_run_that_outgrows_its_room_is_stopped(trainings, monkeypatch):
    monkeypatch.setattr("attnviz_app.jobs.trainings.ROOM", 1000)
    trainings.submit("ann", QUICK)
    process = running(trainings)
    process.say(10, {"sentences": 0.25})
    until(lambda: trainings.job(QUICK.id).step == 10)
    assert not process.is_stopped
    (process.sitting.folder / "steps").write_bytes(bytes(2000))
    process.say(20, {"sentences": 0.25})
    until(lambda: process.is_stopped)


def test_what_was_trained_already_is_not_trained_again(trainings):
    trainings.submit("ann", QUICK)
    end(trainings, running(trainings))
    trainings.store.is_done = lambda id: id == QUICK.id  # the fake's weights are none
    assert trainings.submit("bo", QUICK).state == "finished"
    assert len(FakeProcess.started) == 1


def test_training_that_is_switched_off_is_refused(store):
    off = Trainings(Settings(training=False), store, FakeProcess)
    with pytest.raises(TrainingOff):
        off.submit("ann", QUICK)


@pytest.mark.parametrize(
    "ask",
    [
        replace(QUICK, task="rm -rf"),
        replace(QUICK, heads=3),
        replace(QUICK, heads=10**9),
        replace(QUICK, layers=0),
        replace(QUICK, rate=float("nan")),
        replace(QUICK, rate=7.0),
        replace(QUICK, steps=0),
        replace(QUICK, steps=10**9),
    ],
)
def test_a_training_the_page_does_not_offer_is_refused(trainings, ask):
    with pytest.raises(InputError):
        trainings.submit("ann", ask)
    assert trainings.of("ann") is None


def test_many_ended_trainings_are_not_all_remembered(trainings, monkeypatch):
    monkeypatch.setattr("attnviz_app.jobs.trainings.KEPT", 3)
    for n in range(6):
        trainings.submit("ann", numbered(n))
        end(trainings, running(trainings, n + 1))
    assert [trainings.job(numbered(n).id) is not None for n in range(6)] == [False] * 3 + [True] * 3


# ---------------------------------------------------------------------------------------------------- the real process


def test_a_real_training_gives_a_model_that_loads(store):
    real = Trainings(Settings(), store, TrainingProcess)
    real.submit("ann", QUICK)
    until(lambda: not real.job(QUICK.id).is_active, 120)
    job = real.job(QUICK.id)
    assert (job.state, job.step, job.error) == ("finished", 50, None)
    assert job.accuracy.keys() == {"sentences"} and job.n_checkpoints > 3
    model = av.load(str(store.path(QUICK.id)))
    assert (model.card.n_heads, model.plan.steps) == (1, 50)
    assert store.is_done(QUICK.id) and real.submit("bo", QUICK).state == "finished"


def test_a_training_gives_way_to_pages_is_kept_when_stopped_and_goes_on_where_it_was_till_its_time_is_up(store):
    long = replace(QUICK, steps=3000)
    real = Trainings(Settings(training_steps=3000), store, TrainingProcess)
    real.submit("ann", long)
    until(lambda: real.job(long.id).step > 0, 120)
    assert os.getpriority(os.PRIO_PROCESS, real._process.pid) >= 10
    assert real.cancel("ann", long.id)
    until(lambda: not real.job(long.id).is_active, 60)
    stopped = real.job(long.id)
    assert stopped.state == "stopped" and 0 < stopped.step < 3000
    assert (store.path(long.id) / MODEL).is_file() and (store.path(long.id) / RESUME).is_file()
    real.limits = replace_setting(real.limits, training_seconds=1.0)
    real.submit("ann", long)
    until(lambda: not real.job(long.id).is_active, 120)
    assert real.job(long.id).state == "out-of-time" and real.job(long.id).step > stopped.step
    assert store.can_go_on(long.id)


def replace_setting(settings, **changes):
    return settings.model_copy(update=changes)


def test_a_killed_process_is_said_in_a_sentence(store):
    long = replace(QUICK, steps=3000)
    real = Trainings(Settings(), store, TrainingProcess)
    real.submit("ann", long)
    until(lambda: real._process is not None, 60)
    os.kill(real._process.pid, signal.SIGKILL)
    until(lambda: not real.job(long.id).is_active, 60)
    job = real.job(long.id)
    assert job.state == "failed" and job.error.id == "training-crashed"


SERVER = """
import sys, time
from pathlib import Path
from attnviz_app.train.request import own_ask
from attnviz_app.jobs.training_process import Sitting, TrainingProcess
process = TrainingProcess(Sitting(own_ask("reverse"), Path(sys.argv[1]), 600.0))
print(process.pid, flush=True)
process.listen(lambda line: print("heard", flush=True))
"""


def test_the_process_ends_with_the_server_however_that_ends(tmp_path):
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    child = int(server.stdout.readline())
    assert server.stdout.readline() == "heard\n"
    server.kill()
    server.wait()
    until(lambda: not is_alive(child), 30)
    assert (tmp_path / MODEL).is_file()


def is_alive(pid: int) -> bool:
    """Whether a process that is no child of ours runs; one nobody has waited for counts as ended."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


def test_none_of_those_that_wait_begins_in_a_server_that_stops(trainings):
    for n, person in enumerate(("ann", "bo")):
        trainings.submit(person, numbered(n))
    running(trainings)
    trainings.close()
    until(lambda: not trainings.job(numbered(0).id).is_active)
    assert len(FakeProcess.started) == 1 and trainings.place(numbered(1).id) == 0
