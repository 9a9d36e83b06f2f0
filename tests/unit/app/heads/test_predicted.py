"""What a task's head predicts is one line: classes, a label for each token, or the span of an answer."""

from dataclasses import replace

import pytest
import torch
from attnviz_app.heads.looks.effect import effect_blocks, position_of
from attnviz_app.heads.predicted import predicted_line

from attnviz.analysis.heads.effect import Effect, Effects
from attnviz.text import strings
from attnviz.trace.edits import HeadEdit
from attnviz.trace.run_facts import Prediction

TEXT = "Ada met Bob."  # [CLS] ada met bob . [SEP]


def with_prediction(trace, rows, of, *, names=None, is_any=False):
    """A trace whose prediction has these probabilities, each row's classes as they are named."""
    shares, ids = torch.tensor(rows).sort(dim=-1, descending=True)
    shown = names or trace.tokens.source.text
    texts = tuple(tuple(shown[number] for number in row) for row in ids.tolist())
    return replace(trace, prediction=Prediction(ids, shares, texts, of, is_any))


@pytest.fixture
def trace(traced):
    return traced(TEXT)


def span(trace, start: int, end: int) -> list[list[float]]:
    n = len(trace.tokens.source)
    return [[0.75 if place == chosen else 0.25 / (n - 1) for place in range(n)] for chosen in (start, end)]


def test_each_kind_of_prediction_has_its_line(trace):
    say = strings("en")
    classes = with_prediction(trace, [[0.25, 0.75]], "classes", names=("bad", "good"))
    assert predicted_line(classes, say) == "Class of this text: good 75.0%, bad 25.0%"
    several = with_prediction(trace, [[0.9, 0.6]], "classes", names=("loud", "kind"), is_any=True)
    assert predicted_line(several, say) == "Classes of this text, each by itself: loud 90.0%, kind 60.0%"
    rows = [[0.9, 0.1], [0.2, 0.8], [0.9, 0.1], [0.3, 0.7], [0.9, 0.1], [0.9, 0.1]]
    labels = with_prediction(trace, rows, "labels", names=("O", "PER"))
    expected = "ada → PER 80.0%, met → O 90.0%, bob → PER 70.0%, . → O 90.0%"
    assert predicted_line(labels, say).casefold() == f"label of each token: {expected}".casefold()
    answer = predicted_line(with_prediction(trace, span(trace, 1, 3), "span"), say)
    assert answer.startswith("Answer: “Ada met Bob”, from “") and "(75.0%) to “" in answer
    assert predicted_line(with_prediction(trace, span(trace, 3, 1), "span"), say).startswith("No answer: its likeliest")
    assert predicted_line(with_prediction(trace, span(trace, 0, 0), "span"), say).startswith("No answer")
    assert predicted_line(trace, say) is None


def test_the_effect_of_a_head_is_looked_at_where_something_is_predicted(trace):
    site = trace.sites[0]
    classes = with_prediction(trace, [[0.25, 0.75]], "classes", names=("bad", "good"))
    labels = with_prediction(trace, [[0.9, 0.1]] * 6, "labels", names=("O", "PER"))
    assert [position_of(classes, site, pinned) for pinned in (None, 3)] == [0, 0]
    assert [position_of(labels, site, pinned) for pinned in (None, 3)] == [1, 3]


def test_an_effect_on_an_answer_says_that_it_is_of_its_start_and_of_which_token(trace):
    asked, one = with_prediction(trace, span(trace, 2, 3), "span"), Effect(HeadEdit("encoder.0.self", 0), 0.75, 0.5)
    found = Effects("probability", 0, asked.prediction.texts[0][0], one, (one,))
    name = trace.tokens.source.name(2)
    assert f"“start: {name}”: 75.0% before" in effect_blocks(asked, found, strings("en"))[0].facts[0].note
