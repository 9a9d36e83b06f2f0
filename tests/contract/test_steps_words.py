"""The words beside each step, in three languages, and the line of code that does it."""

import re

import pytest

from attnviz.lessons import ALL_STEPS
from attnviz.text import LANGUAGES, strings

WORDS = 45  # of an explanation in English
CHARACTERS = 90  # of the same in Chinese, where a word is about two characters
QUOTED = {"en": r"“([^”]+)”", "zh-CN": r"“([^”]+)”", "zh-TW": r"「([^」]+)」"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("step", ALL_STEPS, ids=lambda step: step.name)
def test_each_step_is_explained_briefly_and_says_one_thing_to_try(step, language):
    words = strings(language)
    says, try_this = words(step.says), words(step.try_this)
    assert says and try_this and says != try_this
    if language == "en":
        assert len(says.split()) <= WORDS and len(try_this.split()) <= WORDS
    else:
        assert len(says) <= CHARACTERS and len(try_this) <= CHARACTERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thing_to_try_names_controls_as_they_are_written_on_the_screen(language):
    words = strings(language)
    shown = {words(id) for id in words if id.startswith("view-stepper-") and not words.variables(id)}
    named = {
        name for step in ALL_STEPS for name in re.findall(QUOTED[language], words(step.try_this))
    }  # fmt: skip
    assert len(named) >= 6
    assert named - shown == set()


def test_each_step_shows_the_line_of_this_project_that_does_it():
    lines = {step.name: step.code_line for step in ALL_STEPS}
    assert lines["tokens"] == lines["scaled"] == "x = self.tokens(ids) * self.scale"
    assert lines["embed"] == "x = x + self.positions(ids.shape[-1], start=start)"
    assert lines["raw"] == "return q @ k.mT"
    assert lines["masked"] == "return torch.where(mask, scores, NEVER)"
    assert lines["weights"] == lines["probabilities"] == "weights = torch.softmax(masked, dim=-1)"
    assert lines["hidden"] == "hidden = self.w_1(x)"
    assert lines["active"] == "active = self.activation(hidden)"
    assert lines["ff-out"] == "return self.w_2(self.dropout(active))"
    assert lines["mid"] == lines["crossed"] == lines["block-out"]
    assert all(step.code.__module__.startswith("attnviz.") for step in ALL_STEPS)


def test_no_step_is_there_twice():
    names = [step.name for step in ALL_STEPS]
    assert len(set(names)) == len(names)
