"""Makes the records of one text from the calls of a batched forward pass: without padding, masks as rules again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from attnviz.core.site import Site
from attnviz.pretrained.capture.interface import InterfaceCall
from attnviz.pretrained.capture.operators import OperatorCall
from attnviz.pretrained.tokens.batch import Extent, Extents
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.mask import Mask, Toeplitz
from attnviz.trace.records import AttentionRecord
from attnviz.trace.weight_sources import Kept, QueryKey, Replay

BLOCK_ROWS = 512  # rows of a dense mask compared at a time


@dataclass
class Splitter:
    """Makes the records of one text; a mask or bias that many layers share is described once."""

    index: int  # which text
    extents: Extents
    matrices: Mapping[str, Mapping[str, Tensor]]
    described: dict[tuple[int, int | None, bool, bool], Mask] = field(default_factory=dict)
    biases: dict[int, Tensor | Toeplitz | None] = field(default_factory=dict)

    def records(self, calls: Sequence[InterfaceCall | OperatorCall]) -> dict[str, AttentionRecord]:
        return {call.site.key: self.record(call) for call in calls}

    def record(self, call: InterfaceCall | OperatorCall) -> AttentionRecord:
        """One call of the batch as the record of this text."""
        own = self.matrices.get(call.site.key, {})
        return AttentionRecord(call.site, self.source(call), w_o=own.get("w_o"), b_o=own.get("b_o"))

    def source(self, call: InterfaceCall | OperatorCall) -> Replay | Kept:
        """What this text's scores are made from, or the scores where they need not be q·k."""
        queries, keys = self.queries(call.site), self.keys(call.site)
        v = self.of_text(call.v, keys)  # [Hkv, T_k, d_v]
        if isinstance(call, OperatorCall):
            scores = self.block(call.scores, call.site)  # [H, T_q, T_k]
            mask = Mask(queries.n_tokens, keys.n_tokens)
            if call.allowed is not None:
                mask = self.described_mask(call.allowed, None, call.site)
            product = None
            if call.q is not None and call.k is not None and call.scale is not None:
                product = QueryKey(self.of_text(call.q, queries), self.of_text(call.k, keys), *call.scale)
            return Kept(self.apart(scores), v, mask, product=product)
        q, k = self.of_text(call.q, queries), self.of_text(call.k, keys)  # [H, T_q, d_k], [Hkv, T_k, d_k]
        return Replay(q, k, v, call.scale, self.mask(call), call.softcap, call.sinks)

    def queries(self, site: Site) -> Extent:
        """Where the tokens of the query axis lie in their batch."""
        return self.extents.of(site.stack)[self.index]

    def keys(self, site: Site) -> Extent:
        """Where the tokens of the key axis lie in their batch."""
        return self.extents.keys(site)[self.index]

    def stream(self, points: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """This text's residual stream: point -> [T, d_model]."""
        own = {point: self.extents.of(point.split(".")[0])[self.index] for point in points}
        return {point: self.of_text(value, own[point]) for point, value in points.items()}

    def kernel(self, call: InterfaceCall | OperatorCall) -> KernelRows:
        """What the kernel returned for some rows of this text."""
        queries = self.queries(call.site)
        if isinstance(call, OperatorCall):
            return KernelRows.of(call.context[queries.index, queries.slice], call.site.layer)
        return call.kernel[queries.index]

    def of_text(self, batched: Tensor, extent: Extent) -> Tensor:
        """One text's tokens of a batched value: [B, H, T, d_k] -> [H, T, d_k], or [B, T, d_model] -> [T, d_model]."""
        return self.apart(batched[min(extent.index, batched.shape[0] - 1), ..., extent.slice, :])

    def apart(self, own: Tensor) -> Tensor:
        """A copy where there are other texts: a view would keep all of the batch alive."""
        return own.clone() if len(self.extents.source) > 1 else own

    def block(self, batched: Tensor, site: Site) -> Tensor:
        """This text's own queries and keys of a value over both: [B or 1, H, T_q, T_k] -> [H, T_q, T_k]."""
        queries, keys = self.queries(site), self.keys(site)
        own = batched[min(self.index, batched.shape[0] - 1)]  # [H, T_q, T_k]
        columns = slice(None) if own.shape[2] == 1 else keys.slice
        rows = slice(None) if own.shape[1] == 1 else queries.slice
        return own[:, rows, columns].expand(-1, queries.n_tokens, keys.n_tokens)  # [H, T_q, T_k]

    def mask(self, call: InterfaceCall) -> Mask:
        """Which keys each query of this text can attend to, and what is added to their scores."""
        n_queries, n_keys = self.queries(call.site).n_tokens, self.keys(call.site).n_tokens
        if call.mask is None:
            mask = Mask(n_queries, n_keys, causal=call.is_causal)
        else:
            mask = self.described_mask(call.mask, call.window, call.site)
        bias = None if call.bias is None else self.bias(call.bias, call.site)
        return mask if bias is None else replace(mask, bias=bias)

    def bias(self, given: Tensor, site: Site) -> Tensor | Toeplitz | None:
        """This text's position bias [H, T_q, T_k], as one vector a head where it is the same along every diagonal."""
        if id(given) not in self.biases:  # the pass holds the tensor, so the id stays its own
            own = self.block(given, site)  # [H, T_q, T_k]
            self.biases[id(given)] = (Toeplitz.of(own) or own.clone()) if bool(own.any()) else None
        return self.biases[id(given)]

    def described_mask(self, given: Tensor, window: int | None, site: Site) -> Mask:
        """`describe`, once for each mask of the pass."""
        place = (id(given), window, site.stack == "decoder", site.kind == "cross")
        if place not in self.described:
            self.described[place] = describe(self.block(given, site), window)
        return self.described[place]


def describe(own: Tensor, window: int | None) -> Mask:
    """The shortest description of a dense mask [1 | H, T_q, T_k] that gives the same rows; at worst the mask itself."""
    n_queries, n_keys = own.shape[-2:]
    if own.dtype != torch.bool:
        lowest = torch.finfo(own.dtype).min  # what transformers adds where a query cannot attend
        allowed = own > lowest / 2  # [1 | H, T_q, T_k]
        bias = own.masked_fill(~allowed, 0.0)  # [1 | H, T_q, T_k]
        if bool(bias.any()):
            return replace(describe(allowed, None), bias=Toeplitz.of(bias) or bias)
        own = allowed
    found = Mask.of(own, n_queries, n_keys)
    if found.allowed is None:
        return found
    windows = [] if window is None else [Mask(n_queries, n_keys, causal=is_causal, window=window + extra)
                                         for is_causal in (True, False) for extra in (0, 1)]  # fmt: skip
    return next((it for it in windows if gives(it, own)), Mask(n_queries, n_keys, allowed=own.clone()))


def gives(mask: Mask, dense: Tensor) -> bool:
    """Whether a description gives exactly this dense mask, [1 | H, T_q, T_k], compared a block of rows at a time."""
    for start in range(0, mask.n_queries, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, mask.n_queries)
        if not bool((mask.allowed_rows(start, stop, device=dense.device) == dense[:, start:stop]).all()):
            return False
    return True
