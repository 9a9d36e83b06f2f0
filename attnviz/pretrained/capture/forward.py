"""One captured forward pass of a transformers module over a padded batch: what is recorded of it, and how that becomes
the records of each text.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from attnviz.core.attend import Kernel
from attnviz.core.capture import Recorder
from attnviz.core.edit import Edit
from attnviz.core.site import Site, Stack
from attnviz.pretrained.capture.edit_points import tapped_points
from attnviz.pretrained.capture.interface import Backend
from attnviz.pretrained.capture.operators import OperatorCall
from attnviz.pretrained.capture.rope_reset import rope_as_loaded
from attnviz.pretrained.families import Family
from attnviz.pretrained.tokens.batch import Extents, Padded
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.split_batch import Splitter
from attnviz.trace.traceable import TraceableRecording
from attnviz.trace.verify import KernelRows, RowBuffers
from attnviz.trace.weight_sources import Kept, QueryKey, Source

STREAM_TOKENS = 4096  # the residual stream of longer texts is kept only on request: a third of what q, k, v take


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


@dataclass(frozen=True)
class ForwardPass:
    """What one pass left: its attentions, and the residual stream."""

    run: PassRecording
    stream: Mapping[str, Tensor]  # residual stream: point -> [B, T, d_model]
    last: Tensor | None  # [B, T, d_model], what the language-model head reads


def inputs_of(module: nn.Module, source: Padded, target: Padded | None, **asked: bool) -> dict[str, Any]:
    """What a module is called with: those of the arguments that its forward takes."""
    device = device_of(module)
    source = source.to(device)
    given: dict[str, Any] = {"input_ids": source.ids, "attention_mask": source.padding, "use_cache": False, **asked}
    if source.types is not None:
        given["token_type_ids"] = source.types
    if target is not None:
        target = target.to(device)
        given |= {"decoder_input_ids": target.ids, "decoder_attention_mask": target.padding}
    taken = argument_names(type(module).forward)
    return {name: value for name, value in given.items() if taken is None or name in taken}


def device_of(module: nn.Module) -> torch.device:
    """Where a module takes its inputs; the processor where all of its parameters are on the disk."""
    return next((part.device for part in module.parameters() if not part.is_meta), torch.device("cpu"))


@lru_cache(maxsize=64)
def argument_names(forward: Callable[..., object]) -> frozenset[str] | None:
    """The names a forward takes; None where it takes any."""
    parameters = inspect.signature(forward).parameters
    is_open = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    return None if is_open else frozenset(parameters)


def run_pass(
    module: PreTrainedModel, backend: Backend, family: Family | None, source: Padded, target: Padded | None,
    kernel: Kernel = "fused", has_stream: bool | None = None, *, edits: Sequence[Edit] = (), gradients: bool = False,
) -> ForwardPass:  # fmt: skip
    """One recorded forward pass over a batch of texts, and of target texts where there is a decoder of its own.

    `has_stream` says whether the residual stream is kept; None = up to STREAM_TOKENS. Two stacks always keep theirs:
    the head reads the last of it. With `gradients` torch may follow the pass backwards, and it is left to the
    caller to record it.
    """
    has_stream = source.ids.shape[1] <= STREAM_TOKENS if has_stream is None else has_stream
    extents = Extents(source.extents(), None if target is None else target.extents())
    inputs = inputs_of(module, source, target, output_hidden_states=has_stream or target is not None)
    empty = partial(PassRecording, extents=extents)
    with (
        nullcontext(empty()) if gradients else Recorder(empty, edits=edits) as run,
        rope_as_loaded(module), tapped_points(module, family), torch.inference_mode(not gradients),
        backend.follow(len(extents.source), kernel) as calls,
    ):  # fmt: skip
        output = module(**inputs)
    run.operator_calls = {call.site.key: call for call in calls}
    last_is_out = family is not None and family.last_is_out
    if target is None:
        stack = run.sites[0].stack if run.sites else "encoder"
        stream = stream_points(stack, states_of(output, "hidden_states"), last_is_out)
        last = getattr(output, "last_hidden_state", None)
    else:
        stream = stream_points("encoder", states_of(output, "encoder_hidden_states"), last_is_out)
        written = states_of(output, "decoder_hidden_states")
        stream |= stream_points("decoder", written, last_is_out)
        last = written[-1] if written else None
    changed = {name: value for name, value in run.stream_values().items() if name in {*stream, *run.edited_names}}
    return ForwardPass(run, stream | changed, last)


def states_of(output: object, name: str) -> tuple[Tensor, ...]:
    """The hidden states a model gave; none where it gives none, or other things among them (PEGASUS-X)."""
    states = tuple(getattr(output, name, None) or ())
    return states if all(isinstance(state, Tensor) for state in states) else ()


def stream_points(stack: Stack, hidden_states: Sequence[Tensor], last_is_out: bool) -> dict[str, Tensor]:
    """The residual stream of one stack at its named points, each [B, T, d_model].

    `mid` is not among them: it would cost a tenth of the run, and follows from `in`, the context and W_O. Where a
    norm comes after the last layer, transformers gives what that norm made: it is called `final`.
    """
    if not hidden_states:
        return {}
    stream = {f"{stack}.embed": hidden_states[0]}
    for layer, (before, after) in enumerate(pairwise(hidden_states)):
        stream[f"{stack}.{layer}.in"] = before
        is_before_norm = layer + 2 < len(hidden_states) or last_is_out
        stream[f"{stack}.{layer}.out" if is_before_norm else f"{stack}.final"] = after
    return stream
