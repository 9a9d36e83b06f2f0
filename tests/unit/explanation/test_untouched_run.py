"""A text is written anew by real runs, and the untouched run's numbers stand beside those of a changed one."""

import pytest
import torch

import attnviz as av
from attnviz.explanation import chain, slice_to_fit, whatif
from attnviz.explanation.untouched_run import before
from attnviz.explanation.whatif import Switches
from attnviz.explanation.written_text import written_anew, written_words
from attnviz.scratch.untrained import untrained


@pytest.mark.parametrize(("name", "text", "hidden", "was", "now"), [
    ("translate-en-zh", "She did not buy this book yesterday.", "not", "她昨天没买这本书。", "她昨天买了这本书。"),
    ("translate-zh-en", "她昨天没买书。", "没", "Shedidnotbuybooksyesterday.", "sheboughtbooksyesterday."),
    ("reverse", "k a b c", "a", "cbak", "cbk"),
])  # fmt: skip
def test_a_hidden_word_changes_what_is_written(name: str, text: str, hidden: str, was: str, now: str) -> None:
    model = av.load(name)
    base = model.trace(text)
    words = written_anew(model, base, Switches(hidden=base.tokens.source.text.index(hidden)))
    assert "".join(word.text for word in written_words(base)) == was
    assert "".join(word.text for word in words) == now
    assert all(0 < word.probability <= 1 for word in words)


def test_a_model_that_did_not_write_its_text_writes_none_anew() -> None:
    for model in (untrained("encoder-decoder"), untrained("decoder"), untrained("encoder")):
        base = model.trace("a b c")
        assert written_words(base) == () == written_anew(model, base, Switches(temperature=2.0))


@pytest.fixture(scope="module")
def runs():
    model = av.load("translate-en-zh")
    base = model.trace("She did not buy this book yesterday.")
    return base, whatif.run(model, base, Switches(hidden=base.tokens.source.text.index("not")))


@pytest.mark.parametrize("limit", [10**9, 100_000])  # bytes: whole matrices, and parts of them
def test_only_results_that_the_change_reached_have_a_before_and_it_is_the_untouched_runs(runs, limit: int) -> None:
    base, changed = runs
    untouched = chain(base, "decoder", "decoder.0.self", beside=changed)
    made = slice_to_fit(chain(changed, "decoder", "decoder.0.self", beside=base), limit)
    found = before(made, untouched)
    assert next(step.name for step in made.steps if step.key in found) == "k"  # of the source
    assert made["decoder.0.self.h0.weights"].key not in found
    step = made["decoder.0.cross.h0.weights"]
    whole = untouched["decoder.0.cross.h0.weights"].result.values
    assert torch.equal(found[step.key], whole) and not torch.equal(step.result.values, whole)


def test_the_most_probable_words_of_both_runs_are_the_columns_of_both(runs) -> None:
    base, changed = runs
    made = chain(changed, "decoder", "decoder.1.self", beside=base)
    untouched = chain(base, "decoder", "decoder.1.self", beside=changed)
    columns = made["probabilities"].result.columns
    assert columns.labels == untouched["probabilities"].result.columns.labels
    largest = torch.cat([one["probabilities"].result.values for one in (made, untouched)]).amax(0)  # [words]
    assert (largest.diff() <= 0).all()
    was = before(made, untouched)["decoder.probabilities"]
    following = base.tokens.target.text[1:]
    assert [columns.label(int(row.argmax())) for row in was[: len(following)]] == list(following)
    shown = slice_to_fit(made, 100_000)["probabilities"].result.columns
    assert set(following) <= set(shown.labels[: shown.count])
