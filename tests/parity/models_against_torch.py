"""What the parity tests of the from-scratch models share: how close is close, masks, weights that are not usual."""

import copy
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.models import Decoder, DecoderBlock, Encoder, EncoderBlock, EncoderDecoder, MultiHeadAttention

RELATIVE = {torch.float32: 1e-6, torch.float64: 1e-12}  # of the largest value of the tensor


def assert_same(ours: Tensor, theirs: Tensor, relative: float | None = None) -> None:
    """Every number within `relative` of the largest one; the precision's own bound when left out."""
    assert ours.dtype == theirs.dtype
    largest = float(theirs.detach().abs().max())
    bound = RELATIVE[theirs.dtype] if relative is None else relative
    torch.testing.assert_close(ours, theirs, rtol=0.0, atol=bound * largest)


def allowed_somewhere(*shape: int, share: float = 0.6) -> Tensor:
    """A random bool mask, True = can attend, that leaves every query at least one key."""
    mask = torch.rand(*shape) < share  # [..., T_q, T_k]
    one_key = torch.randint(shape[-1], (*shape[:-1], 1))  # [..., T_q, 1]
    return mask.scatter(-1, one_key, True)  # [..., T_q, T_k]


def shaken(module: Any) -> Any:
    """The module with random biases and gains: torch starts them at 0 and 1, which would hide a mix-up."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return module


def copy_block(
    ours: EncoderBlock | DecoderBlock, theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer
) -> None:
    """Give our block the weights of torch's layer. Theirs are called linear1, norm1, … in the order they run."""
    ours.self_attention = MultiHeadAttention.from_torch(theirs.self_attn)
    residuals = [ours.self_residual, ours.feed_forward_residual]
    if isinstance(theirs, nn.TransformerDecoderLayer):
        ours.cross_attention = MultiHeadAttention.from_torch(theirs.multihead_attn)
        residuals.insert(1, ours.cross_residual)
    for number, residual in enumerate(residuals, start=1):
        residual.norm.load_state_dict(getattr(theirs, f"norm{number}").state_dict())
    ours.feed_forward.w_1.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.w_2.load_state_dict(theirs.linear2.state_dict())


def copy_stack(ours: Encoder | Decoder, theirs: nn.TransformerEncoder | nn.TransformerDecoder) -> None:
    """Give our stack the weights of torch's, which has no embedding and may have a final norm in either style."""
    for our_block, their_layer in zip(ours.blocks, theirs.layers, strict=True):
        copy_block(our_block, their_layer)
    ours.final_norm = nn.Identity() if theirs.norm is None else copy.deepcopy(theirs.norm)


def copy_model(ours: EncoderDecoder, theirs: nn.Transformer) -> None:
    copy_stack(ours.encoder, theirs.encoder)
    copy_stack(ours.decoder, theirs.decoder)
