"""Right attention is called right, whoever wrote it, of whatever size."""

import copy
import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from attnviz.checking.find.mistaken_attention import Variant, attention
from attnviz.checking.read.layouts import layouts_of, parameters_of
from attnviz.models import MultiHeadAttention, SelfAttention
from tests.unit.checking.layers import Grouped, Right, broken, only, right, unscaled


class Heads(nn.Module):
    """One module a head, as in many courses, with three matrices or a fused one, and causal."""

    def __init__(self, widths: dict[str, int]) -> None:
        super().__init__()
        self.heads = nn.ModuleList(
            nn.ModuleDict({name: nn.Linear(16, width, False) for name, width in widths.items()}) for _ in range(4)
        )
        self.proj = nn.Linear(16, 16)

    def forward(self, x: Tensor) -> Tensor:
        outs = []
        for head in self.heads:
            q, k, v = torch.cat([matrix(x) for matrix in head.values()], -1).chunk(3, -1)  # type: ignore[operator]
            outs.append(F.scaled_dot_product_attention(q, k, v, is_causal=True))
        return self.proj(torch.cat(outs, -1))


def heads() -> Heads:
    return Heads({"query": 4, "key": 4, "value": 4})


class Annotated(Right):
    """Four layers without names, and a mask of 0 and 1."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.n_heads = 4
        self.linears = nn.ModuleList(nn.Linear(16, 16) for _ in range(4))

    def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores.masked_fill((1 - mask).bool(), -math.inf)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:  # type: ignore[override]
        q, k, v = (self.split(layer(x)) for layer, x in zip(self.linears, (query, key, value), strict=False))
        context, _ = self.attend(q, k, v, mask)
        return self.linears[3](self.join(context))


class Bare(Right):
    """Matrices that are no layers, x W, and biases named like them."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.n_heads = 3
        for letter in "qkvo":
            self.register_parameter(f"W{letter}", nn.Parameter(torch.randn(24, 24)))
            self.register_parameter(f"b{letter}", nn.Parameter(torch.randn(24)))

    def linear(self, x: Tensor, letter: str) -> Tensor:
        return x @ self.get_parameter(f"W{letter}") + self.get_parameter(f"b{letter}")

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.linear(x, letter) for letter in "qkv")

    def w_o(self, x: Tensor) -> Tensor:  # type: ignore[override]
        return self.linear(x, "o")


