"""What is no model, trace, head, token or choice is refused in a sentence."""

import pandas as pd
import pytest
import torch
from transformers import AutoModelForCausalLM

import attnviz as av
from attnviz.core.errors import AttnvizError
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.build import build
from tests.conftest import TINY
from tests.parity.tiny_models import byte_tokenizer, eager_module

TEXT, OTHER = "a 1 k e u c v s a", "f 1 k e u c v s a"
SITE = "decoder.1.self"


@pytest.mark.parametrize(("call", "words"), [
    (lambda model, trace: av.circuits("induction"), "is no model"),
    (lambda model, trace: av.circuits(trace), "is no model"),
    (lambda model, trace: av.patch("induction", TEXT, TEXT), "is no model"),
    (lambda model, trace: av.patch(model, TEXT, TEXT), "reads the same tokens"),
    (lambda model, trace: av.patch(model, "a 1 k", "a 1 k e"), "Write two of the same length"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, "neurons"), "Expected one of 'heads'"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, metric=torch.mean),
     r"metric gave a tensor \[\]. Expected a tensor \[1\]"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, metric=lambda logits: 3.0), "metric gave float"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, metric=(0, 99_999)), "99999 is no token"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, metric=3), "Expected a function, or two tokens"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, metric=(1, 2, 3)), "or two tokens"),
    (lambda model, trace: av.wrote(trace, 5, "no such thing"), "is no token of"),
    (lambda model, trace: av.patch(model, TEXT, OTHER, metric=("1", " 1")), "' 1' is no token of"),
    (lambda model, trace: av.wrote(trace, 5, "1", against="1"), "Both are token"),
    (lambda model, trace: av.why(None, SITE, 0, 9, 2), "is no trace"),
    (lambda model, trace: av.wrote(None, 3, 7), "is no trace"),
    (lambda model, trace: av.logit_lens("x"), "is no trace"),
    (lambda model, trace: av.why(trace, SITE, None, 9, 2), "There is no head None"),
    (lambda model, trace: av.why(trace, SITE, "x", 9, 2), "There is no head x"),
    (lambda model, trace: av.why(trace, SITE, 0, 99, 0), "and the text has 10 tokens"),
    (lambda model, trace: av.why(trace, SITE, 0, 2, 5), "Token 2 cannot look at token 5: the mask hides it"),
    (lambda model, trace: av.why(trace, SITE, 0, 9, 2).frame("foo"), "Expected one of 'pair', 'query', 'key'"),
    (lambda model, trace: av.why(trace, SITE, 0, 9, 2).sources("foo"), "Expected one of 'query', 'key'"),
    (lambda model, trace: av.logit_lens(trace, top=0), "from 1 to 100"),
    (lambda model, trace: av.logit_lens(trace, top="x"), "from 1 to 100"),
    (lambda model, trace: av.logit_lens(trace, top=10**9), "from 1 to 100"),
])  # fmt: skip
def test_what_cannot_be_used_is_refused_in_a_sentence(trained, call, words):
    with pytest.raises(AttnvizError, match=words):
        call(trained, trained.trace(TEXT))


def test_numbers_of_numpy_and_torch_are_numbers_and_tokens_may_be_named(trained):
    trace, numpy = trained.trace(TEXT), pd.Series([9, 2, 1, 8]).to_numpy()
    last, key, head, token = numpy
    first = trace.prediction.ids[last, 0]  # a tensor
    assert av.why(trace, SITE, head, last, key).score == av.why(trace, SITE, 1, 9, 2).score
    assert av.why(trace, SITE, 1, -1, -8).score == av.why(trace, SITE, 1, 9, 2).score  # counted from the end
    for position in (last, -1):
        assert av.wrote(trace, position, first, token).frame().equals(av.wrote(trace, 9, "1", "a").frame())
    found = [av.patch(trained, TEXT, OTHER, metric=metric, position=last).table
             for metric in ((int(first), 8), [first, token], ("1", "a"))]  # fmt: skip
    assert found[0].equals(found[1]) and found[0].equals(found[2])


@pytest.fixture(scope="module")
def bytewise():
    """GPT-2 with a vocabulary that has s, dot and 我 with a blank before them and without, and " cat" alone."""
    我 = byte_tokenizer().tokenize("我")
    pairs = (("Ġ", "s"), ("Ġ", "."), ("Ġ", "c"), ("Ġc", "a"), ("Ġca", "t"), (我[0], 我[1]), (我[0] + 我[1], 我[2]),
             ("Ġ", "".join(我)))  # fmt: skip
    module = eager_module("gpt2", TINY["gpt2"], AutoModelForCausalLM)
    return build(module, byte_tokenizer(pairs), Origin("bytes", "bytes"))


@pytest.mark.parametrize(("name", "piece"), [
    (" cat", "Ġcat"), ("Ġcat", "Ġcat"), ("cat", "Ġcat"), ("s", "Ġs"), (" s", "Ġs"), ("Ġs", "Ġs"), (".", "."),
    (" .", "Ġ."), ("我", "æĪĳ"), (" 我", "ĠæĪĳ"), ("ĠæĪĳ", "ĠæĪĳ"), (" ", "Ġ"), ("␣", "Ġ"), ("\n", "Ċ"), ("⏎", "Ċ"),
])  # fmt: skip
def test_a_text_names_one_token_at_every_position(bytewise, name, piece):
    trace = bytewise.trace("a s cat s.")
    number = bytewise.tokenizer.backend.token_to_id(piece)
    assert {av.wrote(trace, position, name).token for position in range(len(trace.tokens.source))} == {number}


def test_tokens_that_differ_by_a_blank_are_told_apart(bytewise):
    inside = bytewise.tokenizer.backend.token_to_id("s")
    patched = av.patch(bytewise, "a s", "a .", metric=("s", inside))
    assert patched.metric == "logit of ' s' − logit of 's', at token 1" and patched.texts == (" s", "s")
    found = av.wrote(bytewise.trace("a s"), 1, " cat", against=inside)
    assert (found.text, found.against_text) == ("cat", "s")
