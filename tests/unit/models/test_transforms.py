"""torch.func over our modules: vmap, forward- and reverse-mode derivatives give what plain calls give."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.func import functional_call, grad, jacfwd, jacrev, jvp, vmap

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.models import Decoder, Encoder, MultiHeadAttention, SelfAttention, TransformerConfig

TINY = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=2, d_ff=24, max_tokens=12, dropout=0.0)
MASK = torch.ones(5, 5, dtype=torch.bool).tril()
MASK[3] = False  # a query that may look at nothing


def layer_and_input() -> tuple[MultiHeadAttention, Tensor]:
    torch.manual_seed(0)
    return MultiHeadAttention(16, 4).double().eval(), torch.randn(2, 5, 16, dtype=torch.float64)


def slope(f: Callable[[Tensor], Tensor], x: Tensor, towards: Tensor) -> Tensor:
    """How fast f changes when x moves that way, from two close points."""
    return (f(x + 1e-6 * towards) - f(x - 1e-6 * towards)) / 2e-6


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("grad_mode", [contextlib.nullcontext, torch.no_grad])
def test_vmap_over_texts_is_a_batch(kernel: str, is_masked: bool, grad_mode: Callable) -> None:
    layer, x = layer_and_input()
    mask = MASK if is_masked else None
    with grad_mode():
        one_by_one = vmap(lambda text: layer(text, mask=mask, kernel=kernel))(x)
        torch.testing.assert_close(one_by_one, layer(x, mask=mask, kernel=kernel), rtol=0, atol=1e-12)


@pytest.mark.parametrize("grad_mode", [contextlib.nullcontext, torch.no_grad])
def test_vmap_over_masks_alone_is_a_run_for_each(grad_mode: Callable) -> None:
    layer, x = layer_and_input()
    masks = torch.stack([MASK, torch.ones(5, 5, dtype=torch.bool)])  # [N, T, T]
    with grad_mode():
        for added in (masks, torch.zeros(2, 5, 5, dtype=x.dtype).masked_fill(~masks, -1e9)):
            many = vmap(lambda mask: layer(x, mask=mask))(added)
            torch.testing.assert_close(many, torch.stack([layer(x, mask=m) for m in added]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("grad_mode", [contextlib.nullcontext, torch.no_grad])
def test_vmap_over_masks_is_a_mask_for_each_text(grad_mode: Callable) -> None:
    layer, x = layer_and_input()
    masks = torch.stack([MASK, torch.ones(5, 5, dtype=torch.bool)])  # [B, T, T]
    with grad_mode():
        one_by_one = vmap(lambda text, mask: layer(text, mask=mask))(x, masks)
    torch.testing.assert_close(one_by_one, layer(x, mask=masks[:, None]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("grad_mode", [contextlib.nullcontext, torch.no_grad])
def test_forward_mode_gives_the_slope(is_masked: bool, grad_mode: Callable) -> None:
    layer, x = layer_and_input()
    towards = torch.randn_like(x)

    def f(text: Tensor) -> Tensor:
        return layer(text, mask=MASK if is_masked else None)

    with grad_mode():
        out, tangent = jvp(f, (x,), (towards,))
        torch.testing.assert_close(out, f(x), rtol=0, atol=1e-12)
        torch.testing.assert_close(tangent, slope(f, x, towards), rtol=0, atol=1e-7)


def test_forward_and_reverse_mode_agree() -> None:
    layer, x = layer_and_input()
    torch.testing.assert_close(jacfwd(layer)(x[:1]), jacrev(layer)(x[:1]), rtol=0, atol=1e-10)


def test_the_fused_kernel_says_that_it_has_no_forward_mode() -> None:
    layer, x = layer_and_input()
    with pytest.raises(InputError, match=r"fused kernel cannot do this: .*forward AD.* Run with kernel='explicit'"):
        jvp(lambda text: layer(text, kernel="fused"), (x,), (x,))


def test_gradients_of_each_text_alone() -> None:
    encoder = Encoder(TINY).double().eval()
    ids = torch.randint(20, (3, 5), generator=torch.Generator().manual_seed(0))
    weights = {name: part.detach() for name, part in encoder.named_parameters()}

    def loss(parts: dict[str, Tensor], text: Tensor) -> Tensor:
        return functional_call(encoder, parts, (text[None],)).pow(3).sum()

    found = vmap(grad(loss), in_dims=(None, 0))(weights, ids)
    for number, text in enumerate(ids):
        for name, expected in grad(loss)(weights, text).items():
            torch.testing.assert_close(found[name][number], expected, rtol=0, atol=1e-9)


def test_a_head_and_the_formula_can_be_mapped_too() -> None:
    torch.manual_seed(0)
    head, x = SelfAttention(8), torch.randn(3, 4, 8)
    torch.testing.assert_close(vmap(head)(x), head(x), rtol=0, atol=1e-6)
    out, weights = vmap(av.scaled_dot_product_attention)(x, x, x)
    expected, expected_weights = av.scaled_dot_product_attention(x, x, x)
    torch.testing.assert_close(out, expected, rtol=0, atol=1e-6)
    torch.testing.assert_close(weights, expected_weights, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
def test_an_exported_layer_gives_the_same_for_any_length(kernel: str) -> None:
    layer, x = layer_and_input()
    lengths = {"query": {1: torch.export.Dim("tokens", min=2, max=64)}, "kernel": None}
    exported = torch.export.export(layer, (x,), {"kernel": kernel}, dynamic_shapes=lengths).module()
    other = torch.randn(2, 9, 16, dtype=torch.float64)
    for read in (x, other):
        torch.testing.assert_close(exported(read, kernel=kernel), layer(read, kernel=kernel), rtol=0, atol=1e-12)


def test_a_decoder_can_be_exported_for_any_length() -> None:
    torch.manual_seed(0)
    decoder, ids = Decoder(TINY).eval(), torch.randint(0, 20, (2, 6))
    exported = torch.export.export(decoder, (ids,), dynamic_shapes=({1: torch.export.Dim("tokens", min=2, max=12)},))
    for read in (ids, torch.randint(0, 20, (2, 9))):
        torch.testing.assert_close(exported.module()(read), decoder(read), rtol=0, atol=1e-6)


@pytest.mark.filterwarnings("ignore")  # torch warns of every question that Python asks
@pytest.mark.parametrize("n_heads", [4, 2])  # √Dh is a power of two, or not
def test_a_traced_layer_can_be_moved(n_heads: int) -> None:
    layer, x = MultiHeadAttention(16, n_heads).double().eval(), layer_and_input()[1]
    traced = torch.jit.trace(layer.float(), (x.float(),))
    torch.testing.assert_close(traced.double()(x), layer.double()(x), rtol=0, atol=1e-6)  # 1/√Dh stays float32
