"""The numbers of the story on Home: one head's row, the arithmetic of its largest weight, what it adds, and what is
predicted without it."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.analysis.circuits.missing_word import MissingWord
from attnviz.analysis.heads.effect import Effect, Effects
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.trace.trace import Trace
from attnviz.training.tasks.poetry.verse import verse
from attnviz.views.headers import HeadIndex
from attnviz.views.heads import revision_of
from attnviz.views.heads.attention_parts import sites_of
from attnviz.views.heads.first_pick import Pick, inside
from attnviz.views.home import PART, shown_at, window_of, with_row
from attnviz.views.home.header import Added, HomeStory, Moved, Score
from attnviz.views.pack import pack

LARGEST = 5  # heads that have a bar of their own, beside the one of the story


def story(trace: Trace, pick: Pick, told: MissingWord | Effects | str = "") -> bytes:
    """Pack the story of one head.

    Args:
        pick: the head and the row; of a `MissingWord` its own head.
        told: what the head adds to the word and what is predicted without it, or what silencing it changes, or why
            neither can be told.
    """
    sites = sites_of(trace, PART)
    if isinstance(told, MissingWord):
        site = next(at for at, site in enumerate(sites) if site.key == told.site)
        pick = Pick(site, told.head)
    pick = with_row(inside(pick, trace, sites), trace, sites)
    record, row, shown = trace[sites[pick.layer].key], pick.token or 0, window_of(trace)
    of_row = record.weights(pick.head, slice(row, row + 1))[0]  # [T_k]
    key = shown.start + int(of_row[shown].argmax())
    score, products, scores = _score(trace, sites[pick.layer], pick.head, row, key)
    header: HomeStory = {
        "view": "home-story", "revision": revision_of(trace),
        "selection": {"layer": pick.layer, "head": pick.head, "token": shown_at(shown, row)},
        "key": key - shown.start, "score": score,
    }  # fmt: skip
    if isinstance(told, MissingWord):
        header |= {
            "lead": told.wrote.logit, "moved": told.moved, "added": _added(told),
            "is_same_place": _is_same_place(trace, row, key),
            "without": [
                {
                    "heads": [_place(*head) for head in run.heads], "link": muted(run.heads), "text": run.text,
                    "share": run.share, "is_other": run.is_other,
                }
                for run in told.silenced
            ],
            "candidates": [{"text": one.text, "shares": list(one.shares)} for one in told.candidates],
        }  # fmt: skip
    elif isinstance(told, Effects):
        header |= {
            "measure": told.measure, "watched": told.token or "", "start": told.chosen.before,
            "effects": [_moved(each) for each in (told.chosen, *told.others)],
        }  # fmt: skip
    elif told:
        header["reason"] = told
    weights = record.weights(pick.head, shown)[:, shown]  # [n, n]
    return pack(header, {
        "weights": weights.float().cpu().numpy(), "products": products,
        "scores": scores[shown].astype(np.float32),
    })  # fmt: skip


def _score(
    trace: Trace, site: Site, head: int, row: int, key: int
) -> tuple[Score, NDArray[np.float32], NDArray[np.float64]]:
    """The arithmetic of one weight, its products [d_k], none where its score is no such product, and the scores of
    its row [T_k]."""
    record, rows = trace[site.key], slice(row, row + 1)
    scores = record.masked(head, rows)[0].double()  # [T_k]
    shares = torch.exp(scores - scores.max())  # [T_k]
    weight = float(record.weights(head, rows)[0, key])
    score: Score = {
        "raw": None, "scale": 1.0, "score": float(scores[key]), "share": float(shares[key]),
        "total": float(shares.sum()), "weight": weight,
    }  # fmt: skip
    try:
        products = (record.q(head, rows)[0] * record.k(head)[key]).double()  # [d_k]
        score |= {"raw": float(products.sum()), "scale": record.replay.scale_of(head)}
    except AttnvizError:
        products = torch.zeros(0, dtype=torch.float64)
    return score, products.float().cpu().numpy(), scores.cpu().numpy()


def _added(told: MissingWord) -> list[Added]:
    """The head's own part of the lead, the largest of other heads, and what all others of each kind wrote; the largest
    is first.
    """
    place = (told.site, told.head)
    heads: list[tuple[tuple[str, int], float]] = []
    others_of: dict[str, list[float]] = {"feed-forward": [], "rest": []}
    for writer, part in zip(told.wrote.writers, told.wrote.parts.tolist(), strict=True):
        if writer.kind == "head":
            heads.append(((writer.site, writer.head or 0), part))
        else:
            others_of[writer.kind if writer.kind in others_of else "rest"].append(part)
    heads.sort(key=lambda one: (one[0] != place, -abs(one[1])))
    parts: list[Added] = [
        {"kind": "head", "value": value, "n": 1, "place": _place(*head)} for head, value in heads[: LARGEST + 1]
    ]
    others = heads[LARGEST + 1 :]
    if others:
        parts.append({"kind": "heads", "value": sum(value for _, value in others), "n": len(others)})
    for kind, values in others_of.items():
        if values:
            parts.append({"kind": kind, "value": sum(values), "n": len(values)})
    return sorted(parts, key=lambda part: -part["value"])


def _is_same_place(trace: Trace, row: int, key: int) -> bool:
    """Whether, in a poem, the character to come has the place in its line that this token has in the line before."""
    poem = verse(tuple(trace.tokens.source.text[1 : row + 1])) if trace.card.tokens else None
    if poem is None:
        return False
    line, place = divmod(row - poem.lines[0], poem.width + 1)
    return line > 0 and place < poem.width and key == poem.column(line - 1, place)


def muted(heads: Sequence[tuple[str, int]]) -> str:
    """Which heads are silenced, as `if` says it in the link of Step through."""
    return "~".join(f"mute.{site}.{head + 1}" for site, head in heads)


def _place(site: str, head: int) -> HeadIndex:
    return [Site.parse(site).layer, head]


def _moved(each: Effect) -> Moved:
    return {"place": _place(each.edit.site, each.head), "after": each.after}
