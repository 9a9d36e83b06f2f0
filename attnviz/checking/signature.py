"""How a stranger's attention wants to be called, by its signature: how many inputs, which mask, which switches."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import nn

_THREE = re.compile(r"(?i)(k|key|keys|key_states|xk|x_k|src_k)$")
_MASKS = ("mask", "attn_mask", "attention_mask", "src_mask", "allowed")
_NOT_THE_MASK = re.compile(r"(?i)padding|head_mask|encoder_|is_|has_")
_PADDING = re.compile(r"(?i)^(?!is_|has_|encoder_).*pad(ding)?_?mask")
_WANTS_WEIGHTS = re.compile(r"(?i)(need|return|output|with|get)_?(attn|attention|attentions|weights|attn_weights|"
                            r"attention_weights|scores)$")  # fmt: skip
_CAUSAL = ("is_causal", "causal")


@dataclass(frozen=True)
class Signature:
    """What goes in."""

    n_inputs: int  # 1: x; 2: x and memory; 3: query, key, value
    mask: str | None = None  # the name of the mask's argument
    mask_by_place: bool = False
    switches: tuple[tuple[str, bool], ...] = ()  # arguments that ask for the weights of every head
    causal: str | None = None  # the name of a switch for causal attention
    is_known: bool = True  # False where Python cannot say (functions written in C)

    def said(self, is_function: bool) -> str:
        """ "layer(query, key, value, mask=…)"."""
        names = {1: "x", 2: "x, memory", 3: "q, k, v" if is_function else "query, key, value"}[self.n_inputs]
        mask = "" if self.mask is None else ", mask" if self.mask_by_place else f", {self.mask}=…"
        return f"{'function' if is_function else 'layer'}({names}{mask})"


def signature_of(subject: Callable[..., Any], is_function: bool) -> Signature:
    """Read the signature of a module's forward or of a function."""
    if isinstance(subject, nn.MultiheadAttention) and type(subject).forward is nn.MultiheadAttention.forward:
        return Signature(3, "attn_mask", switches=(("need_weights", True), ("average_attn_weights", False)))
    try:
        target = subject.forward if isinstance(subject, nn.Module) else subject
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return Signature(3, "attn_mask", is_known=False)
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    mask = next((p for name in _MASKS for p in named[1:] if p.name == name), None)
    mask = mask or next((p for p in named[1:] if "mask" in p.name.lower() and not _NOT_THE_MASK.search(p.name)), None)
    mask = mask or next((p for p in named[1:] if _PADDING.search(p.name)), None)
    switches = [(p.name, True) for p in named if p.default is False and _WANTS_WEIGHTS.search(p.name)]
    switches += [(p.name, False) for p in named if p.name == "average_attn_weights" and p.default is True]
    return Signature(
        _input_count(parameters, named, mask, is_function),
        mask.name if mask else None,
        mask.kind is mask.POSITIONAL_ONLY if mask else False,
        tuple(switches),
        next((p.name for p in named if p.name in _CAUSAL and p.default is False), None),
    )


def _input_count(
    parameters: list[inspect.Parameter], named: list[inspect.Parameter], mask: inspect.Parameter | None,
    is_function: bool,
) -> int:  # fmt: skip
    if is_function:
        return 3
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and len(named) < 2:
        return 3 if not named else 1
    inputs = [p for p in named if p is not mask and p.kind is not p.KEYWORD_ONLY]
    if len(inputs) >= 3 and _THREE.match(inputs[1].name):
        return 3
    required = [p for p in inputs if p.default is p.empty]
    return min(3, max(1, len(required)))
