"""The Step through page without a browser: it opens, its link holds what is shown, odd links and long texts too."""

import numpy as np
import pytest
import torch
from attnviz_app.api.step import Picture, picture_of
from transformers import AutoModel

from attnviz import catalog
from attnviz.explanation import TABS
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.views.link import asked_by, picked_in
from attnviz.views.pack import unpack
from tests.pages.conftest import key, link, menu, shown, stepper, text_box, turn_to


@pytest.mark.parametrize(("language", "model", "place"), [
    ("en", "translate-en-zh", ["encoder", "1", "1"]), ("zh-CN", "poems-zh", None), ("zh-TW", "poems-zh-tw", None),
])  # fmt: skip
def test_the_page_opens_with_a_small_model_that_reads_its_language(opened, language, model, place):
    app = opened("step", lang=language)
    assert strings(language)("step-title") in shown(app)
    assert menu(app, "step-model").value == link(app)["model"] == model  # also what nobody chose is in the link
    assert place is None or [link(app)[name] for name in ("part", "layer", "head")] == place
    assert not [toggle for toggle in app.toggle if toggle.key.startswith("step-words")]


def pictured(model: str, text: str, **picked: str) -> dict:
    """The header of the picture that the browser fetches for a link."""
    return unpack(picture_of(Picture(model=model, text=text, picked=picked)))[0]


@pytest.mark.parametrize("picked", [
    {"tab": "nonsense", "part": "somewhere", "layer": "x", "matrix": "<b>", "if": "t0~~hide", "window": "0.0"},
    {"part": "encoder", "layer": "100", "head": "99", "matrix": "raw", "token": "999999", "key": "999999"},
    {"if": "mute.decoder.9.self.1~hide40"},
])  # fmt: skip
def test_an_odd_link_is_a_picture_all_the_same(picked):
    header = pictured("reverse", "a b", **picked)
    assert header["steps"] and header["controls"]["site"] == "encoder.0.self"


PARTS = {  # what of transformers' own module makes the result of a step of layer 1
    "out": "attention.output.dense", "self-norm": "attention.output", "hidden": "intermediate.dense",
    "active": "intermediate", "ff-out": "output.dense", "ff-norm": "output",
}  # fmt: skip


def test_a_pretrained_encoder_has_its_whole_block_with_transformers_numbers_and_says_who_computed_it(minilm):
    header, arrays = unpack(picture_of(Picture(model="minilm-l6", text="The cat sat.", picked={"tab": "block"})))
    results = {step["kind"]: arrays[step["result"]] for step in header["steps"]}
    assert (header["tab"], header["notice"]) == ("block", None)
    assert {"tokens", "weights", "mid", *PARTS} <= set(results)
    theirs: dict[str, torch.Tensor] = {}
    folder = catalog.get("minilm-l6")
    eager = AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()
    for step, path in PARTS.items():
        part = eager.get_submodule(f"encoder.layer.0.{path}")
        part.register_forward_hook(lambda _, __, out, step=step: theirs.update({step: out[0]}))
    with torch.no_grad():
        eager(torch.tensor([minilm.tokenizer.tokens("The cat sat.").ids]))
    for step, expected in theirs.items():  # [T, D]; of a wide matrix the first columns are drawn
        n_drawn = results[step].shape[1]
        np.testing.assert_allclose(results[step], expected[:, :n_drawn].numpy(), rtol=0, atol=1e-5)
    assert [note for note in header["notes"] if "MiniLM-L6’s weights" in note and "×10⁻" in note]
    assert header["controls"]["can"] == ["causal", "scaling", "temperature", "positions", "hide"]


def test_a_model_without_a_decoder_stays_on_that_lesson_and_says_what_is_shown_instead_and_what_it_cannot_read():
    header = pictured("minilm-l6", "我们没有买这本书。", tab="decoder")
    assert header["tab"] == header["place"]["tab"] == "decoder"
    for said in (
        strings("en")("unknown-tokens", unknown=5, total=9, read="[UNK]"),
        "MiniLM-L6 has no decoder",
        "self-attention",
    ):
        assert said in header["notice"]
    assert [step["kind"] for step in header["steps"]][:4] == ["q", "k", "v", "raw"]


@pytest.mark.parametrize(("model", "text", "other"), [
    ("translate-en-zh", "她喜欢猫。", "translate-zh-en"), ("translate-zh-en", "I like cats.", "translate-en-zh"),
    ("translate-en-zh", "I like my new phone.", "minilm-l6"), ("reverse", "The dog barked.", "minilm-l6"),
    ("translate-zh-en", "我喜欢我的手机。", "untrained-encoder"),
])  # fmt: skip
def test_a_text_with_unknown_words_offers_a_model_that_reads_it(opened, model, text, other):
    app = opened("step", lang="en", model=model)
    text_box(app, "step-text").set_value(text).run()
    app.button(key="step-other-model").click().run()
    assert menu(app, "step-model").value == other and text_box(app, "step-text").value == text
    assert unpack(stepper(app))[0]["text"] == text


