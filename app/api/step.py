"""The picture of the Step through page for one run: tab, place, and what-if switches."""

from typing import Annotated, Any, Literal

from attnviz_app.api.route import Body, post
from attnviz_app.step.picture import picture
from attnviz_app.step.query import Picked, Question, picked_in
from pydantic import Field

from attnviz.views import link

Said = Annotated[str, Field(max_length=2000)]


class Picture(Body):
    """What is asked, what is picked as a link says it, and what the person chose in the picture since."""

    model: str
    text: str
    by_word: bool = False
    guesses: bool = False
    size: Literal["normal", "projector"] = "normal"
    picked: dict[Literal[link.picked_in("step")], Said] = Field(default_factory=dict)  # type: ignore[valid-type]
    asks: list[dict[str, Any] | None] = Field(default_factory=list, max_length=256)

    @property
    def question(self) -> Question:
        return Question(self.model, self.text, self.by_word, self.guesses)

    @property
    def place(self) -> Picked:
        return picked_in(self.picked)


def picture_of(asked: Picture) -> bytes:
    return picture(asked.question, asked.place, asked.asks, lang=asked.lang, size=asked.size)


ROUTES = (post("/step/picture", Picture, picture_of),)
