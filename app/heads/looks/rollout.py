"""Attention rollout as blocks of a panel: what it is, its formula, and its maps."""

import torch
from attnviz_app.step.looks.token_slice import of_tokens, said, token_map

from attnviz.analysis.heads.rollout import Rollout, cross_rollout, rollout
from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Maps, Prose

LAYER, ALL, CROSS = "Āₗ = ½ · (1/H) Σₕ Wₗ,ₕ + ½ · I", "R = Āₙ ··· Ā₁", "R = R(decoder) · C̄ · R(encoder)"
OVER = "R̃ᵢⱼ = (Rᵢⱼ / Eᵢⱼ) / Σₖ (Rᵢₖ / Eᵢₖ)"


def blocks(trace: Trace, site: Site, part: str, start: int, say: Strings) -> tuple[Block, ...]:
    """The sentence, the formulas and the maps of one part of a run.

    Args:
        start: of a long text, the first token that is drawn.
    Raises:
        LimitError: the text is too long for a matrix of every token with every token.
    """
    rolled_out = (
        cross_rollout(trace) if part == "cross" else rollout(trace, "encoder" if part == "encoder" else "decoder")
    )
    formulas = (*((CROSS,) if part == "cross" else ()), LAYER, ALL, *((OVER,) if has_baseline(rolled_out) else ()))
    even = (Prose(say("heads-rollout-even")),) if has_baseline(rolled_out) else ()
    words = (Prose(say(f"heads-rollout-{part}")), Prose("\u2003\u2003".join(formulas)), *even)
    return (*words, *rollout_maps(trace, site, rolled_out, say, start=start))


def has_baseline(rolled_out: Rollout) -> bool:
    """Whether the mask lets some positions see more than others, so that it alone prefers some tokens."""
    diagonal = torch.eye(
        *rolled_out.even.shape, dtype=torch.bool
    )  # the path around the attention is there for every position
    others = rolled_out.even[~diagonal]
    return bool(others.numel() and others.max() - others.min() > 1e-9)


def rollout_maps(trace: Trace, site: Site, rolled_out: Rollout, say: Strings, *, start: int = 0) -> tuple[Block, ...]:
    """The rollout, and beside it what it holds beyond the mask, where the mask prefers some tokens."""
    queries = row_tokens(trace, site.stack) if site.kind == "cross" else trace.query_tokens(site)
    rows, columns = of_tokens(queries, start), of_tokens(trace.key_tokens(site), start)
    maps = [token_map(say("heads-rollout-map"), rolled_out.values.float(), rows, columns, say)]
    if has_baseline(rolled_out):
        maps.append(token_map(say("heads-rollout-over"), rolled_out.over_even.float(), rows, columns, say))
    return (*said(say, rows, columns), Maps(maps))
