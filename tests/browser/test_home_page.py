"""Home: a story on one sentence that scrolling and keys drive, six examples, and ways on with the same sentence."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect

from attnviz import views
from tests.browser import live
from tests.browser.axe import findings
from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, KEYS, box, comes_to, settle, submit, text_box, turn_to, wait_for_link


def test_home_shows_real_attention_at_once(page_for):
    page = page_for()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    caption = page.locator(".home .told-of")
    expect(caption).to_contain_text("71%")
    expect(page.locator(".st-key-examples button")).to_have_count(6)
    expect(page.locator(".home .way")).to_have_count(2)
    expect(page.locator(".home .way[href^='train']")).to_contain_text("not your sentence")
    words = page.locator(".home .word")
    expect(words.nth(8)).to_be_in_viewport()  # the picture is in sight before anybody scrolls
    words.nth(3).hover()
    expect(caption).to_contain_text("sat looks at")
    page.mouse.move(5, 5)
    expect(caption).to_contain_text("it looks at")
    words.nth(8).focus()
    for key in ("Home", *["ArrowRight"] * 5):
        page.keyboard.press(key)
    expect(caption).to_contain_text("the looks at")
    page.keyboard.press("Enter")
    expect(words.nth(5)).to_have_attribute("aria-pressed", "true")
    wait_for_link(page, token="6")
    expect(page.locator(".home .out[href*='token=6&matrix=weights']")).to_have_count(1)
    page.reload()
    expect(caption).to_contain_text("the looks at")
    expect(words.nth(5)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("radio", name="繁體中文")).to_have_attribute("lang", "zh-TW")
    stops = []
    for _ in range(24):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.tagName"))
    assert "MAIN" not in stops and "SECTION" not in stops  # each stop is something to press
    page.locator(".st-key-example-agreement button").click()
    expect(caption).to_contain_text("keys")
    expect(text_box(page)).to_have_value(KEYS)
    assert findings(page) == []


def does_lead(page: Page, way: str, there: dict[str, str]) -> bool:
    href = page.locator(f".home :is(.way, .out)[href^='{way}']").get_attribute("href")
    return there.items() <= dict(parse_qsl(urlsplit(href).query)).items()


def test_each_way_leads_on_with_the_sentence_and_back_again_however_soon_with_the_word_that_was_picked(page_for):
    page = page_for()
    submit(page, DOG)
    expect(page.locator(".home .word").nth(2)).to_contain_text("dog")
    for way, leads in (  # to what the picture of its card shows
        ("heads", {"text": DOG, "layer": "3", "head": "1", "token": "11"}),
        ("compare", {"text": DOG, "layer": "3", "head": "1"}),
        ("step", {"text": DOG, "layer": "3", "head": "1", "matrix": "weights", "token": "11", "key": "9"}),
    ):
        comes_to(does_lead, True, page, way, leads)  # once it is known which pair it is

    words = page.locator(".home .word")
    for n, (way, ms) in enumerate(zip(("step", "compare", "heads", "train"), (100, 300, 600, 1000), strict=True), 4):
        settle(page)  # a picture that is drawn again on the way of the story leads it back
        expect(page.locator(".home .stage:not([data-told='waits'])")).to_have_count(1)
        page.locator(".home .dot").first.click()  # the pictures below are past the story's end
        expect(page.locator(".home .dot").first).to_have_attribute("aria-current", "step")
        expect(page.locator(".home .stage")).to_have_css("--told", "1")  # and the story stands still
        words.nth(n).click()
        wait_for_link(page, token=str(n + 1))
        entries = page.evaluate("history.length")
        page.locator(f".home :is(.way, .out)[href^='{way}']").click()
        page.wait_for_function("way => location.pathname === `/${way}`", arg=way)
        assert page.evaluate("history.length") <= entries + 1
        page.wait_for_timeout(ms)
        page.evaluate("history.back()")
        wait_for_link(page, token=str(n + 1))
        expect(page.locator(".home")).to_be_visible()
        settle(page)
        expect(words.nth(n)).to_have_attribute("aria-pressed", "true")
        wait_for_link(page, token=str(n + 1))
    page.locator(".home .out[href^='heads']").click()
    wait_for_link(page, text=DOG, layer="3", head="1", token="8")


DRAWN_AGAIN = """() => { document.querySelectorAll('.home .dot')[2].click();
    (function look() { // on the way
      if (scrollY > 0.6 * innerHeight) window.mounted.update(window.payload);
      else requestAnimationFrame(look) })() }"""


def test_a_picture_that_is_drawn_again_on_the_way_to_a_scene_goes_on_to_it(draw, minilm):
    trace = minilm.trace(DOG)
    page = draw(views.home(trace, views.standout(trace), links=dict.fromkeys(views.WAYS, "/")))
    page.evaluate(DRAWN_AGAIN)
    dots = page.locator(".home .dot")
    expect(dots.nth(2)).to_have_attribute("aria-current", "step")
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")  # a way that was gone is forgotten
    expect(dots.first).to_have_attribute("aria-current", "step")
    page.evaluate("window.mounted.update(window.payload)")
    expect(page.locator("[data-ready]")).to_be_visible()
    expect(dots.first).to_have_attribute("aria-current", "step")


def test_an_encoder_has_its_own_story_which_arrows_lead_through_and_a_link_opens(page_for):
    page = page_for()
    caption, dots = page.locator(".home .told-of"), page.locator(".home .dot")
    expect(dots).to_have_count(4)  # no missing word, and nothing added to one
    expect(page.locator(".home .stage:not([data-told='waits'])")).to_have_count(1)
    for said in ("one row of numbers", "is arithmetic", "Switch it off"):
        page.keyboard.press("ArrowDown")
        expect(caption).to_contain_text(said)
    expect(caption).to_contain_text("its cosine with the one before is 0.8555")
    expect(page.locator(".home .bar")).to_have_count(6)
    expect(dots.nth(3)).to_have_attribute("aria-current", "step")
    wait_for_link(page, scene="4")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect(caption).to_contain_text("Switch it off")
    page.keyboard.press("ArrowUp")
    expect(caption).to_contain_text("71% is arithmetic")
    expect(page.locator(".home .line.share")).to_contain_text("= 71.2%")
    expect(page.locator(".home .drawing")).to_have_attribute("aria-label", re.compile("cat 71%"))
    assert findings(page) == []


def test_a_first_look_leads_over_the_pages_by_keyboard_beside_whole_pictures_and_never_comes_by_itself(page_for):
    page = page_for()
    guide = page.locator(".attnviz-room.guide")
    expect(guide).to_have_count(0)
    page.get_by_role("button", name="A first look, five minutes").press("Enter")
    for n, where in enumerate(("/", "/", "/step", "/heads", "/compare"), 1):
        expect(guide).to_contain_text(f"{n} of 6")
        expect(guide.get_by_role("button", name="Continue the first look")).to_be_focused()
        page.wait_for_function("where => location.pathname === where", arg=where)
        settle(page)  # a page that opens may take the focus with it
        if where in ("/step", "/heads"):  # all of the picture is in sight over the bar
            page.wait_for_function("() => document.querySelector('.stMain').scrollHeight <= innerHeight")
        guide.get_by_role("button", name="Continue the first look").press("Enter")
    expect(guide).to_contain_text("6 of 6")
    page.reload()
    expect(guide).to_contain_text("6 of 6")  # a reload goes on, and leads no focus away
    expect(guide.get_by_role("button", name="Done")).not_to_be_focused()
    assert findings(page) == []
    turn_to(page, "Training")
    expect(guide).to_have_text("Back to the first lookLeave")  # no step's text on a page that it is not about
    guide.get_by_role("button", name="Back to the first look").click()
    expect(guide).to_contain_text("6 of 6")
    page.wait_for_url("**/lessons**")
    guide.get_by_role("button", name="Back").click()
    guide.get_by_role("button", name="Leave").press("Escape")
    expect(guide).to_have_count(0)
    page.goto(page.url)
    expect(page.get_by_test_id("stTopNav")).to_be_visible()
    settle(page)
    expect(guide).to_have_count(0)


def test_what_was_refused_stays_said_until_it_is_answered_and_no_picture_is_no_error(page_for, watch):
    later, refusal = [], {"error": "No such pair."}

    def answer(page: Page) -> None:
        page.route("**/api/home/pair", lambda route: route.fulfill(status=422, json=refusal))
        page.route("**/api/home/formation", lambda route: later.append(route))

    page = page_for(before=answer)
    line = page.locator(".attnviz-line")
    expect(line).to_contain_text("No such pair.")
    comes_to(lambda: bool(later) or page.evaluate("false"), True)  # it was asked for
    with page.expect_response("**/api/home/formation"):
        later[0].fulfill(status=204)
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(line).to_contain_text("No such pair.")
    page.unroute_all()
    page.route("**/api/home/*", lambda route: route.fulfill(status=204))
    submit(page, DOG)
    expect(page.locator(".home .word").nth(2)).to_contain_text("dog")
    expect(line).to_have_count(0)
    expect(page.locator(".home .way")).to_have_count(2)
    watch.errors.clear()  # of what was refused


# The dashboard, whose MiniLM is loaded once a file is there
WAITS = """import sys, time
from pathlib import Path

