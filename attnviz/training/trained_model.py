"""A model trained here: text in, a frozen Trace out, as with any other model. Safe to share between threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from attnviz.core.capture import Recorder
from attnviz.core.edit import Edit
from attnviz.core.errors import EmptyText, TooLong
from attnviz.models.decoding import greedy_search, sample
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.rerun import network_rerun
from attnviz.models.support.vocabulary import END, PADDING, SPECIAL, START, UNKNOWN
from attnviz.models.transformer import Decoder
from attnviz.trace.generation import Continued, Generated, RecordedSteps, StepRecording
from attnviz.trace.given import Given, Ids, as_text, checked_ids, only_text
from attnviz.trace.sampling import Sampling
from attnviz.trace.text_model import TextModel
from attnviz.trace.tokens import NO_WORD, Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.traced_run import prediction_of, traced_run
from attnviz.training import checkpoints
from attnviz.training.batches import Batch
from attnviz.training.expected_answer import expected_answer, typed_words
from attnviz.training.network import Network, logits_of, new_network
from attnviz.training.oov import script_of, unknown_words
from attnviz.training.tasks.task import Example, KeysByRow, Plan, Task, Tokenizer

OWN_TEXTS = 200
# Known answers of a poem, and what the metric of a head is called that measures them.
MEASURED_ANSWERS = {"poem-mark": "mark_before", "poem-first": "first_line", "poem-rhyme": "rhyme"}


@dataclass(frozen=True, eq=False, repr=False)
class TrainedModel(TextModel):
    """A trained network, its words and its card. It never changes."""

    task: Task
    plan: Plan
    network: Network = field(repr=False)
    script: str = ""  # in which it writes: "zh-TW" for traditional characters
    header: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def in_script(self, script: str, id: str | None = None, name: str | None = None) -> TrainedModel:
        card = replace(self.card, id=id or self.card.id, name=name or self.card.name)
        return replace(self, script=script, card=card)

    def at_step(self, step: int, folder: str | Path) -> TrainedModel:
        """The model as it was at a checkpoint of the training in this folder.

        Raises:
            InputError: that step was not kept; the message lists those that were.
            WrongWeights: the checkpoint is damaged, or another model's.
        """
        network = new_network(self.task, self.plan.shape, self.plan.seed).eval()
        checkpoints.load_weights(network, checkpoints.read_checkpoint(Path(folder), step))
        card = replace(self.card, name=f"{self.card.name} ({step})", revision=f"{self.card.revision}@{step}")
        return replace(self, network=network, card=card)

    @property
    def reads_target(self) -> bool:
        return self.task.has_source

    @property
    def can_write_on(self) -> bool:
        return not self.task.has_source

    def _trace(self, given: Given, target: Given | None, edits: Sequence[Edit]) -> Trace:
        source = self.source_tokens(given)
        if not self.reads_target:
            return self._traced(source, None, edits)
        written = self._text(self._written(source, None, None)) if target is None else target
        return self._traced(source, self._target_tokens(written), edits)

    def _traced(self, source: Tokens, target: Tokens | None, edits: Sequence[Edit]) -> Trace:
        read = [torch.tensor([each.ids]) for each in (source, target) if each is not None]  # [1, T] each
        batch = Batch(None if target is None else read[0], None, read[-1], None, torch.empty(0))
        trace, logits = traced_run(
            lambda: logits_of(self.network, batch),
            card=self.card, tokens=source, target=target, parameters=parameters_of(self.network), edits=edits,
            rerun=network_rerun(
                self.network, *read, text_of=self._shown,
                has_one_vocabulary=self.task.source.words == self.task.target.words,
            ),
        )  # fmt: skip
        links = self._links_within(source.ids) if target is None else self._links(source.source, target.ids[1:])
        answers = self._answers_within(source.ids) if target is None else {}
        return replace(trace, prediction=prediction_of(logits, self._shown), links=links, answers=answers)

    def _links(self, text: str, written: Sequence[int]) -> KeysByRow:
        """The source words of each written word; empty unless what was written is the known answer."""
        known = expected_answer(self.task, text)
        if known is None or [self.task.target.ids[word] for word in known.written] != list(written):
            return {}
        return known.keys[self.task.answers[0].name]

    def _links_within(self, ids: Sequence[int]) -> KeysByRow:
        """The words of one text that each of its words is known to come from; empty where its task knows of none."""
        known = {answer.name: answer.expected_keys for answer in self.task.answers}.get(self.task.linking)
        return {} if known is None or ids[0] != START else known(self._words(ids))

    def _answers_within(self, ids: Sequence[int]) -> dict[str, KeysByRow]:
        """The other known answers of a poem, by the names of their metrics."""
        if not self.task.is_language or ids[0] != START:
            return {}
        known = {answer.name: answer.expected_keys for answer in self.task.answers}
        return {metric: known[name](self._words(ids)) for name, metric in MEASURED_ANSWERS.items()}

    def _words(self, ids: Sequence[int]) -> Example:
        return Example(tuple(self.task.source.entries[number] for number in ids[1:]))

    def _shown(self, number: int) -> str:
        """The text of a token that the model may predict."""
        return self.task.target.shown(self.task.target.entries[number], self.script)

    def covers(self, text: str) -> bool:
        """Whether a text is like those of the task; for a translator, whether its grammar has this sentence."""
        return self.task.example_for(typed_words(self.task, text)) is not None

    def own_texts(self, n: int = OWN_TEXTS) -> tuple[str, ...]:
        """Texts of the task that were not trained on, always the same ones: heads are measured on them."""
        return tuple(self.task.source.text(example.source) for example in self.task.examples("validation", n, 0))

    def spelled(self, text: str, script: str) -> str:
        """A text of the task in another spelling: "zh-TW" for traditional characters."""
        return self.task.source.text(typed_words(self.task, text), script)

    def _generate(
        self, given: Given, max_tokens: int | None, edits: Sequence[Edit], sampling: Sampling | None
    ) -> Generated:
        source, steps = self.source_tokens(given), RecordedSteps(lambda: Recorder(StepRecording, edits=edits))
        written = self._written(source, max_tokens, sampling, steps=steps)
        steps.refuse_unmatched(edits)
        ids = [*self._begun(source), *written]
        if self.reads_target and ids[-1] == END:  # written and never read
            ids.pop()
        return Generated.of(self._text(written), ids, steps.steps(written, self._shown))

    def _write_on(
        self, text: str, max_tokens: int | None, sampling: Sampling | None, chosen: int | None,
        on_token: Callable[[int], None],
    ) -> Continued:  # fmt: skip
        given = self.source_tokens(text)
        written = self._written(given, max_tokens, sampling, chosen)
        has_ended = written[-1:] == [END]
        written = written[: len(written) - has_ended]
        gap = " " if written and not self.task.is_language and not text[-1].isspace() else ""
        return Continued(f"{text}{gap}{self._text(written)}", len(given), len(written), has_ended)

    def _written(
        self, source: Tokens, most: int | None, sampling: Sampling | None, chosen: int | None = None,
        steps: RecordedSteps | None = None,
    ) -> list[int]:  # fmt: skip
        """The ids of the words that a model writes for a source, or after it, up to <end>; the first may be given."""
        given = self._begun(source)
        room = self.task.max_words + 1 - len(given)
        n = max(0, room if most is None else min(room, most))
        never = (PADDING, UNKNOWN, START)
        begins: tuple[int, ...] = ()
        if chosen is not None and n > 0:
            words = len(self.task.target.entries)
            begins = checked_ids(Ids((chosen,)), words, self.card.name, self.task.max_words + 1)
            if chosen in (END, *never):
                return [END] if chosen == END else []
        write = partial(greedy_search if sampling is None else partial(sample, sampling=sampling), steps=steps)
        with nullcontext() if steps is None else steps, torch.no_grad():
            if isinstance(self.network, Decoder):
                ends = self.task.is_language  # a repeating text has no end
                written = write(
                    self.network, [*given, *begins], end=END if ends else None, max_new_tokens=n - len(begins),
                    suppressed=never if ends else (*never, END),
                )  # fmt: skip
            else:
                memory = self.network.encoder(torch.tensor([source.ids]))  # [1, Ts] -> [1, Ts, d_model]
                decoder = self.network.decoder
                written = write(decoder, given, end=END, max_new_tokens=n, memory=memory, suppressed=never)
        return list(written.ids[len(given) :])

    def _begun(self, source: Tokens) -> Sequence[int]:
        """The ids after which the decoder writes."""
        return [START] if self.task.has_source else source.ids

    def _text(self, ids: Sequence[int]) -> str:
        words = tuple(self.task.target.entries[number] for number in ids if number != END)
        return self.task.target.text(words, self.script)

    def source_tokens(self, given: Given) -> Tokens:
        """What the encoder reads; the decoder, where there is none."""
        if isinstance(given, Ids):
            return self._tokens_of_ids(given, self.task.source)
        text = only_text(given, self.card.name)
        if not self.task.source.pieces(text):
            raise EmptyText(id="empty-text")
        has_source = self.task.has_source
        ends = has_source and self.task.has_end
        return self._tokens(text, self.task.source, starts=not has_source, ends=ends)

    def _target_tokens(self, given: Given) -> Tokens:
        """What the decoder reads beside a source; of an empty text, only <start>."""
        if isinstance(given, Ids):
            return self._tokens_of_ids(given, self.task.target)
        return self._tokens(only_text(given, self.card.name), self.task.target, starts=True, ends=False)

    def _tokens_of_ids(self, given: Ids, tokenizer: Tokenizer) -> Tokens:
        ids = checked_ids(given, len(tokenizer.entries), self.card.name, self.task.max_words + 1)
        words = [tokenizer.entries[number] for number in ids]
        special = tuple(number < len(SPECIAL) for number in ids)
        return replace(
            Tokens.plain(words), ids=ids, special=special, unknown=tuple(number == UNKNOWN for number in ids),
            words=tuple(NO_WORD if is_special else at for at, is_special in enumerate(special)), form=as_text(given),
        )  # fmt: skip

    def _tokens(self, text: str, tokenizer: Tokenizer, *, starts: bool, ends: bool) -> Tokens:
        """The tokens of a typed text, with the special ones that this model adds; an unknown word is refused, or read
        as such by a model of real writing."""
        pieces = tokenizer.pieces(text)
        unknown = tuple(dict.fromkeys(p.word for p in pieces if p.word not in tokenizer.ids))
        if unknown and not self.task.is_language:
            script = self.script or script_of(pieces, text, tokenizer)
            raise unknown_words(self.card.name, self.card.id, tokenizer, unknown, script)
        if len(pieces) > self.task.max_words:
            raise TooLong(id="more-than-taken", model=self.card.name, n=len(pieces), limit=self.task.max_words)
        rows = [
            (
                text[slice(*p.span)],
                tokenizer.ids.get(p.word, UNKNOWN),
                False,
                p.span,
                at,
                SPECIAL[UNKNOWN] if p.word in unknown else p.word,
            )
            for at, p in enumerate(pieces)
        ]
        if starts:
            rows.insert(0, (SPECIAL[START], START, True, (0, 0), NO_WORD, SPECIAL[START]))
        if ends:
            rows.append((SPECIAL[END], END, True, (len(text), len(text)), NO_WORD, SPECIAL[END]))
        shown, ids, special, spans, words, read = zip(*rows, strict=True)
        return Tokens(shown, ids, special, tuple(number == UNKNOWN for number in ids), spans, words, text, read)
