"""One product for W_Q, W_K and W_V: the same numbers as three, and never those of weights that are no longer there."""

import contextlib
import copy
import io
import pickle
from collections.abc import Callable

import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef

from attnviz.core.errors import InputError
from attnviz.models import Encoder, FeedForward, MultiHeadAttention, TransformerConfig

THREE = ("w_q", "w_k", "w_v")


@pytest.fixture
def layer() -> MultiHeadAttention:
    torch.manual_seed(0)
    return MultiHeadAttention(12, 3).eval()


@pytest.fixture
def x() -> Tensor:
    return torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(1))  # [B, T, D]


def joint(layer: MultiHeadAttention, x: Tensor) -> Tensor | None:
    with torch.no_grad():
        return layer.joint_product(x)  # [B, T, 3·D]


def apart(layer: MultiHeadAttention, x: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.cat([getattr(layer, name)(x) for name in THREE], dim=-1)  # [B, T, 3·D]


def test_one_product_gives_what_three_give(layer: MultiHeadAttention, x: Tensor) -> None:
    together = joint(layer, x)
    assert together is not None
    torch.testing.assert_close(together, apart(layer, x), rtol=0, atol=1e-6)


def test_a_layer_without_bias_is_joined_too(x: Tensor) -> None:
    layer = MultiHeadAttention(12, 3, bias=False)
    together = joint(layer, x)
    assert together is not None
    torch.testing.assert_close(together, apart(layer, x), rtol=0, atol=1e-6)


def test_weights_written_in_place_are_read(layer: MultiHeadAttention, x: Tensor) -> None:
    before = joint(layer, x)
    with torch.no_grad():
        layer.w_k.weight.mul_(2)
    layer.load_state_dict({**layer.state_dict(), "w_v.bias": torch.ones(12)})
    together = joint(layer, x)
    assert together is not None and before is not None and not torch.equal(together, before)
    torch.testing.assert_close(together, apart(layer, x), rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "moved",
    [
        lambda layer: layer.double(),
        lambda layer: layer.bfloat16().float(),
        copy.deepcopy,
        lambda layer: pickle.loads(pickle.dumps(layer)),
        lambda layer: MultiHeadAttention.from_torch(layer.to_torch()),
        lambda layer: layer.requires_grad_(False),
    ],
)
def test_a_moved_or_copied_layer_is_laid_again(layer: MultiHeadAttention, x: Tensor, moved: object) -> None:
    layer = moved(layer)  # type: ignore[operator]
    x = x.to(layer.w_q.weight.dtype)
    together = joint(layer, x)
    assert together is not None
    torch.testing.assert_close(together, apart(layer, x), rtol=0, atol=1e-6)


def test_a_copy_shares_nothing_with_its_original(layer: MultiHeadAttention, x: Tensor) -> None:
    before = joint(layer, x)
    with torch.no_grad():
        copy.deepcopy(layer).w_q.weight.zero_()
    after = joint(layer, x)
    assert before is not None and after is not None and torch.equal(before, after)


def replaced(layer: MultiHeadAttention) -> None:
    layer.w_k = nn.Linear(12, 12)


def listened(layer: MultiHeadAttention) -> None:
    layer.w_v.register_forward_hook(lambda module, came, made: made * 2)


def loaded_one_by_one(layer: MultiHeadAttention) -> None:
    layer.load_state_dict({name: part.clone() for name, part in layer.state_dict().items()}, assign=True)


def tied(layer: MultiHeadAttention) -> None:
    layer.w_k.weight = layer.w_q.weight


def reparametrised(layer: MultiHeadAttention) -> None:
    nn.utils.parametrizations.weight_norm(layer.w_q)


def tied_and_moved(layer: MultiHeadAttention) -> None:
    tied(layer)
    layer.double().float()
    with torch.no_grad():
        layer.w_q.weight.mul_(2)  # as an optimizer does
    assert torch.equal(layer.w_q.weight, layer.w_k.weight)


def tied_by_memory(layer: MultiHeadAttention) -> None:
    layer.w_v.weight.data = layer.w_k.weight.data
    layer.float()
    layer.w_k.weight.data.mul_(2)
    assert torch.equal(layer.w_v.weight, layer.w_k.weight)


def with_biases_as_buffers(layer: MultiHeadAttention) -> None:
    for name in THREE:
        linear = getattr(layer, name)
        bias = torch.randn(12)
        del linear.bias
        linear.register_buffer("bias", bias)
    layer.float()


def with_weights_as_tensors(layer: MultiHeadAttention) -> None:
    for name in THREE:
        linear = getattr(layer, name)
        weight = linear.weight.detach().clone()
        del linear.weight
        linear.weight = weight
    layer.float()


def turned_round(layer: MultiHeadAttention) -> None:
    layer.w_k.weight.data = layer.w_k.weight.data.t()


def another_class(layer: MultiHeadAttention) -> None:
    layer._modules["w_v"] = nn.Sequential(layer.w_v, nn.Tanh())


def without_one_bias(layer: MultiHeadAttention) -> None:
    for name in THREE:
        nn.init.normal_(getattr(layer, name).bias)
    layer.w_q.bias = None  # as in Whisper, where keys have none; those of the others stay


def narrowed(layer: MultiHeadAttention) -> None:
    layer.w_k.weight.data = layer.w_k.weight.data.as_strided((12, 12), (0, 1))  # the same place, read otherwise


def moved_to(precision: torch.dtype) -> Callable[[MultiHeadAttention], None]:
    return lambda layer: layer.to(precision) and None


def trained(layer: MultiHeadAttention) -> None:
    with torch.no_grad():
        for number, parameter in enumerate(layer.parameters()):
            parameter.add_(torch.linspace(-0.1, 0.1, parameter.numel()).view_as(parameter) * (number + 1))


def swapped(layer: MultiHeadAttention) -> None:
    layer.w_q, layer.w_v = layer.w_v, layer.w_q


def loaded_in_place(layer: MultiHeadAttention) -> None:
    layer.load_state_dict({name: part * 0.9 for name, part in layer.state_dict().items()})


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([
    replaced, tied, loaded_one_by_one, loaded_in_place, trained, swapped, with_biases_as_buffers,
    moved_to(torch.float64), moved_to(torch.float32), nn.Module.share_memory, copy.deepcopy,
]), min_size=2, max_size=6))  # fmt: skip
def test_after_any_changes_a_layer_gives_without_gradients_what_it_gives_with(changes: list[Callable]) -> None:
    torch.manual_seed(0)
    layer = MultiHeadAttention(12, 3).eval()
    for change in changes:
        with contextlib.suppress(AttributeError, KeyError, RuntimeError):  # some cannot follow others, for torch
            made = change(layer)
            layer = made if isinstance(made, MultiHeadAttention) else layer
    precisions = {part.dtype for part in layer.state_dict().values()} | {layer.w_q.weight.dtype}
    if len(precisions) > 1:  # else it stays as it was left: to move it would lay it anew
        layer.double()
    x = torch.randn(2, 5, 12, dtype=layer.w_q.weight.dtype)
    together = layer(x)
    with torch.no_grad():
        for alone in (layer(x), layer(x, kernel="fused")):
            torch.testing.assert_close(alone, together, rtol=0, atol=1e-5 * float(together.abs().max()))


