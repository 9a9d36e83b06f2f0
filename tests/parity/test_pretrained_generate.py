"""A causal model continues a text by the tokens that the trace says are likeliest, and by none that it cannot read."""

import re
from copy import deepcopy
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz import views
from attnviz.core.errors import InputError
from attnviz.pretrained.lm_head import with_child
from attnviz.scratch.untrained import untrained
from attnviz.trace.generation import Stretch, is_written, read_back
from attnviz.trace.sampling import Sampling
from attnviz.views.pack import unpack
from tests.conftest import TINY
from tests.parity.tiny_models import eager_model, traced_model

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


@pytest.mark.parametrize("sampling", [None, Sampling(1.5, 20, 0.9, 3)])
def test_a_chosen_token_comes_first_and_the_model_goes_on_as_generate_does(sampling) -> None:
    model = readable()
    given = model.trace(TEXT)
    ids = given.tokens.source.ids
    chosen = int(given.prediction.ids[-1, 4])
    counted: list[int] = []
    continued = model.write_on(TEXT, 6, sampling=sampling, chosen=chosen, on_token=counted.append)
    expected = model.generate([*ids, chosen], 5, sampling=sampling)
    trace = model.trace(continued.text)
    assert trace.tokens.source.ids == expected.ids and len(expected.ids) == len(ids) + 6
    assert (continued.first, continued.n, counted) == (len(ids), 6, [1, 2, 3, 4, 5])
    stretches = [Stretch(len(ids), 6, sampling, is_chosen=True)]
    assert is_written(model, trace.tokens.source, stretches)
    assert not is_written(model, trace.tokens.source, [replace(stretches[0], is_chosen=False)])
    assert not is_written(model, trace.tokens.source, [replace(stretches[0], n=7)])
    assert not is_written(model, trace.tokens.source, [])
    with pytest.raises(InputError, match="no token"):
        model.write_on(TEXT, 6, chosen=10**6)


def test_a_chosen_end_token_ends_the_text() -> None:
    ended = readable().write_on(TEXT, 8, chosen=TINY["gpt2"]["eos_token_id"])
    assert (ended.text, ended.n, ended.has_ended) == (TEXT, 0, True)


def test_the_probability_of_each_written_token_is_that_of_transformers_also_of_an_unlikely_one() -> None:
    model, hot = readable(), Sampling(temperature=50.0, seed=2)
    continued = model.write_on(TEXT, 12, sampling=hot)
    trace = model.trace(continued.text)
    stretch = Stretch(continued.first, continued.n, hot)
    written = unpack(views.heads(trace, written_from=[stretch]).payload)[0]["written"]
    ids = torch.tensor([trace.tokens.source.ids])  # [1, T]
    with torch.no_grad():
        shares = model.lm_head.whole(input_ids=ids).logits[0].softmax(-1)  # [T, V]
    places = range(continued.first, continued.first + continued.n)
    expected = [float(shares[at - 1, ids[0, at]]) for at in places]
    assert None in written["ranks"], "one of them has to be outside the likeliest 20"
    assert written["shares"] == pytest.approx(expected, rel=1e-4, abs=1e-9)
    ranks = [int((shares[at - 1] > shares[at - 1, ids[0, at]]).sum()) for at in places]
    assert [rank if rank < 20 else None for rank in ranks] == written["ranks"]
    assert written["how"] == ["T 50 · seed 2"] * continued.n


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
    reads = "writes-nothing", "reads text here and writes none"
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


def silenced(name, context):
    """Head 1 gives nothing, in whichever step."""
    return context.index_fill(1, torch.tensor(1), 0.0)


