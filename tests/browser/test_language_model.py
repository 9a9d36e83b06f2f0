"""Each page opens on the language model that ships, from a fresh server: its text, the model, its head, no error."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz import views
from attnviz.analysis.circuits.missing_word import missing_word
from attnviz.core.site import Site
from attnviz.trace.text_model import TextModel
from tests.browser.conftest import PageFactory, ready
from tests.browser.dashboard import (
    comes_to,
    exact_head,
    figures,
    link,
    numbers_of,
    plot,
    settle,
    turn_to,
    wait_for_link,
)
from tests.browser.layout import SHIFTED, SHIFTS, STILL, boxes, cut_off
from tests.browser.live import wait_until
from tests.browser.stepper import stepper, to_step

FRANCE = "The capital of France is"
KEYS = "The keys to the cabinet are on the"
MARY = "When Mary and John went to the store, John gave a drink to"


@pytest.fixture
def page(shipped: str, tab_for: PageFactory) -> Page:
    """A visitor of that server."""
    return tab_for(shipped)


def opened(page: Page, address: str) -> None:
    page.goto(address)
    ready(page)
    settle(page)
    expect(page.locator(".av-card, .av-line:not(.av-continued)")).to_have_count(0)  # nothing is refused or left out


def test_home_tells_how_the_missing_word_is_found_and_what_is_there_without_its_head(shipped: str, page: Page) -> None:
    opened(page, shipped)
    page.evaluate(SHIFTS)  # which hears of what moved before as well
    caption = page.locator(".home .told-of")
    expect(caption).to_contain_text("Paris leads with 77.3%")
    expect(page.locator(".home .share").nth(4)).to_be_in_viewport()  # all five are in sight before anybody scrolls
    expect(page.locator(".home .stage:not([data-told='waits'])")).to_have_count(1)
    told = ("puts 90% of its weight on France", "one row of numbers", "90% is arithmetic", "wrote +3.15 into that lead")
    for said in told:
        page.keyboard.press("ArrowDown")
        expect(caption).to_contain_text(said)
    page.keyboard.press("ArrowDown")
    expect(caption).to_contain_text("Without 24.5, Paris falls from 77.3% to 14.1%")
    expect(caption).to_contain_text("The word changes without 24.2 as well: press “+ 24.2”.")
    expect_listed(page, "Paris", "the", "London", "New", "Tokyo")  # which was not among the five before
    page.get_by_role("button", name="+ 24.2").click()
    expect(caption).to_contain_text("the word changes: London leads with 12.2%")
    expect(page.locator(".home .drawing")).to_have_attribute(
        "aria-label", re.compile("^London 12.2%, the 10.8%, Paris")
    )
    page.get_by_role("button", name="All heads on").click()
    expect(caption).to_contain_text("With every head on, Paris has 77.3%")
    assert page.evaluate(SHIFTED) < 0.02
    page.locator(".home .out[href^='heads']").click()
    wait_for_link(page, layer="24", head="5", token="5", text=FRANCE)


def test_the_heads_that_are_off_stand_in_the_link_of_home_and_go_along_to_step_through(
    shipped: str, page: Page
) -> None:
    opened(page, f"{shipped}/?text={quote(FRANCE)}")
    expect(page.locator(".home .stage:not([data-told='waits'])")).to_have_count(1)
    page.locator(".home .dot").nth(5).click()
    wait_for_link(page, scene="6", **{"if": "mute.decoder.23.self.5"})
    caption = page.locator(".home .told-of")
    expect(page.locator(".home .choice p")).to_contain_text("is measured by switching them off")
    for name, off, said in (
        ("All heads on", None, "With every head on, Paris has 77.3%"),
        ("+ 24.2", "mute.decoder.23.self.5~mute.decoder.23.self.2", "the word changes: London leads with 12.2%"),
    ):
        page.get_by_role("button", name=name).click()
        wait_for_link(page, scene="6", **{"if": off})
        page.reload()
        expect(caption).to_contain_text(said)
        wait_for_link(page, scene="6", **{"if": off})
    page.locator(".home .out[href^='step']").click()
    wait_for_link(page, layer="24", head="5", matrix="weights", **{"if": off})
    page.go_back()
    expect(caption).to_contain_text(said)
    expect(page.locator(".home .out[href^='heads']")).to_have_text("All 270 heads, none off")
    for key, scene, heads in (
        ("ArrowUp", "6", "mute.decoder.23.self.5"), ("ArrowDown", "6", off),  # a key switches the next head off, too
        ("ArrowUp", "6", "mute.decoder.23.self.5"), ("ArrowUp", "5", None),
    ):  # fmt: skip
        page.keyboard.press(key)
        wait_for_link(page, scene=scene, **{"if": heads})
    page.reload()
    expect(page.locator(".home .stage:not([data-told='waits'])")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    wait_for_link(page, scene="6", **{"if": "mute.decoder.23.self.5"})


def test_heads_that_are_off_go_along_to_every_page_and_where_all_are_on_that_is_said(shipped: str, page: Page) -> None:
    def to(name: str, **said: str | None) -> None:
        turn_to(page, name)
        wait_for_link(page, **said)
        settle(page)

    off = {"if": "mute.decoder.23.self.5~mute.decoder.23.self.2"}
    caption, line = page.locator(".home .told-of"), page.locator(".heads .changed")
    opened(page, f"{shipped}/?text={quote(FRANCE)}&scene=6&if={off['if']}")
    expect(caption).to_contain_text("the word changes: London leads with 12.2%")
    expect(page.locator(".home .out[href^='heads']")).to_have_attribute("href", re.compile(r"if=mute\.decoder\.23"))
    to("Heads", layer="24", head="5", **off)
    expect(line).to_contain_text("Here every head is on. Off in Step through: 24.5 + 24.2.")
    expect(page.locator(".heads .predicted")).to_contain_text("77%")  # of the run with all of them
    to("Home", scene="6", **off)
    expect(caption).to_contain_text("the word changes: London leads with 12.2%")
    to("Compare", key="4", **off)
    to("Training", **{"if": None})
    to("Heads", token="5", key="4", **off)
    line.get_by_role("button", name="Step through without them").click()
    wait_for_link(page, text=FRANCE, layer="24", head="5", **off)
    expect(stepper(page)).to_contain_text("heads 2, 5 silenced (layer 24)")
    opened(page, f"{shipped}/step?text={quote(FRANCE)}&layer=4&head=1&if=mute.decoder.3.self.1~t0.5")
    other = {"if": "t0.5~mute.decoder.3.self.1"}
    wait_for_link(page, **other)
    to("Heads", **other)
    expect(line).to_contain_text("Here the model runs as it is. In Step through its run is changed.")
    to("Home", scene=None, **other)  # whose story has other heads
    expect(caption).to_contain_text("Paris leads with 77.3%")
    to("Step through", **other)
    to("Heads", **other)
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="MiniLM-L6: English sentences").click()
    wait_for_link(page, model="minilm-l6", **{"if": None})
    expect(line).to_be_hidden()


def test_a_link_to_the_last_scene_without_heads_that_are_off_shows_the_run_with_all_of_them(
    shipped: str, page: Page
) -> None:
    opened(page, f"{shipped}/?text={quote(FRANCE)}&scene=6")
    expect(page.locator(".home .told-of")).to_contain_text("With every head on, Paris has 77.3%")
    expect(page.get_by_role("button", name="All heads on")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".home .out[href^='heads']")).to_have_text("All 270 heads")
    expect_listed(page, "Paris", "the", "London", "Le", "New")
    wait_for_link(page, scene="6", **{"if": None})


LISTED = """words => {
    const names = [...document.querySelector('[data-drawn]').shadowRoot.querySelectorAll('.home .name')];
    const seen = names.filter((node) => Number(node.style.opacity) > 0.9);
    const top = (node) => node.getBoundingClientRect().top;
    return String(seen.sort((a, b) => top(a) - top(b)).map((node) => node.textContent)) === String(words);
}"""


def expect_listed(page: Page, *words: str) -> None:
    """These candidates are seen on Home, from the top."""
    page.wait_for_function(LISTED, arg=list(words))


def test_what_is_shown_or_picked_goes_along_from_home_and_through_it(shipped: str, page: Page) -> None:
    def to(name: str, **said: str) -> None:
        turn_to(page, name)
        wait_for_link(page, text=FRANCE, **said)
        settle(page)

    told = page.locator(".home .stage:not([data-told='waits'])")
    opened(page, f"{shipped}/?text={quote(FRANCE)}")
    expect(told).to_have_count(1)
    to("Compare", layer="24", head="5", layer2="24", head2="5", token="5")  # that of the story, which nobody picked
    to("Home", layer="24", head="5", token="5")
    opened(page, f"{shipped}/heads?text={quote(FRANCE)}&layer=17&head=3&token=4")
    exact_head(page, 17, 3)
    to("Home", layer="17", head="3", token="4")
    expect(told).to_have_count(1)
    to("Compare", layer="17", head="3", layer2="17", head2="3", token="4")
    to("Step through", layer="17", head="3", token="4")
    to("Home", layer="17", head="3", token="4")
    expect(told).to_have_count(1)
    page.locator(".home .way[href^='compare']").click()  # the head of the picture on it
    wait_for_link(page, text=FRANCE, text2="The capital of Italy is", layer="24", head="5", token="5")


def test_a_text_that_comes_while_the_story_moves_has_a_story_that_moves(shipped: str, page: Page) -> None:
    opened(page, shipped)
    expect(page.locator(".home .stage:not([data-told='waits'])")).to_have_count(1)
    page.locator(".home .dot").nth(5).click()
    wait_for_link(page, scene="6")
    page.evaluate("document.querySelector('.stMain').scrollTop = 0")
    page.locator(".st-key-examples").get_by_role("button").filter(has_text="Said before").click()
    expect(page.locator(".home .sentence")).to_contain_text("Oslo")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".home .dot").nth(1)).to_have_attribute("aria-current", "step")


def test_what_each_head_adds_is_a_number_to_draw_against_any_other(
    shipped: str, page: Page, smollm2: TextModel
) -> None:
    opened(page, f"{shipped}/heads?text={quote(FRANCE)}&layer=24&head=5&beside=numbers")
    page.get_by_role("button", name="Charts…").click()
    page.get_by_role("combobox", name="Vertical axis").click()
    page.locator("[role=option]").get_by_text("Added to “Paris”", exact=True).click()
    chart = figures(page).first
    expect(chart.locator("h3, h2").first).to_contain_text("Added to “Paris” against")
    expect(plot(chart).locator(".ytitle")).to_have_text("Added to “Paris”")  # plotly takes longer than the heading
    trace = smollm2.trace(FRANCE)
    made = av.wrote(trace, -1, *trace.top(-1, k=2)["token"].tolist())
    added = [part for writer, part in zip(made.writers, made.parts.tolist(), strict=True) if writer.kind == "head"]
    drawn = sorted(y for kind in numbers_of(chart)[:-1] for y in kind)
    assert drawn == pytest.approx(sorted(added), abs=1e-4)
    hovers = "plot => plot.data.map(({hovertemplate}) => hovertemplate).filter(Boolean)"
    for hover in plot(chart).evaluate(hovers):
        assert "<br>Added to “Paris” %{y" in hover


def test_heads_opens_on_a_head_that_is_in_sight(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/heads")
    exact_head(page, 24, 5)
    wait_for_link(page, model="smollm2-135m", text=FRANCE, token="5")
    expect(page.locator(".heads .thumb")).to_have_count(270)
    for at in (0, 269):  # all of them are in sight
        expect(page.locator(f".heads .thumb[data-index='{at}']")).to_be_in_viewport(ratio=1)
    expect(page.locator(".heads")).to_contain_text("France")


def test_a_link_without_a_head_opens_on_the_one_that_home_shows_and_heads_are_by_what_they_add(
    shipped: str, page: Page, smollm2: TextModel
) -> None:
    trace = smollm2.trace(KEYS)
    told, pick = missing_word(trace), views.standout(trace)
    layer = Site.parse(told.site).layer
    assert (pick.layer, pick.head) != (layer, told.head)
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(KEYS)}")
    wait_for_link(page, layer=str(layer + 1), head=str(told.head + 1), token="8")
    metric = page.locator("select[name=metric]")
    expect(metric).to_have_value("adds")
    expect(metric.locator("option:checked")).to_have_text(f"Added to “{told.wrote.text.strip()}”")
    page.locator("[data-kind=induction]").click()  # leads to another head, in the same row
    expect(page.locator(".thumb[aria-pressed=true]:not(.faded)")).to_have_count(1)
    assert link(page)["token"] == "8"
    page.goto(f"{shipped}/heads?model=smollm2-135m&text={quote(KEYS)}&layer=3&head=2")
    expect(metric).to_have_value("adds")
    exact_head(page, 3, 2)  # a head that was chosen stays


def test_the_head_that_brings_a_word_is_said_over_the_map_of_all_which_is_whole_in_a_low_window(
    shipped: str, page: Page
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(FRANCE)}")
    words = page.locator(".heads .predicted .word")
    words.first.click()
    said = page.locator(".look:not(.why) .prose").first
    expect(said).to_have_text(
        re.compile(r"Head 24\.5 adds most to “Paris” over “the”: \+3\.1\d in all, \+3\.1\d from “France”")
    )
    expect(said).to_be_in_viewport(ratio=1)
    cells, why = boxes(page.locator(".look:not(.why) .map .stop"))[0], boxes(page.locator(".look:not(.why)"))[0]
    assert cells["bottom"] <= why["bottom"] - 12  # the edge fades
    top = cells["top"]
    page.route("**/heads/look*", lambda route: None)  # never answered
    words.nth(1).click()
    expect(page.locator(".look:not(.why) .panel.coming").last).to_be_attached()
    assert boxes(page.locator(".look:not(.why) .map .stop"))[0]["top"] == top  # nothing is pushed while it is computed
    page.unroute_all(behavior="ignoreErrors")
    said.locator(".lead").click()
    exact_head(page, 24, 5)


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_nothing_moves_while_a_text_is_continued_by_lines_and_gone_on_with_by_another_word(
    shipped: str, page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(FRANCE)}")
    page.evaluate(SHIFTS)
    box = page.locator(".st-key-bar [class*='st-key-text-box--'] textarea")
    high = boxes(box)[0]["height"]
    for n in ("4 tokens", "16 tokens", ""):
        before, text = page.evaluate(SHIFTED), link(page)["text"]
        if n:
            page.get_by_role("button", name="Continue the text").click()
            page.get_by_role("menuitem", name=n).click()
        else:
            page.locator(".heads .goon").last.click()
        page.wait_for_function("text => new URLSearchParams(location.search).get('text') !== text", arg=text)
        settle(page)
        assert page.evaluate(SHIFTED) - before < STILL, n
        assert boxes(box)[0]["height"] == high, n
    wrote = page.locator(".av-continued bdi")
    assert "".join(wrote.all_inner_texts()).split() == link(page)["text"].removeprefix(FRANCE).split()
    box.focus()
    assert boxes(box)[0]["height"] > high  # all of it, for who goes on with it


def test_the_row_that_wrote_a_token_is_in_the_middle_where_it_can_be(shipped: str, page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    text = quote(" ".join(["one two three four five six seven eight nine ten"] * 4))
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={text}&written=21-40&token=20")
    row = page.locator(".heads .query[aria-pressed=true]")
    walk = page.locator(".writtenwalk")

    def is_in_the_middle() -> bool:
        middle, lines = boxes(row)[0], boxes(page.locator(".heads .lines"))[0]
        off = (middle["top"] + middle["bottom"] - lines["top"] - lines["bottom"]) / 2
        return bool(abs(off) <= middle["bottom"] - middle["top"])

    for at in (1, 2, 3):
        expect(walk).to_contain_text(f"{at} of 20")
        comes_to(is_in_the_middle, True)
        page.get_by_role("button", name="Next written token").click()


def test_on_a_telephone_every_scene_of_home_can_be_pressed_before_anybody_scrolls(shipped: str, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, f"{shipped}/?text={quote(FRANCE)}")
    dots = page.locator(".home .dot")
    expect(dots).to_have_count(6)
    for at in range(6):
        expect(dots.nth(at)).to_be_in_viewport(ratio=1)
    dots.nth(5).click()
    expect(page.locator(".home .told-of")).to_contain_text("Switch it off")


def test_on_a_telephone_the_next_words_are_on_the_first_screen(shipped: str, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(FRANCE)}")
    words = page.locator(".heads .predicted .word")
    for at in range(5):
        expect(words.nth(at)).to_be_in_viewport(ratio=1)
    words.first.click()
    expect(page.locator(".look:not(.why) .prose").first).to_be_in_viewport(ratio=1)


def test_the_words_it_expects_stand_there_and_each_says_who_wrote_its_lead(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(FRANCE)}")
    words = page.locator(".heads .predicted button:not(.goon)")
    expect(words).to_have_count(5)
    expect(words.first).to_have_text(re.compile(r"Paris \d\d%"))
    words.first.click()
    expect(page.locator(".heads .look:not(.why)")).to_contain_text("“Paris” ahead of “the”")
    wait_for_link(page, beside="why-word0", token="5")
    words.nth(1).click()
    expect(page.locator(".heads .look:not(.why)")).to_contain_text("“the” ahead of “London”")
    page.locator(".heads .query .token-text", has_text="France").click()
    expect(words.first).not_to_have_text(re.compile("Paris"))


def test_all_five_words_are_in_sight_with_their_numbers_however_long_they_are(shipped: str, page: Page) -> None:
    sizes = (1366, 768), (390, 844)
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote('She studies international')}")
    row = page.locator(".heads .predicted")

    def are_whole() -> bool:
        shown, edge = boxes(row.locator(".word bdi + span, .goon")), boxes(row)[0]["right"]
        return len(shown) == 10 and all(one["width"] and one["right"] <= edge + 1 for one in shown)

    def are_whole_at(width: int, height: int) -> None:
        page.set_viewport_size({"width": width, "height": height})
        expect(row.locator(".word")).to_have_count(5)
        wait_until(are_whole, 45)

    for size in sizes:
        are_whole_at(*size)
        assert cut_off(row.locator(".word bdi")) == [], size
    row.locator(".word bdi").evaluate_all("all => all.forEach((one) => (one.textContent += 'characteristically'))")
    for size in sizes:
        are_whole_at(*size)


def test_a_chat_has_its_roles_beside_the_tokens_and_between_them_a_filter(shipped: str, page: Page) -> None:
    chat = 'chat+:[["system", "You are brief."], ["user", "What is the capital of France?"]]'
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(chat)}")
    roles = ["system", "user", "assistant"]
    expect(page.locator(".heads .lines .band")).to_have_text(roles * 2)
    page.locator("select[name=from]").select_option("3")
    page.locator("select[name=to]").select_option("2")
    expect(page.locator(".saidfilters")).to_contain_text("Only from assistant to user")
    expect(page.locator(".heads .lines .band")).to_have_text(["assistant", "user"])
    expect(page.locator(".heads .key .token-text", has_text="France")).to_have_count(1)
    wait_for_link(page, filter="from-3 to-2")
    page.reload()
    expect(page.locator(".heads .lines .band")).to_have_text(["assistant", "user"])
    assert link(page)["text"] == chat


def test_step_through_opens_on_that_head_and_walks_from_its_norm_to_the_score(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/step")
    wait_for_link(page, model="smollm2-135m", text=FRANCE, layer="24", head="5")
    expect(stepper(page)).to_have_attribute("data-step", "self-norm")
    for name in ("q", "q-rotated", "raw"):
        to_step(page, name)
    wait_for_link(page, matrix="raw", token="5", key="4")  # the last token looks at France
    opened(page, f"{shipped}/step?tab=heads&model=smollm2-135m&text=Rome+is+in")
    wait_for_link(page, model="smollm2-135m", text="Rome is in", tab="heads")


def test_compare_opens_on_two_texts_through_it(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/compare")
    wait_for_link(page, model="smollm2-135m", model2="smollm2-135m", text=MARY)
    assert link(page)["text2"].endswith("Mary gave a drink to")
