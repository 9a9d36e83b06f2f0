"""How a transformers model shows its attention: one attention function and its mask function, registered by name.

The forward pass runs the fused kernel and keeps q, k, v and the mask's rule by reference. Inert while no `Pass` is
open in this thread; a foreign model that runs inside one is left alone. No hooks, no flags on modules.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from attnviz.core.attend import Kernel, attend
from attnviz.core.capture import at
from attnviz.core.errors import UnsupportedModel
from attnviz.core.site import Site
from attnviz.pretrained.tokens.batch import Extent, Extents
from attnviz.trace.kernel_rows import KernelRows, Room

NAME = "attnviz"  # what config._attn_implementation says

# Keyword arguments that cannot change a score: bookkeeping of the model around the attention, or, for sliding_window,
# said again by the mask. Anything else that is set is refused, else a new model would be silently wrong.
HARMLESS = frozenset(
    ["position_ids", "cache_position", "use_cache", "output_attentions", "output_hidden_states", "return_dict",
     "deterministic", "sliding_window", "num_items_in_batch"]
)  # fmt: skip

# transformers' own: (batch, head, query, key) -> bool, True = may look
Rule = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class RuledMask:
    """The dense mask transformers made, and the rule and padding it was made from."""

    dense: Tensor  # [B, 1, Tq, Tk] bool, True = may look
    rule: Rule
    padding: Tensor | None  # [B, Tk], true where there is a token
    query_offset: int
    key_offset: int


@dataclass(frozen=True)
class AttentionCall:
    """One attention as the model ran it, by reference: no copies, and nothing quadratic but the mask it was given."""

    site: Site
    q: Tensor  # [B, H, Tq, Dh]
    k: Tensor  # [B, Hkv, Tk, Dh]
    v: Tensor  # [B, Hkv, Tk, Dv]
    kernel: tuple[KernelRows, ...]  # what the kernel itself returned for a few queries of each text
    scale: float
    is_causal: bool  # causal without a mask tensor
    mask: Tensor | None  # as the model passed it: bool, True = may look, or additive
    ruled: RuledMask | None  # where that mask came from, if our mask function made it
    window: int | None
    softcap: float | None
    sinks: Tensor | None  # [H]
    bias: Tensor | None  # [1 or B, H, Tq, Tk]


@dataclass
class Pass:
    """One forward pass of one model that is being watched."""

    places: Mapping[int, Site]  # by id(module): only this model's own modules are watched
    kernel: Kernel = "fused"
    extents: Extents | None = None  # where each text lies; None = each fills its row of the batch
    calls: list[AttentionCall] = field(default_factory=list)
    masks: dict[int, RuledMask] = field(default_factory=dict)  # by id(dense); dense is held, so ids stay unique
    taken: set[Site] = field(default_factory=set)
    room: Room = field(default_factory=Room)  # for what the kernel returned

    def site(self, module: nn.Module) -> Site | None:
        """The site of the call that begins now, or None for a module of another model."""
        site = self.places.get(id(module))
        if site is None:
            return None
        if site in self.taken:  # a shared module (ALBERT): its layer is how many ran before it
            ran = sum(1 for other in self.taken if (other.stack, other.kind) == (site.stack, site.kind))
            site = Site(site.stack, site.kind, ran)
        self.taken.add(site)
        return site

    def kernel_rows(self, site: Site, context: Tensor) -> tuple[KernelRows, ...]:
        """A few seeded rows of each text, other ones at every site, of what the kernel returned: [B, Tq, H, Dv]."""
        if self.extents is None:
            extents = tuple(Extent(index, 0, context.shape[1]) for index in range(len(context)))
        else:
            extents = self.extents.queries(site)
        last = len(context) - 1
        return tuple(self.room.take(context[min(it.index, last), it.slice], len(self.calls)) for it in extents)


_OPEN: ContextVar[Pass | None] = ContextVar("attnviz_pass", default=None)


@contextmanager
def watching(opened: Pass) -> Iterator[Pass]:
    """Watch the forward pass that runs inside, in this thread alone."""
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
        query: [B, H, Tq, Dh], after rotary positions. key: [B, Hkv, Tk, Dh]. value: [B, Hkv, Tk, Dv].
        attention_mask: bool, True = may look, or additive; None with a causal module means causal.
        softcap, s_aux, position_bias: Gemma-2's soft-cap, gpt-oss's sinks [H], T5's position bias.
    Returns:
        context [B, Tq, H, Dv], and the weights [B, H, Tq, Tk] if the explicit kernel made them.
    Raises:
        UnsupportedModel: the model passes something that may change the scores and is not known here.
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
        )  # [B, Tq, H, Dv]  # fmt: skip
    else:
        mask = causal_mask(query, key) if causal else attention_mask  # [B or 1, 1, Tq, Tk]
        extras = {"scale": scale, "bias": position_bias, "softcap": softcap, "sinks": s_aux, "dropout": dropout}
        with at(site if site is not None else ""):
            context, weights = our_attention(query, key, value, mask, kernel, extras)  # [B, Tq, H, Dv]
    if opened is not None and site is not None:
        ruled = None if attention_mask is None else opened.masks.get(id(attention_mask))
        window = others.get("sliding_window")
        call = AttentionCall(
            site, detached(query), detached(key), detached(value), opened.kernel_rows(site, detached(context)),
            scale, causal, attention_mask, ruled, window, softcap, s_aux if s_aux is None else detached(s_aux),
            position_bias if position_bias is None else detached(position_bias),
        )  # fmt: skip
        opened.calls.append(call)
    return context, weights


def our_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, kernel: Kernel, extras: Mapping[str, Any]
) -> tuple[Tensor, Tensor | None]:
    """The core's `attend` in transformers' layout: where torch's kernel cannot do it, or an edit needs every value."""
    key, value = repeated(key, query), repeated(value, query)  # [B, H, Tk, Dh], [B, H, Tk, Dv]
    context, weights = attend(query, key, value, mask=mask, kernel=kernel, **extras)  # [B, H, Tq, Dv]
    return context.transpose(1, 2).contiguous(), weights  # [B, Tq, H, Dv]


