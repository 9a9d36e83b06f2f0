"""A candidate under examination: what it is fed, how its parameters may be read, and what explains its output."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer, Candidate
from attnviz.checking.call.inputs import Inputs, MaskMeans, draw, sizes_unlike
from attnviz.checking.call.signature import Signature
from attnviz.checking.find.faults import Fault
from attnviz.checking.find.mistaken_attention import Values, Variant, attention
from attnviz.checking.read.layouts import Layout, Projections, layouts_of
from attnviz.checking.report import Finding, Measurement

# Of what a function is fed: with these no two of the wrong scales are the same number, nor are they right.
N_HEADS, HEAD_WIDTH, VALUE_WIDTH = 3, 6, 10


@dataclass(frozen=True)
class Reading:
    """One way to understand the candidate: where its weights are, and which faults it has."""

    layout: Layout | None
    projections: Projections | None
    plain: Variant  # without the faults: whether it is causal
    faults: tuple[Fault, ...] = ()

    @property
    def variant(self) -> Variant:
        """Our attention with these faults."""
        return replace(self.plain, **{name: value for fault in self.faults for name, value in fault.changes.items()})  # type: ignore[arg-type]

    def changed(self, **changes: Any) -> "Reading":
        """A copy with other fields of its plain variant."""
        return replace(self, plain=replace(self.plain, **changes))

    def having(self, *faults: Fault) -> "Reading":
        return replace(self, faults=(*self.faults, *faults))

    def values(self, inputs: Inputs, mask: Tensor | None = None, **changes: Any) -> Values:
        """What our attention computes with these faults, and with further changes of the variant."""
        return attention(inputs, self.projections, replace(self.variant, **changes), mask)


@dataclass(frozen=True)
class Examination:
    """A candidate, the sizes of its inputs, and the ways in which its parameters may be read."""

    candidate: Candidate
    batch: int
    tokens: int
    axes: int  # of what a function is fed: 4 [B, H, T, d_k], 3 [B, T, d_k], 2 [T, d_k]; 3 for a layer
    widths: tuple[int, int, int]  # of query, key, value
    out_width: int
    readings: tuple[Reading, ...]
    mask_means: MaskMeans | None  # as declared
    is_causal: bool | None  # as declared

    def inputs(self, seed: int) -> Inputs:
        """Query, key and value, drawn; one tensor three times for a layer that takes x alone."""
        lead = {4: (self.batch, self.n_heads), 3: (self.batch,), 2: ()}[self.axes]
        count = self.candidate.signature.n_inputs
        widths = self.widths[:count]
        drawn = [draw((*lead, self.tokens, width), seed + i) for i, width in enumerate(widths)]  # [B, T, width] each
        return drawn[0], drawn[min(1, count - 1)], drawn[count - 1]

    def out_shape(self, inputs: Inputs) -> tuple[int, ...]:
        return (*inputs[0].shape[:-1], self.out_width)

    def call(self, inputs: Inputs, given: Mapping[str, Any] | None = None, **options: Any) -> Answer:
        """Call the candidate; its output is found by its shape."""
        return self.candidate.call(inputs, given, shape=self.out_shape(inputs), **options)

    @property
    def n_heads(self) -> int:
        projections = self.readings[0].projections
        return projections.n_heads if projections else N_HEADS if self.axes == 4 else 1

    @property
    def has_heads(self) -> bool:
        """Whether scores have an axis for heads, so that a mask of each text needs one too."""
        return self.axes == 4 or self.readings[0].projections is not None

    @property
    def is_single(self) -> bool:
        return self.axes == 2 or self.candidate.axis_order.is_single

    def ordered(self, signature: Signature) -> "Examination":
        """A copy with its arguments in another order."""
        return replace(self, candidate=replace(self.candidate, signature=signature))


@dataclass(frozen=True)
class Run:
    """One call of a candidate, and how its output is read."""

    examination: Examination
    inputs: Inputs
    answer: Answer
    reading: Reading

    @property
    def candidate(self) -> Candidate:
        return self.examination.candidate

    @property
    def theirs(self) -> Tensor:
        """The output, [B, T_q, d_model]."""
        assert self.answer.numbers is not None  # checked when it first ran
        return self.answer.numbers

    def call(self, given: Mapping[str, Any] | None = None, **options: Any) -> Answer:
        return self.examination.call(self.inputs, given, **options)

    def ours(self, mask: Tensor | None = None, **changes: Any) -> Values:
        """What our attention computes from the same inputs, with the faults that were found and further changes."""
        return self.reading.values(self.inputs, mask, **changes)

    def sizes(self) -> dict[str, int]:
        """The numbers that a wrong scale may be made of."""
        examination, projections = self.examination, self.reading.projections
        n_heads, d_head, d_value = examination.n_heads, *examination.widths[1:]
        if projections is not None:
            n_heads, d_head, d_value = projections.n_heads, projections.head_width, projections.value_width
        d_model = examination.widths[0] if projections else n_heads * d_head
        return {"d_model": d_model, "n_heads": n_heads, "d_head": d_head, "d_value": d_value,
                "tokens": examination.tokens}  # fmt: skip

    def finding(self, fault: Fault, *evidence: Measurement, **words: str) -> Finding:
        """The finding for a fault, with the sizes of this layer in its sentence."""
        sizes = self.sizes()
        expected = sizes["d_head"] ** 0.5
        numbers = sizes | {"d_model": sizes["n_heads"] * sizes["d_head"], "expected": expected, "row_sum": 1 / expected}
        filled = {name: f"{number:.4g}" for name, number in numbers.items()} | words
        return Finding(fault.id, fault.sentence.format(**filled), fault.fix.format(**filled), evidence)


def examinations(
    candidate: Candidate, n_heads: int | None, mask_means: MaskMeans | None, is_causal: bool | None
) -> list[Examination]:
    """One for each order of the arguments and each way to understand their widths, the usual one first."""
    causals = ("no", "right") if is_causal is None else ("right",) if is_causal else ("no",)
    if candidate.is_function:
        readings = tuple(Reading(None, None, Variant(causal=causal)) for causal in causals)
        widths, sizes = (HEAD_WIDTH, HEAD_WIDTH, VALUE_WIDTH), sizes_unlike(N_HEADS, HEAD_WIDTH)
        first = Examination(candidate, *sizes, 4, widths, VALUE_WIDTH, readings, mask_means, is_causal)
        return [first.ordered(signature) for signature in candidate.signature.in_every_order()]
    assert isinstance(candidate.subject, nn.Module)
    parameters = {name: p.detach() for name, p in candidate.parameters().items()}
    by_widths: dict[tuple[int, int, int], list[tuple[Layout, Projections]]] = {}
    for layout in layouts_of(candidate.subject, n_heads):
        projections = layout.build(parameters)
        by_widths.setdefault(projections.widths, []).append((layout, projections))
    asked = []
    for widths, these in by_widths.items():
        readings = tuple(Reading(*both, Variant(causal=causal)) for both in these for causal in causals)
        usual = these[0][1]
        out_width = usual.weight["o"].shape[0] if "o" in usual.weight else usual.n_heads * usual.value_width
        signature = candidate.signature
        if signature.second is not None and widths[0] != widths[1]:  # x cannot be its own keys
            signature = signature.with_second()
        sizes = sizes_unlike(usual.n_heads, usual.head_width)  # batch, tokens
        first = Examination(candidate, *sizes, 3, widths, out_width, readings, mask_means, is_causal)
        asked += [first.ordered(one) for one in signature.in_every_order()]
    return asked
