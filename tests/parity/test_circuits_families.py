"""In every family with a row, scores and logits are sums over what was written before them."""

import math
from copy import deepcopy

import pytest
import torch
from transformers import AutoModelForCausalLM

from attnviz.analysis.circuits.logits import logit_lens, wrote
from attnviz.analysis.circuits.patching import check_tokens_of, patch
from attnviz.analysis.circuits.score_ledger import run_score, why
from attnviz.analysis.circuits.weight_circuits import circuits, followed
from attnviz.core.edit import Edit
from attnviz.core.errors import CaptureError, InputError, StepError
from attnviz.pretrained.families import BY_MODEL_TYPE
from tests.conftest import BY_OPERATORS, TINY
from tests.parity.tiny_models import eager_model, own_logits, seeded, traceable, traced_model

REFUSED = "deberta-v2"  # a sum of three products, of which two are with positions
EXACT = [name for name in TINY if name != REFUSED]
TOLERANCE = 1e-5  # of the largest part


def trace_of(model_type):
    model = traced_model(model_type)
    return model.trace("a window of tokens", target="and on" if model.writer else None)


@pytest.mark.parametrize("model_type", EXACT)
def test_a_score_is_the_sum_over_pairs_of_all_that_wrote_before_and_of_a_head_over_the_tokens_it_moved(model_type):
    trace = trace_of(model_type)
    for site in trace.sites:
        record = trace[site]
        last = record.n_queries - 1
        before = [at for at in trace.sites[: trace.sites.index(site)] if at.stack == site.stack]
        of_keys = before if site.kind == "self" else [at for at in trace.sites if at.stack == "encoder"]
        for head, query, key in ((0, 0, 0), (3, last, seen(record, last, 2))):
            found = why(trace, site, head, query, key)
            score = run_score(trace, site.key, head, query, key)
            largest = max(float(found.parts.abs().max()), abs(score))
            assert abs(float(found.parts.sum()) - score) <= TOLERANCE * largest
            assert found.final == pytest.approx(float(record.masked(head)[query, key]), abs=1e-5)
            for writers, earlier in ((found.queries, before), (found.keys, of_keys)):
                heads = {(it.site, it.head) for it in writers if it.kind == "head"}
                assert heads == {(at.key, head) for at in earlier for head in range(4)}
                assert "embedding" in {it.kind for it in writers}
            parts = dict(zip((it.label for it in found.keys), found.parts.sum(0).tolist(), strict=True))
            moved = found.sources("key").groupby(["site", "head"])["value"].sum()  # over the tokens that a head moved
            assert len(moved) == len(heads)
            for (own, number), part in moved.items():
                assert part == pytest.approx(parts[f"head {own} {number}"], abs=TOLERANCE * largest)


def seen(record, query, first):
    """The first key from `first` on that the query may look at: a window hides what lies far back."""
    scores = record.masked(0)[query]
    return next(key for key in range(min(first, record.n_keys - 1), record.n_keys) if scores[key].isfinite())


APART = "cannot be taken apart exactly"


@pytest.mark.parametrize(("asked", "error", "words", "id"), [
    (lambda: why(trace_of(REFUSED), "encoder.1.self", 0, 1, 1), StepError, APART, "not-exact"),
    (lambda: circuits(traced_model(REFUSED)), StepError, APART, "not-exact"),
    # operators are read
    (lambda: patch(traced_model("bloom"), "a cat", "a dog", "edges"), CaptureError, "cannot be exchanged one by one",
     None),
])  # fmt: skip
def test_what_cannot_be_taken_apart_or_exchanged_is_refused_in_a_sentence(asked, error, words, id):
    with pytest.raises(error, match=words, check=lambda refused: id in (None, refused.id)):
        asked()


def test_a_score_that_is_a_small_rest_of_large_terms_is_taken_apart_within_the_bound_it_says():
    trace = trace_of("modernbert")
    found = why(trace, "encoder.0.self", 0, 2, 0)
    assert abs(float(found.parts.sum()) - found.score) <= found.bound
    assert found.score == pytest.approx(float(trace["encoder.0.self"].masked(0)[2, 0]), abs=1e-4)
    assert TOLERANCE * abs(found.score) < found.bound < 1e-3
    assert f"within {found.bound:.2g}" in repr(found)


@pytest.mark.parametrize("model_type", EXACT)
def test_heads_are_scored_by_their_weights_with_copying_where_the_logit_is_a_sum(model_type):
    found = circuits(traced_model(model_type))
    own = found.heads[found.heads["site"].str.fullmatch(r"decoder\.\d\.self")]
    assert own["copying"].notna().all() and found.heads["matching"].notna().all()
    assert found.compositions["score"].between(0, 1).all() and set(found.compositions["via"]) == set("qkv")


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_in_half_precision_heads_are_scored_as_in_single_and_sums_are_refused_for_its_rounding(dtype):
    half = traceable(deepcopy(eager_model("gpt2")).to(getattr(torch, dtype)), "gpt2")
    found, expected = (circuits(model).heads[["copying", "matching"]] for model in (half, traced_model("gpt2")))
    assert found.to_numpy() == pytest.approx(expected.to_numpy(), abs=0.01)
    trace = half.trace("a cat")
    for asked in (lambda: why(trace, "decoder.1.self", 0, 2, 1), lambda: wrote(trace, 2, 40)):
        with pytest.raises(StepError, match=f"computed in {dtype}, which .* where the model runs in float32"):
            asked()


