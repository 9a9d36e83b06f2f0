"""What is taken away from a picture reads back as the numbers and the words that were on the screen."""

import html
import json
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image
from playwright.sync_api import Download, Page, expect

import attnviz as av
from attnviz import views
from attnviz.trace.model_protocol import Model
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation
from attnviz.views import Pick
from tests.browser.conftest import Watch, menu_item, ready, taken, update
from tests.browser.dashboard import CAT, DOG, exact_head, settle, show, text_box, wait_for_link

HOSTILE = "</script><img src=x onerror=alert(1)> =1+1 ]]>"
SVG = "{http://www.w3.org/2000/svg}"
HOSTS = Path(views.__file__).with_name("hosts")


TOLD = ".home .stage:not([data-told='waits'])"  # once the numbers of the story are here


def facts_of(saved: Download) -> dict[str, str]:
    """What an SVG or PNG says of itself."""
    if saved.suggested_filename.endswith(".svg"):
        return json.loads(drawn_in(saved).find(f"{SVG}metadata").text)  # type: ignore[union-attr, arg-type]
    with Image.open(saved.path()) as picture:
        return json.loads(picture.text["AttnViz"])  # type: ignore[attr-defined]


def sheets(page: Page) -> int:
    """How many sheets of paper the page takes."""
    page.emulate_media(media="null")  # as it is on paper
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def empty_pages(pdf: bytes) -> list[int]:
    """The pages of a PDF, from 1, on which nothing is written."""
    pages = re.findall(rb"<</Type\s*/Page\n.*?endobj", pdf, re.DOTALL)
    return [at for at, page in enumerate(pages, 1) if b"/Font" not in page]


def drawn_in(saved: Download) -> ElementTree.Element:
    return ElementTree.parse(saved.path()).getroot()


def words_in(saved: Download) -> list[str]:
    return ["".join(node.itertext()) for node in drawn_in(saved).iter(f"{SVG}text")]


def test_a_head_leaves_as_pictures_and_tables_with_the_same_numbers(draw, minilm: Model) -> None:
    trace = minilm.trace(CAT)
    weights = trace["encoder.5.self"].weights(11)
    page = draw(views.heads(trace, Pick(5, 11, 8)))
    saved = taken(page, "CSV", ".detail")
    assert saved.suggested_filename == "head-6.12.csv"
    table = pd.read_csv(saved.path(), index_col=0)
    assert torch.equal(torch.tensor(table.iloc[:, :13].to_numpy(np.float32)), weights)
    assert table.iloc[0][["sentence", "place"]].tolist() == [CAT, 6.12]
    assert trace.card.revision in table.iloc[0]["model"]
    said = json.loads(taken(page, "JSON", ".detail").path().read_text(encoding="utf-8"))
    assert torch.equal(torch.tensor([row[1:] for row in said["rows"]]), weights) and said["sentence"] == CAT

    drawn = taken(page, "SVG", ".detail")
    assert words_in(drawn).count("because") == 2 and "71%" in words_in(drawn)  # its row and its column, as text
    assert facts_of(drawn)["place"] == "6.12" and "Layer 6, head 12" in words_in(drawn)[-8:]  # no two ways to count
    ribbons = [node.get("d") for node in drawn_in(drawn).iter(f"{SVG}path")]
    assert len(ribbons) >= int((weights >= 0.03).sum())  # lines are lines
    painted = taken(page, "PNG", ".detail")
    for saved in (drawn, painted):
        assert facts_of(saved)["sentence"] == CAT and trace.card.revision in facts_of(saved)["model"]
    width = float(drawn_in(drawn).get("width", ""))
    with Image.open(painted.path()) as picture:
        assert picture.width == 2 * width and picture.getpixel((2, 2))[:3] == (255, 255, 255)
    menu_item(page, "PNG", ".detail")
    page.get_by_label("dark").check()
    with Image.open(taken(page, "PNG").path()) as picture:
        assert sum(picture.getpixel((2, 2))[:3]) < 120

    page.keyboard.press("3")  # as text, no taller than its words
    assert float(drawn_in(taken(page, "SVG", ".detail")).get("height", "")) < 600
    page.keyboard.press("4")  # as features, whose bars are as long as the weights
    each = [rect.attrib for rect in drawn_in(taken(page, "SVG", ".detail")).iter(f"{SVG}rect")]
    bars = np.array([float(rect["width"]) for rect in each if rect["height"] == "5"])  # the ground of each, and the bar
    assert np.allclose(bars[1::2] / bars[::2], weights[8], atol=1e-3)

    of_all = words_in(taken(page, "SVG", ".overview"))
    assert ("0", "1") in pairwise(of_all)  # the ends of its scale, which the screen has once
    table = pd.read_csv(taken(page, "CSV", ".overview").path()).set_index(["layer (from 1)", "head (from 1)"])
    assert table["over"].iloc[0].startswith("Measured on This text · ")  # and which measure the bars are
    found = av.head_metrics(trace).set_index(["site", "head"])
    for at in ((0, 2), (5, 11)):
        expected = found.loc[(f"encoder.{at[0]}.self", at[1])]
        assert table.loc[at[0] + 1, at[1] + 1]["entropy"] == pytest.approx(expected["entropy"], rel=1e-6)


