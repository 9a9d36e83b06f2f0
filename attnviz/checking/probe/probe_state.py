"""What the probes of one candidate start from and add to; and how an output is compared with ours."""

from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs, MaskFormat
from attnviz.checking.find.examination import Examination, Explained, gap
from attnviz.checking.find.faults import FORWARD
from attnviz.checking.find.mistaken_attention import Values
from attnviz.checking.find.search import agrees, explain
from attnviz.checking.report import StageResult, checked, fault


@dataclass(frozen=True)
class MaskedCall:
    """An explained candidate, the argument for one of its masks, and the format of that mask."""

    explained: Explained
    name: str
    format: MaskFormat

    @property
    def batch_and_tokens(self) -> tuple[int, int]:
        return self.explained.examination.batch, self.explained.examination.tokens

    def example(self) -> Tensor:
        """A mask that leaves each query a key: bool, True = can attend, [T, T] or [B, T]."""
        return self.format.example(*self.batch_and_tokens)

    def written(self, allowed: Tensor) -> Tensor:
        """Such a mask as the candidate takes it."""
        return self.format.written(allowed, self.batch_and_tokens[0])

    def broadcast(self, allowed: Tensor) -> Tensor:
        """Such a mask as ours takes it."""
        return self.format.broadcast(allowed, self.explained.examination.has_heads)

    def call(self, allowed: Tensor, **options: Any) -> Answer:
        return self.explained.call({self.name: self.written(allowed)}, **options)

    def ours(self, allowed: Tensor, **changes: Any) -> Values:
        return self.explained.ours(self.broadcast(allowed), **changes)

    def fed(self, examination: Examination, inputs: Inputs) -> "MaskedCall":
        """The same mask in another call: in training mode, with a longer text."""
        return replace(self, explained=self.explained.fed(examination, inputs))


@dataclass
class Progress:
    """An explained candidate, and what the probes have found so far."""

    explained: Explained
    result: StageResult = field(default_factory=StageResult)
    masks: tuple[MaskedCall, ...] = ()  # those that it takes and reads rightly


def same_output(explained: Explained, answer: Answer, where: str, otherwise: str, id: str) -> StageResult:
    """Whether an answer is what ours gives; what is wrong only there is named when it is a known mistake."""
    ours, theirs = explained.ours().out, answer.numbers  # [B, T, d_model] each
    here = f"{where[0].upper()}{where[1:]}"
    if theirs is None:
        return fault(id, f"{here} it stops with an error: {answer.message}", f"run it {where} and read the traceback")
    if theirs.shape != ours.shape:
        sentence = f"{here} the output has shape {list(theirs.shape)}; expected {list(ours.shape)}."
        return fault(id, sentence, "no .squeeze() without an axis: it removes every axis of length 1, the batch's too")
    if agrees(ours, theirs):
        return checked(where.removeprefix("with ").removeprefix("in "))
    measured = gap(f"largest difference from ours {where}", ours, theirs)
    sentence = f"{here} the output is wrong, and {otherwise}."
    fix = "look for an `if` in forward that tells the two apart"
    named = explain(theirs, explained.inputs, [explained.reading], known=FORWARD)
    new = () if named is None else named.faults[len(explained.reading.faults) :]
    if new:
        found = explained.finding(new[0])
        sentence, fix = f"{sentence} {found.sentence}", found.fix
    return fault(id, sentence, fix, measured)
