"""A model continues its text, and the page knows from which token on it did."""

import sys

from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.state import HEADS
from attnviz_app.host import session
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels

from attnviz.text import Strings
from attnviz.trace.model_protocol import WritesOn
from attnviz.trace.trace import Trace

COUNTS = (1, 4, 16, 32)  # new tokens at a time
MANY, FEW = 1024, 4  # of a text beyond so many tokens only a few are written at a time: each is a whole run
KEPT = 16  # continued texts of one session
_asked: session.Value[tuple[str, str, int] | None] = session.Value("heads-write-asked", session.nothing)
_written: session.Value[dict[tuple[str, str], int]] = session.Value("heads-written", dict)  # their first new token


def counts(trace: Trace) -> tuple[int, ...] | None:
    """How many tokens may be written on, fewest first; None for a model that continues no text."""
    model = runs().model(HEADS.shown.model)
    if not (isinstance(model, WritesOn) and model.can_write_on):
        return None
    if trace.tokens.source.form:  # what is written on is a text
        return None
    n = len(trace.tokens.source)
    room = min(trace.card.max_tokens or sys.maxsize, runs().most_tokens(model)) - n
    return tuple(count for count in COUNTS if count <= min(room, FEW if n > MANY else COUNTS[-1]))


def take(say: Strings) -> None:
    """Write what was asked for; called before the text's box is drawn, which then holds all of it."""
    asked = _asked.take()
    shown = HEADS.shown
    if asked is None or asked[:2] != (shown.model, shown.text):
        return
    with panels.error_boundary(), panels.placeholder(say("heads-writing")):
        model = runs().model(shown.model)
        with runs().gate.entered():
            assert isinstance(model, WritesOn)  # only such are asked
            continued = model.write_on(*asked[1:])
        if continued.n:
            kept = _written.get()
            first = kept.get((shown.model, shown.text), continued.first)
            kept[shown.model, continued.text] = first
            for old in tuple(kept)[:-KEPT]:
                del kept[old]
            newest = continued.first + continued.n - 2  # the row before the last token wrote it
            page.want(continued.text)
            page.BEGINNING.bring(Picked(token=newest), carry="head")
        if continued.has_ended or not continued.n:
            id = "notice-wrote-end" if continued.has_ended else "notice-wrote-nothing"
            HEADS.tell(id, model=model.card.name)


def written_from(model: str, text: str) -> int | None:
    """The first token of a text that this model wrote in this session; None where a person wrote all of it."""
    return _written.get().get((model, text))


def ask(n: object) -> None:
    """Have so many tokens written by the next run."""
    if isinstance(n, int) and n in COUNTS:
        now = HEADS.shown
        _asked.set((now.model, now.text, n))
