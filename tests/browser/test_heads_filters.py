"""Filters, several heads at once, the row taken apart: what they do to the numbers on screen, and that it is said."""

import re

import pytest
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz import views
from attnviz.views import Pick
from tests.browser.conftest import press_keys, said
from tests.browser.dashboard import CAT
from tests.browser.layout import cut_off

PIECES = "The internationalization of unhappiness overwhelmed Reykjavik."
IT = 8  # the query that is pinned


def percents(page: Page) -> list[str]:
    """The percentages beside the right-hand tokens, from the top."""
    return page.locator(".key .percent").all_inner_texts()


def whole(weight: float) -> str:
    return f"{round(float(weight) * 100)}%"


def test_what_a_filter_takes_away_is_said_and_the_rest_is_the_models_own(draw, traced, minilm):
    weights = traced(CAT)["encoder.5.self"].weights(11)  # [T_q, T_k]
    page = draw(views.heads(traced(CAT), Pick(5, 11, IT)))
    line = page.locator(".saidfilters")
    expect(line).to_have_text("")
    page.locator("[name=sinks]").check()
    expect(line).to_have_text(f"[CLS] hidden: {whole(weights[:, 0].mean())} removed on average")
    expect(page.locator(".reading .baseline")).to_contain_text(f"{whole(weights[IT, 0])} of this row hidden")
    assert percents(page)[:3] == ["", "", whole(weights[IT, 2])]
    expect(page.locator(".key").first).to_have_attribute("aria-label", re.compile("left out by a filter"))
    expect(page.locator(".looks .caption")).to_have_text("The sinks stay in these bars, which are of all the weight.")
    page.locator("[name=rescaled]").check()
    assert percents(page)[2] == whole(weights[IT, 2] / (1 - weights[IT, 0]))
    page.locator("[name=below]").fill("50")
    page.locator("[name=below]").blur()
    page.keyboard.press("[")
    expect(line).to_contain_text("Weights below 50% not drawn")
    on = float(weights[IT - 1, 1:].max() / (1 - weights[IT - 1, 0]))
    assert page.locator(".allbelow").is_visible() == (on < 0.5)
    assert said(page)[-1]["filter"] == "sinks rescaled below-50"

    pieces = minilm.trace(PIECES)
    words = draw(views.heads(pieces, Pick(2, 9, 2), filters="words special"), size=(390, 844))
    shown = words.locator(".query .token-text").all_inner_texts()
    assert shown == ["The", "internationalization", "of", "unhappiness", "overwhelmed", "Reykjavik", "."]
    expect(words.locator(".filters summary .count")).to_have_text("2")
    expect(words.locator("[name=words]")).not_to_be_visible()
    words.locator(".filters summary").click()
    words.locator("[name=words]").uncheck()
    expect(words.locator(".query")).to_have_count(len(pieces.tokens.source) - 2)
    assert words.evaluate("document.documentElement.scrollWidth") <= 390