def test_weights_from_elsewhere_are_named_without_a_revision_and_hostile_tokens_stay_text(draw) -> None:
    page = draw(views.heads(av.Trace.from_arrays(torch.eye(3)[None, None], ["مرحبا", HOSTILE, "=1+1"])))
    saved = taken(page, "SVG", ".detail")
    assert facts_of(saved)["model"] == "your weights (your-weights)" and HOSTILE in facts_of(saved)["sentence"]
    assert {"مرحبا", "=1+1"} <= set(words_in(saved))
    assert not {node.tag.removeprefix(SVG) for node in drawn_in(saved).iter()} & {"script", "img", "iframe"}
    assert "\n'=1+1," in taken(page, "CSV", ".detail").path().read_text(encoding="utf-8-sig")


def test_a_comparison_and_a_training_leave_with_their_numbers(draw, minilm: Model) -> None:
    found = av.compare(minilm.trace(CAT), minilm.trace(CAT))
    page = draw(views.compare(found))
    page.locator(".doors button", has_text="All heads, A by B").click()
    table = pd.read_csv(taken(page, "CSV", ".doorroom").path(), index_col=0)
    assert np.allclose(table.iloc[:, :72].to_numpy(float), found.similarity.js, atol=1e-6)
    assert table["over"].iloc[0] == "On this text alone"
    assert len(words_in(taken(page, "SVG", ".pairmap"))) > len(found.units)
    page.locator(".doors button", has_text="Map of all heads").click()
    legend = page.locator(".doorroom .kindlist")
    before = legend.bounding_box()
    assert "Line: partners, one to one" in words_in(taken(page, "SVG", ".doorroom"))  # a map has its legend
    assert legend.bounding_box() == before

    run = head_formation(FOLDER / "induction", "b f c d p i h b f c d p")
    page = draw(views.training([run]))
    curves = pd.read_csv(taken(page, "CSV").path(), keep_default_na=False)
    outlined = re.findall(r'<text[^>]* stroke="rgb[^>]*>', taken(page, "SVG").path().read_text(encoding="utf-8"))
    assert outlined and all('paint-order="stroke' in text for text in outlined)  # else the outline hides the letters
    losses, log = curves[curves["name"] == "loss"], {point.step: point.loss for point in run.log}
    assert {0, run.log[-1].step} <= set(losses["step"])  # as many points as the picture has
    assert np.allclose(losses["value"].astype(float), [log[step] for step in losses["step"]], rtol=1e-6)
    smooth = curves[curves["name"] == "loss, smoothed"].iloc[-1]
    near = [point.loss for point in run.log if point.step + 1 >= (run.log[-1].step + 1) / 2**0.125]
    assert float(smooth["value"]) == pytest.approx(sum(near) / len(near), rel=1e-5)  # as the screen says
    right = [(point.step, point.accuracy["sentences"]) for point in run.log if "sentences" in point.accuracy]
    own = curves[curves["name"] == f"{run.n_examples} new texts: symbols right"]
    assert np.allclose(own[["step", "value"]].astype(float), right)
    last = curves[(curves["name"] == "induction") & (curves["step"] == run.checkpoints[-1])]
    expected = run.scores[run.answers.index("induction"), -1]
    assert last["head (from 1)"].tolist() == ["1.1", "1.2", "2.1", "2.2"]  # as on the screen
    assert np.allclose(last["value"].astype(float), expected.reshape(-1), atol=1e-6)
    maps = pd.read_csv(taken(page, "CSV", ".overview").path(), index_col=[0, 1])
    assert np.allclose(maps[str(run.checkpoints[-1])].to_numpy(), run.weights[-1].reshape(-1), atol=1e-6)


LINES = """(element) => {
    const lines = [], range = document.createRange(), [node] = element.childNodes;
    for (let at = 0; at < node.length; at++) {
        range.setStart(node, at), range.setEnd(node, at + 1);
        const {top} = range.getBoundingClientRect();
        if (top !== lines.at(-1)?.top) lines.push({top, text: ''});
        lines.at(-1).text += node.data[at];
    }
    return lines.map(({text}) => text.trim());
}"""


