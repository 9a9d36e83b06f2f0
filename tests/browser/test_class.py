"""A class in real browsers: one teacher, five students; one on a telephone, one in Chinese, one by keyboard alone."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Locator, Page, Playwright, expect

from tests.browser import live
from tests.browser.conftest import PageFactory, ready
from tests.browser.dashboard import settle, submit, turn_to
from tests.browser.stepper import point_at

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
LESSON = {"lesson": "1", "step": "4"}


def bar(page: Page) -> Locator:
    return page.locator(".attnviz-room.bar")


def press(page: Page, name: str) -> None:
    bar(page).get_by_role("button", name=name, exact=True).click()


def shows(page: Page, **parts: str) -> None:
    """Wait until the page's address says this, and its picture is drawn."""
    page.wait_for_function(
        "parts => { const q = new URLSearchParams(location.search); return parts.every(([k, v]) => q.get(k) === v) }",
        arg=list(parts.items()),
    )


@pytest.fixture
def teacher(page_for: PageFactory) -> Page:
    page = page_for("lessons", query=LESSON)
    page.get_by_role("button", name="Open a room").click()
    expect(bar(page).get_by_text("0 of 0 follow")).to_be_visible()
    return page


@pytest.fixture
def student(page_for: PageFactory, teacher: Page) -> Callable[..., Page]:
    """A factory of students in the teacher's room."""
    code = bar(teacher).locator(".code").first.inner_text()

    def come(**options: object) -> Page:
        page = page_for("", query={"class": code}, wait=False, **options)
        shows(page, **LESSON)
        ready(page)
        return page

    return come


def test_five_students_follow_answer_and_send_a_sentence(teacher: Page, student: Callable[..., Page]) -> None:
    class_ = [student() for _ in range(2)]
    class_ += [student(size=(390, 844)), student(locale="zh-CN"), student(theme="dark")]
    phone, chinese, keys = class_[2:]
    expect(bar(teacher).get_by_text("5 of 5 follow")).to_be_visible()
    expect(bar(chinese)).to_contain_text("正在跟随老师")
    assert "lang=zh-CN" in chinese.url  # each student's own

    teacher.get_by_role("button", name="Next in the lesson").click()
    for page in class_:
        shows(page, step="5")
        expect(page.locator(".av-section").first).to_have_text(re.compile("[Ss]oftmax"))

    press(teacher, "Ask")
    bar(teacher).get_by_role("button", name="Ask:").click()
    for page in (*class_[:3], chinese):
        bar(page).get_by_role("button", name="正数，但很小" if page is chinese else "Positive, and small").click()
    option = bar(keys).get_by_role("button", name="Negative")
    option.focus()
    option.press("Enter")
    expect(bar(teacher).get_by_text("5 answered")).to_be_visible()
    assert bar(class_[0]).get_by_role("listitem").count() == 0
    press(teacher, "Show the answers")
    for page in (teacher, phone):
        expect(bar(page).get_by_role("listitem")).to_have_text([re.compile("Positive.*4"), re.compile("Negative.*1")])
        expect(bar(page)).to_contain_text("Positive, and small")

    bar(phone).get_by_role("textbox").fill(HOSTILE)
    bar(phone).get_by_role("textbox").press("Enter")
    press(teacher, "Sentences 1")
    press(teacher, "Show to all")
    expect(bar(keys).locator("blockquote")).to_have_text(HOSTILE)
    press(teacher, "Take no more sentences")
    expect(bar(phone).get_by_role("textbox")).to_have_count(0)

    press(teacher, "Close the room")
    for page in class_[:3]:
        expect(bar(page).get_by_role("alert")).to_contain_text("The teacher closed the room.")
    assert phone.evaluate("sessionStorage.getItem('attnviz.room')") is None


def test_touching_goes_on_alone_and_one_press_comes_back(teacher: Page, student: Callable[..., Page]) -> None:
    page = student()
    page.get_by_role("button", name="Next in the lesson").click()
    expect(bar(page)).to_contain_text("On your own")
    expect(bar(teacher).get_by_text("0 of 1 follow")).to_be_visible()
    shows(page, step="5")
    turn_to(teacher, "Heads")
    expect(bar(teacher)).to_be_visible()
    settle(page)
    assert urlsplit(page.url).path == "/lessons"
    press(page, "Follow again")
    page.wait_for_url("**/heads?**")
    submit(teacher, "The dog saw a bird.")
    shows(page, text="The dog saw a bird.")
    expect(page.get_by_role("textbox").first).to_have_value("The dog saw a bird.")


