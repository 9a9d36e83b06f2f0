"""Two texts and a text of several lines on Heads, as a person gives them: boxes, bands, filters, link and Back."""

import json

import pandas as pd
import pytest
import torch
from playwright.sync_api import expect

import attnviz as av
from tests.browser.conftest import PageFactory, new_picture, taken
from tests.browser.dashboard import box, comes_to, link, text_box, wait_for_link

FIRST, SECOND = "How old are you?", "I am six."
PAIR = "pair:" + json.dumps([FIRST, SECOND])


def asked(**more: str) -> dict[str, str]:
    return {"model": "minilm-l6", "text": PAIR, "layer": "3", "head": "9", **more}


def test_two_texts_are_marked_in_lines_heatmap_and_text(page_for: PageFactory) -> None:
    page = page_for("heads", query=asked())
    expect(page.locator(".heads .lines .band")).to_have_text(["A", "B", "A", "B"])
    page.locator("button[data-way=heatmap]").click()
    expect(page.locator(".heads .map .rowband")).to_have_text(["A", "B"])
    expect(page.locator(".heads .map .columnband")).to_have_text(["A", "B"])

    def is_in_its_band() -> bool:
        of_b = page.locator(".heads .rowband").last.bounding_box()
        names = page.locator(".heads .rowname[data-index='7']").bounding_box()  # the first token of the second text
        return of_b["y"] <= names["y"] + names["height"] / 2 <= of_b["y"] + of_b["height"]

    comes_to(is_in_its_band, True)  # a heatmap is painted in the next frame
    page.locator("button[data-way=text]").click()
    assert page.locator(".heads .text p[data-group]").evaluate_all("all => all.map(it => it.dataset.group)") == [
        "A",
        "B",
    ]


def test_from_one_text_to_the_other_only_those_tokens_stand_there_and_the_link_keeps_it(page_for: PageFactory) -> None:
    read = av.load("minilm-l6").trace(FIRST, pair=SECOND).tokens.source.segments
    n = {"1": read.count(0), "2": read.count(1)}
    page = page_for("heads", query=asked())
    for of in "12":
        for to in "12":
            page.locator("select[name=from]").select_option(of)
            page.locator("select[name=to]").select_option(to)
            expect(page.locator(".heads .query")).to_have_count(n[of])
            expect(page.locator(".heads .key")).to_have_count(n[to])
            names = {"1": "A", "2": "B"}
            expect(page.locator(".saidfilters")).to_contain_text(f"Only from {names[of]} to {names[to]}")
    wait_for_link(page, filter="from-2 to-2")
    page.reload()
    expect(page.locator(".heads .query")).to_have_count(n["2"])
    expect(page.locator(".saidfilters")).to_contain_text("Only from B to B")
    assert link(page)["text"] == PAIR


def test_what_is_saved_of_two_texts_holds_both_and_all_heads_say_what_each_gives_each(page_for: PageFactory) -> None:
    page = page_for("heads", query=asked(overview="one"))
    saved = av.Trace.load(taken(page, "Trace", ".detail").path())
    run = av.load("minilm-l6").trace(FIRST, pair=SECOND)
    assert saved.tokens.source.segments == run.tokens.source.segments
    assert torch.equal(saved["encoder.2.self"].weights(), run["encoder.2.self"].weights())
    table = pd.read_csv(taken(page, "CSV", ".overview").path()).set_index(["layer (from 1)", "head (from 1)"])
    of_head = av.group_attention(run).query("layer == 2 and head == 8").set_index(["from", "to"]).weight
    assert table.loc[(3, 9), "B → A"] == pytest.approx(of_head["B", "A"], abs=1e-5)


def test_pasted_lines_stay_lines(page_for: PageFactory) -> None:
    page = page_for("heads", query={"model": "minilm-l6", "text": "A dog."})
    before = page.locator("[data-ready]").first.get_attribute("data-ready")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('user\\r\\nWhat\\n\\nnow')")
    text_box(page).fill("")
    text_box(page).press("Control+V")
    expect(text_box(page)).to_have_value("user\nWhat\n\nnow")
    text_box(page).press("Enter")
    new_picture(page, before)
    assert link(page)["text"] == "user\nWhat\n\nnow"


def test_the_second_text_is_shown_by_its_button_and_back_brings_the_one_before(page_for: PageFactory) -> None:
    page = page_for("heads", query=asked())
    before = page.locator("[data-ready]").first.get_attribute("data-ready")
    box(page, "text-box-second").locator("textarea").fill("I am seven.")
    page.get_by_role("button", name="Show").click()
    new_picture(page, before)
    assert link(page)["text"] == "pair:" + json.dumps([FIRST, "I am seven."])
    page.go_back()
    expect(box(page, "text-box-second").locator("textarea")).to_have_value(SECOND)


def test_lines_typed_with_shift_and_enter_are_kept_in_box_link_and_run(page_for: PageFactory) -> None:
    page = page_for("heads", query={"model": "minilm-l6", "text": "A dog."})
    before = page.locator("[data-ready]").first.get_attribute("data-ready")
    text_box(page).fill("")
    text_box(page).press_sequentially("user")
    text_box(page).press("Shift+Enter")
    text_box(page).press_sequentially("What")
    text_box(page).press("Enter")
    new_picture(page, before)
    assert link(page)["text"] == "user\nWhat"
    expect(text_box(page)).to_have_value("user\nWhat")
    expect(page.locator(".heads .query .token-text")).to_have_text(["[CLS]", "user", "What", "[SEP]"])
