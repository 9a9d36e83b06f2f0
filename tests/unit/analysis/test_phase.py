"""A phase change is a drop of the loss in whose span the score rises: hand-made logs in which it is, or is not."""

import numpy as np
import pytest

from attnviz.analysis.phase import phase_change, smoothed

CHECKPOINTS = (0, 1, 3, 7, 15, 31, 63, 127)  # a doubling of step + 1 from each to the next
STEPS = tuple(range(128))


def log_through(*losses: float) -> list[float]:
    """A loss at each step from 0 to 127 that passes the given ones at the checkpoints, even by doublings between."""
    at = np.log2(np.array(STEPS) + 1)
    return list(np.interp(at, np.arange(len(losses)), losses))


def test_a_drop_with_a_rise_is_marked_from_checkpoint_to_checkpoint() -> None:
    losses = log_through(4, 4, 4, 4, 3.9, 1, 0.9, 0.9)
    change = phase_change(STEPS, losses, CHECKPOINTS, (0.1, 0.1, 0.1, 0.1, 0.12, 0.8, 0.9, 0.9))
    assert change is not None
    assert (change.first, change.last, change.low, change.high) == (15, 31, 0.12, 0.8)
    assert change.drop == pytest.approx(2.9, abs=0.4)  # smoothing rounds the corners of the curve


def test_a_drop_without_a_rise_is_none() -> None:
    losses = log_through(4, 4, 4, 4, 3.9, 1, 0.9, 0.9)
    assert phase_change(STEPS, losses, CHECKPOINTS, (0.1,) * 8) is None
    assert phase_change(STEPS, losses, CHECKPOINTS, (0.1, 0.1, 0.1, 0.1, 0.1, 0.39, 0.9, 0.9)) is None


def test_a_rise_without_a_drop_is_none() -> None:
    scores = (0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9)
    assert phase_change(STEPS, [2.0] * 128, CHECKPOINTS, scores) is None
    assert phase_change(STEPS, log_through(1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4), CHECKPOINTS, scores) is None


def test_a_rise_after_the_drop_is_none() -> None:
    losses = log_through(4, 4, 1, 0.95, 0.9, 0.9, 0.9, 0.9)
    assert phase_change(STEPS, losses, CHECKPOINTS, (0.1, 0.1, 0.15, 0.2, 0.6, 0.9, 0.9, 0.9)) is None


def test_a_small_drop_with_a_rise_is_found_beside_a_larger_one_without() -> None:
    losses = log_through(6, 6, 3.5, 3.5, 3.5, 2, 2, 2)  # the first drop is of 2.5, the second of 1.5
    change = phase_change(STEPS, losses, CHECKPOINTS, (0.1, 0.1, 0.1, 0.1, 0.1, 0.7, 0.7, 0.7))
    assert change is not None and (change.first, change.last) == (15, 31)


def test_of_two_drops_with_a_rise_the_larger_is_marked() -> None:
    losses = log_through(6, 6, 4, 4, 4, 1, 1, 1)
    change = phase_change(STEPS, losses, CHECKPOINTS, (0, 0, 0.4, 0.4, 0.4, 0.8, 0.8, 0.8))
    assert change is not None and (change.first, change.last) == (15, 31)


def test_a_fall_less_than_half_as_steep_as_the_steepest_is_between_two_drops() -> None:
    losses = log_through(4, 4, 4, 4, 2.5, 2.0, 0.5, 0.5)  # falls of 1.5, 0.5 and 1.5
    change = phase_change(STEPS, losses, CHECKPOINTS, (0, 0, 0, 0, 0, 0, 0.8, 0.8))
    assert change is not None and (change.first, change.last) == (31, 63)


def test_neighbouring_steep_falls_are_one_drop() -> None:
    losses = log_through(4, 4, 4, 4, 2.5, 0.8, 0.5, 0.5)
    change = phase_change(STEPS, losses, CHECKPOINTS, (0.1, 0.1, 0.1, 0.1, 0.3, 0.5, 0.5, 0.5))
    assert change is not None and (change.first, change.last, change.low, change.high) == (7, 31, 0.1, 0.5)


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


def test_smoothing_keeps_a_constant_loss_and_the_number_of_points() -> None:
    assert smoothed(range(0, 1500, 3), [2.5] * 500).tolist() == pytest.approx([2.5] * 500)
