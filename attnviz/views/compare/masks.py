"""Which units can attend to which: a map hatches what a mask forbids, since a weight of 0 would say something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from attnviz.analysis.compare.self_attention_heads import self_attention_sites
from attnviz.views.compare.maps import WHOLE
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.analysis.compare import Comparison
    from attnviz.trace.trace import Trace

Groups = tuple[tuple[int, ...], ...]


def mask_facts(found: Comparison) -> tuple[dict[str, list[int]], Arrays]:
    """Return what the masks of both sides allow, by units.

    Returns:
        for each side which of its masks each layer has, −1 where every unit can attend to every other; and `seen_a`,
        `seen_b` uint8 [masks, U, U], where there are any. Of long texts nothing is said.
    """
    of_layers: dict[str, list[int]] = {}
    arrays: Arrays = {}
    for side, trace in (("a", found.trace_a), ("b", found.trace_b)):
        masks, of_layers[side] = _masks(trace, found.units.side(side))
        if masks:
            arrays[f"seen_{side}"] = torch.stack(masks).to(torch.uint8).numpy()
    return of_layers, arrays


def _masks(trace: Trace, units: Groups) -> tuple[list[Tensor], list[int]]:
    masks: list[Tensor] = []
    of_layer = []
    for site in self_attention_sites(trace):
        mask = trace[site].source.mask
        if mask.is_open or len(units) > WHOLE:
            of_layer.append(-1)
            continue
        allowed = mask.allowed_rows(0, mask.n_queries).any(0).cpu()  # [T_q, T_k]; heads of a layer share it as a rule
        seen = torch.stack([allowed[list(tokens)].any(0) for tokens in units])  # [U, T_k]
        seen = torch.stack([seen[:, list(tokens)].any(1) for tokens in units], dim=1)  # [U, U]
        same = [at for at, other in enumerate(masks) if torch.equal(other, seen)]
        if not same:
            masks.append(seen)
        of_layer.append(same[0] if same else len(masks) - 1)
    return masks, of_layer
