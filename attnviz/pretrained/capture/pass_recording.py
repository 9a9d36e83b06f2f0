"""What is recorded of one forward pass over a padded batch, and how it becomes the records of each text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor

from attnviz.core.site import Site
from attnviz.pretrained.capture.operators import OperatorCall
from attnviz.pretrained.tokens.batch import Extents
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.split_batch import Splitter
from attnviz.trace.traceable import TraceableRecording
from attnviz.trace.verify import KernelRows, RowBuffers
from attnviz.trace.weight_sources import Kept, QueryKey, Source


@dataclass(repr=False, eq=False)
class PassRecording(TraceableRecording):
    """One forward pass: q, k and v by reference, nothing quadratic unless there are edits, and of each context a few
    rows, the proof of the run.
    """

    extents: Extents = field(default_factory=lambda: Extents(()))  # where each text lies
    kernel: dict[str, tuple[KernelRows, ...]] = field(default_factory=dict)  # by place, of each text
    operator_calls: Mapping[str, OperatorCall] = field(default_factory=dict)  # of a model read from its operators
    buffers: RowBuffers = field(default_factory=RowBuffers)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Where attention ran, in order."""
        return tuple(map(Site.parse, self.operator_calls or self.places))

    def keep(self, full_name: str, value: Tensor) -> None:
        place, _, name = full_name.rpartition(".")
        is_edited = full_name in self.edited_names
        if name == "context" and not is_edited:  # [B, H, T_q, d_v]
            spans, last, number = self.extents.of(place.split(".")[0]), len(value) - 1, len(self.kernel)
            self.kernel[place] = tuple(
                self.buffers.take(value[min(i, last), :, span.slice].detach().transpose(0, 1), number)
                for i, span in enumerate(spans)
            )
        elif self.edits or name != "weights":
            super().keep(full_name, value)

    def records(self, index: int, matrices: Mapping[str, Mapping[str, Tensor]]) -> dict[str, AttentionRecord]:
        """The attentions of one text, by site."""
        splitter = self.splitter(index)
        return {site.key: splitter.record(site, site.key, matrices) for site in self.sites}

    def splitter(self, index: int) -> Splitter:
        spans = {stack: self.extents.of(stack)[index] for stack in ("encoder", "decoder")}
        return PassSplitter(self, index, spans, calls=self.operator_calls)


@dataclass
class PassSplitter(Splitter):
    """Where attention is read from a model's operators, its scores are kept as the model made them."""

    calls: Mapping[str, OperatorCall] = field(default_factory=dict)

    def source(self, site: Site, place: str) -> Source:
        call = self.calls.get(place)
        if call is None:
            return super().source(site, place)
        queries, keys = self.queries(site), self.keys(site)
        scores, v = self.headed(call.scores, queries, keys), self.headed(call.v, keys)  # [H, T_q, T_k], [H, T_k, d_v]
        allowed = None if call.allowed is None else self.block(call.allowed, site, 4)  # [1 | H, T_q, T_k]
        product = None
        if call.q is not None and call.k is not None and call.scale is not None:
            product = QueryKey(self.headed(call.q, queries), self.headed(call.k, keys), *call.scale)
        return Kept(scores, v, Mask.of(allowed, *scores.shape[1:]), product=product)
