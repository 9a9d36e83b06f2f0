"""A model trained here, as a model like any other: text in, a frozen Trace out. Safe to share between threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviz.core.capture import Edit, record
from attnviz.core.errors import EmptyText, InputError, TooLong
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.vocabulary import END, PADDING, SPECIAL, START, UNKNOWN
from attnviz.trace.generation import Continued
from attnviz.trace.tokens import NO_WORD, Tokens
from attnviz.trace.trace import Card, Prediction, Trace
from attnviz.trace.verify import verify
from attnviz.training import checkpoints
from attnviz.training.answers import Network
from attnviz.training.batches import Batch, Encoder, WordTable
from attnviz.training.build import built, logits_of
from attnviz.training.command import command_of
from attnviz.training.expected_answer import typed_words
from attnviz.training.oov import script_of, unknown_words
from attnviz.training.run import check_end, plan_of, words_of
from attnviz.training.tasks import task_named
from attnviz.training.tasks.task import Plan, Reader, Task

OWN_TEXTS = 200
SHOWN_PREDICTIONS = 20  # of the whole vocabulary, per position
TITLES = {
    "copy": "Copy", "reverse": "Reverse", "sort": "Sort", "induction": "Induction",
    "translate-en-zh": "English → Chinese", "translate-zh-en": "Chinese → English",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """One trained network, its words and its card. Nothing in it changes after it is made."""

    card: Card
    task: Task
    plan: Plan
    network: Network = field(repr=False)
    encoder: Encoder = field(repr=False)
    source: Reader = field(repr=False)
    target: Reader = field(repr=False)
    script: str = ""  # the spelling of what it writes: "zh-TW" for traditional characters
    header: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def spelled(self, script: str, id: str | None = None) -> TrainedModel:
        """The same model, writing in another script."""
        return replace(self, script=script, card=replace(self.card, id=id or self.card.id))

    def trace(self, text: str, target: str | None = None, edits: Sequence[Edit] = ()) -> Trace:
        """Run over one text and keep what happened.

        Args:
            text: in the words this model knows.
            target: the text the decoder is given; what the model writes itself if not given.
            edits: changes on the way, by name, such as `"decoder.1.cross.weights"`.
        Returns:
            a Trace with the residual stream, cross-attention where there is a source, and the prediction a row.
        Raises:
            EmptyText, TooLong, UnknownWords: the text cannot be read; the message says why and what to do.
            InputError: a target for a model that only continues its own text.
        """
        if not self.task.has_source:
            if target is not None:
                raise InputError(
                    f"{self.card.name} continues one text and reads no other, so it takes no target text. "
                    "Leave the target out.",
                    id="no-target", model=self.card.name,
                )  # fmt: skip
            return self._traced(None, self._tokens(text, self.source, self.encoder.source, starts=True), edits)
        source = self._tokens(text, self.source, self.encoder.source, ends=self.task.has_end)
        written = self.generate(text) if target is None else target
        return self._traced(source, self._written(written), edits)

    def traces(self, texts: Sequence[str]) -> tuple[Trace, ...]:
        """A trace each, run one by one: these models are so small that padding would only add rounding."""
        return tuple(self.trace(text) for text in texts)

    def covers(self, text: str) -> bool:
        """Whether a text is of the kind this model was trained on: for a translator, a sentence that its grammar says.

        Outside it the model answers all the same, and nothing says that the answer is right.

        Args:
            text: in the words this model knows.
        """
        return self.task.exercise(typed_words(self.task, text)) is not None

    def own_texts(self, n: int = OWN_TEXTS) -> tuple[str, ...]:
        """Texts of the task that it was not trained on, the same ones every time: heads are measured on them."""
        return tuple(self.source.text(example.source) for example in self.task.examples("validation", n, 0))

    def generate(self, text: str, max_words: int | None = None) -> str:
        """What the model writes: the likeliest token each time.

        Args:
            text: the source; for a model that continues its text, the beginning.
            max_words: at most so many new words; as many as the model has places for if not given.
        Raises:
            EmptyText, TooLong, UnknownWords: the text cannot be read.
        """
        if self.task.has_source:
            source = self._tokens(text, self.source, self.encoder.source, ends=self.task.has_end)
            written = self._likeliest(source, [START], max_words)
        else:
            written = self._likeliest(None, self._given(text), max_words)
        return self.target.text(tuple(self.encoder.target.entries[number] for number in written), self.script)

    @property
    def can_write_on(self) -> bool:
        """Whether it continues the text that it reads."""
        return not self.task.has_source

    def write_on(self, text: str, max_tokens: int | None = None) -> Continued:
        """The text and how the model goes on with it: the likeliest word each time, as far as it has places.

        Args:
            text: the beginning.
            max_tokens: at most so many new words.
        Raises:
            InputError: this model reads one text and writes another.
            EmptyText, TooLong, UnknownWords: the text cannot be read.
        """
        if not self.can_write_on:
            raise InputError(
                f"{self.card.name} reads a text and writes another one. Call generate(text).",
                id="continues-nothing", model=self.card.name,
            )  # fmt: skip
        given = self._given(text)
        written = self._likeliest(None, given, max_tokens)
        new = self.target.text(tuple(self.encoder.target.entries[number] for number in written), self.script)
        return Continued(f"{text.rstrip()} {new}".strip(), len(given), len(written), has_ended=False)

    def _given(self, text: str) -> list[int]:
        return list(self._tokens(text, self.source, self.encoder.source, starts=True).ids)

    def _likeliest(self, source: Tokens | None, given: Sequence[int], most: int | None) -> list[int]:
        """The numbers of the words that follow, the end left out."""
        never = [PADDING, UNKNOWN, START] + ([] if self.task.has_source else [END])  # a text that goes on has no end
        room, written = self.task.max_words + 1 - len(given), list[int]()
        with torch.inference_mode():
            for _ in range(room if most is None else min(room, most)):
                logits = logits_of(self.network, _batch(source, [*given, *written]))[0, -1]  # [V]
                logits[never] = -torch.inf
                number = int(logits.argmax())
                if number == END:
                    break
                written.append(number)
        return written

    def at_step(self, step: int, folder: Path) -> TrainedModel:
        """The model as it was at a checkpoint."""
        weights, _ = checkpoints.read_checkpoint(folder, step)
        network = built(self.encoder, self.plan.shape, self.plan.seed).eval()
        checkpoints.load_weights(network, weights)
        card = replace(self.card, name=f"{self.card.name} ({step})", revision=f"{self.card.revision}@{step}")
        return replace(self, network=network, card=card)

    # ------------------------------------------------------------------------------------------------- from text

    def _tokens(
        self, text: str, reader: Reader, table: WordTable, *, starts: bool = False, ends: bool = False
    ) -> Tokens:
        """The tokens of a typed text, with the special ones this model adds."""
        pieces = reader.pieces(text)
        if not pieces:
            raise EmptyText("There is no text to read. Type a sentence.", id="empty-text")
        strangers = tuple(dict.fromkeys(p.word for p in pieces if p.word not in table.numbers))
        if strangers:
            script = self.script or script_of(pieces, text, reader)
            raise unknown_words(self.card.name, self.card.id, reader, strangers, script)
        if len(pieces) > self.task.max_words:
            raise TooLong(
                f"{len(pieces)} tokens; {self.card.name} takes at most {self.task.max_words}. Shorten the text.",
                id="too-long", n=len(pieces), limit=self.task.max_words,
            )  # fmt: skip
        rows = [
            (text[p.span[0] : p.span[1]], table.numbers[p.word], False, p.span, at, p.word)
            for at, p in enumerate(pieces)
        ]
        if starts:
            rows.insert(0, (SPECIAL[START], START, True, (0, 0), NO_WORD, SPECIAL[START]))
        if ends:
            rows.append((SPECIAL[END], END, True, (len(text), len(text)), NO_WORD, SPECIAL[END]))
        shown, ids, special, spans, words, own = zip(*rows, strict=True)
        return Tokens(shown, ids, special, (False,) * len(rows), spans, words, text, own)

    def _written(self, text: str) -> Tokens:
        """The decoder's own text; a model that has nothing to say has written <start> alone."""
        if text:
            return self._tokens(text, self.target, self.encoder.target, starts=True)
        return Tokens((SPECIAL[START],), (START,), (True,), (False,), ((0, 0),), (NO_WORD,), "", (SPECIAL[START],))

    # -------------------------------------------------------------------------------------------------- to a trace

    def _traced(self, source: Tokens | None, given: Tokens, edits: Sequence[Edit]) -> Trace:
        with torch.inference_mode(), record(edits=edits) as run:
            logits = logits_of(self.network, _batch(source, list(given.ids)))[0]  # [T, V]
        with torch.inference_mode():
            trace = run.trace(
                0,
                card=self.card,
                tokens=given if source is None else source,
                target=None if source is None else given,
                parameters=parameters_of(self.network),
            )
            context = {key: run[f"{key}.context"][0] for key in trace.records}  # [H, T, Dv] each
            verified = verify(trace.records, context)
        return replace(trace, prediction=self._prediction(logits), verified=verified)

    def _prediction(self, logits: Tensor) -> Prediction:
        """The likeliest next tokens of each row, from [T, V]."""
        share, ids = torch.softmax(logits, -1).topk(min(SHOWN_PREDICTIONS, logits.shape[-1]), dim=-1)  # [T, 20]
        entries = self.encoder.target.entries
        texts = tuple(tuple(self.target.shown(entries[number], self.script) for number in row) for row in ids.tolist())
        return Prediction(ids.clone(), share.clone(), texts)


