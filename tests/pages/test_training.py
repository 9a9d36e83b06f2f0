"""The Training page without a browser: what is drawn at once, the queue as two people see it, the result elsewhere."""

import shutil
from dataclasses import replace

import pytest
from attnviz_app.jobs import trainings
from attnviz_app.jobs.training_request import own_ask
from attnviz_app.serving.training_names import settings_line
from attnviz_app.settings import settings
from streamlit.testing.v1 import AppTest

from attnviz.text import strings
from attnviz.training.bundled_models import FOLDER
from tests.job_fake import FakeProcess, leave_nothing_behind, started, until
from tests.pages.conftest import headers, key, link, menu, queue, shown, text_box, turn_to

SAY = strings("en")
SHORT = replace(own_ask("reverse"), steps=50, heads=1)


@pytest.fixture
def server(operator, monkeypatch, tmp_path):
    """A server of its own for each test, whose trainings do what the test says."""
    operator.setenv("ATTNVIZ_DATA", str(tmp_path))
    monkeypatch.setattr("attnviz_app.jobs.trainings.ChildProcess", FakeProcess)
    settings.cache_clear()
    FakeProcess.started.clear()
    yield trainings.trainings()
    leave_nothing_behind(trainings.trainings())


@pytest.fixture
def kept(server):
    """A training in the store of the server: the one that ships, under the name of a shorter one."""
    shutil.copytree(FOLDER / "reverse", server.store.begin(SHORT, 0), dirs_exist_ok=True)
    return SHORT.id


def picture(app: AppTest) -> dict:
    """The header of what the training view is given."""
    return headers(app, "training")[0]


@pytest.mark.parametrize(("task", "drawn", "notice", "said"), [
    ("induction", "induction", None, SAY("training-only-shipped")),
    ("sort", "reverse", "another task: Reverse", "No training for this task"),
])  # fmt: skip
def test_no_task_opens_an_empty_page(opened, server, task, drawn, notice, said):
    app = opened("train", task=task)
    header = picture(app)
    assert header["runs"][0]["task"] == drawn
    assert notice in header["notice"] if notice else header["notice"] is None
    assert said in shown(app) and link(app)["task"] == task


@pytest.mark.parametrize(("task", "right", "ends"), [
    ("reverse", "training-right-texts", "training-stopped"),
    ("reverse", "training-right-texts", "error-training-crashed"),
    ("induction", "training-right-symbols", "training-finished"),
])  # fmt: skip
def test_how_far_a_training_is_and_how_it_ends_are_said_in_the_persons_language(opened, server, task, right, ends):
    app = opened("train", task=task, lang="zh-CN")
    app.button(key="train-start").click().run()
    started().say(10, {"sentences": 0.25, "combinations": 0.5})
    started().say(20)  # between two checkpoints: what was right at the last one stands
    job = lambda: server.queue.job(link(app)["run"])  # noqa: E731
    until(lambda: job().progress.step == 20)
    body = shown(app.run())
    say = strings("zh-CN")
    assert say("training-running", step="20", steps="1500", seconds=2) in body
    assert say(f"{right}-sentences", percent="25%", n=64) in body
    assert say(f"{right}-combinations", percent="50%", n=64) not in body  # what the curves say needs no second row
    assert "。 " not in body
    if ends == "training-stopped":
        app.button(key="train-stop").click().run()
    else:
        started().lines.put({"crash": True} if ends == "error-training-crashed" else {"result": "finished"})
    until(lambda: not job().is_active)
    body = shown(app.run())
    assert say(ends, step="20", steps="1500", seconds=2, code=-9) in body and "Traceback" not in body
    assert not app.button(key="train-start").disabled and not app.button(key="train-preset").disabled


def test_a_sentence_outside_the_grammar_is_drawn_and_said_to_be_also_on_the_page_of_heads(opened, server):
    outside, inside = "She yesterday bought two books.", "She bought two books yesterday."
    said = SAY("outside-translation", shortest=4, longest=24)
    app = opened("train", task="translate-en-zh", text=outside)
    header = picture(app)
    assert (header["text"], header["notice"], header["runs"][0]["expected"]) == (outside, said, [[]])
    header = picture(text_box(app, "train-text").set_value(inside).run())
    assert header["notice"] is None and len(header["runs"][0]["expected"][0]) == 5
    app = opened("heads", model="translate-en-zh", text=outside)
    assert said in shown(app) and "It writes" in shown(app)
    assert said not in shown(text_box(app).set_value(inside).run())


