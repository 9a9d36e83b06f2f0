"""The frame between Python and the browser, and the file that needs neither a server nor the network."""

import base64
import hashlib
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from attnviz.views import html
from attnviz.views.pack import amended, pack, unpack
from attnviz.views.view import View


def test_a_frame_gives_its_header_and_arrays_back() -> None:
    arrays = {
        "maps": np.arange(6, dtype=np.uint8).reshape(2, 3),
        "keys": np.array([1, 65535], dtype=np.uint16),
        "head": np.array([[0.1, 0.9]], dtype=np.float32),
        "none": np.zeros((0, 4), dtype=np.float32),
    }
    header, back = unpack(pack({"view": "heads", "text": "猫 </script>"}, arrays))
    assert (header["v"], header["view"], header["text"]) == (1, "heads", "猫 </script>")
    assert back.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array, strict=True)


def test_other_dtypes_are_refused_with_what_to_do() -> None:
    with pytest.raises(TypeError, match=r"'a' is float64; expected one of uint8, uint16, uint32, float32\. Convert"):
        pack({}, {"a": np.ones(2)})


def test_the_page_forbids_every_request_and_allows_its_own_script_and_style_only() -> None:
    page = html.standalone("heads", pack({}, {}), "<b>title</b>")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    script = re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy and script and style
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1] and "connect-src" not in policy[1]
    for text in (script[1], style[1]):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy[1]
    assert "<title>&lt;b&gt;title&lt;/b&gt;</title>" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)


def test_the_page_carries_the_payload_deflated() -> None:
    payload = pack({"text": "</script><img src=x onerror=alert(1)>"}, {})
    page = View("heads", payload, "r").html()
    block = re.search(r'id="payload">([A-Za-z0-9+/=]*)</script>', page)
    assert block and zlib.decompress(base64.b64decode(block[1])) == payload
    assert "onerror" not in page


def test_a_file_holds_the_bytes_of_each_array_byte_shuffled() -> None:
    payload = pack({"text": "a"}, {"a": np.array([1, 258, 3], np.uint16), "b": np.arange(4, dtype=np.uint8)})
    header, arrays = unpack(html.byte_shuffled(payload))
    assert header == unpack(payload)[0]
    assert arrays["a"].tobytes() == bytes([1, 2, 3, 0, 1, 0]) and arrays["b"].tolist() == [0, 1, 2, 3]


def test_a_module_that_cannot_be_inlined_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.js").write_text("import thing from './other.js';\n")
    monkeypatch.setattr(html, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"odd\.js: \"import thing from './other\.js';\" cannot be inlined"):
        html._module("odd.js", {})


def test_views_never_parse_text_as_markup() -> None:
    parses = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(")
    assert [path.name for path in html.FOLDER.rglob("*.js") if parses.search(path.read_text())] == []


@pytest.mark.parametrize("number", [1, 1_764_000_000_000])
def test_more_in_the_header_of_a_frame_moves_no_array(number: int) -> None:
    for text in ("", "a", "ab", "猫 {", "abcdefg"):
        arrays = {"a": np.ones(3, np.uint8), "b": np.arange(5, dtype=np.float32)}
        payload = pack({"text": text}, arrays)
        more = amended(payload, heard=number)
        header, back = unpack(more)
        assert header == {**unpack(payload)[0], "heard": number}
        assert len(more) % 8 == len(payload) % 8
        for name, array in arrays.items():
            np.testing.assert_array_equal(back[name], array, strict=True)
