"""The words beside each step, in three languages, and the line of code that does it."""

import inspect
import re
from dataclasses import replace

import pytest

import attnviz as av
from attnviz.explanation import STEPS, TABS, chain, whatif
from attnviz.scratch.rebuilt import rebuilt
from attnviz.text import LANGUAGES, strings
from attnviz.views.stepper.chain_words import OTHER_TRIES, says_of, step_words, try_of
from attnviz.views.stepper.formula import own_formula, whole_formula
from tests.parity.tiny_models import traced_model

WORDS = 45  # of an explanation in English
CHARACTERS = 90  # of the same in Chinese, where a word is about two characters
QUOTED = {"en": r"“([^”]+)”", "zh-CN": r"“([^”]+)”", "zh-TW": r"「([^」]+)」"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_is_explained_briefly_and_says_one_thing_to_try(language):
    say = strings(language)
    assert not [step.name for step in STEPS if say(step.says) == say(step.try_this)]
    for id in (*(id for step in STEPS for id in (step.says, step.try_this)), *OTHER_TRIES):
        said = say(id).split() if language == "en" else say(id)
        assert 0 < len(said) <= (WORDS if language == "en" else CHARACTERS), id


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thing_to_try_names_controls_as_they_are_written_on_the_screen(language):
    words = strings(language)
    shown = {words(id) for id in words if id.startswith("view-stepper-") and not words.variables(id)}
    named = {
        name for id in (*(step.try_this for step in STEPS), *OTHER_TRIES)
        for name in re.findall(QUOTED[language], words(id))
    }  # fmt: skip
    assert len(named) >= 6
    assert named - shown == set()


def test_nothing_to_try_names_a_switch_that_the_lesson_lacks():
    trace = av.load("reverse").trace("a b c d")
    chains = {tab: chain(trace, tab) for tab in TABS}
    tries = {tab: [(step.key, try_of(step, each)) for step in each.steps] for tab, each in chains.items()}
    for key, said in tries["decoder"]:
        if key.endswith(".masked"):
            assert said == ("step-masked-cross-try" if ".cross." in key else "step-masked-try")
    assert "Causal mask" not in strings("en")("step-masked-cross-try")
    silence = strings("en")("view-stepper-silence")
    assert not [key for key, said in tries["block"] if silence in strings("en")(said)]
    assert [key for key, said in tries["heads"] if silence in strings("en")(said)]


def test_of_a_model_that_does_not_divide_nothing_says_that_it_does():
    made = chain(traced_model("t5").trace("cats"), "self")
    scores, whole = made["scores"], whole_formula(made) or []
    assert "√d_k" not in str(whole) and "· scale" in str(whole)
    for language in LANGUAGES:
        words = step_words(scores, made, strings(language))
        assert words["stop"] == "× scale"
        assert strings(language)("view-stepper-scaling") not in words["exercise"]
        assert words["says"] == strings(language)("step-scores-own-says")


@pytest.mark.parametrize(("site", "text", "says"), [
    ("decoder.0.self", "a longer text", "window"), ("decoder.0.self", "short", "causal"),
    ("decoder.1.self", "a longer text", "causal"),  # every second layer of Gemma 2 sees all
])  # fmt: skip
def test_a_mask_that_a_sliding_window_cuts_says_so(site, text, says):
    made = chain(traced_model("gemma2").trace(text), "self", site)
    assert says_of(made["masked"], made) == f"step-masked-{says}-says"


def test_a_hidden_token_is_no_window():
    model = rebuilt(traced_model("llama"))
    made = chain(whatif.run(model, model.trace("cats"), whatif.Switches(hidden=0)), "self")
    assert says_of(made["masked"], made) == "step-masked-causal-says"


def test_the_whole_formula_of_a_model_that_caps_its_scores_has_the_cap():
    """c·tanh((QKᵀ/√d_k)/c) stands between the softmax and + M."""
    whole = whole_formula(chain(traced_model("gemma2").trace("cats"), "self")) or []
    softmax, opened, cap, left, squeezed, right, mask, *_ = whole
    brackets = (softmax, opened, cap, left, right, mask)
    assert [part["text"] for part in brackets] == ["softmax", "(", "c·tanh", "(", ")", "+ M"]
    assert "√d_k" in str(squeezed["over"]) and squeezed["under"][0]["text"] == "c"
    assert "tanh" not in str(whole_formula(chain(traced_model("gemma3_text").trace("cats"), "self")))


@pytest.mark.parametrize(("switches", "formula", "scale", "stop"), [
    (whatif.Switches(), "raw/√d_k", "1/√dₖ", "÷ √d_k"),
    (whatif.Switches(temperature=2.0), "raw/(√d_k·τ)", "1/(√dₖ · τ)", "÷ √d_k ÷ τ"),
    (whatif.Switches(scaling=False), "raw", "1", "Undivided"),
    (whatif.Switches(scaling=False, temperature=2.0), "raw/τ", "1/τ", "÷ τ"),
])  # fmt: skip
def test_formula_code_rail_and_sentence_divide_alike_on_every_tab(switches, formula, scale, stop):
    model = av.load("reverse")
    run = whatif.run(model, model.trace("a b c d"), switches)
    for tab in TABS:
        made = chain(run, tab)
        whole = whole_formula(made)  # none of a whole block
        assert whole is None or ("√" in str(whole)) is switches.scaling, tab
        for scores in (step for step in made.steps if step.name == "scores"):
            words = step_words(scores, made, strings("en"))
            assert (words["stop"], words["code"]) == (stop, f"return raw * scale  # scale = {scale}"), tab
            assert says_of(scores, made) == ("step-scores-says" if switches.scaling else "step-scores-off-says")
    made = chain(run, "self")
    assert own_formula(made["scores"], lambda it: getattr(it, "matrix", it).name) == f"scores = {formula}"


@pytest.mark.parametrize(("switches", "ends"), [
    (whatif.Switches(), "frequency_i = θ^(−2i∕d_k); θ = 10000"),
    (whatif.Switches(theta=100.0), "frequency_i = θ^(−2i∕d_k); θ = 100"),
    (whatif.Switches(rotation=False), ""),
])  # fmt: skip
def test_the_formula_of_a_rotation_says_where_its_frequencies_come_from(switches, ends):
    model = rebuilt(traced_model("llama"))
    made = chain(whatif.run(model, model.trace("cats"), switches), "self")
    formula = own_formula(made["q-rotated"], lambda it: getattr(it, "matrix", it).name)
    pair = "a_rot = a·cos α − b·sin α; b_rot = a·sin α + b·cos α; α = t·frequency_i"
    assert formula == "; ".join([pair, *([ends] if ends else [])])


def test_a_rotation_that_was_stretched_for_longer_texts_says_so():
    style = av.models.AttentionStyle(rotary=av.models.RotaryStyle(factor=4.0, width=2))
    sizes = {"vocab_size": 11, "d_model": 12, "n_heads": 3, "n_layers": 1, "d_ff": 20, "max_tokens": 9}
    network = av.models.Decoder(replace(av.models.LLAMA, **sizes, attention=style)).eval()
    made = chain(av.load(network).trace([3, 1, 4]), "self")
    assert says_of(made["q-rotated"], made) == "step-rotated-stretched-says"
    formula = own_formula(made["q-rotated"], lambda it: getattr(it, "matrix", it).name)
    assert formula.endswith("frequency_i ≤ θ^(−2i∕2); θ = 10000")


def test_each_step_shows_the_line_of_this_project_that_does_it():
    for step in STEPS:
        assert step.code.__module__.startswith("attnviz.")
        lines = [line.strip().split("  #")[0] for line in inspect.getsource(step.code).splitlines()]
        assert step.line in lines, step.name


@pytest.mark.parametrize("family", ["llama", "qwen3", "gpt2", "bert", "gemma2", "gemma3_text", "gpt_neox"])
def test_each_step_of_a_run_is_said_in_each_language_and_shows_a_whole_line_of_this_project(family):
    trace = rebuilt(traced_model(family)).trace("A dog chased")
    for tab in TABS:
        made = chain(trace, tab)
        for step in made:
            assert all(step_words(step, made, strings(language))["exercise"] for language in LANGUAGES)
            code = [line.strip().split("  #")[0] for line in inspect.getsource(step.definition.code).splitlines()]
            assert step.definition.line in code, (tab, step.name)


@pytest.mark.parametrize("language", ["zh-CN", "zh-TW"])
def test_a_word_that_may_be_chinese_follows_chinese_without_a_blank(language):
    say = strings(language)
    for id in ("view-stepper-of-number", "view-stepper-said-largest"):
        assert not re.search(r"[\u4e00-\u9fff] \{(?:name|place)\}", say.view("stepper")[id]), id


@pytest.mark.parametrize("language", LANGUAGES)
def test_explanation_and_picture_have_one_word_for_the_numbers_of_a_norm(language):
    say = strings(language)
    for name in ("mean", "variance", "gain", "shift"):
        assert say(f"stepper-matrix-{name}") in say("step-norm-says"), name


@pytest.mark.parametrize(("layer", "first", "last"), [(0, "step-norm-says", "step-norm-last-block-says"),
                                                      (1, "step-norm-next-block-says", "step-norm-says")])  # fmt: skip
def test_a_step_that_reads_another_block_than_the_one_before_it_wrote_says_so(layer, first, last):
    trace = av.load("translate-en-zh").trace("She did not buy this book yesterday.")
    made = chain(trace, "decoder", f"decoder.{layer}.self")
    own = [says_of(made[name], made) for name in ("self-norm", "final-norm")]
    assert own == [first, last]
    is_passed_over = layer == 0
    assert step_words(made["final-norm"], made, strings("en"))["stop"] == ("… Norm" if is_passed_over else "Norm")
