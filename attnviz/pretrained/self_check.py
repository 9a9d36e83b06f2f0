"""The check at load: the weights a backend reads from two seeded texts against the model's own eager ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core import ops
from attnviz.core.errors import UnsupportedModel
from attnviz.core.ops import Call
from attnviz.core.recording import largest_difference
from attnviz.core.site import Site, Stack
from attnviz.pretrained.capture.forward import ForwardPass, run_pass
from attnviz.pretrained.capture.interface import Backend, InterfaceBackend
from attnviz.pretrained.capture.memory_limit import NUMBER_BYTES
from attnviz.pretrained.capture.operators import OperatorBackend, OperatorCall, Scale
from attnviz.pretrained.families import Family
from attnviz.pretrained.reference_weights import CheckText, EagerWeights, window_of
from attnviz.pretrained.tokens.batch import Padded
from attnviz.trace.split_batch import cut
from attnviz.trace.verify import TOLERANCE


@dataclass(frozen=True)
class SelfCheck:
    backend: Backend
    difference: float  # the largest, over all sites, heads and real tokens of both texts
    sites: tuple[Site, ...]
    last: Tensor | None  # [1, T, d_model], last hidden states of the first text


def self_check(
    module: PreTrainedModel, backend: Backend, family: Family | None,
    texts: Sequence[CheckText], expected: Sequence[EagerWeights], *, name: str,
) -> SelfCheck:  # fmt: skip
    if isinstance(backend, OperatorBackend):
        backend = learned_backend(module, family, texts[0], expected[0])
    passes = [run_pass(module, backend, family, text.source, text.target) for text in texts]
    difference = max(largest_from_eager(ran, theirs, name=name) for ran, theirs in zip(passes, expected, strict=True))
    if isinstance(backend, InterfaceBackend):
        is_windowed = window_of(module.config) is not None
        backend = replace(backend, pair_bytes=pair_bytes(passes[0], is_windowed))
    return SelfCheck(backend, difference, passes[0].run.sites, passes[0].last)


def learned_backend(
    module: PreTrainedModel, family: Family | None, text: CheckText, expected: EagerWeights
) -> OperatorBackend:
    """The operators of a model's own code: which softmax is which site, and which scores are q·k times a scale."""
    again = [None if part is None else Padded(part.ids.flip(1), part.padding) for part in (text.source, text.target)]
    assert again[0] is not None
    first, second = (
        {call.site.layer: call
         for call in run_pass(module, OperatorBackend(), family, source, target).run.operator_calls.values()}
        for source, target in ((text.source, text.target), (again[0], again[1]))
    )  # by the number of the softmax  # fmt: skip
    sites = sites_of_softmaxes(first, expected, family)
    learned = {number: learned_scale(first[number], second[number]) for number in sites if number in second}
    scales = {number: scale for number, scale in learned.items() if scale is not None}
    kept = [part for number in scales for part in (first[number].q, first[number].k) if part is not None]
    return OperatorBackend(sites, scales, sum(part.shape[1] * part.shape[3] * part.element_size() for part in kept))


def sites_of_softmaxes(
    calls: Mapping[int, OperatorCall], expected: EagerWeights, family: Family | None
) -> dict[int, Site]:
    """Which softmax of a pass is which site: the one whose weights are eager's own."""
    stack: Stack = "decoder" if expected.is_causal else "encoder"
    if family is not None and family.stack is not None:
        stack = family.stack
    sites: dict[int, Site] = {}
    for of_stack, kind, layers in expected.layers_of(stack):
        for layer, theirs in enumerate(layers):
            equal = (number for number, call in calls.items() if number not in sites and makes(call, theirs))
            number = next(equal, None)
            if number is not None:
                sites[number] = Site(of_stack, kind, layer)
    return sites


def makes(call: OperatorCall, theirs: Tensor | None) -> bool:
    """Whether a call's weights are eager's, on a text without padding."""
    if theirs is None or call.scores.shape != theirs.shape:
        return False
    weights = ops.replay_from_scores("weights", call.scores.float(), Call(1.0, call.allowed))  # [B, H, T_q, T_k]
    return largest_difference(weights, theirs) <= TOLERANCE[call.v.dtype]


def pair_bytes(ran: ForwardPass, is_windowed: bool) -> int:
    """Bytes that a model's own code makes for each pair of tokens: its bias, once more with the mask, and the mask."""
    biases = [ran.run.call(place).bias for place in ran.run.places]
    heads = max((bias.shape[1] for bias in biases if bias is not None), default=0)
    return 2 * heads * NUMBER_BYTES + (1 if is_windowed else 0)


def largest_from_eager(ran: ForwardPass, expected: EagerWeights, *, name: str) -> float:
    n_read, n_expected = len(ran.run.sites), len(expected.all)
    if n_read != n_expected:
        raise UnsupportedModel(id="probe-layers", expected=n_expected, came=n_read)
    largest, tolerance, splitter = 0.0, 0.0, ran.run.splitter(0)
    with torch.inference_mode():
        records = ran.run.records(0, {})
        for site, theirs in matched(ran.run.sites, expected):
            tolerance = TOLERANCE[records[site.key].source.v.dtype]
            # [H, T_q, T_k] each
            weights, eager = (
                records[site.key].weights(),
                cut(cut(theirs[0], splitter.queries(site)).mT, splitter.keys(site)).mT,
            )
            is_same_shape = weights.shape == eager.shape
            largest = max(largest, largest_difference(weights, eager) if is_same_shape else float("inf"))
    if not largest <= tolerance:
        raise UnsupportedModel(id="probe-difference", difference=largest, tolerance=tolerance)
    return largest


def matched(sites: Sequence[Site], expected: EagerWeights) -> Iterator[tuple[Site, Tensor]]:
    """Each site with eager's weights of the same place: by kind, and in the order they ran."""
    for stack, kind, layers in expected.layers_of(sites[0].stack):
        of_group = [site for site in sites if (site.stack, site.kind) == (stack, kind)]
        theirs = [weights for weights in layers if weights is not None]
        yield from zip(of_group, theirs, strict=False)


def learned_scale(one: OperatorCall, other: OperatorCall) -> Scale | None:
    """The scale of one site's scores: 1, 1/√dₖ or 1/dₖ; None where none of them explains the scores of both texts."""
    if one.q is None or other.q is None:
        return None
    width = one.q.shape[-1]
    tried = []
    for factor in (1.0, width**-0.5, 1 / width):
        rests = [attended(call.scores - raw_scores(call) * factor, call) for call in (one, other)]  # [n] each
        tried.append((largest(rests[0] - rests[1]), factor, rests))
    difference, factor, rests = min(tried, key=lambda trial: trial[0])
    tolerance = TOLERANCE[one.v.dtype] * max(largest(attended(call.scores, call)) for call in (one, other))
    return Scale(factor, largest(rests[0]) <= tolerance) if difference <= tolerance else None


def raw_scores(call: OperatorCall) -> Tensor:
    """QKᵀ of all heads: [B, H, T_q, T_k]."""
    assert call.q is not None and call.k is not None
    return ops.raw_scores(call.q, ops.repeat_heads(call.k, call.q))  # [B, H, T_q, T_k]


def attended(values: Tensor, call: OperatorCall) -> Tensor:
    """The values of [B, H, T_q, T_k] where a query can attend to a key: [n]."""
    values = values.float()
    return values.flatten() if call.allowed is None else values[call.allowed.expand_as(values)]


def largest(values: Tensor) -> float:
    return float(values.abs().amax())
