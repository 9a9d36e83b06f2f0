"""From the calls of one batched forward pass to the records of one text: padding off, masks made symbolic again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.core.errors import UnsupportedModel
from attnviz.core.masks import Mask, Rule, Toeplitz
from attnviz.core.records import AttentionRecord, Replay
from attnviz.pretrained.interface import AttentionCall, RuledMask

BLOCK_ROWS = 512  # rows of a dense mask compared at a time


@dataclass(frozen=True)
class Extent:
    """Where one text lies in its padded batch."""

    index: int  # which text of the batch
    start: int  # its first token
    stop: int  # one past its last

    @property
    def n_tokens(self) -> int:
        return self.stop - self.start


@dataclass
class Splitter:
    """Makes the records of one text; a mask that many layers share is described once."""

    extent: Extent
    is_batched: bool  # then slices are copied: a view would keep every other text of the batch alive
    matrices: Mapping[str, Mapping[str, Tensor]]
    described: dict[tuple[int, int | None], Mask] = field(default_factory=dict)

    def records(self, calls: Sequence[AttentionCall]) -> dict[str, AttentionRecord]:
        """The record of every call, by site key."""
        return {call.site.key: self.record(call) for call in calls}

    def record(self, call: AttentionCall) -> AttentionRecord:
        """One call of the batch as the record of this text."""
        own = self.matrices.get(call.site.key, {})
        q, k, v = (self.of_text(part) for part in (call.q, call.k, call.v))  # [H, Tq, Dh], [Hkv, Tk, Dh], [Hkv, Tk, Dv]
        source = Replay(q, k, v, call.scale, self.mask(call), call.softcap, call.sinks)
        return AttentionRecord(call.site, source, w_o=own.get("w_o"), b_o=own.get("b_o"))

    def kernel_context(self, call: AttentionCall) -> Tensor:
        """What the kernel itself returned for this text: [H, Tq, Dv]."""
        return self.of_text(call.context.transpose(1, 2))  # [B, Tq, H, Dv] -> [H, Tq, Dv]

    def of_text(self, batched: Tensor) -> Tensor:
        """This text's own tokens of a batched value: [B, H, T, D] -> [H, T, D], or [B, T, D] -> [T, D]."""
        own = batched[self.extent.index, ..., self.extent.start : self.extent.stop, :]
        return own.clone() if self.is_batched else own

    def mask(self, call: AttentionCall) -> Mask:
        """Who may look at whom among this text's own tokens."""
        n_tokens = self.extent.n_tokens
        if call.q.shape[2] != call.k.shape[2]:
            raise UnsupportedModel(
                f"{call.site} looks from {call.q.shape[2]} tokens at {call.k.shape[2]}; only self-attention over one "
                "text can be read from this model.",
                id="no-cross-attention",
                site=call.site.key,
            )
        if call.mask is None:
            mask = Mask(n_tokens, n_tokens, causal=call.is_causal)
        else:
            place = (id(call.mask), call.window)  # the pass holds the tensor, so the id stays its own
            if place not in self.described:
                self.described[place] = self.describe(call.mask, call.ruled, call.window)
            mask = self.described[place]
        if call.bias is None:
            return mask
        bias = call.bias[min(self.extent.index, call.bias.shape[0] - 1)][:, self.own, self.own]  # [H, Tq, Tk]
        return Mask(
            n_tokens, n_tokens, mask.causal, mask.window, mask.offset, mask.padding, mask.allowed, mask.rule,
            bias=Toeplitz.of(bias) or bias.clone(),
        )  # fmt: skip

    @property
    def own(self) -> slice:
        return slice(self.extent.start, self.extent.stop)

    def describe(self, given: Tensor, ruled: RuledMask | None, window: int | None) -> Mask:
        """The shortest description of a dense mask that gives the same rows; the dense mask itself as a last resort."""
        n_tokens = self.extent.n_tokens
        own = given[min(self.extent.index, given.shape[0] - 1)][:, self.own, self.own]  # [1 | H, Tq, Tk]
        if own.dtype != torch.bool:
            lowest = torch.finfo(own.dtype).min  # what transformers adds where a query may not look
            allowed = own > lowest / 2
            if not bool((own[allowed] == 0).all()):
                return Mask.of(own.clone(), n_tokens, n_tokens)
            own, ruled = allowed, None
        candidates = [Mask(n_tokens, n_tokens), Mask(n_tokens, n_tokens, causal=True)]
        if window is not None:
            candidates += [Mask(n_tokens, n_tokens, causal=is_causal, window=window + extra)
                           for is_causal in (True, False) for extra in (0, 1)]  # fmt: skip
        for candidate in candidates:
            if gives(candidate, own):
                return candidate
        if ruled is not None:
            return Mask(n_tokens, n_tokens, rule=self.rule_of(ruled))
        return Mask(n_tokens, n_tokens, allowed=own.clone())

    def rule_of(self, ruled: RuledMask) -> Rule:
        """transformers' own mask rule, for this text's tokens counted from 0."""
        batch, rule = torch.tensor(self.extent.index), ruled.rule  # not `ruled`: its dense mask must not live on
        first_query, first_key = self.extent.start + ruled.query_offset, self.extent.start + ruled.key_offset

        def allowed(head: int, queries: Tensor, keys: Tensor) -> Tensor:
            index = torch.tensor(head, device=queries.device)
            return rule(batch.to(queries.device), index, queries + first_query, keys + first_key)  # [R, Tk]

        return allowed


def gives(mask: Mask, dense: Tensor) -> bool:
    """Whether a description gives exactly this dense mask, [1 | H, Tq, Tk], compared a block of rows at a time."""
    for start in range(0, mask.n_queries, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, mask.n_queries)
        if not bool((mask.allowed_rows(start, stop, device=dense.device) == dense[:, start:stop]).all()):
            return False
    return True
