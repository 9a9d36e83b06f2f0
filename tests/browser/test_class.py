"""A class in real browsers: one teacher, five students; one on a telephone, one in Chinese, one by keyboard alone."""

import json
import re
import signal
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import live
from tests.browser.axe import findings
from tests.browser.conftest import WAIT_MS, PageFactory, ready
from tests.browser.dashboard import (
    box,
    comes_to,
    dialog,
    figures,
    link,
    numbers_of,
    plot,
    settle,
    submit,
    turn_to,
    wait_for_link,
)
from tests.browser.layout import boxes, cut_off
from tests.browser.stepper import click
from tests.browser.wire import Wire, listens

ASK_IT = re.compile("^Ask: .*What is the weight")  # of that step: the one before stands there for a moment
WHY = "A power of e is never zero or negative"
WARM = re.compile("Set attention τ to 4|把这个头的注意力温度设为 4")  # it tells the outcome of the what-if
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
LESSON = {"lesson": "1", "step": "4"}
NUMBERS = "1_0_0_1_1_1*1_1_0_2*2_0_1_1*1_2_3_0"  # of the step by hand
TEACH = """async (query) => {
  const {code, secret, by} = JSON.parse(sessionStorage.getItem('attnviz.room'));
  const headers = {'Content-Type': 'application/json'};
  const body = JSON.stringify({code, secret, by, lang: 'en', at: ['lessons', query]});
  await fetch('/api/rooms/teach', {method: 'POST', headers, body});
}"""
GO = """([page, asked]) => {
  const url = new URL(page, document.baseURI);
  url.search = new URLSearchParams(asked);
  history.pushState(history.state, '', url);
  window.dispatchEvent(new PopStateEvent('popstate', {state: history.state}));
}"""
# A student without a page. One that stays holds one of the six connections that a browser opens to a server.
JOINED = """async ([code, said, stays]) => {
  const headers = {'Content-Type': 'application/json'};
  const post = (path, body) => fetch(`api/rooms/${path}`, {method: 'POST', headers, body: JSON.stringify(body)});
  const reader = (await post('listen', {code})).body.getReader();
  const {ticket} = JSON.parse(new TextDecoder().decode((await reader.read()).value).slice(6).split("\\n\\n")[0]);
  await post('say', {code, ticket, ...said});
  if (!stays) await reader.cancel();
}"""


def bar(page: Page) -> Locator:
    return page.locator(".attnviz-room.bar")


def code_of(page: Page) -> str:
    return bar(page).locator(".code").first.inner_text()


def press(page: Page, name: str) -> None:
    bar(page).get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def teacher(page_for: PageFactory) -> Page:
    """A teacher whose server has an address in the school."""
    page = page_for("lessons", query=LESSON)
    page.route("**/api/rooms/open", lambda route: route.continue_(post_data='{"base": "http://school.example"}'))
    open_room(page)
    page.unroute("**/api/rooms/open")
    return page


def open_room(page: Page) -> None:
    expect(page.locator(".launch small")).to_contain_text("attnviz class")  # no class reaches this address
    page.get_by_role("button", name="Open a room").click()
    expect(bar(page).get_by_text("0 of 0 follow")).to_be_focused()
    expect(bar(page)).to_contain_text("it is the only way back")
    press(page, "Teacher’s link")
    expect(bar(page)).not_to_contain_text("it is the only way back")


def close_room(page: Page) -> None:
    press(page, "Close the room")
    expect(bar(page)).to_contain_text("are lost")
    press(page, "Close it now")


@pytest.fixture
def student(page_for: PageFactory, teacher: Page) -> Callable[..., Page]:
    """A factory of students in the teacher's room."""

    def come(**options: object) -> Page:
        page = page_for("", query={"class": code_of(teacher)}, wait=False, **options)
        wait_for_link(page, **LESSON)
        ready(page)
        return page

    return come


