"""The matrices behind each recorded value, by the names that traces use, for explanations to multiply by.

Matrices are held by reference. A setting is a small tensor: a factor or epsilon is one number, a yes or no one bool, a
name its letters. What no explanation can write out yet is left out, and with it the steps that would need it.
"""

import torch
from torch import Tensor, nn

from attnviz.models.attention import MultiHeadAttention, as_they_are
from attnviz.models.blocks import DecoderBlock, EncoderBlock, ParallelBlock
from attnviz.models.layers import (
    FeedForward,
    GatedFeedForward,
    NormBothSides,
    NormedHeads,
    PostNorm,
    Residual,
    RMSNorm,
    TokenEmbedding,
)
from attnviz.models.positions import LearnedPositions, RotaryPositions, SinusoidalPositions
from attnviz.models.transformer import Decoder, Encoder


def parameters_of(model: nn.Module) -> dict[str, dict[str, Tensor]]:
    """The matrices of each part of a model, for `run.trace(parameters=…)`.

    Args:
        model: an Encoder, Decoder or EncoderDecoder.
    Returns:
        by point; matrices are [out, in]:
        `encoder.0.self`, `decoder.0.cross`  w_q b_q w_k b_k w_v b_v w_o b_o; q and k only where nothing is done to them
            after the product, q, k and v only where heads are not grouped
        `decoder.0.self_heads`  where q and k are rotated or normalised, or heads are grouped: the letters of q, k and v
            that `decoder.0.self` lacks; frequencies [width/2], theta, is_halves, magnitude of a rotation; q_gain
            k_gain [d_k], eps of a norm of q and k
        `decoder.0.self_window`  window, of a block that looks back only so far
        `encoder.embed`  table [V, d_model], scale, positions [max_tokens, d_model], is_sinusoidal, types;
            gain shift eps of a norm
        `encoder.0.self_norm`, `….cross_norm`, `….ff_norm`  gain shift [d_model], eps, is_pre: before its part, or
            after; RMSNorm has no shift. Of a parallel block's ff_norm is_parallel, too
        `decoder.0.self_norm_after`, …  the second norm of a part, where norms stand on both sides
        `encoder.0.ff`  w_1 b_1 w_2 b_2 and curve, the name of the activation; w_gate b_gate where there is a gate
        `encoder.final_norm`, `decoder.vocabulary`  gain shift eps; w [V, d_model], and softcap where logits are capped
    """
    by_point: dict[str, dict[str, Tensor]] = {}
    for stack in model.modules():
        if isinstance(stack, Encoder | Decoder):
            by_point |= _of_stack("encoder" if isinstance(stack, Encoder) else "decoder", stack)
    return by_point


def _of_stack(name: str, stack: Encoder | Decoder) -> dict[str, dict[str, Tensor]]:
    by_point = {f"{name}.embed": _of_embedding(stack.embed)}
    for layer, block in enumerate(stack.blocks):
        assert isinstance(block, EncoderBlock | DecoderBlock)
        place = f"{name}.{layer}"
        parts = {"self": (block.self_attention, block.self_residual)}
        if isinstance(block, DecoderBlock) and block.cross_attention is not None and block.cross_residual is not None:
            parts["cross"] = (block.cross_attention, block.cross_residual)
        if (window := stack.config.attention_of(layer).window) is not None:
            by_point[f"{place}.self_window"] = {"window": torch.tensor(window)}
        for kind, (attention, residual) in parts.items():
            by_point[f"{place}.{kind}"] = _of_attention(attention)
            by_point |= _of_residual(f"{place}.{kind}_norm", residual)
            if heads := _of_heads(attention):
                by_point[f"{place}.{kind}_heads"] = heads
        if isinstance(block.feed_forward, FeedForward | GatedFeedForward):  # a small one may be none
            curve = torch.tensor(list(stack.config.activation.encode()), dtype=torch.uint8)  # the letters of its name
            linears = {"1": block.feed_forward.w_1, "2": block.feed_forward.w_2}
            if isinstance(block.feed_forward, GatedFeedForward):
                linears["gate"] = block.feed_forward.w_gate
            by_point[f"{place}.ff"] = _of_linears(linears) | {"curve": curve}
            by_point |= _of_residual(f"{place}.ff_norm", block.feed_forward_residual)
            if isinstance(block, ParallelBlock):
                by_point[f"{place}.ff_norm"]["is_parallel"] = torch.tensor(True)
    if isinstance(stack.final_norm, nn.LayerNorm | RMSNorm):
        by_point[f"{name}.final_norm"] = _of_norm(stack.final_norm)
    if isinstance(stack, Decoder):
        by_point[f"{name}.vocabulary"] = {"w": stack.to_vocabulary.weight.detach()}  # [V, d_model]
        if (cap := stack.config.embedding.softcap) is not None:
            by_point[f"{name}.vocabulary"]["softcap"] = torch.tensor(cap, dtype=torch.float64)
    return by_point


