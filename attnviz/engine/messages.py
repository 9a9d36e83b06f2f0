"""What travels between a web process and a trace service: a question as JSON, an answer as safetensors with a header.

Neither side believes the other: a question has limits, an answer is checked before it is a trace.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from attnviz import errors
from attnviz.core.errors import AttnvizError, TraceFileError
from attnviz.trace import container
from attnviz.trace.container import Parts
from attnviz.trace.edits import AnyEdit
from attnviz.trace.generation import Continued
from attnviz.trace.run_facts import Card
from attnviz.trace.sampling import Sampling
from attnviz.trace.trace import Trace
from attnviz.trace.untrusted import check_card, refuse_impossible

PATH = "/v1/ask"
MOST_QUESTION = 4 << 20  # bytes of JSON
MOST_CHARACTERS = 100_000  # of all texts of a question; no dashboard may allow more of one
MOST_ANSWER = 512 << 20  # bytes
MOST_HEADS = 16_384  # of a model
MOST_SENTENCE = 2000  # characters of an error
DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.bool, torch.uint8)  # of a trace
ANSWER = "the answer of the trace service"

Call = Literal["card", "trace", "traces", "survey", "write_on", "first_part"]
KINDS: dict[str, type[AttnvizError]] = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, AttnvizError)
}


class EngineError(AttnvizError):
    """The trace service cannot be reached, is too slow, or gives no answer that can be used."""


class Question(BaseModel):
    """One call of an engine; `texts` holds one text but for `traces` and `survey`."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    call: Call
    model: str = Field(max_length=4096)
    texts: tuple[str, ...] = Field(default=(), max_length=1024)
    target: str | None = None
    # of the edits of a run
    edits: tuple[Annotated[AnyEdit, Field(discriminator="kind")], ...] = Field(default=(), max_length=10_000)
    language: str | None = None
    sampling: Sampling | None = None  # of a text that is written on; greedy without it
    chosen: int | None = Field(default=None, ge=0)  # the first token that is written on
    n: int | None = Field(default=None, ge=1, le=1 << 20)  # tokens: to write, or that a first part may have
    most: int = Field(default=0, ge=0)  # bytes of parameters that come with a card
    seconds: float = Field(default=60.0, gt=0, le=3600)  # until nobody waits for the answer any more

    @property
    def characters(self) -> int:
        return sum(map(len, self.texts)) + len(self.target or "")

    def fits(self, trace: Trace) -> bool:
        """Whether a trace is of this question."""
        target = trace.tokens.target
        is_target = self.target is None or (target is not None and target.written == self.target)
        return trace.card.id == self.model and trace.tokens.source.written in self.texts and is_target


def pack_card(card: Card, can_write_on: bool, matrices: Mapping[str, Mapping[str, Tensor]], most: int) -> bytes:
    """A card, with the parameters of its model if they take at most so many bytes."""
    flat = container.flat("matrix", matrices)
    fits = sum(tensor.nbytes for tensor in flat.values()) <= most
    return container.to_bytes({"card": asdict(card), "can_write_on": can_write_on}, flat if fits else {}, "answer")


def read_card(parts: Parts, name: str) -> tuple[Card, bool, dict[str, dict[str, Tensor]]]:
    header, tensors = parts
    said: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in header["card"].items()
    }
    card = Card(**said)
    check_card(card)
    if card.id != name or not all(tensor.dtype in (*DTYPES, torch.float64) for tensor in tensors.values()):
        raise TraceFileError(id="answer-of-other-model")
    return card, header["can_write_on"] is True, container.nested("matrix", tensors)


def pack_traces(traces: Sequence[Trace]) -> bytes:
    """Traces without the parameters of their model."""
    all_parts = [trace.parts() for trace in traces]
    tensors = container.flat("trace", {str(i): parts for i, (_, parts) in enumerate(all_parts)})
    return container.to_bytes({"traces": [header for header, _ in all_parts]}, tensors, "answer")


def read_traces(
    parts: Parts, question: Question, n: int, matrices: Mapping[str, Mapping[str, Tensor]]
) -> tuple[Trace, ...]:
    """The `n` traces that `pack_traces` packed, whole, and of the question that was asked."""
    header, tensors = parts
    if len(header["traces"]) != n or not all(tensor.dtype in DTYPES for tensor in tensors.values()):
        raise TraceFileError(id="answer-of-other-size")
    parts_of = container.nested("trace", tensors)
    traces = tuple(Trace.from_parts(part, parts_of[str(i)], matrices) for i, part in enumerate(header["traces"]))
    for number, trace in enumerate(traces):
        refuse_impossible(trace, ANSWER, most_heads=MOST_HEADS)
        if not question.fits(trace) or (n > 1 and trace.tokens.source.written != question.texts[number]):
            raise TraceFileError(id="answer-of-other-text")
    return traces


def pack_continued(continued: Continued) -> bytes:
    return container.to_bytes(asdict(continued), {}, "answer")


def read_continued(parts: Parts, text: str) -> Continued:
    continued = Continued(**parts[0])
    if not (
        continued.text.startswith(text)
        and type(continued.first) is int
        and type(continued.n) is int
        and continued.n >= 0
    ):
        raise TraceFileError(id="answer-not-written-on")
    return continued


def pack_error(error: AttnvizError) -> bytes:
    """An error as JSON; its class goes by name."""
    said = {"kind": type(error).__name__, "sentence": str(error), "id": error.id, "arguments": error.arguments}
    return json.dumps({"error": said}).encode()


def _is_plain(value: object) -> bool:
    """A text, a number, or words that are listed."""
    several = value if isinstance(value, list) else []
    return isinstance(value, str | int | float | list) and all(isinstance(word, str) for word in several)


def _cut(value: Any) -> Any:
    """The same, no longer than a sentence."""
    if isinstance(value, list):
        return tuple(word[:MOST_SENTENCE] for word in value[:MOST_SENTENCE])
    return value[:MOST_SENTENCE] if isinstance(value, str) else value


def read_error(content: bytes) -> AttnvizError | None:
    """The error that a service gave; None where the content is none of ours."""
    try:
        said: dict[str, Any] = json.loads(content)["error"]
        kind, sentence, id, arguments = said["kind"], said["sentence"], said["id"], said["arguments"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    is_ours = all(isinstance(each, str) for each in (kind, sentence, id)) and isinstance(arguments, dict)
    if not is_ours or "id" in arguments or not all(map(_is_plain, arguments.values())):
        return None
    error = KINDS.get(kind, AttnvizError)(id=id, **{name: _cut(value) for name, value in arguments.items()})
    try:
        str(error)
    except KeyError:  # the service is of another version and has a message that is not here
        return type(error)(id="service-says", reason=sentence[:MOST_SENTENCE])
    return error
