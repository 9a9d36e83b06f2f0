"""Greedy search, sampling and beam search with a decoder. Every step is kept, with candidates and attention weights.

A decoder gives a probability for each token to come next; which one is taken is decided here. Keys and values of the
tokens before are kept in a cache, so each step computes one token. One text is written at a time; the batch axis holds
the beams. Each step opens its own `record()`, so one around the call stays empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import Tensor

from attnviz.core.errors import InputError, TooLong
from attnviz.core.tensor_checks import check_finite, check_size
from attnviz.models.support.key_value_cache import KeyValueCache
from attnviz.models.transformer import Decoder
from attnviz.trace.generation import RecordedSteps
from attnviz.trace.sampling import Sampling
from attnviz.trace.traceable import record


@dataclass(frozen=True)
class Hypothesis:
    """A text as far as it is written."""

    ids: tuple[int, ...]  # the prompt and the tokens written after it
    log_probability: float = 0.0  # natural logarithm, summed over the tokens written
    n_new: int = 0  # tokens written
    is_finished: bool = False  # whether the last token is the end token

    def score(self, length_penalty: float) -> float:
        """log_probability / ((5 + n_new) / 6)^length_penalty; 0 does not normalise by length and favours short texts.

        Source: Wu et al. 2016 (GNMT), equation 14; "Attention Is All You Need", section 6.1 takes 0.6.
        """
        return self.log_probability / ((5 + self.n_new) / 6) ** length_penalty

    def extended(self, token: int, log_probability: float, end: int | None) -> Hypothesis:
        """This text with one more token."""
        return Hypothesis((*self.ids, token), self.log_probability + log_probability, self.n_new + 1, token == end)


@dataclass(frozen=True, eq=False)
class DecodingStep:
    """One step of a search: R texts, and what the decoder predicted for each."""

    texts: tuple[Hypothesis, ...]  # R of them
    candidate_ids: Tensor  # [R, n_candidates], the most probable next tokens
    candidate_probabilities: Tensor  # [R, n_candidates], of the whole vocabulary
    weights: Mapping[str, Tensor]  # site -> [R, H, T_k], attention weights of the newest token


@dataclass(frozen=True, eq=False)
class Decoded:
    """The result of a search."""

    best: Hypothesis
    steps: tuple[DecodingStep, ...]
    hypotheses: tuple[Hypothesis, ...]  # finished and unfinished, best first

    @property
    def ids(self) -> tuple[int, ...]:
        return self.best.ids


def greedy_search(
    decoder: Decoder,
    prompt: Sequence[int],
    *,
    end: int | None,
    max_new_tokens: int,
    memory: Tensor | None = None,
    memory_is_token: Tensor | None = None,
    suppressed: Sequence[int] = (),
    n_candidates: int = 5,
    steps: RecordedSteps | None = None,
) -> Decoded:
    """Take the most probable token at each step.

    Args:
        decoder: in eval mode.
        prompt: the ids to begin with; of a translation the start token alone.
        end: the token after which to stop; None writes max_new_tokens.
        max_new_tokens: how many tokens to write at most.
        memory: [1, Ts, d_model], the encoder's output, where the decoder has cross-attention.
        memory_is_token: [1, Ts] bool.
        suppressed: ids that are never written, such as padding.
        n_candidates: how many of the most probable tokens each step keeps.
        steps: begun by the caller, it keeps every value of each step.
    Raises:
        InputError: the prompt is empty, or the decoder is in training mode.
        TooLong: prompt and new tokens are more than the decoder has positions for.
    """
    _check(decoder, prompt, max_new_tokens)
    model = _CachedDecoder(decoder, memory, memory_is_token, suppressed, n_candidates, steps)
    return _one_by_one(model, prompt, end, max_new_tokens, lambda log_probabilities: int(log_probabilities.argmax()))


def sample(
    decoder: Decoder,
    prompt: Sequence[int],
    sampling: Sampling,
    *,
    end: int | None,
    max_new_tokens: int,
    memory: Tensor | None = None,
    memory_is_token: Tensor | None = None,
    suppressed: Sequence[int] = (),
    n_candidates: int = 5,
    steps: RecordedSteps | None = None,
) -> Decoded:
    """Draw a token at each step, by temperature, top-k and top-p; the same seed gives the same text.

    The arguments not listed are those of `greedy_search`; candidates and log-probabilities are of the model, before any
    filter.

    Args:
        sampling: how tokens are drawn.
    """
    _check(decoder, prompt, max_new_tokens)
    model = _CachedDecoder(decoder, memory, memory_is_token, suppressed, n_candidates, steps)
    generator = sampling.generator()
    return _one_by_one(model, prompt, end, max_new_tokens, lambda logits: sampling.drawn(logits, generator))


def _one_by_one(
    model: _CachedDecoder, prompt: Sequence[int], end: int | None, max_new_tokens: int, choose: Callable[[Tensor], int]
) -> Decoded:
    """One text, each token chosen from the logarithms of the probabilities [V], which are logits too."""
    text = Hypothesis(tuple(prompt))
    steps: list[DecodingStep] = []
    while text.n_new < max_new_tokens and not text.is_finished:
        log_probabilities, step = model.next_token((text,))  # [1, V]
        token = choose(log_probabilities[0])
        text = text.extended(token, float(log_probabilities[0, token]), end)
        steps.append(step)
    return Decoded(text, tuple(steps), (text,))


def beam_search(
    decoder: Decoder,
    prompt: Sequence[int],
    *,
    width: int = 4,
    end: int | None,
    max_new_tokens: int,
    length_penalty: float = 0.6,
    memory: Tensor | None = None,
    memory_is_token: Tensor | None = None,
    suppressed: Sequence[int] = (),
    n_candidates: int = 5,
) -> Decoded:
    """Extend the `width` most probable texts at once, so that a token that pays off later is not lost.

    A finished text is set aside and the beam becomes narrower by one; the search ends when all are finished. The
    arguments not listed are those of `greedy_search`.

    Args:
        width: number of beams.
        length_penalty: of `Hypothesis.score`, which orders the result.
    Source: "Attention Is All You Need" (2017), section 6.1: width 4, penalty 0.6.
    """
    _check(decoder, prompt, max_new_tokens)
    check_size("width", width)
    model = _CachedDecoder(decoder, memory, memory_is_token, suppressed, n_candidates)
    active: tuple[Hypothesis, ...] = (Hypothesis(tuple(prompt)),)
    finished: list[Hypothesis] = []
    steps: list[DecodingStep] = []
    while active and active[0].n_new < max_new_tokens:
        log_probabilities, step = model.next_token(active)  # [R, V]
        best = _most_probable(active, log_probabilities, width - len(finished))  # (row, token) of each text to keep
        texts = tuple(active[row].extended(token, float(log_probabilities[row, token]), end) for row, token in best)
        steps.append(step)
        finished += [text for text in texts if text.is_finished]
        active = tuple(text for text in texts if not text.is_finished)
        model.cache.select([row for (row, _), text in zip(best, texts, strict=True) if not text.is_finished])
    beams = sorted([*finished, *active], key=lambda text: text.score(length_penalty), reverse=True)
    return Decoded(beams[0], tuple(steps), tuple(beams))


def _most_probable(texts: Sequence[Hypothesis], log_probabilities: Tensor, n: int) -> list[tuple[int, int]]:
    """The n extensions of these R texts with the largest log P(text) + log P(token | text), as (row, token)."""
    next_token = log_probabilities.cpu().double()  # [R, V]
    so_far = torch.tensor([text.log_probability for text in texts], dtype=torch.float64)  # [R]
    totals = (so_far[:, None] + next_token).flatten()  # [R·V]
    possible = int((totals > -torch.inf).sum())  # all but the suppressed tokens
    best = totals.topk(min(n, possible)).indices  # [n], each row · V + token
    return [divmod(number, next_token.shape[1]) for number in best.tolist()]


class _CachedDecoder:
    """A decoder with the cache of one search."""

    def __init__(
        self, decoder: Decoder, memory: Tensor | None, memory_is_token: Tensor | None,
        suppressed: Sequence[int], n_candidates: int, steps: RecordedSteps | None = None,
    ) -> None:  # fmt: skip
        self.decoder, self.memory, self.memory_is_token = decoder, memory, memory_is_token
        self.suppressed, self.n_candidates = list(suppressed), min(n_candidates, decoder.config.vocab_size)
        self.cache, self.steps = KeyValueCache(), steps

    def next_token(self, texts: tuple[Hypothesis, ...]) -> tuple[Tensor, DecodingStep]:
        """Log-probabilities of the next token [R, V], and the step as it is kept."""
        new = [text.ids[self.cache.n_tokens :] for text in texts]  # the whole prompt at first, then one token each
        ids = torch.tensor(new, device=self.decoder.embed.tokens.weight.device)  # [R, T]
        with torch.no_grad(), record() if self.steps is None else nullcontext(self.steps.run) as run:
            logits = self.decoder(ids, self.memory, memory_is_token=self.memory_is_token, cache=self.cache)[:, -1]
        check_finite(logits=logits)  # [R, V]
        logits[:, self.suppressed] = -torch.inf
        if self.steps is not None:
            self.steps(ids, logits)
        log_probabilities = torch.log_softmax(logits, dim=-1)  # [R, V]
        candidates = log_probabilities.topk(self.n_candidates)  # [R, n_candidates]
        places = [place for place in run.places if place.startswith("decoder.")]
        weights = {place: run[f"{place}.weights"][:, :, -1].clone() for place in places}  # [R, H, T_k]
        return log_probabilities, DecodingStep(
            texts, candidates.indices, candidates.values.exp(), MappingProxyType(weights)
        )


def _check(decoder: Decoder, prompt: Sequence[int], max_new_tokens: int) -> None:
    """Refuse a text that this decoder cannot write."""
    if decoder.training:
        raise InputError(id="in-training-mode")
    check_size("max_new_tokens", max_new_tokens, least=0)
    if not prompt:
        raise InputError(id="empty-prompt")
    needed, limit = len(prompt) + max_new_tokens, decoder.config.max_tokens
    if needed > limit and decoder.embed.positions is not None:
        raise TooLong(id="too-few-positions", n=needed, limit=limit)