def test_without_positions_is_one_click_and_keeps_what_is_set(opened, server):
    app = opened("train", task="reverse")
    app.select_slider(key=key(app, "train-steps")).set_value(100).run()
    app.button(key="train-preset").click().run()
    wanted = replace(own_ask("reverse"), has_positions=False, steps=100)
    assert link(app)["run"] == started().run == wanted.id
    assert app.toggle(key=key(app, "train-positions")).value is False


def test_what_is_set_is_said_beside_train_outlives_a_reload_and_another_task_and_is_what_is_trained(opened, server):
    app = opened("train", task="induction")
    app.toggle(key=key(app, "train-feed-forward")).set_value(True).run()
    app.select_slider(key=key(app, "train-steps")).set_value(100).run()
    app.select_slider(key=key(app, "train-rate")).set_value(1e-3).run()
    app.get("button_group")[1].set_value(4).run()
    app.get("button_group")[2].set_value(1).run()
    wanted = replace(own_ask("induction"), has_feed_forward=True, steps=100, rate=1e-3, heads=4, layers=1)
    line = settings_line(wanted, SAY)
    assert line.startswith("4 heads, 1 layer, ") and line.endswith(", 100 steps")
    assert line in shown(app)
    again = opened("train", **link(app))  # a reload, a second tab, a copied link
    assert line in shown(again)
    assert again.select_slider(key=key(again, "train-steps")).value == 100
    menu(app, "train-task").set_value("reverse").run()
    assert "train" not in link(app) and settings_line(own_ask("reverse"), SAY) in shown(app)
    again.button(key="train-start").click().run()
    assert started().run == wanted.id
    again.button(key="train-reset").click().run()
    assert again.select_slider(key=key(again, "train-steps")).value == own_ask("induction").steps


def test_the_link_of_a_training_that_is_not_here_trains_what_it_was(opened, server):
    wanted = replace(own_ask("reverse"), steps=200, has_positions=False)
    app = opened("train", task="reverse", run=wanted.id, train=wanted.settings)
    assert "does not have the training" in shown(app) and len(picture(app)["runs"]) == 1
    app.button(key="train-start").click().run()
    assert link(app)["run"] == started().run == wanted.id


def test_the_second_person_waits_sees_the_place_may_leave_and_loses_it_when_gone(opened, server):
    first, second = opened("train", task="reverse"), opened("train", task="induction")
    first.button(key="train-start").click().run()
    started()
    until(lambda: server.queue.place(link(first)["run"]) == 0)
    second.button(key="train-start").click().run()
    assert SAY("training-waiting", n=1) in shown(second)
    assert second.button(key="train-stop").label == SAY("training-leave")
    assert len(FakeProcess.started) == 1
    second.button(key="train-stop").click().run()
    visitor = second.session_state["attnviz.visitor"]
    assert SAY("training-left") in shown(second) and server.queue.of(visitor) is None

    second.button(key="train-start").click().run()
    server.queue._seen.pop(visitor)  # as if it had not been seen for a while
    server.queue.free_places()
    assert SAY("training-freed") in shown(second.run())
    assert not second.button(key="train-start").disabled and not FakeProcess.started[0].is_stopped


def test_nobody_else_can_stop_the_training_of_a_link_and_every_page_of_ones_own_keeps_and_finds_it(opened, server):
    mine = opened("train", task="reverse")
    mine.button(key="train-start").click().run()
    started()
    run = link(mine)["run"]
    assert mine.button(key="train-start").disabled and mine.button(key="train-preset").disabled  # a person has one
    assert "train-stop" not in [button.key for button in opened("train", task="reverse", run=run).button]

    server.queue._seen.clear()
    visitor = mine.session_state["attnviz.visitor"]
    turn_to(mine, "heads")
    assert visitor in server.queue._seen
    again = opened("train", visitor=visitor, task="reverse")  # loaded again: the browser's tab keeps who it is
    assert link(again)["run"] == run
    assert "train-stop" in [button.key for button in again.button]


def test_training_that_is_switched_off_has_no_buttons_and_still_shows_the_shipped(opened, operator, server):
    operator.setenv("ATTNVIZ_TRAINING", "off")
    settings.cache_clear()
    app = opened("train", task="reverse")
    assert "train-start" not in [button.key for button in app.button]
    assert SAY("error-training-off") in shown(app)
    assert picture(app)["runs"][0]["task"] == "reverse"


