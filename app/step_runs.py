"""The runs behind the Step through page: an untouched one, the same with something switched, and its steps as bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from attnviz_app.runs import check_characters, runs
from attnviz_app.step_state import UNTRAINED
from attnviz_app.stepping import Stepping

from attnviz.core import whatif
from attnviz.core.matrices import Chain
from attnviz.core.model import Model
from attnviz.core.trace import Trace
from attnviz.core.whatif import Switches
from attnviz.lessons import chain, narrow, within
from attnviz.lessons.predict import question
from attnviz.lessons.untrained import untrained
from attnviz.text import Strings
from attnviz.training.bundle import load_shipped
from attnviz.views.stepper.words import matrix_name

ASKED = ("raw", "weights", "probabilities")  # steps whose result can be guessed
ALL_HEADS = ("heads", "block")  # tabs where each head has a step of its own
SHOWN_TOKENS = 64  # of a long text at a time
SMALL_TEXT, SMALL_BYTES, MOST_BYTES = 12, 100_000, 600_000  # of all matrices; the words of a page are another 40 kB


def model(name: str, *, by_word: bool = False) -> Model:
    """A model of the menu."""
    if name not in UNTRAINED:
        return runs().model(name)
    kind = name.removeprefix("untrained-")
    return runs().models.get((name, by_word), lambda: untrained(kind, words=_chinese_words() if by_word else ()))


def base(name: str, text: str, *, by_word: bool = False) -> Trace:
    """The untouched run.

    Raises:
        AttnvizError: the model cannot read the text, or too many people are waiting.
    """
    if name not in UNTRAINED:
        return runs().trace(name, text)
    check_characters(text, runs().limits.max_characters)
    chosen = model(name, by_word=by_word)
    return runs().traces.get((name, by_word, text), lambda: _in_turn(lambda: chosen.trace(text)))


def changed(name: str, untouched: Trace, switches: Switches, *, by_word: bool = False) -> Trace:
    """The same with something switched: a real run.

    Raises:
        AttnvizError: this model cannot be switched so; the message says why.
    """
    if not switches.labels:
        return untouched
    chosen, text = model(name, by_word=by_word), untouched.tokens.source.source
    key = (name, by_word, chosen.card.revision, text, switches)
    return runs().traces.get(key, lambda: _in_turn(lambda: whatif.run(chosen, untouched, switches)))


@cache
def _chinese_words() -> tuple[str, ...]:
    """The words of the shipped translator; counting them out of its grammar would take seconds."""
    return load_shipped("translate-zh-en").source.words


def _in_turn(run: Callable[[], Trace]) -> Trace:
    """Run when the gate lets it."""
    with runs().gate.entered():
        return run()


def questions(made: Chain, say: Strings) -> dict[str, dict[str, object]]:
    """What can be guessed about some steps of a chain, by their keys: the question, and the cells that are right."""
    found: dict[str, dict[str, object]] = {}
    for step in made.steps:
        if step.name not in ASKED or step.note:
            continue
        asked = question(step)
        words = {name: matrix_name(text, say.language) for name, text in asked.words.arguments.items()}
        text = say(asked.words.id, **words)
        if made.tab in ALL_HEADS and step.head is not None:
            text = say("step-predict-head", head=step.head + 1, question=text)
        found[step.key] = {"row": asked.row, "text": text, "answers": asked.answers}
    return found


def steps(trace: Trace, now: Stepping) -> Chain:
    """The chain of a tab, small enough to be sent: parts of long texts and of wide matrices.

    Raises:
        AttnvizError: this trace holds too little for the tab; the message says what is missing.
    """
    made = chain(trace, now.tab, now.site, head=now.head)
    n = max(len(trace.tokens.source), 0 if trace.tokens.target is None else len(trace.tokens.target))
    if n > SHOWN_TOKENS:
        axes = {axis for matrix in made.matrices.values() for axis in (matrix.rows, matrix.columns)}
        made = narrow(made, {axis.letter: (now.first_token, SHOWN_TOKENS) for axis in axes if axis.kind == "token"})
    return within(made, SMALL_BYTES if n <= SMALL_TEXT else MOST_BYTES, start=now.first_feature)
