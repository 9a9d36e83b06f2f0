"""The numbers a heads view receives are the trace's: float32 exactly, 8 bits within their step, pooled by maximum."""

import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import adaptive_max_pool2d
from transformers import AutoModelForMaskedLM, BertConfig, BertModel

import attnviz as av
from attnviz import views
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.build import build
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.headers import tokens_of
from attnviz.views.heads import SERVED, weight_arrays
from attnviz.views.heads.attention_parts import parts_of
from attnviz.views.heads.measured_heads import sentence_frame
from attnviz.views.heads.tokens import token_rows, unknown_notice
from attnviz.views.heads.written_tokens import MOST_ROWS
from attnviz.views.html import bundle, standalone
from attnviz.views.pack import unpack
from tests.conftest import TINY
from tests.parity.tiny_models import byte_tokenizer, eager_module, saved, traced_model

CAT = "The cat sat on the mat because it was tired."
LONG = " ".join(["river"] * 100)


@pytest.mark.parametrize(("text", "most", "side"), [
    (CAT, weight_arrays.MAP_BYTES, 13), (LONG, weight_arrays.MAP_BYTES, 64),
    (CAT, 72 * 10 * 10, 10),  # as where there are thousands of heads
])  # fmt: skip
def test_colours_of_every_head_are_pooled_by_maximum_to_what_may_travel_and_within_half_a_step_of_the_weights(
    traced, monkeypatch, text, most, side
) -> None:
    monkeypatch.setattr(weight_arrays, "MAP_BYTES", most)
    trace = traced(text)
    _, arrays = unpack(views.heads(trace).payload)
    assert arrays["maps"].shape == (6, 12, side, side)
    for layer in range(6):
        weights = trace[f"encoder.{layer}.self"].weights()  # [H, T, T]
        pooled = adaptive_max_pool2d(weights.sqrt(), side)  # [H, side, side]
        assert np.abs(arrays["maps"][layer] / 255 - pooled.numpy()).max() <= 0.5 / 255 + 1e-6
    assert arrays["head"].shape == weights.shape[1:]


def test_the_likeliest_words_of_each_row_travel_and_of_a_long_text_those_of_the_last(traced) -> None:
    model = traced_model("llama")
    trace = model.trace("a cat sat")
    predicted = unpack(views.heads(trace).payload)[0]["predicted"]
    assert trace.prediction is not None and predicted["is_next"]
    assert predicted["first"] == len(trace.tokens.source) - 1 == len(predicted["rows"]) - 1
    for row, words in enumerate(predicted["rows"]):
        assert [word for word, _ in words] == list(trace.prediction.texts[row][:5])
        assert [share for _, share in words] == trace.prediction.probabilities[row, :5].tolist()
    long = unpack(views.heads(model.trace("a" * (MOST_ROWS + 1))).payload)[0]["predicted"]
    assert [bool(words) for words in long["rows"]] == [False] * long["first"] + [True]
    assert unpack(views.heads(trace).payload)[0]["vector"] is None


def test_of_an_encoder_that_predicts_nothing_it_is_said_what_there_is(traced) -> None:
    trace = traced(CAT)
    header = unpack(views.heads(trace).payload)[0]
    last = trace.stream["encoder.1.out"]
    assert header["predicted"] is None
    assert header["vector"] == {"width": last.shape[1]}


def test_the_revision_follows_the_numbers_and_an_edit_which_is_said_and_nothing_else(traced) -> None:
    cat, other = traced(CAT), traced(LONG)
    first = views.heads(cat).revision
    assert views.heads(cat, views.Pick(1, 1, 1), lang="zh-CN", size="projector").revision == first
    edited = views.heads(replace(cat, edits=("head 3.1 silenced",)))
    assert unpack(edited.payload)[0]["model"]["edits"] == ["head 3.1 silenced"]
    assert len({first, views.heads(other).revision, edited.revision}) == 3


