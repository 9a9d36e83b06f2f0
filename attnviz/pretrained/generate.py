"""Generation: what a causal model writes after a text, and the target text of a model that has two stacks.

A decoder with a text of its own reads a start token and then each token it wrote; row i of its attention is what it
attended to when it wrote token i + 1. The end token is written and never read.
"""

import copy
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor, LogitsProcessorList, PreTrainedModel

from attnviz.core.errors import AttnvizError, TooLong, UnsupportedModel
from attnviz.core.ops import NEVER
from attnviz.core.tensor_checks import check_size
from attnviz.pretrained.capture.forward import device_of
from attnviz.pretrained.capture.rope_reset import rope_as_loaded
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.generation import CONTINUATION, Continued, Generated, RecordedSteps, read_back
from attnviz.trace.given import Given, Ids, checked_ids
from attnviz.trace.sampling import Sampling
from attnviz.trace.tokens import NO_WORD, Tokens

TARGET = 128  # tokens of a target text where no other number is asked for


class Drawn(LogitsProcessor):
    """Draws the next token and leaves no other to greedy generation, so that no generator of the process is touched."""

    def __init__(self, sampling: Sampling) -> None:
        self.sampling, self.generator = sampling, sampling.generator()

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Logits [1, V] -> 0 for the token that was drawn, −∞ for the others."""
        token = self.sampling.drawn(scores[0], self.generator)
        return torch.full_like(scores, NEVER).index_fill(-1, torch.tensor(token, device=scores.device), 0.0)


class Counted(LogitsProcessor):
    """Says how many tokens there are, before each next one."""

    def __init__(self, n: int, on_token: Callable[[int], None]) -> None:
        self.n, self.on_token = n, on_token

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        self.on_token(self.n)
        self.n += 1
        return scores


def written_ids(
    whole: PreTrainedModel, ids: Sequence[int], n: int, name: str, sampling: Sampling | None,
    steps: RecordedSteps | None = None, counted: Counted | None = None, **settings: Any,
) -> list[int]:  # fmt: skip
    """What transformers' generation gives for a text's ids, at most n new ones, its end token included: greedy, or
    drawn where a sampling is given. `steps` records each forward pass.
    """
    drawn = None if sampling is None else Drawn(sampling)
    processors = [processor for processor in (counted, steps, drawn) if processor is not None]
    model: Any = whole  # generate() is typed as a parameter
    given = torch.tensor([ids], device=device_of(whole))  # [1, T]
    config = copy.deepcopy(whole.generation_config)
    settings |= {"num_beams": 1, "do_sample": False, "early_stopping": False, "num_return_sequences": 1,
                 "max_length": None, "max_new_tokens": n}  # fmt: skip
    for setting, value in settings.items():
        setattr(config, setting, value)
    try:
        with rope_as_loaded(whole), torch.inference_mode(), nullcontext() if steps is None else steps:
            out = model.generate(
                input_ids=given, attention_mask=torch.ones_like(given), generation_config=config,
                logits_processor=LogitsProcessorList(processors),
            )  # fmt: skip
    except AttnvizError:  # of an edit
        raise
    except Exception as error:  # whatever a strange generation_config.json asks for
        reason = str(error).strip().split("\n")[0]
        raise UnsupportedModel(id="cannot-generate", model=name, reason=reason) from error
    return out[0].tolist()


def room_for(max_tokens: int | None, given: Sequence[int], tokenizer: SentenceTokenizer) -> int:
    """How many tokens are to be written: 32 if no number is given, and no more than the model has positions."""
    asked = CONTINUATION if max_tokens is None else max_tokens
    check_size("max_tokens", asked, 0)
    return min(asked, tokenizer.limit - len(given))


def continued(
    whole: PreTrainedModel, tokenizer: SentenceTokenizer, text: str, max_tokens: int | None, sampling: Sampling | None,
    chosen: int | None, on_token: Callable[[int], None],
) -> Continued:  # fmt: skip
    """A text and what the model writes after it: 32 tokens if no number is given, and no more than it has positions.

    With a chosen token after it the beginning is read as it is before that one: two new lines are one token at the end
    of a text, and two where a word follows.
    """

    def read(longer: str) -> list[int]:
        return without_end(tokenizer.tokens(longer))

    given, name = read(text), tokenizer.model_name
    room = room_for(max_tokens, given, tokenizer)
    begins: tuple[int, ...] = ()
    if chosen is not None and room > 0:
        table = whole.get_input_embeddings().get_parameter("weight")  # [V, d_model]
        begins = checked_ids(Ids((chosen,)), table.shape[0], name, tokenizer.limit)
        *before, last = read(text + tokenizer.decode([*given, chosen])[len(tokenizer.decode(given)) :])
        if last == chosen and tokenizer.decode(before) == tokenizer.decode(given):
            given = before
    written = list(begins)
    if room > len(begins) and chosen not in end_ids(whole):
        begun, counted = [*given, *begins], Counted(len(begins), on_token)
        written = written_ids(whole, begun, room - len(begins), name, sampling, counted=counted)[len(given) :]
    has_ended = bool(written) and written[-1] in end_ids(whole)
    kept = written[:-1] if has_ended else written
    longer, n = read_back(text, given, kept, tokenizer.decode, read)
    return Continued(longer, len(given), n, has_ended and n == len(kept))


def generated(
    whole: PreTrainedModel, tokenizer: SentenceTokenizer, given: Sequence[int], max_tokens: int | None,
    sampling: Sampling | None, steps: RecordedSteps,
) -> Generated:  # fmt: skip
    """What a causal model writes after some ids, step by step."""
    room = room_for(max_tokens, given, tokenizer)
    ids = written_ids(whole, given, room, tokenizer.model_name, sampling, steps) if room > 0 else list(given)
    text = tokenizer.decode(ids)[len(tokenizer.decode(given)) :]
    return Generated.of(text, ids, steps.steps(ids[len(given) :], tokenizer.piece_text))


def end_ids(whole: PreTrainedModel) -> tuple[int, ...]:
    """The tokens that end a text; a model may have several."""
    end = getattr(whole.generation_config, "eos_token_id", None)
    return tuple(end) if isinstance(end, list) else () if end is None else (end,)


def without_end(tokens: Tokens) -> list[int]:
    """The ids of a text without special ones at its end, after which no text goes on."""
    n = len(tokens)
    while n > 1 and tokens.special[n - 1] and tokens.spans[n - 1][0] == tokens.spans[n - 1][1]:
        n -= 1
    return list(tokens.ids[:n])


@dataclass(frozen=True, eq=False)
class TargetWriter:
    """Makes the decoder's tokens of a model that reads one text and writes another."""

    whole: PreTrainedModel | None  # with its head; None where the checkpoint has none, and nothing can be written
    tokenizer: SentenceTokenizer  # of the target language
    start_id: int
    end_id: int | None
    limit: int  # tokens the decoder takes

    def given(self, text: Given) -> Tokens:
        """The tokens of a text that the decoder is to read, its start token first; ids as they are."""
        if isinstance(text, Ids):
            return self.tokenizer.tokens(text)
        try:
            tokens = self.tokenizer.tokens(text)
        except TooLong as error:  # it offers to cut the source text, which this is not
            raise self.too_long(int(error.arguments["n"]) + 1) from None
        n = len(tokens) - (tokens.ids[-1] == self.end_id)
        if n + 1 > self.limit:
            raise self.too_long(n + 1)
        return self.started(tokens, n)

    def too_long(self, n: int) -> TooLong:
        return TooLong(id="target-too-long", n=n, limit=self.limit)

    def written(
        self, source: Tokens, max_tokens: int | None = None, sampling: Sampling | None = None,
        steps: RecordedSteps | None = None,
    ) -> Tokens:  # fmt: skip
        """What the model writes for a source text, the likeliest token each time or drawn, at most 128 if no number is
        given.
        """
        name = self.tokenizer.model_name
        if self.whole is None:
            raise UnsupportedModel(id="no-head-to-write", model=name)
        longest = min(TARGET if max_tokens is None else max_tokens, self.limit - 1)
        start, written = self.start_id, list[int]()
        if longest > 0:
            written = written_ids(self.whole, source.ids, longest, name, sampling, steps, decoder_start_token_id=start)[
                1:
            ]
        if written and written[-1] == self.end_id:
            written.pop()
        return self.started(self.tokenizer.tokens_of(written), len(written))

    def started(self, tokens: Tokens, n: int) -> Tokens:
        """The first n tokens of a text, behind the decoder's start token."""
        name = self.tokenizer.piece(self.start_id)
        start = {"text": name, "ids": self.start_id, "special": True, "unknown": False, "spans": (0, 0),
                 "words": NO_WORD, "pieces": name}  # fmt: skip
        fields: dict[str, Any] = {field: (first, *getattr(tokens, field)[:n]) for field, first in start.items()}
        return Tokens(source=tokens.source, **fields)


def target_writer(whole: PreTrainedModel, tokenizer: SentenceTokenizer, *, name: str, has_head: bool) -> TargetWriter:
    settings, config = getattr(whole, "generation_config", None), whole.config
    starts = [getattr(settings, "decoder_start_token_id", None), getattr(config, "decoder_start_token_id", None),
              getattr(config, "bos_token_id", None)]  # fmt: skip
    start = next((number for number in starts if number is not None), None)
    if start is None:
        raise UnsupportedModel(id="no-start-token", model=name)
    end = getattr(config, "eos_token_id", None)
    return TargetWriter(whole if has_head else None, tokenizer, start, end, tokenizer.limit)
