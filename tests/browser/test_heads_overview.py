"""The overview by hand: kinds, a metric, an order, and thousands of heads; nothing of it asks the server."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from attnviz import views
from attnviz.views import Pick
from attnviz.views.heads.measured_heads import sentence_frame
from tests.browser.conftest import press_keys, said
from tests.browser.dashboard import CAT
from tests.browser.layout import boxes
from tests.unit.views.test_compare import trace_of

BAR = """(node) => {
  const canvas = node.parentElement.querySelector('canvas'), scale = canvas.width / canvas.clientWidth;
  const [left, size] = [node.offsetLeft * scale, node.offsetWidth * scale];
  const y = Math.round((node.offsetWidth + 5) * scale);
  const {data} = canvas.getContext('2d').getImageData(left, y, size, 1);
  const dark = [...Array(data.length / 4).keys()].filter((at) => data[at * 4 + 3] > 0 && data[at * 4] < 128);
  return dark.length / (data.length / 4); // how much of its rail the bar under a head fills
}"""


def test_kinds_filter_and_a_metric_and_its_order_show_what_was_measured(draw, traced):
    frame = sentence_frame(traced(CAT))
    counts = {kind: int(n) for kind, n in frame["kind_of_head"].value_counts().items()}
    page = draw(views.heads(traced(CAT), Pick(5, 11, 8)))
    thumbs = page.locator(".thumb")
    for kind, n in counts.items():
        expect(page.locator(f"[data-kind={kind}]")).to_contain_text(str(n))
    expect(page.locator("[data-kind=induction]")).to_have_count(0)
    expect(thumbs.nth(2)).to_have_attribute("aria-label", re.compile("^Layer 1 head 3, previous token,"))
    expect(page.locator(".headkind")).to_have_text("Mixed13 rows")

    page.locator("[data-kind=previous]").click()
    expect(page.locator(".thumb:not(.faded)")).to_have_count(counts["previous"])
    expect(thumbs).to_have_count(72)
    expect(page.locator("[data-kind=previous]")).to_be_focused()
    page.locator("[data-kind=previous]").click()
    expect(page.locator(".thumb.faded")).to_have_count(0)

    page.locator("select[name=metric]").select_option("entropy")
    expect(thumbs.nth(13)).to_have_attribute("aria-label", re.compile(rf"Entropy {frame['entropy'].iat[13]:.2f}$"))
    page.locator(".overviewbar [name=sort]").click()
    order = np.argsort(-frame["entropy"].to_numpy(), kind="stable")
    assert thumbs.evaluate_all("(nodes) => nodes.map((node) => Number(node.dataset.index))") == order.tolist()
    most = int(order[0])
    under = thumbs.first.locator(".under")
    expect(under).to_have_text(f"{most // 12 + 1}.{most % 12 + 1} {frame['entropy'].iat[most]:.2f}")
    least = frame["entropy"].iat[order[-1]] / frame["entropy"].max()  # the largest value fills its rail
    assert thumbs.first.evaluate(BAR) == 1 and thumbs.last.evaluate(BAR) == pytest.approx(least, abs=0.06)
    thumbs.first.click()
    page.keyboard.press("ArrowRight")
    expect(thumbs.nth(1)).to_be_focused()
    assert page.locator(".thumb[tabindex='0']").count() == 1
    assert page.locator("[name=metric] option[value=variability]").get_attribute("disabled") is not None

    assert said(page)[-1]["overview"] == "sort-entropy show-entropy"
    again = draw(views.heads(traced(CAT), Pick(5, 11, 8), overview="kind-broad sort-entropy", beside="why"))
    expect(again.locator("[data-beside]")).to_have_count(0)  # looks that only a server answers
    expect(again.locator(".thumb:not(.faded)")).to_have_count(counts["broad"])
    expect(again.locator("select[name=metric]")).to_have_value("entropy")


def test_thousands_of_heads_are_there_as_far_as_they_are_seen(draw):
    page = draw(views.heads(trace_of(5, (64,) * 32, 0), Pick(31, 63)))
    picked = page.locator(".thumb[aria-pressed=true]")
    expect(picked).to_have_attribute("aria-label", re.compile("^Layer 32 head 64,"))
    expect(picked).to_be_in_viewport()  # wherever it lies
    assert page.locator(".thumb").count() < 400
    assert min(box["width"] for box in boxes(page.locator(".thumb"))) >= 44
    picked.focus()
    press_keys(page, *["ArrowUp"] * 12)
    expect(page.locator(".thumb:focus")).to_have_attribute("aria-label", re.compile("^Layer 20 head 64,"))
    expect(page.locator(".thumb:focus")).to_be_in_viewport()
    page.locator(".grid").evaluate("(grid) => (grid.scrollTop = 0)")
    expect(page.locator(".thumb[data-index='0']")).to_be_in_viewport()
    expect(page.locator(".thumb[tabindex='0']")).to_have_count(1)  # the picked head keeps its place for the Tab key
    page.locator(".overviewbar [name=sort]").click()
    names = page.locator(".thumb").evaluate_all("(nodes) => nodes.slice(0, 20).map((node) => node.title)")
    values = [int(re.findall(r"(\d+)%", name)[-1]) for name in names]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
def test_forty_eight_layers_of_thirty_two_heads_are_all_in_sight_with_the_picked_one_large(draw, size):
    page = draw(views.heads(trace_of(9, (32,) * 48, 0), Pick(19, 29)), size=size)
    assert page.locator(".thumb").count() == 48 * 32
    for at in (0, 48 * 32 - 1):
        expect(page.locator(f".thumb[data-index='{at}']")).to_be_in_viewport(ratio=1)
    for index in (19 * 32 + 29, 0):
        page.locator(f".thumb[data-index='{index}']").click()
        large, (own,) = page.locator(".loupe").bounding_box(), boxes(page.locator(".thumb[aria-pressed=true]"))
        x, y = own["x"] + own["width"] / 2, own["y"] + own["height"] / 2
        assert large["width"] >= 40 and own["width"] < 20
        assert large["x"] <= x <= large["x"] + large["width"] and large["y"] <= y <= large["y"] + large["height"]