@pytest.mark.parametrize("model_type", ["llama", "gemma2", "gptj"])
def test_a_generation_with_an_edit_writes_what_transformers_writes_with_a_hook(model_type) -> None:
    model, whole = traced_model(model_type), deepcopy(eager_model(model_type))
    ids, n, site = model.tokenizer.tokens(TEXT).ids, 9, "decoder.1.self"
    blocks = next(part for part in whole.modules() if isinstance(part, torch.nn.ModuleList))
    attention = getattr(blocks[1], "self_attn", None) or blocks[1].attn
    w_o = getattr(attention, "o_proj", None) or attention.out_proj
    width = model.trace(TEXT)[site].source.v.shape[-1]

    def hook(module, read):
        changed = read[0].clone()
        changed[..., width : 2 * width] = 0.0
        return (changed,)

    def theirs(**more):
        given = torch.tensor([ids])
        return whole.generate(
            given, attention_mask=torch.ones_like(given), do_sample=False, max_new_tokens=n, pad_token_id=0,
            return_dict_in_generate=True, output_scores=True, **more,
        )  # fmt: skip

    own = model.generate(ids, n, edits=[av.Edit(f"{site}.context", silenced, "no head 1")])
    untouched = model.generate(ids, n)
    assert list(untouched.ids) == theirs().sequences[0].tolist() and untouched.steps[0].logits.shape == (300,)
    w_o.register_forward_pre_hook(hook)
    expected = theirs()
    assert list(own.ids) == expected.sequences[0].tolist()
    for step, scores in zip(own.steps, expected.scores, strict=True):
        assert_close(step.logits, scores[0], rtol=0, atol=1e-4)
    assert not torch.equal(own.steps[0].logits, untouched.steps[0].logits)
    if model_type != "gptj":  # whose attention is read from its operators
        whole_run = model.trace(own.ids, edits=[av.Edit(f"{site}.context", silenced, "no head 1")])
        for at in (0, 4, 8):
            row = len(ids) - 1 + at
            weights = own.steps[at][f"{site}.weights"]  # [1, H, T_q, T_k]
            assert_close(weights[0, :, -1], whole_run[site].weights()[:, row, : row + 1], rtol=0, atol=1e-5)


def test_a_drawn_generation_is_drawn_again_by_its_seed_and_records_its_steps() -> None:
    model = readable()
    one, same, other = (model.generate(TEXT, 12, temperature=3.0, seed=seed) for seed in (1, 1, 2))
    assert one == same != other and one == model.generate(TEXT, 12, sampling=Sampling(temperature=3.0, seed=1))
    assert len(one.steps) == 12 and "".join(step.text for step in one.steps) == one
    first = one.steps[0]
    assert first.probability == pytest.approx(float(first.logits.softmax(-1)[one.ids[22]]))


def test_an_edit_acts_in_every_step_of_a_model_with_two_stacks_and_one_that_matches_nothing_is_refused() -> None:
    model = traced_model("t5")
    own = model.generate(TEXT, 6, edits=[av.Edit("decoder.1.cross.context", silenced, "no head 1")])
    for step in own.steps:
        assert not step["decoder.1.cross.context"][:, 1].any() and step["decoder.1.cross.context"][:, 0].any()
    assert own.steps[1]["decoder.0.cross.weights"].shape[-2:] == (1, len(model.tokenizer.tokens(TEXT)))
    for one, pattern in ((model, "decoder.9.cross.context"), (traced_model("gpt2"), "nothing")):
        with pytest.raises(av.AttnvizError, match="changes nothing"):
            one.generate(TEXT, 2, edits=[av.Edit(pattern, silenced, "none")])


def test_a_text_goes_on_with_a_chosen_word_after_an_empty_line(smollm2):
    """At the end of a text the two new lines are one token, and two before a word."""
    before, n = "The capital of France is London.\n\n", 9  # six words, the stop and two new lines
    assert smollm2.trace(f"{before}The answer is").tokens.source.text[n] == "The"
    assert len(smollm2.trace(before).tokens.source) < n
    chosen = smollm2.trace(before + "This").tokens.source.ids[-1]
    continued = smollm2.write_on(before, 6, chosen=chosen)
    assert (continued.first, continued.n) == (n, 6)
    assert continued.text == f"{before}This{smollm2.generate(before + 'This', 5)}"
    tokens = smollm2.trace(continued.text).tokens.source
    assert is_written(smollm2, tokens, [Stretch(6, n - 6), Stretch(n, 6, is_chosen=True)])