from attnviz import catalog

go, loader = Path(sys.argv[1]), catalog.loader


def waiting(name, *how):
    load = loader(name, *how)

    def when_told():
        while name == "minilm-l6" and not go.exists():
            time.sleep(0.05)
        return load()

    return when_told


catalog.loader = waiting
from streamlit.web.cli import main

sys.argv = ["streamlit", "run", "app/main.py", *sys.argv[2:]]
sys.exit(main())
"""


@contextmanager
def waiting(models: str, go: Path) -> Iterator[str]:
    """The address of a dashboard with these models, which has MiniLM once `go` is there."""
    command = (sys.executable, "-c", WAITS, str(go))
    with live.serve(environment={"ATTNVIZ_MODELS": models}, command=command) as running:
        yield running.url
        go.touch()  # for the end


def test_in_another_language_nothing_of_the_last_picture_is_seen_while_the_model_of_that_language_is_loaded(
    page: Page, tmp_path: Path
):
    go = tmp_path / "go"
    with waiting("minilm-l6,poems-zh", go) as url:
        page.goto(f"{url}?lang=zh-CN")
        ready(page)
        expect(page.locator(".home .told-of")).to_contain_text("人")
        box(page, "language-box").get_by_text("English").click()
        expect(page.locator(".av-wait p")).to_be_visible()
        for part in (".home", ".st-key-about p", ".st-key-examples button"):
            expect(page.locator(part).first).to_be_hidden()
        expect(page.locator(".av-hatched")).to_be_visible()
        go.touch()
        expect(page.locator(".home .told-of")).to_contain_text("looks at")
        for part in (".home", ".st-key-about p", ".st-key-examples button"):
            expect(page.locator(part).first).to_be_visible()
        expect(page.locator(".av-wait, .av-anew")).to_have_count(0)


@pytest.mark.parametrize(
    ("link", "view"),
    [
        ("compare?model=minilm-l6&model2=untrained:minilm-l6", "compare-view"),
        ("step?model=minilm-l6", "stepper-view"),
        ("lessons?lesson=5&step=1", "heads-view"),
    ],
)
def test_every_page_says_which_model_it_waits_for_before_its_picture(page: Page, tmp_path: Path, link: str, view: str):
    go, drawn = tmp_path / "go", page.locator(f".st-key-{view} [data-drawn]")
    with waiting("reverse,minilm-l6", go) as url:
        page.goto(f"{url}/{link}")
        told = page.locator(".av-opening, .av-wait p").filter(has_text="Loading MiniLM-L6")
        expect(told.locator("visible=true")).to_have_count(1)
        expect(drawn).to_have_count(0)
        go.touch()
        expect(drawn).to_be_attached()
        expect(page.locator(".av-opening")).to_have_count(0)
