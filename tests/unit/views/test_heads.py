"""The numbers a heads view receives are the trace's: float32 exactly, 8 bits within their step, pooled by maximum."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz import views
from attnviz.core.masks import Mask
from attnviz.core.site import Site
from attnviz.text import strings
from attnviz.trace.records import AttentionRecord
from attnviz.trace.sources import Kept
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace
from attnviz.views.heads import numbers, revision_of
from attnviz.views.heads.numbers import quantise
from attnviz.views.heads.parts import parts_of
from attnviz.views.heads.tokens import token_rows
from attnviz.views.html import FOLDER
from attnviz.views.pack import unpack

CAT = "The cat sat on the mat because it was tired."
LONG = " ".join(["river"] * 100)


@pytest.fixture(scope="module")
def trace(minilm) -> Callable[[str], Trace]:
    known: dict[str, Trace] = {}
    return lambda text: known.setdefault(text, minilm.trace(text))


def test_colours_of_every_head_are_within_half_a_step_of_the_weights(trace) -> None:
    cat = trace(CAT)
    _, arrays = unpack(views.heads(cat).payload)
    assert arrays["maps"].shape == (6, 12, 13, 13)
    for layer in range(6):
        weights = cat[f"encoder.{layer}.self"].weights()  # [H, T, T]
        error = np.abs(arrays["maps"][layer] / 255 - weights.sqrt().numpy())
        assert error.max() <= 0.5 / 255 + 1e-6


def test_eight_bits_round_the_square_root() -> None:
    weights = torch.tensor([0.0, 1.0, 0.25, 0.0001, 1.0000001])
    assert quantise(weights).tolist() == [0, 255, 128, 3, 255]


def test_the_picked_head_travels_exactly(trace) -> None:
    cat = trace(CAT)
    _, arrays = unpack(views.heads(cat, views.Pick(2, 9)).payload)
    assert torch.equal(torch.from_numpy(arrays["head"].copy()), cat["encoder.2.self"].weights(9))


def test_the_reading_of_the_mock_up_comes_out_of_the_real_numbers(trace) -> None:
    header, arrays = unpack(views.heads(trace(CAT), views.Pick(5, 11, 8)).payload)
    texts = [token["text"] for token in header["tokens"]["source"]]
    row = arrays["head"][8]
    largest = np.argsort(-row)[:3]
    assert texts[8] == "it"
    assert [(texts[key], round(float(row[key]) * 100)) for key in largest] == [("cat", 71), ("mat", 10), ("[CLS]", 9)]
    assert round(float(arrays["head"][:, 2].mean()) * 100) == 64


def test_another_head_travels_alone_and_belongs_to_the_same_picture(trace) -> None:
    cat = trace(CAT)
    whole, alone = views.heads(cat), views.exact(cat, 2, 9)
    header, arrays = unpack(alone.payload)
    assert (header["view"], header["layer"], header["head"]) == ("exact", 2, 9)
    assert header["group"] == header["revision"] == whole.revision
    assert torch.equal(torch.from_numpy(arrays["head"].copy()), cat["encoder.2.self"].weights(9))
    assert len(alone.payload) < 2_000


def test_above_64_tokens_maps_are_pooled_by_maximum(trace) -> None:
    long = trace(LONG)
    n = len(long.tokens.source)
    _, arrays = unpack(views.heads(long).payload)
    assert arrays["maps"].shape == (6, 12, 64, 64)
    weights = long["encoder.3.self"].weights(4).sqrt()  # [T, T]
    edges = [(i * n // 64, -(-(i + 1) * n // 64)) for i in range(64)]
    pooled = torch.stack([torch.stack([weights[a:b, c:d].max() for c, d in edges]) for a, b in edges])  # [64, 64]
    assert np.abs(arrays["maps"][3, 4] / 255 - pooled.numpy()).max() <= 0.5 / 255 + 1e-6
    assert arrays["head"].shape == (n, n)


def test_the_thumbnails_of_thousands_of_heads_are_pooled_to_what_may_travel(trace, monkeypatch) -> None:
    cat = trace(CAT)
    monkeypatch.setattr(numbers, "MAP_BYTES", 72 * 10 * 10)
    _, arrays = unpack(views.heads(cat).payload)
    assert arrays["maps"].shape == (6, 12, 10, 10)
    assert arrays["maps"][2, 9].max() == quantise(cat["encoder.2.self"].weights(9)).max()
    assert arrays["head"].shape == (13, 13)


def test_above_256_tokens_a_head_travels_as_its_largest_weights() -> None:
    weights = torch.softmax(torch.randn(300, 300, generator=torch.Generator().manual_seed(0)) * 2, -1)  # [T_q, T_k]
    long = _trace_of(weights)
    _, arrays = unpack(views.heads(long, views.Pick(0, 0, 3)).payload)
    assert "head" not in arrays
    assert arrays["top_keys"].shape == arrays["top_weights"].shape == (300, 32)
    kept = long["encoder.0.self"].weights(0)  # [T_q, T_k]
    keys = torch.from_numpy(arrays["top_keys"].astype(np.int64))  # [T_q, 32]
    assert torch.equal(kept.gather(1, keys), torch.from_numpy(arrays["top_weights"].copy()))
    assert torch.equal(kept.sort(descending=True).values[:, :32], torch.from_numpy(arrays["top_weights"].copy()))
    torch.testing.assert_close(torch.from_numpy(arrays["received"].copy()), kept.mean(0), rtol=0, atol=1e-7)
    special = [i for i, is_special in enumerate(long.tokens.source.special) if is_special and i > 0]
    aside = torch.stack([kept[:, 0], kept[:, special].sum(-1)], dim=-1)  # [T_q, 2]
    torch.testing.assert_close(torch.from_numpy(arrays["aside"].copy()), aside, rtol=0, atol=1e-7)


def test_the_payload_at_64_tokens_stays_under_its_limit(trace) -> None:
    text = " ".join(["river"] * 62)
    assert len(trace(text).tokens.source) == 64
    assert len(views.heads(trace(text)).payload) <= 600_000


def test_the_revision_follows_the_numbers_and_nothing_else(trace) -> None:
    cat, other = trace(CAT), trace(LONG)
    first = views.heads(cat).revision
    assert views.heads(cat, views.Pick(1, 1, 1), lang="zh-CN", size="projector").revision == first
    assert views.heads(other).revision != first


def test_a_picture_says_whether_the_head_before_it_stays(trace) -> None:
    alone, kept = views.heads(trace(CAT)), views.heads(trace(CAT), keeps_head=True)
    assert unpack(alone.payload)[0]["keeps_head"] is False
    assert unpack(kept.payload)[0]["keeps_head"] is True
    assert kept.revision == alone.revision == revision_of(trace(CAT))


def test_the_same_selection_gives_the_same_bytes(trace) -> None:
    assert views.heads(trace(CAT), views.Pick(1, 2, 3)).payload == views.heads(trace(CAT), views.Pick(1, 2, 3)).payload


def test_a_selection_outside_the_model_is_clamped(trace) -> None:
    header, _ = unpack(views.heads(trace(CAT), views.Pick(99, 99, 99)).payload)
    assert header["selection"].items() >= {"layer": 5, "head": 11, "token": 12, "released": False, "key": None}.items()


def test_a_released_token_stays_released(trace) -> None:
    header, _ = unpack(views.heads(trace(CAT), views.Pick(2, 9, released=True)).payload)
    assert header["selection"].items() >= {"layer": 2, "head": 9, "token": None, "released": True, "key": None}.items()


def test_a_pinned_column_takes_the_place_of_a_pinned_row(trace) -> None:
    header, _ = unpack(views.heads(trace(CAT), views.Pick(2, 9, 4, released=True, key=99)).payload)
    assert header["selection"].items() >= {"layer": 2, "head": 9, "token": None, "released": False, "key": 12}.items()


def test_no_column_is_pinned_where_columns_do_not_travel() -> None:
    long = _trace_of(torch.eye(300))
    header, _ = unpack(views.heads(long, views.Pick(0, 0, 3, key=7)).payload)
    assert (header["selection"]["token"], header["selection"]["key"]) == (3, None)


def test_a_token_is_always_picked_and_it_is_a_word(trace) -> None:
    header, _ = unpack(views.heads(trace(CAT)).payload)
    token = header["tokens"]["source"][header["selection"]["token"]]
    assert token["text"].isalpha() and "special" not in token


def test_unknown_tokens_are_said_before_anything_else(trace) -> None:
    chinese = trace("猫坐在垫子上，因为它累了。")
    header, _ = unpack(views.heads(chinese, lang="zh-TW").payload)
    assert header["notice"] == strings("zh-TW")("unknown-tokens", unknown=9, total=13)
    assert unpack(views.heads(trace(CAT)).payload)[0]["notice"] is None


def test_tokens_carry_what_is_shown_and_how_they_are_marked() -> None:
    tokens = Tokens(
        text=("[CLS]", "the", "token", "ization", "猫", "the", "[SEP]"),
        ids=(1, 2, 3, 4, 5, 2, 6),
        special=(True, False, False, False, False, False, True),
        unknown=(False, False, False, False, True, False, False),
        spans=((0, 0), (0, 3), (4, 9), (9, 16), (17, 18), (19, 22), (0, 0)),
        words=(-1, 0, 1, 1, 2, 3, -1),
        source="the tokenization 猫 the",
        pieces=("[CLS]", "the", "token", "##ization", "[UNK]", "the", "[SEP]"),
    )
    assert token_rows(tokens) == [
        {"text": "[CLS]", "word": -1, "special": True},
        {"text": "the", "word": 0, "n": 1},
        {"text": "token", "word": 1, "space": 1},
        {"text": "ization", "word": 1, "continues": True},
        {"text": "猫", "word": 2, "unknown": True, "read": "[UNK]", "space": 1},
        {"text": "the", "word": 3, "n": 2, "space": 1},
        {"text": "[SEP]", "word": -1, "special": True},
    ]


def test_the_end_of_a_line_travels_with_the_token_after_it() -> None:
    tokens = Tokens.plain(("one", "two", "three"))
    text = "one\ntwo three"
    rows = token_rows(replace(tokens, source=text))
    assert [row.get("space") for row in rows] == [None, 2, 1]


def test_a_blank_inside_a_span_stands_before_its_token_as_gpt2_has_it() -> None:
    tokens = replace(Tokens.plain(("The", "Ġcat")), source="The cat", spans=((0, 3), (3, 7)))
    assert [row.get("space") for row in token_rows(tokens)] == [None, 1]


def test_a_file_carries_the_numbers_of_every_head(trace, tmp_path: Path) -> None:
    cat = trace(CAT)
    view = views.heads(cat)
    assert view.complete is not None
    _, arrays = unpack(view.complete())
    assert torch.equal(torch.from_numpy(arrays["all"][4].copy()), cat["encoder.4.self"].weights())
    assert view.to_html(tmp_path / "heads.html").stat().st_size < 360_000


def test_a_file_of_a_long_text_carries_the_largest_of_every_head(trace) -> None:
    long = trace(LONG)
    view = views.heads(long)
    assert view.complete is not None
    _, arrays = unpack(view.complete())
    assert arrays["all_weights"].shape == (6, 12, 102, 20)
    weights = long["encoder.1.self"].weights(7)  # [T_q, T_k]
    largest = weights.sort(descending=True).values[:, :20]  # [T_q, 20]
    assert torch.equal(torch.from_numpy(arrays["all_weights"][1, 7].copy()), largest)
    assert len(view.html()) <= 3_000_000


def test_an_edited_run_is_another_picture_and_says_so(trace) -> None:
    cat = trace(CAT)
    edited = views.heads(replace(cat, edits=("head 3.1 silenced",)))
    assert unpack(edited.payload)[0]["model"]["edits"] == ["head 3.1 silenced"]
    assert edited.revision != views.heads(cat).revision


@pytest.mark.parametrize("lang", ["en", "zh-CN", "zh-TW"])
def test_every_message_the_view_asks_for_travels_with_it(trace, lang: str) -> None:
    asked = {
        id
        for path in [*(FOLDER / "heads").glob("*.js"), *(FOLDER / "kit").glob("*.js")]
        for id in re.findall(r"'(view-[a-z-]+)'", path.read_text())
    }
    header, _ = unpack(views.heads(trace(CAT), lang=lang).payload)
    assert asked and asked <= header["strings"].keys()
    assert all(header["strings"][id] for id in asked)


@pytest.fixture(scope="module")
def translated() -> Trace:
    """A run that reads one text and writes another of a different length."""
    return av.load("translate-en-zh").trace("She does not want to buy two books.")


def test_a_model_with_one_stack_has_one_part_and_others_have_three(trace, translated) -> None:
    assert parts_of(trace(CAT)) == ("encoder",)
    assert unpack(views.heads(trace(CAT)).payload)[0]["model"]["part"] is None
    assert parts_of(translated) == ("cross", "encoder", "decoder")


@pytest.mark.parametrize(("part", "site"), [("cross", "decoder.1.cross"), ("decoder", "decoder.1.self")])
def test_queries_and_keys_of_a_part_are_its_own_texts(translated, part: str, site: str) -> None:
    header, arrays = unpack(views.heads(translated, views.Pick(1, 2), part=part).payload)
    weights = translated[site].weights()  # [H, T_q, T_k]
    assert torch.equal(torch.from_numpy(arrays["head"].copy()), weights[2])
    error = np.abs(arrays["maps"][1] / 255 - weights.sqrt().numpy())
    assert error.max() <= 0.5 / 255 + 1e-6
    texts = {side: [token["text"] for token in rows] for side, rows in header["tokens"].items()}
    given = ["<start>", "她", "不", "想", "买", "两", "本", "书", "。"]
    read = ["She", "does", "not", "want", "to", "buy", "two", "books", "."]
    assert texts == ({"source": read, "target": given} if part == "cross" else {"source": given})
    assert header["model"]["part"] == part


def test_a_part_that_a_model_lacks_is_its_first_one(trace, translated) -> None:
    assert views.heads(trace(CAT), part="cross").payload == views.heads(trace(CAT)).payload
    assert unpack(views.heads(translated, part=None).payload)[0]["model"]["part"] == "cross"


def test_the_parts_of_a_run_are_pictures_of_their_own(translated) -> None:
    revisions = {views.heads(translated, part=part).revision for part in parts_of(translated)}
    assert len(revisions) == 3
    header, arrays = unpack(views.exact(translated, 0, 1, part="cross").payload)
    assert header["group"] == views.heads(translated, part="cross").revision
    assert torch.equal(torch.from_numpy(arrays["head"].copy()), translated["decoder.0.cross"].weights(1))


def test_pins_are_clamped_to_the_text_of_their_side() -> None:
    short = av.load("induction").trace("a b a b")
    assert unpack(views.heads(short, views.Pick(0, 0, 99)).payload)[0]["selection"]["token"] == 4
    cross = av.load("translate-en-zh").trace("He is a doctor.", target="他 是")
    assert (cross["decoder.0.cross"].n_queries, cross["decoder.0.cross"].n_keys) == (3, 5)
    assert unpack(views.heads(cross, views.Pick(0, 0, 99)).payload)[0]["selection"]["token"] == 2
    assert unpack(views.heads(cross, views.Pick(0, 0, key=99)).payload)[0]["selection"]["key"] == 4


def test_a_file_of_cross_attention_carries_the_numbers_of_every_head(translated) -> None:
    view = views.heads(translated, part="cross")
    assert view.complete is not None
    _, arrays = unpack(view.complete())
    assert torch.equal(torch.from_numpy(arrays["all"][1].copy()), translated["decoder.1.cross"].weights())


def _trace_of(weights: torch.Tensor) -> Trace:
    """A trace with one head whose weights are these: its scores are their logarithms."""
    n = len(weights)
    site = Site("encoder", "self", 0)
    source = Kept(kept=weights.log()[None], v=torch.zeros(1, n, 4), mask=Mask(n, n))
    card = Card("toy", "Toy", "your code", n_layers=1, n_heads=1, d_model=4)
    record = AttentionRecord(site=site, source=source)
    return Trace(card, TokenPair(Tokens.plain([f"w{i}" for i in range(n)])), {site.key: record})