def test_five_students_follow_answer_and_send_a_sentence(teacher, student, watch):
    class_ = phone, chinese, keys = student(size=(390, 844)), student(locale="zh-CN"), student(theme="dark")
    expect(bar(teacher).get_by_text("3 of 3 follow")).to_be_visible()
    expect(teacher.get_by_role("link", name="For teachers")).to_be_visible()
    expect(keys.get_by_role("link", name="For teachers")).to_be_hidden()
    expect(bar(chinese)).to_contain_text("正在跟随老师")
    wait_for_link(chinese, lang="zh-CN")  # each student's own

    teacher.get_by_role("button", name="Next →").click()
    for page in class_:
        wait_for_link(page, step="5")
        expect(page.locator(".av-section").first).to_have_text(re.compile("[Ss]oftmax"))

    press(teacher, "Ask")
    bar(teacher).get_by_role("button", name=ASK_IT).click()
    expect(phone.get_by_role("radio", name="Positive, and small")).to_be_hidden()  # the lesson's own would tell
    for page in (phone, chinese):
        bar(page).get_by_role("button", name="正数，但很小" if page is chinese else "Positive, and small").click()
    for _ in range(2):
        teacher.evaluate(JOINED, [code_of(teacher), {"answer": "2"}, True])
    option = bar(keys).get_by_role("button", name="Negative")
    option.focus()
    option.press("Enter")
    expect(bar(teacher).get_by_text("5 answered")).to_be_visible()
    expect(bar(phone).get_by_role("listitem")).to_have_count(0)
    keys.mouse.click(4, 300)  # goes on alone, and is told all the same
    expect(bar(keys)).to_contain_text("On your own")
    press(teacher, "Show the answers")
    for page in (teacher, phone):
        counted = ["Negative1 · 20%", "Exactly 00 · 0%", re.compile("Positive.*4 · 80%")]  # of all, and not of the most
        expect(bar(page).get_by_role("listitem")).to_have_text(counted)
    expect(bar(teacher)).not_to_contain_text(WHY)  # the step on the page says it
    expect(teacher.locator(".st-key-lesson-words")).to_contain_text(WHY)
    expect(bar(phone)).to_contain_text("Your answer: Positive, and small")
    expect(bar(phone)).not_to_contain_text(WHY)
    press(teacher, "As a figure…")
    figure = figures(teacher)
    assert numbers_of(figure, "x") == [[0.2, 0, 0.8]]
    expect(figure).to_contain_text("4 · 80%")
    expect(figure.get_by_role("heading")).to_contain_text("weight")
    expect(figure.locator(".js-plotly-plot")).to_contain_text("100%")  # the axis is all who answered
    expect(figure.locator(".js-plotly-plot")).to_contain_text("0 · 0%")
    take = figure.get_by_role("button", name="Save or copy")
    take.click()
    expect(figure.get_by_role("button", name="PNG")).to_be_focused()
    teacher.keyboard.press("Escape")  # the menu alone
    expect(take).to_be_focused()
    teacher.keyboard.press("Escape")
    expect(dialog(teacher)).to_have_count(0)
    expect(bar(teacher).get_by_role("button", name="As a figure…")).to_be_focused()
    press(teacher, "Take the question away")
    for page in (teacher, *class_):  # what the question was about stays, as at who answers it alone
        words = page.locator(".st-key-lesson-words")
        expect(words).to_contain_text("分数最高的全拿走" if page is chinese else "The highest score wins")
        expect(words.get_by_role("radio")).to_have_count(0)
        expect(page.locator(".strip")).to_be_visible()
    press(keys, "Follow again")
    pages, seen, low = phone.locator(".st-key-phone-pages"), phone.locator("[data-picture]"), bar(phone)

    def has_half() -> bool:
        ends, begins, over = (it.bounding_box() or {} for it in (pages, seen, low))
        return begins["y"] <= (ends["y"] + ends["height"] + over["y"]) / 2

    live.wait_until(has_half, 20)  # the picture has half of what the header and the bar leave, without scrolling
    expect(phone.get_by_text("A power of e is never zero")).to_be_in_viewport()
    for page in (teacher, *class_):
        expect(page.locator(".st-key-lesson-words")).not_to_contain_text(WARM)
    teacher.get_by_role("button", name="Try it: ").click()
    expect(teacher.get_by_role("status").filter(has_text=WARM)).to_be_visible()
    for page in class_:
        wait_for_link(page, **{"if": "t4.encoder.1.self.6"})
        expect(page.locator(".st-key-lesson-words").get_by_role("status").filter(has_text=WARM)).to_be_visible()
        expect(bar(page)).to_contain_text("正在跟随老师" if page is chinese else "Following")

    press(phone, "Send a sentence")
    expect(bar(phone).get_by_role("textbox")).to_be_focused()
    bar(phone).get_by_role("textbox").fill(HOSTILE)
    bar(phone).get_by_role("textbox").press("Enter")
    expect(bar(phone)).to_contain_text("Sent to the teacher.")
    expect(bar(phone).get_by_role("textbox")).to_have_count(0)  # soon the receipt goes, and the field with it
    expect(bar(phone).get_by_role("button", name="Send a sentence")).to_be_focused()
    press(teacher, "Sentences 1")
    expect(bar(teacher).get_by_role("listitem")).to_contain_text(HOSTILE)
    press(teacher, "Show to all")
    expect(bar(teacher).get_by_role("alert")).to_contain_text("was not shown this sentence")  # it names the words
    expect(bar(teacher).get_by_role("alert")).to_contain_text("img")
    watch.errors.clear()  # the browser says so too
    press(teacher, "OK")
    press(teacher, "Delete")
    expect(bar(teacher)).to_contain_text("No sentence yet.")
    for page in class_:
        expect(bar(page)).not_to_contain_text("img")
    press(teacher, "Take no more sentences")
    expect(bar(phone).get_by_role("button", name="Send a sentence")).to_have_count(0)

    close_room(teacher)
    for page in (phone, keys):
        expect(bar(page).get_by_role("alert")).to_contain_text("The teacher closed the room.")
    expect(teacher.get_by_text("The teacher closed the room.")).to_have_count(0)
    phone.wait_for_function("() => sessionStorage.getItem('attnviz.room') === null")
    assert not any(page.context.cookies() for page in class_)


