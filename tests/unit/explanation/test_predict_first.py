"""Questions whose answer is the run's own, and what a wrong guess is told."""

from dataclasses import replace

import pytest
import torch

import attnviz as av
from attnviz.explanation import chain, slice_chain
from attnviz.explanation.matrices import Axis, Matrix, RunStep
from attnviz.explanation.predict_first import question
from attnviz.explanation.whatif import Switches, run
from attnviz.scratch.rebuilt import rebuilt
from tests.parity.tiny_models import traced_model


@pytest.fixture(scope="module")
def steps():
    return chain(av.load("reverse").trace("a b c d"), "decoder", "decoder.0.self", head=1)


def with_values(step: RunStep, values: list[list[float]]) -> RunStep:
    rows = torch.tensor(values)
    axes = (Axis("token", "T", n) for n in rows.shape)
    return replace(step, result=Matrix(step.key, step.name, rows, *axes))


@pytest.mark.parametrize("row", range(5))
def test_the_answer_is_the_largest_weight_of_the_row(row):
    trace = av.load("reverse").trace("a b c d")
    step = slice_chain(chain(trace, "self", "decoder.0.cross", head=1), {"T_q": (row, 1)})["weights"]
    asked = question(step)
    assert asked.words.id == "step-predict-row"
    assert asked.words.arguments["token"] == ["<start>", "d", "c", "b", "a"][row]
    assert asked.answers == ((row, int(step.result.values[0].argmax())),)


def test_the_answer_of_a_matrix_is_its_largest_cell(steps):
    step = steps["decoder.0.self.h1.masked"]
    asked = question(step)
    finite = step.result.values.nan_to_num(neginf=-1e9)
    assert asked.words.id == "step-predict-cell" and asked.row is None
    assert asked.answers[0] == divmod(int(finite.argmax()), 5)


def test_the_most_probable_word_is_asked_for_over_the_vocabulary(steps):
    step = steps["probabilities"]
    asked = question(step)
    assert asked.words.id == "step-predict-next"
    assert step.result.columns.label(asked.answers[0][1]) == ["d", "c", "b", "a", "<end>"][asked.row]


def test_equal_numbers_are_equally_right(steps):
    assert question(with_values(steps["weights"], [[0.4, 0.2, 0.4]])).answers == ((0, 0), (0, 2))
    assert question(with_values(steps["raw"], [[1.0, 3.0], [3.0, -4.0]])).answers == ((0, 1), (1, 0))


def test_the_clearest_row_with_a_choice_is_asked(steps):
    rows = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.1, 0.8, 0.1]]
    assert question(with_values(steps["weights"], rows)).row == 2


def test_of_a_rotation_it_is_asked_which_token_is_not_turned():
    model = rebuilt(traced_model("llama"))
    trace = model.trace("A cat sat.")
    step = chain(trace, "self", "decoder.0.self")["q-rotated"]
    asked = question(step)
    assert asked.words.id == "step-predict-turned" and asked.wrong == "view-stepper-guess-turned"
    turned = (step.result.values != step.operands[0].values).any(-1)
    assert [row for row, is_turned in enumerate(turned.tolist()) if not is_turned] == [0]
    assert set(asked.answers) == {(0, column) for column in range(step.result.columns.size)}
    assert question(slice_chain(chain(trace, "self", "decoder.0.self"), {"T_q": (1, 2)})["q-rotated"]) is None
    assert question(chain(model.trace("A"), "self", "decoder.0.self")["q-rotated"]) is None
    still = run(model, trace, Switches(rotation=False))
    assert question(chain(still, "self", "decoder.0.self")["q-rotated"]) is None
