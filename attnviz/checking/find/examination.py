"""What is known so far about a candidate, handed from stage to stage; and what a stage adds to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer, Candidate
from attnviz.checking.call.inputs import Inputs, Sizes, draw
from attnviz.checking.call.mask_format import MaskMeans
from attnviz.checking.find.search import Explanation, Reading
from attnviz.checking.find.variant import Variant
from attnviz.checking.read.layouts import Layout, layouts_of
from attnviz.checking.read.projections import Numbers
from attnviz.checking.report import Finding

WIDTH = 6  # of the heads that a function is fed: no two of the wrong scales are the same number, nor are they right


@dataclass(frozen=True)
class Seen:
    """What one stage has to say."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    def __add__(self, other: Seen) -> Seen:
        return Seen(
            self.findings + other.findings, self.notes + other.notes,
            self.checked + other.checked, self.unchecked + other.unchecked,
        )  # fmt: skip


@dataclass(frozen=True)
class Examination:
    """A candidate, the probe it is fed, and the ways its parameters may be read."""

    candidate: Candidate
    sizes: Sizes
    axes: int  # axes of what a function is fed: 4 [B, H, T, Dh], 3 [B, T, Dh], 2 [T, Dh]; 3 for a layer
    widths: tuple[int, int, int]  # of query, key, value
    out_width: int
    readings: tuple[Reading, ...]
    mask_means: MaskMeans | None  # as declared
    is_causal: bool | None  # as declared
    has_one_key_head: bool = False  # a function takes q [B, H, T, Dh], and k and v [B, T, Dh] for all heads

    def inputs(self, seed: int, n_keys: int | None = None) -> Inputs:
        """Query, key and value, drawn; one tensor three times for a layer that takes x alone."""
        lead = {4: (self.sizes.batch, self.sizes.n_heads), 3: (self.sizes.batch,), 2: ()}[self.axes]
        tokens, keys = self.sizes.tokens, n_keys or self.sizes.tokens
        query = draw((*lead, tokens, self.widths[0]), seed)  # [B, Tq, D]
        lead = lead[:1] if self.has_one_key_head else lead
        if self.candidate.signature.n_inputs == 1:
            return query, query, query
        key = draw((*lead, keys, self.widths[1]), seed + 1)  # [B, Tk, width]
        if self.candidate.signature.n_inputs == 2:
            return query, key, key
        return query, key, draw((*lead, keys, self.widths[2]), seed + 2)  # [B, Tk, width]

    def wants(self, inputs: Inputs) -> tuple[int, ...]:
        """The shape of the output that belongs to these inputs."""
        return (*inputs[0].shape[:-1], self.out_width)

    def ask(self, inputs: Inputs, mask: Tensor | None = None, **options: object) -> Answer:
        """The candidate's answer, its output found by its shape."""
        return self.candidate.ask(inputs, mask, wants=self.wants(inputs), **options)  # type: ignore[arg-type]

    @property
    def has_heads(self) -> bool:
        """Whether scores have an axis for heads, so that a mask of each text needs one too."""
        return self.axes == 4 or self.readings[0].numbers is not None

    @property
    def head_width(self) -> int:
        """Dh."""
        return self.sizes.head_width


@dataclass(frozen=True)
class Understood:
    """An examination whose forward pass is explained; what the further stages start from."""

    examination: Examination
    explanation: Explanation
    inputs: Inputs
    answer: Answer

    @property
    def has_mixed_axes(self) -> bool:
        """Whether a fault found makes masks and other lengths meaningless."""
        variant = self.explanation.variant
        return variant.sequence != "token" or variant.split in ("unswapped", "viewed")