def test_who_rehearses_alone_answers_and_sees_results_that_say_so_until_somebody_comes(teacher):
    teacher.get_by_role("button", name="Next →").click()
    wait_for_link(teacher, step="5")
    expect(teacher.locator(".av-section").first).to_have_text(re.compile("Softmax"))
    press(teacher, "Ask")
    bar(teacher).get_by_role("button", name=ASK_IT).click()
    expect(bar(teacher)).to_contain_text("Rehearsal: nobody is in the room yet")
    press(teacher, "Negative")
    expect(bar(teacher).get_by_role("button", name="Negative", pressed=True)).to_be_focused()
    expect(bar(teacher)).to_contain_text("1 answered")
    press(teacher, "Show the answers")
    expect(bar(teacher).get_by_role("listitem").first).to_have_text("Negative1 · 100%")
    expect(bar(teacher)).to_contain_text("Rehearsal")
    teacher.evaluate(JOINED, [code_of(teacher), {}, True])
    expect(bar(teacher)).to_contain_text("Fewer than five answers are not shown.")  # from now on it is a class
    expect(bar(teacher)).not_to_contain_text("Rehearsal")


def test_a_sentence_of_a_student_is_read_by_the_page_that_the_teacher_shows_and_the_class_follows(teacher, student):
    page, own = student(), "She did not read this book."
    teacher.evaluate(JOINED, [code_of(teacher), {"sentence": own}, False])
    press(teacher, "Sentences 1")
    asked = link(teacher)
    press(teacher, "Show to all")
    for one in (teacher, page):  # a lesson has no field: its picture does, on its own page
        one.wait_for_url("**/step?**")
        wait_for_link(one, text=own, lesson=None, **{name: asked[name] for name in ("model", "layer", "head")})
        expect(one.locator("[data-step=raw]")).to_be_visible()
    settle(teacher)
    turn_to(teacher, "Heads")  # which the sentence goes along to
    for one in (teacher, page):
        one.wait_for_url("**/heads?**")
        wait_for_link(one, text=own)


def test_one_press_comes_back_from_a_sentence_to_the_step_of_the_lesson_and_the_class_follows(teacher, student):
    page, asked = student(), link(teacher)
    for said in ("She did not read this book.", "The dog saw a bird."):
        teacher.evaluate(JOINED, [code_of(teacher), {"sentence": said}, False])
    press(teacher, "Sentences 2")
    expect(bar(teacher).get_by_role("button", name="Back to the lesson")).to_have_count(0)
    bar(teacher).get_by_role("button", name="Show to all").first.click()
    for one in (teacher, page):
        one.wait_for_url("**/step?**")
        wait_for_link(one, text="She did not read this book.")
    settle(teacher)
    bar(teacher).get_by_role("button", name="Show to all").nth(1).click()  # another one: still away from that step
    for one in (teacher, page):
        wait_for_link(one, text="The dog saw a bird.")
    settle(teacher)
    teacher.reload()
    press(teacher, "Back to the lesson")
    for one in (teacher, page):
        one.wait_for_url("**/lessons?**")
        wait_for_link(one, **{name: asked[name] for name in ("lesson", "step", "text", "model")})
        expect(one.locator(".st-key-lesson-words")).to_be_visible()
    expect(bar(page)).to_contain_text("Following")
    expect(bar(teacher).get_by_role("button", name="Back to the lesson")).to_have_count(0)


