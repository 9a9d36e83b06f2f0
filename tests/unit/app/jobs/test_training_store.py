"""Trained models on disk: never more than the limit, the one used longest ago goes, and its link gets a true answer."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from attnviz_app.jobs.training_request import checked, offered_steps, own_ask
from attnviz_app.jobs.training_store import ASK, Store
from attnviz_app.serving.training_names import command

from attnviz.cli import main
from attnviz.core.errors import InputError
from attnviz.training import TASKS, task_named
from attnviz.training.checkpoints import MODEL

REVERSE = own_ask("reverse")
WRONG = ({"task": "nothing"}, {"heads": "many"}, {"more": 1})


def keep(store, ask, size, used):
    """A run of a size, used last at a time."""
    path = store.begin(ask, 0)
    (path / MODEL).write_bytes(bytes(size))
    os.utime(path / ASK, (used, used))
    return ask.id


def test_the_run_used_longest_ago_makes_room_and_one_in_the_making_never_does(tmp_path):
    store = Store(tmp_path, 10_000)
    asks = [replace(REVERSE, steps=100 + at) for at in range(3)]
    old, newer, newest = (keep(store, ask, 3000, 100 + at) for at, ask in enumerate(asks))
    store.used(old)
    store.make_room(3000)
    assert (store.has(old), store.has(newer), store.has(newest)) == (True, False, True)
    assert store.removed == (newer,)
    assert store.nbytes() + 3000 <= 10_000
    store.make_room(6000, keep=(newest,))
    assert store.has(newest) and not store.has(old)


@pytest.mark.parametrize("name", ["", "..", "run-../../etc", "run-0123456789a"])
def test_names_that_are_no_runs_touch_nothing(tmp_path, name):
    store = Store(tmp_path, 10_000)
    store.used(name)
    assert not store.has(name) and store.ask(name) is None and name not in store.removed


def test_an_ask_comes_back_from_its_folder(tmp_path):
    store = Store(tmp_path, 10_000)
    keep(store, REVERSE, 10, 100)
    assert store.ask(REVERSE.id) == REVERSE
    for wrong in ("{", "[]", '{"task": "reverse"}', *(json.dumps(asdict(REVERSE) | it) for it in WRONG)):
        (store.path(REVERSE.id) / ASK).write_text(wrong)
        assert store.ask(REVERSE.id) is None


def test_runs_of_a_folder_of_ones_own_outlive_the_server_and_others_do_not(tmp_path):
    keep(Store(tmp_path, 10_000), REVERSE, 10, 100)
    assert Store(tmp_path, 10_000).has(REVERSE.id)
    temporary = Store(None, 10_000)
    keep(temporary, REVERSE, 10, 100)
    temporary.close()
    assert not temporary.folder.exists()


@pytest.mark.parametrize("task", TASKS)
def test_the_first_ask_of_a_task_is_how_it_ships(task):
    ask, plan = own_ask(task), task_named(task).plan
    assert ask.plan == plan
    assert checked(ask, 10_000) == ask
    assert ask.steps in offered_steps(10_000, ask.steps)


def test_what_is_changed_is_in_the_plan_and_gives_another_run():
    changed = replace(REVERSE, heads=1, layers=3, has_positions=False, has_feed_forward=False, rate=1e-3, steps=50)
    shape = changed.plan.shape
    assert (shape.n_heads, shape.n_layers, shape.positions, shape.has_feed_forward) == (1, 3, "none", False)
    assert (changed.plan.learning_rate, changed.plan.steps, changed.plan.warmup) == (1e-3, 50, 10)
    assert changed.id != REVERSE.id == own_ask("reverse").id


def test_fewer_steps_than_a_task_wants_are_what_is_asked_for():
    assert own_ask("translate-en-zh", 1000).steps == 1000
    with pytest.raises(InputError, match="steps is 1,001; it must be from 1 to 1,000"):
        checked(replace(REVERSE, steps=1001), 1000)


@pytest.mark.parametrize("ask", [
    replace(REVERSE, heads=1, has_positions=False),
    replace(own_ask("translate-en-zh"), layers=3, has_feed_forward=False, rate=1e-4, steps=700),
])  # fmt: skip
def test_the_command_that_is_named_trains_the_same(ask, monkeypatch):
    planned = []
    monkeypatch.setattr("attnviz.training.train", lambda task, plan, **_: planned.append((task.name, plan)) or a_run)
    a_run = SimpleNamespace(outcome="finished", step=1, sha256="")
    assert main([*command(ask).split()[1:], "--out", "nowhere"]) == 0
    assert planned == [(ask.task, ask.plan)]
    assert command(replace(own_ask("induction"), has_feed_forward=True)) == ""  # which none says


def test_what_a_killed_server_left_is_taken_away_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, others, mine = (tmp_path / f"attnviz-runs-{it}" for it in (f"{ended.pid}-a", "notes-b", f"{os.getpid()}-c"))
    for folder in (left, others, mine):
        (folder / "run-0123456789").mkdir(parents=True)
    Store(None, 10_000)
    assert not left.exists() and others.exists() and mine.exists()