def examine(
    candidate: Candidate, n_heads: int | None, mask_means: MaskMeans | None, is_causal: bool | None
) -> Examination | None:
    """Choose sizes and collect the readings; None when a layer has no matrices for q, k and v."""
    causals = ("no", "right") if is_causal is None else ("right",) if is_causal else ("no",)
    if candidate.is_function and candidate.signature.heads is not None:
        return _of_function_with_heads(candidate, n_heads or 3, mask_means, is_causal, causals)
    if candidate.is_function:
        sizes = Sizes.beside(3, WIDTH)
        readings = [Reading(None, None, Variant(causal=causal)) for causal in causals]
        widths = (WIDTH, WIDTH, WIDTH)
        return Examination(candidate, sizes, 4, widths, WIDTH, tuple(readings), mask_means, is_causal)
    assert isinstance(candidate.subject, nn.Module)
    layouts = layouts_of(candidate.subject, n_heads)
    if not layouts:
        return None
    first, parameters = layouts[0], {n: p.detach() for n, p in candidate.parameters().items()}
    numbers = {id(layout): layout.build(parameters) for layout in layouts}
    usual = [layout for layout in layouts if layout.widths == first.widths]
    readings = [Reading(lay, numbers[id(lay)], Variant(causal=causal)) for lay in usual for causal in causals]
    head_width = numbers[id(first)].weight["q"].shape[0] // first.n_heads
    sizes = Sizes.beside(first.n_heads, head_width)
    out_width = _out_width(numbers[id(first)])
    if candidate.signature.second is not None and first.widths[0] != first.widths[1]:
        candidate = replace(candidate, signature=candidate.signature.with_second())  # x cannot be its own keys
    return Examination(candidate, sizes, 3, first.widths, out_width, tuple(readings), mask_means, is_causal)


def _of_function_with_heads(
    candidate: Candidate, n_heads: int, mask_means: MaskMeans | None, is_causal: bool | None, causals: tuple[str, ...]
) -> Examination:
    """A function that is told how many heads there are takes [B, T, D] and splits it: as if its matrices were 1."""
    sizes = Sizes.beside(n_heads, WIDTH)
    one = torch.eye(n_heads * WIDTH, dtype=torch.float64)  # [D, D]
    numbers = Numbers(dict.fromkeys("qkv", one), {}, n_heads)
    readings = tuple(Reading(None, numbers, Variant(causal=causal)) for causal in causals)
    width = n_heads * WIDTH
    told = replace(candidate, n_heads=n_heads)
    return Examination(told, sizes, 3, (width, width, width), width, readings, mask_means, is_causal)


def other_widths(examination: Examination, n_heads: int | None) -> Iterator[Examination]:
    """The same for a layer whose bare matrices are meant otherwise: [out, in], or with their axes in another order."""
    if examination.candidate.is_function or not isinstance(examination.candidate.subject, nn.Module):
        return
    every = [lay for lay in layouts_of(examination.candidate.subject, n_heads) if lay.widths != examination.widths]
    for widths in dict.fromkeys(layout.widths for layout in every):
        yield _of_widths(examination, [layout for layout in every if layout.widths == widths])


def _of_widths(examination: Examination, layouts: list[Layout]) -> Examination:
    parameters = {n: p.detach() for n, p in examination.candidate.parameters().items()}
    causals = dict.fromkeys(reading.variant.causal for reading in examination.readings)
    readings = [Reading(lay, lay.build(parameters), Variant(causal=c)) for lay in layouts for c in causals]
    numbers = readings[0].numbers
    assert numbers is not None  # just built
    sizes = Sizes.beside(numbers.n_heads, numbers.weight["q"].shape[0] // numbers.n_heads)
    return replace(
        examination, sizes=sizes, widths=layouts[0].widths, out_width=_out_width(numbers), readings=tuple(readings)
    )


def _out_width(numbers: Numbers) -> int:
    if "o" in numbers.weight:
        return numbers.weight["o"].shape[0]
    grouped = numbers.weight["q"].shape[0] // numbers.weight["k"].shape[0]  # heads that share keys and values
    return numbers.weight["v"].shape[0] * max(1, grouped)
