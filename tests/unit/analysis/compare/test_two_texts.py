"""Two sentences of one model: words find their place, rows keep summing to 1, and the head that reads a word moves."""

import pytest
import torch

from attnviz.analysis.compare.two_texts import align, compare_texts
from attnviz.analysis.compare.units import Unit
from attnviz.core.errors import InputError
from attnviz.core.masks import Mask
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord
from attnviz.trace.sources import Kept
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Trace

pytestmark = pytest.mark.usefixtures("one_thread")


def words(*texts: str) -> list[Unit]:
    return [Unit(text, (at, at + 1), (at,), ()) for at, text in enumerate(texts, 1)]


def trace_of(text: str, *heads: torch.Tensor, name: str = "test") -> Trace:
    site, n = Site("encoder", "self", 0), len(text.split())
    scores = torch.stack(heads).clamp_min(1e-38).log()
    record = AttentionRecord(site, Kept(scores, torch.zeros(len(heads), n, 1), Mask(n, n)))
    tokens = Tokens.plain(text.split())
    return Trace(Card(name, name, "your code", 1, len(heads), 8), TokenPair(tokens), {site.key: record})


def test_a_swapped_word_shares_its_slot() -> None:
    slots, only_a, only_b = align(words("The", "cat", "sat"), words("the", "dog", "sat"))
    assert [(slot.a.text, slot.b.text, slot.is_swapped) for slot in slots] == [
        ("The", "the", False), ("cat", "dog", True), ("sat", "sat", False),
    ]  # fmt: skip
    assert not only_a and not only_b


def test_a_word_that_is_added_has_no_slot() -> None:
    slots, only_a, only_b = align(words("the", "cat", "sat"), words("the", "old", "cat", "sat"))
    assert [slot.a.text for slot in slots] == ["the", "cat", "sat"] and not only_a
    assert [word.text for word in only_b] == ["old"]


def test_repeated_words_are_found_although_they_are_numbered_otherwise() -> None:
    slots, *_ = align(words("the₁", "cat", "the₂", "mat"), words("the", "mat"))
    assert [(slot.a.text, slot.b.text) for slot in slots] == [("the₂", "the"), ("mat", "mat")]


def test_only_the_head_whose_rows_change_moves() -> None:
    even = torch.full((3, 3), 1 / 3)
    moved = torch.tensor([[1.0, 0, 0], [0, 0, 1], [0, 0, 1]])
    still = torch.tensor([[1.0, 0, 0], [1, 0, 0], [1, 0, 0]])
    found = compare_texts(trace_of("a cat sat", even, still), trace_of("a dog sat", even, moved))
    assert found.is_minimal_pair and found.heads["moved"].tolist() == pytest.approx([0, 2 / 3], abs=1e-6)
    assert found.heads["moved_elsewhere"].tolist() == pytest.approx([0, 0.5], abs=1e-6)  # rows a and sat
    assert found.heads["moved_most_at"].tolist()[1] in (1, 2)


def test_the_rest_of_a_sentence_is_one_more_column() -> None:
    """B's head looks at the added word alone: nothing of that lies on an aligned word, so it is one bit away."""
    found = compare_texts(
        trace_of("a cat", torch.eye(2)), trace_of("a big cat", torch.tensor([[0.0, 1, 0], [0, 1, 0], [0, 1, 0]]))
    )
    assert found.only_b == ("big",) and not found.is_minimal_pair
    assert found.js.tolist() == [pytest.approx([1.0, 1.0], abs=1e-6)]


def test_two_models_and_sentences_without_a_common_word_are_refused() -> None:
    one = torch.eye(2)
    with pytest.raises(InputError, match="in one model; these ran in test and other"):
        compare_texts(trace_of("a b", one), trace_of("a c", one, name="other"))
    with pytest.raises(InputError, match="share no word"):
        compare_texts(trace_of("a b", one), trace_of("c d", one))


def test_one_word_of_minilm_is_swapped(minilm) -> None:
    a, b = (minilm.trace(f"The trophy did not fit because it was too {word}.") for word in ("large", "small"))
    found = compare_texts(a, b)
    assert found.is_minimal_pair and len(found.heads) == 72 and len(found.slots) == len(a.tokens.source)
    assert float(found.js.max()) <= 1 and found.heads["moved"].max() > found.heads["moved"].median() > 0
