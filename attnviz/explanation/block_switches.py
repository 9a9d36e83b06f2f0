"""What-ifs of the parts that decoders have had since Llama: their rotation, their groups of heads, their gate.

Each is an edit of the run. Afterwards the run's parameters say what was used instead: other frequencies, the order in
which groups read the heads of keys, a feed-forward part without its gate. So every step is written out as ever.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from attnviz.core.edit import Edit
from attnviz.core.errors import StepError
from attnviz.models.positions import rotary_frequencies
from attnviz.trace.edits import KeyHeads, OpenGate, Rotation
from attnviz.trace.trace import Trace

Parameters = dict[str, dict[str, Tensor]]


def is_rotated(trace: Trace) -> bool:
    return any("frequencies" in matrices for matrices in trace.matrices.values())


def is_grouped(trace: Trace) -> bool:
    """Whether some attention has several heads of keys and values, each for several heads of queries."""
    return any(_n_groups(trace, site.key) > 1 for site in trace.sites)


def is_gated(trace: Trace) -> bool:
    return any("w_gate" in matrices for matrices in trace.matrices.values())


def check(trace: Trace, *, rotation: bool, theta: float | None, swaps: bool, gate: bool) -> None:
    """Raises: StepError: the run does not hold what is to be switched."""
    if (not rotation or theta is not None) and not is_rotated(trace):
        raise StepError(id="not-rotated", model=trace.card.name)
    if swaps and not is_grouped(trace):
        raise StepError(id="not-grouped", model=trace.card.name)
    if not gate and not is_gated(trace):
        raise StepError(id="not-gated", model=trace.card.name)


def edits(trace: Trace, *, rotation: bool, theta: float | None, swaps: bool, gate: bool) -> list[Edit]:
    """What is edited, attention by attention."""
    made: list[Edit] = []
    for key in trace.records:
        given, order = trace.matrices.get(f"{key}_heads", {}), key_order(trace, key)
        if swaps and order is not None:
            made.append(KeyHeads(key, order))
        if "frequencies" in given and not (rotation and theta is None):
            used = given["frequencies"].float()  # [width/2]
            instead = frequencies(given, rotation=rotation, theta=theta)  # [width/2]
            made.append(Rotation(key, tuple(used.tolist()), tuple(instead.tolist()), bool(given["is_halves"])))
    return made if gate else [*made, OpenGate()]


def restated(ran: Trace, *, rotation: bool, theta: float | None, swaps: bool, gate: bool) -> Parameters:
    """The parameters of a run as it used them."""
    matrices = {point: dict(of_point) for point, of_point in ran.matrices.items()}
    for of_point in matrices.values():
        if "frequencies" in of_point:
            of_point["frequencies"] = frequencies(of_point, rotation=rotation, theta=theta)  # [width/2]
            if theta is not None:
                of_point["theta"] = torch.tensor(theta, dtype=torch.float64)
        if "w_gate" in of_point and not gate:
            for name in ("w_gate", "b_gate", "curve"):
                of_point.pop(name, None)
    for key in ran.records if swaps else ():
        order = key_order(ran, key)
        if order is not None:
            matrices[f"{key}_heads"]["key_order"] = torch.tensor(order)  # [G]
    return matrices


def frequencies(parameters: Mapping[str, Tensor], *, rotation: bool, theta: float | None) -> Tensor:
    """What the pairs of an attention are turned by, in radians a token: [width/2], zeros where nothing is turned."""
    used = parameters["frequencies"].float().cpu()  # [width/2]
    if not rotation:
        return torch.zeros_like(used)
    return used if theta is None else rotary_frequencies(2 * len(used), theta)


def key_order(trace: Trace, site: str) -> tuple[int, ...] | None:
    """Which head of keys and values each group reads once they are swapped: the next one, the last the first."""
    n = _n_groups(trace, site)
    return None if n == 1 else tuple((group + 1) % n for group in range(n))


def _n_groups(trace: Trace, site: str) -> int:
    """How many heads of keys and values an attention has; 1 where each head of queries has its own."""
    parameters, record = trace.matrices.get(f"{site}_heads", {}), trace.records[site]
    n = len(parameters["w_v"]) // record.source.v.shape[-1] if "w_v" in parameters else record.n_heads
    return n if n < record.n_heads else 1
