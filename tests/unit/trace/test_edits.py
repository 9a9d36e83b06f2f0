"""Edits that are asked for by name, and what an edit of an attention's call is given and may give."""

import re

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core.edit import refuse_unmatched
from attnviz.core.errors import CaptureError, InputError, TraceShapeError
from attnviz.core.ops import Call
from attnviz.trace.edits import CausalMask, HiddenToken, InHead, NoPositions, NoScaling, Temperature

TEXT = "a b c d"


@pytest.fixture(scope="module")
def model():
    return av.load("reverse")


@pytest.fixture(scope="module")
def plain(model):
    return model.trace(TEXT)


def traced(model, *edits):
    return model.trace(TEXT, "d c b a", edits)


def test_a_head_is_named_by_its_layer_or_by_its_attention(model, plain):
    both = traced(model, av.ablate("0.1"))
    for site in ("encoder.0.self", "decoder.0.self"):
        assert not both[site].context(1).any() and both[site].context(0).any()
    assert both["decoder.0.cross"].context(1).any()
    held = traced(model, av.ablate("encoder.0.self.1", "mean"))["encoder.0.self"].context(1)  # [T, d_v]
    mean = plain["encoder.0.self"].context(1).mean(0)  # [d_v]
    assert_close(held, mean.expand_as(held), rtol=0, atol=1e-5)
    for head in ("3", "encoder.0.self", 3, "encoder.0.self.-1"):
        with pytest.raises(InputError, match="names no head"):
            av.ablate(head)
    for how in ("zero", "edge"):
        with pytest.raises(InputError, match=f"how is '{how}'. Expected one of 'silence', 'mean'\\."):
            av.ablate("0.1", how)


def test_an_edit_where_there_is_no_such_layer_or_head_is_refused_with_those_there_are(model):
    for edit in (av.ablate("9.0"), av.ablate("decoder.9.self.0"), *av.cut([9], 1, 0)):
        with pytest.raises(
            CaptureError, match=r"no value matches .*9\.self.* in these layers, counted from 0: 0"
        ) as refused:
            traced(model, edit)
        assert "{layer}" not in str(refused.value)
    with pytest.raises(CaptureError, match=r"Expected a name such as encoder\.\{layer\}\.self\.context, decoder"):
        traced(model, av.ablate("other.0"))
    with pytest.raises(InputError, match=r"no head 9 at (en|de)coder\.1\.self\. It has 2 heads"):
        traced(model, av.ablate("1.9"))


def test_layers_that_do_not_follow_each_other_are_listed():
    names = [f"decoder.{layer}.self.context" for layer in (0, 1, 2, 5, 7, 8)]
    with pytest.raises(CaptureError, match="these layers, counted from 0: 0–2, 5, 7–8"):
        refuse_unmatched([av.ablate("4.0")], names)


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 64), (1, 64, 1), (1, 1, 1, 64)])
def test_a_vector_of_another_width_steers_nothing(model, shape):
    n = len(model.trace(TEXT).tokens.source)
    said = rf"vector has shape {re.escape(str(list(shape)))}\. Expected \[64\], or \[{n}, 64\]"
    with pytest.raises(InputError, match=said):
        traced(model, av.steer("encoder.1.in", torch.ones(shape)))


def test_a_vector_that_is_no_tensor_is_refused(model):
    with pytest.raises(InputError, match=r"vector is list\. Expected a tensor"):
        av.steer("encoder.1.in", [1.0] * 64)
    given = [torch.ones(shape) for shape in ((64,), (1, 64), (1, 1, 64))]
    one, *others = [traced(model, av.steer("encoder.1.in", vector))["encoder.1.self"].q() for vector in given]
    assert all(torch.equal(one, other) for other in others)