@pytest.mark.parametrize(("model", "pick", "token", "key"), [
    ("cat", views.Pick(2, 9), 8, None),  # where none is asked for, a word: "it"
    ("cat", views.Pick(2, 9, released=True), None, None),
    ("cat", views.Pick(2, 9, 4, released=True, key=12), 4, 12),  # a cell
    ("long", views.Pick(0, 0, released=True, key=7), None, None),  # of which no columns travel
    ("cross", views.Pick(0, 0, 2), 2, None),  # each side has its own text, of 3 tokens and of 5
    ("cross", views.Pick(0, 0, key=4), None, 4),
])  # fmt: skip
def test_what_is_picked_is_there(traced, model, pick, token, key) -> None:
    if model == "cross":
        run = av.load("translate-en-zh").trace("He is a doctor.", target="他 是")
    else:
        run = traced(CAT) if model == "cat" else untrained("decoder", max_tokens=300).trace("river " * 299)
    picked = unpack(views.heads(run, pick).payload)[0]["selection"]
    assert (picked["layer"], picked["head"], picked["token"], picked["key"]) == (pick.layer, pick.head, token, key)
    assert picked["released"] == (token is None and key is None)


def test_unknown_tokens_are_said_before_anything_else(traced) -> None:
    chinese = traced("猫坐在垫子上，因为它累了。")
    header, _ = unpack(views.heads(chinese, lang="zh-TW").payload)
    assert header["notice"] == strings("zh-TW")("unknown-tokens", unknown=9, total=13, read="[UNK]")
    assert unpack(views.heads(traced(CAT)).payload)[0]["notice"] is None


def test_a_few_unknown_words_are_named() -> None:
    trace = av.load("poems-zh").trace("春眠不觉晓，处处闻啼鸟。夜来风雨龘，花落知多A")
    for lang in ("en", "zh-CN"):
        notice = unpack(views.heads(trace, lang=lang).payload)[0]["notice"]
        separator = strings(lang)("view-kit-list-separator")
        assert notice == strings(lang)("unknown-words", words=f"龘{separator}A", read="<unk>")
    many = av.load("poems-zh").trace("春A龘")  # named all the same, for the rest is read
    notice = unpack(views.heads(many, lang="zh-CN").payload)[0]["notice"]
    assert notice == "3 个字和标点中，这个模型不认识 2 个：A、龘。它把它们读作 <unk>，其余照读。"


def test_characters_that_are_read_as_others_are_said_each_with_the_one_that_is_read() -> None:
    say = strings("zh-CN").of("characters")
    mixed = av.load("poems-zh").trace("舉头望明月,低頭思龘鄉。舉").tokens.source
    assert unknown_notice(mixed, say) == (
        "这些字按这个模型的写法来读：舉→举、頭→头、鄉→乡。" + say("unknown-words", words="龘", read="<unk>")
    )
    simplified = av.load("poems-zh-tw").trace("举头望明月").tokens.source
    assert unknown_notice(simplified, strings("zh-TW").of("characters")) == "這些字依這個模型的寫法來讀：举→舉、头→頭。"
    pasted = av.load("poems-zh-tw").trace("雨后云来秋气").tokens.source
    assert unknown_notice(pasted, strings("zh-TW").of("characters")) == (
        "這些字依這個模型的寫法來讀：来→來、气→氣。這些字可能是另一個字的簡體，仍照原字來讀：后、云。"
    )
    assert unknown_notice(av.load("poems-zh").trace("举头望明月").tokens.source, say) is None


@pytest.mark.parametrize(
    ("lang", "next_one", "many"),
    [("zh-CN", "下一个字", "{n} 首诗"), ("zh-TW", "下一個字", "{n} 首詩"), ("en", "Chinese character", "{n} poems")],
)
def test_a_model_of_characters_is_spoken_of_in_characters_and_its_texts_as_poems(
    traced, lang: str, next_one: str, many: str
) -> None:
    poem, english = av.load("poems-zh").trace("春眠不觉晓"), traced(CAT)
    assert (poem.card.tokens, english.card.tokens) == ("characters", "")
    said = unpack(views.heads(poem, lang=lang).payload)[0]["strings"]
    assert next_one in said["view-heads-predicts-next"]
    assert said["view-heads-source-many"] == many and many in said["view-heads-kind-over"]
    of_words = unpack(views.heads(english, lang=lang).payload)[0]["strings"]
    for id in ("view-heads-predicts-next", "view-heads-source-many"):
        assert of_words[id] == strings(lang).template(id)
    links = dict.fromkeys(views.WAYS, "/")
    home = unpack(views.home(poem, views.standout(poem), links=links, lang=lang).payload)[0]
    assert home["strings"]["view-home-word-title"] == strings(lang).of("characters")("view-home-word-title")
    assert home["model"] == strings(lang).named(poem.card.name)