def test_a_text_of_another_page_that_cannot_be_read_leaves_the_picture_of_an_example(opened):
    app = turn_to(opened("heads", lang="en", text="   "), "step")
    assert unpack(stepper(app))[0]["text"] == "The cat sat on the mat because it was tired."
    assert strings("en")("notice-not-this-text") in shown(app)


def test_the_picker_of_the_hidden_token_says_what_the_title_says():
    header = pictured("reverse", "a b c d", tab="decoder", **{"if": "hide3"})
    (shown_at,) = header["controls"]["whatif"]["all"]["hide"]
    assert header["model"]["edits"] == ["“c” hidden in all heads"]
    assert header["controls"]["tokens"][shown_at] == {"text": "source", "name": "c"}
    assert header["controls"]["tokens"][-1]["name"].endswith("(target)")


def test_a_what_if_of_one_head_says_which_and_the_bar_what_is_switched_of_every_head_on_the_screen():
    asked = "hide2.decoder.0.self.2~t4.decoder.0.cross.1~causal.encoder.0.self.1"
    header = pictured("reverse", "a b c d", tab="decoder", **{"if": asked})
    assert header["model"]["edits"] == [
        "“d” hidden in head 1.2 of the decoder", "attention τ = 4 in head 1.1 of cross-attention",
        "causal mask in head 1.1 of the encoder",
    ]  # fmt: skip
    controls = header["controls"]
    usual = {"scaling": True, "temperature": 1.0, "hide": []}
    heads = {
        "decoder.0.self": usual | {"causal": True}, "decoder.0.cross": usual | {"causal": False},
        "decoder.0.cross.0": usual | {"causal": False, "temperature": 4.0},
    }  # fmt: skip
    (hidden,) = controls["whatif"]["heads"].pop("decoder.0.self.1")["hide"]
    assert controls["tokens"][hidden] == {"text": "target", "name": "d (target)"}
    assert (controls["whatif"]["heads"], controls["whatif"]["scope"]) == (heads, "heads")
    assert controls["keys"] == {"decoder.0.self": "target", "decoder.0.cross": "source"}
    assert header["place"]["if"] == asked


@pytest.mark.parametrize("model", ["reverse", "induction", "untrained-encoder-decoder"])
@pytest.mark.parametrize("tab", TABS)
def test_every_tab_is_shown_and_only_one_with_a_head_to_choose_can_silence_it(model, tab):
    header = pictured(model, "a b c a b", tab=tab)
    assert header["tab"] == tab
    assert ("silence" in header["controls"]["can"]) is (header["controls"]["heads"] > 1)


def test_chinese_by_word_is_offered_where_a_model_could_do_both(opened):
    app = opened("step", lang="zh-CN", model="untrained-encoder", text="我们喜欢猫")
    header = unpack(stepper(app))[0]
    assert strings("zh-CN")("stepping-untrained", seed=0) in header["notes"]
    assert (app.toggle(key=key(app, "step-words")).value, header["controls"]["tokens"][0]["name"]) == (False, "我")
    app.toggle(key=key(app, "step-words")).set_value(True).run()
    assert (link(app)["words"], unpack(stepper(app))[0]["controls"]["tokens"][0]["name"]) == ("1", "我们")


SWITCHED = [  # of what a link switches, what is run, and what changes nothing and is left out
    *(("minilm-l6", "block", one, one, "") for one in ("causal", "noscale", "t0.5", "nopos", "hide2")),
    ("untrained-encoder-decoder", "self", "full", "full", ""),  # a mask in one of two stacks
    ("untrained-encoder-decoder", "self", "causal", "causal", ""),
    ("minilm-l6", "self", "full", "", "full"),
    ("induction", "self", "causal", "", "causal"),
    ("minilm-l6", "self", "full~t0.5~hide40", "t0.5", "full, hide40"),
    ("minilm-l6", "self", "t2~noscale.encoder.0.self.1", "t2", "noscale.encoder.0.self.1"),  # of all heads, or of one
    ("minilm-l6", "heads", "noscale.encoder.0.self.1", "noscale.encoder.0.self.1", ""),
    (
        "minilm-l6",
        "self",
        "t2.encoder.0.self.1~full.encoder.0.self.1~hide40.encoder.0.self.1~t2.encoder.9.self.1",
        "t2.encoder.0.self.1",
        "full.encoder.0.self.1, hide40.encoder.0.self.1, t2.encoder.9.self.1",
    ),
    ("induction", "self", "full.decoder.1.self.2", "full.decoder.1.self.2", ""),
    (
        "untrained-encoder-decoder",
        "self",
        "t4.decoder.0.cross.1~causal.decoder.0.cross.1",
        "t4.decoder.0.cross.1",
        "causal.decoder.0.cross.1",
    ),
]


@pytest.mark.parametrize(("model", "tab", "asked", "run", "left_out"), SWITCHED)
def test_what_a_link_switches_is_run_and_what_changes_nothing_is_said_to_be_left_out(model, tab, asked, run, left_out):
    header = pictured(model, "a b a", tab=tab, **{"if": asked})
    assert (len(header["model"]["edits"]), header["controls"]["isChanged"]) == (int(bool(run)), bool(run))
    assert header["place"]["if"] == run
    said = strings("en")("error-switch-left-out", switch=left_out)
    assert said in header["notice"] if left_out else header["notice"] is None