def test_compare_on_paper_has_its_lines_and_tables_and_no_controls(page_for, watch) -> None:
    page = page_for("compare?model=minilm-l6", locale="zh-CN", theme="dark")
    paper, screen = page.locator(".av-paper"), page.locator(".stDataFrame")
    expect(paper).to_have_count(2)
    page.locator(".doors button").first.click()  # the heads that differ most
    lines = page.locator(".verdictline").evaluate(LINES)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    drawn = page.locator(".sheets text").all_text_contents()
    assert len(lines) > 1 and all(line in drawn for line in lines)  # Chinese breaks inside words
    page.emulate_media(media="print", color_scheme="dark")
    expect(paper.locator("tr:visible")).to_have_count(2 * 13)
    expect(paper.first).to_contain_text("72 个头中的前 12 个")
    expect(screen.locator("visible=true")).to_have_count(0)
    expect(page.locator(".st-key-compare-effect-start")).to_be_hidden()


def test_a_step_leaves_as_a_picture_and_the_walk_as_a_sheet_a_step_with_its_place_and_link(page_for):
    page = page_for("step?lang=zh-CN&model=translate-zh-en", theme="dark")
    wait_for_link(page, matrix="tokens")
    before = page.evaluate("location.href")  # `page.url` may lag behind
    drawn = words_in(taken(page, "SVG", ".stage"))
    assert "查出每个词元 · 编码器第 1 层 · 头 1" in drawn and any(it.startswith("中文 → 英文") for it in drawn)
    assert {"她", "昨天"} <= set(drawn) and not [it for it in drawn if it.startswith(("播放", "前进"))]
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    facts = [json.loads(text) for text in page.locator(".sheets metadata").all_text_contents()]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert {" ".join(it["place"].split()[:3]) for it in facts} == {"self encoder 1.1"}
    links = [it["link"] for it in facts]
    steps = [parse_qs(urlsplit(link).query)["matrix"][0] for link in links]
    assert len(steps) == len(set(steps)) == sheets(page) > 6
    expect(page.locator(".stepper[data-theme=dark]:not(:has(.sheets))")).to_have_count(1)  # the screen is as it was
    assert page.evaluate("location.href") == before and urlsplit(before).netloc not in "".join(
        drawn
    )  # no paper names this machine alone
    page.goto(urljoin(before, links[3]))
    expect(page.locator(f".stepper[data-step='{steps[3]}']")).to_be_visible()


@pytest.mark.parametrize(("address", "network", "shared"), [
    ("http://localhost:8501/heads?text=a%20b&head=3", "192.0.2.7", "http://192.0.2.7:8501/heads?text=a%20b&head=3"),
    ("http://[::1]:8501/heads?text=a", "", "/heads?text=a"), ("http://127.0.0.1/lab/step", "localhost", "/lab/step"),
    ("https://school.example/heads?text=a", "192.0.2.7", "https://school.example/heads?text=a"),
])  # fmt: skip
def test_the_link_in_a_file_has_this_machines_name_in_its_network_or_no_machine(chromium, address, network, shared):
    properties, link = ((HOSTS / name).read_text(encoding="utf-8") for name in ("properties.js", "link.js"))
    module = properties + re.sub(r"^import .*$", "", link, flags=re.MULTILINE)
    page = chromium.new_page()
    said = page.evaluate(
        "async ([code, ...said]) => (await import(`data:text/javascript,${encodeURIComponent(code)}`)).shared(...said)",
        [module, address, network],
    )
    page.close()
    assert said == shared


def test_a_file_of_svg_has_our_fonts_and_names_those_for_chinese(page_for):
    for language, name in (("zh-CN", "Microsoft YaHei"), ("zh-TW", "Microsoft JhengHei")):
        page = page_for(f"heads?lang={language}&model=minilm-l6")
        drawn = drawn_in(taken(page, "SVG", ".detail"))
        assert drawn.get("{http://www.w3.org/XML/1998/namespace}lang") == language
        faces = re.findall(r"@font-face[^}]*", drawn.findtext(f"{SVG}style", ""))
        assert len(faces) == 1 and "Inter" in faces[0] and 'url("data:' in faces[0]  # the one that its text names
        assert all(name in node.get("font-family", "") for node in drawn.iter(f"{SVG}text"))


