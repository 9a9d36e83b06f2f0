"""The runs behind the Step through page: an untouched one, the same with something switched, and its steps as bytes."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from attnviz_app.serving.runs import check_characters, read_of, runs
from attnviz_app.settings import CHARACTERS_A_TOKEN
from attnviz_app.step.choices import SHOWN_TOKENS, WHOLE_BLOCKS
from attnviz_app.step.query import ALL_HEADS, UNCHANGED, Picked, Question
from torch import Tensor

from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import UnsupportedModel
from attnviz.engine.remote import ServedModel
from attnviz.explanation import chain, slice_chain, slice_to_fit, whatif
from attnviz.explanation.attention_steps import is_projected
from attnviz.explanation.head_view import HeadView
from attnviz.explanation.matrices import Chain, Note
from attnviz.explanation.predict_first import question as guess_at
from attnviz.explanation.untouched_run import before as cells_before
from attnviz.explanation.whatif import Switches
from attnviz.explanation.written_text import MORE, WrittenWord, written_anew, written_words
from attnviz.models import Decoder, Encoder
from attnviz.scratch.rebuilt import TOLERANCE, Loaded, Rebuilt, difference, rebuilt
from attnviz.scratch.untrained import untrained
from attnviz.scratch.variants import OURS
from attnviz.text import Strings, figure
from attnviz.trace.model_protocol import HasMatrices, Model
from attnviz.trace.trace import Trace
from attnviz.training import TASKS
from attnviz.views.stepper.chain_words import matrix_name
from attnviz.views.stepper.header import Question as Guess
from attnviz.views.stepper.header import Word, WrittenText

UNTRAINED = ("untrained-encoder", "untrained-decoder", "untrained-encoder-decoder")
ASKED = ("q-rotated", "raw", "weights", "probabilities")  # steps whose result can be guessed
SMALL_TEXT, SMALL_BYTES, MOST_BYTES = 12, 100_000, 600_000  # of all matrices; the words of a page are another 40 kB
KEPT_BYTES = 4 * 1024**2  # of texts that were written anew
_written: BoundedCache[tuple[WrittenWord, ...]] = BoundedCache(KEPT_BYTES, lambda words: 256 * (1 + len(words)))
_apart: WeakKeyDictionary[Trace, float] = WeakKeyDictionary()  # how far our own runs are from those of the models
# Our networks with the models' own tensors, which go with the models: a `Rebuilt` would hold on to its model.
_networks: WeakKeyDictionary[Model, Encoder | Decoder | None] = WeakKeyDictionary()
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Source:
    """What runs the text of a tab, and its untouched run."""

    key: tuple[Hashable, ...]  # of the run; its model comes first
    model: Model
    untouched: Trace
    difference: float | None = None  # of our own run of a model's weights from the model's; None = no such run

    @property
    def is_rebuilt(self) -> bool:
        """Whether the untouched run is our own of a pretrained model's weights."""
        return self.difference is not None and self.difference <= TOLERANCE

    @property
    def note(self) -> Note | None:
        """Where the numbers of our own run come from, or why it is not shown."""
        if self.difference is None:
            return None
        id = "step-note-rebuilt" if self.is_rebuilt else "step-note-rebuilt-differs"
        return Note(id, {"model": self.model.card.name, "difference": figure(self.difference)})


def model(asked: Question) -> Model:
    if asked.model not in UNTRAINED:
        return runs().model(asked.model)
    kind, words = asked.model.removeprefix("untrained-"), TASKS["translate-zh-en"].source.words if asked.by_word else ()
    limit = runs().limits.untrained_tokens
    return runs().models.get((asked.model, asked.by_word), lambda: untrained(kind, words=words, max_tokens=limit))


def forms(asked: Question) -> tuple[str, ...]:
    """How the model may be given what it reads."""
    return ("text",) if asked.model in UNTRAINED else runs().forms(asked.model)


def base(asked: Question) -> Trace:
    """The untouched run.

    Raises:
        AttnvizError: the model cannot read the text, or too many people are waiting.
    """
    if asked.model not in UNTRAINED:
        return runs().trace(asked.model, asked.text)
    check_characters(asked.text, CHARACTERS_A_TOKEN * runs().limits.untrained_tokens)
    chosen, key = model(asked), (asked.model, asked.by_word, asked.text)
    return runs().traces.get(key, lambda: _in_turn(lambda: chosen.trace(read_of(asked.text))))