@pytest.mark.parametrize(
    "change",
    [
        replaced, listened, loaded_one_by_one, tied, tied_and_moved, tied_by_memory, turned_round, reparametrised,
        another_class, without_one_bias, with_biases_as_buffers, with_weights_as_tensors, narrowed,
    ],
)  # fmt: skip
def test_layers_that_lie_apart_are_asked_one_by_one(layer: MultiHeadAttention, x: Tensor, change: object) -> None:
    change(layer)  # type: ignore[operator]
    assert joint(layer, x) is None
    asked = apart(layer, x).chunk(3, dim=-1)  # q, k, v [B, T, D]
    heads = [part.unflatten(-1, (3, 4)).transpose(1, 2) for part in asked]  # [B, H, T, Dh]
    with torch.no_grad():
        expected = layer.w_o(nn.functional.scaled_dot_product_attention(*heads).transpose(1, 2).flatten(2))  # [B, T, D]
        torch.testing.assert_close(layer(x), expected, rtol=0, atol=1e-6)


def test_weights_that_others_replace_are_let_go(layer: MultiHeadAttention, x: Tensor) -> None:
    before = StorageWeakRef(layer.w_q.weight.untyped_storage())
    with torch.no_grad():
        expected = layer(x)
    loaded_one_by_one(layer)
    assert before.expired()
    torch.testing.assert_close(layer(x), expected, rtol=0, atol=1e-6)


def test_neighbours_in_memory_of_their_own_are_not_joined(layer: MultiHeadAttention, x: Tensor) -> None:
    block = bytearray(3 * 12 * 12 * 4)
    for number, name in enumerate(THREE):  # each storage ends where the next one begins
        rows = torch.frombuffer(block, dtype=torch.float32, count=144, offset=number * 576)
        getattr(layer, name).weight.data = rows.view(12, 12)
    assert layer.w_k.weight.data_ptr() == layer.w_q.weight.data_ptr() + layer.w_q.weight.nbytes
    assert joint(layer, x) is None


def test_gradients_reach_each_weight(layer: MultiHeadAttention, x: Tensor) -> None:
    assert layer.joint_product(x) is None  # with gradients, each weight has its own product
    layer(x).square().sum().backward()
    assert all(getattr(layer, name).weight.grad.abs().sum() > 0 for name in THREE)


