"""The home view: a sentence with one head's lines over it, and small pictures of what every page does with it.

Packs; draws nothing.
"""

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.trace.decoder_rows import continues, next_words
from attnviz.trace.trace import Trace
from attnviz.views.headers import Message, picture_header
from attnviz.views.heads import revision_of
from attnviz.views.heads.attention_parts import sites_of
from attnviz.views.heads.first_pick import Pick, inside, telling_token
from attnviz.views.heads.long_heads import quantise
from attnviz.views.heads.tokens import is_word, token_rows
from attnviz.views.heads.weight_arrays import head_maps
from attnviz.views.home.header import HomeHeader
from attnviz.views.pack import pack
from attnviz.views.view import View

SHOWN = 48  # tokens of the sentence; the Heads page shows all of a longer one
SMALL = 16  # cells a side of a head in the picture of all heads
PART = "encoder"  # of a model that also writes: how it reads the sentence, whose tokens are rows and columns
WAYS = ("step", "heads", "compare", "train")  # the pages that a small picture leads to


def home(
    trace: Trace, pick: Pick, *, links: Mapping[str, str], compares: str = "training", lang: str = "en",
    size: str = "normal",
) -> View:  # fmt: skip
    """Show one head of a run as lines over its sentence, and where to go from there.

    Args:
        pick: the head and the token; see `standout`.
        links: the address of each of `WAYS`, with this sentence.
        compares: what the way to Compare shows of the head: "training", before and after, or "texts", on two of them.
    """
    sites = sites_of(trace, PART)
    pick = inside(pick, trace, sites)
    site = sites[pick.layer]
    if pick.token is None:
        pick = pick._replace(token=telling_token(trace, site, pick.head))
    tokens = trace.tokens.source
    n = min(len(tokens), SHOWN)
    weights = trace[site.key].weights(pick.head, slice(0, n))[:, :n]  # [n, n]
    words = next_words(trace) if continues(trace) else ()
    shares = trace.prediction.probabilities[:n, 0].tolist() if words and trace.prediction else []
    header: HomeHeader = {
        **picture_header("home", revision_of(trace), lang, size, [trace.card]),
        "links": dict(links),
        "text": tokens.source,
        "model": trace.card.name,
        "layers": len(sites),
        "heads": trace[site.key].n_heads,
        "tokens": token_rows(tokens, words)[:n],
        "hidden": len(tokens) - n,
        "shares": shares,
        "compares": compares,
        "selection": {"layer": pick.layer, "head": pick.head, "token": min(pick.token or 0, n - 1)},
    }
    arrays = {"weights": weights.float().cpu().numpy(), "maps": head_maps(trace, sites, SMALL)}
    return View("home", pack(header, arrays), header["revision"], title=tokens.source[:80])


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

    Words beside each other do not count: a head that looks at the previous token says little of a sentence. Of a model
    that continues its text the row is the last one, which writes what comes next.
    """
    sites = sites_of(trace, PART)
    tokens = trace.tokens.source
    n = min(len(tokens), SHOWN)
    words = [at for at in range(n) if is_word(tokens, at)]
    rows = [n - 1] if continues(trace) else words
    best, pick = -1.0, Pick(len(sites) - 1, 0, rows[0] if rows else 0)
    for layer, site in enumerate(sites):
        weights = trace[site.key].weights(rows=slice(0, n))[:, :, :n]  # [H, n, n]
        above = weights - weights.sum(1, keepdim=True) / (weights > 0).sum(1, keepdim=True).clamp(min=1)  # [H, n, n]
        for query in rows:
            far = [key for key in words if abs(key - query) > 1 and tokens.text[key] != tokens.text[query]]
            if not far:
                continue
            most = above[:, query, far].amax(-1)  # [H]
            head = int(most.argmax())
            if float(most[head]) > best:
                best, pick = float(most[head]), Pick(layer, head, query)
    return pick
