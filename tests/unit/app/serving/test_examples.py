"""A prepared text opens with the head that was measured to do what it is about; a long one has the tokens it says."""

import pytest
from attnviz_app.serving import long_texts
from attnviz_app.serving.examples import CONTINUES, ORDINARY, PAIRS, PICKS, REPEATS, TRAINED, examples_of, pick_of

import attnviz as av
from attnviz.core.site import Site
from attnviz.text import LANGUAGES, strings
from attnviz.training.alignment import alignment_error_rates
from attnviz.training.best_heads import best_heads
from attnviz.training.head_scores import head_scores
from attnviz.views import Pick

MANY = 400  # validation examples, other ones than the head was chosen on
# Of each picked head: whose row, what it looks at most, and by at least how much.
SHOWS = {
    "minilm-l6": {
        "pronoun": ("it", "cat", 0.6), "meanings": ("bank", "river", 0.2), "agreement": ("are", "keys", 0.4),
        "repeats": ("chased", "chased", 0.4), "pieces": ("va", "bel", 0.4),
    },
    "smollm2-135m": {
        "next-capital": ("is", "France", 0.85), "next-name": ("to", "Mary", 0.6),
        "next-verb": ("cabinet", "keys", 0.85), "next-person": ("he", "brother", 0.75),
        "next-repeat": ("to", "Oslo", 0.85), "next-pattern": (":", "fruit", 0.7),
    },
}  # fmt: skip
# The word that is missing, and by at least how much it is the likeliest one.
MISSING = {
    "next-capital": ("Paris", 0.7), "next-name": ("Mary", 0.85), "next-verb": ("are", 0.1), "next-person": ("was", 0.2),
    "next-repeat": ("Oslo", 0.75), "next-pattern": ("flower", 0.5),
}  # fmt: skip


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


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_prepared_text_has_the_tokens_its_name_says_and_none_is_offered_beyond_the_limit(language) -> None:
    say, model = strings(language), long_texts.model("untrained-decoder", 1024)
    for name in long_texts.names(1024):
        text = long_texts.text(name, say)
        assert len(model.tokens(text, starts=True)) == int(name.removeprefix("long-"))
        assert say(f"example-{name}")
    assert long_texts.names(300) == ("long-64", "long-256")


def look(model, name: str) -> tuple[str, str, float]:
    """Whose row the pick of an example is, what it looks at most, and by how much."""
    pick, trace = PICKS[model.card.id][name], model.trace(strings("en")(f"example-{name}-text"))
    site = trace.sites[pick.layer]
    row = trace[site.key].weights(pick.head)[pick.token]  # [T_k]
    key = int(row.argmax())
    return trace.tokens.source.text[pick.token], trace.tokens.source.text[key], float(row[key])


@pytest.mark.parametrize("name", SHOWS["minilm-l6"])
def test_the_head_of_a_sentence_looks_at_what_the_sentence_is_about(minilm, name: str) -> None:
    query, key, weight = look(minilm, name)
    assert (query, key) == SHOWS["minilm-l6"][name][:2] and weight >= SHOWS["minilm-l6"][name][2]


@pytest.mark.parametrize("name", ORDINARY[CONTINUES])
def test_the_head_of_a_beginning_looks_at_what_the_missing_word_comes_from(smollm2, name: str) -> None:
    query, key, weight = look(smollm2, name)
    assert (query, key) == SHOWS["smollm2-135m"][name][:2] and weight >= SHOWS["smollm2-135m"][name][2]
    trace = smollm2.trace(strings("en")(f"example-{name}-text"))
    assert PICKS["smollm2-135m"][name].token == len(trace.tokens.source) - 1  # the row that writes it
    word, share = MISSING[name]
    assert trace.prediction.texts[-1][0] == word and float(trace.prediction.probabilities[-1][0]) >= share


def test_the_head_of_a_pronoun_looks_elsewhere_where_the_pronoun_means_another(smollm2) -> None:
    pick, say = PICKS["smollm2-135m"]["next-person"], strings("en")
    trace = smollm2.trace(say("example-pair-next-person-other"))  # she
    row = trace[trace.sites[pick.layer].key].weights(pick.head)[pick.token]  # [T_k]
    assert float(row[trace.tokens.source.text.index("brother")]) < 0.2


@pytest.mark.parametrize("name", PAIRS[CONTINUES])
def test_one_word_of_a_pair_changes_what_the_language_model_writes(smollm2, name: str) -> None:
    say = strings("en")
    both = [smollm2.trace(say(f"example-{name}-{which}")) for which in ("text", "other")]
    first, second = (trace.tokens.source.text for trace in both)
    assert len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1
    if name != "pair-next-person":  # whose head moves, see above
        assert both[0].prediction.texts[-1][0] != both[1].prediction.texts[-1][0]


def test_a_model_that_was_not_measured_has_the_texts_of_its_kind_and_no_head_of_another() -> None:
    for kind, texts in ORDINARY.items():
        assert examples_of(kind, "someone/a-model") == examples_of(kind) == dict.fromkeys(texts)
    assert examples_of(CONTINUES, "minilm-l6") == dict.fromkeys(ORDINARY[CONTINUES])
    assert set(PICKS["minilm-l6"]) < set(ORDINARY[None]) and set(PICKS["smollm2-135m"]) == set(ORDINARY[CONTINUES])


def test_ordinary_texts_are_the_same_in_every_language_so_a_pick_is_known_by_its_text() -> None:
    for name in (name for picks in PICKS.values() for name in picks):
        assert len({strings(language)(f"example-{name}-text") for language in LANGUAGES}) == 1
    assert pick_of("smollm2-135m", "The capital of France is") == PICKS["smollm2-135m"]["next-capital"]
    assert pick_of("smollm2-135m", "The capital of Italy is") is None
    assert pick_of("someone/a-model", "The capital of France is") is None
