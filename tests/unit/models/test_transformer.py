"""Positions, embedding, blocks and stacks: by hand, by name, and what they refuse."""

from __future__ import annotations

import math
import threading

import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.explanation.attention_cell import explain
from attnviz.models import (
    Decoder,
    EmbeddingStyle,
    Encoder,
    EncoderDecoder,
    TokenEmbedding,
    TransformerConfig,
    parameters_of,
    sinusoidal_positions,
)

TINY = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=2, d_ff=24, max_tokens=12, dropout=0.0)


def tiny(**changes: object) -> TransformerConfig:
    return TransformerConfig(**{**TINY.__dict__, **changes})  # type: ignore[arg-type]


def ids(batch: int = 2, n_tokens: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.randint(20, (batch, n_tokens), generator=torch.Generator().manual_seed(seed))


# -- config and positions --------------------------------------------------------------------------------------


def test_the_defaults_are_the_base_model_of_the_paper() -> None:
    config = TransformerConfig()
    assert (config.n_layers, config.d_model, config.n_heads, config.d_ff, config.dropout) == (6, 512, 8, 2048, 0.1)
    assert len(TransformerConfig.__dataclass_fields__) <= 12


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_heads": 3}, "d_model=16 cannot be shared equally by n_heads=3.*Choose d_model=15 or 18"),
        ({"n_layers": 0}, "n_layers is 0; expected at least 1"),
        ({"n_heads": 2.0}, "n_heads is 2.0; expected a whole number"),
        ({"norm": "prenorm"}, "norm is 'prenorm'; expected one of 'post', 'pre'"),
        ({"activation": "silu"}, "activation is 'silu'; expected one of 'relu', 'gelu', 'gelu_tanh'"),
        ({"activation": "gelu_new"}, "activation is 'gelu_new'; .*gelu_new is our gelu_tanh"),
        ({"dropout": 1.0}, r"dropout is 1.0; expected 0 <= dropout < 1"),
    ],
)
def test_impossible_configurations_are_refused(change: dict[str, int], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        tiny(**change)


def test_positions_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InputError, match="positions is 'sin'; expected one of 'sinusoidal', 'learned', 'none'"):
        EmbeddingStyle(positions="sin")  # type: ignore[arg-type]


def test_sinusoidal_positions_by_hand() -> None:
    table = sinusoidal_positions(3, 4)
    assert table[0].tolist() == [0.0, 1.0, 0.0, 1.0]
    slow = 1 / 10_000 ** (2 / 4)  # the second hand of the clock
    expected = [math.sin(2), math.cos(2), math.sin(2 * slow), math.cos(2 * slow)]
    torch.testing.assert_close(table[2], torch.tensor(expected))
    assert sinusoidal_positions(3, 5).shape == (3, 5)  # an odd width leaves the last hand without its cosine


def test_the_embedding_is_token_times_root_d_plus_position() -> None:
    embed = TokenEmbedding(TINY)
    x = embed(torch.tensor([[3, 7]]))
    torch.testing.assert_close(x[0, 1], embed.tokens.weight[7] * 4 + sinusoidal_positions(2, 16)[1])


def test_shuffled_tokens_give_shuffled_outputs_only_without_positions() -> None:
    order = torch.tensor([4, 2, 0, 5, 1, 3])
    for positions, is_same in (("none", True), ("sinusoidal", False)):
        torch.manual_seed(0)
        encoder = Encoder(tiny(embedding=EmbeddingStyle(positions=positions))).eval()
        shuffled, plain = encoder(ids()[:, order]), encoder(ids())[:, order]
        assert torch.allclose(shuffled, plain, atol=1e-5) is is_same


# -- names -----------------------------------------------------------------------------------------------------


def test_recorded_values_are_named_after_their_site() -> None:
    model = EncoderDecoder(TINY).eval()
    with torch.no_grad(), av.record() as run:
        model(ids(2, 6), ids(2, 5))
    assert run.places == (
        "encoder.0.self", "encoder.1.self",
        "decoder.0.self", "decoder.0.cross", "decoder.1.self", "decoder.1.cross",
    )  # fmt: skip
    assert run["encoder.1.self.weights"].shape == (2, 4, 6, 6)
    assert run["decoder.1.cross.weights"].shape == (2, 4, 5, 6)
    assert (run["decoder.1.self.weights"].triu(1) == 0).all()
    points = ["encoder.embed", "encoder.out", "decoder.embed", "decoder.out", "decoder.0.crossed", "decoder.1.crossed"]
    for stack in ("encoder", "decoder"):
        points += [f"{stack}.{layer}.{point}" for layer in (0, 1) for point in ("in", "mid", "out")]
    for point in points:
        assert run[point].shape == (2, 6 if point.startswith("encoder") else 5, 16)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_trace_can_write_out_every_product_of_every_site(norm: str) -> None:
    torch.manual_seed(1)
    model = EncoderDecoder(tiny(norm=norm)).eval()
    with torch.no_grad(), av.record() as run:
        model(ids(2, 6), ids(2, 5))
    trace = run.trace(1, parameters=parameters_of(model))
    for site in trace.sites:
        for step in ("q", "k", "v", "out"):
            axis = {"key": 1} if step in ("k", "v") else {"query": 1}
            cell = explain(trace, site, step, head=2, feature=3, **axis)
            assert cell.recomputed == pytest.approx(cell.value, abs=1e-5)


