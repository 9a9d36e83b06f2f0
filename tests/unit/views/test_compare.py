"""What a compare view receives: the library's own numbers of all pairs, of one pair, and of words."""

import math
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz import views
from attnviz.analysis.compare.self_attention_heads import maps_of
from attnviz.views import Pair
from attnviz.views.compare.maps import BLOCKS, MOST
from attnviz.views.pack import unpack
from tests.unit import weights_as_trace
from tests.unit.analysis.compare.test_units import cut

pytestmark = pytest.mark.usefixtures("one_thread")


def trace_of(n: int, layers: tuple[int, ...], seed: int, **more: Any) -> av.Trace:
    """Layers of so many heads with random scores over n words."""
    generator = torch.Generator().manual_seed(seed)
    drawn = [torch.randn(heads, n, n, generator=generator) for heads in layers]
    sites = {f"encoder.{layer}.self": (3 * scores).softmax(-1) for layer, scores in enumerate(drawn)}
    return weights_as_trace.trace_of(sites, **more)


@pytest.fixture(scope="module")
def found() -> av.analysis.compare.Comparison:
    return av.compare(trace_of(5, (3, 3), 0), trace_of(5, (2,), 1, name="B"))


def test_every_pair_of_heads_and_every_map_is_the_librarys(found) -> None:
    header, arrays = unpack(views.compare(found).payload)
    over = found.similarity
    np.testing.assert_allclose(arrays["js"], over.js, atol=1e-7)
    assert arrays["js"].shape == (6, 2)
    assert header["similarity"]["source"] == "text"
    assert header["similarity"]["stress"] == pytest.approx(over.map().stress)
    of_a = over.matches().query("of == 'a'")
    assert arrays["nearest_a"].tolist() == of_a["nearest_head"].tolist()  # B has one layer
    partners = [None if at == 65_535 else at for at in arrays["partner_a"].tolist()]
    assert partners == [None if np.isnan(it) else int(it) for it in of_a["partner_head"].astype(float)]
    assert sorted(arrays["partner_b"].tolist()) == [at for at, to in enumerate(partners) if to is not None]
    for side, trace in (("a", found.trace_a), ("b", found.trace_b)):
        maps, left_out = maps_of(trace, found.units, side)
        assert torch.equal(torch.from_numpy(arrays[f"all_{side}"].copy()), maps)
        assert torch.equal(torch.from_numpy(arrays[f"all_left_{side}"].copy()), left_out)


def test_the_picked_pair_is_the_librarys_difference(found) -> None:
    header, arrays = unpack(views.compare(found, selection=Pair(1, 2, 0, 1)).payload)
    one = found.difference("encoder.1.self", 2, "encoder.0.self", 1)
    assert torch.equal(torch.from_numpy(arrays["pair_a"].copy()), one.a)
    assert torch.equal(torch.from_numpy(arrays["pair_b"].copy()), one.b)
    said = header["selection"]["pair"]
    assert (said["js"], said["cosine"], said["correlation"]) == (one.js, one.cosine, one.correlation)
    most = one.most(MOST)
    assert [it[:2] for it in said["most"]] == most[["query", "key"]].values.tolist()
    assert said["largest"] == one.largest


