"""Models written by hand, read by the operators they run: layouts, masks, edits, memory; and those with no matrices."""

from dataclasses import replace

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close
from transformers import AutoConfig, AutoModel

from attnviz.core.capture import Edit
from attnviz.core.errors import CaptureError, TooLong, TraceFileError, UnsupportedModel
from attnviz.pretrained.capture import memory_limit
from attnviz.pretrained.capture.operators import TAG, Following, OperatorPass
from attnviz.pretrained.loading.build import ready
from attnviz.pretrained.reference import eager_weights, probes
from attnviz.pretrained.self_check import probe_difference
from attnviz.trace.records import Kept
from attnviz.trace.trace import Card, Trace
from attnviz.views.heads.vectors import features
from tests.conftest import BY_OPERATORS, SMALL, WITHOUT_MATRICES
from tests.parity.tiny_models import byte_tokenizer, eager_model, traced_model

TEXT = "by operators"


def loaded(model_type: str, **sizes):
    torch.manual_seed(0)
    config = AutoConfig.for_model(model_type, **sizes)
    module = AutoModel.from_config(config, attn_implementation="eager").eval()
    return ready(module, byte_tokenizer(), Card(model_type, model_type, "", 0, 0, 0))


@pytest.mark.parametrize("model_type", BY_OPERATORS)
def test_scores_before_the_mask_are_kept_where_a_query_may_not_look(model_type):
    trace = traced_model(model_type).trace(TEXT)

    for record in trace.records.values():
        scores = record.scores()  # [H, T, T]
        assert isinstance(record.source, Kept) and torch.isfinite(scores).all() and float(scores.abs().max()) < 1e3
        assert record.source.mask.causal == (record.site.stack == "decoder")


def test_scores_of_gpt_j_are_its_own_scaled_products_before_the_mask():
    trace, whole = traced_model("gptj").trace(TEXT), eager_model("gptj")
    block, ids = whole.transformer.h[0], torch.tensor([trace.tokens.source.ids])
    given = {}
    attn = block.attn
    hook = attn._attn
    attn._attn = lambda q, k, v, *rest: given.update(q=q, k=k) or hook(q, k, v, *rest)
    try:
        with torch.no_grad():
            whole(input_ids=ids)
    finally:
        del attn._attn
    scores = given["q"] @ given["k"].mT / 8**0.5  # [1, H, T, T]

    assert_close(trace["decoder.0.self"].scores(), scores[0], rtol=0, atol=1e-5)


@pytest.mark.parametrize("model_type", BY_OPERATORS)
def test_following_the_operators_changes_no_bit_and_leaves_nothing_behind(model_type):
    whole = eager_model(model_type)
    ids = torch.tensor([[5, 6, 7, 8, 9]])
    with torch.inference_mode():
        plain = whole(input_ids=ids).logits
        with Following(OperatorPass(1)) as mode:
            followed = whole(input_ids=ids).logits
        after = whole(input_ids=ids).logits

    assert torch.equal(plain, followed) and torch.equal(plain, after)
    assert len(mode.opened.calls) == 2
    assert not any(hasattr(parameter, TAG) for parameter in whole.parameters())