# What stands beside what at every frame: the tokens of the picture that can be seen, and the box that can.
RECORDED = """(() => {
  window.frames_seen = [];
  const plain = (text) => text.replace(/ \\(\\d+\\)$/, '').replace(/\\s/g, '');
  const isSeen = (node) => node && node.checkVisibility({checkVisibilityCSS: true});
  const look = () => {
    const drawn = document.querySelector(':is(.st-key-stepper-view, .st-key-heads-view) [data-drawn]');
    const typed = ':is([class*=st-key-step-text--], [class*=st-key-text-box--]):not([data-stale=true])';
    const box = document.querySelector(`${typed} textarea`);
    const {texts = []} = globalThis.attnvizPicked?.get('tokens') ?? {};
    const tokens = isSeen(drawn) ? texts.filter((text) => !/^<.*>$/.test(text)).map(plain).join('') : null;
    const seen = JSON.stringify([tokens, isSeen(box) ? plain(box.value) : null]);
    if (seen !== window.frames_seen.at(-1)) window.frames_seen.push(seen);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
ATE, SAW, READ = "The child ate fish.", "The dog saw a bird.", "She did not read this book."
UNKNOWN = "The zebra ate fish."


def recorded(*also: Callable[[Page], object]) -> Callable[[Page], None]:
    """For `before` of a page: from the first frame on."""

    def begin(page: Page) -> None:
        page.add_init_script(RECORDED)
        for one in also:
            one(page)

    return begin


def plain(text: str) -> str:
    return text.replace(" ", "")


def all_see(teacher: Page, class_: list[Page], text: str) -> None:
    """Wait until a sentence is in every picture, and check that at no frame numbers of another stood beside it."""
    for page in (teacher, *class_):
        wait_for_link(page, text=text)
        shows = "text => JSON.parse(frames_seen.at(-1))[0] === text"
        page.wait_for_function(shows if page is not teacher else "() => true", arg=plain(text))
    for page in class_:
        expect(bar(page)).to_contain_text("Following")
        frames = [json.loads(seen) for seen in page.evaluate("frames_seen")]
        assert [frame for frame in frames if None not in frame and frame[0] != frame[1]] == []


def type_in_step(page: Page, text: str) -> None:
    box(page, "step-text").locator("textarea").fill(text)
    box(page, "step-text").locator("textarea").press("Enter")


def test_numbers_are_of_the_sentence_beside_them_however_it_changes_for_every_follower_always(teacher, student, watch):
    wire = Wire()
    class_ = [student(before=recorded()), student(before=recorded(wire.take), size=(390, 844))]
    shown = {"model": "translate-en-zh", "text": ATE}
    teacher.evaluate(GO, ["step", shown])
    all_see(teacher, class_, ATE)
    for said in (UNKNOWN, READ):
        teacher.evaluate(JOINED, [code_of(teacher), {"sentence": said}, False])
    press(teacher, "Sentences 2")
    show_to_all = bar(teacher).get_by_role("button", name="Show to all")
    show_to_all.first.click()
    expect(bar(teacher).get_by_role("alert")).to_contain_text("does not know “zebra”")  # the teacher, in one sentence
    watch.errors.clear()  # the browser says so too
    all_see(teacher, class_, ATE)
    show_to_all.last.click()
    all_see(teacher, class_, READ)
    expect(bar(teacher).get_by_role("alert")).to_have_count(0)
    for refused in (UNKNOWN, " ".join(["fish"] * 2000)):  # typed by the teacher, who is told by the page
        type_in_step(teacher, refused)
        expect(teacher.locator(".st-key-problem")).to_contain_text("The picture shows another sentence")
        all_see(teacher, class_, READ)
    teacher.evaluate(GO, ["step", {**shown, "text": UNKNOWN}])  # a link of a sentence that cannot be read
    expect(teacher.locator(".st-key-problem")).to_contain_text("zebra")
    all_see(teacher, class_, READ)
    for text in (SAW, ATE):
        type_in_step(teacher, text)
        all_see(teacher, class_, text)
    teacher.evaluate("() => { history.back(); setTimeout(() => history.back(), 30) }")  # two changes within 50 ms
    all_see(teacher, class_, READ)

    wire.hold()  # a slow phone
    for text in (SAW, ATE):
        type_in_step(teacher, text)
        all_see(teacher, class_[:1], text)
    wire.wait_until_answered()
    wire.release()
    all_see(teacher, class_, ATE)
    class_[1].route("**/api/rooms/**", lambda route: route.abort())
    class_[1].context.set_offline(True)
    expect(bar(class_[1])).to_contain_text("Connection lost")
    type_in_step(teacher, READ)
    all_see(teacher, class_[:1], READ)
    class_[1].unroute("**/api/rooms/**")
    class_[1].context.set_offline(False)
    all_see(teacher, class_, READ)
    watch.errors.clear()  # of the network that was not there

    teacher.evaluate(GO, ["step", {"model": "reverse", "text": "c b a"}])  # another model
    all_see(teacher, class_, "c b a")
    teacher.locator("[class*=st-key-step-model] input").click()  # by the menu, with an example of its own
    teacher.get_by_role("option", name="English → Chinese, simplified").click()
    wait_for_link(teacher, model="translate-en-zh")
    all_see(teacher, class_, link(teacher)["text"])


def test_on_a_telephone_a_question_that_is_over_folds_and_who_goes_on_alone_has_one_line(teacher, student):
    phone = student(size=(390, 844))
    press(teacher, "Ask")
    bar(teacher).get_by_role("textbox").fill("Which is larger?\nThis\nThat")
    press(teacher, "Ask all")
    press(phone, "That")
    expect(bar(teacher)).to_contain_text("1 answered")
    press(teacher, "Show the answers")
    answer, line = bar(phone).get_by_text("Your answer: That"), bar(phone).locator("summary")
    expect(answer).to_be_visible()
    expect(line).to_have_count(0)
    turn_to(teacher, "Heads")
    phone.wait_for_url("**/heads?**")
    expect(line).to_have_text("Which is larger?")
    expect(answer).to_be_hidden()
    line.click()
    expect(answer).to_be_visible()
    ready(phone)
    phone.mouse.click(4, 300)
    expect(bar(phone)).to_contain_text("On your own")
    expect(bar(phone).get_by_role("button")).to_have_text(["Follow again", "More"])
    expect(line).to_have_count(0)
    assert boxes(bar(phone))[0]["height"] < 50
    press(phone, "More")
    expect(bar(phone).get_by_role("button")).to_have_text(["Follow again", "More", "Send a sentence", "Leave"])
    expect(line).to_be_visible()


def test_the_code_fills_the_window_and_folds_and_a_second_machine_takes_over(teacher, student, page_for):
    assert boxes(bar(teacher))[0]["height"] < 70
    press(teacher, "Code")
    code = bar(teacher).locator(".door .code")
    expect(bar(teacher).get_by_role("img")).to_be_in_viewport(ratio=1)
    assert code.evaluate("it => it.getBoundingClientRect().height") > 100
    expect(teacher.get_by_role("button", name="Copy the link that teaches")).to_have_count(0)
    code.click(button="right")  # the focus is nowhere, as after somebody joined
    teacher.keyboard.press("Escape")
    expect(code).to_have_count(0)
    press(teacher, "Code")
    code.click()
    expect(code).to_have_count(0)

    page = student()
    teacher.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    press(teacher, "Teacher’s link")
    expect(bar(teacher)).to_contain_text("do not show it")
    press(teacher, "Copy the link that teaches")  # without https
    expect(bar(teacher)).to_contain_text("Copied.")
    press(teacher, "Ask")
    field = bar(teacher).get_by_role("textbox")
    field.press("Control+v")
    expect(field).not_to_have_value("")
    base, _, secret = field.input_value().partition("#")
    assert base == "http://school.example/" and secret.startswith(f"teach={code_of(teacher)}.")
    second = page_for(f"#{secret}", wait=False)
    wait_for_link(second, **LESSON)
    expect(bar(second).get_by_text("1 of 1 follow")).to_be_visible()
    second.get_by_role("button", name="Next →").click()
    for other in (page, teacher):
        wait_for_link(other, step="5")
    expect(teacher.locator(".av-section").first).to_have_text(re.compile("Softmax"))  # its buttons too are of this step
    teacher.get_by_role("button", name="← Back").click()  # and the first takes over again
    for other in (page, second):
        wait_for_link(other, **LESSON)
    expect(bar(page)).to_contain_text("Following")


def test_an_answer_outlives_a_reload_and_a_server_for_this_machine_alone_shows_no_picture_of_its_link(page_for):
    page = page_for("lessons", query=LESSON)
    choices = page.locator(".stRadio [role=radiogroup]")
    choices.locator("label").first.click()  # as who prepares the lesson
    believed = page.get_by_text("Often believed")
    expect(believed).to_be_visible()
    page.wait_for_function("() => sessionStorage.getItem('attnviz.answers') !== null")
    page.reload()
    expect(believed).to_be_visible()  # the answer is kept, and no link that is shared tells it
    of_picture = {"model", "text", "part", "layer", "head", "matrix", "token", "key"}
    comes_to(lambda: set(link(page)), {"lesson", "step", *of_picture, "lang"})
    open_room(page)
    expect(choices).to_be_visible()  # the class predicts it
    expect(bar(page).get_by_role("alert")).to_contain_text("attnviz class")
    press(page, "Ask")
    assert findings(page) == []
    choices.locator("label").first.click()
    expect(page.get_by_role("button", name="Try it: ")).to_be_visible()
    press(page, "Code")
    expect(bar(page).locator(".door")).to_contain_text("attnviz class")
    expect(bar(page).get_by_role("img")).to_have_count(0)
    assert findings(page) == []


def test_another_cell_is_shown_without_a_run_touching_goes_on_alone_and_one_press_comes_back(teacher, student):
    sent: list[int] = []
    page = student(before=listens(sent))
    settle(page)
    before = len(sent)
    click(teacher, 1, 2)
    wait_for_link(teacher, matrix="raw", token="2", key="3")
    wait_for_link(page, matrix="raw", token="2", key="3")
    expect(page.locator(".strip")).to_have_text(teacher.locator(".strip").text_content() or "")
    assert len(sent) == before

    press(teacher, "Ask")
    bar(teacher).get_by_role("textbox").fill("Which cell is the largest?")
    press(teacher, "Ask all")
    expect(bar(page)).to_contain_text("Pick a cell in the picture")  # what the teacher picked is no answer
    expect(page.locator(".strip")).to_be_hidden()  # it would tell
    page.get_by_role("button", name="To the picture").press("Enter")  # as by keyboard alone
    page.keyboard.press("ArrowDown")
    expect(bar(page)).to_contain_text("Answer: row")
    click(page, 0, 3)
    bar(page).get_by_role("button", name="Answer: row 1, column 4").click()
    expect(bar(page)).to_contain_text("Your answer: row 1, column 4")
    expect(bar(teacher)).to_contain_text("1 answered")
    expect(bar(page)).to_contain_text("Following")  # pointing at what is asked for is no going on alone
    press(teacher, "Take the question away")
    wait_for_link(page, matrix="raw", token="2", key="3")
    bar(teacher).get_by_role("textbox").fill("A query and/or a key?\nand/or\n\n 1/√12 \n")  # one choice a line
    press(teacher, "Ask all")
    expect(bar(page).locator(".ask")).to_have_text("A query and/or a key?")
    expect(bar(page).locator(".panel button")).to_have_text(["and/or", "1/√12"])
    expect(bar(teacher).locator(".choices li")).to_have_text(["and/or", "1/√12"])  # on the projector
    bar(page).get_by_role("button", name="1/√12").press("Enter")
    expect(bar(teacher)).to_contain_text("1 answered")
    expect(bar(page).get_by_role("button", name="1/√12", pressed=True)).to_be_focused()
    press(teacher, "Take the question away")
    bar(teacher).get_by_role("textbox").fill("Which token is looked at most?")
    press(teacher, "The tokens of this sentence as choices")
    press(teacher, "Ask all")
    expect(bar(page).locator(".panel button")).to_have_text(["The", "child", "ate", "fish", "."])
    press(teacher, "Show the answers")
    right = bar(teacher).get_by_label("Which one is right?")
    expect(right).to_have_value("")
    for token in ("The", "fish"):  # a wrong mark can be mended
        right.select_option(token)
        expect(bar(page)).to_contain_text(f"Right: {token}")
    press(teacher, "Take the question away")

    choices, waits = page.locator(".stRadio [role=radiogroup]"), page.get_by_text("Your teacher will ask this.")
    expect(waits).to_be_visible()
    expect(choices).to_be_hidden()  # an answer here would not be counted, and the right one told
    expect(teacher.get_by_text("Your teacher will ask this.")).to_be_hidden()
    page.get_by_role("button", name="Next →").click()
    expect(bar(page)).to_contain_text("On your own")
    expect(bar(teacher).get_by_text("0 of 1 follow")).to_be_visible()
    wait_for_link(page, step="5")
    expect(waits).to_be_hidden()
    choices.get_by_role("radio").first.press("Space")
    expect(page.get_by_text("Often believed")).to_be_visible()
    expect(page.locator(".st-key-lesson-words .av-note[role=status]")).to_be_focused()  # where reading goes on
    turn_to(teacher, "Heads")
    expect(bar(teacher)).to_be_visible()
    settle(page)
    assert urlsplit(page.url).path == "/lessons"
    bar(page).get_by_role("button", name="Follow again").press("Enter")
    expect(bar(page).get_by_text("Following")).to_be_focused()
    page.wait_for_url("**/heads?**")
    submit(teacher, "The dog saw a bird.")
    wait_for_link(page, text="The dog saw a bird.")
    expect(page.get_by_role("textbox").first).to_have_value("The dog saw a bird.")


def test_who_is_led_away_and_back_and_who_lost_the_network_shows_what_the_teacher_shows(teacher, student, watch):
    wire = Wire()
    page = student(before=wire.take)
    wait_for_link(page, **{name: link(teacher)[name] for name in ("matrix", "token", "key")})
    settle(page)
    here = page.evaluate("location.search.slice(1)")  # `page.url` may lag behind
    wire.hold()
    teacher.evaluate(TEACH, "lesson=1&step=5")
    wait_for_link(page, step="5")
    teacher.evaluate(TEACH, here)  # before the answers come
    wire.wait_until_answered()
    wire.release()
    settle(page)
    wait_for_link(page, **{name: said[0] for name, said in parse_qs(here).items() if name != "lang"})
    expect(page.locator(".strip")).to_have_text(teacher.locator(".strip").text_content() or "")
    expect(page.get_by_role("button", name="Copy link")).to_have_count(1)

    teacher.reload()
    expect(bar(teacher).get_by_text("1 of 1 follow")).to_be_visible()
    assert "teach" not in teacher.url and "class" not in page.url
    tried: list[object] = []
    page.route("**/api/rooms/**", lambda route: (tried.append(route), route.abort()))
    press(page, "Send a sentence")
    bar(page).get_by_role("textbox").fill("Is it still there?")
    bar(page).get_by_role("textbox").press("Enter")  # which does not arrive
    expect(bar(page)).to_contain_text("Connection lost")
    teacher.get_by_role("button", name="Next →").click()
    wait_for_link(teacher, step="5")
    while len(tried) < 4:  # it waits longer each time
        page.wait_for_timeout(100)
    page.unroute("**/api/rooms/**")
    expect(bar(page)).to_contain_text("Following")
    wait_for_link(page, step="5")
    page.context.set_offline(True)
    expect(bar(page)).to_contain_text("Connection lost")
    page.context.set_offline(False)
    expect(bar(page)).to_contain_text("Following")
    expect(bar(teacher).get_by_text("1 of 1 follow")).to_be_visible()
    assert link(page)["lesson"] == "1"
    watch.errors.clear()  # of the network that was not there


def in_test(name: str) -> dict[str, object]:
    """What a student says in the short test."""
    return {"test": {"name": name, "answers": "02211101"}}


def test_the_short_test_is_answered_by_keyboard_counted_shown_saved_and_added_again(teacher, student, page_for, watch):
    phone = student(size=(390, 844))
    teacher.get_by_role("combobox", name="Lesson").click()
    teacher.get_by_role("option", name="Short test before the lessons").click()
    wait_for_link(phone, lesson="before", form="A")
    test = phone.locator(".attnviz-room.test")
    expect(test.get_by_role("group")).to_have_count(8)
    for item in test.get_by_role("group").all():
        for key in ("Space", "ArrowDown"):  # the second option
            item.get_by_role("radio").first.press(key)
        expect(item.get_by_role("radio").nth(1)).to_be_checked()
    for _ in range(4):
        teacher.evaluate(JOINED, [code_of(teacher), in_test("before A"), True])
    expect(teacher.get_by_text("4 of 5 have answered")).to_be_visible()
    show_totals = teacher.get_by_role("button", name="Show the totals")
    expect(show_totals).to_be_disabled()
    expect(bar(phone)).to_contain_text("Following")  # answering is no going on alone
    test.get_by_role("button", name="Done").press("Enter")
    expect(test).to_contain_text("Your answers are counted.")
    show_totals.click()
    figure = teacher.locator("[class*='st-key-figure-items']")
    assert numbers_of(figure, "x") == [[0.8, 0.8, 0.8, 1, 1, 1, 0.8, 1]]  # of each item, in their order
    expect(plot(figure)).to_contain_text("before A (n = 5): 90% right")
    with teacher.expect_download() as saved:
        teacher.get_by_role("button", name="Save the totals").click()
    totals = saved.value.path()
    rows = totals.read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == 1 + 8 * 4 and rows[1].startswith(
        "before,A,row-sum,1,1,4,32,36,272,0.8000,1.0000,The weights of a row"
    )
    close_room(teacher)
    expect(bar(phone)).to_contain_text("The teacher closed the room.")
    expect(test).to_contain_text("Your answers are counted.")  # and no right answers before the lessons
    phone.wait_for_function("() => sessionStorage.getItem('attnviz.test') === null")  # it goes with the room

    teacher.goto(teacher.url.partition("?")[0] + "?lesson=before")
    open_room(teacher)
    press(phone, "OK")
    for code in ("ZZZZZ", code_of(teacher)):
        phone.get_by_role("textbox", name="Code of a room").fill(code)
        phone.get_by_role("button", name="Join").click()
        if code == "ZZZZZ":
            expect(bar(phone).get_by_role("alert")).to_contain_text("There is no room with this code.")
            watch.errors.clear()  # the browser says so too
    expect(test.get_by_role("group")).to_have_count(8)
    expect(test.get_by_role("radio", checked=True)).to_have_count(0)  # somebody else may sit here now
    teacher.get_by_role("combobox", name="Lesson").click()
    teacher.get_by_role("option", name="Short test after the lessons").click()
    wait_for_link(teacher, lesson="after", form="B")
    teacher.get_by_label("Add saved totals").set_input_files(__file__)
    expect(teacher.get_by_text("This file holds no totals")).to_be_visible()
    teacher.get_by_label("Add saved totals").set_input_files(totals)
    assert len(numbers_of(figure, "x")) == 1
    for _ in range(5):
        teacher.evaluate(JOINED, [code_of(teacher), in_test("after B"), False])
    show_totals.click()
    expect(plot(figure)).to_contain_text("after B (n = 5): 25% right")
    assert [len(group) for group in numbers_of(figure, "x")] == [8, 8]
    figure.get_by_text("The numbers").click()
    expect(figure.get_by_role("row").nth(1)).to_have_text(re.compile("1 The sum of a row.*4.*0.8.*0.*0"))
    alone = page_for("lessons", query={"lesson": "before", "lang": "zh-TW"}, wait=False)
    expect(alone.locator(".attnviz-room.test").get_by_role("group")).to_have_count(8)
    for item in alone.locator(".attnviz-room.test").get_by_role("group").all():
        item.get_by_role("radio").nth(1).check()
    alone.reload()  # the tab keeps what is answered
    alone.get_by_role("button", name="完成").click()
    expect(alone.locator(".score")).to_have_text("8 題中答對 4 題")


def test_no_table_of_the_worksheets_is_cut_on_paper(page_for):
    page = page_for("teaching", size=(673, 1000), wait=False)  # A4 upright within its margins
    expect(page.locator(".st-key-teaching-limits")).to_contain_text("454 words")  # the last section
    page.emulate_media(media="print")
    tables = page.locator(".st-key-teaching-sheets table")
    assert tables.count() > 15
    assert cut_off(tables) == []


def test_a_restarted_server_tells_the_teacher_and_the_students_in_a_sentence(chromium):
    pages = teacher, student = [chromium.new_context(locale=locale).new_page() for locale in ("en", "zh-CN")]
    for page in pages:
        page.set_default_timeout(WAIT_MS)
    with live.serve() as server:
        teacher.goto(f"{server.url}/lessons?lesson=before")  # which has no picture to wait for
        open_room(teacher)
        student.goto(f"{server.url}/lessons?lesson=before&class={code_of(teacher)}")
        expect(bar(teacher).get_by_text("1 of 1 follow")).to_be_visible()
        server.process.send_signal(signal.SIGSTOP)  # as where the network goes without a word
        expect(bar(student).get_by_role("status").first).to_have_text("连接中断，正在重新连接……")
        server.process.send_signal(signal.SIGCONT)
        expect(bar(student).get_by_role("status").first).to_contain_text("正在跟随老师")
        server.process.terminate()
        server.process.wait(20)  # for the end, and not for the class
    expect(bar(teacher)).to_contain_text("Connection lost")
    with live.serve(port=int(server.url.rpartition(":")[2])):
        expect(bar(teacher).get_by_role("alert")).to_contain_text("Your room is gone: the server was restarted")
        expect(bar(student).get_by_role("alert")).to_contain_text("服务器重新启动过")
        press(teacher, "OK")
        open_room(teacher)
    for page in pages:
        page.context.close()


def test_words_say_of_what_they_are_where_the_picture_is_of_another_head_and_one_press_leads_back(
    teacher, student, watch
):
    """The teacher alike, also in the presenter's view, and a student's telephone that follows and is asked."""
    phone = student(size=(390, 844))
    pages = (teacher, phone)
    press(teacher, "Ask")
    bar(teacher).locator(".panel button").first.click()
    expect(phone.locator("body")).to_have_class(re.compile("av-asked"))
    for page in pages:
        settle(page)
        expect(page.locator(".elsewhere")).to_be_empty()
    teacher.locator(".stepper select").nth(1).select_option("3")
    for page in pages:
        wait_for_link(page, head="3")
        expect(page.locator(".elsewhere")).to_contain_text("“The child ate fish.”, Encoder 2, head 6")
    expect(phone.locator(".st-key-lesson-words .av-section")).to_be_hidden()
    teacher.locator(".stepper .present").click()
    expect(teacher.locator("body")).to_have_class(re.compile("av-presents"))
    teacher.locator(".elsewhere button").click()
    for page in pages:
        wait_for_link(page, head="6")
        expect(page.locator(".elsewhere")).to_be_empty()


def test_a_step_by_hand_says_that_its_numbers_were_changed(page_for: PageFactory):
    page = page_for("lessons", query={"lesson": "1", "step": "1"})
    expect(page.locator(".elsewhere")).to_be_empty()
    wait_for_link(page, numbers=NUMBERS)
    page.goto(page.evaluate("location.href").replace("numbers=1_0_0_1", "numbers=3_0_0_1"))
    ready(page)
    expect(page.locator(".elsewhere")).to_contain_text("Something was changed in it")
    page.locator(".elsewhere button").click()
    wait_for_link(page, numbers=NUMBERS)
    expect(page.locator(".elsewhere")).to_be_empty()
