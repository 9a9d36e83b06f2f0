"""What decoders have had since Llama: RMSNorm, rotary positions, grouped heads, a gate, windows; by hand, by name."""

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.models import (
    LLAMA,
    AttentionStyle,
    Decoder,
    Encoder,
    EncoderDecoder,
    GatedFeedForward,
    KeyValueCache,
    MultiHeadAttention,
    NormBothSides,
    NormedHeads,
    PostNorm,
    PreNorm,
    RMSNorm,
    RotaryPositions,
    RotaryStyle,
    TransformerConfig,
    causal_mask,
    rotary_frequencies,
)
from tests.unit.models.tiny import ids, tiny

CLOSE = {"rtol": 0, "atol": 1e-5}  # of float32: the same sums in another order
ROTARY = RotaryStyle()
MODERN = {
    "norm": "pre", "norm_kind": "rms", "activation": "silu", "is_gated": True, "bias": False,
    "embedding": LLAMA.embedding,
}  # fmt: skip
STYLES = {
    "llama": AttentionStyle(n_kv_heads=2, rotary=ROTARY),
    "one head of keys": AttentionStyle(n_kv_heads=1, rotary=RotaryStyle(pairs="neighbours")),
    "qwen 3": AttentionStyle(n_kv_heads=2, rotary=ROTARY, normalises_qk=True, head_width=6),
    "gemma 2": (
        AttentionStyle(rotary=ROTARY, window=3, softcap=5.0, scale=0.3), AttentionStyle(rotary=ROTARY, softcap=5.0)
    ),
    "neox": AttentionStyle(rotary=RotaryStyle(width=2)),
}  # fmt: skip


def modern(style: str, **changes: object) -> TransformerConfig:
    return tiny(**{**MODERN, "attention": STYLES[style], **changes})


def test_rms_norm_by_hand() -> None:
    norm = RMSNorm(2, eps=0.0)
    norm.weight.data = torch.tensor([1.0, 10.0])
    root = math.sqrt((3**2 + 4**2) / 2)
    torch.testing.assert_close(norm(torch.tensor([3.0, 4.0])), torch.tensor([3 / root, 40 / root]))
    torch.testing.assert_close(RMSNorm(8, eps=1e-3)(x := torch.randn(3, 8)), nn.RMSNorm(8, eps=1e-3)(x), **CLOSE)


def test_a_pair_is_rotated_by_its_position_times_its_frequency_by_hand() -> None:
    assert rotary_frequencies(4, theta=100.0).tolist() == pytest.approx([1.0, 0.1])
    x = torch.tensor([1.0, 2.0, 3.0, 4.0]).expand(1, 1, 3, 4)  # [B, H, T, d_k]
    halves, _ = RotaryPositions(4, RotaryStyle(theta=100.0))(x, x)
    neighbours, _ = RotaryPositions(4, RotaryStyle(theta=100.0, pairs="neighbours"))(x, x)
    assert torch.equal(halves[0, 0, 0], x[0, 0, 0])  # position 0 is not turned
    fast, slow = 2.0, 0.2  # angles at position 2
    expected = [
        math.cos(fast) - 3 * math.sin(fast), 2 * math.cos(slow) - 4 * math.sin(slow),
        math.sin(fast) + 3 * math.cos(fast), 2 * math.sin(slow) + 4 * math.cos(slow),
    ]  # fmt: skip
    torch.testing.assert_close(halves[0, 0, 2], torch.tensor(expected))
    expected = [
        math.cos(fast) - 2 * math.sin(fast), math.sin(fast) + 2 * math.cos(fast),
        3 * math.cos(slow) - 4 * math.sin(slow), 3 * math.sin(slow) + 4 * math.cos(slow),
    ]  # fmt: skip
    torch.testing.assert_close(neighbours[0, 0, 2], torch.tensor(expected))


@pytest.mark.parametrize("style", [
    ROTARY, RotaryStyle(pairs="neighbours"), RotaryStyle(theta=500.0, width=4), RotaryStyle(factor=3.0),
    RotaryStyle(frequencies=(2.0, 0.5, 0.25, 0.0), magnitude=1.3),
])  # fmt: skip
def test_a_score_of_rotated_q_and_k_depends_on_their_distance_alone(style: RotaryStyle) -> None:
    q, k = torch.randn(1, 1, 1, 8), torch.randn(1, 1, 1, 8)
    rotate = RotaryPositions(8, style)

    def score(query: int, key: int) -> float:
        rotated_q, rotated_k = rotate(q, k, start=query)[0], rotate(q, k, start=key)[1]
        return float((rotated_q * rotated_k).sum())

    assert score(7, 2) == pytest.approx(score(105, 100), abs=1e-4) == pytest.approx(score(5, 0), abs=1e-4)
    assert abs(score(7, 2) - score(7, 3)) > 1e-3