def test_one_edit_needs_no_list_and_what_is_none_is_refused(model):
    silent = av.ablate("encoder.0.self.1")
    one, several = (model.trace(TEXT, edits=edits)["encoder.1.self"].q() for edits in (silent, [silent]))
    assert torch.equal(one, several)
    with av.record(edits=av.Edit("weights", lambda name, weights: None, "left")) as run:
        av.attend(*torch.randn(3, 1, 2, 3, 4))
    assert run.edits[0].label == "left"
    for edits in (5, "1.0", [object()], silent.change):
        with pytest.raises(CaptureError, match="expected an edit, such as"):
            model.trace(TEXT, edits=edits)


def test_a_causal_mask_of_a_step_of_a_generation_hides_nothing_from_its_one_query():
    step = CausalMask(True).change("decoder.0.self.call", Call(1.0, torch.ones(1, 1, 1, 5, dtype=torch.bool)))
    assert step.mask.all()


def test_a_cut_edge_has_no_weight(model):
    weights = traced(model, av.cut("decoder.0.cross.1", 2, 3))["decoder.0.cross"].weights()  # [H, T_q, T_k]
    assert weights[1, 2, 3] == 0 and weights[0, 2, 3] > 0
    assert_close(weights.sum(-1), torch.ones(weights.shape[:2]))


def test_an_edge_to_a_token_that_is_not_there_is_refused_in_every_way_of_asking(model):
    n = len(model.trace(TEXT).tokens.source)
    for head in ("0.1", [0], "decoder.0.cross.1"):
        with pytest.raises(InputError, match=f"key=99, and the text has {n}.*Expected 0 to {n - 1}"):
            model.trace(TEXT, TEXT, edits=av.cut(head, 2, 99))
    with pytest.raises(InputError, match=f"query=99, and the text has {n}"):
        traced(model, av.cut("encoder.0.self.1", 99, 0))


def test_an_edge_is_cut_in_the_step_of_a_generation_that_reads_its_query():
    change = av.cut("decoder.0.self.0", 4, 1).change
    steps = [
        change("decoder.0.self.masked", torch.zeros(1, 2, n_queries, n)) for n_queries, n in ((4, 5), (1, 5), (1, 6))
    ]
    assert steps[0][0, 0, 3, 1] == steps[1][0, 0, 0, 1] == -torch.inf and steps[2] is None
    assert steps[0].isinf().sum() == steps[1].isinf().sum() == 1


def test_an_edge_is_cut_in_every_head_of_several_layers(model, plain):
    cut = traced(model, *av.cut([0, 1], 2, 1))
    for site in ("encoder.0.self", "encoder.1.self"):
        weights = cut[site].weights()  # [H, T, T]
        assert not weights[:, 2, 1].any() and weights[:, 1, 2].all()
    assert_close(cut["encoder.0.self"].weights()[:, 0], plain["encoder.0.self"].weights()[:, 0])
    alone = model.trace(TEXT, edits=av.cut(range(1, 2), 2, 1))
    assert alone["encoder.0.self"].weights()[:, 2, 1].all() and not alone["encoder.1.self"].weights()[:, 2, 1].any()
    for head in ([], None, 3):
        with pytest.raises(InputError, match="no head and no layers"):
            av.cut(head, 2, 1)


def test_a_vector_is_added_to_every_token(model, plain):
    vector = torch.arange(float(plain.stream["encoder.1.in"].shape[1]))
    steered = traced(model, av.steer("encoder.1.in", vector)).stream["encoder.1.in"]  # [T, d_model]
    assert_close(steered, plain.stream["encoder.1.in"] + vector, rtol=0, atol=1e-5)


