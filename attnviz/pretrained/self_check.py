"""The proof at load: weights read our way against the model's own eager `output_attentions`, on two seeded probes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core.errors import UnsupportedModel
from attnviz.core.recording import largest_difference
from attnviz.core.site import Site, Stack
from attnviz.pretrained.capture.backends import Calls, InterfaceWay, OperatorWay, Way
from attnviz.pretrained.capture.forward import ForwardPass, run_pass
from attnviz.pretrained.capture.interface import AttentionCall
from attnviz.pretrained.capture.memory_limit import NUMBER_BYTES
from attnviz.pretrained.capture.operators import KeptCall
from attnviz.pretrained.capture.rope_reset import is_by_length
from attnviz.pretrained.families import Family
from attnviz.pretrained.reference import Expected, Probe, is_windowed
from attnviz.pretrained.tokens.batch import Padded
from attnviz.trace.verify import TOLERANCE


@dataclass(frozen=True)
class Proof:
    """What a way of reading showed at load."""

    way: Way
    difference: float  # the largest, over all sites, heads and real tokens of both probes
    sites: tuple[Site, ...]
    last: Tensor | None  # [1, T, D], last hidden states of the first probe
    can_pad: bool  # whether padding behind a text changes nothing of it


def proved(
    module: PreTrainedModel, way: Way, family: Family | None,
    probes: Sequence[Probe], expected: Sequence[Expected], *, name: str,
) -> Proof:  # fmt: skip
    """Read both probes and compare.

    Raises:
        UnsupportedModel: nothing was read, other layers were, or the difference is more than rounding.
    """
    if isinstance(way, OperatorWay):
        first = run_pass(module, way, family, probes[0].source, probes[0].target, "fused")
        way = OperatorWay(order_of(first.calls, expected[0], family))
    difference, passes = 0.0, []
    for probe, theirs in zip(probes, expected, strict=True):
        ran = run_pass(module, way, family, probe.source, probe.target, "fused")
        difference = max(difference, probe_difference(ran, theirs, probe, name=name))
        passes.append(ran)
    if isinstance(way, OperatorWay):
        way = replace(way, token_bytes=token_bytes(passes[0].calls))
    if isinstance(way, InterfaceWay):
        way = replace(way, pair_bytes=pair_bytes(passes[0].calls, is_windowed(module.config)))
    sites = tuple(call.site for call in passes[0].calls)
    can_pad = not is_by_length(module.config) and is_same_padded(module, way, family, probes[0], passes[0])
    return Proof(way, difference, sites, passes[0].last, can_pad)


def is_same_padded(
    module: PreTrainedModel, way: Way, family: Family | None, probe: Probe, alone: ForwardPass
) -> bool:  # fmt: skip
    """Whether a text has the same weights with padding behind it; a convolution (ConvBERT) looks across its end."""
    pad_id = getattr(module.config, "pad_token_id", None) or 0
    target = None if probe.target is None else padded(probe.target, pad_id)
    ran = run_pass(module, way, family, padded(probe.source, pad_id), target, "fused")
    pairs = list(zip(own_weights(ran), own_weights(alone), strict=True))  # [H, Tq, Tk] each
    tolerance = TOLERANCE[alone.calls[0].v.dtype]
    return all(one.shape == other.shape and largest_difference(one, other) <= tolerance for one, other in pairs)


def own_weights(ran: ForwardPass) -> list[Tensor]:
    """The weights of the first text at every site, its padding left out: [H, Tq, Tk] each."""
    splitter = ran.splitter(0, {})
    with torch.inference_mode():
        return [splitter.record(call).weights() for call in ran.calls]


def padded(text: Padded, pad_id: int) -> Padded:
    """A text [1, T] with as many tokens of padding behind it."""
    behind = torch.full_like(text.ids, pad_id)  # [1, T]
    return Padded(torch.cat([text.ids, behind], 1), torch.cat([text.padding, torch.zeros_like(text.padding)], 1))


def pair_bytes(calls: Calls, windowed: bool) -> int:
    """Bytes that a model's own code makes for each pair of tokens: its bias, once more with the mask, and the mask."""
    biases = [call.bias for call in calls if isinstance(call, AttentionCall) and call.bias is not None]
    heads = max((bias.shape[1] for bias in biases), default=0)
    return 2 * heads * NUMBER_BYTES + (1 if windowed else 0)