def test_the_state_saves_as_safetensors_and_as_torch_does(layer: MultiHeadAttention) -> None:
    state = layer.state_dict()
    again = safetensors.torch.load(safetensors.torch.save(state))
    assert all(torch.equal(again[name], state[name]) for name in state)
    buffer = io.BytesIO()
    torch.save(state, buffer)
    assert buffer.tell() < sum(part.nbytes for part in state.values()) + 8192  # the block is written once


def test_memory_shared_between_processes_stays_shared(layer: MultiHeadAttention) -> None:
    layer.share_memory()
    assert all(part.is_shared() for part in layer.parameters())


def test_a_stack_is_joined_in_every_block(x: Tensor) -> None:
    stack = Encoder(TransformerConfig(vocab_size=9, d_model=12, n_heads=3, n_layers=2, d_ff=24)).double().eval()
    layers = [module for module in stack.modules() if isinstance(module, MultiHeadAttention)]
    assert len(layers) == 2 and all(joint(layer, x.double()) is not None for layer in layers)


def replica(layer: nn.Module) -> nn.Module:
    """What torch's DataParallel makes of a module on each device: its weights are plain attributes there."""
    made = layer._replicate_for_data_parallel()
    made._modules = {name: replica(part) for name, part in layer._modules.items() if part is not None}
    for name, weight in layer._parameters.items():
        setattr(made, name, None if weight is None else weight * 1)
    return made


def test_a_replica_gives_the_same_numbers(layer: MultiHeadAttention, x: Tensor) -> None:
    with torch.no_grad():
        torch.testing.assert_close(replica(layer)(x), layer(x), rtol=0, atol=1e-6)


def test_who_listens_to_every_layer_hears_all_four(layer: MultiHeadAttention, x: Tensor) -> None:
    heard = []
    handle = nn.modules.module.register_module_forward_hook(lambda module, came, made: heard.append(module))
    try:
        with torch.no_grad():
            layer(x)
    finally:
        handle.remove()
    assert [part in heard for part in (layer.w_q, layer.w_k, layer.w_v, layer.w_o)] == [True] * 4


class LowRank(nn.Module):
    """A linear layer with a small correction beside it, as LoRA has it; it has no weight of its own."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear, self.narrow = linear, nn.Linear(linear.in_features, 2, bias=False)
        self.wide = nn.Linear(2, linear.out_features, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.wide(self.narrow(x))  # [..., out]


@pytest.mark.parametrize("has_gradients", [True, False])
def test_a_projection_can_be_a_module_of_ones_own(layer: MultiHeadAttention, x: Tensor, has_gradients: bool) -> None:
    usual = copy.deepcopy(layer)
    layer.w_q = LowRank(layer.w_q)  # type: ignore[assignment]
    with torch.set_grad_enabled(has_gradients):
        usual.w_q.weight.data += layer.w_q.wide.weight @ layer.w_q.narrow.weight  # type: ignore[union-attr, operator]
        torch.testing.assert_close(layer(x), usual(x), rtol=0, atol=1e-6)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # torch is about to move it
def test_quantized_projections_are_read(layer: MultiHeadAttention, x: Tensor) -> None:
    small = torch.ao.quantization.quantize_dynamic(copy.deepcopy(layer), {nn.Linear})
    with torch.no_grad():
        torch.testing.assert_close(small(x), layer(x), rtol=0, atol=0.1)


def test_a_forward_of_ones_own_in_a_projection_is_called(layer: MultiHeadAttention, x: Tensor) -> None:
    usual = layer.w_q.forward
    layer.w_q.forward = lambda came: usual(came) * 2  # type: ignore[method-assign]
    with torch.no_grad():
        alone = layer(x)
    torch.testing.assert_close(alone, layer(x), rtol=0, atol=1e-6)


def test_a_forward_of_ones_own_for_all_linear_layers_is_called(
    layer: MultiHeadAttention, x: Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = nn.Linear.forward
    monkeypatch.setattr(nn.Linear, "forward", lambda linear, came: usual(linear, came) * 2)
    with torch.no_grad():
        alone = layer(x)
    torch.testing.assert_close(alone, layer(x), rtol=0, atol=1e-6)


def test_a_projection_of_ones_own_has_no_twin_in_torch(layer: MultiHeadAttention) -> None:
    layer.w_v = LowRank(layer.w_v)  # type: ignore[assignment]
    with pytest.raises(InputError, match="w_v is a LowRank; expected an nn"):
        layer.to_torch()


def test_a_feed_forward_can_hold_layers_of_ones_own(x: Tensor) -> None:
    usual = FeedForward(TransformerConfig(vocab_size=9, d_model=12, n_heads=3, d_ff=24)).eval()
    changed = copy.deepcopy(usual)
    changed.w_1 = LowRank(changed.w_1)  # type: ignore[assignment]
    usual.w_1.weight.data += changed.w_1.wide.weight @ changed.w_1.narrow.weight  # type: ignore[union-attr, operator]
    torch.testing.assert_close(changed(x), usual(x), rtol=0, atol=1e-6)