def test_batches_of_texts_equal_single_runs():
    for model_type in BY_OPERATORS:
        model, texts = traced_model(model_type), ["a longer text than the other one", "short"]
        for batched, text in zip(model.traces(texts), texts, strict=True):
            single = model.trace(text)
            for key, record in single.records.items():
                assert_close(batched[key].weights(), record.weights(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("model_type", BY_OPERATORS)
def test_a_head_can_be_ablated_whatever_layout_the_model_has(model_type):
    model = traced_model(model_type)
    plain = model.trace(TEXT)
    key = plain.sites[0].key

    def silence(name: str, context: torch.Tensor) -> torch.Tensor:
        changed = context.clone()
        changed[:, 2] = 0.0
        return changed

    edited = model.trace(TEXT, edits=[Edit(f"{key}.context", silence, "head 3 off")])
    context = edited[key].context()  # [H, T, Dv]

    assert not context[2].any()
    assert_close(context[[0, 1, 3]], plain[key].context()[[0, 1, 3]], rtol=0, atol=1e-6)
    later = plain.sites[1].key
    assert float((edited[later].weights() - plain[later].weights()).abs().max()) > 1e-5


@pytest.mark.parametrize("value", ["masked", "weights"])
def test_changed_weights_are_shown_as_they_were_used(value):
    edited = traced_model("bloom").trace(TEXT, edits=[Edit(f"decoder.0.self.{value}", lambda name, x: x * 0.5, "half")])

    assert edited.verified.holds and edited.edits == ("half",)


def test_an_edit_of_queries_is_refused_where_they_cannot_be_reached():
    with pytest.raises(CaptureError, match="changes nothing") as error:
        traced_model("mpnet").trace(TEXT, edits=[Edit("encoder.0.self.q", lambda name, x: x * 2, "louder")])
    assert error.value.id == "edit-matches-nothing"


def test_texts_whose_scores_would_not_fit_are_refused_before_they_run(monkeypatch):
    model = traced_model("deberta-v2")
    monkeypatch.setattr(memory_limit, "KEPT_BYTES", 2 * 4 * 4 * 20 * 20)  # two layers of four heads, float32, 20 tokens

    assert len(model.trace("x" * 20).tokens.source) == 20
    with pytest.raises(TooLong, match=r"which is 20 tokens\. Trace the first part") as error:
        model.trace("x" * 21)
    assert error.value.id == "too-long-to-keep" and error.value.arguments["limit"] == 20
    assert error.value.arguments["characters"] == 20 and model.first_part("x" * 21) == "x" * 20
    with pytest.raises(TooLong, match="which is 14 tokens"):  # two texts share what may be kept
        model.traces(["x" * 20, "x" * 20])


@pytest.mark.parametrize(("model_type", "pair_bytes"), [("t5", 2 * 4 * 4), ("mistral", 1), ("gpt2", 0), ("bert", 0)])
def test_what_a_model_makes_for_every_pair_of_tokens_is_counted_before_it_runs(model_type, pair_bytes, monkeypatch):
    model = traced_model(model_type)
    monkeypatch.setattr(memory_limit, "KEPT_BYTES", pair_bytes * 20 * 20)

    assert model.way.pair_bytes == pair_bytes
    assert model.trace("x" * 20, "y" if model.writer else None).verified.holds
    if pair_bytes:
        with pytest.raises(TooLong, match=r"which is 20 tokens\. Trace the first part") as error:
            model.trace("x" * 21, "y" if model.writer else None)
        assert error.value.id == "too-long-for-pairs" and error.value.arguments["characters"] == 20
        assert model.first_part("x" * 21) == "x" * 20


def test_a_model_that_breaks_while_it_is_watched_is_refused_in_a_sentence(monkeypatch):
    from attnviz.pretrained.loading import build as module

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("shapes do not fit\nand more")

    monkeypatch.setattr(module, "proved", broken)
    with pytest.raises(UnsupportedModel, match="not while it is watched: shapes do not fit Choose") as error:
        loaded("bert", **SMALL)
    assert error.value.id == "not-watchable"


@pytest.mark.parametrize("model_type", ["falcon", "deberta-v2"])
def test_a_trace_of_kept_scores_is_read_back_from_its_file(model_type, tmp_path):
    trace = traced_model(model_type).trace(TEXT)
    trace.save(tmp_path / "kept.safetensors")
    again = Trace.load(tmp_path / "kept.safetensors")

    for site in trace.sites:
        assert torch.equal(again[site].weights(), trace[site].weights())
        assert (again[site].source.product is None) == (model_type == "deberta-v2")
        (facts, ours), (read, theirs) = (features(it, site, 2, None) for it in (trace, again))
        assert facts == read and ours.keys() == theirs.keys()
        assert all((ours[name] == theirs[name]).all() for name in ours)


def test_a_file_whose_queries_do_not_fit_its_scores_is_refused(tmp_path):
    trace = traced_model("falcon").trace(TEXT)
    record = trace["decoder.0.self"]
    product = replace(record.source.product, q=record.source.product.q[:, 1:])
    broken = replace(record, source=replace(record.source, product=product))
    replace(trace, records=trace.records | {"decoder.0.self": broken}).save(tmp_path / "broken.safetensors")
    with pytest.raises(TraceFileError, match=r"q and k of decoder\.0\.self cannot make its scores"):
        Trace.load(tmp_path / "broken.safetensors")


@pytest.mark.parametrize("model_type", WITHOUT_MATRICES)
def test_a_model_without_matrices_is_refused_with_the_reason(model_type):
    sizes, reason = WITHOUT_MATRICES[model_type]
    with pytest.raises(UnsupportedModel) as error:
        loaded(model_type, **({"vocab_size": 300, "pad_token_id": 0} | sizes))
    assert error.value.id == reason


def test_a_hybrid_model_lists_the_layers_without_attention():
    model = loaded(
        "jamba", hidden_size=32, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
        intermediate_size=32, vocab_size=300, attn_layer_period=2, attn_layer_offset=1, num_experts=1,
        mamba_d_state=4, mamba_dt_rank=4, use_mamba_kernels=False,
    )  # fmt: skip
    trace = model.trace(TEXT)

    assert model.card.n_layers == 4 and model.card.layers_without_attention == (0, 2)
    assert [site.key for site in trace.sites] == ["decoder.1.self", "decoder.3.self"] and trace.verified.holds


def test_weights_in_an_einsum_of_any_order_are_followed():
    torch.manual_seed(0)
    q, k, v = (torch.randn(5, 2, 3, 4) for _ in range(3))  # [T, B, H, Dh], as XLNet has it
    with torch.inference_mode(), Following(OperatorPass(2)) as mode:
        scores = torch.einsum("ibnd,jbnd->bnij", q, k) * 0.5
        weights = F.softmax(scores, dim=3)
        context = torch.einsum("bnij,jbnd->ibnd", weights, v)  # [Tq, B, H, Dh]
    (call,) = mode.opened.calls

    assert_close(call.scores, torch.einsum("ibnd,jbnd->bnij", q, k) * 0.5)
    assert torch.equal(call.v, v.permute(1, 2, 0, 3)) and torch.equal(call.context, context.transpose(0, 1))


def product_followed(make, n_texts: int = 2):
    """The q·k that is read from scores which `make` makes of q, k [2, 3, 5, 4]; and q, k and the call."""
    generator = torch.Generator().manual_seed(5)
    q, k, v = (torch.randn(n_texts, 3, 5, 4, generator=generator) for _ in range(3))  # [B, H, T, Dh]
    with torch.inference_mode(), Following(OperatorPass(n_texts)) as mode:
        F.softmax(make(q, k), dim=-1) @ v
    (call,) = mode.opened.calls
    return call.product, q, k, call


def baddbmm(q, k):
    """Half of q·k and two terms, heads and texts in one axis as BLOOM has them."""
    made = TERM.expand(6, 5, 5).baddbmm(q.flatten(0, 1), k.flatten(0, 1).mT, beta=2, alpha=0.5)
    return made.view(2, 3, 5, 5)


LATER = torch.full((5, 5), float("-inf")).triu(1)  # hides later keys
TERM = torch.arange(25.0).view(5, 5) / 8


@pytest.mark.parametrize(
    ("make", "scale", "is_all"),
    [
        (lambda q, k: q @ k.mT * 0.5, 0.5, True),
        (lambda q, k: 0.25 * torch.matmul(q, k.mT) / torch.tensor(2.0), 0.125, True),
        (lambda q, k: (q @ k.mT).div_(4).add_(LATER), 0.25, True),
        (lambda q, k: (q @ k.mT / 4 + LATER).clamp(min=torch.finfo(torch.float32).min), 0.25, True),
        (lambda q, k: (q @ k.mT / 2 + TERM) * 0.5, 0.25, False),  # the term is halved with them
        (lambda q, k: (q @ k.mT / 2 - 1.5).masked_fill(LATER < 0, -1e9), 0.5, False),
        (lambda q, k: torch.einsum("bhid,bhjd->bhij", q, k) / 3, 1 / 3, True),
        (lambda q, k: torch.einsum("bhjd,bhid->bhij", k, q), 1.0, True),
        (baddbmm, 0.5, False),
    ],
)
def test_the_scale_of_a_product_is_the_one_the_operators_used(make, scale, is_all):
    product, q, k, call = product_followed(make)

    assert torch.equal(product.q, q) and torch.equal(product.k, k)
    assert product.scale == pytest.approx(scale, rel=1e-6) and product.is_all == is_all
    rest = call.scores - (q @ k.mT) * product.scale  # [B, H, T, T]
    assert_close(rest, rest[:1, :1].expand_as(rest), rtol=0, atol=1e-5)  # a term of the position alone, masked or not


@pytest.mark.parametrize(
    "make",
    [
        lambda q, k: q @ k.mT + (q @ torch.ones(4, 5)),  # a second product, as DeBERTa has it
        lambda q, k: q @ k.mT + (q @ k.mT).repeat(1, 1, 1, 2)[..., :5],  # one that has changed its axes on the way
        lambda q, k: torch.tanh(q @ k.mT),  # other numbers
        lambda q, k: q @ k.mT * torch.arange(1.0, 4.0)[:, None, None],  # a scale a head
        lambda q, k: torch.add(torch.zeros(5, 5), q @ k.mT, alpha=2),
        lambda q, k: (k @ q.mT).mT,  # the product of keys and queries, turned round
    ],
)
def test_scores_that_are_not_one_scaled_product_and_a_term_have_no_q_and_k(make):
    product, _, _, call = product_followed(make)

    assert product is None and call.scores.shape == (2, 3, 5, 5)


@pytest.mark.parametrize("is_scaled_last", [True, False])
def test_scores_that_were_masked_before_they_were_scaled_are_kept_scaled(is_scaled_last):
    def make(q, k):
        return (q @ k.mT + LATER) / 4 + TERM if is_scaled_last else (q @ k.mT / 4 + TERM) + LATER

    _, q, k, call = product_followed(make)
    assert_close(call.scores, q @ k.mT / 4 + TERM, rtol=0, atol=1e-6)


def test_queries_and_keys_that_are_kept_count_where_bytes_are_counted(monkeypatch):
    model = traced_model("falcon")
    trace = model.trace(TEXT)
    product = trace["decoder.0.self"].source.product

    assert model.way.token_bytes == 2 * 4 * (4 * 8 + 1 * 8)  # two layers, float32, four query heads and one key head
    assert product.q.shape == (4, len(TEXT), 8) and product.k.shape == (1, len(TEXT), 8)
    without = {key: replace(it, source=replace(it.source, product=None)) for key, it in trace.records.items()}
    assert trace.nbytes - replace(trace, records=without).nbytes >= len(TEXT) * model.way.token_bytes
    monkeypatch.setattr(memory_limit, "KEPT_BYTES", 2 * 4 * 4 * 20 * 20 + 20 * model.way.token_bytes)
    assert len(model.trace("x" * 20).tokens.source) == 20
    with pytest.raises(TooLong, match="which is 20 tokens") as error:
        model.trace("x" * 21)
    assert error.value.arguments["limit"] == 20


def test_a_run_that_does_not_hold_is_refused_with_both_numbers(monkeypatch):
    from attnviz.pretrained import model as module
    from attnviz.trace.trace import Verified

    monkeypatch.setattr(module, "verify", lambda records, kernel: Verified(0.25, 8, 1e-5))
    with pytest.raises(UnsupportedModel, match=r"by up to 2\.5e-01; at most 1e-05") as error:
        traced_model("bert").trace(TEXT)
    assert error.value.id == "run-difference"


def test_scores_that_came_in_place_of_weights_are_understood():
    model = loaded("squeezebert", **(SMALL | {"embedding_size": 32}))

    assert model.way.name == "operators" and model.trace(TEXT).verified.holds


def test_a_place_taken_for_another_is_refused_by_the_probe():
    model, whole = traced_model("bloom"), eager_model("bloom")
    order = model.way.order
    swapped = dict(zip(order, reversed(order.values()), strict=True))
    wrong = replace(model, way=replace(model.way, order=swapped))
    probe, _ = probes(whole.config, 300)
    expected = eager_weights(whole, probe, name="bloom")

    assert probe_difference(model.forward(*probe.source), expected, probe, name="bloom") < 1e-5
    ran = wrong.forward(*probe.source)
    ran = replace(ran, calls=tuple(sorted(ran.calls, key=lambda call: call.site.layer)))
    with pytest.raises(UnsupportedModel, match="differ from its own by up to") as error:
        probe_difference(ran, expected, probe, name="bloom")
    assert error.value.id == "probe-difference"
