"""Attention through transformers' interface: a function and its mask function, registered by name, that call `attend`.

So a model of transformers runs on the arithmetic and is heard by the recorder of all other code. No hooks, no flags on
modules. Memory is in proportion to the text; `operators` is for models with attention code of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedModel
from transformers.masking_utils import sdpa_mask

from attnviz.core.attend import Kernel, attend
from attnviz.core.callers import Callers
from attnviz.core.capture import at, has_edits, unrecorded
from attnviz.core.errors import UnsupportedModel
from attnviz.core.site import Site
from attnviz.pretrained.capture.operators import OperatorBackend, OperatorCall
from attnviz.pretrained.families import Family, sites_of

NAME = "attnviz"  # of config._attn_implementation

# Keyword arguments that cannot change a score: bookkeeping of the model, or, for sliding_window, also in the mask. Any
# other one that is set is refused, else a new model would be silently wrong.
HARMLESS = frozenset(
    ["position_ids", "cache_position", "use_cache", "output_attentions", "output_hidden_states", "return_dict",
     "deterministic", "sliding_window", "num_items_in_batch"]
)  # fmt: skip


class Pass(NamedTuple):
    """One forward pass of one model."""

    callers: Callers  # that know the sites of this model's own modules, which alone are recorded
    kernel: Kernel


_PASS: ContextVar[Pass | None] = ContextVar("attnviz_pass", default=None)


@contextmanager
def sites_named(sites: Mapping[nn.Module, Site], kernel: Kernel = "fused") -> Iterator[None]:
    """A forward pass, in this thread only, whose attentions are named by these sites and run on this kernel."""
    token = _PASS.set(Pass(Callers(sites), kernel))
    try:
        yield
    finally:
        _PASS.reset(token)


@dataclass(frozen=True)
class InterfaceBackend:
    """Captures by transformers' attention interface, with our function registered in it."""

    sites: Mapping[nn.Module, Site]
    pair_bytes: int = 0  # what the model itself makes for every pair of tokens: a position bias, a window's mask
    name = "interface"

    @classmethod
    def of(cls, module: PreTrainedModel, family: Family | None) -> Self:
        """Make `attention` the function of a module, for good: all threads share it."""
        module.set_attn_implementation(NAME)
        return cls(sites_of(module, family))

    @contextmanager
    def follow(self, n_texts: int, kernel: Kernel) -> Iterator[Sequence[OperatorCall]]:
        with sites_named(self.sites, kernel):
            yield ()


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
    running = _PASS.get()
    site = None if running is None else running.callers.known_site(module)
    causal = getattr(module, "is_causal", True) if is_causal is None else is_causal
    kernel: Kernel = "explicit" if running is None and has_edits() else "fused"  # an edit may aim at weights
    if running is not None and site is not None:
        kernel = running.kernel
    # outside any pass whoever records hears it, by the module that calls
    with nullcontext() if running is None else unrecorded() if site is None else at(site):
        context, weights = attend(
            query, key, value, mask=attention_mask, scale=scaling,
            is_causal=bool(causal) and attention_mask is None and query.shape[2] > 1, bias=position_bias,
            softcap=softcap, sinks=s_aux, dropout=dropout,
            kernel=kernel,
        )  # [B, H, T_q, d_v]  # fmt: skip
    return context.transpose(1, 2).contiguous(), weights  # [B, T_q, H, d_v]


def refuse_unknown(module: nn.Module, others: Mapping[str, Any]) -> None:
    """Refuse a model that passes its attention an argument that is set and not known to be harmless."""
    in_use = (name for name, given in others.items() if given is not None and given is not False)
    if unknown := ", ".join(sorted(set(in_use) - HARMLESS)):
        raise UnsupportedModel(id="unknown-attention-argument", module=type(module).__name__, names=unknown)


# The two ways to capture a model's attention. The first one that passes the self-check at load is the model's backend.
Backend = InterfaceBackend | OperatorBackend

AttentionInterface.register(NAME, attention)
AttentionMaskInterface.register(NAME, sdpa_mask)  # without one, masks are silently dropped
