"""One step of gradient descent on the toy: its numbers recompute, and the loss falls unless the step is too long."""

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.training.bundled_models import FOLDER
from attnviz.training.gradient_step import gradient_step, has_gradient_step

SITE = Site.parse("decoder.1.self")


@pytest.fixture(scope="module")
def model():
    return av.load("induction").at_step(94, FOLDER / "induction")


def test_the_new_w_q_is_the_old_one_less_the_gradient_times_the_learning_rate_and_the_loss_falls(model):
    made = gradient_step(model, 94, SITE, 1, 0.1)
    assert made.before.shape == (64, 32) and made.n == 32
    assert_close(made.after, made.before - 0.1 * made.gradient, rtol=0, atol=1e-7)
    assert made.loss == pytest.approx(2.845, abs=0.001) and made.loss_after == pytest.approx(2.699, abs=0.001)
    assert gradient_step(model, 94, SITE, 1, 1.0).loss_after > made.loss  # too long a step


def test_the_gradient_is_how_much_the_loss_changes_with_one_number_of_w_q(model):
    made = gradient_step(model, 94, SITE, 1, 0.1)
    row, column = divmod(int(made.gradient.abs().argmax()), made.gradient.shape[1])
    weight = next(
        each for name, each in model.network.named_parameters() if name.endswith("1.self_attention.w_q.weight")
    )
    assert weight.detach()[32 + column, row] == made.before[row, column]
    before, far = weight.detach().clone(), 0.05
    losses = []
    try:
        for sign in (1, -1):
            weight.data[32 + column, row] = before[32 + column, row] + sign * far
            losses.append(gradient_step(model, 94, SITE, 1, 0.1).loss)
    finally:
        weight.data.copy_(before)
    assert (losses[0] - losses[1]) / (2 * far) == pytest.approx(float(made.gradient[row, column]), rel=0.02)


def test_a_step_leaves_the_model_as_it_is(model):
    before = [each.clone() for each in model.network.state_dict().values()]
    gradient_step(model, 94, SITE, 0, 0.5)
    assert all(torch.equal(one, other) for one, other in zip(before, model.network.state_dict().values(), strict=True))


def test_what_has_no_w_q_of_its_own_is_refused(model):
    rotated = av.load("poems-zh")
    assert not has_gradient_step(rotated, SITE) and not has_gradient_step(object(), SITE)
    with pytest.raises(InputError, match="has no W_Q"):
        gradient_step(rotated, 0, SITE, 0, 0.1)