def test_edits_of_the_call_are_in_the_record_in_the_order_they_came(model, plain):
    found = traced(model, NoScaling(), Temperature(4.0), HiddenToken(1, "encoder"), CausalMask(True))
    record = found["encoder.0.self"]
    assert record.source.scale == 0.25 and record.source.mask.causal and record.source.mask.padding[1] == 0
    assert not found["decoder.0.cross"].weights()[..., 1].any() and found["decoder.0.self"].weights()[..., 1].any()
    assert [(edit.kind, edit.value) for edit in found.edits] == [
        ("no scaling", None), ("temperature", 4.0), ("hidden", None), ("causal mask", None),
    ]  # fmt: skip
    scores = plain["encoder.0.self"].raw() / 4  # [H, T, T]
    allowed = torch.ones(scores.shape[1:], dtype=torch.bool).tril() & (torch.arange(scores.shape[2]) != 1)  # [T, T]
    assert_close(record.weights(), torch.softmax(scores.masked_fill(~allowed, float("-inf")), -1), rtol=0, atol=1e-5)


def test_an_edit_is_given_all_of_a_mask_and_one_that_names_no_call_is_not_given_it():
    q = torch.randn(1, 2, 3, 4)
    seen = []

    def look(name, call):
        seen.append((name, call))

    doubled = av.Edit("*", lambda name, value: value * 2, "doubled")
    with av.record(edits=[av.Edit("call", look, "seen"), doubled]), av.at("encoder.0.self"):
        av.attend(q, q, q, is_causal=True)
    ((name, call),) = seen
    assert name == "encoder.0.self.call" and call.is_causal is False
    assert torch.equal(call.mask, torch.ones(3, 3, dtype=torch.bool).tril())


@pytest.mark.parametrize(("change", "error", "says"), [
    (lambda name, call: call.scale, CaptureError, r"returned float\. Return call\._replace"),
    (lambda name, call: 1 / 0, CaptureError, r"failed at encoder\.0\.self\.call: ZeroDivisionError"),
    (lambda name, call: call._replace(mask=torch.ones(7, 7)), (TraceShapeError, av.errors.MaskError), "mask"),
    (HiddenToken(9, "encoder").change, InputError, "9"),
])  # fmt: skip
def test_a_call_that_cannot_be_used_is_refused(change, error, says):
    q = torch.randn(1, 2, 3, 4)
    edit = av.Edit("encoder.0.self.call", change, "mine")
    with pytest.raises(error, match=says), av.record(edits=[edit]), av.at("encoder.0.self"):
        av.attend(q, q, q)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_what_is_changed_in_one_head_leaves_the_numbers_of_the_others_as_they_are(dtype):
    q, k, v = torch.randn(3, 1, 3, 5, 6, dtype=dtype, generator=torch.Generator().manual_seed(0))  # [1, H, T, d_k]

    def weights(*edits):
        with av.record(edits=edits), av.at("encoder.0.self"):
            return av.attend(q, k, v)[1][0]  # [H, T, T]

    whole, one = weights(Temperature(4.0)), weights(InHead(Temperature(4.0), "encoder.0.self", 1, 3))
    plain = weights()
    assert torch.equal(one[[0, 2]], plain[[0, 2]]) and torch.allclose(one[1], whole[1], rtol=0, atol=1e-7)
    assert not torch.allclose(one[1], plain[1], rtol=0, atol=1e-3)


def test_torchs_own_attention_runs_with_the_call_that_an_edit_gives():
    layer = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
    x = torch.randn(1, 4, 8)
    causal = torch.ones(4, 4, dtype=torch.bool).triu(1)  # True = hidden, torch's meaning
    expected, weights = layer(x, x, x, attn_mask=causal)
    with av.record(edits=[CausalMask(True)]) as run, av.at("encoder.0.self"):
        out, own = layer(x, x, x)
    assert_close(out, expected, rtol=0, atol=1e-6)
    assert_close(own, weights, rtol=0, atol=1e-6)
    assert run.trace()["encoder.0.self"].source.mask.causal
    assert isinstance(run.call("encoder.0.self"), Call)


def test_without_positions_equal_words_are_equal_vectors(model):
    stream = model.trace("a b a b", "b", [NoPositions()]).stream["encoder.embed"]  # [T, d_model]
    assert torch.equal(stream[0], stream[2]) and not torch.equal(stream[0], stream[1])