def _batch(source: Tokens | None, given: Sequence[int]) -> Batch:
    """One text as a batch of one."""
    read = None if source is None else torch.tensor([source.ids])  # [1, Ts]
    return Batch(read, None, torch.tensor([list(given)]), None, torch.empty(0))


def load_trained(folder: str | Path, *, id: str | None = None) -> TrainedModel:
    """A model that was trained into a folder.

    Args:
        folder: what `train` wrote.
        id: the name it was asked for by; the folder if not given.
    Raises:
        WrongWeights: it is no such folder, it says what cannot be true, or its weights are not those it was written
            with.
    """
    weights, header = checkpoints.read(Path(folder) / checkpoints.MODEL)
    task, plan = task_named(str(header.get("task"))), plan_of(header.get("plan", {}))
    check_end(header)
    source = task.source.with_words(words_of(header.get("source_words")))
    target = task.target.with_words(words_of(header.get("target_words")))
    encoder = Encoder(task, WordTable(source.words), WordTable(target.words))
    with torch.device("meta"):  # no memory is taken before the sizes are known to be those of the weights
        checkpoints.check_fit(built(encoder, plan.shape, plan.seed), weights)
    checkpoints.check_sha256(weights, header.get("sha256"), Path(folder))
    network = built(encoder, plan.shape, plan.seed).eval()
    checkpoints.load_weights(network, weights)
    card = card_of(id or str(folder), task, plan, network, header)
    return TrainedModel(card, task, plan, network, encoder, source, target, header=header)


def card_of(id: str, task: Task, plan: Plan, network: Network, header: Mapping[str, Any]) -> Card:
    """What a model trained here says about itself."""
    languages = {"translate-en-zh": ("en",), "translate-zh-en": ("zh",)}.get(task.name, ())
    return Card(
        id=id,
        name=TITLES[task.name],
        family="from scratch",
        n_layers=plan.shape.n_layers,
        n_heads=plan.shape.n_heads,
        d_model=plan.shape.d_model,
        revision=str(header["sha256"])[:12],
        parameters=sum(part.numel() for part in network.parameters()),
        licence="Apache-2.0",
        source=": ".join(filter(None, ("trained with AttnViz", command_of(task, plan)))),
        languages=languages,
        max_tokens=task.max_words,
        probe_difference=0.0,  # our own blocks: what is recorded is what was computed
    )
