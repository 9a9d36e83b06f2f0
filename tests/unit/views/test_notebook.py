"""Runs show themselves in notebooks: each picture in a frame of its own, and a widget whose selection Python hears."""

import html
import re
import webbrowser
from pathlib import Path

import pytest

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.text import strings

pytestmark = pytest.mark.usefixtures("one_thread")

HOSTILE = '</script></iframe><img src=x onerror=alert(1)>"'
SHOWN = {
    "trace": lambda t: t,
    "heads": lambda t: t.heads(way="heatmap"),
    "step": lambda t: t.step("self", head=1),
    "step of cross-attention": lambda t: t.step(site="decoder.0.cross"),
    "step of the decoder": lambda t: t.step("decoder"),
    "comparison": lambda t: t.compare(av.load("reverse").trace("a b d")),
    "hostile text": lambda _: av.load("minilm-l6").trace(HOSTILE),
}


@pytest.fixture(scope="module")
def small() -> av.Trace:
    return av.load("reverse").trace("a b c")


@pytest.mark.parametrize("case", list(SHOWN))
def test_what_is_shown_is_a_page_in_a_frame_with_a_sentence_behind_it(case: str, small: av.Trace) -> None:
    shown = SHOWN[case](small)._repr_html_()
    outside, page = re.fullmatch(r'(.*?srcdoc=)"([^"]*)".*</iframe></div>', shown, re.DOTALL).groups()
    assert strings("en")("notebook-stripped") in html.unescape(outside)
    assert "id=" not in outside  # nothing that a second one could meet
    assert "absolute" not in outside  # out of the flow it was cut where the frame was stripped
    page = html.unescape(page)
    assert page.startswith("<!doctype html>") and "default-src 'none'" in page
    assert shown.count("<iframe") == shown.count("</iframe>") == 1 and "<img" not in shown and "<script" not in shown


def test_show_opens_the_page_in_the_browser(small: av.Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    for shown in (small, small.heads(), small.compare(small)):
        path = shown.show()
        assert opened.pop() == path.as_uri() and path.read_text().startswith("<!doctype html>")


def test_a_widget_gives_and_takes_the_selection(small: av.Trace) -> None:
    w, heard = small.widget(), []
    w.observe(lambda change: heard.append(change["new"]["head"]), "selection")
    assert (w.selection["layer"], w.selection["head"]) == (0, 1)
    w.selection = {**w.selection, "head": 0}
    assert heard == [0]
    with pytest.raises(InputError, match="There is no head 9"):
        w.selection = {"layer": 0, "head": 9}
    w.selection = {"token": 2}
    assert (w.selection["head"], w.selection["token"]) == (0, 2)  # what is not said stays
    pair = small.compare(small).widget()
    with pytest.raises(InputError, match="layer_a=9"):
        pair.selection = {"a": [9, 0]}
    assert {"page", "selection", "title"} <= set(w.traits(sync=True)) and w.page == small.heads().html()


def test_a_page_is_written_to_a_path_with_home(small: av.Trace, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert small.heads().to_html("~/a.html") == tmp_path / "a.html"