def test_a_link_of_this_page_says_nothing_of_another_page(opened):
    app = opened("heads", lang="en", model="minilm-l6", text="Hi there.", layer="2", head="3", token="2")
    there = link(app)
    turn_to(app, "step")
    assert set(link(app)) <= {"lang", "size", *asked_by("step"), *picked_in("step")}
    assert (link(app)["model"], link(app)["text"]) == ("minilm-l6", "Hi there.")  # it is the text that was looked at
    turn_to(app, "heads")
    assert {name: link(app).get(name) for name in there} == there


def test_model_and_text_go_along_in_every_direction(opened):
    app = turn_to(opened("heads", lang="en", model="minilm-l6", text="Hi there."), "step")
    text_box(app, "step-text").set_value("We left early.").run()
    asked = link(turn_to(app, "compare"))
    assert (asked["model"], asked["model2"]) == ("minilm-l6", "untrained:minilm-l6") and asked[
        "text"
    ] == "We left early."
    assert link(turn_to(app, "home"))["text"] == "We left early."
    turn_to(app, "step")
    menu(app, "step-model").set_value("untrained-encoder").run()
    for page in ("heads", "lessons", "train", "step"):  # those between ask something else
        turn_to(app, page)
    menu(turn_to(app, "heads")).set_value("minilm-l6").run()
    assert link(turn_to(app, "step"))["model"] == "minilm-l6"


def test_what_a_page_opened_on_goes_along_though_nobody_chose_it(opened):
    app = opened("compare", lang="zh-CN")
    asked = link(app)
    turn_to(app, "train")
    assert link(turn_to(app, "heads"))["text"] == asked["text"]
    again = link(turn_to(app, "compare"))
    assert [again.get(name) for name in ("model", "model2", "text", "text2")] == [
        asked.get(name) for name in ("model", "model2", "text", "text2")
    ]


@pytest.mark.parametrize(("page", "own"), [
    ("train", {"task": "reverse", "text": "a b c", "layer": "1"}), ("byhand", {}), ("lessons", {"lesson": "2"}),
    ("about", {}),
])  # fmt: skip
def test_what_the_link_of_a_page_without_a_model_carries_is_asked_on_the_next_one(opened, page, own):
    carried = "model=untrained-encoder&text=We left %26 came.&layer=2&head=1"
    app = opened(page, lang="en", **{"from": carried}, **own)
    asked = link(turn_to(app, "step"))
    assert (asked["model"], asked["text"]) == ("untrained-encoder", "We left & came.")


def test_another_model_leaves_how_one_reads_as_it_is_and_shows_its_example_in_place_of_another_language(opened):
    app = opened("step", lang="en", model="translate-en-zh", text="I like cats.", guess="1", tab="heads")
    menu(app, "step-model").set_value("translate-zh-en").run()
    assert link(app).items() >= {"model": "translate-zh-en", "guess": "1", "tab": "heads"}.items()
    assert strings("en")("notice-not-this-text") in shown(app)
    assert app.toggle(key=key(app, "step-guesses")).value


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_thousand_tokens_are_drawn_a_part_at_a_time(opened, kind):
    text, part = " ".join(f"w{i % 300}" for i in range(1000)), slice(700, 764)
    app = opened(
        "step",
        lang="en",
        model=f"untrained-{kind}",
        text=text,
        window="701.1",
        matrix="weights",
        token="711",
        key="705",
    )
    picture = stepper(app)
    header, arrays = unpack(picture)
    assert "av-line" not in shown(app) and link(app)["text"] == text
    assert len(picture) < 1_000_000
    record = untrained(kind, max_tokens=1024).trace(text)[header["controls"]["site"]]
    whole, context = record.weights(0).numpy(), record.context()[0].numpy()  # [T_q, T_k], [T_q, d_k]
    steps = {step["kind"]: step for step in header["steps"]}
    drawn, rest = (arrays[steps["weights"][name]] for name in ("result", "rest"))
    np.testing.assert_array_equal(drawn, whole[part, part])
    hidden = whole[part].sum(-1) - drawn.sum(-1)  # what the rows give the tokens outside
    np.testing.assert_allclose(rest[:, 0], hidden / whole[part].max(-1), rtol=1e-3)  # sums of exponents, the largest 1
    np.testing.assert_allclose(arrays[steps["context"]["result"]], context[part], atol=1e-6)


@pytest.mark.parametrize(("mode", "limit"), [("local", 1024), ("hosted", 127)])
def test_more_than_is_allowed_is_refused_with_both_numbers(opened, operator, mode, limit):
    operator.setenv("ATTNVIZ_MODE", mode)
    app = opened("step", lang="en", model="untrained-encoder", text="a " * (limit + 1))
    said = strings("en")("error-more-than-taken", n=limit + 1, model="Untrained encoder, seed 0", limit=limit)
    assert said in shown(app)
    assert text_box(app, "step-text").value == "a " * (limit + 1)
