"""The Lessons page without a browser: every step draws its picture, and a prediction is answered."""

import re
from html import unescape

import pytest
from attnviz_app.lessons import state
from attnviz_app.lessons.content import lessons, right, told

from attnviz.text import strings
from tests.pages.conftest import headers, key, link, queue, shown, text_box, turn_to

PLACES = [(n, at) for n, lesson in enumerate(lessons()) for at in range(len(lesson.steps))]
FETCHED = lessons()[3].steps[0]  # the one step that has no other model; pages are tested without the one it has
HERE = ("poems-zh", "poems-zh-tw", "translate-en-zh", "translate-zh-en")  # of the models that a step can run on
VIEWS = {"step": "stepper", "heads": "heads", "compare": "compare", "train": "training", "byhand": "byhand"}


def step_for(lesson, at, language="en"):
    """A step as a reader of this language has it; lesson and step counted from 0."""
    step = lessons()[lesson].steps[at]
    return step.of(step.model(language, HERE)).to(language)


@pytest.mark.parametrize(("lesson", "step"), PLACES)
def test_every_step_draws_the_picture_that_it_is_about(opened, lesson, step):
    app = opened("lessons", lesson=str(lesson + 1), step=str(step + 1))
    now = step_for(lesson, step)
    if now == FETCHED:
        assert (
            not headers(app, "stepper")
            and "attnviz get smollm2-135m" in shown(app)
            and now.words["en"].title in shown(app)
        )
        assert FETCHED.words["en"].say not in shown(app)  # it speaks of numbers that are not here
        app = app.button(key="lessons-next").click().run()
        assert link(app)["step"] == "2" and len(headers(app, "stepper")) == 1
        return
    assert len(headers(app, VIEWS[now.page])) == 1
    assert re.sub("([dW])_([kQ])", r"\1<sub>\2</sub>", now.words["en"].title) in shown(app)
    asked = app.session_state["attnviz.url-asked"]
    assert (asked["lesson"], asked["step"]) == (str(lesson + 1), str(step + 1))
    drawn = link(app) if now.page in ("step", "heads") else now.show
    assert all(drawn[name] == now.show[name] for name in ("layer", "head") if name in now.show)
    queue(app, state.predict, "0")
    refute = now.words["en"].refute.format_map(told(now, "en"))
    assert strings("en")("lessons-believed") in shown(app) and refute not in plain(app)
    queue(app, state.try_what_if)
    assert refute in plain(app) and "{" not in shown(app)


def test_the_step_by_hand_brings_its_sheet_then_the_changed_one_and_that_of_the_what_if(opened):
    app, now = opened("lessons", lesson="1", step="1"), lessons()[0].steps[0]
    for shown_now, act in (("", None), ("then", (state.predict, "0")), ("what_if", (state.try_what_if,))):
        if act:
            queue(app, *act)
        (header,) = headers(app, "byhand")
        assert header["place"] == now.link(shown_now, "en")


def plain(app):
    """What is shown, as a lesson's file says it."""
    return unescape(shown(app).replace("<sub>", "_").replace("</sub>", ""))


@pytest.mark.parametrize(("language", "model"), [("en", "poems-zh"), ("zh-CN", "poems-zh"), ("zh-TW", "poems-zh-tw")])
def test_a_step_on_several_models_is_about_the_one_of_the_readers_language_or_says_which_it_would_be(
    opened, language, model
):
    app = opened("lessons", lang=language, lesson="4", step="2")
    now = lessons()[3].steps[1].of(model)
    assert link(app).items() >= {"model": model, "text": now.show["text"]}.items()
    assert ("attnviz get smollm2-135m" in shown(app)) is (language == "en")  # what would speak English is not here
    queue(app, state.predict, "2")
    assert strings(language)("lessons-right") in shown(app) and told(now, language)["p"] in shown(app)
    other = (
        "poems-zh" if model == "poems-zh-tw" else "poems-zh-tw"
    )  # as in the link of somebody who reads another language
    app = opened("lessons", lang=language, lesson="4", step="2", model=other)
    assert link(app)["model"] == other and not app.session_state["attnviz.lesson-predicted"]
    queue(app, state.recall, {f"4.2.{other}": "0", "4.2": "1"})
    theirs = lessons()[3].steps[1].of(other)
    assert told(theirs, language)["p"] in shown(app) and strings(language)("lessons-right") not in shown(app)


def cell(app):
    """The matrix and the cell in the link."""
    return tuple(link(app)[name] for name in ("matrix", "token", "key"))


def test_what_there_is_to_see_is_said_after_the_prediction_and_where_one_comes_back(opened):
    app = opened("lessons", lang="zh-TW", lesson="1", step="4")
    words = lessons()[0].steps[3].words["zh-TW"]
    assert words.believe not in shown(app)
    app.radio(key=key(app, "lesson-0-3")).set_value(int(right(step_for(0, 3, "zh-TW")))).run()
    for _ in range(2):
        assert strings("zh-TW")("lessons-right") in shown(app) and words.believe in shown(app)
        assert cell(app) == ("scores", "2", "1")
        turn_to(turn_to(app, "heads"), "lessons")


