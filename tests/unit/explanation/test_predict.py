"""Questions whose answer is the run's own, and what a wrong guess is told."""

from dataclasses import replace

import pytest
import torch

import attnviz as av
from attnviz.core.errors import StepError
from attnviz.explanation import chain
from attnviz.explanation.matrices import StepMatrix
from attnviz.explanation.predict import judged, question


@pytest.fixture(scope="module")
def steps():
    return chain(av.load("reverse").trace("a b c d"), "decoder", "decoder.0.self", head=1)


def with_values(step: StepMatrix, values: list[list[float]]) -> StepMatrix:
    rows = torch.tensor(values)
    axes = (replace(step.written.rows, size=len(rows), count=len(rows)),
            replace(step.written.columns, size=len(rows[0]), count=len(rows[0])))  # fmt: skip
    return replace(step, written=replace(step.written, values=rows, rows=axes[0], columns=axes[1], largest=-1.0))


def test_the_answer_is_the_largest_weight_of_the_row(steps):
    step = steps["decoder.0.cross.h1.weights"]
    for row in range(5):
        asked = question(step, row)
        assert asked.words.id == "step-predict-row"
        assert asked.words.arguments["token"] == ["<start>", "d", "c", "b", "a"][row]
        assert asked.answers == ((row, int(step.written.values[row].argmax())),)
        assert asked.value == float(step.written.values[row].max())


def test_the_answer_of_a_matrix_is_its_largest_cell(steps):
    step = steps["decoder.0.self.h1.masked"]
    asked = question(step)
    finite = step.written.values.nan_to_num(neginf=-1e9)
    assert asked.words.id == "step-predict-cell" and asked.row is None
    assert asked.answers[0] == divmod(int(finite.argmax()), 5)


def test_the_likeliest_word_is_asked_for_over_the_vocabulary(steps):
    step = steps["probabilities"]
    asked = question(step, 0)
    assert asked.words.id == "step-predict-next"
    assert step.written.columns.label(asked.answers[0][1]) == "d"


def test_equal_numbers_are_equally_right(steps):
    step = with_values(steps["weights"], [[0.4, 0.2, 0.4], [0.1, 0.5, 0.4]])
    assert question(step, 0).answers == ((0, 0), (0, 2))
    assert question(step, 1).answers == ((1, 1),)
    assert question(with_values(steps["raw"], [[1.0, 3.0], [3.0, -4.0]])).answers == ((0, 1), (1, 0))


def test_without_a_row_the_clearest_one_with_a_choice_is_asked(steps):
    rows = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.1, 0.8, 0.1]]
    assert question(with_values(steps["weights"], rows)).row == 2


def test_a_wrong_guess_gets_both_arithmetics(steps):
    step = steps["decoder.0.cross.h1.weights"]
    asked = question(step, 1)
    right = asked.answers[0]
    wrong = (1, (right[1] + 1) % 5)
    verdict = judged(step, asked, wrong)
    assert not verdict.is_right
    for cell, place in ((verdict.guessed, wrong), (verdict.answer, right)):
        assert cell.recomputed == pytest.approx(float(step.written.values[place]), abs=1e-6)
    assert judged(step, asked, right).is_right
    with pytest.raises(StepError, match="about row 1; the guess is in row 2"):
        judged(step, asked, (2, 0))


def test_what_has_no_answer_is_not_asked(steps):
    with pytest.raises(StepError, match="no row 9"):
        question(steps["weights"], 9)
    with pytest.raises(StepError, match="no finite number"):
        question(with_values(steps["masked"], [[-torch.inf, -torch.inf]]))
    with pytest.raises(StepError, match="replaced by an edit"):
        question(replace(steps["weights"], note="step-note-edited"))