def test_without_a_selection_heads_of_unlike_models_are_nearest_and_the_cell_differs_most(found) -> None:
    header, arrays = unpack(views.compare(found).payload)
    signed, picked = np.abs(arrays["pair_a"] - arrays["pair_b"]), header["selection"]
    assert signed[picked["query"], picked["key"]] == signed.max()
    a, b = divmod(int(found.similarity.js.argmin()), found.similarity.js.shape[1])
    assert header["selection"]["a"] == [a // 3, a % 3] and header["selection"]["b"] == [0, b]
    assert header["verdict"]["pairs"][0]["a"] == header["selection"]["a"]
    assert f"{a // 3 + 1}.{a % 3 + 1} of A and 1.{b + 1} of B are the nearest" in header["verdict"]["said"]
    same = av.compare(found.trace_a, trace_of(5, (3, 3), 7))
    assert unpack(views.compare(same).payload)[0]["selection"]["b"] == [1, 2]


def test_a_selection_is_clamped_to_what_there_is(found) -> None:
    header, _ = unpack(views.compare(found, selection=Pair(9, 9, -1, 9, 99, -5)).payload)
    picked = header["selection"]
    assert (picked["a"], picked["b"], picked["query"], picked["key"]) == ([1, 2], [0, 1], 4, 0)


def test_the_revision_goes_by_models_text_and_edits_alone_and_another_pair_belongs_to_the_same_picture(found) -> None:
    before = views.compare(found).revision
    header, arrays = unpack(views.exact_pair(found, Pair(0, 1, 0, 1)))
    assert (header["view"], header["a"], header["b"], header["revision"]) == ("pair", [0, 1], [0, 1], before)
    assert torch.equal(torch.from_numpy(arrays["pair_a"].copy()), found.difference("encoder.0.self", 1).a)
    assert views.compare(found, selection=Pair(0, 0, 0, 0), lang="zh-TW", size="projector").revision == before
    assert views.compare(av.compare(found.trace_b, found.trace_a)).revision != before


def test_different_tokens_are_shown_as_words_with_their_number_and_a_mask_forbids_words_too() -> None:
    source = "dogs see dogs"
    a = trace_of(4, (2, 2), 0, tokens=cut(source, "do", "gs", "see", "dogs"), causal="encoder")
    b = trace_of(3, (2,), 1, tokens=cut(source, "dogs", "see", "dogs"), name="B")
    header, arrays = unpack(views.compare(av.compare(a, b)).payload)
    assert not header["are_tokens"]
    assert header["units"] == [{"text": "dogs", "n": 1}, {"text": "see"}, {"text": "dogs", "n": 2}]
    assert arrays["all_a"].shape == (4, 3, 3)
    assert arrays["all_a"].sum(-1) == pytest.approx(1, abs=1e-5)
    assert header["seen"] == {"a": [0, 0], "b": [-1]}
    assert arrays["seen_a"].tolist() == [[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]
    assert "seen_b" not in arrays
    assert (arrays["all_a"][:, arrays["seen_a"][0] == 0] == 0).all()


def test_kinds_travel_as_places_in_the_table(found) -> None:
    kinds = (["previous", "sink", "mixed", "broad", "next", "mixed"], ["induction", "no such kind"])
    header, arrays = unpack(views.compare(found, kinds=kinds).payload)
    names = [kind["name"] for kind in header["kinds"]]
    assert [names[at] for at in arrays["kinds_a"]] == kinds[0]
    assert [names[at] for at in arrays["kinds_b"]] == ["induction", "mixed"]
    with pytest.raises(ValueError, match="1 kinds for the 6 heads of A"):
        views.compare(found, kinds=(["mixed"], kinds[1]))
    assert unpack(views.compare(found).payload)[0]["kinds"] is None


def test_a_long_text_travels_in_blocks_that_keep_their_largest_difference() -> None:
    n = 300
    long = av.compare(trace_of(n, (1,), 0), trace_of(n, (1,), 1))
    header, arrays = unpack(views.compare(long, selection=Pair(0, 0, 0, 0, 7, 9)).payload)
    assert "all_a" not in arrays and "pair_a" not in arrays
    one = long.difference("encoder.0.self", 0)
    step = math.ceil(n / BLOCKS)
    assert arrays["cells"].shape == (math.ceil(n / step),) * 2
    at = int(arrays["cells"][3, 4])
    query, key = divmod(at, n)
    assert (query // step, key // step) == (3, 4)
    block = one.signed.abs()[3 * step : 4 * step, 4 * step : 5 * step]
    assert float(one.signed.abs()[query, key]) == float(block.max())
    assert arrays["cells_a"][3, 4] == float(one.a[query, key])
    largest = one.a[3 * step : 4 * step, 4 * step : 5 * step].max().sqrt()
    assert abs(arrays["pooled_a"][3, 4] / 255 - float(largest)) <= 0.5 / 255 + 1e-6
    assert header["selection"]["pair"]["js"] == one.js


def test_a_file_has_every_pair_where_that_is_small(found, monkeypatch) -> None:
    module = import_module("attnviz.views.compare")  # the name is that of the function, too
    monkeypatch.setattr(module, "PAGE_BYTES", 0)
    view = views.compare(found)
    assert "all_a" not in unpack(view.payload)[1]
    assert view.complete is not None
    assert "all_a" in unpack(view.complete())[1]
    monkeypatch.setattr(module, "FILE_BYTES", 0)
    assert "all_a" not in unpack(view.complete())[1]


def test_heads_are_not_compared_on_a_text_too_long_for_it(found, monkeypatch) -> None:
    over = found.similarity
    monkeypatch.setattr(import_module("attnviz.views.compare.all_heads"), "MOST_LOGARITHMS", 0)
    header, arrays = unpack(views.compare(found).payload)
    assert header["similarity"] is None
    assert "js" not in arrays
    assert "pair_a" in arrays
    assert header["selection"]["b"] == [0, 1]
    assert unpack(views.compare(found, over).payload)[0]["similarity"]["source"] == "many"


def asked(a: av.Trace, b: av.Trace) -> dict[str, Any]:
    return unpack(views.compare(av.compare(a, b)).payload)[0]


def test_it_opens_with_the_question_of_these_two_and_names_the_head_that_answers_it() -> None:
    a, b = trace_of(5, (3, 3), 0), trace_of(5, (3, 3), 1, name="B")
    header = asked(a, b)
    assert header["asks"] == "Which heads differ between the two models?"
    maps = [maps_of(trace, av.compare(a, b).units, side)[0] for side, trace in (("a", a), ("b", b))]
    layer, head = divmod(int((maps[0] - maps[1]).abs().sum((1, 2)).argmax()), 3)
    assert header["verdict"]["first"] == f"Of 6 heads, head {layer + 1}.{head + 1} differs most."
    assert header["next"] is None
    compared = av.compare(a, b)
    went = [replace(move, share=0.1 - at / 100, followed=0.2 * (at == 0)) for at, move in enumerate(compared.moves)]
    vars(compared)["moves"] = tuple(went)  # the farthest only went with its words
    verdict = unpack(views.compare(compared).payload)[0]["verdict"]
    assert verdict["pairs"][0]["a"] == [layer, head] and f"head {layer + 1}.{head + 1} differs" in verdict["first"]
    assert asked(a, trace_of(5, (2,), 1, name="B"))["asks"] == "Which heads of the two models look alike?"
    same = asked(a, a)
    assert same["asks"] == "Do both sides compute the same weights?"
    assert same["verdict"] == {"first": "All 6 heads agree.", "said": same["verdict"]["said"], "pairs": []}
    model = av.load("induction")
    texts = model.trace("a b c a b"), model.trace("a b c c b")
    assert asked(*texts)["asks"] == "Where do the two sentences part?"
    poems = [av.load("poems-zh").trace(text) for text in ("床前明月光，", "床前夜雨声，")]
    assert asked(*poems)["asks"] == "Where do the two poems part?"
    begun = replace(model, card=replace(model.card, revision=f"{model.card.revision}@0"))
    assert asked(texts[0], begun.trace("a b c a b"))["asks"] == "What did training give these heads?"
    later = replace(model, card=replace(model.card, revision=f"{model.card.revision}@500"))
    header = asked(texts[0], later.trace("a b c a b"))
    assert header["asks"] == "What did training change between these two steps?"
    edited = model.trace("a b c a b", edits=[av.ablate("1.0")])
    assert asked(texts[0], edited)["asks"] == "What did the edit change?"


def test_of_texts_that_go_on_both_next_words_travel_with_their_probabilities() -> None:
    model = av.load("induction")
    traces = model.trace("a b c a b"), model.trace("a b c c b")
    said = asked(*traces)["next"]
    shares = []
    for side, trace in zip("ab", traces, strict=True):
        row = dict(zip(trace.prediction.texts[-1], trace.prediction.probabilities[-1].tolist(), strict=True))
        shares.append(row)
        assert said[side] == [[text, pytest.approx(share)] for text, share in list(row.items())[:3]]
    for text, a, b in said["both"]:
        assert (a, b) == pytest.approx((shares[0][text], shares[1][text]))
    likeliest = [next(iter(row)) for row in shares]
    assert [text for text, _, _ in said["both"]] == list(dict.fromkeys(likeliest))


def test_a_swapped_word_that_is_repeated_has_its_number_once():
    model = av.load("induction")
    found = av.compare(model.trace("a b c a b"), model.trace("a b c c b"))
    unit = unpack(views.compare(found).payload)[0]["units"][4]
    assert unit["text"] == "a₂ / c₂" and "n" not in unit
