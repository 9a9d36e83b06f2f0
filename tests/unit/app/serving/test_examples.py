"""A prepared text opens with the head that was measured to do what it is about; a long one has the tokens it says."""

import pytest
from attnviz_app.serving import long_texts
from attnviz_app.serving.examples import ENGLISH, REPEATS, TRAINED, examples_of

import attnviz as av
from attnviz.core.site import Site
from attnviz.text import strings
from attnviz.training.alignment import alignment_error_rates
from attnviz.training.best_heads import best_heads
from attnviz.training.head_scores import head_scores
from attnviz.views import Pick

MANY = 400  # validation examples, other ones than the head was chosen on


@pytest.mark.parametrize("name", ["translate-en-zh", "translate-zh-en"])
def test_the_head_of_a_translator_s_examples_has_the_lowest_alignment_error(name: str) -> None:
    model = av.load(name)
    rates = alignment_error_rates(model.network, model.task, model.task.examples("validation", MANY, 29))
    lowest = min(float(rate) for by_head in rates.values() for rate in by_head)
    (pick,) = set(examples_of(name, name).values())
    assert float(rates[Site("decoder", "cross", pick.layer)][pick.head]) == lowest


def test_the_heads_of_induction_are_those_of_its_two_answers() -> None:
    heads, model = best_heads(av.load("induction")), av.load("induction")
    examples = model.task.examples("validation", MANY, 29)
    for name, scores in head_scores(model.network, model.task, examples).items():
        best = max(float(score) for by_head in scores.values() for score in by_head)
        assert float(scores[heads[name].site][heads[name].head]) >= best - 0.01
    previous, induction = (Pick(layer, heads[name].head) for layer, name in enumerate(("previous", "induction")))
    assert examples_of("induction", "induction") == {
        **dict.fromkeys(REPEATS, induction), "repeat-previous": previous,
    }  # fmt: skip


def test_every_example_of_the_others_that_ship_has_a_head_and_none_of_a_task_without_a_model() -> None:
    for name in ("reverse", "translate-en-zh-tw"):
        assert all(isinstance(pick, Pick) for pick in examples_of(av.load(name).task.name, name).values())
    assert set(examples_of("copy").values()) == {None} and list(examples_of("copy")) == list(TRAINED["copy"])
    assert examples_of(None) == ENGLISH  # which keep theirs


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_prepared_text_has_the_tokens_its_name_says_and_none_is_offered_beyond_the_limit(language) -> None:
    say, model = strings(language), long_texts.model("untrained-decoder", 1024)
    for name in long_texts.names(1024):
        text = long_texts.text(name, say)
        assert len(model.tokens(text, starts=True)) == int(name.removeprefix("long-"))
        assert say(f"example-{name}")
    assert long_texts.names(300) == ("long-64", "long-256")
