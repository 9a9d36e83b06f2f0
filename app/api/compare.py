"""Numbers of the compare view: one head of A beside one of B."""

from attnviz_app.api.heads import Index
from attnviz_app.api.route import Body, post
from attnviz_app.serving.trace_files import traced
from pydantic import Field

from attnviz.analysis.compare import Comparison, compare
from attnviz.views.compare import Pair, exact_pair


class Sides(Body):
    a: str
    b: str
    text: str
    other: str = ""  # what B reads, where that is another text

    def compared(self) -> Comparison:
        return compare(traced(self.a, self.text), traced(self.b, self.other or self.text))


class Heads(Sides):
    pair: tuple[Index, Index, Index, Index] = Field(strict=False)  # layer and head of A, layer and head of B


ROUTES = (post("/compare/pair", Heads, lambda asked: exact_pair(asked.compared(), Pair(*asked.pair))),)
