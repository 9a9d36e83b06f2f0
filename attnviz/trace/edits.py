"""The edits that are made most often, as data: each can be compared, be the key of a cache, and be sent to a process.
Only `steer`, which holds a tensor, is code.

model.trace(text, edits=[ablate("encoder.5.self.11"), Temperature(0.5)])
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args, overload

import torch
from torch import Tensor

from attnviz.core.edit import Edit
from attnviz.core.errors import InputError, StepError
from attnviz.core.ops import NEVER, Call
from attnviz.core.site import Site, Stack
from attnviz.core.tensor_checks import check_choice, check_dense, check_head, check_index, check_token, shape
from attnviz.trace.mask import Mask
from attnviz.trace.split_batch import stack_of_keys

How = Literal["silence", "mean", "edge"]
TEMPERATURES = (0.1, 10.0)  # what can be asked for


@dataclass(frozen=True)
class HeadEdit(Edit):
    """A head is silenced, held at its mean over the text, or no longer attends from one query to one key."""

    site: str  # "encoder.5.self", or a pattern of sites
    head: int | None  # None where an edge is cut in all heads
    how: How = "silence"
    query: int | None = None  # of the edge that is cut
    key: int | None = None
    kind: Literal["head"] = "head"

    def __post_init__(self) -> None:
        check_choice("how", self.how, get_args(How))
        for name in ("head", "query", "key"):
            if getattr(self, name) is not None or (name == "head" and self.how != "edge"):
                object.__setattr__(self, name, check_index(name, getattr(self, name)))

    @property
    def pattern(self) -> str:
        return f"{self.site}.{'masked' if self.how == 'edge' else 'context'}"

    @property
    def label(self) -> str:
        if self.how == "edge":
            of_head = "" if self.head is None else f" head {self.head}"
            return f"{self.site}{of_head} edge {self.query} to {self.key} cut"
        return f"{self.site} head {self.head} {'silenced' if self.how == 'silence' else 'held at its mean'}"

    @property
    def needs_whole_text(self) -> bool:
        return self.how == "mean"

    def change(self, name: str, value: Tensor) -> Tensor | None:
        """value: context [..., H, T_q, d_v], or masked [..., H, T_q, T_k] where an edge is cut."""
        heads: int | slice = slice(None)
        if self.head is not None:
            heads = check_head(self.head, value.shape[-3], name.rpartition(".")[0])
        of_heads = value[..., heads, :, :]  # a view
        if self.how == "edge":
            n_queries, n_keys = value.shape[-2:]
            n_before = max(0, n_keys - n_queries) if ".self" in name else 0  # read in earlier steps of a generation
            query = check_token(self.query, n_before + n_queries, "query")
            key = check_token(self.key, n_keys, "key")
            if query < n_before:
                return None
            of_heads[..., query - n_before, key] = NEVER  # the rest of the row shares its weight
        else:
            of_heads[:] = 0.0 if self.how == "silence" else of_heads.mean(-2, keepdim=True)
        return value


@dataclass(frozen=True)
class Temperature(Edit):
    """The scores are divided by it, before a soft-cap and the mask."""

    value: float
    kind: Literal["temperature"] = "temperature"
    pattern = "*.call"

    def __post_init__(self) -> None:
        low, high = TEMPERATURES
        if not low <= self.value <= high:
            raise InputError(id="bad-temperature", temperature=self.value, low=low, high=high)

    @property
    def label(self) -> str:
        return f"temperature {self.value:g}"

    def change(self, name: str, call: Call) -> Call:
        return call._replace(scale=call.scale / self.value)


@dataclass(frozen=True)
class NoScaling(Edit):
    """QKᵀ is not divided by √dₖ, in a model that divides by it."""

    kind: Literal["no scaling"] = "no scaling"
    pattern = "*.call"
    label = "no 1/√dₖ"

    def change(self, name: str, call: Call) -> Call:
        return call._replace(scale=1.0)


@dataclass(frozen=True)
class CausalMask(Edit):
    """Whether a token cannot attend to later ones of its own text."""

    is_on: bool
    kind: Literal["causal mask"] = "causal mask"
    pattern = "*.self.call"

    @property
    def label(self) -> str:
        return f"causal mask {'on' if self.is_on else 'off'}"

    @property
    def needs_whole_text(self) -> bool:
        return not self.is_on

    def change(self, name: str, call: Call) -> Call:
        assert call.mask is not None  # an edit is given all of it
        mask = call.mask[0] if call.mask.ndim == 4 else call.mask  # [1 | H, T_q, T_k], of the one text
        if self.is_on:
            behind = mask.shape[-1] - mask.shape[-2]  # of a step of a generation, whose queries are the last tokens
            return call.allowing(torch.ones_like(mask, dtype=torch.bool).tril(behind))
        rule = Mask.of(mask, *mask.shape[-2:])
        if rule.allowed is not None or rule.bias is not None:
            raise StepError(id="mask-is-fixed", site=name.removesuffix(".call"))
        return call._replace(mask=replace(rule, causal=False).tensor(mask.device))


@dataclass(frozen=True)
class HiddenToken(Edit):
    """A token that no query can attend to, in the text of one stack."""

    token: int
    stack: Stack
    is_target: bool = False  # whether that is the decoder's own text beside a source
    kind: Literal["hidden"] = "hidden"
    pattern = "*.call"

    @property
    def label(self) -> str:
        return f"{'target token' if self.is_target else 'token'} {self.token} hidden"

    def change(self, name: str, call: Call) -> Call:
        if stack_of_keys(Site.parse(name.removesuffix(".call"))) != self.stack:
            return call
        assert call.mask is not None  # an edit is given all of it
        n = call.mask.shape[-1]
        return call.allowing(torch.arange(n, device=call.mask.device) != check_token(self.token, n))  # [T_k]


@dataclass(frozen=True)
class InHead(Edit):
    """Limits another edit to one head."""

    edit: Temperature | NoScaling | CausalMask | HiddenToken
    site: str
    head: int
    n_heads: int  # of that attention
    kind: Literal["in head"] = "in head"

    @property
    def pattern(self) -> str:
        return f"{self.site}.call"

    @property
    def label(self) -> str:
        return f"{self.site} head {self.head} {self.edit.label}"

    @property
    def needs_whole_text(self) -> bool:
        return self.edit.needs_whole_text

    def change(self, name: str, call: Call) -> Call:
        changed = self.edit.change(name, call)
        is_here = torch.arange(self.n_heads) == check_head(self.head, self.n_heads, self.site)
        is_here = is_here[:, None, None]  # [H, 1, 1]
        if changed.scale is not call.scale:
            changed_scale, scale = (torch.as_tensor(each.scale, dtype=torch.float64).cpu() for each in (changed, call))
            call = call._replace(scale=torch.where(is_here, changed_scale, scale))  # [H, 1, 1]
        if call.mask is not None and changed.mask is not call.mask:  # an edit is given all of it
            mask = torch.where(is_here.to(call.mask.device), _like(call.mask, changed.mask), call.mask)
            call = call._replace(mask=mask)  # [H, T_q, T_k]
        return call


def _like(other: Tensor, mask: Tensor | None) -> Tensor:
    """A mask in the type of another one, [..., T_q, T_k]; None allows everything."""
    mask = torch.ones_like(other, dtype=torch.bool) if mask is None else mask
    if mask.dtype == other.dtype or other.dtype == torch.bool:
        return mask
    return torch.zeros_like(mask, dtype=other.dtype).masked_fill(~mask, NEVER)


@dataclass(frozen=True)
class NoPositions(Edit):
    """No positions are added to the embedding."""

    kind: Literal["no positions"] = "no positions"
    pattern = "*.positions"
    label = "no positions"

    def change(self, name: str, positions: Tensor) -> Tensor:
        return torch.zeros_like(positions)  # [T, d_model]


@dataclass(frozen=True)
class Rotation(Edit):
    """Queries and keys of an attention are rotated by other frequencies than the model's own."""

    site: str
    used: tuple[float, ...]  # the model's frequencies, in radians a token
    instead: tuple[float, ...]  # as many; 0 does not turn a pair
    is_halves: bool  # whether numbers i and i + width/2 make a pair, or 2i and 2i + 1
    kind: Literal["rotation"] = "rotation"
    needs_whole_text = True  # a position is where a query stands in it

    @property
    def pattern(self) -> str:
        return f"{self.site}.[qk]"

    @property
    def label(self) -> str:
        return f"{self.site} {'rotated by other frequencies' if any(self.instead) else 'not rotated'}"

    def change(self, name: str, x: Tensor) -> Tensor:
        """x: [..., T, d_k], rotated; turned on by the difference of the angles, each in float32 as models have them."""
        position = torch.arange(x.shape[-2], dtype=torch.float32)[:, None]  # [T, 1]
        used, instead = ((position * torch.tensor(each)).double() for each in (self.used, self.instead))  # [T, width/2]
        cos, sin = (wave.to(x.device) for wave in ((instead - used).cos(), (instead - used).sin()))  # [T, width/2]
        width = 2 * len(self.used)
        first, second = (slice(0, width // 2), slice(width // 2, width))
        if not self.is_halves:
            first, second = slice(0, width, 2), slice(1, width, 2)
        a, b = x[..., first].double(), x[..., second].double()  # [..., T, width/2] each
        x[..., first], x[..., second] = (a * cos - b * sin).to(x), (a * sin + b * cos).to(x)
        return x


@dataclass(frozen=True)
class KeyHeads(Edit):
    """Each group of heads reads the keys and values of another group."""

    site: str
    order: tuple[int, ...]  # of each group, the head of keys and values that it reads
    kind: Literal["key heads"] = "key heads"

    @property
    def pattern(self) -> str:
        return f"{self.site}.[kv]"

    @property
    def label(self) -> str:
        return f"{self.site} key heads swapped"

    def change(self, name: str, x: Tensor) -> Tensor:
        """x: [..., H, T_k, d], equal within a group."""
        groups = x.unflatten(-3, (len(self.order), -1))  # [..., G, H/G, T_k, d]
        return groups[..., list(self.order), :, :, :].flatten(-4, -3)  # [..., H, T_k, d]


@dataclass(frozen=True)
class OpenGate(Edit):
    """The gates of the feed-forward parts stand at 1: what is multiplied by them goes on as it is."""

    kind: Literal["open gate"] = "open gate"
    pattern = "*.gate"
    label = "no gate"

    def change(self, name: str, gate: Tensor) -> Tensor:
        return torch.ones_like(gate)  # [B, T, d_ff]


@dataclass(frozen=True)
class Nothing(Edit):
    """Changes nothing: the baseline of edited runs, on the same kernel."""

    kind: Literal["nothing"] = "nothing"
    pattern = "*.context"
    label = "nothing changed"

    def change(self, name: str, context: Tensor) -> None:
        return None


AnyEdit = (
    HeadEdit
    | Temperature
    | NoScaling
    | CausalMask
    | HiddenToken
    | InHead
    | NoPositions
    | Rotation
    | KeyHeads
    | OpenGate
    | Nothing
)


def ablate(head: str, how: Literal["silence", "mean"] = "silence") -> Edit:
    """An edit that silences a head, or holds it at its mean over the text.

    >>> import attnviz as av
    >>> trace = av.load("induction").trace("a b c a b", edits=[av.ablate("1.0")])
    >>> trace["decoder.1.self"].context(head=0).any().item()
    False

    Args:
        head: `"decoder.1.self.0"`, or `"1.0"` for the self-attention of layer 1 in each stack; both count from 0.
    Source: Michel et al. 2019, section 2.2; the mean, Wang et al. 2022, section 3.1.
    """
    check_choice("how", how, ("silence", "mean"))  # an edge is named by `cut`
    return HeadEdit(*_site_and_head(head), how)


@overload
def cut(head: str, query: int, key: int) -> Edit: ...
@overload
def cut(head: Sequence[int], query: int, key: int) -> tuple[Edit, ...]: ...
def cut(head: str | Sequence[int], query: int, key: int) -> Edit | tuple[Edit, ...]:
    """An edit by which a head, or every head of several layers, no longer attends from one query to one key.

    The rest of the row shares its weight.

    >>> import attnviz as av
    >>> model = av.load("induction")
    >>> trace = model.trace("a b c a b", edits=av.cut("decoder.1.self.0", 5, 2))
    >>> trace["decoder.1.self"].weights(head=0)[5, 2].item()
    0.0
    >>> [edit.label for edit in av.cut(range(2), 5, 2)]
    ['*.0.self edge 5 to 2 cut', '*.1.self edge 5 to 2 cut']

    Args:
        head: as of `ablate`; or numbers of layers, whose self-attention each stack has cut in all heads.
        query, key: tokens, counted from 0.
    Returns:
        one edit, or one for each layer.
    Source: attention knockout, Geva et al. 2023, section 4.
    """
    if isinstance(head, str):
        return HeadEdit(*_site_and_head(head), "edge", query, key)
    layers = [check_index("layer", layer) for layer in head] if isinstance(head, Sequence) else []
    if not layers:
        raise InputError(id="cut-of-no-head", head=repr(head))
    return tuple(HeadEdit(f"*.{layer}.self", None, "edge", query, key) for layer in layers)


def steer(point: str, vector: Tensor) -> Edit:
    """An edit that adds a vector to each token of the residual stream at a point, such as `"decoder.12.in"`.

    >>> import attnviz as av
    >>> model = av.load("induction")
    >>> direction = model.trace("a b").stream["decoder.1.in"][1] - model.trace("a c").stream["decoder.1.in"][1]
    >>> model.trace("a b c a b", edits=[av.steer("decoder.1.in", 2 * direction)]).edits[0].label
    'a vector added at decoder.1.in'

    Args:
        vector: [d_model], or [T, d_model], one for each token.
    Source: activation addition, Turner et al. 2023, section 3.
    """
    check_dense("vector", vector)

    def change(name: str, x: Tensor) -> Tensor:  # [B, T, d_model]
        n, width = x.shape[-2:]
        fits = all(a in (1, b) for a, b in zip(reversed(vector.shape), reversed(x.shape), strict=False))
        if vector.shape[-1:] != (width,) or vector.ndim > x.ndim or not fits:
            raise InputError(id="vector-of-other-width", shape=shape(vector), point=name, n=str(n), width=str(width))
        return x + vector.to(x)

    return Edit(point, change, f"a vector added at {point}")


def _site_and_head(head: str) -> tuple[str, int]:
    site, _, number = str(head).rpartition(".")
    if not site or not number.isdecimal():
        raise InputError(id="no-head-name", head=repr(head))
    return (f"*.{site}.self" if site.isdecimal() else site), int(number)
