"""The Lessons page without a browser: every step draws its picture, and a prediction is answered."""

import pytest
from attnviz_app.lessons import state
from attnviz_app.lessons.content import ASKED, lessons, right

from attnviz.text import strings
from tests.pages.conftest import headers, key, link, queue, shown, text_box, turn_to

PLACES = [(n, at) for n, lesson in enumerate(lessons()) for at in range(len(lesson.steps))]
VIEWS = {"step": "stepper", "heads": "heads", "compare": "compare", "train": "training"}


@pytest.mark.parametrize(("lesson", "step"), PLACES)
def test_every_step_draws_the_picture_that_it_is_about(opened, lesson, step):
    app = opened("lessons", lesson=str(lesson + 1), step=str(step + 1))
    now = lessons()[lesson].steps[step]
    assert len(headers(app, VIEWS[now.page])) == 1
    assert now.words["en"].title.replace("d_k", "d<sub>k</sub>") in shown(app)
    asked = app.session_state["attnviz.url-asked"]
    assert (asked["lesson"], asked["step"]) == (str(lesson + 1), str(step + 1))
    drawn = link(app) if now.page in ("step", "heads") else now.show
    assert all(drawn[name] == now.show[name] for name in ("site", "layer", "head") if name in now.show)
    queue(app, state.predict, "0")
    queue(app, state.show, state.Question(lesson, step), "what_if")
    assert strings("en")("lessons-believed") in shown(app) and "{" not in shown(app)


def test_what_there_is_to_see_is_said_after_the_prediction_and_where_one_comes_back(opened):
    app = opened("lessons", lang="zh-TW", lesson="1", step="4")
    words = lessons()[0].steps[3].words["zh-TW"]
    assert words.believe not in shown(app)
    app.radio(key=key(app, "lesson-0-3")).set_value(int(right(lessons()[0].steps[3]))).run()
    for _ in range(2):
        assert strings("zh-TW")("lessons-right") in shown(app) and words.believe in shown(app)
        assert link(app)["cell"] == "scores~1~3~1"
        turn_to(turn_to(app, "heads"), "lessons")


def test_a_cell_is_predicted_by_pointing_at_it(opened):
    app = opened("lessons", lesson="1", step="3")
    queue(app, state.point, {"cell": "nothing"})
    assert strings("en")("lessons-believed") not in shown(app)
    queue(app, state.point, {"cell": "raw~3~4~1"})
    assert strings("en")("lessons-right") in shown(app) and link(app)["cell"] == "raw~3~4~1"
    app = opened("lessons", **{**link(app), "told": ""})  # as it is shared
    assert strings("en")("lessons-right") not in shown(app) and link(app)["cell"] == "raw~1~1~1"
    queue(app, state.recall, {"1.3": "3,4"})  # as after a reload
    assert strings("en")("lessons-right") in shown(app) and link(app)["cell"] == "raw~3~4~1"


@pytest.mark.parametrize(("lesson", "button"), [(0, "lessons-next"), (0, "lessons-on"), (3, "lessons-next")])
def test_the_last_step_of_a_lesson_leads_to_the_next_one_and_the_last_lesson_to_the_short_test(opened, lesson, button):
    app = opened("lessons", lesson=str(lesson + 1), step=str(len(lessons()[lesson].steps)))
    queue(app, state.predict, "0")
    app.button(key=button).click().run()
    if lesson < 3:
        assert (link(app)["lesson"], link(app)["step"]) == (str(lesson + 2), "1")
    else:
        assert app.segmented_control(key=key(app, state.FORM)).value == "B"


@pytest.mark.parametrize("step", [2, 3])
def test_who_follows_is_told_the_answer_by_the_link_and_a_link_to_the_step_alone_asks_it_anew(opened, step):
    now = lessons()[0].steps[step]
    app = opened("lessons", lesson="1", step=str(step + 1))
    queue(app, state.predict, "3,4" if now.kind == "cell" else "0")
    assert link(app)["told"] == "1"
    app = opened("lessons", **link(app))
    assert now.words["en"].believe in shown(app) and link(app)["cell"] == now.then["cell"]
    assert not app.radio and strings("en")("lessons-wrong-cell") not in shown(app)
    app = app.button(key="lessons-next").click().run().button(key="lessons-back").click().run()
    assert now.words["en"].believe in shown(app) and link(app)["told"] == "1"  # nor is it asked when one comes back
    queue(app, state.LESSONS.open, {"lesson": "1", "step": str(step + 1)})
    assert now.words["en"].believe not in shown(app) and link(app)["cell"] == now.show["cell"]
    assert "told" not in link(app)


OWN = {
    "step": {"on": "translate-zh-en", "say": "我昨天吃了三个苹果。"},
    "heads": {"model": "minilm-l6", "text": "Our own."},
    "compare": {"a": "reverse", "b": "induction", "both": "a b"},
    "train": {"task": "reverse", "input": "c b a"},
}


@pytest.mark.parametrize("page", OWN)
def test_what_was_asked_on_a_page_stays_there_whatever_lessons_ask_of_it(opened, page):
    app = turn_to(opened(page, **OWN[page]), "lessons")
    lesson, step = next((n, at) for n, at in PLACES if lessons()[n].steps[at].page == page)
    queue(app, state.go, lesson, step)
    asked, names = app.session_state["attnviz.url-asked"], ASKED[page]
    assert [asked[name] for name in names] == [lessons()[lesson].steps[step].show[name] for name in names]
    asked = turn_to(app, page).session_state["attnviz.url-asked"]
    assert asked.items() >= OWN[page].items()


def test_what_is_typed_on_a_page_stays_there_where_lessons_come_before_it_can_be_shown(opened):
    app = opened("step", **OWN["step"])
    text_box(app, "step-text").set_value("我买书。")
    turn_to(app, "lessons")
    drawn, own = headers(app, "stepper")[0]["question"], lessons()[0].steps[0].show
    assert (drawn["model"], drawn["text"]) == ("translate-en-zh", own["say"])
    assert link(turn_to(app, "step"))["say"] == "我买书。"


def test_the_short_test_has_no_picture_and_a_link_of_its_own(opened):
    app = opened("lessons", lesson="after", on="reverse", say="a b")
    assert not headers(app, "stepper")
    app.segmented_control(key=key(app, state.FORM)).set_value("A").run()
    queue(app, state.go, 2)
    assert len(headers(app, "stepper")) == 1
    assert link(app)["lesson"] == "3" and "form" not in link(app)


def test_a_teacher_has_the_plans_the_worksheets_and_their_answers_in_their_language(opened):
    app = turn_to(opened("lessons", lang="zh-TW"), "teaching")
    say, text = strings("zh-TW"), [it.value for it in app.markdown]
    assert say("teach-coming") not in text  # it goes with the last part
    for name in ("plans", "sheets", "answers", "measure", "items", "limits"):
        assert any(it.startswith(f"## {say(f'teach-{name}')}\n") for it in text), name
    step = lessons()[0].steps[1].words["zh-TW"]
    assert "解碼器 2，看來源文字，第 6 個頭" in "".join(text) and "| 沒 | " in "".join(text)  # the numbers of its run
    assert f"☐\N{NO-BREAK SPACE}{step.options[0]}" in "".join(text) and f"**{step.options[0]}**" in "".join(text)


@pytest.mark.parametrize(("lesson", "opens"), [("9", "4"), ("²", "1")])
def test_an_odd_link_opens_a_lesson(opened, lesson, opens):
    now = link(opened("lessons", lesson=lesson, step="99"))
    assert (now["lesson"], now["step"]) == (opens, "1")
