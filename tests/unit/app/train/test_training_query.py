"""What is looked at on the Training page: out to a link and back, hostile links, and what a browser may say."""

import pytest
from attnviz_app.train.training_query import NAMES, Lesson, from_link, picked, to_link
from hypothesis import given
from hypothesis import strategies as st

from attnviz.training import TASKS
from attnviz.views import Moment

RUN = "run-0123456789"
AT = Moment(740, 1, 3, 12, 1, 1)


def test_a_link_counts_from_one_and_leaves_out_what_is_not_chosen():
    assert to_link(Lesson("reverse", "abc", RUN, AT)) == {
        "task": "reverse", "input": "abc", "run": RUN, "at": "740.2.4.13.2.b",
    }  # fmt: skip
    assert to_link(Lesson("sort")) == {"task": "sort"}


lessons = st.builds(
    Lesson,
    task=st.sampled_from(sorted(TASKS)),
    text=st.text(st.characters(exclude_categories=["Cs"])),
    run=st.sampled_from(["", RUN]),
    at=st.just(Moment()) | st.builds(Moment, *[st.integers(0, 900)] * 5, run=st.integers(0, 1)),
)


@given(lessons)
def test_what_goes_into_a_link_comes_out_of_it(lesson):
    assert from_link(to_link(lesson), Lesson()) == lesson


@given(st.dictionaries(st.sampled_from(NAMES), st.text()))
def test_no_link_raises_and_none_names_a_place_on_the_disk(query):
    lesson = from_link(query, Lesson())
    assert lesson.task in TASKS and lesson.run in ("", query.get("run"))
    assert "/" not in lesson.run and "." not in lesson.run
    lesson.text.encode()


@pytest.mark.parametrize(
    "at", ["", "1", "1.1.1.1.1.c", "x.1.1.1.1.a", "1.1.1.1.1.a.", "9999999.1.1.1.1.a", "1.٣.1.1.1.a"]
)
def test_a_moment_that_cannot_be_read_is_left_to_the_view(at):
    assert from_link({"task": "sort", "at": at}, Lesson()).at == Moment()


def test_a_moment_below_one_is_moved_inside():
    assert from_link({"at": "0.0.0.0.0.a"}, Lesson()).at == Moment(0, 0, 0, 0, 0, 0)


def test_a_link_without_a_lesson_keeps_the_one_there_is():
    before = Lesson("sort", "abc", RUN, AT)
    assert from_link({"text": "The cat."}, before) == before


@pytest.mark.parametrize("value", [True, -1, 1.5, "1", None, 10**9, [1]])
def test_a_browser_that_says_no_number_changes_nothing(value):
    assert picked(Lesson(at=AT), dict.fromkeys(Moment._fields, value)) == AT


def test_a_browser_picks_a_moment():
    said = {"step": 8, "layer": 0, "head": 2, "query": 3, "key": 4, "run": 0, "site": "decoder.0.self"}
    assert picked(Lesson(at=AT), said) == Moment(8, 0, 2, 3, 4, 0)