def test_a_factor_slows_every_pair_down_and_a_table_is_taken_as_it_is_also_in_half_precision() -> None:
    slow = RotaryPositions(4, RotaryStyle(theta=100.0, factor=4.0)).angles(9)
    torch.testing.assert_close(slow[8], RotaryPositions(4, RotaryStyle(theta=100.0)).angles(3)[2])
    given = RotaryPositions(4, RotaryStyle(frequencies=(0.7, 0.3))).to(torch.bfloat16)
    assert given.angles(2)[1].tolist() == pytest.approx([0.7, 0.3], abs=1e-7)


def test_grouped_heads_are_heads_that_share_keys_and_values() -> None:
    torch.manual_seed(0)
    grouped, plain, x = MultiHeadAttention(16, 4, n_kv_heads=2), MultiHeadAttention(16, 4), torch.randn(2, 5, 16)
    state = grouped.state_dict()
    for name in ("w_k.weight", "w_k.bias", "w_v.weight", "w_v.bias"):
        state[name] = state[name].unflatten(0, (2, 4))[[0, 0, 1, 1]].flatten(0, 1)  # [G·d_k, …] -> [H·d_k, …]
    plain.load_state_dict(state)
    torch.testing.assert_close(grouped(x, is_causal=True), plain(x, is_causal=True), **CLOSE)
    assert grouped.w_k.weight.shape == (8, 16)


def test_what_is_handed_in_is_done_to_q_and_k_before_their_product() -> None:
    def doubled(q, k, *, start=0):
        return 2 * q, k

    torch.manual_seed(0)
    layer, x = MultiHeadAttention(16, 4, process_heads=doubled), torch.randn(1, 5, 16)
    with av.record() as run:
        layer(x)
    q = layer.w_q(x).unflatten(-1, (4, 4)).transpose(1, 2)  # [B, H, T, d_k]
    torch.testing.assert_close(run["q"], 2 * q, **CLOSE)


def test_a_gate_multiplies_the_hidden_numbers_by_hand() -> None:
    part = GatedFeedForward(tiny(d_model=4, d_ff=1, activation="silu", is_gated=True, bias=False))
    weights = {"w_gate": [[1.0, 0, 0, 0]], "w_1": [[0.0, 1, 0, 0]], "w_2": [[1.0], [0], [0], [2]]}
    part.load_state_dict({f"{name}.weight": torch.tensor(rows) for name, rows in weights.items()})
    gated = 2 / (1 + math.exp(-2)) * 3  # SiLU(2) · 3
    torch.testing.assert_close(part(torch.tensor([2.0, 3.0, 0.0, 0.0])), torch.tensor([gated, 0.0, 0.0, 2 * gated]))


def test_each_residual_connection_is_its_formula() -> None:
    x, f = torch.randn(2, 3, 16), nn.Linear(16, 16)
    post, pre, both = (
        kind(tiny(norm=name)) for kind, name in ((PostNorm, "post"), (PreNorm, "pre"), (NormBothSides, "both"))
    )
    both.norm_after.weight.data.fill_(0.5)
    torch.testing.assert_close(post(x, f), post.norm(x + f(x)))
    torch.testing.assert_close(pre(x, f), x + f(pre.norm(x)))
    torch.testing.assert_close(both(x, f), x + both.norm_after(f(both.norm(x))))


def test_a_window_is_a_band_that_ends_in_the_lower_right_corner() -> None:
    assert causal_mask(4, window=2).int().tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    assert causal_mask(1, 4, window=2).int().tolist() == [[0, 0, 1, 1]]


def test_styles_take_turns_from_block_to_block() -> None:
    model = Decoder(modern("gemma 2", n_layers=4)).eval()
    with torch.no_grad(), av.record() as run:
        model(ids(1, 8))
    band = causal_mask(8, window=3)
    for layer in range(4):
        weights = run[f"decoder.{layer}.self.weights"][0]  # [H, T, T]
        assert bool((weights[:, ~band] == 0).all()) is (layer % 2 == 0)
        assert float(run[f"decoder.{layer}.self.scores"].abs().max()) <= 5.0


@pytest.mark.parametrize("changes", [{}, {"norm": "both", "activation": "gelu_tanh"}, {"is_parallel": True}], ids=str)
@pytest.mark.parametrize("style", STYLES)
def test_a_cache_gives_the_logits_of_reading_again_and_holds_the_heads_of_keys_alone(style: str, changes) -> None:
    torch.manual_seed(0)
    config = modern(style, **changes)
    model, target, cache = Decoder(config).eval(), ids(3, 9), KeyValueCache()
    with torch.no_grad():
        whole, rows = model(target), [2, 0, 0]
        pieces = [model(part, cache=cache) for part in target[:, :7].split([4, 1, 2], dim=1)]
        torch.testing.assert_close(torch.cat(pieces, dim=1), whole[:, :7], **CLOSE)
        cache.select(rows)
        torch.testing.assert_close(model(target[rows, 7:], cache=cache), whole[rows, 7:], **CLOSE)
    assert cache.n_tokens == 9
    held = next(iter(cache.parts.values())).k
    assert held is not None and held.shape[1] == (config.attention_of(0).n_kv_heads or 4)


