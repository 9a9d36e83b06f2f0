"""The matrices behind each recorded value, by the names that traces use: what an explanation multiplies by.

Matrices belong to the model and are held by reference. What is chosen rather than learned stands beside them as small
tensors: a factor or an epsilon as one number, a yes or no as one truth, a name as its letters.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attnviz.models.blocks import DecoderBlock, EncoderBlock
from attnviz.models.layers import FeedForward, Residual, TokenEmbedding
from attnviz.models.positions import LearnedPositions, SinusoidalPositions
from attnviz.models.transformer import Decoder, Encoder


def parameters_of(model: nn.Module) -> dict[str, dict[str, Tensor]]:
    """The matrices of each part of a model, by the names that traces use, for `run.trace(parameters=…)`.

    Args:
        model: an Encoder, Decoder or EncoderDecoder.
    Returns:
        by point; matrices are stored [out, in]:
        `encoder.0.self`, `decoder.0.cross`  w_q b_q w_k b_k w_v b_v w_o b_o
        `encoder.embed`  table [V, D], scale, positions [max_tokens, D], is_sinusoidal, types; gain shift eps of a norm
        `encoder.0.self_norm`, `….cross_norm`, `….ff_norm`  gain [D], shift [D], eps, is_pre: before its part, or after
        `encoder.0.ff`  w_1 b_1 w_2 b_2 and curve, the name of the activation
        `encoder.final_norm`, `decoder.vocabulary`  gain shift eps; w [V, D]
    """
    found: dict[str, dict[str, Tensor]] = {}
    for stack in model.modules():
        if isinstance(stack, Encoder | Decoder):
            found |= _of_stack("encoder" if isinstance(stack, Encoder) else "decoder", stack)
    return found


def _of_stack(name: str, stack: Encoder | Decoder) -> dict[str, dict[str, Tensor]]:
    found = {f"{name}.embed": _embedding(stack.embed)}
    for layer, block in enumerate(stack.blocks):
        assert isinstance(block, EncoderBlock | DecoderBlock)
        place = f"{name}.{layer}"
        parts = {"self": (block.self_attention, block.self_residual)}
        if isinstance(block, DecoderBlock) and block.cross_attention is not None and block.cross_residual is not None:
            parts["cross"] = (block.cross_attention, block.cross_residual)
        for kind, (attention, residual) in parts.items():
            linears = {letter: getattr(attention, f"w_{letter}") for letter in "qkvo"}
            found[f"{place}.{kind}"] = _linears(linears)
            found[f"{place}.{kind}_norm"] = _residual(residual)
        if isinstance(block.feed_forward, FeedForward):  # a model may have something else in its place
            found[f"{place}.ff"] = _feed_forward(block.feed_forward, stack.config.activation)
            found[f"{place}.ff_norm"] = _residual(block.feed_forward_residual)
    if isinstance(stack.final_norm, nn.LayerNorm):
        found[f"{name}.final_norm"] = _norm(stack.final_norm)
    if isinstance(stack, Decoder):
        found[f"{name}.vocabulary"] = {"w": stack.to_vocabulary.weight.detach()}  # [V, D]
    return found


def _embedding(embed: TokenEmbedding) -> dict[str, Tensor]:
    found = {"table": embed.tokens.weight.detach(), "scale": torch.tensor(embed.scale, dtype=torch.float64)}  # [V, D]
    if isinstance(embed.positions, SinusoidalPositions):
        found |= {"positions": embed.positions.table, "is_sinusoidal": torch.tensor(True)}  # [max_tokens, D]
    elif isinstance(embed.positions, LearnedPositions):
        found |= {"positions": embed.positions.table.weight.detach(), "is_sinusoidal": torch.tensor(False)}
    if embed.types is not None:
        found["types"] = embed.types.weight.detach()  # [types, D]
    return found | (_norm(embed.norm) if isinstance(embed.norm, nn.LayerNorm) else {})


def _residual(residual: Residual) -> dict[str, Tensor]:
    return _norm(residual.norm) | {"is_pre": torch.tensor(residual.is_pre)}


def _norm(norm: nn.LayerNorm) -> dict[str, Tensor]:
    shift = torch.zeros_like(norm.weight) if norm.bias is None else norm.bias
    return {
        "gain": norm.weight.detach(), "shift": shift.detach(), "eps": torch.tensor(norm.eps, dtype=torch.float64)
    }  # [D], [D], one number  # fmt: skip


def _feed_forward(layer: FeedForward, activation: str) -> dict[str, Tensor]:
    curve = torch.tensor(list(activation.encode()), dtype=torch.uint8)  # the letters of its name
    return _linears({"1": layer.w_1, "2": layer.w_2}) | {"curve": curve}


def _linears(linears: dict[str, nn.Linear]) -> dict[str, Tensor]:
    """w_q [out, in] and b_q [out] of each, by its letter."""
    weights = {f"w_{letter}": linear.weight.detach() for letter, linear in linears.items()}
    return weights | {f"b_{letter}": part.bias.detach() for letter, part in linears.items() if part.bias is not None}