def refuse_unknown(module: nn.Module, others: Mapping[str, Any]) -> None:
    """Refuse a model that passes something set, and not known to be harmless, to its attention."""
    if HARMLESS.issuperset(others):
        return
    told = [name for name, value in others.items() if value is not None and value is not False]
    unknown = sorted(set(told) - HARMLESS)
    if unknown:
        raise UnsupportedModel(
            f"{type(module).__name__} passes {', '.join(unknown)} to its attention, which may change the scores and is "
            "not known here, so its weights could not be shown truly. Choose another model.",
            id="unknown-attention-argument",
            module=type(module).__name__,
            names=", ".join(unknown),
        )


def repeated(heads: Tensor, query: Tensor) -> Tensor:
    """Each key or value head once for every query head it serves: [B, Hkv, T, D] -> [B, H, T, D]."""
    groups = query.shape[1] // heads.shape[1]
    return heads if groups == 1 else heads.repeat_interleave(groups, dim=1)


def detached(value: Tensor) -> Tensor:
    """The value without its graph; itself where it has none, so that layers which share it go on sharing it."""
    return value.detach() if value.requires_grad else value


def causal_mask(query: Tensor, key: Tensor) -> Tensor:
    """True on and below the diagonal, from the top left corner as torch's kernel has it: [1, 1, Tq, Tk]."""
    return torch.ones(1, 1, query.shape[2], key.shape[2], dtype=torch.bool, device=query.device).tril()


def mask_function(
    batch_size: int,
    q_length: int,
    kv_length: int,
    q_offset: int = 0,
    kv_offset: int = 0,
    *,
    mask_function: Rule,
    attention_mask: Tensor | None = None,
    **others: Any,
) -> Tensor | None:
    """transformers' own mask for the fused kernel, its rule kept beside it. Without one, masks are silently dropped."""
    dense = sdpa_mask(
        batch_size, q_length, kv_length, q_offset, kv_offset,
        mask_function=mask_function, attention_mask=attention_mask, **others,
    )  # [B, 1, Tq, Tk] or None  # fmt: skip
    opened = _OPEN.get()
    if opened is not None and dense is not None:
        opened.masks[id(dense)] = RuledMask(dense, mask_function, attention_mask, q_offset, kv_offset)
    return dense


AttentionInterface.register(NAME, attention)
AttentionMaskInterface.register(NAME, mask_function)


def use_attnviz(module: PreTrainedModel) -> None:
    """Set this model's attention function to ours, once, at load: the setting is shared by every thread."""
    module.set_attn_implementation(NAME)


def use_eager(module: PreTrainedModel) -> None:
    """Give a model back its own eager attention, which shows every operator."""
    module.set_attn_implementation("eager")
