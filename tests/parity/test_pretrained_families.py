"""Every family with a row, in a tiny seeded model with peaked maps, against transformers' eager run."""

from copy import deepcopy
from itertools import product

import pytest
import torch
from torch.testing import assert_close

from attnviz.pretrained import lm_head
from attnviz.pretrained.capture.operators import OperatorBackend
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.trace.verify import TOLERANCE as ROUNDING
from attnviz.trace.weight_sources import Replay
from attnviz.views.heads.vectors import features
from tests.conftest import BY_OPERATORS, TINY
from tests.parity.tiny_models import eager_model, eager_sites, example, forward, own_logits, traceable, traced_model

TOLERANCE = 1e-5  # float32, whole maps of two layers
LAYOUTS = ("none", "right", "left")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("model_type", TINY)
def test_replayed_weights_are_eagers_in_every_family_and_padding(model_type, layout):
    source, target = example(model_type, layout)
    theirs = eager_sites(eager_model(model_type), source, target)  # site key -> [B, H, T_q, T_k]
    model = traced_model(model_type)
    ran = forward(model, source, target)

    for index in range(2):
        records = ran.run.records(index, model.matrices)
        assert records.keys() == theirs.keys()
        for key, record in records.items():
            queries = (target if key.startswith("decoder") and target else source).padding[index].bool()
            keys = source.padding[index].bool() if record.site.kind == "cross" else queries
            expected = theirs[key][index][:, queries][:, :, keys]
            assert_close(record.weights(), expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("model_type", TINY)
def test_every_family_traces_texts_side_by_side_as_alone_by_its_backend_and_with_its_masks_symbolic(model_type):
    model, texts = traced_model(model_type), ("a window of eight tokens bites here", "short")
    traces = model.traces(texts)

    assert model.card.probe_difference < TOLERANCE and model.card.n_layers == 2
    assert isinstance(model.backend, OperatorBackend) == (model_type in BY_OPERATORS)
    for trace, single in zip(traces, map(model.trace, texts), strict=True):
        assert trace.tokens == single.tokens
        assert_close(trace.prediction.probabilities, single.prediction.probabilities, rtol=0, atol=TOLERANCE)
        for key, record in trace.records.items():
            assert_close(record.weights(), single[key].weights(), rtol=0, atol=TOLERANCE)
            mask, n_distances = record.source.mask, record.n_queries + record.n_keys - 1
            assert mask.allowed is None
            assert mask.bias is None or mask.nbytes == 4 * n_distances * 4  # one vector a head


@pytest.mark.parametrize(
    ("model_type", "dtype"),
    [*product(TINY, [torch.bfloat16]), *product([*BY_OPERATORS, "gpt2", "gemma2", "t5"], [torch.float16])],
    ids=str,
)
def test_every_family_is_read_truly_in_half_precision_and_kept_in_it(model_type, dtype):
    model = traceable(deepcopy(eager_model(model_type)).to(dtype), model_type)
    trace = model.trace("in half", target="halved" if model.writer else None)
    record = trace[trace.sites[0]]

    assert model.card.probe_difference <= ROUNDING[dtype] and trace.verified.tolerance == ROUNDING[dtype]
    assert trace.verified.holds
    assert record.source.v.dtype == dtype and record.weights().dtype == torch.float32
    rows = record.weights().sum(-1)  # [H, T]
    assert float(rows.max()) <= 1 + 1e-5
    if isinstance(record.source, Replay) and record.source.sinks is None:
        assert_close(rows, torch.ones_like(rows), rtol=0, atol=1e-5)  # replayed in float32


@pytest.mark.parametrize("model_type", [name for name in TINY if BY_MODEL_TYPE[name].modules])
def test_the_output_matrix_of_the_row_gives_what_the_model_goes_on_with(model_type):
    model = traced_model(model_type)
    assert model.matrices  # read before a hook stands on W_O
    family = BY_MODEL_TYPE[model_type]
    for pattern, module in family.modules.items():
        for layer in range(2):
            gone_on: list[torch.Tensor] = []
            path = f"{module.format(layer=layer)}.{family.projections['w_o'].split(' ')[0]}"
            hook = model.module.get_submodule(path).register_forward_hook(
                lambda module, args, out, kept=gone_on: kept.append(out[0])
            )
            trace = model.trace("what goes on", target="and on" if model.writer else None)
            hook.remove()
            key = pattern.format(layer=layer)
            assert_close(trace[key].out(), gone_on[-1], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("model_type", [name for name in TINY if "w_q" in BY_MODEL_TYPE[name].projections])
def test_the_rows_query_key_and_value_matrices_make_q_k_and_v(model_type):
    trace = traced_model(model_type).trace("made of x")

    for site in trace.sites:
        x, own, source = trace.stream[f"encoder.{site.layer}.in"], trace.parameters(site.key), trace[site].source
        for letter in "v" if model_type in BY_OPERATORS else "qkv":
            flat = x @ own[f"w_{letter}"].mT + own[f"b_{letter}"]  # [T, D]
            assert_close(flat.unflatten(-1, (4, -1)).transpose(0, 1), getattr(source, letter), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("model_type", TINY)
def test_products_of_query_and_key_features_sum_to_the_raw_score(model_type):
    trace = traced_model(model_type).trace("made of q and k")
    for site in trace.sites:
        facts, arrays = features(trace, site, 3, None)
        assert facts.get("why") == ("scores" if model_type == "deberta-v2" else None)  # a sum of three products
        if not arrays:
            continue
        sums = torch.from_numpy(arrays["q"]).double() @ torch.from_numpy(arrays["k"]).double().T  # [T_q, T_k]
        raw = torch.from_numpy(arrays["raw"])  # [T_q, T_k]
        assert_close(sums.float(), raw, rtol=0, atol=1e-6 * max(1.0, float(raw.abs().max())))
        scores = sums * facts["scale"]
        if facts["softcap"]:
            scores = facts["softcap"] * torch.tanh(scores / facts["softcap"])
        if "bias" in arrays:
            scores = scores + torch.from_numpy(arrays["bias"]).double()
        masked = torch.from_numpy(arrays["masked"]).double()
        own = ("masked", "weights") if model_type in BY_OPERATORS else ("raw", "scores", "masked", "weights")
        for name in own:
            assert torch.equal(torch.from_numpy(arrays[name]), getattr(trace[site], name)(3))
        is_seen = torch.isfinite(masked)
        assert_close(scores[is_seen], masked[is_seen], rtol=0, atol=1e-5 * max(1.0, float(scores.abs().max())))


@pytest.mark.parametrize("model_type", TINY)
def test_the_top_20_are_those_of_the_whole_models_logits(model_type, monkeypatch):
    model = traced_model(model_type)
    monkeypatch.setattr(lm_head, "BLOCK_NUMBERS", 5 * 256)  # blocks of five rows
    trace = model.trace("what comes next 貓", target="and after" if model.writer else None)
    shares = torch.softmax(own_logits(eager_model(model_type), trace), -1)  # [T, V]
    top, ids = shares.topk(20)  # [T, 20] each

    assert_close(trace.prediction.probabilities, top, rtol=0, atol=1e-5)
    gaps = (top[:, :-1] - top[:, 1:]) > 1e-5  # where the order is certain
    sure = torch.cat([gaps[:, :1], gaps[:, 1:] & gaps[:, :-1], gaps[:, -1:]], -1)
    assert torch.equal(trace.prediction.ids[sure], ids[sure]) and int(sure.sum()) > 20
    assert all(text and "�" not in text for texts in trace.prediction.texts for text in texts)  # as a reader writes
