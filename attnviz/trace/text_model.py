"""What every model that reads a text shares, however it runs: what it is asked for is checked here, once."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeVar, overload

from torch import Tensor

from attnviz.core.edit import Edit, Edits, as_edits
from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import check_size, whole_number
from attnviz.trace.generation import Continued, Generated
from attnviz.trace.given import Given, Readable, TargetIds, as_text, given_of, listed, target_of
from attnviz.trace.run_facts import Card
from attnviz.trace.sampling import Sampling
from attnviz.trace.trace import Trace

Taken = TypeVar("Taken")
MAX_BYTES = 2**28  # of traces that run together and are let go
MOST_TOGETHER = 32  # texts: more gain no time
# What a person asks of a model, where it has it; its other names are for the rooms of the library.
ASKED = {
    "at_step", "can_write_on", "card", "first_part", "generate", "module", "n_tokens", "network", "plan", "reads_chats",
    "reads_pairs", "reads_target", "task", "tokenizer", "trace", "traces", "write_on",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class TextModel(ABC):
    """A model that reads a text. A subclass implements `_trace`, and overrides what it does in another way."""

    card: Card

    def __repr__(self) -> str:
        return "\n".join(self._described())

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in self._described())

    def _described(self) -> list[str]:
        """What it is, on a line or two."""
        card = self.card
        most = "" if card.max_tokens is None else f", at most {card.max_tokens:,} tokens"
        size = f"{card.n_layers} layers × {card.n_heads} heads, d_model {card.d_model}, {card.parameters:,} parameters"
        origin = " · ".join(filter(None, (card.licence, card.source, card.revision[:12])))
        return [f"{card.name} ({card.id}): {card.family}, {size}{most}", *([origin] if origin else [])]

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name.startswith("__") or name in ASKED]

    @property
    def reads_target(self) -> bool:
        """Whether a decoder reads a text of its own beside the source."""
        return False

    @property
    def can_write_on(self) -> bool:
        """Whether it continues the text that it reads."""
        return False

    def trace(self, text: Readable, target: Readable | None = None, edits: Edits = ()) -> Trace:
        """Run over one text and keep what happened.

        Args:
            text: the whole text, which is never cut, in words that the model knows; or token ids, read as they are.
            target: the text that the decoder reads, of a model with two stacks, or its ids with the start token first;
                if not given, what the model writes.
            edits: one or several changes to values of the run, by name, such as `"decoder.1.cross.weights"`.
        Returns:
            a Trace with the residual stream, and a prediction for each row where the model makes one.
        Raises:
            EmptyText, TooLong, UnknownWords, InputError: the text cannot be read; the message says why and what to do.
            CaptureError: an edit matches nothing, or changes a shape.
        """
        self._refuse_target(target)
        return self._trace(given_of(text), target_of(target), as_edits(edits))

    @overload
    def traces(self, texts: Sequence[Readable] | Tensor) -> tuple[Trace, ...]: ...
    @overload
    def traces(
        self, texts: Sequence[Readable] | Tensor, *, keep: Callable[[Trace], Taken], max_bytes: int = MAX_BYTES
    ) -> tuple[Taken, ...]: ...
    def traces(
        self, texts: Sequence[Readable] | Tensor, *, keep: Callable[[Trace], Taken] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> tuple[Trace, ...] | tuple[Taken, ...]:  # fmt: skip
        """Run over several texts.

        >>> import attnviz as av
        >>> texts = ["a b c a b", "d e d e"]
        >>> largest = av.load("induction").traces(texts, keep=lambda trace: trace["decoder.1.self"].weights(1).max())
        >>> len(largest)
        2

        Args:
            texts: any of them may be a chat, token ids, or two texts: `attnviz.trace.given.Pair(first, second)`; or
                ids [B, T] of texts of one length.
            keep: what to keep of each run; the longest runs first. Its trace is let go then, so any number of texts can
                be measured. If not given, whole traces are kept.
            max_bytes: with `keep`, how much the traces that run together may take; a longer text runs alone.
        Returns:
            a Trace for each text, equal to that of a single run within float32 rounding; or what `keep` returned of it.
        Raises:
            EmptyText, TooLong, UnknownWords, InputError: as for one text; one text where a list is expected.
        """
        given = [given_of(text) for text in listed(texts)]
        if keep is not None and not callable(keep):
            raise InputError(id="keep-no-function", keep=repr(keep))
        if (whole_number(max_bytes) or 0) < 1:
            raise InputError(id="bad-max-bytes", came=repr(max_bytes))
        return self._traces(given) if keep is None else tuple(self._kept(given, keep, max_bytes))

    def _kept(self, given: Sequence[Given], keep: Callable[[Trace], Taken], max_bytes: int) -> Iterator[Taken]:
        """What is kept of each text, in order. The longest runs alone first; its size decides how many run together."""
        order = sorted(range(len(given)), key=lambda at: -len(as_text(given[at])))
        kept: dict[int, Taken] = {}
        together = 1
        while len(kept) < len(order):
            batch = order[len(kept) : len(kept) + together]
            ran = self._traces([given[at] for at in batch])
            kept |= {at: keep(trace) for at, trace in zip(batch, ran, strict=True)}
            together = max(1, min(MOST_TOGETHER, max_bytes // max(trace.nbytes for trace in ran)))
            del ran  # before the next ones are made
        return (kept[at] for at in range(len(given)))

    def generate(
        self, text: Readable, max_tokens: int | None = None, *, edits: Edits = (),
        temperature: float | None = None, top_k: int | None = None, top_p: float | None = None,
        seed: int | None = None, sampling: Sampling | None = None,
    ) -> Generated:  # fmt: skip
        """What the model writes: the likeliest token each time, or drawn; each step is recorded.

        >>> import attnviz as av
        >>> written = av.load("reverse").generate("a b c")
        >>> written, written.steps[0]["decoder.0.cross.weights"].shape
        ('c b a', torch.Size([1, 2, 1, 4]))

        Args:
            text: the source, whole; for a model that continues its text, the beginning; or its token ids; or a chat,
                behind which the answer is opened as its template does.
            max_tokens: at most so many; if not given, 128 of a target text and 32 that continue a text, or as many as
                the model has positions; a model trained here goes on to its end token.
            edits: changes to values of the run, as of `trace`, made in every step. A step after the first has one
                query, and keys from the cache; an edge that is cut is one of the tokens that were given.
            temperature, top_k, top_p, seed: any of them draws, as `av.models.Sampling` says; or give that: `sampling`.
        Returns:
            the text, which is a str, with `steps`, one for each written token, and `ids`.
        Raises:
            TooLong: more tokens than the model takes, or than a run may keep.
            InputError: this model writes no text of its own. CaptureError: an edit matches nothing, or changes a shape.
        """
        if max_tokens is not None:
            check_size("max_tokens", max_tokens, 0)
        if sampling is None and (temperature, top_k, top_p, seed) != (None, None, None, None):
            sampling = Sampling(1.0 if temperature is None else temperature, top_k, top_p, 0 if seed is None else seed)
        edits = as_edits(edits)
        if whole := next((edit for edit in edits if edit.needs_whole_text), None):
            recorded = "text, target=written.ids" if self.reads_target else "written.ids"
            raise InputError(id="edit-of-whole-text", label=repr(whole.label), recorded=recorded)
        written = self._generate(given_of(text, generation_prompt=True), max_tokens, edits, sampling)
        written.ids = TargetIds(written.ids) if self.reads_target else written.ids
        return written

    def write_on(
        self, text: str, max_tokens: int | None = None, *, sampling: Sampling | None = None, chosen: int | None = None,
        on_token: Callable[[int], None] | None = None,
    ) -> Continued:  # fmt: skip
        """The text and how the model continues it: the likeliest token each time, or drawn.

        Args:
            text: the beginning, whole.
            max_tokens: at most so many new ones; 32 if not given, or as many as there are positions for.
            sampling: temperature, top-k, top-p and a seed: `av.models.Sampling`.
            chosen: the id of the token that comes first, in place of what the model would write there.
            on_token: called with how many there are after each, where a pretrained model runs here.
        Raises:
            TooLong: more tokens than the model takes, or than a run may keep.
            InputError: this model continues no text, or has no such token.
        """
        given = given_of(text)
        if not isinstance(given, str):
            raise InputError(id="continued-by-generate", came=type(given).__name__)
        if max_tokens is not None:
            check_size("max_tokens", max_tokens, 0)
        if not self.can_write_on:
            raise InputError(id="continues-nothing" if self.reads_target else "writes-nothing", model=self.card.name)
        return self._write_on(given, max_tokens, sampling, chosen, on_token or (lambda _: None))

    @abstractmethod
    def _trace(self, given: Given, target: Given | None, edits: Sequence[Edit]) -> Trace: ...

    def _traces(self, given: Sequence[Given]) -> tuple[Trace, ...]:
        return tuple(self._trace(each, None, ()) for each in given)

    def _generate(
        self, given: Given, max_tokens: int | None, edits: Sequence[Edit], sampling: Sampling | None
    ) -> Generated:
        raise InputError(id="writes-nothing", model=self.card.name)

    def _write_on(
        self, text: str, max_tokens: int | None, sampling: Sampling | None, chosen: int | None,
        on_token: Callable[[int], None],
    ) -> Continued:  # fmt: skip
        raise NotImplementedError

    def _refuse_target(self, target: object) -> None:
        if target is not None and not self.reads_target:
            raise InputError(id="no-target", model=self.card.name)