def test_a_cell_is_predicted_by_pointing_at_it(opened):
    app = opened("lessons", lesson="1", step="3")
    queue(app, state.point, {"token": "nothing"})
    assert strings("en")("lessons-believed") not in shown(app)
    queue(app, state.point, {"token": "3", "key": "4"})
    assert strings("en")("lessons-right") in shown(app) and cell(app) == ("raw", "3", "4")
    app = opened("lessons", **{**link(app), "told": ""})  # as it is shared
    assert strings("en")("lessons-right") not in shown(app) and cell(app) == ("raw", "1", "1")
    queue(app, state.recall, {"1.3.translate-en-zh": "3,4"})  # as after a reload
    assert strings("en")("lessons-right") in shown(app) and cell(app) == ("raw", "3", "4")


@pytest.mark.parametrize("lesson", [0, 4])
def test_the_last_step_of_a_lesson_leads_to_the_next_one_and_the_last_lesson_to_the_short_test(opened, lesson):
    app = opened("lessons", lesson=str(lesson + 1), step=str(len(lessons()[lesson].steps)))
    queue(app, state.predict, "0")
    app.button(key="lessons-next").click().run()
    if lesson < 4:
        assert (link(app)["lesson"], link(app)["step"]) == (str(lesson + 2), "1")
    else:
        assert app.segmented_control(key=key(app, state.FORM)).value == "B"


@pytest.mark.parametrize("step", [2, 3])
def test_who_follows_is_told_the_answer_by_the_link_and_a_link_to_the_step_alone_asks_it_anew(opened, step):
    now = step_for(0, step)
    believe = now.words["en"].believe.format_map(told(now, "en"))
    app = opened("lessons", lesson="1", step=str(step + 1))
    queue(app, state.predict, "3,4" if now.kind == "cell" else "0")
    assert link(app)["told"] == "1"
    app = opened("lessons", **link(app))
    assert believe in shown(app) and link(app).items() >= now.then.items()
    assert not app.radio and strings("en")("lessons-wrong-cell") not in shown(app)
    app = app.button(key="lessons-next").click().run().button(key="lessons-back").click().run()
    assert believe in shown(app) and link(app)["told"] == "1"  # nor is it asked when one comes back
    queue(app, state.LESSONS.open, {"lesson": "1", "step": str(step + 1)})
    assert believe not in shown(app) and link(app).items() >= now.show.items()
    assert "told" not in link(app)


@pytest.mark.parametrize("step", [2, 3])
def test_what_a_what_if_shows_is_said_once_it_was_pressed_and_to_who_follows_by_the_link(opened, step):
    now = step_for(0, step)
    refute, believe = (text.format_map(told(now, "en")) for text in (now.words["en"].refute, now.words["en"].believe))
    app = opened("lessons", lesson="1", step=str(step + 1))
    queue(app, state.predict, "3,4" if now.kind == "cell" else "0")
    before = link(app)
    assert believe in shown(app) and refute not in shown(app) and before["told"] == "1"
    app.button(key=state.WHAT_IF).click().run()
    pressed = link(app)
    assert f'<p class="av-say" role="status">{refute}</p>' in shown(app) and pressed["told"] == "2"
    app.button(key="lessons-next").click().run().button(key="lessons-back").click().run()
    assert refute in shown(app) and link(app).items() >= now.then.items()
    assert refute not in shown(opened("lessons", **before)) and refute in shown(opened("lessons", **pressed))
    assert refute in shown(opened("lessons", **{**pressed, "told": "1"}))  # it is the picture of the what-if
    app = opened("lessons", **{**pressed, "told": ""})  # as it is shared, and as after a reload
    assert refute not in shown(app)
    queue(app, state.recall, {f"1.{step + 1}.translate-en-zh": right(now)})
    assert refute in shown(app)
    queue(app, state.LESSONS.open, {"lesson": "1", "step": str(step + 1)})
    queue(app, state.predict, right(now))
    assert believe in shown(app) and refute not in shown(app)  # asked anew, all is


OWN = {
    "step": {"model": "translate-zh-en", "text": "我昨天吃了三个苹果。"},
    "heads": {"model": "minilm-l6", "text": "Our own."},
    "compare": {"model": "reverse", "model2": "induction", "text": "a b"},
    "train": {"task": "reverse", "text": "c b a"},
}


