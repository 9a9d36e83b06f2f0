"""The stepper says where a step stands in the whole model, and what a mask and cross-attention are for."""

import pytest

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from attnviz.text import LANGUAGES, strings
from attnviz.trace.trace import Trace
from attnviz.views.pack import unpack


@pytest.fixture(scope="module")
def translated() -> Trace:
    return av.load("translate-en-zh").trace("I like cats.")


def header_of(trace: Trace, tab: str, site: str | None = None, lang: str = "en") -> dict:
    return unpack(views.stepper(chain(trace, tab, site), trace, lang=lang).payload)[0]


def test_the_map_counts_the_blocks_of_the_model_and_says_which_is_shown(translated) -> None:
    assert header_of(translated, "decoder", "decoder.1.self")["map"] == {
        "encoder": 2, "decoder": 2, "stack": "decoder", "layer": 1,
    }  # fmt: skip
    assert header_of(translated, "block", "encoder.0.self")["map"]["stack"] == "encoder"
    assert header_of(translated, "self")["map"] is None
    induction = av.load("induction").trace("a b a")
    assert header_of(induction, "decoder")["map"] == {"encoder": 0, "decoder": 2, "stack": "decoder", "layer": 0}


def test_a_decoder_block_has_three_sections_in_order(translated) -> None:
    header = header_of(translated, "decoder", "decoder.0.self")
    sections = [header["words"][step["words"]]["section"] for step in header["steps"]]
    assert list(dict.fromkeys(sections)) == ["", "masked-self", "cross", "ff"]
    assert sections == sorted(sections, key=["", "masked-self", "cross", "ff"].index) or sections[-1] == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_mask_and_cross_attention_are_for_is_said_at_their_steps(translated, lang: str) -> None:
    say = strings(lang)

    def said(tab: str, site: str) -> dict[str, str]:
        header = header_of(translated, tab, site, lang)
        return {step["name"]: header["words"][step["words"]]["says"] for step in header["steps"]}

    decoder = said("decoder", "decoder.0.self")
    assert decoder["masked"] == say("step-masked-causal-says") and decoder["q"] == say("step-q-says")
    for name in ("q", "k", "v", "raw", "masked", "weights", "context"):
        assert decoder[f"{name}.2"] == say(f"step-{name}-cross-says")
    assert said("self", "encoder.0.self")["masked"] == say("step-masked-says")
