"""A transformers model that can be traced: text in, a frozen Trace out. Safe to share between threads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

import torch
import transformers
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core.attend import Kernel
from attnviz.core.capture import Edit, record
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.core.tokens import TokenPair, Tokens
from attnviz.core.trace import Card, Trace, run_versions
from attnviz.core.verify import verify
from attnviz.pretrained.edited import edited_records, refuse_idle
from attnviz.pretrained.families import Family, matrices_of, sites_of
from attnviz.pretrained.interface import Pass, watching
from attnviz.pretrained.split import Extent, Splitter
from attnviz.pretrained.text import SentenceTokenizer


@dataclass(frozen=True)
class ForwardPass:
    """One watched forward pass over a padded batch, before it is split into texts."""

    opened: Pass
    stream: Mapping[str, Tensor]  # residual stream: point -> [B, T, D]
    extents: tuple[Extent, ...]

    def splitter(self, index: int, matrices: Mapping[str, Mapping[str, Tensor]]) -> Splitter:
        return Splitter(self.extents[index], len(self.extents) > 1, matrices)


@dataclass(frozen=True, eq=False)
class PretrainedModel:
    """One loaded model, its tokenizer and its card. Nothing in it changes after it is made."""

    card: Card
    module: PreTrainedModel = field(repr=False)  # in eval(), its attention function set to ours
    tokenizer: SentenceTokenizer = field(repr=False)
    family: Family | None = None
    sites: Mapping[int, Site] = field(init=False, repr=False)  # by id(module)
    matrices: Mapping[str, Mapping[str, Tensor]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sites", sites_of(self.module, self.family))
        object.__setattr__(self, "matrices", matrices_of(self.module, self.family, self.card.n_layers))

    def trace(self, text: str, target: str | None = None, edits: Sequence[Edit] = ()) -> Trace:
        """Run over one text and keep what happened.

        Args:
            text: the whole text; it is never cut.
            target: not for this model: it has no decoder with a text of its own.
            edits: changes to q, k, v, raw, scores, masked, weights or context of a site, by name.
        Returns:
            a Trace; `verified` is this run's own check of the replay against the kernel.
        Raises:
            EmptyText, TooLong, InputError: the text cannot be read; the message says why and what to do.
            CaptureError: an edit matches nothing, or changes a shape.
        """
        if target is not None:
            raise InputError(
                f"{self.card.name} reads one text and writes none, so it takes no target text. Leave the target out.",
                id="no-target",
                model=self.card.name,
            )
        tokens = self.tokenizer.tokens(text)
        if edits:
            return self.edited_trace(tokens, edits)
        return self.split(self.forward(*batch_of([tokens], self.pad_id)), 0, tokens)

    def traces(self, texts: Sequence[str]) -> tuple[Trace, ...]:
        """Run over several texts as one padded batch.

        Returns:
            a Trace a text, its padding removed, equal to a single run within float32 rounding.
        Raises:
            EmptyText, TooLong, InputError: as for one text.
        """
        tokens = [self.tokenizer.tokens(text) for text in texts]
        if not tokens:
            return ()
        ran = self.forward(*batch_of(tokens, self.pad_id))
        return tuple(self.split(ran, index, own) for index, own in enumerate(tokens))

    @property
    def pad_id(self) -> int:
        return getattr(self.module.config, "pad_token_id", None) or 0

    def forward(self, ids: Tensor, padding: Tensor, *, kernel: Kernel = "fused") -> ForwardPass:
        """One watched forward pass.

        Args:
            ids: [B, T]. padding: [B, T], 1 where there is a token.
        """
        with torch.inference_mode(), watching(Pass(self.sites, kernel)) as opened:
            output = self.module(input_ids=ids, attention_mask=padding, output_hidden_states=True, use_cache=False)
            stream = self.stream_points(output.hidden_states, opened)
        extents = []
        for index, row in enumerate(padding.bool()):
            own = row.nonzero()[:, 0]  # positions of this text's tokens
            extents.append(Extent(index, int(own[0]), int(own[-1]) + 1))
        return ForwardPass(opened, stream, tuple(extents))

    def stream_points(self, hidden_states: Sequence[Tensor], opened: Pass) -> dict[str, Tensor]:
        """The residual stream at its named points, each [B, T, D].

        `mid` is not among them: it would cost a tenth of the run, and follows from `in`, the context and W_O. Where a
        norm comes after the last layer, transformers gives what that norm made: it is called `final`.
        """
        stack = opened.calls[0].site.stack if opened.calls else "encoder"
        stream = {f"{stack}.embed": hidden_states[0]}
        for layer, (before, after) in enumerate(pairwise(hidden_states)):
            stream[f"{stack}.{layer}.in"] = before
            is_own = layer + 2 < len(hidden_states) or (self.family is not None and self.family.last_is_out)
            stream[f"{stack}.{layer}.out" if is_own else f"{stack}.final"] = after
        return stream

    def split(self, ran: ForwardPass, index: int, tokens: Tokens) -> Trace:
        """One text of a forward pass as a Trace."""
        splitter = ran.splitter(index, self.matrices)
        with torch.inference_mode():
            records = splitter.records(ran.opened.calls)
            kernel = {call.site.key: splitter.kernel_context(call) for call in ran.opened.calls}  # [H, T, Dv] each
            verified = verify(records, kernel)
            stream = {point: splitter.of_text(value) for point, value in ran.stream.items()}  # [T, D] each
        pair, made_by = TokenPair(tokens), versions()
        return Trace(self.card, pair, records, stream, verified=verified, versions=made_by, matrices=self.matrices)

    def edited_trace(self, tokens: Tokens, edits: Sequence[Edit]) -> Trace:
        """A run with changes, on the explicit kernel; the changed values are in the trace, their labels in `edits`."""
        with record(edits=edits) as run:
            ran = self.forward(*batch_of([tokens], self.pad_id), kernel="explicit")
        trace = self.split(ran, 0, tokens)
        refuse_idle(tuple(trace.records), edits)
        with torch.inference_mode():
            records, verified = edited_records(trace, run, ran.splitter(0, self.matrices), ran.opened.calls)
        return replace(trace, records=records, verified=verified, edits=tuple(edit.label for edit in edits))


def batch_of(texts: Sequence[Tokens], pad_id: int) -> tuple[Tensor, Tensor]:
    """Ids and padding of a batch, padded on the right: [B, T] each; padding is 1 where there is a token."""
    longest = max(len(tokens) for tokens in texts)
    ids = torch.full((len(texts), longest), pad_id)  # [B, T]
    padding = torch.zeros_like(ids)  # [B, T]
    for row, tokens in enumerate(texts):
        ids[row, : len(tokens)] = torch.tensor(tokens.ids)
        padding[row, : len(tokens)] = 1
    return ids, padding


@cache
def versions() -> Mapping[str, str]:
    """What makes a trace; read from the packages once, for reading them takes as long as a layer."""
    return run_versions() | {"transformers": transformers.__version__}