@pytest.mark.parametrize("style", STYLES)
def test_every_weight_of_a_modern_decoder_is_trained(style: str) -> None:
    model = Decoder(modern(style))
    model(ids()).square().mean().backward()
    assert all(parameter.grad is not None and bool(parameter.grad.any()) for parameter in model.parameters())
    assert not [name for name, _ in model.named_parameters() if name.endswith("bias")]


def test_a_parallel_block_reads_one_x_twice() -> None:
    model = Decoder(modern("llama", is_parallel=True, n_layers=1)).eval()
    with torch.no_grad(), av.record() as run:
        model(ids())
        block, x = model.blocks[0], run["decoder.0.in"]
        fed = block.feed_forward(block.feed_forward_residual.norm(x))
    torch.testing.assert_close(run["decoder.0.out"], x + run["decoder.0.self.out"] + fed, **CLOSE)


def test_rotary_positions_tell_the_order_to_an_encoder_too() -> None:
    order = torch.tensor([4, 2, 0, 5, 1, 3])
    encoder = Encoder(modern("llama")).eval()
    assert not torch.allclose(encoder(ids()[:, order]), encoder(ids())[:, order], atol=1e-3)


def test_cross_attention_is_the_papers_beside_self_attention_that_rotates() -> None:
    model = EncoderDecoder(modern("one head of keys")).eval()
    with torch.no_grad(), av.record() as run:
        model(ids(1, 6), ids(1, 4))
    assert run["decoder.0.cross.k"].shape == (1, 4, 6, 4)
    again = model.decoder.blocks[0].cross_attention
    q = again.w_q(run["decoder.0.cross.x"]).unflatten(-1, (4, 4)).transpose(1, 2)  # [B, H, T, d_k]
    torch.testing.assert_close(run["decoder.0.cross.q"], q, **CLOSE)


def test_norms_of_q_and_k_bring_each_head_to_one_length_and_then_rotate() -> None:
    process = NormedHeads(8, eps=0.0, after=RotaryPositions(8, ROTARY))
    q, k = process(5 * torch.randn(1, 4, 3, 8), torch.randn(1, 2, 3, 8))
    for part in (q, k):  # a rotation keeps lengths
        torch.testing.assert_close(part.square().mean(-1), torch.ones(part.shape[:-1]), **CLOSE)


@pytest.mark.parametrize(("sentence", "build"), [
    ("n_heads=4 is not divisible by n_kv_heads=3", lambda: MultiHeadAttention(16, 4, n_kv_heads=3)),
    ("n_heads=4 is not divisible by n_kv_heads=3", lambda: tiny(attention=AttentionStyle(n_kv_heads=3))),
    ("n_kv_heads is 0; expected a whole number", lambda: AttentionStyle(n_kv_heads=0)),
    ("head_width is 0; expected a whole number", lambda: MultiHeadAttention(16, 4, head_width=0)),
    ("window is 0; expected a whole number", lambda: AttentionStyle(window=0)),
    ("softcap is 0; expected a number above 0", lambda: AttentionStyle(softcap=0)),
    ("softcap is -1.0; expected a number above 0", lambda: replace(LLAMA.embedding, softcap=-1.0)),
    ("theta is inf; expected a number above 0", lambda: RotaryStyle(theta=math.inf)),
    ("pairs is 'both'. Expected one of 'halves', 'neighbours'", lambda: RotaryStyle(pairs="both")),
    ("5 numbers of a head of width 5 are to be rotated; expected an even number", lambda: RotaryPositions(5, ROTARY)),
    ("10 numbers of a head of width 8 are to be rotated", lambda: RotaryPositions(8, RotaryStyle(width=10))),
    ("2 frequencies were given for 8 numbers; expected one for each pair, 4",
     lambda: RotaryPositions(8, RotaryStyle(frequencies=(1.0, 0.5)))),
    ("attention is (); expected a style", lambda: tiny(attention=())),
    ("norm_kind is 'batch'. Expected one of 'layer', 'rms'", lambda: tiny(norm_kind="batch")),
    ("is_parallel has norm='post'; expected norm='pre'", lambda: tiny(is_parallel=True)),
    ("parallel blocks or a sliding window, which our decoders have alone", lambda: Encoder(modern("gemma 2"))),
    ("A parallel block has no cross-attention",
     lambda: Decoder(modern("llama", is_parallel=True), has_cross=True)),
    ("which torch’s layer has not", MultiHeadAttention(16, 4, n_kv_heads=2).to_torch),
    ("which torch’s layer has not", MultiHeadAttention(16, 4, process_heads=RotaryPositions(4, ROTARY)).to_torch),
])  # fmt: skip
def test_what_cannot_be_built_is_refused(sentence: str, build) -> None:
    with pytest.raises(InputError) as refused:
        build()
    assert sentence in str(refused.value)