def _of_attention(attention: MultiHeadAttention) -> dict[str, Tensor]:
    letters = _letters(attention)
    return _of_linears({letter: getattr(attention, f"w_{letter}") for letter in letters})


def _letters(attention: MultiHeadAttention) -> str:
    """Which of W_Q, W_K, W_V and W_O give what the model's attention uses, with nothing between."""
    if attention.n_kv_heads != attention.n_heads:
        return "o"
    return "qkvo" if attention.process_heads is as_they_are else "vo"


def _of_heads(attention: MultiHeadAttention) -> dict[str, Tensor]:
    """The other ones, and what comes between; nothing where they are all there, or where what comes is not known."""
    others = [letter for letter in "qkv" if letter not in _letters(attention)]
    by_name, process = (
        _of_linears({letter: getattr(attention, f"w_{letter}") for letter in others}),
        attention.process_heads,
    )
    if isinstance(process, NormedHeads):
        by_name |= {"q_gain": process.q_norm.weight.detach(), "k_gain": process.k_norm.weight.detach()}  # [d_k] each
        by_name["eps"] = torch.tensor(process.q_norm.eps, dtype=torch.float64)
        process = process.after
    if isinstance(process, RotaryPositions):
        style = process.style
        by_name["frequencies"] = process.frequencies  # [width/2]
        by_name["theta"] = torch.tensor(style.theta, dtype=torch.float64)
        by_name["is_halves"] = torch.tensor(style.pairs == "halves")
        by_name["magnitude"] = torch.tensor(style.magnitude, dtype=torch.float64)
        process = as_they_are
    return by_name if process is as_they_are else {}


def _of_embedding(embed: TokenEmbedding) -> dict[str, Tensor]:
    # [V, d_model]
    by_name = {"table": embed.tokens.weight.detach(), "scale": torch.tensor(embed.scale, dtype=torch.float64)}
    if isinstance(embed.positions, SinusoidalPositions):
        by_name |= {"positions": embed.positions.table, "is_sinusoidal": torch.tensor(True)}  # [max_tokens, d_model]
    elif isinstance(embed.positions, LearnedPositions):
        by_name |= {"positions": embed.positions.table.weight.detach(), "is_sinusoidal": torch.tensor(False)}
    if embed.types is not None:
        by_name["types"] = embed.types.weight.detach()  # [types, d_model]
    return by_name | (_of_norm(embed.norm) if isinstance(embed.norm, nn.LayerNorm) else {})


def _of_residual(point: str, residual: Residual) -> dict[str, dict[str, Tensor]]:
    """The norm of a sublayer, and the second one of a model that has norms on both sides."""
    first = _of_norm(residual.norm) | {"is_pre": torch.tensor(not isinstance(residual, PostNorm))}
    if isinstance(residual, NormBothSides):
        return {point: first, f"{point}_after": _of_norm(residual.norm_after)}
    return {point: first}


def _of_norm(norm: nn.LayerNorm | RMSNorm) -> dict[str, Tensor]:
    if isinstance(norm, RMSNorm):
        return {"gain": norm.weight.detach(), "eps": torch.tensor(norm.eps, dtype=torch.float64)}  # [d_model], a number
    shift = torch.zeros_like(norm.weight) if norm.bias is None else norm.bias
    return {
        "gain": norm.weight.detach(), "shift": shift.detach(), "eps": torch.tensor(norm.eps, dtype=torch.float64)
    }  # [d_model], [d_model], one number  # fmt: skip


def _of_linears(linears: dict[str, nn.Linear]) -> dict[str, Tensor]:
    """w_q [out, in] and b_q [out] of each, by its letter."""
    weights = {f"w_{letter}": linear.weight.detach() for letter, linear in linears.items()}
    return weights | {f"b_{letter}": part.bias.detach() for letter, part in linears.items() if part.bias is not None}
