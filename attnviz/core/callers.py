"""The site of an attention that nobody named: where the module that calls it stands in its model.

The modules are read off the call stack, so nothing is hooked and nothing runs differently.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import cast

from torch import nn

from .site import AttentionKind, Site, Stack

CROSS_PATH = re.compile(r"EncDecAttention|encoder_attn|crossattention|cross_attn|multihead_attn|src_attn")
NUMBER = re.compile(r"\.(\d+)(?:\.|$)")


def kind_of(path: str, module: nn.Module | None) -> AttentionKind:
    """Cross-attention where the module says so, or its path."""
    return "cross" if getattr(module, "is_cross_attention", False) or CROSS_PATH.search(path) else "self"


def stack_of(path: str) -> Stack | None:
    """Encoder or decoder: the first part of a path that names one of them."""
    named = (set(re.findall("encoder|decoder", part)) for part in path.lower().split("."))
    return next((cast(Stack, stacks.pop()) for stacks in named if len(stacks) == 1), None)


def layer_of(path: str, module: nn.Module | None) -> int | None:
    """The number of a layer: the module's own, else the first one in its path."""
    layer: int | None = getattr(module, "layer_idx", None)
    number = NUMBER.search(f".{path}")
    return layer if layer is not None or number is None else int(number[1])


@dataclass
class Callers:
    """The sites of one recording's attentions that nobody named."""

    sites: dict[tuple[nn.Module | None, int], Site] = field(default_factory=dict)  # of a module's n-th call in a pass
    n_calls: Counter[nn.Module | None] = field(default_factory=Counter)  # in this pass, by module
    outermost: FrameType | None = None  # the model's forward; held, so that no other frame can be taken for it
    stack: Stack | None = None  # of attentions whose callers do not say

    def site(self, is_causal: Callable[[], bool], taken: Collection[str]) -> Site:
        """The site of the attention that is called now.

        A module has one site in all forward passes, so in every step of a generation. Called several times in one pass,
        it is several layers (ALBERT). An attention outside any module is the next layer.

        Args:
            is_causal: asked where no name says which stack it is.
            taken: the places of other attentions.
        """
        running = list(modules_running())  # the innermost first
        if running and running[-1][0] is not self.outermost:
            self.outermost = running[-1][0]
            self.n_calls = Counter({None: self.n_calls[None]})
        modules = [module for _, module in running]
        caller = modules[0] if modules else None
        self.n_calls[caller] += 1
        call = caller, self.n_calls[caller]
        if call not in self.sites:
            self.sites[call] = self._new(modules, is_causal, taken)
        return self.sites[call]

    def _new(self, modules: list[nn.Module], is_causal: Callable[[], bool], taken: Collection[str]) -> Site:
        caller, model = (modules[0], modules[-1]) if modules else (None, nn.Module())
        paths = {module: path for path, module in model.named_modules()}
        path = paths.get(caller, "") if caller is not None else ""
        kind, layer = kind_of(path, caller), layer_of(path, caller)
        named: Stack | None = next(
            filter(None, map(stack_of, [path, *(type(module).__name__ for module in modules)])), None
        )
        has_decoder = any(stack_of(other) == "decoder" for other in paths.values())
        stack: Stack = "decoder"
        if kind == "self" and named is None:
            if self.stack is None:
                is_decoder = getattr(caller, "is_causal", False) or is_causal()
                self.stack = "decoder" if is_decoder else "encoder"
            stack = self.stack
        elif kind == "self" and named is not None and (has_decoder or not is_causal()):
            stack = named  # else a language model of torch's encoder layers
        others = [site for site in self.sites.values() if (site.stack, site.kind) == (stack, kind)]
        layers = (number for number in [layer, *range(len(others), len(taken) + len(others) + 1)] if number is not None)
        return next(site for layer in layers if (site := Site(stack, kind, layer)).key not in taken)


def modules_running() -> Iterator[tuple[FrameType, nn.Module]]:
    """The modules whose forward this thread is in, the innermost first, each with its frame."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "forward" and isinstance(module := frame.f_locals.get("self"), nn.Module):
            yield frame, module
        frame = frame.f_back
