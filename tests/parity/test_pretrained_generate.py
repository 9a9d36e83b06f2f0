"""A causal model continues a text by the tokens that the trace says are likeliest, and by none that it cannot read."""

import re
from dataclasses import replace

import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.pretrained.lm_head import with_child
from attnviz.scratch.untrained import untrained
from attnviz.trace.generation import read_back
from tests.conftest import TINY
from tests.parity.tiny_models import traced_model

TEXT = "The cat sat on the mat"


def readable(likeliest: int | None = None):
    """A tiny model whose head knows ASCII alone, so that what it writes is a text; or one token before all others."""
    model = traced_model("gpt2")
    table = model.tokenizer.backend.get_vocab()
    letters = [number for piece, number in table.items() if len(piece) == 1 and piece.isascii() and piece.isprintable()]
    whole = model.lm_head.whole
    bias = torch.full((whole.config.vocab_size,), -100.0)
    bias[letters if likeliest is None else likeliest] = 0.0
    biased = torch.nn.Linear(whole.lm_head.in_features, whole.lm_head.out_features)
    with torch.no_grad():
        biased.weight.copy_(whole.lm_head.weight)
        biased.bias.copy_(bias)
    return replace(model, lm_head=replace(model.lm_head, whole=with_child(whole, "lm_head", biased.eval())))


@pytest.mark.parametrize(("kind", "load", "text", "n", "first"), [
    ("pretrained", readable, TEXT, 8, 22),
    ("untrained", lambda: untrained("decoder"), "The cat, it sat.", 4, 7),
    ("trained", lambda: av.load("induction"), "a b c a b", 3, 6),
])  # fmt: skip
def test_each_written_token_is_the_likeliest_of_the_row_before_it_but_for_marks(kind, load, text, n, first) -> None:
    model = load()
    continued = model.write_on(text, n)
    trace = model.trace(continued.text)
    found, tokens = trace.prediction, trace.tokens.source
    likeliest = [next(id for id, text in zip(*row, strict=True) if not re.match("<.+", text))
                 for row in zip(found.ids.tolist(), found.texts, strict=True)]  # fmt: skip
    assert likeliest[first - 1 : -1] == list(tokens.ids[first:])
    assert (continued.first, continued.n, len(tokens), continued.has_ended) == (first, n, first + n, False)
    if kind == "untrained":  # with words of the text
        assert {*tokens.pieces[first:]} <= {*tokens.pieces[1:first]}
    else:
        assert continued.text == text + (" " if kind == "trained" else "") + model.generate(text, n)


def test_the_end_token_ends_a_text_and_is_no_part_of_it() -> None:
    ended = readable(TINY["gpt2"]["eos_token_id"]).write_on(TEXT, 8)
    assert (ended.text, ended.n, ended.has_ended) == (TEXT, 0, True)


def test_no_token_is_written_beyond_the_places_of_the_model() -> None:
    model = readable()
    full = "a" * (model.tokenizer.limit - 2)
    assert model.write_on(full, 8).n <= 2
    assert model.write_on(full + "aa", 8) == replace(model.write_on(full + "aa", 8), text=full + "aa", n=0)


def test_what_cannot_be_read_in_the_same_tokens_is_left_out() -> None:
    letters = {1: "a", 2: "b", 3: "�"}

    def decode(ids):
        return "".join(letters[number] for number in ids)

    def read(text):
        return [{"a": 1, "b": 2}.get(letter, 9) for letter in text]

    assert read_back("a", [1], [2, 1, 3], decode, read) == ("aba", 2)
    assert read_back("a", [1], [3], decode, read) == ("a", 0)


def test_a_model_that_reads_alone_or_writes_another_text_continues_nothing() -> None:
    reads = "writes-nothing", "reads text but writes none"
    for write, id, says in (
        (traced_model("bert").write_on, *reads),
        (traced_model("bert").generate, *reads),
        (untrained("encoder").write_on, *reads),
        (traced_model("bart").write_on, "continues-nothing", "reads one text and writes another"),
        (av.load("reverse").write_on, "continues-nothing", "reads one text and writes another"),
    ):
        with pytest.raises(InputError, match=says) as error:
            write(TEXT)
        assert error.value.id == id and not write.__self__.can_write_on


def test_no_tokens_are_none() -> None:
    for model in (traced_model("gpt2"), untrained("decoder"), av.load("induction")):
        assert model.write_on("a b c", 0).n == 0, model.card.name
    assert traced_model("bart").generate(TEXT, 0) == ""
