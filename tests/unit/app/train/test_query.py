"""What the Training page is asked and what its link says is picked: out and back, and hostile links."""

import pytest
from attnviz_app.train.query import NAMES, Question, from_link, moment_in, to_link
from attnviz_app.train.request import Ask
from hypothesis import given
from hypothesis import strategies as st

from attnviz.training import TASKS
from attnviz.views import Moment

questions = st.builds(
    Question,
    task=st.sampled_from(sorted(TASKS)),
    text=st.text(st.characters(exclude_categories=["Cs"])),
    run=st.sampled_from(["", "run-0123456789"]),
)


@given(questions)
def test_a_question_that_goes_into_a_link_comes_out_of_it(question):
    assert from_link({name: value for name, value in to_link(question).items() if value}, Question()) == question


@given(st.dictionaries(st.sampled_from([*NAMES, "at", "text"]), st.text()))
def test_no_link_raises(query):
    question = from_link(query, Question())
    moment_in(query)
    assert question.task in TASKS
    question.text.encode()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1500.1.2.8.3.a", Moment(1500, 0, 1, 7, 2, 0)),
        ("0.0.0.0.0.b", Moment(0, 0, 0, 0, 0, 1)),
        *((wrong, None) for wrong in ("", "1.1.1.1.1", "1.1.1.1.1.c", "-1.1.1.1.1.a", "1.1.1.1.1.a.a", "٣.1.1.1.1.a")),
    ],
)
def test_a_moment_counts_places_from_one_and_steps_as_they_are(written, expected):
    assert moment_in({"at": written}) == expected


@pytest.mark.parametrize(
    ("train", "ask"),
    [("4_2_1_0_0.003_100", Ask("induction", 4, 2, True, False, 0.003, 100)),
     ("9_2_1_0_0.003_100", None), ("4_2_1_0_-.-_100", None)],
)  # fmt: skip
def test_settings_are_those_of_a_link_that_sets_what_can_be_trained(train, ask):
    assert from_link({"task": "induction", "train": train}, Question()).ask == ask


def test_a_silent_link_keeps_what_is_asked_and_a_run_that_is_none_is_left_out():
    now = Question("reverse", "abc", "run-0123456789")
    assert from_link({"text": "other page", "at": "1.1.1.1.1.a"}, now) == now
    assert from_link({"task": "nothing", "run": "../../etc"}, now) == Question("reverse")