def test_a_link_a_file_and_a_trace_lead_back_to_the_same_screen(page_for, chromium, minilm):
    page = page_for("heads", permissions=["clipboard-read", "clipboard-write"])
    show(page, DOG)
    expect(page.get_by_role("button", name="204 sentences")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".overview .kinds")).to_contain_text("Broad")
    kinds = page.locator(".overview .kinds").inner_text()
    page.locator(".grid button").nth(3 * 12 + 1).click()
    exact_head(page, 4, 2)
    page.locator(".query").nth(2).click()
    wait_for_link(page, layer="4", head="2", token="3")
    reading = page.locator(".reading").inner_text()
    link = facts_of(taken(page, "SVG", ".detail"))["link"]
    page.locator(".st-key-link button:not(.skip)").click()
    expect(page.locator(".st-key-link button:not(.skip)")).to_have_text("Copied")
    assert link.startswith("/heads?")  # a file that leaves names no machine that it would not find
    assert urljoin(page.url, link) == page.url == page.evaluate("navigator.clipboard.readText()")
    loaded = av.Trace.load(taken(page, "Trace", ".detail").path())
    assert loaded.facts["link"] == link and loaded.facts["place"] == "4.2"
    own = minilm.trace(DOG)["encoder.3.self"].weights(1)
    torch.testing.assert_close(loaded["encoder.3.self"].weights(1), own)  # the server has threads of its own

    saved = taken(page, "HTML", ".detail").path()
    head = saved.read_text(encoding="utf-8").partition("<style>")[0]
    assert link in html.unescape(head) and f"<title>{DOG}</title>" in html.unescape(head)
    alone = chromium.new_page(offline=True)
    alone.set_content(saved.read_text(encoding="utf-8"))
    ready(alone)
    expect(alone.locator("[data-head='3.1'][data-exact]")).to_be_visible()
    assert alone.locator(".reading").inner_text() == reading
    assert alone.locator(".overview .kinds").inner_text() == kinds  # of the same sentences, and it says of which
    expect(alone.get_by_role("button", name="204 sentences")).to_be_visible()
    expect(alone.get_by_role("button", name="This text")).to_be_hidden()
    alone.locator(".grid button").nth(0).click()
    expect(alone.locator("[data-head='0.0'][data-exact]")).to_be_visible()  # the numbers of every head are in it
    alone.close()

    other = page_for(link.removeprefix("/"))  # in another browser
    exact_head(other, 4, 2)
    assert other.locator(".reading").inner_text() == reading
    expect(text_box(other)).to_have_value(DOG)
    assert urlsplit(other.url).path == "/heads"


def test_a_menu_that_is_open_while_another_picture_comes_takes_that_one_away(draw, minilm: Model) -> None:
    traces = minilm.trace(CAT), minilm.trace(DOG)
    page = draw(views.heads(traces[0], Pick(5, 11, 8)))
    item = menu_item(page, "CSV", ".detail")
    update(page, views.heads(traces[1], Pick(5, 11, 8)))
    expect(page.locator(".takemenu:popover-open")).to_have_count(1)
    with page.expect_download() as download:
        item.click()
    assert pd.read_csv(download.value.path(), index_col=0)["sentence"].iloc[0] == DOG


def test_a_trace_that_was_saved_comes_back_on_compare_and_no_other_file_does(page_for, tmp_path: Path) -> None:
    page = page_for(
        "compare",
        query={
            "model": "minilm-l6",
            "model2": "untrained:minilm-l6",
            "text": CAT,
            "layer": "3",
            "head": "2",
            "layer2": "5",
            "head2": "7",
        },
    )
    path = tmp_path / "mine.safetensors"
    taken(page, "Trace A").save_as(path)
    facts = av.Trace.load(path).facts
    assert (
        facts["place"] == "A 3.2" and "Untrained" not in facts["model"] and urljoin(page.url, facts["link"]) == page.url
    )
    page.get_by_role("button", name="Trace file").click()
    place, opens = page.locator(".st-key-compare-bring"), "Only a saved trace can be opened here"
    bring = place.locator("input[type=file]").nth(1)
    for name, size, said in (
        ("a.safetensors", 9, "is truncated or not a trace"), ("a.txt", 9, opens), ("b.safetensors", 17 << 20, opens),
    ):  # fmt: skip
        (tmp_path / name).write_bytes(b"x" * size)
        bring.set_input_files(tmp_path / name)
        expect(place.locator("[role=alert]:visible").filter(has_text=said)).to_have_count(1)
        for bad in place.get_by_role("button", name=name).all():  # it makes room again
            bad.click()
        expect(place.locator("[role=alert]:visible")).to_have_count(0)
        expect(place.get_by_text("Error")).to_have_count(0)
    bring.set_input_files(path)
    expect(page.locator(".first")).to_have_text("All 72 heads agree.")
    wait_for_link(page, layer="3", head="2", layer2="3", head2="2")  # the head it was saved at, on both sides