def test_two_models_are_spoken_of_in_characters_where_both_read_them(traced) -> None:
    poem, english = av.load("poems-zh").trace("春眠不觉晓").card, traced(CAT).card
    assert [tokens_of(cards) for cards in ((poem, poem), (poem, english), ())] == ["characters", "", ""]


def test_tokens_carry_what_is_shown_and_how_they_are_marked() -> None:
    tokens = Tokens(
        text=("[CLS]", "the", "token", "ization", "猫", "the", "[SEP]"),
        ids=(1, 2, 3, 4, 5, 2, 6),
        special=(True, False, False, False, False, False, True),
        unknown=(False, False, False, False, True, False, False),
        spans=((0, 0), (0, 3), (5, 10), (10, 17), (18, 19), (20, 23), (0, 0)),
        words=(-1, 0, 1, 1, 2, 3, -1),
        source="the\n tokenization 猫 the",
        pieces=("[CLS]", "the", "token", "##ization", "[UNK]", "the", "[SEP]"),
    )
    assert token_rows(tokens) == [
        {"text": "[CLS]", "word": -1, "special": True},
        {"text": "the", "word": 0, "n": 1},
        {"text": "token", "word": 1, "space": 2},
        {"text": "ization", "word": 1, "continues": True},
        {"text": "猫", "word": 2, "unknown": True, "read": "[UNK]", "space": 1},
        {"text": "the", "word": 3, "n": 2, "space": 1},
        {"text": "[SEP]", "word": -1, "special": True},
    ]


def test_a_blank_inside_the_span_of_a_token_stands_before_it_as_gpt2_has_it() -> None:
    rows = token_rows(replace(Tokens.plain(("The", "Ġcat")), source="The cat", spans=((0, 3), (3, 7))))
    assert [row.get("space") for row in rows] == [None, 1]


def test_a_marker_that_stands_in_the_text_begins_and_ends_lines_as_words_do() -> None:
    texts = ("<m>", "user", "\n", "Hi", "<e>", "\n", "<m>", "user")
    ends = [len("".join(texts[: n + 1])) for n in range(len(texts))]
    spans = tuple(zip([0, *ends[:-1]], ends, strict=True))
    special = tuple(text.startswith("<") for text in texts)
    tokens = replace(Tokens.plain(texts), source="".join(texts), spans=spans, special=special)
    assert [row.get("space") for row in token_rows(tokens)] == [None, None, None, 2, None, None, 2, None]


@pytest.mark.parametrize(
    "texts, spaces",
    [
        (("user", "\n", "What", " is"), [None, None, 2, 1]),  # a line break of its own
        (("Yes", ".\n\n", "No"), [None, None, 2]),  # one behind a mark
        (("user", "\nWhat"), [None, 2]),  # one before a word
    ],
)
def test_a_token_that_holds_a_line_break_ends_its_line(texts, spaces):
    ends = [len("".join(texts[: n + 1])) for n in range(len(texts))]
    spans = tuple(zip([0, *ends[:-1]], ends, strict=True))
    tokens = replace(Tokens.plain(texts), source="".join(texts), spans=spans)
    assert [row.get("space") for row in token_rows(tokens)] == spaces