def token_bytes(calls: Calls) -> int:
    """Bytes of queries and keys that a run keeps for each token beside its scores, where it saw them."""
    seen = [call.product for call in calls if isinstance(call, KeptCall) and call.product is not None]
    return sum(part.shape[1] * part.shape[3] * part.element_size() for it in seen for part in (it.q, it.k))


def probe_difference(ran: ForwardPass, expected: Expected, probe: Probe, *, name: str) -> float:
    """The largest difference of one probe.

    Raises:
        UnsupportedModel: other layers were read than eager has, or the difference is more than rounding.
    """
    n_read, n_expected = len(ran.calls), len(expected.all)
    if n_read != n_expected:
        raise UnsupportedModel(
            f"{name} has {n_expected} layers with attention weights, and {n_read} were read, so what is shown could be "
            "wrong. Choose another model.",
            id="probe-layers",
            expected=n_expected,
            came=n_read,
        )
    splitter = ran.splitter(0, {})
    largest = 0.0
    with torch.inference_mode():
        for call, theirs in matched(ran.calls, expected):
            queries, keys = splitter.queries(call.site), splitter.keys(call.site)
            weights = splitter.record(call).weights()  # [H, Tq, Tk]
            if weights.shape != theirs[0, :, queries.slice, keys.slice].shape:
                largest = float("inf")
                break
            largest = max(largest, largest_difference(weights, theirs[0, :, queries.slice, keys.slice]))
    tolerance = TOLERANCE[ran.calls[0].v.dtype]
    if not largest <= tolerance:
        raise UnsupportedModel(
            f"{name}: the weights read from it differ from its own by up to {largest:.1e}; expected at most "
            f"{tolerance:.0e}. They would not be shown truly. Choose another model.",
            id="probe-difference",
            difference=largest,
            tolerance=tolerance,
        )
    return largest


def matched(calls: Calls, expected: Expected) -> Iterator[tuple[AttentionCall | KeptCall, Tensor]]:
    """Each call with eager's weights of the same place: by kind, and in the order they ran."""
    for stack, kind, layers in expected.groups(calls[0].site.stack):
        own = [call for call in calls if (call.site.stack, call.site.kind) == (stack, kind)]
        theirs = [weights for weights in layers if weights is not None]
        yield from zip(own, theirs, strict=False)


def order_of(calls: Calls, expected: Expected, family: Family | None) -> dict[int, Site]:
    """Which softmax of a pass is which site: the one whose weights are eager's own."""
    stack: Stack = "decoder" if expected.looks_back() else "encoder"
    if family is not None and family.stack is not None:
        stack = family.stack
    order: dict[int, Site] = {}
    for name, kind, layers in expected.groups(stack):
        for layer, theirs in enumerate(layers):
            for call in calls:
                number = call.site.layer
                if isinstance(call, KeptCall) and number not in order and is_same(call, theirs):
                    order[number] = Site(name, kind, layer)
                    break
    return order


def is_same(call: KeptCall, theirs: Tensor | None) -> bool:
    """Whether a call's weights are eager's, on a probe without padding."""
    if theirs is None or call.scores.shape != theirs.shape:
        return False
    scores = call.scores.float()  # [B, H, Tq, Tk]
    if call.allowed is not None:
        scores = scores.masked_fill(~call.allowed, float("-inf"))  # [B, H, Tq, Tk]
    weights = torch.softmax(scores, -1)  # [B, H, Tq, Tk]
    return largest_difference(weights, theirs) <= TOLERANCE[call.v.dtype]
