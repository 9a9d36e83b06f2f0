"""The home view: one sentence as a story, from the word it lacks to the numbers of one head, and ways on.

Packs; draws nothing.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.analysis.heads.sinks import sinks
from attnviz.core.site import Site
from attnviz.trace.decoder_rows import continues
from attnviz.trace.trace import Trace
from attnviz.views.headers import Message, catalogue, picture_header
from attnviz.views.heads import revision_of
from attnviz.views.heads.attention_parts import Part, sites_of
from attnviz.views.heads.first_pick import Pick, inside, telling_token
from attnviz.views.heads.long_heads import quantise
from attnviz.views.heads.tokens import is_word, token_rows
from attnviz.views.heads.written_tokens import predicted_by
from attnviz.views.home.header import Candidate, HomeHeader
from attnviz.views.pack import pack
from attnviz.views.view import View

SHOWN = 32  # tokens of the sentence; the Heads page shows all of a longer one
PART: Part = "encoder"  # of a model that also writes: how it reads the sentence, whose tokens are rows and columns
WAYS = ("heads", "step", "lessons", "compare", "train")  # the pages that the story and two small pictures lead to


def home(
    trace: Trace, pick: Pick, *, links: Mapping[str, str], compares: str = "training", is_trained: bool = True,
    lang: str = "en", size: str = "normal",
) -> View:  # fmt: skip
    """Show one sentence of a run; the numbers of its story come after it, as `story` packs them.

    Args:
        pick: the head and the token; see `standout`.
        links: the address of each of `WAYS`, with this sentence.
        compares: what the way to Compare shows of the head: "training", before and after, or "texts", on two of them.
        is_trained: whether anything was learnt; what an untrained model predicts is chance.
    """
    sites = sites_of(trace, PART)
    pick = with_row(inside(pick, trace, sites), trace, sites)
    tokens, shown = trace.tokens.source, window_of(trace)
    header: HomeHeader = {
        **picture_header("home", revision_of(trace), lang, size, [trace.card]),
        "links": dict(links),
        "text": tokens.source,
        "model": catalogue(lang).named(trace.card.name),
        "heads": len(sites) * trace[sites[0].key].n_heads,
        "tokens": token_rows(tokens)[shown.start : shown.stop],
        "before": shown.start,
        "after": len(tokens) - shown.stop,
        "steps": steps_of(trace, is_trained=is_trained),
        "candidates": _candidates(trace),
        "is_next": continues(trace),
        "writes": trace.tokens.target.source if trace.tokens.target is not None else "",
        "is_trained": is_trained,
        "compares": compares,
        "selection": {"layer": pick.layer, "head": pick.head, "token": shown_at(shown, pick.token or 0)},
    }
    weights = trace[sites[pick.layer].key].weights(pick.head, slice(shown.start, shown.stop))[
        :, shown.start : shown.stop
    ]
    arrays = {"weights": weights.float().cpu().numpy()}  # [n, n]
    return View("home", pack(header, arrays), header["revision"], title=tokens.source[:80])


def steps_of(trace: Trace, *, is_trained: bool = True) -> list[str]:
    """What can be told of a run: the word that is missing, a head's arcs, its row, the arithmetic of a weight, what the
    head adds to the word, and what is predicted without it.
    """
    told = ["arcs", "row", "score"]
    if place_of(trace) is not None:
        told = ["word", *told]
    if not is_trained or trace.tokens.target is not None:
        return told
    return [*told, "adds", "off"] if continues(trace) else [*told, "off"]


def place_of(trace: Trace) -> int | None:
    """The row whose word is missing: the last of a text that goes on, else its first blank."""
    predicted = predicted_by(trace, PART)
    return predicted["first"] if predicted and trace.tokens.target is None else None


def window_of(trace: Trace) -> slice:
    """The tokens that are shown: of a text that goes on its last ones."""
    n = len(trace.tokens.source)
    return slice(max(0, n - SHOWN), n) if continues(trace) else slice(0, min(n, SHOWN))


def with_row(pick: Pick, trace: Trace, sites: Sequence[Site]) -> Pick:
    """The head with the row that the story is about."""
    place = place_of(trace)
    if place is not None:
        return pick._replace(token=place)
    return pick if pick.token is not None else pick._replace(token=telling_token(trace, sites[pick.layer], pick.head))


def shown_at(shown: slice, token: int) -> int:
    """A token of the text, counted from the first that is shown; one outside becomes the nearest."""
    return min(max(token, shown.start), shown.stop - 1) - shown.start


def _candidates(trace: Trace) -> list[Candidate]:
    place, predicted = place_of(trace), predicted_by(trace, PART)
    if place is None or predicted is None:
        return []
    return [{"text": text, "share": share} for text, share in predicted["rows"][place]]


def pair(first: Trace, second: Trace, pick: Pick, *, shown: Trace) -> bytes:
    """One head in two runs of as many tokens, for the picture that leads to Compare.

    Args:
        shown: the run that Home shows.
    """
    pick = inside(pick, shown, sites_of(shown, PART))
    records = [trace[sites_of(trace, PART)[pick.layer].key] for trace in (first, second)]
    maps = torch.stack([record.preview(pick.head, SHOWN) for record in records])  # [2, ≤48, ≤48]
    header: Message = {"view": "home-pair", "revision": revision_of(shown)}
    return pack(header, {"maps": quantise(maps)})


def formation(weights: NDArray[np.float32]) -> bytes:
    """One head at a few moments of a training, for the picture that leads to Training: [moments, T_q, T_k]."""
    header: Message = {"view": "home-formation", "revision": ""}
    return pack(header, {"maps": quantise(torch.from_numpy(weights))})


def standout(trace: Trace) -> Pick:
    """The head, and its row, in which one word gets most beyond what the rows that can see it give it on average.

    Words beside each other do not count, for a head that looks at the previous token says little of a sentence; nor do
    sinks. The row is the last one of a model that continues its text, as that writes what comes next, and the blank of
    a text that has one.
    """
    sites = sites_of(trace, PART)
    tokens = trace.tokens.source
    shown = window_of(trace)
    nothing = sinks(trace, sites).tokens
    words = [at for at in range(shown.start, shown.stop) if is_word(tokens, at) and at not in nothing]
    blank = None if continues(trace) else place_of(trace)
    rows = [shown.stop - 1] if continues(trace) else words if blank is None or blank >= shown.stop else [blank]
    best, pick = -1.0, Pick(len(sites) - 1, 0, rows[0] if rows else 0)
    for layer, site in enumerate(sites):
        weights = trace[site.key].weights(rows=shown)[:, :, : shown.stop]  # [H, n, ≤T_k]
        above = weights - weights.sum(1, keepdim=True) / (weights > 0).sum(1, keepdim=True).clamp(min=1)
        for query in rows:
            far = [key for key in words if abs(key - query) > 1 and tokens.text[key] != tokens.text[query]]
            if not far:
                continue
            most = above[:, query - shown.start, far].amax(-1)  # [H]
            head = int(most.argmax())
            if float(most[head]) > best:
                best, pick = float(most[head]), Pick(layer, head, query)
    return pick