def test_the_stream_is_what_went_in_plus_what_each_part_added() -> None:
    encoder = Encoder(tiny(norm="pre")).eval()
    with torch.no_grad(), av.record() as run:
        encoder(ids())
    found = run["encoder.1.self.out"]
    torch.testing.assert_close(run["encoder.1.mid"], run["encoder.1.in"] + found, rtol=0, atol=1e-6)


def test_state_dicts_read_well() -> None:
    names = set(Decoder(TINY, has_cross=True).state_dict())
    assert {
        "embed.tokens.weight", "blocks.0.self_attention.w_q.weight", "blocks.1.cross_attention.w_o.bias",
        "blocks.1.feed_forward.w_1.weight", "blocks.0.self_residual.norm.weight", "to_vocabulary.weight",
    } <= names  # fmt: skip


def test_the_output_shares_the_token_table_unless_told_otherwise() -> None:
    tied, untied = Decoder(TINY), Decoder(tiny(embedding=EmbeddingStyle(is_tied=False)))
    assert tied.to_vocabulary.weight is tied.embed.tokens.weight
    assert untied.to_vocabulary.weight is not untied.embed.tokens.weight


# -- behaviour -------------------------------------------------------------------------------------------------


def test_padding_changes_nothing_for_the_tokens_before_it() -> None:
    model = EncoderDecoder(TINY).eval()
    source, target, is_token = ids(1, 6), ids(1, 5), torch.arange(9)[None] < 6
    padded = torch.nn.functional.pad(source, (0, 3))
    alone = model(source, target)
    torch.testing.assert_close(model(padded, target, source_is_token=is_token), alone, rtol=0, atol=1e-5)


def test_no_token_of_a_decoder_sees_a_later_one() -> None:
    decoder, changed = Decoder(TINY).eval(), ids()
    before = decoder(changed)
    changed = changed.clone()
    changed[:, 4] = (changed[:, 4] + 1) % 20
    after = decoder(changed)
    assert torch.equal(before[:, :4], after[:, :4])
    assert not torch.allclose(before[:, 4], after[:, 4])


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
def test_recording_a_whole_model_changes_no_number(kernel: str) -> None:
    model = EncoderDecoder(TINY).eval()
    alone = model(ids(), ids(), kernel=kernel)
    with av.record(), torch.no_grad():
        quiet = model(ids(), ids(), kernel=kernel)
    with av.record():
        recorded = model(ids(), ids(), kernel=kernel)
    assert torch.equal(alone, recorded)
    with torch.no_grad():
        assert torch.equal(model(ids(), ids(), kernel=kernel), quiet)


def test_eight_threads_over_one_model_never_mix() -> None:
    model = Decoder(TINY).eval()
    texts = [ids(1, 3 + i, seed=i) for i in range(8)]
    expected = []
    for text in texts:
        with torch.no_grad(), av.record() as run:
            model(text)
        expected.append(run["decoder.1.self.weights"])
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(10):
            with torch.no_grad(), av.record() as run:
                model(texts[i])
            if len(run.places) != 2 or not torch.equal(run["decoder.1.self.weights"], expected[i]):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_edit_reaches_the_layer_it_names_and_no_other() -> None:
    model = Encoder(TINY).eval()
    silence = av.Edit("encoder.1.self.weights", lambda name, weights: torch.zeros_like(weights), "layer 2 silent")
    with torch.no_grad(), av.record() as plain:
        model(ids())
    with torch.no_grad(), av.record(edits=[silence]) as edited:
        model(ids())
    assert torch.allclose(plain["encoder.1.in"], edited["encoder.1.in"], atol=1e-6)
    assert (edited["encoder.1.self.context"] == 0).all()
    assert not torch.allclose(plain["encoder.out"], edited["encoder.out"])
    assert edited.edits == ("layer 2 silent",)


def test_two_stacks_may_differ_in_depth_and_vocabulary() -> None:
    model = EncoderDecoder(TINY, tiny(n_layers=1, vocab_size=30)).eval()
    assert model(ids(), ids()).shape == (2, 6, 30)


def test_a_small_decoder_learns_to_repeat_what_it_read() -> None:
    torch.manual_seed(0)
    model = Decoder(tiny(vocab_size=6, n_layers=2, d_model=32))
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(200):
        first = torch.randint(6, (32, 5))
        text = torch.cat([first, first], dim=1)  # [32, 10]
        logits = model(text[:, :-1])  # [32, 9, 6]
        loss = torch.nn.functional.cross_entropy(logits[:, 4:].flatten(0, 1), text[:, 5:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.6  # guessing would be ln 6 = 1.79


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")
def test_a_model_on_a_gpu_gives_the_same_logits() -> None:
    model = EncoderDecoder(TINY).eval()
    expected = model(ids(), ids())
    model = model.cuda()
    torch.testing.assert_close(model(ids().cuda(), ids().cuda()).cpu(), expected, rtol=0, atol=1e-4)