def test_a_file_carries_the_numbers_of_every_head_their_kinds_and_the_features_of_the_one_it_opens_with(
    traced, tmp_path: Path
) -> None:
    cat = traced(CAT)
    view = views.heads(cat, views.Pick(2, 9, 4), lang="zh-CN")
    assert view.complete is not None
    header, arrays = unpack(view.complete())
    assert torch.equal(torch.from_numpy(arrays["all"][4].copy()), cat["encoder.4.self"].weights())
    assert view.to_html(tmp_path / "heads.html").stat().st_size < 340_000
    assert not header["strings"].keys() - unpack(view.payload)[0]["strings"].keys()
    assert not [id for id in SERVED if id in bundle("heads")], (
        "a word that the file's own code asks for is left out of it"
    )
    measured = unpack(views.kinds(cat, sentence_frame(cat)))[1]
    assert header["kinds"]["source"] == "sentence"
    for name in ("kinds", "values"):
        np.testing.assert_array_equal(arrays[f"kinds.{name}"], measured[name])
    assert header["neurons"]["head"] == 9
    assert torch.equal(torch.from_numpy(arrays["neurons.q"].copy()), cat["encoder.2.self"].replay.q[9].float())
    header, arrays = unpack(view.payload)  # which alone travels
    assert not {"kinds", "neurons"} & header.keys() and not any("." in name or name == "all" for name in arrays)


@pytest.fixture(scope="module")
def translated() -> Trace:
    """A run that reads one text and writes another of a different length."""
    return av.load("translate-en-zh").trace("She does not want to buy two books.")


def test_a_model_has_one_part_or_three_and_shows_its_first_where_it_lacks_the_wanted_one(traced, translated) -> None:
    assert parts_of(traced(CAT)) == ("encoder",)
    assert unpack(views.heads(traced(CAT)).payload)[0]["model"]["part"] is None
    assert parts_of(translated) == ("cross", "encoder", "decoder")
    assert views.heads(traced(CAT), part="cross").payload == views.heads(traced(CAT)).payload
    assert unpack(views.heads(translated, part=None).payload)[0]["model"]["part"] == "cross"
    assert len({views.heads(translated, part=part).revision for part in parts_of(translated)}) == 3


@pytest.mark.parametrize(("part", "site"), [("cross", "decoder.1.cross"), ("decoder", "decoder.1.self")])
def test_queries_and_keys_of_a_part_are_its_own_texts(translated, part: str, site: str) -> None:
    header, arrays = unpack(views.heads(translated, views.Pick(1, 2), part=part).payload)
    weights = translated[site].weights()  # [H, T_q, T_k]
    assert torch.equal(torch.from_numpy(arrays["head"].copy()), weights[2])
    assert np.abs(arrays["maps"][1] / 255 - weights.sqrt().numpy()).max() <= 0.5 / 255 + 1e-6
    texts = {side: [token["text"] for token in rows] for side, rows in header["tokens"].items()}
    given = ["<start>", "她", "不", "想", "买", "两", "本", "书", "。"]
    read = ["She", "does", "not", "want", "to", "buy", "two", "books", "."]
    assert texts == ({"source": read, "target": given} if part == "cross" else {"source": given})
    assert header["model"]["part"] == part
    alone, numbers = unpack(views.exact(translated, 1, 2, part=part))
    assert alone["revision"] == header["revision"] and np.array_equal(numbers["head"], arrays["head"])


@pytest.mark.parametrize("target", [None, "她"])
def test_home_shows_how_a_model_that_writes_reads(target: str | None) -> None:
    run = av.load("translate-en-zh").trace("She does not want to buy two books.", target=target)
    pick = views.standout(run)
    view = views.home(run, pick, links=dict.fromkeys(views.WAYS, "/"))
    header, arrays = unpack(view.payload)
    assert len(header["tokens"]) == len(run.tokens.source)
    weights = run[f"encoder.{pick.layer}.self"].weights(pick.head)  # [T, T]
    assert torch.equal(torch.from_numpy(arrays["weights"].copy()), weights)
    assert header["steps"] == ["arcs", "row", "score"] and header["writes"] == run.tokens.target.source


def test_what_is_shown_of_a_text_with_a_blank_is_its_row(tmp_path: Path) -> None:
    folder = saved(eager_module("bert", TINY["bert"], AutoModelForMaskedLM), tmp_path)
    tokenizer = byte_tokenizer()
    tokenizer.add_special_tokens({"mask_token": "[MASK]"})
    tokenizer.save_pretrained(folder)
    run = av.load(folder).trace("the [MASK] sat")
    assert run.tokens.source.text[4] == "[MASK]"
    assert views.standout(run).token == 4
    assert views.standout(av.load(folder).trace("the cat sat")).token != 4


