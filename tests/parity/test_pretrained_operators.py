"""Models with attention code of their own, read by the operators they run: axes, masks, edits, memory, and q·k."""

from dataclasses import replace

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from attnviz.core.errors import TooLong, TraceShapeError, UnsupportedModel
from attnviz.pretrained.capture import memory_limit
from attnviz.pretrained.capture.operators import TAG, FollowOperators
from attnviz.pretrained.loading import build
from attnviz.pretrained.reference_weights import check_texts, eager_weights
from attnviz.pretrained.self_check import largest_from_eager, learned_scale
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Kept
from attnviz.views.heads.vectors import features
from tests.conftest import BY_OPERATORS, SMALL, WITHOUT_MATRICES
from tests.parity.tiny_models import eager_model, forward, seeded, traced_model

TEXT = "by operators"
LAYERS_AND_HEADS = 2 * 4  # of the tiny models


@pytest.mark.parametrize("model_type", BY_OPERATORS)
def test_scores_before_the_mask_are_kept_where_a_query_cannot_attend(model_type):
    trace = traced_model(model_type).trace(TEXT)

    for record in trace.records.values():
        scores = record.scores()  # [H, T, T]
        assert isinstance(record.source, Kept) and torch.isfinite(scores).all() and float(scores.abs().max()) < 1e3
        assert record.source.mask.causal == (record.site.stack == "decoder")


@pytest.mark.parametrize("model_type", BY_OPERATORS)
def test_following_the_operators_changes_no_bit_and_leaves_nothing_behind(model_type):
    whole = eager_model(model_type)
    ids = torch.tensor([[5, 6, 7, 8, 9]])
    with torch.inference_mode():
        plain = whole(input_ids=ids).logits
        with FollowOperators(1) as mode:
            followed = whole(input_ids=ids).logits
        after = whole(input_ids=ids).logits

    assert torch.equal(plain, followed) and torch.equal(plain, after)
    assert len(mode.calls) == 2
    assert not any(hasattr(parameter, TAG) for parameter in whole.parameters())


@pytest.mark.parametrize(("model_type", "of_pair", "of_token"), [  # bytes
    ("deberta-v2", LAYERS_AND_HEADS * 4, 0),  # scores
    ("falcon", LAYERS_AND_HEADS * 4, 2 * 4 * (4 * 8 + 1 * 8)),  # scores; q of four heads and k of one
    ("t5", 2 * 4 * 4, 0),  # a bias of four heads, and its sum with the mask
    ("mistral", 1, 0),  # a window's mask
])  # fmt: skip
def test_texts_that_take_too_much_memory_are_refused_before_they_run(model_type, of_pair, of_token, monkeypatch):
    model = traced_model(model_type)
    target = "y" if model.writer else None
    monkeypatch.setattr(memory_limit, "LIMIT_BYTES", 20 * 20 * of_pair + 20 * of_token)

    assert model.trace("x" * 20, target).verified.holds
    with pytest.raises(TooLong, match=r"which is 20 tokens\. Trace the first part") as error:
        model.trace("x" * 21, target)
    assert error.value.id == "too-long-for-pairs"
    assert error.value.arguments["limit"] == error.value.arguments["characters"] == 20
    assert model.first_part("x" * 21) == "x" * 20
    if target is None and of_token == 0:
        with pytest.raises(TooLong, match="which is 14 tokens"):  # two texts share the memory
            model.traces(["x" * 20, "x" * 20])


