"""A model continues its text, or goes on with another token of it; the page knows which tokens it wrote, and how."""

import sys
from dataclasses import replace

from attnviz_app.heads import state as page
from attnviz_app.heads.query import MOST_STRETCHES, Picked, stretches_in, stretches_to_link
from attnviz_app.heads.state import HEADS
from attnviz_app.host import session
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels

from attnviz.core.tensor_checks import index_in
from attnviz.text import Strings
from attnviz.trace.generation import Stretch, is_written
from attnviz.trace.given import from_text
from attnviz.trace.model_protocol import WritesOn
from attnviz.trace.sampling import Sampling
from attnviz.trace.trace import Trace

COUNTS = (1, 4, 16, 32)  # new tokens at a time
MANY, FEW = 1024, 4  # of a text beyond so many tokens only a few are written at a time: each is a whole run
MOST_WRITTEN = 256  # tokens of a text: those of a link are written again before they are marked
KEPT = 64  # of the texts of one session
Way = tuple[Sampling | None]  # a choice; its None is greedy
_asked: session.Value[tuple[str, str, int, tuple[int, int] | None] | None] = session.Value(
    "heads-write-asked", session.nothing
)
# As the model wrote: how many lines of each text are the person's own.
_known: session.Value[dict[tuple[str, str, str], int]] = session.Value("heads-written", dict)
_way: session.Value[Way | None] = session.Value("heads-write-way", session.nothing)


def why_none(trace: Trace) -> str | None:
    """The message that says why nothing can be continued here; None where something can."""
    model = runs().model(HEADS.shown.model)
    if not (isinstance(model, WritesOn) and model.can_write_on):
        return "heads-write-on-never"
    if trace.tokens.source.form:
        return "heads-write-on-form"
    return None if counts(trace) else "heads-write-on-full"


def counts(trace: Trace) -> tuple[int, ...]:
    """How many tokens may be written on, fewest first, by a model that continues texts."""
    model, stretches, n = runs().model(HEADS.shown.model), written(), len(trace.tokens.source)
    if len(stretches) >= MOST_STRETCHES:
        return ()
    room = min(trace.card.max_tokens or sys.maxsize, runs().most_tokens(model)) - n
    left = MOST_WRITTEN - sum(stretch.n for stretch in stretches)
    return tuple(count for count in COUNTS if count <= min(room, left, FEW if n > MANY else COUNTS[-1]))


def way() -> Sampling | None:
    """How the next tokens are chosen: as the person said, else as the last ones of the text; None is greedy."""
    said = _way.get()
    stretches = () if said else written()
    return said[0] if said else stretches[-1].sampling if stretches else None


def choose_way(sampling: Sampling | None) -> None:
    _way.set((sampling,))


def ask(n: object) -> None:
    """Have so many tokens written by the next run."""
    if isinstance(n, int) and n in COUNTS:
        now = HEADS.shown
        _asked.set((now.model, now.text, n, None))


def ask_branch(row: int, at: int) -> None:
    """Have the text go on after a row with one of its likeliest tokens, by as many as there were, by the next run."""
    now = HEADS.shown
    trace = runs().trace(*now.of_run)
    predicted, n = trace.predicted_tokens, len(trace.tokens.source)
    if why_none(trace) not in (None, "heads-write-on-full") or predicted is None:
        return
    if None not in (index_in(row, n, from_end=False), index_in(at, predicted.ids.shape[1], from_end=False)):
        _asked.set((now.model, now.text, min(max(FEW, n - 1 - row), FEW if n > MANY else COUNTS[-1]), (row, at)))


def _cancel() -> None:
    _asked.set(None)


def take(say: Strings) -> None:
    """Write what was asked for; called before the text's box is drawn, which then holds all of it.

    Another event may stop it at any token: then the next run begins again, unless it was cancelled.
    """
    asked, shown = _asked.get(), HEADS.shown
    if asked is not None and asked[:2] == (shown.model, shown.text):
        with panels.error_boundary():
            _write(*asked[2:], say)
    _asked.set(None)


