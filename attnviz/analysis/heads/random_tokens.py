"""Random tokens that are repeated, on which induction heads and duplicate-token heads are measured.

What follows such a token can be known from its earlier places alone.

Source: Olsson et al. 2022, appendix "Head activation evaluators", prefix matching: 25 random tokens without the most
and the least common ones, four times, after a start token.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from attnviz.analysis.heads.rows import is_punctuation
from attnviz.core.errors import AttnvizError, InputError, TooLong
from attnviz.trace.given import Given, Ids
from attnviz.trace.model_protocol import HasTokenizer, Model
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

SEQUENCES = 4  # of a survey, seeded 0, 1, …
SHAPES = ((25, 4), (20, 2), (10, 2))  # how many tokens, and how often: the first that the model has room for
RUN = 40  # sentences of a model of its own small vocabulary
MOST_COMMON = 10  # of a hundred tokens, those that are left out; the least common ones stand in no sentence


def repeated_traces(model: Model, sentences: Sequence[Given], n: int = SEQUENCES) -> tuple[Trace, ...]:
    """The runs over `n` sequences of random tokens of these sentences; none if the model can read none."""
    split = list(_split(model, sentences))
    if not split:
        return ()
    drawn = _less_common(split)
    traces = (_traced(model, split[0], random.Random(seed), drawn) for seed in range(n))
    return tuple(trace for trace in traces if trace is not None)


def _split(model: Model, sentences: Sequence[Given]) -> Iterator[Tokens]:
    """The tokens of each sentence that the model reads; of the first ones, where it has to run for that."""
    for sentence in sentences if isinstance(model, HasTokenizer) else sentences[:RUN]:
        try:
            if isinstance(model, HasTokenizer):
                yield model.tokenizer.tokens(sentence)
            else:
                yield model.trace(sentence).tokens.source
        except AttnvizError:  # too long, or words outside a small vocabulary
            continue


def _less_common(split: Sequence[Tokens]) -> list[int]:
    """The ids of their words without the most common ones."""
    ids = Counter(
        id
        for tokens in split
        for id, text, is_special, is_unknown in zip(
            tokens.ids, tokens.text, tokens.special, tokens.unknown, strict=True
        )
        if not (is_special or is_unknown or is_punctuation(text))
    )
    in_order = sorted(ids, key=lambda id: (-ids[id], id))
    return sorted(in_order[len(in_order) * MOST_COMMON // 100 :])


def _traced(model: Model, like: Tokens, draw: random.Random, ids: Sequence[int]) -> Trace | None:
    """The run over one such sequence, between the tokens that the model puts around a text; None if it reads none."""
    first = next((at for at, special in enumerate(like.special) if not special), 0)
    last = next((at for at, special in enumerate(reversed(like.special)) if not special), 0)
    before, after = like.ids[:first], like.ids[len(like.ids) - last :]
    for n, times in SHAPES:
        drawn = tuple(draw.sample(ids, min(n, len(ids)))) * times
        sequence = Ids((*before, *drawn, *after))
        try:
            trace = model.trace(sequence)
            target = trace.tokens.target
            return trace if target is None else model.trace(sequence, Ids((target.ids[0], *drawn)))
        except TooLong:
            continue
        except InputError:  # the decoder has another vocabulary
            return None
    return None
