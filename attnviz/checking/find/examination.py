"""A candidate under examination: what it is fed, how its parameters may be read, and what explains its output."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer, Candidate
from attnviz.checking.call.inputs import Inputs, MaskMeans, draw, sizes_unlike
from attnviz.checking.find.faults import Fault
from attnviz.checking.find.mistaken_attention import Values, Variant, divisor_of, heads_of
from attnviz.checking.find.search import Reading, agrees, difference, finding
from attnviz.checking.read.layouts import Projections, layouts_of
from attnviz.checking.report import Finding, Measurement

_HUGE = 1e3  # a score as far from 0 is a hidden one
# Of what a function is fed: with these no two of the wrong scales are the same number, nor are they right.
N_HEADS, HEAD_WIDTH, VALUE_WIDTH = 3, 6, 10


@dataclass(frozen=True)
class Examination:
    """A candidate, the sizes of its inputs, and the ways in which its parameters may be read."""

    candidate: Candidate
    batch: int
    tokens: int
    n_heads: int
    axes: int  # of what a function is fed: 4 [B, H, T, d_k], 3 [B, T, d_k], 2 [T, d_k]; 3 for a layer
    widths: tuple[int, int, int]  # of query, key, value
    out_width: int
    readings: tuple[Reading, ...]
    mask_means: MaskMeans | None  # as declared
    is_causal: bool | None  # as declared

    def inputs(self, seed: int, n_keys: int | None = None) -> Inputs:
        """Query, key and value, drawn; one tensor three times for a layer that takes x alone."""
        lead = {4: (self.batch, self.n_heads), 3: (self.batch,), 2: ()}[self.axes]
        keys = n_keys or self.tokens
        query = draw((*lead, self.tokens, self.widths[0]), seed)  # [B, T_q, d_model]
        if self.candidate.signature.n_inputs == 1:
            return query, query, query
        key = draw((*lead, keys, self.widths[1]), seed + 1)  # [B, T_k, width]
        if self.candidate.signature.n_inputs == 2:
            return query, key, key
        return query, key, draw((*lead, keys, self.widths[2]), seed + 2)  # [B, T_k, width]

    def out_shape(self, inputs: Inputs) -> tuple[int, ...]:
        return (*inputs[0].shape[:-1], self.out_width)

    def call(self, inputs: Inputs, given: Mapping[str, Any] | None = None, **options: Any) -> Answer:
        """The candidate's answer, its output found by its shape."""
        return self.candidate.call(inputs, given, shape=self.out_shape(inputs), **options)

    @property
    def has_heads(self) -> bool:
        """Whether scores have an axis for heads, so that a mask of each text needs one too."""
        return self.axes == 4 or self.readings[0].projections is not None

    @property
    def is_single(self) -> bool:
        return self.axes == 2 or self.candidate.axis_order.is_single

    def head_sizes(self, projections: Projections | None) -> tuple[int, int, int]:
        """How many heads, d_k and d_v."""
        if projections is None:
            return self.n_heads if self.axes == 4 else 1, *self.widths[1:]
        return projections.n_heads, projections.head_width, projections.value_width


@dataclass(frozen=True)
class Explained:
    """An examination whose output is explained; what the probes start from."""

    examination: Examination
    reading: Reading
    inputs: Inputs
    answer: Answer

    @property
    def candidate(self) -> Candidate:
        return self.examination.candidate

    @property
    def projections(self) -> Projections | None:
        return self.reading.projections

    def call(self, given: Mapping[str, Any] | None = None, **options: Any) -> Answer:
        return self.examination.call(self.inputs, given, **options)

    def ours(self, mask: Tensor | None = None, **changes: Any) -> Values:
        """What ours computes from the same inputs, with the faults that were found and further changes."""
        return self.reading.values(self.inputs, mask, **changes)

    def fed(self, examination: Examination, inputs: Inputs) -> "Explained":
        """The same reading, asked of other inputs."""
        return replace(self, examination=examination, inputs=inputs)

    def finding(self, fault: Fault, *evidence: Measurement) -> Finding:
        """A fault as a finding, with the sizes of this layer in its sentence."""
        n_heads, head_width, value_width = self.examination.head_sizes(self.projections)
        sizes = (head_width, n_heads, self.inputs[0].shape[-2], value_width)
        expected, used = divisor_of("head", *sizes), divisor_of(str(fault.changes.get("scale", "head")), *sizes)
        words = {
            "ratio": expected / used, "divisor": used, "expected": expected, "row_sum": 1 / expected,
            "n_heads": n_heads, "d_head": head_width, "d_model": n_heads * head_width,
        }  # fmt: skip
        return finding(fault, *evidence, **{name: f"{number:.4g}" for name, number in words.items()})