@pytest.mark.parametrize(("path", "query"), [
    ("", {}), ("heads", {}), ("step", {}), ("step", {"tab": "block"}), ("compare", {}), ("train", {"task": "poems-zh"}),
    ("byhand", {}), ("lessons", {"lesson": "1", "step": "4"}), ("teaching", {}),
])  # fmt: skip
def test_no_sheet_of_a_handout_is_empty(page_for, path, query):
    page = page_for(path, query=query, locale="zh-CN", size=(1366, 768), wait=path != "teaching")
    if path == "teaching":
        expect(page.locator(".st-key-teaching-limits")).to_be_visible()  # the last section
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.emulate_media(media="null")
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"<</Type\s*/Page\n", pdf)) > 0
    assert empty_pages(pdf) == []


def test_a_sheet_of_home_says_which_head_it_is_about(page_for):
    page = page_for("")
    expect(page.locator(TOLD)).to_have_count(1)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    titles = page.locator(".home .sheets > svg > title").all_text_contents()
    assert titles
    about = [bool(re.search(r" · Layer \d+, head \d+$", title)) for title in titles]
    assert about == [not title.startswith("Switch it off") for title in titles]  # which is of several
    page.evaluate("dispatchEvent(new Event('afterprint'))")


COUNTED = re.compile(r"(layer|head|row|column)\b(?! \(from 1\)).*(?<!\(counted from 1\))")


@pytest.mark.parametrize(("path", "query", "place"), [
    ("heads", {"text": HOSTILE, "layer": "3", "head": "2"}, "3.2"),
    ("compare", {"text": HOSTILE, "layer": "3", "head": "2", "layer2": "5", "head2": "7"}, "A 3.2 – B 5.7"),
    ("step", {"model": "translate-en-zh", "tab": "decoder", "part": "cross", "layer": "2", "head": "6",
              "matrix": "weights.2", "token": "1", "key": "1"},
     "decoder cross 2.6"),
    ("train", {"update": "4000", "layer": "2", "head": "1", "token": "1", "key": "1"}, "Layer 2, head 1"),
    ("", {}, "6.12"),
])  # fmt: skip
def test_files_of_a_page_count_places_from_1_and_the_page_as_a_file_draws_itself_with_its_texts_as_text(
    page_for, chromium, tmp_path, path, query, place
):
    page = page_for(path, query=query)
    menus = page.locator("button.take:visible")
    expect(menus.first).to_be_visible()
    expect(page.locator(".attnviz:is(.heads, .compare):not([data-exact]), .kinds .coming")).to_have_count(0)
    expect(page.locator(TOLD)).to_have_count(1 if path == "" else 0)
    if path not in ("compare", "step"):
        scenes = page.locator(".home .rail button").count() or 1  # Home prints a sheet for each
        below = 1 if path == "" else 0  # what stands below has one of its own where the last has no room for it
        assert scenes <= sheets(page) <= scenes + below
    for at in range(menus.count()):
        menus.nth(at).click()
        saved = json.loads(taken(page, "JSON").path().read_text(encoding="utf-8"))
        assert place in saved["place"]
        assert not [name for name in saved["columns"] if COUNTED.fullmatch(name) or "from 0" in name]
        counted = [i for i, name in enumerate(saved["columns"]) if name.endswith("(from 1)")]
        assert not [row for row in saved["rows"] for i in counted if str(row[i]).startswith("0")]

    file = tmp_path / "saved.html"
    taken(page, "HTML").save_as(file)
    alone = chromium.new_page(offline=True)  # under the policy of the file itself
    hears = Watch(host="")
    hears.follow(alone)
    alone.goto(file.as_uri())
    ready(alone)
    if HOSTILE in query.values():
        expect(alone.locator("main")).to_contain_text("onerror" if path == "compare" else "one")
        expect(alone.locator("main")).to_contain_text("<")
        assert alone.locator("img, main script").count() == 0
    assert (hears.errors, hears.dialogs) == ([], [])
    alone.close()


def test_a_picture_of_the_story_has_our_fonts_from_the_first_on_and_the_story_stays(page_for):
    page = page_for("", query={"model": "minilm-l6", "text": "The capital of France is", "scene": "3"})
    expect(page.locator(TOLD)).to_have_count(1)
    title = page.locator(".home h2").inner_text()
    first, second = (Path(taken(page, "PNG").path()).read_bytes() for _ in range(2))
    assert first == second
    wait_for_link(page, scene="3")
    settle(page)
    expect(page.locator(".home h2")).to_have_text(title)