def test_several_heads_are_averaged_and_each_can_be_told_apart(draw, traced):
    first, second = (traced(CAT)[f"encoder.{layer}.self"].weights(head)[IT] for layer, head in ((5, 11), (2, 9)))
    page = draw(views.heads(traced(CAT), Pick(5, 11, IT)))
    several = page.get_by_role("button", name="Several heads")
    several.click()
    expect(page.locator(".saidfilters")).to_have_text("Choose several heads: click to add or remove one")
    several.click()
    page.locator(".thumb[aria-label^='Layer 3 head 10']").click(modifiers=["Shift"])
    expect(page.locator(".detail h2")).to_have_text("2 heads")
    mean = [(a + b) / 2 for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    assert percents(page) == [whole(weight) if weight >= 0.01 else "" for weight in mean]
    expect(page.locator(".saidfilters")).to_have_text("Average of heads 6.12, 3.10")
    expect(page.locator(".thumb[aria-pressed=true]")).to_have_count(2)
    page.locator("[data-together=overlay]").click()
    colour = "(all) => all.map((it) => getComputedStyle(it).backgroundColor)"
    assert len(set(page.locator(".chip .swatch").evaluate_all(colour))) == 2
    assert (said(page)[-1]["also"], said(page)[-1]["together"]) == ([[2, 9]], "overlay")
    page.locator(".thumb[aria-label^='Layer 6 head 12']").focus()
    press_keys(page, "Shift+ArrowUp", "Shift+Enter")
    expect(page.locator(".chip")).to_have_count(3)
    assert said(page)[-1]["also"] == [[2, 9], [4, 11]]
    page.get_by_role("button", name="Remove head 6.12").click()
    page.get_by_role("button", name="Remove head 5.12").click()
    expect(page.locator(".detail h2")).to_have_text("Layer 3, head 10")
    assert percents(page) == [whole(weight) if weight >= 0.01 else "" for weight in second.tolist()]
    page.get_by_role("button", name="Several heads").click()
    page.locator(".thumb[aria-label^='Layer 6 head 12']").click()
    expect(page.locator(".chip")).to_have_count(2)
    page.get_by_role("button", name="Several heads").click()
    page.locator(".thumb[aria-label^='Layer 6 head 11']").click()
    expect(page.locator(".detail h2")).to_have_text("Layer 6, head 11")


def test_a_row_taken_apart_shows_the_numbers_of_the_run(draw, traced):
    record = traced(CAT)["encoder.5.self"]
    products = record.replay.q[11, IT] * record.replay.k[11, 2]  # [d_k]; the key that gets most is cat
    best, second = (int(at) + 1 for at in products.topk(2).indices)
    page = draw(views.heads(traced(CAT), Pick(5, 11, IT), way="neurons"))
    rows = page.locator(".nbody .nrow")
    expect(rows).to_have_count(13)
    expect(rows.nth(2).locator(".raw")).to_have_text(f"{record.raw(11)[IT, 2]:.1f}")
    expect(rows.nth(2).locator(".score")).to_have_text("4.81")
    expect(page.locator(".nsum")).to_contain_text(f"Feature {best}: it")
    expect(page.locator(".nsum")).to_contain_text(f"q · k {float(products.sum()):.2f} → score 4.81 → weight 71%")
    page.locator(".nbody").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".names .product")).to_have_text(f"feature {second}")
    expect(rows.nth(2).locator(".product")).to_have_text(f"{products[second - 1]:.2f}")
    press_keys(page, "ArrowDown", "Enter")
    expect(rows.nth(3)).to_have_attribute("data-level", "strong")
    page.get_by_role("combobox", name="Query").select_option("2")
    expect(page.locator(".reading")).to_contain_text("cat looks at")
    assert said(page)[-1]["token"] == 2


def test_a_key_that_the_mask_hides_stays_in_sight_and_is_called_so(draw):
    page = draw(views.heads(av.load("induction").trace("a b c a"), Pick(1, 0, 1), way="neurons"))
    rows = page.locator(".nbody .nrow")
    expect(rows).to_have_count(5)  # <start> and four symbols; row 1 sees two of them
    assert rows.locator(".score").filter(has_text="masked").count() == 3
    heights = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
    assert min(heights) == max(heights) > 10


def test_a_ninth_head_is_refused_in_words(draw, traced):
    page = draw(views.heads(traced(CAT), Pick(5, 11, IT), also=[(0, head) for head in range(7)]))
    expect(page.get_by_role("button", name="Several heads")).to_have_attribute("aria-pressed", "true")
    page.locator(".thumb[aria-label^='Layer 1 head 9']").click()
    line = page.locator(".saidfilters")
    expect(line).to_contain_text("At most 8 heads at once. Remove one to add 1.9.")
    expect(page.locator(".chip")).to_have_count(8)
    page.locator(".chip").last.click()
    expect(line).not_to_contain_text("At most")
    page.keyboard.press("4")
    expect(line).to_have_text("Neurons show one head’s own numbers, unfiltered.")
    assert cut_off(line) == []


MIDDLES = """(all) => all.map((it) => it.getBoundingClientRect()).filter(({height}) => height)
  .map(({top, height}) => top + height / 2)"""


@pytest.mark.parametrize("lang", ["en", "zh-CN", "zh-TW"])
def test_tools_over_the_picture_are_one_row_those_over_all_heads_one_and_their_kinds_another(draw, traced, lang):
    page = draw(views.heads(traced(CAT), Pick(5, 11, IT), lang=lang), size=(1280, 720))
    rows = [page.locator(".kindchip"), page.locator(".overview > .head > *, .overviewbar > *")]
    for row, apart in zip(rows, (1, 2), strict=True):
        middles = row.evaluate_all(MIDDLES)
        assert middles and max(middles) - min(middles) <= apart
    for key, way in zip("1234", ("lines", "heatmap", "text", "neurons"), strict=True):
        page.keyboard.press(key)
        expect(page.locator(f"button[data-way={way}]")).to_have_attribute("aria-pressed", "true")
        tools = page.locator(".detail .tools :is(label, button, select)").evaluate_all(MIDDLES)
        assert tools and max(tools) - min(tools) <= 1.5, (way, tools)
