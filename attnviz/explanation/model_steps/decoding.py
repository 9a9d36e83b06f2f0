"""Writing one token after another: what was proposed at each step, and which keys and values were new or reused.

Taken from one run over the finished text: in a causal decoder a row never depends on later tokens, so row t is what the
decoder computed when it had read t + 1 tokens.
"""

from dataclasses import dataclass

from attnviz.core.errors import StepError
from attnviz.core.site import Site
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
    if not sites or trace.prediction is None:
        raise StepError(
            f"{trace.card.name} has no decoder, so nothing is written token by token. Choose a model that writes.",
            id="no-decoder", model=trace.card.name,
        )  # fmt: skip
    if not all(_looks_back(trace, site) for site in sites if site.kind == "self"):
        raise StepError(
            "In this run the decoder looks ahead, so its text was not written token by token. "
            "Put the causal mask back.",
            id="looks-ahead",
        )  # fmt: skip
    tokens = trace.query_tokens(sites[0])
    crosses = any(site.kind == "cross" for site in sites)
    source = tuple(range(len(trace.tokens.source))) if crosses else ()
    steps = []
    for at in range(len(tokens)):
        row = zip(trace.prediction.texts[at], trace.prediction.ids[at], trace.prediction.probabilities[at], strict=True)
        proposed = tuple(Candidate(text, int(number), float(share)) for text, number, share in row)
        following = at + 1 if at + 1 < len(tokens) else None
        first, later = (source, ()) if at == 0 else ((), source)
        steps.append(GenerationStep(at, proposed, following, (at,), tuple(range(at)), first, later))
    return tuple(steps)


def _looks_back(trace: Trace, site: Site) -> bool:
    mask = trace[site].source.mask
    allowed = mask.allowed_rows(0, mask.n_queries)[0]  # [T, T]
    return not bool(allowed.triu(1).any())