def _write(n: int, branch: tuple[int, int] | None, say: Strings) -> None:
    shown, sampling, chosen = HEADS.shown, way(), None
    model, before, stretches = runs().model(shown.model), from_text(shown.text), written()
    if branch is not None:
        trace, (row, at) = runs().trace(*shown.of_run), branch
        assert trace.predicted_tokens is not None  # asked before
        before, chosen = (
            trace.tokens.source.source[: trace.tokens.source.spans[row][1]],
            trace.predicted_tokens.ids[row, at],
        )
        stretches = tuple(replace(old, n=min(old.n, row + 1 - old.first)) for old in stretches if old.first <= row)
    assert isinstance(model, WritesOn) and isinstance(before, str)  # only such are asked
    with panels.writing(n, _cancel, say.of(model.card.tokens)) as tell, runs().gate.entered():
        continued = model.write_on(
            before, n, sampling=sampling, chosen=None if chosen is None else int(chosen), on_token=tell
        )
    if continued.n:
        new = Stretch(continued.first, continued.n, sampling, chosen is not None)
        own = lines_of(before) if not stretches else _known.get()[shown.model, shown.text, shown.written]
        last = stretches[-1] if stretches else None
        if last and last.first + last.n == new.first and (last.sampling, new.sampling, chosen) == (None, None, None):
            stretches, new = stretches[:-1], replace(last, n=last.n + new.n)
        said = stretches_to_link((*stretches, new))
        _note(shown.model, continued.text, said, own=own)
        HEADS.change(text=continued.text, cut=None, written=said)
        newest = continued.first + continued.n - 2  # the row before the last token wrote it
        page.BEGINNING.bring(Picked(token=newest if branch is None else branch[0]), carry="head")
    if continued.has_ended or not continued.n:
        id = "notice-wrote-end" if continued.has_ended else "notice-wrote-nothing"
        HEADS.tell(id, model=model.card.name)
    elif continued.n < n:
        HEADS.tell("notice-wrote-fewer", n=continued.n, asked=n)


# -------------------------------------------------------------------------------------------------- what it has written


def _note(model: str, text: str, said: str, *, own: int) -> None:
    known = _known.get()
    known[model, text, said] = own
    for old in tuple(known)[:-KEPT]:
        del known[old]


def written() -> tuple[Stretch, ...]:
    """What of the text on the screen its model is known to have written; () where a person wrote all of it."""
    shown = HEADS.shown
    return stretches_in(shown.written) if (shown.model, shown.text, shown.written) in _known.get() else ()


def own_lines() -> int | None:
    """How many lines of the text that is asked for are the person's own; None where its model wrote none of it."""
    asked = HEADS.asked
    return _known.get().get((asked.model, asked.text, asked.written)) if asked.written else None


def lines_of(text: str) -> int:
    return text.count("\n") + 1


def check(trace: Trace, say: Strings) -> None:
    """Have the model write again what a link says it wrote; what it does not write is not marked, and that is said."""
    shown = HEADS.shown
    if not shown.written or written():
        return
    stretches, model = stretches_in(shown.written), runs().model(shown.model)
    n = sum(stretch.n for stretch in stretches)
    is_own = isinstance(model, WritesOn) and model.can_write_on and not trace.tokens.source.form and n <= MOST_WRITTEN
    if is_own:
        with panels.error_boundary(), panels.placeholder(say("heads-written-checking")), runs().gate.entered():
            is_own = is_written(model, trace.tokens.source, stretches)  # type: ignore[arg-type]
    if is_own:
        own = trace.tokens.source.source[: trace.tokens.source.spans[stretches[0].first][0]]
        _note(shown.model, shown.text, shown.written, own=lines_of(own))
    else:
        HEADS.answered(replace(shown, written=""))
        HEADS.tell("notice-not-written", model=model.card.name)
