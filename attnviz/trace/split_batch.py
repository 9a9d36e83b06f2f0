"""One text of a recorded batch: its tokens of every value, without padding, and its masks as rules.

Every record of a text is cut here: for our own layers, torch's, a person's code and pretrained models.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import CaptureError
from attnviz.core.ops import Call
from attnviz.core.recording import COMPUTED, Recording
from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.weight_sources import Replay, Source


class Span(NamedTuple):
    """Where a text stands among `n` positions, of which those before and behind it are padding."""

    start: int
    stop: int
    n: int

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


def stack_of_keys(site: Site) -> str:
    return "encoder" if site.kind == "cross" else site.stack


def n_texts(value: Tensor) -> int:
    return value.shape[0] if value.ndim > 2 else 1


@dataclass
class Splitter:
    """Makes the records of one text; a mask that several attentions share is described once."""

    run: Recording
    index: int  # which text
    spans: Mapping[str, Span]  # where it stands, by stack; none where it ran alone
    masks: dict[tuple[object, ...], Mask] = field(default_factory=dict)

    def record(self, site: Site, place: str, parameters: Mapping[str, Mapping[str, Tensor]]) -> AttentionRecord:
        """The attention at one place as the record of this text, with W_O and the window of the parameters."""
        matrices, told = parameters.get(site.key, {}), parameters.get(f"{site.key}_window")
        edited = {}
        for name, value in self.run.values_from_edit(place).items():
            keys = self.keys(site) if name in COMPUTED else None
            edited[name] = self.headed(value, self.queries(site), keys)
        source = self.source(site, place)
        if told is not None:
            source = replace(source, mask=source.mask.within(int(told["window"])))
        return AttentionRecord(site, source, matrices.get("w_o"), matrices.get("b_o"), edited)

    def source(self, site: Site, place: str) -> Source:
        """What this text's weights are made from."""
        if f"{place}.out" in self.run and self.run[f"{place}.out"].ndim == 2 and self.run[f"{place}.q"].ndim == 3:
            raise CaptureError(id="text-without-batch", name=place)
        q = self.headed(self.run[f"{place}.q"], self.queries(site))  # [H, T_q, d_k]
        k, v = (self.headed(self.run[f"{place}.{name}"], self.keys(site)) for name in "kv")  # [Hkv, T_k, d] each
        if site.kind == "self" and q.shape[1] != k.shape[1]:
            raise CaptureError(id="other-keys-than-queries", name=place, queries=str(q.shape[1]), keys=str(k.shape[1]))
        call = self.run.call(place)
        mask = self.mask(call, site, self.run[f"{place}.q"].ndim, q.shape[1], k.shape[1])
        scale = call.scale
        if isinstance(scale, Tensor) and call.has_own_scales:
            scale = scale.flatten().to(q)  # [H], in the type that `attend` used
        return Replay(q, k, v, scale, mask, call.softcap, call.sinks)

    def seen(self, calls: Mapping[Site, tuple[str, Call]]) -> dict[str, Span]:
        """Where this text stands in each stack: between the keys that no query of any site can attend to."""
        keys: dict[str, Tensor] = {}  # [T_k] bool
        for site, (place, call) in calls.items():
            added = self.added(call, site, self.run[f"{place}.q"].ndim)
            kept = (
                torch.ones(1, dtype=torch.bool) if added is None else ops.allowed_by(added).flatten(0, -2).any(0).cpu()
            )
            kept, stack = kept.expand(self.run[f"{place}.k"].shape[-2]), stack_of_keys(site)  # [T_k]
            keys[stack] = keys[stack] | kept if stack in keys and keys[stack].shape == kept.shape else kept
        ends = {stack: (kept.nonzero()[:, 0].tolist() or [0, len(kept) - 1]) for stack, kept in keys.items()}
        return {stack: Span(at[0], at[-1] + 1, len(keys[stack])) for stack, at in ends.items()}

    def queries(self, site: Site) -> Span | None:
        """Where the tokens of the query axis stand."""
        return self.spans.get(site.stack)

    def keys(self, site: Site) -> Span | None:
        """Where the tokens of the key axis stand."""
        return self.spans.get(stack_of_keys(site))

    def headed(self, value: Tensor, rows: Span | None, columns: Span | None = None) -> Tensor:
        """This text's part of an attention's value, with an axis of heads: [H, T, d]."""
        if value.ndim > 4:
            raise CaptureError(id="too-many-axes", n=value.ndim)
        part = self.of_text(value, rows, columns)
        return part if part.ndim == 3 else part[None]  # [H, T, d]

    def of_text(self, value: Tensor, rows: Span | None, columns: Span | None = None) -> Tensor:
        """This text's part of a value with a batch axis; a value of one text, or of two axes, belongs to every text."""
        value, n = value.detach(), n_texts(value)
        if n > 1 and self.index >= n:
            raise no_such_text(self.index, n)
        part = value if value.ndim <= 2 else value[0 if n == 1 else self.index]
        part = cut(part, rows) if columns is None else cut(cut(part, rows).mT, columns).mT
        return part if n == 1 else part.clone()  # a view would keep the whole batch alive

    def stream(self, values: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """This text's residual stream: point -> [T, d_model]."""
        return {name: self.of_text(value, self.spans.get(name.split(".")[0])) for name, value in values.items()}

    def mask(self, call: Call, site: Site, n_axes: int, n_queries: int, n_keys: int) -> Mask:
        """Which keys each query of this text can attend to, and what is added to their scores."""
        shared = (id(call.mask), id(call.bias), site.stack, site.kind, n_queries, n_keys)  # the recording holds them
        if shared not in self.masks:
            self.masks[shared] = Mask.of(self.added(call, site, n_axes), n_queries, n_keys)
        described = self.masks[shared]
        return replace(described, causal=True, offset=0) if call.is_causal else described

    def added(self, call: Call, site: Site, n_axes: int) -> Tensor | None:
        """Mask and bias of this text in one: [1 | H, T_q | 1, T_k | 1]; None where there is neither."""
        mask, bias = (None if x is None else self.block(x, site, n_axes) for x in (call.mask, call.bias))
        return mask if bias is None else ops.add_mask(bias, mask)

    def block(self, added: Tensor, site: Site, n_axes: int) -> Tensor:
        """A copy of this text's part of a mask or bias, where q has so many axes; its owner may go on writing."""
        if added.ndim == n_axes and n_axes > 2:
            added = added[min(self.index, added.shape[0] - 1)]
        return cut(cut(added.detach(), self.queries(site)).mT, self.keys(site)).mT.clone()  # [1 | H, T_q, T_k]


def cut(value: Tensor, span: Span | None) -> Tensor:
    """The positions of a text, axis -2 of a value that has them all."""
    return value if span is None or value.shape[-2] != span.n else value[..., span.slice, :]


def no_such_text(i: int, n: int) -> CaptureError:
    return CaptureError(id="no-text-in-recording", text=repr(i), n=n)
