"""Figures of what a class answered, for its teacher: to a question, in a dialog, and in the short test, on its page.

The numbers are those that the room told the teacher's browser, in whose words they are.
"""

from __future__ import annotations

from typing import Annotated

import pandas as pd
from attnviz_app.host import charts, component, session, visitor
from attnviz_app.serving.rooms import CHOSEN
from attnviz_app.shell import panels
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from attnviz import figures
from attnviz.text import Strings
from attnviz.views.panel import Chart, Curve

ROW, AROUND = 34, 110  # px of a bar with the room around it, and of the axis, its title and the legend

Count = Annotated[int, Field(ge=0, le=10**7)]
Name = Annotated[str, Field(max_length=300)]


class Group(BaseModel):
    """Whoever answered together: how many they are, and how often each answer was given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    n: Annotated[Count, Field(ge=1)]
    counts: tuple[Count, ...]


class Counted(BaseModel):
    """How often each answer was given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Name
    answers: Annotated[tuple[Name, ...], Field(min_length=1, max_length=CHOSEN)]
    groups: Annotated[tuple[Group, ...], Field(min_length=1, max_length=2)]
    right: Name = ""

    @model_validator(mode="after")
    def _counts_each(self) -> Counted:
        for group in self.groups:
            if len(group.counts) != len(self.answers) or max(group.counts) > group.n:
                raise ValueError
        if self.right and self.right not in self.answers:
            raise ValueError
        return self


_opened: session.Value[Counted | None] = session.Value("class-answers", session.nothing)


def ask(said: object) -> None:
    """Open the dialog over these answers."""
    _opened.set(_taken(said))


def open_dialog(say: Strings) -> None:
    """Show the figure that is asked for, on whatever page the teacher is."""
    if _opened.get() is None:
        return
    panels.dialog(
        say("lessons-class"), lambda: draw(_opened.get(), "answers", visitor.say()),
        asked=_opened.get, close=lambda: _opened.set(None),
    )  # fmt: skip


def draw(said: object, key: str, say: Strings) -> None:
    """A figure over its numbers; nothing where nothing was counted."""
    counted = said if isinstance(said, Counted) else _taken(said)
    if counted is None:
        return
    table = pd.DataFrame({group.name: group.counts for group in counted.groups}, index=list(counted.answers))
    sizes = [group.n for group in counted.groups]
    fig = figures.counts(
        table, title=counted.title, x_title=say("lessons-answers-share"), out_of=sizes, marked=counted.right or None,
        theme=charts.theme(),
    )  # fmt: skip
    first, *others = counted.groups
    curves = [Curve(say("lessons-answers-share"), [n / first.n for n in first.counts])]
    for group in others:
        curves += [
            Curve(group.name, list(group.counts)),
            Curve(say("lessons-answers-share"), [n / group.n for n in group.counts]),
        ]
    names = [f"✓ {answer}" if answer == counted.right else answer for answer in counted.answers]
    chart = Chart(counted.title, first.counts, curves, first.name, names=names, names_title=say(f"lessons-{key}"))
    component.figure(fig, chart, key, say, height=AROUND + ROW * len(table) * len(sizes))


def _taken(said: object) -> Counted | None:
    """What a browser says was counted; it may say anything."""
    try:
        return Counted.model_validate(said)
    except ValidationError:
        return None
