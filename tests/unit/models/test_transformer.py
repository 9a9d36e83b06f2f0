"""Positions, embedding, blocks and stacks: by hand, by name, and what must not change them."""

import copy
import math
import pickle

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.models import (
    BERT_EMBEDDING,
    GPT2_EMBEDDING,
    EmbeddingStyle,
    Encoder,
    EncoderBlock,
    EncoderDecoder,
    FeedForward,
    PreNorm,
    TokenEmbedding,
    TransformerConfig,
    sinusoidal_positions,
)
from tests.unit.models.tiny import ids, tiny

CLOSE = {"rtol": 0, "atol": 1e-5}  # of float32: the same sums in another order, through two layers


def test_the_defaults_are_the_base_model_of_the_paper() -> None:
    config = TransformerConfig()
    assert (config.n_layers, config.d_model, config.n_heads, config.d_ff, config.dropout) == (6, 512, 8, 2048, 0.1)


def test_sinusoidal_positions_by_hand() -> None:
    table = sinusoidal_positions(3, 4)
    assert table[0].tolist() == [0.0, 1.0, 0.0, 1.0]
    slow = 1 / 10_000 ** (2 / 4)  # the second hand of the clock
    expected = [math.sin(2), math.cos(2), math.sin(2 * slow), math.cos(2 * slow)]
    torch.testing.assert_close(table[2], torch.tensor(expected))
    assert sinusoidal_positions(3, 5).shape == (3, 5)  # an odd width leaves the last hand without its cosine


def test_the_embedding_is_token_times_root_d_plus_position() -> None:
    embed = TokenEmbedding(tiny())
    x = embed(torch.tensor([[3, 7]]))
    torch.testing.assert_close(x[0, 1], embed.tokens.weight[7] * 4 + sinusoidal_positions(2, 16)[1])


@pytest.mark.parametrize("style", [tiny().embedding, BERT_EMBEDDING, GPT2_EMBEDDING])
def test_different_tokens_begin_with_different_vectors(style: EmbeddingStyle) -> None:
    torch.manual_seed(0)
    embed = TokenEmbedding(tiny(embedding=style, d_model=64))
    x = embed(torch.arange(20)[:, None])[:, 0]  # [20, D], every token at the same place
    likeness = nn.functional.cosine_similarity(x[:, None], x[None], dim=-1)  # [20, 20]
    assert float(likeness.detach().triu(1).sum()) / 190 < 0.75  # a third of the variance is the token's own


def test_shuffled_tokens_give_shuffled_outputs_only_without_positions() -> None:
    order = torch.tensor([4, 2, 0, 5, 1, 3])
    for positions, is_same in (("none", True), ("sinusoidal", False)):
        torch.manual_seed(0)
        encoder = Encoder(tiny(embedding=EmbeddingStyle(positions=positions))).eval()
        shuffled, plain = encoder(ids()[:, order]), encoder(ids())[:, order]
        assert torch.allclose(shuffled, plain, atol=1e-5) is is_same


def test_recorded_values_are_named_after_their_site_in_stacks_of_two_depths_and_vocabularies() -> None:
    model = EncoderDecoder(tiny(), tiny(n_layers=1, vocab_size=30)).eval()
    with torch.no_grad(), av.record() as run:
        assert model(ids(2, 6), ids(2, 5)).shape == (2, 5, 30)
    assert run.places == ("encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.0.cross")
    assert run["encoder.1.self.weights"].shape == (2, 4, 6, 6)
    assert run["decoder.0.cross.weights"].shape == (2, 4, 5, 6)
    assert (run["decoder.0.self.weights"].triu(1) == 0).all()
    blocks = [f"{block}.{point}" for block in ("encoder.0", "encoder.1", "decoder.0") for point in ("in", "mid", "out")]
    for point in (*blocks, "encoder.embed", "encoder.out", "decoder.embed", "decoder.out", "decoder.0.crossed"):
        assert run[point].shape == (2, 6 if point.startswith("encoder") else 5, 16)


def test_every_mask_reaches_the_stack_it_is_for() -> None:
    model = EncoderDecoder(tiny()).eval()
    source, target = ids(1, 6), ids(1, 5)
    first_is_padding = torch.tensor([[False, True, True, True, True]])
    dropped = model(source, target, target_is_token=first_is_padding)  # [1, 5, V]
    assert not torch.allclose(dropped[:, 1:], model(source, target)[:, 1:], atol=1e-4)
    is_token = torch.arange(6)[None] < 4
    shorter = model(source[:, :4], target)  # [1, 5, V]
    torch.testing.assert_close(model(source, target, source_is_token=is_token), shorter, **CLOSE)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_text_of_nothing_but_padding_spoils_neither_itself_nor_the_others(norm: str) -> None:
    model = EncoderDecoder(tiny(norm=norm)).eval()
    source, target = ids(2, 6), ids(2, 5)
    is_token = torch.tensor([[True] * 6, [False] * 6])
    logits = model(source, target, source_is_token=is_token)  # [2, 5, V]
    torch.testing.assert_close(logits[:1], model(source[:1], target[:1]), **CLOSE)
    logits.square().sum().backward()
    for tensor in (logits, *(parameter.grad for parameter in model.parameters())):
        assert torch.isfinite(tensor).all()


def test_dropout_acts_in_training_alone_and_on_what_a_part_adds() -> None:
    torch.manual_seed(0)
    config = tiny(dropout=0.5, norm="pre")
    embed, residual, part = TokenEmbedding(config), PreNorm(config), FeedForward(config)
    stream, added = torch.randn(20, 12, 16), torch.ones(20, 12, 16)
    hidden: list[Tensor] = []
    part.w_2.register_forward_pre_hook(lambda module, came: hidden.append(came[0]))
    nn.init.zeros_(part.w_1.weight)
    nn.init.ones_(part.w_1.bias)  # every hidden number is 1 before dropout
    for module, share in ((nn.Module.train, 0.5), (nn.Module.eval, 0.0)):
        for layer in (embed, residual, part):
            module(layer)
        part(stream)
        kept = residual(stream, lambda read: added) - stream  # 0 or 2 in training
        for found in (embed(ids(20, 12)), kept, hidden.pop()):
            zeros = found.abs() < 1e-6
            assert float(zeros.float().mean()) == pytest.approx(share, abs=0.1)
        assert float(kept.max()) == pytest.approx(2.0 if share else 1.0, abs=1e-5)
    assert EncoderBlock(config).self_attention.dropout == 0.5


@pytest.mark.parametrize(("moved", "device", "atol"), [
    (copy.deepcopy, "cpu", 1e-5), (lambda model: pickle.loads(pickle.dumps(model)), "cpu", 1e-5),
    (lambda model: model.double().float(), "cpu", 1e-5),
    pytest.param(nn.Module.cuda, "cuda", 1e-4, marks=pytest.mark.gpu),
])  # fmt: skip
def test_a_moved_or_copied_model_gives_the_same_logits(moved, device: str, atol: float) -> None:
    model = EncoderDecoder(tiny()).eval()
    expected = model(ids(), ids())
    read = ids().to(device)
    torch.testing.assert_close(moved(model)(read, read).cpu(), expected, rtol=0, atol=atol)