def source(asked: Question, tab: str) -> Source:
    """Whose run a tab is about. Where it needs what the model's own run does not hold (a whole block; Q and K before a
    rotation), that of a pretrained model is our own run of its weights, if they go into our blocks and give the same.

    Raises:
        AttnvizError: the model cannot read the text, or too many people are waiting.
    """
    chosen, theirs = model(asked), base(asked)
    key = (asked.model, asked.by_word, chosen.card.revision, asked.text)
    stacks = WHOLE_BLOCKS.get(tab, () if is_projected(HeadView.of(theirs, theirs.sites[0]), "q") else ("decoder",))
    again = _in_our_blocks(chosen) if theirs.sites[0].stack in stacks else None
    if again is None:
        return Source(key, chosen, theirs)
    own_key = (*key, "rebuilt")
    ours = runs().traces.get(own_key, lambda: _in_turn(lambda: again.trace(theirs.tokens.source.given)))
    if ours not in _apart:
        _apart[ours] = difference(ours, theirs)
    if _apart[ours] <= TOLERANCE:
        return Source(own_key, again, ours, _apart[ours])
    return Source(key, chosen, theirs, _apart[ours])


def _in_our_blocks(chosen: Model) -> Model | None:
    """Our network with a pretrained model's weights, here or at the trace service; None where they do not go in, or no
    step of a block can be written out from it, so that its own run shows as much.
    """
    if not isinstance(chosen, ServedModel):
        if chosen not in _networks:
            made = rebuilt(chosen)
            _networks[chosen] = made.network if made is not None and _is_written_out(made) else None
        network = _networks[chosen]
        return None if network is None else Rebuilt(chosen.card, cast(Loaded, chosen), network)
    try:
        ours = runs().model(OURS + chosen.card.id)
    except UnsupportedModel:
        return None
    return ours if _is_written_out(ours) else None


def _is_written_out(network: Model) -> bool:
    return isinstance(network, HasMatrices) and any(point.endswith(".self_norm") for point in network.matrices)


def changed(ran: Source, switches: Switches) -> Trace:
    """The same with something switched: a real run.

    Raises:
        AttnvizError: this model cannot be switched so; the message says why.
    """
    if switches == UNCHANGED:
        return ran.untouched
    key = (*ran.key, switches)
    return runs().traces.get(key, lambda: _in_turn(lambda: whatif.run(ran.model, ran.untouched, switches)))


def _in_turn(run: Callable[[], T]) -> T:
    with runs().gate.entered():
        return run()


def questions(made: Chain, say: Strings) -> dict[str, Guess]:
    """What can be guessed about some steps of a chain, by their keys: the question, and the cells that are right."""
    guesses: dict[str, Guess] = {}
    for step in made.steps:
        is_repeated = made.tab in ALL_HEADS and step.rule == "rotate"  # the same question about every head
        if step.name not in ASKED or step.note or is_repeated or (asked := guess_at(step)) is None:
            continue
        words = {name: matrix_name(str(text), say) for name, text in asked.words.arguments.items()}
        text = say(asked.words.id, **words)
        if made.tab in ALL_HEADS and step.head is not None:
            text = say("step-predict-head", head=step.head + 1, question=text)
        guesses[step.key] = {"row": asked.row, "text": text, "answers": asked.answers, "wrong": asked.wrong}
    return guesses


def written(ran: Source, switches: Switches) -> WrittenText | None:
    """What the model wrote, and what it writes with something switched; None where it writes no text of its own."""
    words = written_words(ran.untouched)
    if not words:
        return None
    if switches == UNCHANGED:
        return {"before": _words(words), "now": None, "is_cut": False}
    key = (*ran.key, switches)
    again = _written.get(key, lambda: _in_turn(lambda: written_anew(ran.model, ran.untouched, switches)))
    return {"before": _words(words), "now": _words(again), "is_cut": len(again) == len(words) + MORE}


def _words(words: Sequence[WrittenWord]) -> list[Word]:
    return [{"text": word.text, "share": round(word.probability, 4)} for word in words]


def before(untouched: Trace, trace: Trace, made: Chain, now: Picked) -> dict[str, Tensor]:
    """The same cells in the untouched run, where what is switched reached them."""
    if trace is untouched:
        return {}
    return cells_before(made, chain(untouched, now.tab, now.site, head=now.head, beside=trace, sampling=now.sampling))


def steps(trace: Trace, now: Picked, untouched: Trace) -> Chain:
    """The chain of a tab, small enough to be sent: parts of long texts and of wide matrices.

    Raises:
        AttnvizError: this trace holds too little for the tab; the message says what is missing.
    """
    beside = None if trace is untouched else untouched
    made = chain(trace, now.tab, now.site, head=now.head, beside=beside, sampling=now.sampling)
    n = max(len(trace.tokens.source), 0 if trace.tokens.target is None else len(trace.tokens.target))
    if n > SHOWN_TOKENS:
        axes = {axis for matrix in made.matrices.values() for axis in (matrix.rows, matrix.columns)}
        window = (now.first_token, SHOWN_TOKENS)
        made = slice_chain(made, {axis.letter: window for axis in axes if axis.kind == "token"})
    return slice_to_fit(made, SMALL_BYTES if n <= SMALL_TEXT else MOST_BYTES, start=now.first_feature)
