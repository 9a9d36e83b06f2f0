"""The lead of a likely word over the next one, taken apart once for all that Heads says of it."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from attnviz_app.heads.looks.head_names import name_in_words, place_of

from attnviz.analysis.circuits.logits import wrote
from attnviz.analysis.circuits.missing_word import Brings, added_by_head, brings
from attnviz.analysis.circuits.writers import Writer
from attnviz.bounded_cache import BoundedCache
from attnviz.core.site import Site
from attnviz.text import Strings, sentences, signed
from attnviz.trace.decoder_rows import continues
from attnviz.trace.trace import Trace
from attnviz.views.heads import revision_of
from attnviz.views.heads.attention_parts import part_of, sites_of
from attnviz.views.home import SHOWN
from attnviz.views.panel.blocks import Prose

KEPT_BYTES = 32 * 1024**2  # of leads, of all visitors together
DECIMALS = 2
UNSEEN = 0.5 * 10**-DECIMALS  # a part that prints as 0


@dataclass(frozen=True, eq=False)
class Lead:
    """What is kept of a `Wrote`: neither its run nor its model."""

    position: int
    text: str
    against_text: str
    logit: float
    writers: tuple[Writer, ...]
    parts: tuple[float, ...]
    sources: pd.DataFrame  # as of `Wrote.sources`
    added: "pd.Series[float]"  # of each head, by site and head
    brings: Brings | None  # the head that Home shows too; None of a model that does not go on with its text


_kept: BoundedCache[Lead] = BoundedCache(KEPT_BYTES, lambda lead: int(lead.sources.memory_usage(deep=True).sum()))


def lead_of(trace: Trace, row: int, word: int) -> Lead:
    """One of the likeliest words of a row beside the next, counted from 0.

    Raises:
        AttnvizError: the logits are no such sum.
    """
    return _kept.get((revision_of(trace), row, word), lambda: _taken_apart(trace, row, word))


def _taken_apart(trace: Trace, row: int, word: int) -> Lead:
    assert trace.predicted_tokens is not None
    made = wrote(trace, row, *trace.predicted_tokens.ids[row, word : word + 2].tolist())
    sources = made.sources()
    brought = brings(made, sources, max(0, row + 1 - SHOWN)) if continues(trace) else None
    return Lead(
        made.position, made.text, made.against_text, made.logit, made.writers, tuple(made.parts.tolist()), sources,
        added_by_head(made), brought,
    )  # fmt: skip


def in_words(trace: Trace, lead: Lead, part: str, say: Strings) -> tuple[Prose, ...]:
    """The head that adds most, and the one that brings the word where that is another; the last of them leads to it."""
    say, words = say.of(trace.card.tokens), {"token": lead.text, "other": lead.against_text}
    site, head = lead.added.idxmax()
    most = str(site), int(head)
    if lead.added[most] < UNSEEN:
        return (Prose(say("heads-adds-none", **words)),)

    def said(id: str, place: tuple[str, int], more: dict[str, str]) -> Prose:
        at, head, added = Site.parse(place[0]), place[1], signed(float(lead.added[place]), DECIMALS)
        sentence = say(id, named_head=name_in_words(trace, at, head, say), value=added, **words, **more)
        return Prose(sentence, place_of(trace, at, head, part, lead.position))

    moved = _moved(trace, lead, say)
    if moved and lead.brings and most == lead.brings[:2]:
        return (said("heads-adds-most-from", most, moved),)
    first = said("heads-adds-most", most, {})
    return (first, said("heads-brings-most", lead.brings[:2], moved)) if moved and lead.brings else (first,)


def moved_in_words(trace: Trace, lead: Lead, site: Site, key: int, say: Strings) -> Prose:
    """The head of a part that moves most from a key into the lead, and what the one with the largest weight moves."""
    say, words = say.of(trace.card.tokens), {"token": lead.text, "other": lead.against_text}
    words["key"] = trace.key_tokens(site).name(key)
    sites = [each.key for each in sites_of(trace, part_of(site))]
    of_key = lead.sources[(lead.sources["token"] == key) & lead.sources["site"].isin(sites)]
    most, heaviest = (of_key.loc[of_key[by].idxmax()] for by in ("value", "weight"))

    def said(id: str, row: "pd.Series[Any]") -> str:
        head = name_in_words(trace, Site.parse(str(row["site"])), int(row["head"]), say)
        value, weight = signed(float(row["value"]), DECIMALS), f"{100 * row['weight']:.0f}%"
        return say(id, named_head=head, value=value, percent=weight, **words)

    if float(most["value"]) < UNSEEN:
        looks = [said("heads-moved-weight", heaviest)] if float(heaviest["weight"]) >= UNSEEN else []
        return Prose(sentences(say("heads-moved-none", **words), *looks))
    is_same = (most["site"], most["head"]) == (heaviest["site"], heaviest["head"])
    second = "heads-moved-against" if float(heaviest["value"]) <= -UNSEEN else "heads-moved-weight"
    last = say("heads-moved-same") if is_same else said(second, heaviest)
    return Prose(sentences(said("heads-moved-most", most), last))


def _moved(trace: Trace, lead: Lead, say: Strings) -> dict[str, str]:
    """What the head that brings the word took from an earlier one, and from which; nothing where none does."""
    if lead.brings is None or lead.brings.key >= lead.position or lead.brings.moved < UNSEEN:
        return {}
    key = trace.key_tokens(Site.parse(lead.brings.site)).name(lead.brings.key)
    return {"moved": signed(lead.brings.moved, DECIMALS), "key": key}
