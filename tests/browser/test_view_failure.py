"""A view that fails says so in its place, in the reader's language, and can be mounted anew; the page goes on."""

import re
import time

import pytest
import torch
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from attnviz.text import strings
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation
from attnviz.views import View
from attnviz.views.panel import Map, Maps
from tests.browser.dashboard import text_box
from tests.unit.views.test_compare import trace_of

AT = {"clientX": 99, "clientY": 99}
WORDS = [str(i) for i in range(4)]
BREAK = "() => { Element.prototype.replaceChildrenOf = Element.prototype.replaceChildren; \
Element.prototype.replaceChildren = function (...nodes) { \
if (!nodes.some((node) => node.className === 'failure')) throw new Error('broken on purpose'); \
return this.replaceChildrenOf(...nodes); }; }"
WORDED = "(words) => [...document.querySelectorAll('[data-testid=stAlertContentError]')].some((alert) => \
getComputedStyle(alert, '::before').content.includes(words))"
SLOW = 0.3  # s until it fails: a page that hears of it at once asks a second time by itself
MEND = "() => { Element.prototype.replaceChildren = Element.prototype.replaceChildrenOf; }"


def view_of(name: str, lang: str) -> View:
    trace = av.load("reverse").trace("k a b c d")
    made = {
        "heads": lambda: views.heads(trace, lang=lang),
        "stepper": lambda: views.stepper(chain(trace, "self", "encoder.0.self", head=1), trace, lang=lang),
        "compare": lambda: views.compare(av.compare(trace_of(5, (2,), 0), trace_of(5, (2,), 1)), lang=lang),
        "training": lambda: views.training([head_formation(FOLDER / "reverse", "k w p a 3 d")], lang=lang),
        "panel": lambda: views.panel([Maps([Map("M", torch.eye(4), WORDS, WORDS, "share")])], title="M", lang=lang),
    }
    return made[name]()


def failure(page: Page):
    return page.locator(".failure[role=alert]")


@pytest.mark.parametrize(("name", "act"), [
    ("heads", lambda page: page.keyboard.press("]")),
    ("stepper", lambda page: page.keyboard.press("ArrowRight")),
    ("compare", lambda page: page.keyboard.press("ArrowRight")),
    ("training", lambda page: page.keyboard.press("Home")),
    ("panel", lambda page: page.locator(".map .stop").first.dispatch_event("pointermove", AT)),
])  # fmt: skip
def test_what_a_handler_throws_is_said_in_the_views_place(draw, name, act):
    page = draw(view_of(name, "zh-CN"))
    say = strings("zh-CN")
    page.evaluate(BREAK)
    act(page)
    expect(failure(page)).to_contain_text(say("view-kit-failed"))
    expect(page.locator("[data-ready]")).to_have_count(0)
    expect(page.locator(".page-text")).to_be_visible()  # what stands around it goes on
    page.locator(".failure summary").click()
    expect(failure(page)).to_contain_text("broken on purpose")

    again = page.get_by_role("button", name=say("view-kit-failed-again"))
    again.click()
    expect(failure(page)).to_be_visible()  # still broken
    page.evaluate(MEND)
    again.click()
    expect(page.locator("[data-ready]")).to_be_visible()
    expect(failure(page)).to_have_count(0)
    act(page)
    expect(failure(page)).to_have_count(0)


def test_what_a_page_could_not_fetch_is_said_in_words_and_comes_again_by_one_press(page_for, watch):
    say = strings("zh-CN")
    page = page_for("heads?lang=zh-CN&model=minilm-l6")
    again = page.get_by_role("button", name=say("view-kit-failed-again"))
    page.route("**/hosts/streamlit.js", lambda route: route.fulfill(status=500))
    page.reload()
    expect(page.get_by_test_id("stAlertContentError")).to_contain_text("streamlit.js")
    page.wait_for_function(WORDED, arg=say("view-kit-failed"))
    page.unroute_all()
    page.route("**/heads/view.js", lambda route: route.fulfill(status=500))
    page.reload()
    expect(failure(page)).to_contain_text(say("view-kit-failed"))
    expect(text_box(page)).to_be_editable()
    page.unroute_all()
    again.click()
    expect(page.locator(".heads[data-exact]")).to_be_visible()
    expect(failure(page)).to_have_count(0)

    page.route("**/api/heads/exact", lambda route: (time.sleep(SLOW), route.fulfill(status=500)))
    page.locator(".grid [tabindex='0']").first.focus()
    page.keyboard.press("ArrowLeft")
    line = page.locator(".attnviz-line")
    expect(line).to_be_in_viewport()
    expect(line).to_contain_text(say("view-kit-offline"))
    page.unroute_all()
    again.click()
    expect(page.locator(".heads[data-exact]")).to_be_visible()
    expect(line).to_have_count(0)
    watch.errors.clear()  # of what was broken on purpose


def test_data_that_cannot_be_read_show_that_the_view_failed_until_others_come(draw, tmp_path):
    view = view_of("panel", "en")
    page = draw(view)
    page.evaluate("() => window.mounted.update({header: {...window.payload.header, blocks: null}, arrays: {}})")
    expect(failure(page)).to_contain_text("This picture could not be drawn.")
    page.evaluate("() => window.mounted.update(window.payload)")
    expect(page.locator("[data-ready]")).to_be_visible()
    path = tmp_path / "damaged.html"
    path.write_text(re.sub(r'(id="payload">).{9}', r"\1damaged!!", view.html()), encoding="utf-8")
    page.goto(path.as_uri())
    expect(failure(page)).to_be_visible()
