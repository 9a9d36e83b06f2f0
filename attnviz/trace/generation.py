"""A text that a model wrote on: its own beginning, and then the likeliest token each time, or drawn (sampling.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.core.recording import COMPUTED, Recording


@dataclass(frozen=True)
class Continued:
    """What a model made of the beginning of a text."""

    text: str  # all of it; tracing it reads the same tokens that were written
    first: int  # the place of the first written token among those of the text
    n: int  # how many tokens were written
    has_ended: bool  # the model wrote its end token, which is not part of the text


@dataclass(frozen=True, eq=False)
class Step:
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

    ids: tuple[int, ...]  # all that was read and written: `model.trace(generated.ids)`
    steps: tuple[Step, ...]  # one for each written token, an end token too

    @classmethod
    def of(cls, text: str, ids: Sequence[int], steps: Sequence[Step]) -> "Generated":
        made = cls(text)
        made.ids, made.steps = tuple(ids), tuple(steps)
        return made


@dataclass(repr=False, eq=False)
class StepRecording(Recording):
    """The values of one step. What follows from q and k is not kept, and keys and values only as far as they are not
    those of the next step, whose cache holds them too.
    """

    later: dict[str, tuple["StepRecording", int]] = field(default_factory=dict)  # where a value is, and its tokens

    def keep(self, full_name: str, value: Tensor) -> None:
        if full_name in self.edited_names or full_name.rpartition(".")[2] not in COMPUTED:
            super().keep(full_name, value)

    def share_with(self, later: "StepRecording") -> None:
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