def test_another_cell_is_shown_without_a_run_of_the_page(teacher: Page, student: Callable[..., Page]) -> None:
    sent: list[object] = []
    page = student(
        before=lambda page: page.on("websocket", lambda it: it.on("framesent", lambda frame: sent.append(frame)))
    )
    settle(page)
    before = len(sent)
    point_at(teacher, 1, 2)
    teacher.mouse.down()
    teacher.mouse.up()
    shows(teacher, cell="raw~2~3~1")
    shows(page, cell="raw~2~3~1")
    said = teacher.locator(".strip").inner_text()
    expect(page.locator(".strip")).to_have_text(said, use_inner_text=True)
    assert len(sent) == before
    expect(bar(page)).to_contain_text("Following")


def test_a_reload_and_a_lost_network_come_back_and_the_secret_is_not_in_the_address(
    teacher: Page, student: Callable[..., Page]
) -> None:
    page = student()
    teacher.reload()
    expect(bar(teacher).get_by_text("1 of 1 follow")).to_be_visible()
    assert "teach" not in teacher.url and "class" not in page.url
    tried: list[object] = []
    page.route("**/api/rooms/**", lambda route: (tried.append(route), route.abort()))
    page.evaluate("attnvizRoom.reader.cancel()")
    expect(bar(page)).to_contain_text("Connection lost")
    teacher.get_by_role("button", name="Next in the lesson").click()
    shows(teacher, step="5")
    while len(tried) < 4:  # it waits longer each time
        page.wait_for_timeout(100)
    page.unroute("**/api/rooms/**")
    expect(bar(page)).to_contain_text("Following")
    shows(page, step="5")
    expect(bar(teacher).get_by_text("1 of 1 follow")).to_be_visible()
    assert parse_qs(urlsplit(page.url).query)["lesson"] == ["1"]


def test_an_unknown_code_is_told_in_a_sentence(page_for: PageFactory) -> None:
    page = page_for("", query={"class": "ZZZZZ"})
    expect(bar(page).get_by_role("alert")).to_contain_text("There is no room with this code.")
    press(page, "OK")
    expect(bar(page)).to_have_count(0)


def test_a_restarted_server_tells_the_teacher_and_the_students_in_a_sentence(playwright: Playwright) -> None:
    browser = live.launch(playwright)
    pages = [browser.new_context(locale=locale).new_page() for locale in ("en", "zh-CN")]
    teacher, student = pages
    with live.serve() as server:
        teacher.goto(f"{server.url}/lessons")
        teacher.get_by_role("button", name="Open a room").click()
        student.goto(f"{server.url}/?class={bar(teacher).locator('.code').inner_text()}")
        expect(bar(teacher).get_by_text("1 of 1 follow")).to_be_visible()
    expect(bar(teacher)).to_contain_text("Connection lost")
    with live.serve(port=int(server.url.rpartition(":")[2])):
        expect(bar(teacher).get_by_role("alert")).to_contain_text("Your room is gone: the server was restarted")
        expect(bar(student).get_by_role("alert")).to_contain_text("服务器重新启动过")
        press(teacher, "OK")
        teacher.get_by_role("button", name="Open a room").click()
        expect(bar(teacher).get_by_text("0 of 0 follow")).to_be_visible()
    browser.close()


def test_a_server_that_is_told_to_end_does_not_wait_for_the_class() -> None:
    with live.serve() as server, httpx.Client(base_url=f"{server.url}/api/rooms", timeout=20) as client:
        code = client.post("/open", json={"base": server.url}).json()["code"]
        with client.stream("POST", "/listen", json={"code": code}) as events:
            lines = events.iter_lines()
            assert next(lines).startswith("data: ")
            server.process.send_signal(signal.SIGTERM)
            assert [line for line in lines if line] == []
        server.process.wait(20)