@pytest.mark.parametrize("model_type", [name for name in BY_OPERATORS if name != REFUSED])
def test_queries_keys_and_values_that_are_followed_are_those_of_the_run_where_operators_are_read(model_type):
    trace = trace_of(model_type)
    run = followed(trace)
    for site in trace.sites:
        own = trace[site].source
        for found, expected in (
            (run.queries, own.product.q), (run.keys, own.product.k), (run.values, own.values(slice(None))),
        ):  # fmt: skip
            of_head = torch.arange(len(expected)) * found[site.key].shape[1] // len(expected)
            assert torch.allclose(found[site.key][0].detach()[of_head], expected, atol=1e-5)


def test_a_soft_cap_and_a_bias_of_positions_stand_beside_the_sum():
    capped, biased = why(trace_of("gemma2"), "decoder.1.self", 0, 5, 2), why(trace_of("t5"), "encoder.1.self", 0, 5, 2)

    assert capped.softcap is not None and capped.bias == pytest.approx(0, abs=1e-6)
    assert capped.final == pytest.approx(capped.softcap * math.tanh(capped.score / capped.softcap))
    bias = trace_of("t5")["encoder.1.self"].source.mask.rows(5, 6, 0)[0, 0, 2].item()
    assert biased.softcap is None and biased.bias == pytest.approx(bias, abs=1e-5) and abs(bias) > 0


@pytest.mark.parametrize("model_type", TINY)
def test_a_logit_is_the_sum_over_all_that_was_written_unless_the_head_has_an_activation(model_type):
    model, trace = traced_model(model_type), trace_of(model_type)
    if BY_MODEL_TYPE[model_type].stack == "encoder":  # they predict hidden tokens through a layer of their own
        with pytest.raises(StepError, check=lambda error: error.id == "not-exact"):
            wrote(trace, 2, 40)
        return
    found, cap = wrote(trace, 2, 40, against=41), getattr(model.module.config, "final_logit_softcapping", None)
    expected = own_logits(eager_model(model_type), trace)[2].double()  # [V]
    expected = expected if cap is None else cap * torch.atanh(expected / cap)
    assert found.logit == pytest.approx(
        float(expected[40] - expected[41]), abs=1e-5 * max(1, float(expected.abs().max()))
    )
    assert float(found.parts.sum()) == pytest.approx(found.logit, abs=TOLERANCE * float(found.parts.abs().max()))
    heads = found.frame().query("kind == 'head'")
    assert len(heads) == 4 * len([site for site in trace.sites if site.stack == "decoder"])
    assert found.sources()["value"].sum() == pytest.approx(heads["value"].sum(), abs=1e-5)


@pytest.mark.parametrize("model_type", TINY)
def test_the_lens_ends_in_the_models_own_prediction(model_type):
    trace = trace_of(model_type)
    lens = logit_lens(trace, top=2)
    end = lens[(lens["point"] == lens["point"].iloc[-1]) & (lens["rank"] == 1)]

    assert end["token"].tolist() == trace.prediction.ids[:, 0].tolist()
    assert end["probability"].to_numpy() == pytest.approx(trace.prediction.probabilities[:, 0].numpy(), abs=1e-5)
    assert (end["final_rank"] == 1).all() and lens["point"].nunique() >= 3


@pytest.mark.parametrize("model_type", [*BY_OPERATORS, "gpt2", "t5"])
def test_the_gradient_of_a_patch_is_what_a_small_part_of_it_does_also_where_operators_are_read(model_type):
    model = traced_model(model_type)
    texts, target = ("a window of tokens", "a windom of tokens"), "and on" if model.writer else None
    found = patch(model, *texts, target=target, metric=lambda logits: logits[:, 40] - logits[:, 41], position=5)
    assert found.table["gradient"].notna().all()
    clean, corrupt = (model.trace(text, target) for text in texts)
    row = found.table.iloc[0]
    part = clean[row.site].context() - corrupt[row.site].context()  # [H, T_q, d_v]
    part[torch.arange(len(part)) != row["head"]] = 0
    ahead = []
    for step in (-0.05, 0.05):
        edit = Edit(f"{row.site}.context", lambda _, value, step=step: value + step * part, "a part of it")
        logits = model.trace(texts[1], target, [edit]).logits(5)  # [V]
        ahead.append(float(logits[40] - logits[41]))
    assert (ahead[1] - ahead[0]) / 0.1 == pytest.approx(row.gradient, rel=0.02, abs=1e-5)


def test_where_what_the_decoder_reads_differs_in_length_its_own_lengths_are_said():
    model = traced_model("t5")
    with pytest.raises(InputError, match="target=") as error:
        check_tokens_of(model.trace("a cat", "and on"), model.trace("a dog", "and"))
    assert error.value.arguments == {"clean": 7, "corrupt": 4} and error.value.id == "patch-target-lengths"


def test_the_lens_says_where_the_last_norm_is_not_known_and_heads_are_scored_there_all_the_same():
    sizes = {"vocab_size": 300, "d_model": 32, "n_layers": 2, "n_heads": 4, "max_seq_len": 64}
    model = seeded("mpt", sizes, AutoModelForCausalLM)
    with pytest.raises(StepError) as error:
        logit_lens(model.trace("a cat"))
    assert error.value.id == "no-last-norm" and circuits(model).heads["copying"].notna().all()
