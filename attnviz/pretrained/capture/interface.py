"""Captures attention through transformers' interface: an attention function and its mask function, registered by name.

The forward pass runs the fused kernel and keeps q, k, v and the mask's rule by reference. Nothing is captured while no
pass is open in this thread, nor of another model that runs inside one. No hooks, no flags on modules.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import repeat_kv, sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from attnviz.core.attend import Kernel, attend
from attnviz.core.capture import at
from attnviz.core.errors import UnsupportedModel
from attnviz.core.site import Site
from attnviz.pretrained.tokens.batch import Extents
from attnviz.trace.kernel_rows import KernelRows, RowBuffers

NAME = "attnviz"  # of config._attn_implementation, which is set once, at load: all threads share it

# Keyword arguments that cannot change a score: bookkeeping of the model, or, for sliding_window, also in the mask. Any
# other one that is set is refused, else a new model would be silently wrong.
HARMLESS = frozenset(
    ["position_ids", "cache_position", "use_cache", "output_attentions", "output_hidden_states", "return_dict",
     "deterministic", "sliding_window", "num_items_in_batch"]
)  # fmt: skip


@dataclass(frozen=True)
class InterfaceCall:
    """One attention as the model ran it, by reference: no copies, and nothing quadratic but the mask it was given."""

    site: Site
    q: Tensor  # [B, H, T_q, d_k]
    k: Tensor  # [B, Hkv, T_k, d_k]
    v: Tensor  # [B, Hkv, T_k, d_v]
    kernel: tuple[KernelRows, ...]  # what the kernel returned for a few queries of each text
    scale: float
    is_causal: bool  # causal without a mask tensor
    mask: Tensor | None  # as the model passed it: bool, True = can attend, or additive
    window: int | None
    softcap: float | None
    sinks: Tensor | None  # [H]
    bias: Tensor | None  # [1 or B, H, T_q, T_k]


@dataclass
class InterfacePass:
    """One forward pass of one model that is captured."""

    sites: Mapping[nn.Module, Site]  # only this model's own modules are captured
    extents: Extents  # where each text lies
    kernel: Kernel = "fused"
    calls: list[InterfaceCall] = field(default_factory=list)
    used: set[Site] = field(default_factory=set)
    buffers: RowBuffers = field(default_factory=RowBuffers)  # for what the kernel returned

    def site(self, module: nn.Module) -> Site | None:
        """The site of the call that begins now, or None for a module of another model."""
        site = self.sites.get(module)
        if site is None:
            return None
        if site in self.used:  # a shared module (ALBERT): its layer is how many ran before it
            ran = sum(1 for other in self.used if (other.stack, other.kind) == (site.stack, site.kind))
            site = Site(site.stack, site.kind, ran)
        self.used.add(site)
        return site

    def kernel_rows(self, site: Site, context: Tensor) -> tuple[KernelRows, ...]:
        """A few seeded rows of each text, other ones at every site, of what the kernel returned: [B, T_q, H, d_v]."""
        last = len(context) - 1
        extents = self.extents.of(site.stack)
        return tuple(self.buffers.take(context[min(it.index, last), it.slice], len(self.calls)) for it in extents)


_OPEN: ContextVar[InterfacePass | None] = ContextVar("attnviz_pass", default=None)


@contextmanager
def capturing(opened: InterfacePass) -> Iterator[InterfacePass]:
    """Capture the forward pass that runs inside, in this thread only."""
    token = _OPEN.set(opened)
    try:
        yield opened
    finally:
        _OPEN.reset(token)


def attention(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None,
    dropout: float = 0.0, scaling: float | None = None, is_causal: bool | None = None,
    position_bias: Tensor | None = None, softcap: float | None = None, s_aux: Tensor | None = None, **others: Any,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """The attention function that transformers calls in every layer.

    Args:
        query: [B, H, T_q, d_k], after rotary positions. key: [B, Hkv, T_k, d_k]. value: [B, Hkv, T_k, d_v].
        attention_mask: bool, True = can attend, or additive; None with a causal module means causal.
        softcap, s_aux, position_bias: Gemma-2's soft-cap, gpt-oss's sinks [H], T5's position bias.
    Returns:
        context [B, T_q, H, d_v], and the weights [B, H, T_q, T_k] if the explicit kernel made them.
    """
    refuse_unknown(module, others)
    opened = _OPEN.get()
    site = None if opened is None else opened.site(module)
    kernel: Kernel = "fused" if opened is None or site is None else opened.kernel
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    causal = bool(causal) and attention_mask is None and query.shape[2] > 1
    if kernel == "fused" and softcap is None and s_aux is None:
        context, weights = sdpa_attention_forward(
            module, query, key, value, attention_mask,
            dropout=dropout, scaling=scale, is_causal=is_causal, position_bias=position_bias,
        )  # [B, T_q, H, d_v]  # fmt: skip
    else:
        # torch's kernel cannot do it, or an edit needs every value
        mask = causal_mask(query, key) if causal else attention_mask  # [B or 1, 1, T_q, T_k]
        groups = query.shape[1] // key.shape[1]  # query heads that a key head serves
        with at(site if site is not None else ""):
            context, weights = attend(
                query, repeat_kv(key, groups), repeat_kv(value, groups), mask=mask, scale=scale, bias=position_bias,
                softcap=softcap, sinks=s_aux, dropout=dropout, kernel=kernel,
            )  # [B, H, T_q, d_v]  # fmt: skip
        context = context.transpose(1, 2).contiguous()  # [B, T_q, H, d_v]
    if opened is not None and site is not None:
        call = InterfaceCall(
            site, query.detach(), key.detach(), value.detach(), opened.kernel_rows(site, context.detach()),
            scale, causal, attention_mask, others.get("sliding_window"), softcap, s_aux, position_bias,
        )  # fmt: skip
        opened.calls.append(call)
    return context, weights


def refuse_unknown(module: nn.Module, others: Mapping[str, Any]) -> None:
    """Refuse a model that passes its attention an argument that is set and not known to be harmless."""
    in_use = (name for name, given in others.items() if given is not None and given is not False)
    if unknown := ", ".join(sorted(set(in_use) - HARMLESS)):
        raise UnsupportedModel(
            f"{type(module).__name__} passes {unknown} to its attention, which may change the scores and is not known "
            "here, so the weights shown could be wrong. Choose another model.",
            id="unknown-attention-argument", module=type(module).__name__, names=unknown,
        )  # fmt: skip


def causal_mask(query: Tensor, key: Tensor) -> Tensor:
    """True on and below the diagonal, from the top left corner as torch's kernel has it: [1, 1, T_q, T_k]."""
    return torch.ones(1, 1, query.shape[2], key.shape[2], dtype=torch.bool, device=query.device).tril()


AttentionInterface.register(NAME, attention)
AttentionMaskInterface.register(NAME, sdpa_mask)  # without one, masks are silently dropped
