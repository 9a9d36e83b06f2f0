"""A text that a model wrote on: its own beginning, and then the likeliest token each time, or drawn (sampling.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attnviz.core.edit import Edit, refuse_unmatched
from attnviz.core.recording import COMPUTED, Recording
from attnviz.trace.sampling import Sampling

if TYPE_CHECKING:
    from attnviz.trace.model_protocol import WritesOn
    from attnviz.trace.tokens import Tokens


CONTINUATION = 32  # new tokens where no other number is asked for


@dataclass(frozen=True)
class Continued:
    """What a model made of the beginning of a text."""

    text: str  # all of it; tracing it reads the same tokens that were written
    first: int  # the place of the first written token among those of the text
    n: int  # how many tokens were written
    has_ended: bool  # the model wrote its end token, which is not part of the text


@dataclass(frozen=True)
class Stretch:
    """Tokens of a text that a model wrote one after another."""

    first: int  # the place of the first among those of the text
    n: int
    sampling: Sampling | None = None  # how they were drawn; None: the likeliest each time
    is_chosen: bool = False  # the first was chosen by a person in place of what the model would have written


@dataclass(frozen=True, eq=False)
class GenerationStep:
    """One forward pass of a generation, which wrote one token.

    `step["decoder.3.self.weights"]` is a value of it, [1, H, T_q, T_k]: the first step reads the whole beginning, each
    later one the token before and the keys and values of the cache.
    """

    token: int  # its id
    text: str
    logits: Tensor = field(repr=False)  # [V], after the model's own filters, before temperature
    run: Recording = field(repr=False)

    @property
    def probability(self) -> float:
        """Of the token, from these logits."""
        return float(self.logits.float().softmax(-1)[self.token])

    def __getitem__(self, name: str) -> Tensor:
        return self.run[name]


class Generated(str):
    """What a model wrote, as a text; and how."""

    # All that was read and written: `model.trace(generated.ids)`; of a model with an encoder what it wrote, whose trace
    # is `model.trace(text, target=generated.ids)`.
    ids: tuple[int, ...]
    steps: tuple[GenerationStep, ...]  # one for each written token, an end token too

    @classmethod
    def of(cls, text: str, ids: Sequence[int], steps: Sequence[GenerationStep]) -> Generated:
        made = cls(text)
        made.ids, made.steps = tuple(ids), tuple(steps)
        return made


@dataclass(repr=False, eq=False)
class StepRecording(Recording):
    """The values of one step. What follows from q and k is not kept, and keys and values only as far as they are not
    those of the next step, whose cache holds them too.
    """

    later: dict[str, tuple[StepRecording, int]] = field(default_factory=dict)  # where a value is, and its tokens

    def keep(self, full_name: str, value: Tensor) -> None:
        if full_name in self.edited_names or full_name.rpartition(".")[2] not in COMPUTED:
            super().keep(full_name, value)

    def share_with(self, later: StepRecording) -> None:
        """Let those keys and values go that the later step has as well."""
        for name in [f"{place}.{letter}" for place in self.places for letter in "kv"]:
            held, _ = self._values.get(name, (None, 0))
            other, _ = later._values.get(name, (None, 0))
            if held is None or other is None or held.shape[-2] > other.shape[-2]:
                continue
            if torch.equal(held, other[..., : held.shape[-2], :]):
                del self._values[name]
                self.later[name] = later, held.shape[-2]

    def _untouched(self, name: str) -> Tensor:
        if name not in self.later:
            return super()._untouched(name)
        step, n = self.later[name]
        return step._untouched(name)[..., :n, :]


class RecordedSteps:
    """The recordings of a generation, one for each forward pass. When the logits of a step arrive, its recording ends
    and the next one begins.
    """

    def __init__(self, begin: Callable[[], AbstractContextManager[StepRecording]]) -> None:
        self.begin, self.made = begin, list[tuple[StepRecording, Tensor]]()

    def __enter__(self) -> RecordedSteps:
        self.opened = ExitStack()
        self.run = self.opened.enter_context(self.begin())
        return self

    def __exit__(self, *fault: Any) -> None:
        self.opened.__exit__(*fault)

    def __call__(self, input_ids: Tensor, logits: Tensor) -> Tensor:
        """End a step: ids [1, T], logits [1, V]. transformers calls this as any other of its logits processors."""
        self.opened.close()
        if self.made:
            self.made[-1][0].share_with(self.run)
        self.made.append((self.run, logits[0]))  # [V]
        self.__enter__()
        return logits

    def refuse_unmatched(self, edits: Sequence[Edit]) -> None:
        """Refuse an edit that changed nothing, of a model of our own blocks."""
        if self.made:
            refuse_unmatched(edits, self.made[0][0].editable)

    def steps(self, written: Sequence[int], text_of: Callable[[int], str]) -> list[GenerationStep]:
        """Each step with the token that it wrote."""
        return [
            GenerationStep(token, text_of(token), logits, run)
            for token, (run, logits) in zip(written, self.made, strict=True)
        ]


def read_back(
    text: str,
    given: Sequence[int],
    written: Sequence[int],
    decode: Callable[[Sequence[int]], str],
    read: Callable[[str], Sequence[int]],
) -> tuple[str, int]:
    """The text with as much of what was written as is read in the same tokens again.

    Letters that were written one by one may be read as one token, and part of a character is no text at all.

    Args:
        text: the beginning. given: its ids. written: those that follow.
        decode: ids to text. read: text to ids, without what is added at its end.
    Returns:
        the text, and how many of the written tokens are in it.
    """  # fmt: skip
    begun = decode(given)
    for n in range(len(written), 0, -1):
        ids = [*given, *written[:n]]
        whole = decode(ids)
        longer = text + whole[len(begun) :]
        if whole.startswith(begun) and list(read(longer)) == ids:
            return longer, n
    return text, 0


def is_written(model: WritesOn, tokens: Tokens, stretches: Sequence[Stretch]) -> bool:
    """Whether a model writes these stretches of a text again, each after what stands before it."""
    for stretch in stretches:
        first, after = stretch.first, stretch.first + stretch.n
        if not 1 <= first < after <= len(tokens):
            return False
        before, whole = (tokens.source[: tokens.spans[at - 1][1]] for at in (first, after))
        chosen = tokens.ids[first] if stretch.is_chosen else None
        again = model.write_on(before, stretch.n, sampling=stretch.sampling, chosen=chosen)
        if again.n < stretch.n:  # its end is read otherwise than where something follows it
            again = model.write_on(before, stretch.n + 1, sampling=stretch.sampling, chosen=chosen)
            again = replace(again, text=again.text[: len(whole)], n=again.n - 1)
        if (again.text, again.first, again.n) != (whole, first, stretch.n):
            return False
    return bool(stretches)