def test_a_model_that_breaks_while_it_is_captured_is_refused_in_a_sentence(monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("shapes do not fit\nand more")

    monkeypatch.setattr(build, "self_check", broken)
    with pytest.raises(UnsupportedModel, match=r"while its attention is captured: shapes do not fit\. Choose") as error:
        seeded("bert", SMALL)
    assert error.value.id == "not-watchable"


@pytest.mark.parametrize("model_type", ["falcon", "deberta-v2", "t5"])
def test_a_trace_of_kept_scores_or_of_two_texts_is_read_back_from_its_file(model_type, tmp_path):
    trace = traced_model(model_type).trace(TEXT, "written" if model_type == "t5" else None)
    trace.save(tmp_path / "kept.safetensors")
    again = Trace.load(tmp_path / "kept.safetensors")

    assert again.tokens == trace.tokens and torch.equal(again.prediction.ids, trace.prediction.ids)
    for site in trace.sites:
        assert_close(again[site].weights(), trace[site].weights(), rtol=0, atol=1e-6)  # memory is laid out anew
        (facts, ours), (read, theirs) = (features(it, site, 2, None) for it in (trace, again))
        assert facts == read and ours.keys() == theirs.keys()
        assert all((ours[name] == theirs[name]).all() for name in ours)


def test_queries_that_do_not_fit_the_scores_are_refused():
    source = traced_model("falcon").trace(TEXT)["decoder.0.self"].source
    with pytest.raises(TraceShapeError, match="cannot make scores of this shape"):
        replace(source, product=replace(source.product, q=source.product.q[:, 1:]))


@pytest.mark.parametrize("model_type", WITHOUT_MATRICES)
def test_a_model_without_matrices_is_refused_with_the_reason(model_type):
    sizes, reason = WITHOUT_MATRICES[model_type]
    with pytest.raises(UnsupportedModel, check=lambda error: error.id == reason):
        seeded(model_type, {"vocab_size": 300, "pad_token_id": 0} | sizes)


def test_a_hybrid_model_lists_the_layers_without_attention():
    model = seeded("jamba", {
        "hidden_size": 32, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2,
        "intermediate_size": 32, "vocab_size": 300, "attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 1,
        "mamba_d_state": 4, "mamba_dt_rank": 4, "use_mamba_kernels": False,
    })  # fmt: skip
    trace = model.trace(TEXT)

    assert model.card.n_layers == 4 and model.card.layers_without_attention == (0, 2)
    assert [site.key for site in trace.sites] == ["decoder.1.self", "decoder.3.self"] and trace.verified.holds


def followed(make, seed: int):
    """q, k, and the call of an attention whose scores `make` makes of q, k [2, 3, 5, 4]."""
    generator = torch.Generator().manual_seed(seed)
    q, k, v = (torch.randn(2, 3, 5, 4, generator=generator) for _ in range(3))  # [B, H, T, d_k]
    with torch.inference_mode(), FollowOperators(2) as mode:
        F.softmax(make(q, k), dim=-1) @ v
    (call,) = mode.calls
    return q, k, call


def baddbmm(q, k):
    """Half of q·k and two terms, heads and texts in one axis as BLOOM has them."""
    made = TERM.expand(6, 5, 5).baddbmm(q.flatten(0, 1), k.flatten(0, 1).mT, beta=2, alpha=0.5)
    return made.view(2, 3, 5, 5)


LATER = torch.full((5, 5), float("-inf")).triu(1)  # hides later keys
TERM = torch.arange(25.0).view(5, 5) / 8


@pytest.mark.parametrize(("make", "scale", "term"), [
    (lambda q, k: q @ k.mT * 0.5, 0.5, 0),
    (lambda q, k: 0.5 * torch.matmul(q, k.mT) / torch.tensor(2.0), 0.25, 0),
    (lambda q, k: (q @ k.mT).div_(4).add_(LATER), 0.25, 0),
    (lambda q, k: (q @ k.mT / 4 + LATER).clamp(min=torch.finfo(torch.float32).min), 0.25, 0),
    (lambda q, k: (q @ k.mT + TERM) * 0.5, 0.5, TERM / 2),
    (lambda q, k: (q @ k.mT / 2 - 1.5).masked_fill(LATER < 0, -1e9), 0.5, -1.5),
    (baddbmm, 0.5, TERM * 2),
    (lambda q, k: (q @ k.mT + LATER) / 4 + TERM, 0.25, TERM),  # masked before they are scaled
    (lambda q, k: q @ k.mT / 4 + TERM + LATER, 0.25, TERM),
])  # fmt: skip
def test_scores_are_kept_scaled_and_unmasked_and_their_scale_is_learned_from_two_texts(make, scale, term):
    (q, k, call), (_, _, other) = followed(make, 5), followed(make, 6)

    assert torch.equal(call.q, q) and torch.equal(call.k, k)
    assert_close(call.scores, q @ k.mT * scale + term, rtol=0, atol=1e-6)
    assert learned_scale(call, other) == (scale, not torch.as_tensor(term).any())


@pytest.mark.parametrize("make", [
    lambda q, k: torch.tanh(q @ k.mT),  # other numbers
    lambda q, k: q @ k.mT * torch.arange(1.0, 4.0)[:, None, None],  # a scale for each head
    lambda q, k: q @ k.mT * 0.3,  # no usual scale
    lambda q, k: (k @ q.mT).mT,  # the product of keys and queries, transposed
])  # fmt: skip
def test_scores_that_are_not_one_scaled_product_and_a_term_have_no_scale(make):
    assert learned_scale(followed(make, 5)[2], followed(make, 6)[2]) is None


def test_a_site_taken_for_another_is_refused_by_the_self_check():
    model, whole = traced_model("bloom"), eager_model("bloom")
    sites = model.backend.sites
    swapped = dict(zip(sites, reversed(sites.values()), strict=True))
    wrong = replace(model, backend=replace(model.backend, sites=swapped))
    text, _ = check_texts(whole.config, 300)
    expected = eager_weights(whole, text, name="bloom")

    assert largest_from_eager(forward(model, text.source), expected, name="bloom") < 1e-5
    ran = forward(wrong, text.source)
    ran.run.operator_calls = dict(sorted(ran.run.operator_calls.items()))  # in the order that eager's are in
    with pytest.raises(UnsupportedModel, match="differ from its own", check=lambda it: it.id == "probe-difference"):
        largest_from_eager(ran, expected, name="bloom")
