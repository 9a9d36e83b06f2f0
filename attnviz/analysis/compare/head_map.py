"""All heads of two models as points of a plane whose distances approximate those of the heads.

Metric multidimensional scaling of the square root of the mean Jensen-Shannon divergence, which is a metric (Endres and
Schindelin 2003), by stress majorization (SMACOF, de Leeuw 1977) from classical scaling; deterministic.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class HeadMap:
    points: NDArray[np.float64]  # [N, 2], around 0; distances mean something, directions do not
    stress: float  # Kruskal's stress-1: 0 is a perfect map, above 0.2 a poor one


def head_map(js: NDArray[np.float64]) -> HeadMap:
    """Place heads on a plane by their divergences, [N, N] in bits, symmetric, 0 on the diagonal; N at least 2.

    The stress is sqrt(sum (d - δ)² / sum d²), d the distances on the map and δ those of the heads (Kruskal 1964).
    """
    from sklearn.manifold import ClassicalMDS, smacof  # takes half a second to import

    wanted = np.sqrt(np.maximum((js + js.T) / 2, 0))  # [N, N]
    start = _to_larger_side(ClassicalMDS(2, metric="precomputed").fit_transform(wanted))  # [N, 2]
    points, _ = smacof(wanted, init=start, n_init=1, normalized_stress=False)
    points = points - points.mean(0)
    return HeadMap(points, _stress(wanted, points))


def _to_larger_side(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Flip each axis so that its farthest point is on the positive side, as the sign of an axis is arbitrary."""
    farthest = points[np.abs(points).argmax(0), range(points.shape[1])]  # [2]
    return points * np.where(farthest < 0, -1.0, 1.0)


def _stress(wanted: NDArray[np.float64], points: NDArray[np.float64]) -> float:
    difference = points[:, None] - points[None, :]  # [N, N, 2]
    distances = np.sqrt((difference**2).sum(-1))  # [N, N]
    total = float((distances**2).sum())
    return float(np.sqrt(((distances - wanted) ** 2).sum() / total)) if total > 0 else 0.0