def header_of(trace: Trace, part: str | None = None, written_from: int | None = None) -> dict:
    return unpack(views.heads(trace, part=part, written_from=written_from).payload)[0]


def test_the_row_before_a_written_token_wrote_it_and_without_any_there_are_none() -> None:
    model = untrained("decoder")
    continued = model.write_on("The cat sees the dog", 3)
    trace = model.trace(continued.text)
    header = header_of(trace, written_from=continued.first)
    tokens, written = header["tokens"]["source"], header["written"]
    assert [bool(token.get("written")) for token in tokens] == [False] * 6 + [True] * 3  # <start> and five words
    assert written["rows"] == [5, 6, 7] and written["is_continued"]
    assert [token["text"] for token in written["tokens"]] == list(trace.tokens.source.text[6:])
    likely, ids = trace.prediction, trace.tokens.source.ids
    places = {row: likely.ids[row].tolist().index(ids[row + 1]) for row in (5, 6, 7)}
    assert written["shares"] == [float(likely.probabilities[row, at]) for row, at in places.items()]
    for first in (None, 0, 99):  # as where nobody continued it
        header = header_of(trace, written_from=first)
        assert header["written"] is None and not any(token.get("written") for token in header["tokens"]["source"])


def test_each_row_of_a_decoder_wrote_one_token_and_the_last_one_the_end() -> None:
    trace = av.load("reverse").trace("abc")
    cross, decoder = header_of(trace, "cross")["written"], header_of(trace, "decoder")["written"]
    assert header_of(trace, "encoder")["written"] is None
    assert not cross["is_continued"] and not decoder["is_continued"]
    for found in (cross, decoder):
        assert found["rows"] == [0, 1, 2, 3]
        assert [token["text"] for token in found["tokens"]] == ["c", "b", "a", "<end>"]
        assert all(share > 0.5 for share in found["shares"])


def test_what_travels_and_a_file_with_the_largest_weights_of_every_head_are_within_their_limits() -> None:
    """Of 12 × 12 heads over 128 tokens, of random weights with peaked maps: nothing packs worse."""
    generator = torch.Generator().manual_seed(0)
    config = BertConfig(
        vocab_size=300, hidden_size=96, num_hidden_layers=12, num_attention_heads=12, intermediate_size=96,
        max_position_embeddings=128,
    )  # fmt: skip
    module = BertModel._from_config(config, attn_implementation="eager").eval().requires_grad_(False)
    for name, parameter in module.named_parameters():
        is_asking = "query.weight" in name or "key.weight" in name
        parameter.copy_(torch.randn(parameter.shape, generator=generator) * (0.6 if is_asking else 0.02))
    text = "Every token may look at every other one. " * 4
    large = build(module, byte_tokenizer(), Origin("", "12 × 12")).trace(text[:128])
    view = views.heads(large)
    assert len(zlib.compress(view.payload)) < len(view.payload) <= 1_500_000
    assert view.complete is not None
    complete = view.complete()
    assert len(standalone(view.name, complete, view.title).encode()) <= 3_000_000
    _, arrays = unpack(complete)
    assert arrays["all_weights"].shape == (12, 12, 128, 20)
    largest = large["encoder.1.self"].weights(7).sort(descending=True).values[:, :20]  # [T_q, 20]
    assert torch.equal(torch.from_numpy(arrays["all_weights"][1, 7].copy()), largest)


def test_a_text_that_goes_on_opens_on_the_row_that_says_with_what_whatever_the_head() -> None:
    model = av.load("induction")
    trace = model.trace("a 1 k e u c v s a")
    for layer, head in ((0, 0), (0, 1), (1, 0)):
        selected = unpack(views.heads(trace, views.Pick(layer, head)).payload)[0]["selection"]
        assert (selected["layer"], selected["head"], selected["token"]) == (layer, head, len(trace.tokens.source) - 1)
