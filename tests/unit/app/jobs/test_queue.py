"""The queue: one job at a time in true places, equal asks are one, a closed browser gives up its place."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from attnviz_app.jobs import queue as module
from attnviz_app.jobs.process import ProcessCrashed
from attnviz_app.jobs.queue import GRACE_SECONDS, Queue

from attnviz.core.errors import AttnvizError, InputError, LimitError
from tests.job_fake import until

LATER = GRACE_SECONDS + 1


class World:
    """A queue whose jobs run until a test ends them, and a clock that it turns."""

    def __init__(self, **options):
        self.now, self.started, self.stopped = 0.0, [], []
        self._end: dict[str, threading.Event] = {}
        self._outcome = {}
        self.queue = Queue(
            "test", self._run, full=lambda n: LimitError(id="full", n=n),
            crashed=lambda code: AttnvizError(id="crashed", code=code), clock=lambda: self.now, **options,
        )  # fmt: skip

    def _run(self, job):
        end = self._end.setdefault(job.key, threading.Event())
        self.started.append(job.key)
        self.queue.stops_by(lambda: (self.stopped.append(job.key), self.ends(job.key, ProcessCrashed(-9))))
        while not end.wait(0.01):
            self.queue.free_places()
        outcome = self._outcome.pop(job.key, "finished")
        end.clear()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def ends(self, key, outcome="finished"):
        self._outcome[key] = outcome
        self._end.setdefault(key, threading.Event()).set()

    def ask(self, key, owner="", most=3):
        self.queue.saw(owner)
        return self.queue.put(key, key, 0, owner=owner, most=most)

    def runs(self, key):
        until(lambda: self.queue.job(key).state == "running" and key in self.started)

    def state(self, key):
        return self.queue.job(key).state


@pytest.fixture
def world():
    made = World(retry_seconds=100.0)
    yield made
    for key in "abcdef":
        made.ends(key)
    made.queue.close(5.0)


@pytest.fixture
def three(world):
    """Ann's job runs, Bo's and Cy's wait."""
    for key, owner in zip("abc", ("ann", "bo", "cy"), strict=True):
        world.ask(key, owner)
        if key == "a":
            world.runs("a")
    return world


def test_jobs_run_one_after_the_other_in_the_order_of_asking(three):
    assert [three.queue.place(key) for key in "abc"] == [0, 1, 2] and three.queue.waiting == ("b", "c")
    three.ends("a")
    three.runs("b")
    assert three.started == ["a", "b"] and three.queue.place("c") == 1 and three.state("a") == "finished"


def test_threads_that_race_for_one_job_start_it_once(world):
    with ThreadPoolExecutor(30) as pool:
        list(pool.map(lambda n: world.ask("a", f"person {n}"), range(30)))
    world.runs("a")
    assert world.started == ["a"] and len(world.queue.job("a").owners) == 30


def test_who_gives_up_ends_a_job_only_where_nobody_else_wants_it(three):
    three.ask("a", "bo")
    three.ask("b", "di")
    for key, owner in (("a", "eve"), ("c", "ann"), ("a", "ann"), ("b", "bo")):  # the first two are not theirs
        three.queue.leave(key, owner)
    assert three.stopped == [] and [three.state(key) for key in "abc"] == ["running", "waiting", "waiting"]
    three.queue.leave("b", "di")
    assert three.state("b") == "left" and three.queue.place("c") == 1
    three.queue.leave("a", "bo")
    until(lambda: three.state("a") == "left")  # that it was killed is no failure
    assert three.stopped == ["a"] and three.queue.job("a").error is None and three.queue.of("bo") is None


def test_a_job_that_is_given_up_before_it_says_how_it_is_stopped_is_stopped_then(world, monkeypatch):
    here, go = threading.Event(), threading.Event()
    stops_by = world.queue.stops_by
    monkeypatch.setattr(world.queue, "stops_by", lambda stop: (here.set(), go.wait(10), stops_by(stop)))
    world.ask("a", "ann")
    here.wait(10)
    world.queue.leave("a", "ann")
    assert world.stopped == []
    go.set()
    until(lambda: world.state("a") == "left")


@pytest.mark.parametrize(("outcome", "id"), [
    (ProcessCrashed(1), "crashed"), (ZeroDivisionError(), "crashed"), (InputError(id="no"), "no"),
])  # fmt: skip
def test_a_failure_is_kept_for_a_while_and_the_next_job_runs(three, outcome, id):
    three.ends("a", outcome)
    three.runs("b")
    assert (three.state("a"), three.queue.job("a").error.id) == ("failed", id)
    assert three.ask("a", "ann").state == "failed"
    three.queue._retry_seconds = 0.0
    assert three.ask("a", "ann").state == "waiting"


def test_many_ended_jobs_are_not_all_remembered(world, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 3)
    for key in "abcdef":
        world.ask(key)
        world.runs(key)
        world.ends(key)
        until(lambda key=key: not world.queue.job(key).is_active)
    assert [world.queue.job(key) is not None for key in "abcdef"] == [False] * 3 + [True] * 3


def test_none_of_those_that_wait_begins_in_a_server_that_stops(three):
    three.queue.close(5.0)
    assert three.stopped == three.started == ["a"] and three.queue.waiting == ()
    assert not three.queue._worker.is_alive()


def passes(world, seconds, *here):
    """Time passes; the pages of these people are open meanwhile."""
    for _ in range(2):
        world.now += seconds / 2
        for person in here:
            world.queue.saw(person)
    world.queue.free_places()


def test_a_place_is_freed_after_a_while_and_those_behind_move_up_as_long_as_one_of_their_owners_is_there(three):
    three.ask("c", "di")
    passes(three, GRACE_SECONDS - 1)
    assert three.state("b") == "waiting"
    passes(three, LATER, "ann", "di")
    assert three.state("b") == "freed" and three.queue.of("bo") is None and three.queue.place("c") == 1
    assert three.queue.job("c").owners == {"di"} and three.stopped == []


def test_a_full_queue_refuses_the_next_and_takes_it_once_one_has_left(three):
    with pytest.raises(LimitError) as caught:
        three.ask("d", "di", most=2)
    assert caught.value.arguments == {"n": 2}
    three.now += LATER
    three.queue.saw("ann")
    assert three.ask("d", "di", most=1).state == "waiting"


def test_what_runs_gives_way_to_those_who_wait_and_goes_on_where_nobody_does(three):
    passes(three, LATER)
    assert [three.state(key) for key in "abc"] == ["running", "freed", "freed"] and three.stopped == []
    three.ask("d", "di")
    three.queue.free_places()
    assert three.stopped == ["a"]
    three.runs("d")


def test_places_are_freed_while_the_job_before_them_goes_on(three, monkeypatch):
    monkeypatch.setattr(module, "FREE_SECONDS", 0.0)
    three.now += LATER
    three.queue.saw("ann")
    three.queue.tell(1)
    assert three.state("b") == "freed" and three.queue.job("a").progress == 1