def test_ones_own_training_is_drawn_over_the_one_that_ships(opened, kept):
    app = opened("train", task="reverse", run=kept)
    header = picture(app)
    assert header["selection"]["run"] == 1  # a link to a training shows that one first
    assert [run["label"] for run in header["runs"]] == [SAY("training-shipped"), "1 head, 50 steps"]
    assert [run["task"] for run in header["runs"]] == ["reverse", "reverse"]
    assert len(picture(opened("train", task="induction", run=kept))["runs"]) == 1  # it is of another task
    assert picture(opened("train", task="sort", run=kept))["runs"][0]["label"] == SAY("training-shipped")


def use(app: AppTest) -> AppTest:
    """Press the button that leads to Heads, with nothing picked in the picture."""
    from attnviz_app.train import panel  # its components can be declared only once the dashboard runs

    return queue(app, panel._use, {})


@pytest.mark.parametrize(("at", "given"), [
    ({"update": "50", "side": "b"}, {"model": SHORT.id, "text": "stressed"}),
    ({"update": "1500", "layer": "1", "head": "2", "token": "3", "key": "4", "side": "a"},
     {"model": "reverse", "layer": "1", "head": "2", "token": "3"}),
])  # fmt: skip
def test_a_trained_model_and_the_shipped_one_are_used_on_heads_at_the_picked_head(opened, kept, at, given):
    app = use(opened("train", task="reverse", run=kept, **at))
    assert given.items() <= link(app).items()
    assert menu(app).value == given["model"]
    own = SAY("model-trained", task="Reverse", what="1 head, 50 steps")
    assert (own in menu(app).options) is (given["model"] == SHORT.id)
    assert "It writes" in shown(app)


def test_the_head_the_picture_chose_is_the_one_heads_opens_with(opened, server):
    app = opened("train", task="induction")
    chosen = picture(app)["selection"]
    use(app)
    assert (int(link(app)["layer"]) - 1, int(link(app)["head"]) - 1) == (chosen["layer"], chosen["head"]) != (0, 0)
    assert int(link(app)["token"]) - 1 == chosen["query"]


@pytest.mark.parametrize(("lang", "task"), [("zh-CN", "poems-zh"), ("zh-TW", "poems-zh-tw"), ("en", "induction")])
def test_the_page_opens_on_the_poems_of_a_chinese_reader_s_script(opened, lang, task):
    assert link(opened("train", lang=lang))["task"] == task


def test_a_text_of_ones_own_is_drawn_and_stands_in_the_link_till_another_task_or_page_brings_its_own(opened, server):
    app = opened("train", task="reverse", lang="zh-CN")
    text_box(app, "train-text").set_value("a b c").run()
    assert picture(app)["text"] == link(app)["text"] == "a b c" and set(link(app)) == {"task", "text", "lang"}
    assert picture(opened("train", **link(app)))["text"] == "a b c"
    menu(app, "train-task").set_value("induction").run()
    assert link(app) == {"task": "induction", "lang": "zh-CN"}
    assert picture(app)["text"] == strings("zh-CN")("example-repeat-letters-text")
    turn_to(app, "heads")
    assert link(app)["model"] == "poems-zh" and link(app)["lang"] == "zh-CN"


def test_a_link_to_a_trained_model_opens_for_anybody_and_one_that_made_room_is_said_to_have(opened, kept):
    app, store = opened("heads", model=kept, text="abc"), trainings.trainings().store
    assert (link(app)["model"], link(app)["text"]) == (kept, "abc")
    assert str(store.folder) not in shown(app)
    turn_to(app, "train")
    store.make_room(store.limit)
    assert not store.has(kept)
    turn_to(app, "heads")
    for later in (app, opened("heads", model=kept)):
        assert "was removed to make room" in shown(later) and link(later)["model"] == "minilm-l6"
    assert SAY("training-removed") in shown(opened("train", task="reverse", run=kept))


def test_a_text_longer_and_more_steps_than_the_operator_allows_are_refused_and_not_offered(opened, operator, server):
    operator.setenv("ATTNVIZ_MAX_CHARACTERS", "100")
    operator.setenv("ATTNVIZ_TRAINING_STEPS", "200")
    settings.cache_clear()
    app = opened("train", task="reverse", text="a" * 101)
    assert "the pages read at most 100" in shown(app) and picture(app)["text"] == "stressed"
    slider = app.select_slider(key=key(app, "train-steps"))
    assert slider.options == ["50", "100", "200"] and slider.value == 200
