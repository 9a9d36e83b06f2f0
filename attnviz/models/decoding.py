"""Writing a text token by token: greedily, or along several beams at once. Every step is kept to be looked at.

A decoder only ever says how likely each token is to come next; which one is taken is decided here. Earlier tokens' keys
and values wait in a cache, so each step computes one token. One text at a time: the batch axis holds the beams.
Each step records for itself; a `record()` around the call sees nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from types import MappingProxyType

import torch
from torch import Tensor

from attnviz.core.capture import record
from attnviz.core.errors import InputError, TooLong
from attnviz.models.support.cache import KeyValueCache
from attnviz.models.support.checks import check_finite, check_number, check_size
from attnviz.models.transformer import Decoder


@dataclass(frozen=True)
class Hypothesis:
    """A text as far as it is written."""

    ids: tuple[int, ...]  # the prompt and what was written after it
    log_probability: float  # natural logarithm, summed over the written tokens
    n_written: int
    is_finished: bool  # the last token is the end token

    def score(self, length_penalty: float) -> float:
        """Longer texts multiply more probabilities; the penalty makes up for it. 0 compares plain sums.

        Source: Wu et al. 2016 (GNMT), equation 14; "Attention Is All You Need", section 6.1 takes 0.6.
        """
        return self.log_probability / ((5 + self.n_written) / 6) ** length_penalty


@dataclass(frozen=True, eq=False)
class Reading:
    """What the decoder proposed for each of R texts, and where it looked for it."""

    texts: tuple[Hypothesis, ...]  # R of them
    candidate_ids: Tensor  # [R, n_candidates], the likeliest next tokens
    candidate_probabilities: Tensor  # [R, n_candidates], out of the whole vocabulary
    weights: Mapping[str, Tensor]  # site -> [R, H, Tk]: where the newest token looked


@dataclass(frozen=True, eq=False)
class DecodingStep:
    """One token further: what was proposed, and the texts that were kept."""

    reading: Reading
    kept: tuple[Hypothesis, ...]  # the texts after this step, likeliest first


@dataclass(frozen=True, eq=False)
class Decoded:
    """The text that was written, and how."""

    best: Hypothesis
    steps: tuple[DecodingStep, ...]
    finalists: tuple[Hypothesis, ...]  # every text that was still in the race, best first

    @property
    def ids(self) -> tuple[int, ...]:
        return self.best.ids


def greedy(
    decoder: Decoder,
    prompt: Sequence[int],
    *,
    end: int | None,
    max_new_tokens: int,
    memory: Tensor | None = None,
    memory_is_token: Tensor | None = None,
    n_candidates: int = 5,
) -> Decoded:
    """Take the likeliest token, again and again.

    Args:
        decoder: in eval mode.
        prompt: what is written already; a translation begins with the start token alone.
        end: the token after which to stop; None writes max_new_tokens.
        max_new_tokens: where to stop at the latest.
        memory: [1, Ts, D], the encoder's output, where the decoder has cross-attention.
        memory_is_token: [1, Ts] bool.
        n_candidates: how many of the likeliest tokens each step keeps to be shown.
    Raises:
        InputError: no prompt, no token to write, an end that is no token, or a decoder in training mode (dropout
            would act).
        TooLong: prompt and new tokens are more than the decoder has positions for.
    """
    _check(decoder, prompt, end, max_new_tokens=max_new_tokens, n_candidates=n_candidates)
    reader = _Reader(decoder, memory, memory_is_token, n_candidates)
    text = Hypothesis(tuple(prompt), 0.0, 0, False)
    steps: list[DecodingStep] = []
    while text.n_written < max_new_tokens and not text.is_finished:
        log_probabilities, reading = reader.read((text,))  # [1, V]
        token = int(log_probabilities[0].argmax())
        text = _longer(text, token, float(log_probabilities[0, token]), end)
        steps.append(DecodingStep(reading, (text,)))
    return Decoded(text, tuple(steps), (text,))


def beam(
    decoder: Decoder,
    prompt: Sequence[int],
    *,
    width: int = 4,
    end: int | None,
    max_new_tokens: int,
    length_penalty: float = 0.6,
    memory: Tensor | None = None,
    memory_is_token: Tensor | None = None,
    n_candidates: int = 5,
) -> Decoded:
    """Continue the `width` likeliest texts side by side, so that a token that pays off later is not lost.

    A text that reaches the end token leaves the race and takes its place with it, so the race ends when `width` texts
    are finished. With width=1 this is `greedy`, which explains the other arguments.

    Args:
        width: how many texts at once.
        length_penalty: see `Hypothesis.score`; decides among the finalists.
    Raises:
        InputError, TooLong: as for `greedy`; or width is not positive, or length_penalty negative.
    Source: "Attention Is All You Need" (2017), section 6.1: width 4, penalty 0.6.
    """
    _check(decoder, prompt, end, max_new_tokens=max_new_tokens, n_candidates=n_candidates, width=width)
    check_number("length_penalty", length_penalty)
    reader = _Reader(decoder, memory, memory_is_token, n_candidates)
    racing: tuple[Hypothesis, ...] = (Hypothesis(tuple(prompt), 0.0, 0, False),)
    finished: list[Hypothesis] = []
    steps: list[DecodingStep] = []
    while racing and racing[0].n_written < max_new_tokens:
        log_probabilities, reading = reader.read(racing)  # [R, V]
        places = _next_places(racing, log_probabilities, width - len(finished))  # (row, token) of each text to keep
        kept = tuple(_longer(racing[row], token, float(log_probabilities[row, token]), end) for row, token in places)
        steps.append(DecodingStep(reading, kept))
        finished += [text for text in kept if text.is_finished]
        reader.follow([row for (row, _), text in zip(places, kept, strict=True) if not text.is_finished])
        racing = tuple(text for text in kept if not text.is_finished)
    finalists = sorted([*finished, *racing], key=lambda text: text.score(length_penalty), reverse=True)
    return Decoded(finalists[0], tuple(steps), tuple(finalists))


class _Reader:
    """The decoder with its cache: reads the tokens it has not read and says what may come next."""

    def __init__(
        self, decoder: Decoder, memory: Tensor | None, memory_is_token: Tensor | None, n_candidates: int
    ) -> None:
        self.decoder, self.memory, self.memory_is_token = decoder, memory, memory_is_token
        self.n_candidates = min(n_candidates, decoder.config.vocab_size)
        self.cache = KeyValueCache()

    def read(self, texts: tuple[Hypothesis, ...]) -> tuple[Tensor, Reading]:
        """Log-probabilities of the next token, [R, V], and what is kept of it to be looked at."""
        device = self.decoder.embed.tokens.weight.device
        new = [text.ids[self.cache.n_tokens :] for text in texts]  # all of the prompt at first, then one token each
        with torch.no_grad(), record() as run:
            logits = self.decoder(
                torch.tensor(new, device=device), self.memory, memory_is_token=self.memory_is_token, cache=self.cache
            )  # [R, T, V]
        check_finite("what the decoder gave", logits[:, -1], names=("text", "token id"))
        log_probabilities = torch.log_softmax(logits[:, -1], dim=-1)  # [R, V]
        likeliest = log_probabilities.topk(self.n_candidates)  # [R, n_candidates]
        weights = {place: run[f"{place}.weights"][:, :, -1].clone() for place in run.places}  # [R, H, Tk]
        return log_probabilities, Reading(texts, likeliest.indices, likeliest.values.exp(), MappingProxyType(weights))

    def follow(self, rows: list[int]) -> None:
        """Keep the cache of the texts that go on."""
        self.cache.select(torch.tensor(rows, dtype=torch.long, device=self.decoder.embed.tokens.weight.device))


def _next_places(racing: tuple[Hypothesis, ...], log_probabilities: Tensor, n: int) -> list[tuple[int, int]]:
    """Which text to continue with which token, the n likeliest of all: log P(text) + log P(token | text) decides.

    Args:
        racing: R texts. log_probabilities: [R, V], of the next token of each.
    """
    next_token = log_probabilities.double().cpu()  # [R, V]
    so_far = torch.tensor([text.log_probability for text in racing], dtype=torch.float64)  # [R]
    totals = so_far[:, None] + next_token  # [R, V]
    chosen = _likeliest(totals.flatten(), next_token.flatten(), n)  # n places, each row · V + token
    return [divmod(place, totals.shape[1]) for place in chosen]


def _likeliest(totals: Tensor, next_token: Tensor, n: int) -> list[int]:
    """The n highest totals, highest first; of equal ones the likelier next token, then the lower place, as argmax.

    Args:
        totals, next_token: [N]. A sum can round two different next tokens to one total.
    """
    least = totals.topk(min(n, len(totals))).values[-1]
    places = (totals >= least).nonzero()[:, 0]  # [M], in order; more than n where several equal the least
    places = places[next_token[places].sort(descending=True, stable=True).indices]  # [M]
    return places[totals[places].sort(descending=True, stable=True).indices][:n].tolist()  # n of them


def _longer(text: Hypothesis, token: int, log_probability: float, end: int | None) -> Hypothesis:
    total = text.log_probability + log_probability
    return Hypothesis((*text.ids, token), total, text.n_written + 1, token == end)


def _check(decoder: Decoder, prompt: Sequence[int], end: int | None, *, max_new_tokens: int, **sizes: int) -> None:
    if not isinstance(decoder, Decoder):
        raise InputError(
            f"{type(decoder).__name__} came; expected a Decoder. Of an EncoderDecoder pass model.decoder, "
            "and memory=model.encoder(source)."
        )
    if decoder.training:
        raise InputError("The decoder is in training mode; expected eval mode, without dropout. Call decoder.eval().")
    for name, size in {"max_new_tokens": max_new_tokens, **sizes}.items():
        check_size(name, size)
    if not isinstance(prompt, Sequence) or not all(_is_id(token) for token in prompt):
        raise InputError(f"prompt came as {prompt!r}; expected a list of token ids. Of a tensor [T] pass .tolist().")
    if not prompt:
        raise InputError("prompt came empty; expected at least one token. A text begins with its start token.")
    if end is not None and not (_is_id(end) and 0 <= end < decoder.config.vocab_size):
        raise InputError(f"end is {end!r}; expected a token id from 0 to {decoder.config.vocab_size - 1}, or None.")
    needed, limit = len(prompt) + max_new_tokens, decoder.config.max_tokens
    if needed > limit and decoder.embed.positions is not None:
        raise TooLong(
            f"{len(prompt)} tokens and {max_new_tokens} new ones are {needed}; this decoder has positions for at most "
            f"{limit}. Shorten the text, or write fewer tokens.",
            id="too-long", n=needed, limit=limit,
        )  # fmt: skip


def _is_id(token: object) -> bool:
    return isinstance(token, Integral) and not isinstance(token, bool)
