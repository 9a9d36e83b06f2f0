"""Writing one token after another: what was proposed at each step, and which keys and values were new or reused.

Taken from one run over the finished text: in a causal decoder a row never depends on later tokens, so row t is what the
decoder computed when it had read t + 1 tokens.
"""

from dataclasses import dataclass

from attnviz.core.errors import StepError
from attnviz.trace.trace import Trace


@dataclass(frozen=True)
class Candidate:
    text: str
    id: int
    probability: float  # of the whole vocabulary


@dataclass(frozen=True)
class GenerationStep:
    step: int  # from 0
    candidates: tuple[Candidate, ...]  # the most probable next tokens that the trace keeps, best first
    chosen: int | None  # which token of the text came next; None at its end
    new: tuple[int, ...]  # decoder tokens whose keys and values are made in this step
    reused: tuple[int, ...]  # those that wait in the cache
    new_source: tuple[int, ...]  # source tokens whose keys and values cross-attention makes in this step
    reused_source: tuple[int, ...]


def generation_steps(trace: Trace) -> tuple[GenerationStep, ...]:
    """How the decoder wrote its text, one step for each token.

    Raises:
        StepError: the model writes nothing, or its tokens can attend to later ones, so that rows depend on them.
    """
    sites = [site for site in trace.sites if site.stack == "decoder"]
    predicted = trace.predicted_tokens
    if not sites or predicted is None:
        raise StepError(id="no-decoder", model=trace.card.name)
    masks = [trace[site].source.mask for site in sites if site.kind == "self"]
    if any(bool(mask.allowed_rows(0, mask.n_queries)[0].triu(1).any()) for mask in masks):
        raise StepError(id="looks-ahead")
    crosses = any(site.kind == "cross" for site in sites)
    source = tuple(range(len(trace.tokens.source))) if crosses else ()
    texts, ids, shares = predicted.texts, predicted.ids.tolist(), predicted.probabilities.tolist()
    steps = []
    for at, row in enumerate(zip(texts, ids, shares, strict=True)):
        proposed = tuple(Candidate(text, number, share) for text, number, share in zip(*row, strict=True))
        following = at + 1 if at + 1 < len(texts) else None
        first, later = (source, ()) if at == 0 else ((), source)
        steps.append(GenerationStep(at, proposed, following, (at,), tuple(range(at)), first, later))
    return tuple(steps)