def gap(what: str, ours: Tensor, theirs: Tensor | None) -> Measurement:
    """How far an output is from ours; infinite where there is none."""
    return Measurement(what, difference(ours, theirs))


def examinations(
    candidate: Candidate, n_heads: int | None, mask_means: MaskMeans | None, is_causal: bool | None
) -> list[Examination]:
    """One for each way to understand the widths of the inputs, the usual one first; none without matrices."""
    causals = ("no", "right") if is_causal is None else ("right",) if is_causal else ("no",)
    if candidate.is_function:
        sizes = *sizes_unlike(N_HEADS, HEAD_WIDTH), N_HEADS
        readings = tuple(Reading(None, None, Variant(causal=causal)) for causal in causals)
        widths = (HEAD_WIDTH, HEAD_WIDTH, VALUE_WIDTH)
        return [Examination(candidate, *sizes, 4, widths, VALUE_WIDTH, readings, mask_means, is_causal)]
    assert isinstance(candidate.subject, nn.Module)
    parameters = {name: p.detach() for name, p in candidate.parameters().items()}
    built = [(layout, layout.build(parameters)) for layout in layouts_of(candidate.subject, n_heads)]
    found = []
    for widths in dict.fromkeys(_widths(projections) for _, projections in built):
        these = [(layout, projections) for layout, projections in built if _widths(projections) == widths]
        readings = tuple(Reading(*both, Variant(causal=causal)) for both in these for causal in causals)
        first = these[0][1]
        sizes = *sizes_unlike(first.n_heads, first.head_width), first.n_heads  # batch, tokens, heads
        out_width = first.weight["o"].shape[0] if "o" in first.weight else first.n_heads * first.value_width
        is_cross = candidate.signature.second is not None and widths[0] != widths[1]  # x cannot be its own keys
        called = replace(candidate, signature=candidate.signature.with_second()) if is_cross else candidate
        found.append(Examination(called, *sizes, 3, widths, out_width, readings, mask_means, is_causal))
    return found


def _widths(projections: Projections) -> tuple[int, int, int]:
    query, key, value = (projections.weight[letter].shape[1] for letter in "qkv")
    return query, key, value


def values_by_name(explained: Explained) -> dict[str, Tensor]:
    """Every value of ours that may be dropped from or normalised, by its name."""
    ours, inputs = explained.ours(), explained.inputs
    q, k, v = heads_of(inputs, explained.projections, explained.reading.variant)  # [B, H, T, d_k] each
    context, out = explained.ours(out="missing").out, explained.ours(out="right").out
    return {
        "weights": ours.weights, "scores": ours.scores, "raw scores": ours.raw, "masked scores": ours.masked,
        "queries": q, "keys": k, "values": v, "context": context, "output": out, "input": inputs[0],
        "memory": inputs[1], "output with the input added": out + inputs[0] if out.shape == inputs[0].shape else out,
    }  # fmt: skip


def name_of(tensor: Tensor | None, values: dict[str, Tensor]) -> str:
    """Which value holds these numbers, empty where none does; None stands for the weights, inside torch's function."""
    if tensor is None:
        return "weights"

    def in_order(one: Tensor) -> Tensor:
        flat = one.detach().double().flatten()
        return flat[flat.abs() < _HUGE].sort().values

    theirs = in_order(tensor)
    for name, value in values.items():
        heads = list(value.unbind(1)) if value.ndim == 4 else []  # the same numbers in any order of axes, or one head's
        if any(agrees(in_order(ours), theirs) for ours in (value, *heads)):
            return name
    return ""
