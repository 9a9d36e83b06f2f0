"""What the press for a step's what-if says that it does: what its picture has otherwise, and not what comes of it."""

from collections.abc import Iterator

from attnviz_app.lessons.content import Step
from attnviz_app.lessons.state import PLACE
from attnviz_app.lessons.teaching import place_name
from attnviz_app.step import runs
from attnviz_app.step.picture import said
from attnviz_app.step.query import Question, picked_in, read_draw

from attnviz.text import Language, Strings


def what_if(step: Step, language: Language, say: Strings) -> str:
    """It in a few words, as what is switched is called in the picture."""
    return say("lessons-what-if", what=" · ".join(_others(step, language, say)))


def _others(step: Step, language: Language, say: Strings) -> Iterator[str]:
    before, after = (step.link(shown, language) for shown in ("then", "what_if"))
    other = {name for name, value in after.items() if value != before.get(name, "")}
    if "text" in other:
        yield say("lessons-try-text", text=after["text"])
    if "if" in other:
        base = runs.source(Question(after["model"], after["text"]), "self").untouched
        yield from (said(note, say) for note in picked_in(after).switches.notes(base))
    if "draw" in other and "text" not in other:
        yield say("lessons-try-temperature", temperature=f"{read_draw(after['draw']).temperature:g}")
    if "look" in other:
        yield say(f"look-{after['look']}")
    if "numbers" in other:
        yield say("lessons-try-numbers")
    if "update" in other:
        yield say("lessons-try-update", step=after["update"])
    if "filter" in other:
        yield say("lessons-try-filter")
    if not other & {"text", "if", "numbers", "update"}:
        yield from _place(after, other, say)


def _place(link: dict[str, str], other: set[str], say: Strings) -> Iterator[str]:
    """The head, or the cell, that the picture goes to."""
    if other.intersection(PLACE):
        site = picked_in({"part": "encoder", **link}).site
        yield place_name(link["model"], site, int(link["head"]) - 1, say)
    elif "key" in link and other & {"token", "key"}:
        yield say("view-room-cell", row=link["token"], column=link["key"])
    elif "token" in other:
        yield say("lessons-try-row", row=link["token"])
    elif "matrix" in other:
        yield say(f"stepper-matrix-{link['matrix']}")
