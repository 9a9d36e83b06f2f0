"""The probes for masks of other shapes: one for each head, and one over more keys than queries."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.checking.call.inputs import draw, kept_keys, some_mask
from attnviz.checking.find.examination import Seen
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.masked import Masked
from attnviz.checking.report import Finding, Measurement

_MORE = 4  # keys more than queries


def mask_per_head(masked: Masked) -> Seen:
    """Give every head of every text a mask of its own, [B, H, T, T] or as nn.MultiheadAttention's [B·H, T, T]."""
    understood, convention = masked.understood, masked.convention
    examination, numbers = understood.examination, understood.explanation.reading.numbers
    n_heads = numbers.n_heads if numbers else examination.sizes.n_heads
    if not examination.has_heads or n_heads == 1 or convention.names_keys_only:
        return Seen()
    batch, tokens = masked.sizes
    each = [some_mask(tokens, 100 + n) for n in range(batch * n_heads)]
    allowed = torch.stack(each).unflatten(0, (batch, n_heads))  # [B, H, T, T]
    right = understood.explanation.values(understood.inputs, allowed).out  # [B, T, D]
    written = convention.numbers(allowed)  # [B, H, T, T]
    for mask in (written, written.flatten(0, 1)):
        out = examination.ask(understood.inputs, mask, mask_name=masked.name).out
        if out is None or out.shape != right.shape:
            continue
        if agrees(right, out.detach()):
            return Seen(checked=("a mask for each head",))
        for head in range(n_heads) if mask.ndim == 4 else ():
            alike = allowed[:, head : head + 1]  # [B, 1, T, T]
            if agrees(understood.explanation.values(understood.inputs, alike).out, out.detach()):
                return Seen((_of_one_head(head, right, out.detach()),))
    return Seen(unchecked=("a mask for each head: it takes none",))


def _of_one_head(head: int, right: Tensor, theirs: Tensor) -> Finding:
    measured = Measurement("largest difference from ours with a mask for each head", difference(right, theirs))
    sentence = f"With a mask for each head, the mask of head {head} is used for all heads."
    return Finding("mask-per-head-differs", sentence, "keep the mask's second axis: no mask[:, :1]", (measured,))


def mask_of_more_keys(masked: Masked) -> Seen:
    """Cross-attention: a mask [Tq, Tk] or [B, Tk] with more keys than queries."""
    understood, convention = masked.understood, masked.convention
    examination = understood.examination
    if examination.candidate.signature.n_inputs == 1 or understood.explanation.variant.causal != "no":
        return Seen()
    batch, tokens = masked.sizes
    n_keys = tokens + _MORE
    if convention.names_keys_only:
        allowed = kept_keys(batch, n_keys)  # [B, Tk]
    else:
        allowed = draw((tokens, n_keys), 9) > 0  # [Tq, Tk]
        allowed[:, 0], allowed[:, -1] = True, False
    inputs = examination.inputs(12, n_keys=n_keys)
    right = understood.explanation.values(inputs, masked.ours(allowed)).out  # [B, Tq, D]
    answer = examination.ask(inputs, convention.write(allowed, batch), mask_name=masked.name)
    if answer.out is not None and agrees(right, answer.out.detach()):
        return Seen(checked=(f"{masked.name} over more keys than queries",))
    sentence = "With a mask the output is right when queries and keys are equally many; when there are more keys it "
    sentence += "is not." if answer.out is not None else f"does not run: it stops with an error: {answer.said}"
    gap = float("inf") if answer.out is None else difference(right, answer.out.detach())
    measured = Measurement("largest difference from ours with the mask", gap)
    return Seen((Finding("mask-of-more-keys", sentence, "take a mask's last length from k, not from q", (measured,)),))
