"""`with av.record()` sees torch's own attention in a person's module, changes no number, and its values replay."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from transformers import ViTConfig, ViTModel

import attnviz as av
from attnviz.pretrained.loading.meta_load import refuse_other_input

B, T, D, H = 2, 5, 16, 4
PADDING = torch.tensor([[False] * T, [False] * 3 + [True] * 2])
CAUSAL = torch.ones(T, T, dtype=torch.bool).triu(1)


class Own(nn.Module):
    """A person's own module on torch's function."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x: torch.Tensor, **options: object) -> torch.Tensor:
        q, k, v = (part.unflatten(-1, (H, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v, **options).transpose(1, 2).flatten(2))


def attention(**options: object) -> nn.Module:
    return nn.MultiheadAttention(D, H, **{"batch_first": True, **options}).eval()


def layers(**options: object) -> nn.Module:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(D, H, 32, batch_first=True, **options), 2).eval()


X = torch.randn(B, T, D, generator=torch.Generator().manual_seed(1))
RUNS = {
    "sdpa": (Own(), lambda m: m(X), 1),
    "sdpa, causal": (Own(), lambda m: m(X, is_causal=True), 1),
    "sdpa, mask and scale": (Own(), lambda m: m(X, attn_mask=~CAUSAL, scale=0.3), 1),
    "multi-head": (attention(), lambda m: m(X, X, X), 1),
    "multi-head, every weight": (attention(), lambda m: m(X, X, X, average_attn_weights=False), 1),
    "multi-head, no weights": (attention(), lambda m: m(X, X, X, need_weights=False), 1),
    "multi-head, masks": (attention(), lambda m: m(X, X, X, key_padding_mask=PADDING, attn_mask=CAUSAL), 1),
    "multi-head, additive": (attention(), lambda m: m(X, X, X, attn_mask=torch.full((B * H, T, T), 0.5).tril()), 1),
    "multi-head, tokens first": (attention(batch_first=False), lambda m: m(*[X.transpose(0, 1)] * 3), 1),
    "multi-head, one text": (attention(), lambda m: m(X[0], X[0], X[0]), 1),
    "multi-head, other widths": (attention(kdim=D, vdim=8), lambda m: m(X, X, X[..., :8]), 1),
    "encoder": (layers(), lambda m: m(X), 2),
    "encoder, norm first": (layers(norm_first=True), lambda m: m(X, src_key_padding_mask=PADDING), 2),
    "encoder, causal": (layers(), lambda m: m(X, mask=CAUSAL, is_causal=True), 2),
}


def tensors(found: object) -> list[torch.Tensor]:
    return [part for part in (found if isinstance(found, tuple) else (found,)) if part is not None]


def test_the_advice_for_torchs_decoder_works_when_it_is_followed() -> None:
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(D, H, 32, batch_first=True), 2).eval()
    with av.record() as run:
        out = decoder(X, X.repeat(1, 2, 1))
    with pytest.raises(av.AttnvizError, match=r"5 queries and 10 keys.*If they come from a cache") as refused:
        run.trace()
    exec(str(refused.value).split("`")[3], {"av": av, "decoder": decoder})
    with av.record() as run:
        assert torch.equal(decoder(X, X.repeat(1, 2, 1)), out)
    trace = run.trace(1)
    assert list(trace) == [f"decoder.{n}.{kind}" for n in (0, 1) for kind in ("self", "cross")]
    assert torch.allclose(trace["decoder.1.cross"].weights(0).sum(-1), torch.ones(T))
    assert (len(trace.tokens.source), len(trace.tokens.target)) == (2 * T, T)


@pytest.mark.parametrize("case", list(RUNS))
@pytest.mark.parametrize("grad", [False, True])
def test_torchs_attention_is_recorded_and_its_result_stays(case: str, grad: bool) -> None:
    module, call, n = RUNS[case]
    with torch.set_grad_enabled(grad):
        expected = tensors(call(module))
        with av.record() as run:
            found = tensors(call(module))
    assert len(run.places) == n and len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        real = torch.ones(B, T, dtype=torch.bool) if "encoder, norm" not in case else ~PADDING
        ours, theirs = (part[real] if part.shape[:2] == real.shape else part for part in (ours, theirs))
        assert torch.allclose(ours, theirs, atol=2e-6)
    for place in run.places:
        weights = run[f"{place}.weights"]
        assert weights.shape[-3:] == (H, T, T) and torch.allclose(weights.sum(-1), torch.ones(()), atol=1e-5)
        assert torch.allclose(weights @ run[f"{place}.v"], run[f"{place}.context"], atol=1e-5)
    if case == "multi-head, every weight":
        assert torch.equal(weights, found[1])  # those that torch returns


def test_edits_reach_what_torch_runs() -> None:
    def even(name: str, weights: torch.Tensor) -> torch.Tensor:
        return torch.full_like(weights, 1 / T)

    for module, call, _ in (RUNS["sdpa"], RUNS["encoder"]):
        with av.record(edits=[av.Edit("*.weights", even, "even")]) as run:
            changed = call(module)
        assert not torch.allclose(changed, call(module), atol=1e-3)
        assert all(torch.equal(run[f"{place}.weights"], torch.full((B, H, T, T), 1 / T)) for place in run.places)


def test_what_cannot_be_recorded_is_refused_and_leaves_nothing_behind() -> None:
    module = attention(add_bias_kv=True)
    with pytest.raises(av.AttnvizError, match="add_bias_kv=False"), av.record():
        module(X, X, X)
    assert torch.equal(module(X, X, X)[0], module(X, X, X)[0])  # and torch runs on as before


def test_a_model_of_transformers_is_recorded_where_it_is_loaded_as_the_refusals_say() -> None:
    sizes = {"hidden_size": D, "intermediate_size": D, "num_attention_heads": H, "image_size": 16, "patch_size": 8}
    model = ViTModel(ViTConfig(num_hidden_layers=2, **sizes)).eval()
    advice = r'attn_implementation="sdpa"'
    with pytest.raises(av.AttnvizError, match=rf"av\.record.*{advice}"):
        refuse_other_input(model, "vit")
    model.set_attn_implementation("eager")
    with av.record() as run:
        model(torch.randn(1, 3, 16, 16))
    with pytest.raises(av.AttnvizError, match=rf"Nothing was recorded.*{advice}"):
        run.trace()
    model.set_attn_implementation("sdpa")
    with av.record() as run:
        model(torch.randn(1, 3, 16, 16))
    assert list(run.trace()) == ["encoder.0.self", "encoder.1.self"]


def test_a_module_inside_ours_and_ours_inside_it_are_each_recorded_once() -> None:
    ours = av.models.MultiHeadAttention(d_model=D, n_heads=H)
    with av.record() as outer:
        ours(X)
        with av.record() as inner:
            RUNS["multi-head"][1](RUNS["multi-head"][0])
        av.attend(X, X, X, kernel="fused")
    assert (outer.places, inner.places) == (("attention", "attention#2"), ("attention",))  # the inner one wins
