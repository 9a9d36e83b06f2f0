"""A phase change is a drop of the loss in whose span the score rises: hand-made logs in which it is, or is not."""

import numpy as np
import pytest

from attnviz.analysis.phase_change import phase_change, smoothed

CHECKPOINTS = (0, 1, 3, 7, 15, 31, 63, 127)  # a doubling of step + 1 from each to the next
STEPS = tuple(range(128))


def log_through(*losses: float) -> list[float]:
    """A loss at each step from 0 to 127 that passes the given ones at the checkpoints, even by doublings between."""
    at = np.log2(np.array(STEPS) + 1)
    return list(np.interp(at, np.arange(len(losses)), losses))


ONE_DROP = (4, 4, 4, 4, 3.9, 1, 0.9, 0.9)


@pytest.mark.parametrize(("losses", "scores", "expected"), [
    (ONE_DROP, (0.1, 0.1, 0.1, 0.1, 0.12, 0.8, 0.9, 0.9), (15, 31, 0.12, 0.8)),
    (ONE_DROP, (0.1,) * 8, None),
    (ONE_DROP, (0.1, 0.1, 0.1, 0.1, 0.1, 0.39, 0.9, 0.9), None),  # the score rises by less than 0.3
    ((2,) * 8, (0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9), None),
    ((1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4), (0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9), None),  # the loss rises
    ((4, 4, 1, 0.95, 0.9, 0.9, 0.9, 0.9), (0.1, 0.1, 0.15, 0.2, 0.6, 0.9, 0.9, 0.9), None),  # a rise after the drop
    # a larger drop, without a rise, before it
    ((6, 6, 3.5, 3.5, 3.5, 2, 2, 2), (0.1, 0.1, 0.1, 0.1, 0.1, 0.7, 0.7, 0.7), (15, 31, 0.1, 0.7)),
    ((6, 6, 4, 4, 4, 1, 1, 1), (0, 0, 0.4, 0.4, 0.4, 0.8, 0.8, 0.8), (15, 31, 0.4, 0.8)),  # the larger of two
    # a fall less than half as steep as the steepest is between two drops; neighbouring steep falls are one
    ((4, 4, 4, 4, 2.5, 2.0, 0.5, 0.5), (0, 0, 0, 0, 0, 0, 0.8, 0.8), (31, 63, 0, 0.8)),
    ((4, 4, 4, 4, 2.5, 0.8, 0.5, 0.5), (0.1, 0.1, 0.1, 0.1, 0.3, 0.5, 0.5, 0.5), (7, 31, 0.1, 0.5)),
])  # fmt: skip
def test_the_largest_drop_in_which_the_score_rises_is_marked_from_checkpoint_to_checkpoint(
    losses: tuple[float, ...], scores: tuple[float, ...], expected: tuple[float, ...] | None
) -> None:
    change = phase_change(STEPS, log_through(*losses), CHECKPOINTS, scores)
    assert (change and (change.first, change.last, change.low, change.high)) == expected


@pytest.mark.parametrize("n", [0, 1])
def test_too_little_to_compare_is_none(n: int) -> None:
    assert phase_change(STEPS, [2.0] * 128, CHECKPOINTS[:n], (0.5,) * n) is None
    assert phase_change(STEPS[:n], [2.0] * n, CHECKPOINTS, (0.5,) * 8) is None


def test_one_bad_batch_is_no_drop() -> None:
    steps = tuple(range(0, 2048, 3))
    losses = [3.0] * len(steps)
    losses[steps.index(1023)] = 9.0  # at a checkpoint
    assert phase_change(steps, losses, (0, 255, 1023, 2046), (0, 0, 0, 1)) is None
    losses[steps.index(1023) :] = [1.0] * (len(steps) - steps.index(1023))
    assert phase_change(steps, losses, (0, 255, 1023, 2046), (0, 0, 1, 1)) is not None


def test_smoothing_takes_the_mean_within_an_eighth_of_a_doubling() -> None:
    steps = (0, 1, 99, 104, 109, 130)  # log2(step + 1) of 99 … 109 lie within 1/8 of 104's, that of 130 does not
    assert smoothed(steps, (5, 4, 3, 1, 2, 7)).tolist() == pytest.approx([5, 4, 2, 2, 1.5, 7])
