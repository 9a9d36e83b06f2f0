"""A closed browser loses its place in the queue, a reload does not, and a training that others want goes on."""

from dataclasses import replace

import pytest
from attnviz_app.jobs.presence import GRACE_SECONDS, PEOPLE, Presence
from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import Trainings
from attnviz_app.settings import Settings
from attnviz_app.train.request import own_ask

from tests.training_fake import FakeProcess, leave_nothing_behind, until

LATER = GRACE_SECONDS + 1
ASKS = [replace(own_ask("reverse"), steps=50 + n, heads=1) for n in range(4)]


class World:
    """A clock that a test turns, and the browsers that are open."""

    def __init__(self):
        self.now = 0.0
        self.open = set()
        self.presence = Presence(self.open.__contains__, lambda: self.now)

    def comes(self, person, session):
        self.open.add(session)
        self.presence.saw(person, session)

    def passes(self, seconds, trainings=None):
        """Time passes; in its middle and at its end somebody asks."""
        for _ in range(2):
            self.now += seconds
            if trainings is not None:
                trainings.free_places()


@pytest.fixture
def world():
    return World()


@pytest.fixture
def trainings(tmp_path, world):
    FakeProcess.started.clear()
    made = Trainings(Settings(training_queue=2), Store(tmp_path, 512 * 1024**2), FakeProcess, world.presence)
    for n, person in enumerate(("ann", "bo", "cy")):
        world.comes(person, f"tab of {person}")
        made.submit(person, ASKS[n])
        if n == 0:
            until(lambda: FakeProcess.started)
    yield made
    leave_nothing_behind(made)


def test_a_person_is_gone_after_a_while_and_not_before(world):
    world.comes("ann", "tab")
    assert not world.presence.is_gone("ann")
    world.open.clear()
    world.now += 10 * LATER  # nobody asked meanwhile: it may have been closed just now
    assert not world.presence.is_gone("ann")
    world.now += LATER
    assert world.presence.is_gone("ann")


def test_a_reload_and_a_second_tab_are_no_leaving(world):
    world.comes("ann", "tab")
    world.open.clear()
    assert not world.presence.is_gone("ann")
    world.comes("ann", "tab after the reload")
    world.now += LATER
    assert not world.presence.is_gone("ann")
    world.comes("ann", "second tab")
    world.open.discard("tab after the reload")
    world.now += LATER
    assert not world.presence.is_gone("ann")


def test_one_who_was_never_seen_is_not_gone_and_few_are_remembered(world):
    assert not world.presence.is_gone("nobody")
    for n in range(PEOPLE + 5):
        world.presence.saw(f"person {n}", "tab")
    assert len(world.presence._sessions) == PEOPLE


def test_the_place_of_a_closed_browser_is_freed_and_those_behind_move_up(trainings, world):
    until(lambda: trainings.place(ASKS[2].id) == 2)
    world.open.discard("tab of bo")
    world.passes(LATER, trainings)
    assert trainings.job(ASKS[1].id).state == "freed" and trainings.of("bo") is None
    assert trainings.place(ASKS[2].id) == 1
    assert not FakeProcess.started[0].is_stopped


def test_a_full_queue_takes_another_where_one_has_left(trainings, world):
    world.open.discard("tab of cy")
    world.passes(LATER, trainings)
    assert trainings.submit("di", ASKS[3]).state == "waiting"


def test_a_closed_browser_s_own_training_gives_way_to_those_who_wait_and_is_kept(trainings, world):
    world.open.discard("tab of ann")
    world.passes(LATER, trainings)
    assert FakeProcess.started[0].is_stopped
    until(lambda: trainings.job(ASKS[0].id).state == "stopped")
    until(lambda: len(FakeProcess.started) == 2)
    assert FakeProcess.started[1].sitting.ask == ASKS[1]


def test_it_goes_on_where_nobody_waits(trainings, world):
    world.open.clear()
    world.passes(LATER, trainings)
    assert [trainings.job(ask.id).state for ask in ASKS[1:3]] == ["freed"] * 2
    assert not FakeProcess.started[0].is_stopped


def test_a_training_two_people_wait_for_stays_while_one_of_them_is_there(trainings, world):
    world.comes("di", "tab of di")
    trainings.submit("di", ASKS[1])
    world.open.discard("tab of bo")
    world.passes(LATER, trainings)
    assert trainings.job(ASKS[1].id).state == "waiting" and trainings.job(ASKS[1].id).owners == {"di"}


def test_places_are_freed_while_the_training_before_them_goes_on(trainings, world, monkeypatch):
    monkeypatch.setattr("attnviz_app.jobs.trainings.FREE_SECONDS", 0.0)
    world.open.discard("tab of bo")
    FakeProcess.started[0].say(1)
    until(lambda: trainings.job(ASKS[0].id).step == 1)
    world.now += LATER
    FakeProcess.started[0].say(2)
    until(lambda: trainings.job(ASKS[1].id).state == "freed")
