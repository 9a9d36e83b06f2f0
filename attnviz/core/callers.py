"""Finds the site of a running attention: that of a known module, else from the path of the module that calls it.

The modules are read off the call stack, so nothing is hooked and nothing runs differently.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

from torch import nn

from .site import AttentionKind, Site, Stack

# Parts of a path that name an attention for themselves, and those that say cross-attention where self-attention, or the
# first of two, stands beside them: BART's encoder_attn, torch's multihead_attn, attn2 in a block that has attn1.
SELF = re.compile(r"(self|slf|masked).*(att|mha)|^sa$", re.IGNORECASE)
CROSS = re.compile(
    r"cross_?\w*(att|mha)|(^|_)cross$|^ca$|^x_?att|enc(oder)?_?dec(oder)?_?att|dec(oder)?_?enc(oder)?_?att",
    re.IGNORECASE,
)
SECOND = re.compile(r"^(enc|encoder|src|source|mem|memory|context|multihead)_?att|^mha$|^(att|mha)\w*2$", re.IGNORECASE)
FIRST = re.compile(r"(self|slf|masked).*(att|mha)|^att(n|ention)?$", re.IGNORECASE)
STACK = re.compile(r"(encoder|decoder)|(?:^|_)(enc|dec)(?=_|$|\d)")
NUMBER = re.compile(r"\.(\d+)(?=\.|$)")


def kind_of(path: str, module: nn.Module | None, paths: Collection[str], n_outside: int = 0) -> AttentionKind:
    """Cross-attention where the module says so, its class, or the innermost part of its path that says either.

    Args:
        paths: those of all modules of the model.
        n_outside: how many parts of the path are left out of account.
    """
    if getattr(module, "is_cross_attention", False) or CROSS.search(type(module).__name__):
        return "cross"
    parts = path.split(".")
    for n in reversed(range(n_outside, len(parts))):
        if SELF.search(parts[n]):
            return "self"
        if CROSS.search(parts[n]) or (SECOND.search(parts[n]) and is_second(parts[: n + 1], paths)):
            return "cross"
    return "self"


def is_second(parts: Sequence[str], paths: Collection[str]) -> bool:
    """Whether the attention that the last of these parts names stands behind self-attention in its block."""
    *block, name = parts
    beside = {other[-1] for other in (path.split(".") for path in paths) if other[:-1] == block}
    if name.endswith("2"):
        return bool(block) and f"{name[:-1]}1" in beside and f"{name[:-1]}3" not in beside  # else one layer of several
    return any(map(FIRST.search, beside))


def stack_of(path: str) -> Stack | None:
    """Encoder or decoder: the first part of a path that names one of them."""
    for part in path.split("."):
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", part).lower()  # MyDecLayer -> my_dec_layer
        named = {(long or short)[:3] for long, short in STACK.findall(words)}
        if len(named) == 1:
            return "encoder" if named == {"enc"} else "decoder"
    return None


def layer_of(path: str, module: nn.Module | None) -> int | None:
    """The number of a layer: the module's own, else the first one in its path."""
    layer: int | None = getattr(module, "layer_idx", None)
    number = NUMBER.search(f".{path}")
    return layer if layer is not None or number is None else int(number[1])


def block_of(path: str) -> str:
    """The path of the block that an attention stands in: up to the last number, else the module that holds it."""
    numbers = list(NUMBER.finditer(f".{path}"))
    return f".{path}"[1 : numbers[-1].end()] if numbers else path.rpartition(".")[0]


@dataclass
class Callers:
    """The sites of the attentions of one recording, or of one forward pass."""

    known: Mapping[nn.Module, Site] = field(default_factory=dict)  # as a family's row gives them
    sites: dict[tuple[nn.Module | None, int], Site] = field(default_factory=dict)  # of a module's n-th call in a pass
    n_calls: Counter[nn.Module | None] = field(default_factory=Counter)  # in this pass, by module
    outermost: FrameType | None = None  # the model's forward; held, so that no other frame can be taken for it
    stacks: dict[tuple[nn.Module, str], Stack] = field(default_factory=dict)  # of lists of blocks whose names say none

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
        return self.site_of(modules[0] if modules else None, lambda: self._named(modules, is_causal), taken)

    def site_of(
        self, caller: nn.Module | None, named: Callable[[], tuple[Stack, AttentionKind, int | None]],
        taken: Collection[str] = (),
    ) -> Site:  # fmt: skip
        """The site of this module's current call; at its first one in a pass that of `named`, where it is free."""
        self.n_calls[caller] += 1
        call = caller, self.n_calls[caller]
        if call not in self.sites:
            stack, kind, layer = named()
            ran = {site.key for site in self.sites.values()} | set(taken)
            n_before = sum((site.stack, site.kind) == (stack, kind) for site in self.sites.values())
            layers = (number for number in (layer, *range(n_before, n_before + len(ran) + 1)) if number is not None)
            self.sites[call] = next(site for number in layers if (site := Site(stack, kind, number)).key not in ran)
        return self.sites[call]

    def known_site(self, module: nn.Module) -> Site | None:
        """The site of what a module of `known` calls now, or None for another module."""
        known = self.known.get(module)
        return None if known is None else self.site_of(module, lambda: (known.stack, known.kind, known.layer))

    def _named(
        self, modules: Sequence[nn.Module], is_causal: Callable[[], bool]
    ) -> tuple[Stack, AttentionKind, int | None]:
        """What the names of these modules, the innermost first, say of the attention that the first one calls."""
        if not modules:
            return "decoder" if is_causal() else "encoder", "self", None
        caller, model = modules[0], modules[-1]
        paths = {module: path for path, module in model.named_modules()}
        path = paths.get(caller, "")
        kind, layer, block = kind_of(path, caller, paths.values()), layer_of(path, caller), block_of(path)
        return self._stack(modules, kind, path, block, paths, is_causal), kind, layer

    def _stack(
        self, modules: Sequence[nn.Module], kind: AttentionKind, path: str, block: str,
        paths: Mapping[nn.Module, str], is_causal: Callable[[], bool],
    ) -> Stack:  # fmt: skip
        """The stack: of the part that names the attention, else a decoder's where its block has cross-attention too."""
        if kind == "cross":
            return "decoder"
        if (named := stack_of(path.rpartition(".")[2])) is not None:
            return named
        depth = len(block.split(".")) if block else 0
        inside = ((module, other) for module, other in paths.items() if other != block and block_of(other) == block)
        if any(kind_of(other, module, paths.values(), depth) == "cross" for module, other in inside):
            return "decoder"
        named = next(filter(None, map(stack_of, [path, *(type(module).__name__ for module in modules)])), None)
        has_decoder = any(stack_of(other) == "decoder" for other in paths.values())
        if named is not None and (has_decoder or not is_causal()):
            return named
        if named is not None:  # a language model of torch's encoder layers
            return "decoder"
        blocks = modules[-1], block.rpartition(".")[0]
        if blocks not in self.stacks:
            is_decoder = getattr(modules[0], "is_causal", False) or is_causal()
            self.stacks[blocks] = "decoder" if is_decoder else "encoder"
        return self.stacks[blocks]


def modules_running() -> Iterator[tuple[FrameType, nn.Module]]:
    """The modules whose forward this thread is in, the innermost first, each with its frame."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "forward" and frame.f_code.co_argcount:
            module = frame.f_locals.get(frame.f_code.co_varnames[0])  # self, whatever its name
            if isinstance(module, nn.Module):
                yield frame, module
        frame = frame.f_back