class Einsum(nn.Module):
    """Bare matrices [H, D, d_k] and [H, d_k, D], and no number of heads anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (nn.Parameter(torch.randn(3, 12, 4)) for _ in range(3))
        self.W_O, self.b_O = nn.Parameter(torch.randn(3, 4, 12)), nn.Parameter(torch.zeros(12))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (torch.einsum("btd,hde->bhte", x, w) for w in (self.W_Q, self.W_K, self.W_V))
        weights = (q @ k.mT / 2).softmax(-1)
        return weights, torch.einsum("bhqe,hed->bqd", weights @ v, self.W_O) + self.b_O


@pytest.mark.parametrize("subject", [
    nn.MultiheadAttention(1, 1, kdim=5, dropout=0.2, batch_first=True),
    nn.MultiheadAttention(54, 6, bias=False, kdim=5, dropout=0.2, batch_first=True),
    nn.MultiheadAttention(5, 5, bias=False),
    Right(4, 1, bias=False), MultiHeadAttention(54, 6), SelfAttention(54, 9), Annotated(), Bare(), Einsum(), Grouped(),
    F.scaled_dot_product_attention, av.scaled_dot_product_attention, av.attend,
    lambda value, key, query: F.scaled_dot_product_attention(query, key, value),
    lambda q, k, v: torch.bmm(torch.softmax(torch.bmm(q, k.mT) / math.sqrt(q.shape[-1]), -1), v),
    lambda q, k, v: torch.softmax(torch.mm(q, k.T) / math.sqrt(q.shape[-1]), -1).mm(v),
], ids=lambda subject: getattr(subject, "__name__", type(subject).__name__))  # fmt: skip
def test_layers_and_functions_of_any_size_and_style_are_right(subject: Any) -> None:
    right(subject)


def test_heads_that_hold_a_fused_matrix_each_are_read() -> None:
    assert "4 heads of width 4" in right(Heads({"qkv": 12})).how


def test_shared_keys_are_read_where_nothing_says_how_many_heads_there_are() -> None:
    layer = Grouped()
    del layer.n_heads
    assert "6 heads of width 8" in right(layer).how


@pytest.mark.parametrize("kernel", ["eager", "sdpa"])
def test_berts_and_gpt2s_layers_are_right(kernel: str) -> None:
    from transformers import BertConfig, GPT2Config
    from transformers.models.bert.modeling_bert import BertSelfAttention
    from transformers.models.gpt2.modeling_gpt2 import GPT2Attention

    right(BertSelfAttention(BertConfig(hidden_size=32, num_attention_heads=4, attn_implementation=kernel)))
    right(GPT2Attention(GPT2Config(n_embd=32, n_head=4, attn_implementation=kernel), layer_idx=0))


def test_a_layer_that_says_it_is_no_cross_attention_may_ignore_a_second_text() -> None:
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertAttention

    report = right(BertAttention(BertConfig(hidden_size=32, num_attention_heads=4, attn_implementation="eager")))
    assert any("the layer says that it reads none" in why for why in report.unchecked)


@pytest.mark.parametrize("kind", ["llama", "mistral", "qwen2", "gpt_neox"])
def test_layers_that_are_given_their_positions_are_not_called_wrong(kind: str) -> None:
    from transformers import AutoConfig, AutoModel

    sizes = {"hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 1, "intermediate_size": 32}
    if kind != "gpt_neox":
        sizes["num_key_value_heads"] = 2
    model = AutoModel.from_config(AutoConfig.for_model(kind, vocab_size=50, **sizes), attn_implementation="eager")
    layer = next(part for part in model.modules() if type(part).__name__.endswith("Attention"))
    assert "it needs position_embeddings" in only(layer, "cannot-call").sentence


def test_a_layer_that_starts_with_zeros_or_in_half_precision_is_right() -> None:
    layer, wrong = Right(), broken(scores=unscaled)
    for parameter in (*layer.parameters(), *wrong.parameters()):
        nn.init.zeros_(parameter)
    right(layer)
    only(wrong, "scale-missing")
    right(Right().half())


def test_every_convention_of_masks_is_right_when_it_is_said() -> None:
    right(
        broken(hide=lambda s, x, mask: x if mask is None else x.masked_fill(mask, -math.inf)),
        mask_means="cannot attend",
    )
    added = broken(hide=lambda s, x, mask: x if mask is None else x + mask)
    right(added, mask_means="added")
    right(added)


def test_a_causal_layer_is_right_and_its_direction_is_noted() -> None:
    assert [note.id for note in right(heads()).notes] == ["causal"]
    replaced = broken(hide=lambda s, x, m: Right.hide(s, x, torch.ones(x.shape[-2:]).tril() > 0 if m is None else m))
    assert [note.id for note in right(replaced).notes] == ["causal", "mask-replaces-causal", "blocked-row-nan"]
    right(heads(), is_causal=True)
    only(heads(), "causal-unasked", is_causal=False)
    only(Right(), "causal-missing", is_causal=True)


def test_the_attention_that_others_are_compared_with_is_the_one_of_this_library() -> None:
    torch.manual_seed(0)
    layer, x = MultiHeadAttention(12, 3).double(), torch.randn(2, 5, 12, dtype=torch.float64)
    numbers = layouts_of(layer)[0].build(parameters_of(layer))
    allowed = torch.rand(5, 5) > 0.5
    allowed[1] = False
    with av.record(keep="all") as run:
        out = layer(x, mask=allowed)
    ours = attention((x, x, x), numbers, Variant(), allowed)
    torch.testing.assert_close(ours.out, out, rtol=0, atol=1e-12)
    for name in ("raw", "scores", "masked", "weights"):
        torch.testing.assert_close(getattr(ours, name), run[name], rtol=0, atol=1e-12)


def test_the_layer_and_torchs_random_numbers_are_as_before() -> None:
    layer = nn.MultiheadAttention(8, 2, dropout=0.5)
    before, state = copy.deepcopy(layer.state_dict()), torch.get_rng_state()
    for training in (True, False):
        layer.train(training)
        with torch.inference_mode():
            right(layer)
        assert layer.training is training
    assert all(torch.equal(before[name], value) for name, value in layer.state_dict().items())
    assert all(parameter.grad is None for parameter in layer.parameters())
    assert torch.equal(state, torch.get_rng_state())