@pytest.mark.parametrize("page", OWN)
def test_what_was_asked_on_a_page_stays_there_whatever_lessons_ask_of_it(opened, page):
    app = turn_to(opened(page, **OWN[page]), "lessons")
    lesson, step = next((n, at) for n, at in PLACES if lessons()[n].steps[at].page == page)
    queue(app, state.go, lesson, step)
    asked, names = app.session_state["attnviz.url-asked"], OWN[page]
    assert [asked[name] for name in names] == [step_for(lesson, step).show[name] for name in names]
    asked = turn_to(app, page).session_state["attnviz.url-asked"]
    assert asked.items() >= OWN[page].items()


def test_what_is_typed_on_a_page_stays_there_where_lessons_come_before_it_can_be_shown(opened):
    app = opened("step", **OWN["step"])
    text_box(app, "step-text").set_value("我买书。")
    turn_to(app, "lessons")
    queue(app, state.go, 0, 1)
    drawn, own = headers(app, "stepper")[0]["question"], step_for(0, 1).show
    assert (drawn["model"], drawn["text"]) == ("translate-en-zh", own["text"])
    assert link(turn_to(app, "step"))["text"] == "我买书。"


def test_the_short_test_has_no_picture_and_a_link_of_its_own(opened):
    app = opened("lessons", lesson="after", model="reverse", text="a b")
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
    assert "解碼器第 2 層，交叉注意力，第 6 個頭" in "".join(text) and "| 沒 | " in "".join(
        text
    )  # the numbers of its run
    assert f"☐\N{NO-BREAK SPACE}{step.options[0]}" in "".join(text) and f"**{step.options[0]}**" in "".join(text)


@pytest.mark.parametrize(("lesson", "opens"), [("9", "5"), ("²", "1")])
def test_an_odd_link_opens_a_lesson(opened, lesson, opens):
    now = link(opened("lessons", lesson=lesson, step="99"))
    assert (now["lesson"], now["step"]) == (opens, "1")


ANSWERED = {"title": "<b>?", "answers": ["a", "b"], "groups": [{"name": "5 answered", "n": 5, "counts": [1, 4]}]}


@pytest.mark.parametrize(
    "said",
    [
        None, "x", {**ANSWERED, "more": 1}, {**ANSWERED, "answers": []}, {**ANSWERED, "answers": ["a"] * 65},
        {**ANSWERED, "groups": [{"name": "n", "n": 5, "counts": [1]}]}, {**ANSWERED, "groups": []},
        {**ANSWERED, "groups": [{"name": "n", "n": 0, "counts": [0, 0]}]}, {**ANSWERED, "title": "x" * 301},
    ],
)  # fmt: skip
def test_a_figure_of_answers_is_drawn_on_any_page_from_what_a_browser_can_have_been_told(opened, said):
    app = opened("about")
    from attnviz_app.lessons import class_answers  # once the app has its components

    queue(app, class_answers.ask, said)
    assert not app.exception and not app.get("plotly_chart")
    queue(app, class_answers.ask, ANSWERED)
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.parametrize(("lesson", "step"), [(lesson, at) for lesson, at in PLACES if lesson < 3])
def test_a_link_to_a_step_in_the_presenters_view_shows_the_picture_of_the_step(opened, lesson, step):
    """As where a teacher asks a class: the address says the step and how she sees it."""
    bare = link(opened("lessons", lesson=str(lesson + 1), step=str(step + 1)))
    presented = link(opened("lessons", lesson=str(lesson + 1), step=str(step + 1), present="1"))
    is_by_hand = (lesson, step) == (0, 0)  # which has no such view
    assert presented == (bare if is_by_hand else {**bare, "present": "1"})


@pytest.mark.parametrize(
    ("language", "text", "names"), [("zh-CN", "孩子吃了鱼。", "孩子|吃|鱼"), ("zh-TW", "孩子吃了魚。", "孩子|吃|魚")]
)
def test_lesson_1_is_about_chinese_words_for_who_reads_chinese(opened, language, text, names):
    app = opened("lessons", lang=language, lesson="1", step="1")
    (sheet,) = headers(app, "byhand")
    assert sheet["place"]["named"] == names
    for step in range(1, len(lessons()[0].steps)):
        app = opened("lessons", lang=language, lesson="1", step=str(step + 1))
        assert link(app).items() >= {"model": "translate-zh-en", "text": text}.items()
        queue(app, state.predict, right(step_for(0, step, language)))
        queue(app, state.try_what_if)
        assert not re.search(r"\b(child|ate|fish|The)\b", plain(app))


def test_who_follows_a_teacher_of_another_language_has_the_words_of_her_model(opened):
    """In the link is the model that her step runs on, and what it writes another script with is the same one."""
    for language, model in (("zh-CN", "translate-en-zh"), ("zh-TW", "translate-en-zh-tw"), ("en", "translate-zh-en")):
        now = lessons()[0].steps[3].of(model.removesuffix("-tw")).to(language)
        asked = {"model": model, "text": now.show["text"]}
        app = opened("lessons", lang=language, lesson="1", step="4", **asked)
        assert told(now, language)["root"] in shown(app) and link(app).items() >= asked.items()
