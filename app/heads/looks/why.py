"""A sum over writers as blocks of a panel: its parts as bars from one zero line, what is left, and the total."""

from collections.abc import Sequence
from typing import NamedTuple

from attnviz_app.heads.looks import every_head
from attnviz_app.heads.looks.head_names import name_in_words, name_of, place_of
from attnviz_app.heads.looks.lead import Lead, in_words, lead_of, moved_in_words

from attnviz.analysis.circuits.score_ledger import Why, why
from attnviz.analysis.circuits.writers import Writer
from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.text import Strings, signed
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import part_of
from attnviz.views.panel.blocks import Block, Fact, Facts, Prose, Table
from attnviz.views.panel.blocks import Lead as Place

MOST = 12  # rows before the rest is one
DECIMALS = 3
UNSEEN = 0.5 * 10**-DECIMALS  # a part that prints as 0
TELLING = 0.2  # of the score, that a head must write for a sentence of its own
SMALL = 0.1  # of all parts' sizes, that the rest may hold with fewer rows


class Row(NamedTuple):
    """One writer's part of a sum."""

    name: str
    part: float
    place: Place | None = None  # of a head


def blocks(trace: Trace, site: Site, head: int, query: int, key: int, say: Strings) -> tuple[Block, ...]:
    """The score in parts, and, where a next token is predicted here, who wrote its lead.

    Raises:
        AttnvizError: the score of this model is no such sum.
    """
    shown = why_blocks(trace, why(trace, site, head, query, key), say)
    about = (Prose(say("heads-why-about")), Prose(say("heads-why-no-proof")))
    tokens = trace.tokens.target or trace.tokens.source
    if trace.predicted_tokens is None:
        named = trace.card.left_out
        left_out = (Prose(say("heads-why-left-out", head=named)),) if named else ()
        return (*shown, Prose(say("error-no-vocabulary", model=trace.card.name)), *left_out, *about)
    if trace.query_tokens(site) is not tokens:
        return (*shown, *about)
    return (*shown, *wrote_blocks(trace, lead_of(trace, query, 0), site, head, say), *about)


def word_blocks(trace: Trace, site: Site, head: int, query: int, word: int, say: Strings) -> tuple[Block, ...]:
    """Who wrote that one of the likeliest words is ahead of the next, counted from 0.

    Raises:
        AttnvizError: no words are predicted here, or their logits are no such sum.
    """
    lead = _lead_of_row(trace, site, query, word)
    of_heads: tuple[Block, ...] = (*in_words(trace, lead, part_of(site), say), every_head.added(trace, lead, site, say))
    return (*of_heads, *wrote_blocks(trace, lead, site, head, say), Prose(say("heads-why-no-proof")))


def added_blocks(trace: Trace, site: Site, query: int, say: Strings) -> tuple[Block, ...]:
    """What each head added to the lead of the likeliest word of a row, and which brings it.

    Raises:
        AttnvizError: no words are predicted here, or their logits are no such sum.
    """
    lead = _lead_of_row(trace, site, query, 0)
    return (every_head.added(trace, lead, site, say), *in_words(trace, lead, part_of(site), say))


def moved_blocks(trace: Trace, site: Site, query: int, key: int, say: Strings) -> tuple[Block, ...]:
    """What each head moves from a key into the lead of the likeliest word of a row, beside the weight it gives the key.

    Raises:
        AttnvizError: no words are predicted here, or their logits are no such sum.
    """
    lead = _lead_of_row(trace, site, query, 0)
    return (every_head.moved(trace, lead, site, key, say), moved_in_words(trace, lead, site, key, say))


def _lead_of_row(trace: Trace, site: Site, query: int, word: int) -> Lead:
    if trace.predicted_tokens is None:
        raise StepError(id="no-vocabulary", model=trace.card.name, predicts=trace.predicts, head=trace.card.left_out)
    if trace.query_tokens(site) is not (trace.tokens.target or trace.tokens.source):
        raise StepError(id="encoder-predicts-none", model=trace.card.name)
    return lead_of(trace, query, word)


def why_blocks(trace: Trace, reasons: Why, say: Strings) -> tuple[Block, ...]:
    """The score, who wrote the key and who the query, and the pairs that matter most."""
    site = Site.parse(reasons.site)
    query, key = trace.query_tokens(site).name(reasons.query), trace.key_tokens(site).name(reasons.key)
    weight = float(trace[site].weights(reasons.head, slice(reasons.query, reasons.query + 1))[0, reasons.key])
    facts = [
        Fact(say("heads-why-score"), signed(reasons.score, DECIMALS)),
        Fact(say("heads-why-weight"), f"{100 * weight:.1f}%"),
    ]
    if abs(reasons.final - reasons.score) > 1e-4:
        facts.insert(1, Fact(say("heads-why-final"), signed(reasons.final, DECIMALS), say("heads-why-final-note")))
    keys = joined(trace, reasons.keys, reasons.parts.sum(0).tolist(), say, part_of(site), reasons.key)
    queries = joined(trace, reasons.queries, reasons.parts.sum(1).tolist(), say, part_of(site), reasons.query)
    return (
        Facts(facts), *_moved(trace, reasons, say), _sum(keys, say("heads-why-key", token=key), reasons.score, say),
        _sum(queries, say("heads-why-query", token=query), reasons.score, say),
    )  # fmt: skip


def wrote_blocks(trace: Trace, lead: Lead, site: Site, head: int, say: Strings) -> tuple[Block, ...]:
    """By how much the next token is ahead of the second, who wrote that, and what of it one head took from where."""
    say = say.of(trace.card.tokens)
    rows = joined(trace, lead.writers, lead.parts, say, part_of(site), lead.position)
    title = say("heads-wrote-table", token=lead.text, other=lead.against_text)
    moved = lead.sources
    sources = moved[(moved["site"] == site.key) & (moved["head"] == head)]
    keys = trace.key_tokens(site)
    pushed = [Row(keys.name(int(row.token)), float(row.value)) for row in sources.itertuples()]
    of_head = say("heads-wrote-head", named_head=name_in_words(trace, site, head, say))
    by_source = (_sum(pushed, of_head, float(sources["value"].sum()), say),) if pushed else ()
    return Prose(say("heads-wrote-about")), _sum(rows, title, lead.logit, say), *by_source


def joined(
    trace: Trace, writers: Sequence[Writer], parts: Sequence[float], say: Strings, shown: str, at: int
) -> list[Row]:
    """Rows by name, the largest first; biases are one row, since none of them depends on the text.

    Args:
        shown: the part in the picture.
        at: the token that they wrote at.
    """
    sums: dict[str, Row] = {}
    for writer, part in zip(writers, parts, strict=True):
        name = _name(trace, writer, say)
        place = place_of(trace, Site.parse(writer.site), writer.head or 0, shown, at) if writer.kind == "head" else None
        sums[name] = Row(name, part + (sums[name].part if name in sums else 0.0), place)
    return sorted(sums.values(), key=lambda row: -abs(row.part))


def _sum(rows: list[Row], title: str, total: float, say: Strings) -> Table:
    """The largest rows, the rest as one that says how many it holds unless it prints as 0, and the total."""
    size = sum(abs(row.part) for row in rows)
    n, seen = 0, 0.0
    while n < len(rows) and n < MOST and seen < (1 - SMALL) * size:
        n, seen = n + 1, seen + abs(rows[n].part)
    n = len(rows) if n == len(rows) - 1 else n  # a single row is shorter than the line that would stand for it
    shown, rest = rows[:n], rows[n:]
    left = sum(abs(row.part) for row in rest)
    if left >= UNSEEN:
        percent = f"{100 * left / size:.0f}" if left >= 0.005 * size else "<1"
        shown = [*shown, Row(say("heads-why-rest", n=len(rest), percent=percent), sum(row.part for row in rest))]
    shown = [*shown, Row(say("heads-why-total"), total)]
    return Table(
        (say("heads-why-writer"), say("heads-why-part")), [(row.name, signed(row.part, DECIMALS)) for row in shown],
        title, marked=len(shown) - 1, bars=[row.part for row in shown], leads=[row.place for row in shown],
    )  # fmt: skip


def _moved(trace: Trace, reasons: Why, say: Strings) -> tuple[Block, ...]:
    """One sentence, where an earlier head is what matters: whose value it moved."""
    sources = reasons.sources("key")
    part = float(sources["value"].iloc[0]) if len(sources) else 0.0
    if part < TELLING * abs(reasons.score):
        return ()
    first, site = sources.iloc[0], Site.parse(reasons.site)
    earlier = Site.parse(str(first["site"]))
    head = name_in_words(trace, earlier, int(first["head"]), say)
    moved = trace.key_tokens(earlier).name(int(first["token"]))
    key = trace.key_tokens(site).name(reasons.key)
    said = {"part": signed(part, DECIMALS), "score": signed(reasons.score, DECIMALS)}
    return (Prose(say("heads-why-moved", named_head=head, key=key, source=moved, **said)),)


def _name(trace: Trace, writer: Writer, say: Strings) -> str:
    if writer.kind == "head":
        return say("heads-why-head", head=name_of(trace, Site.parse(writer.site), writer.head or 0, say))
    if writer.kind == "feed-forward":
        layer = str((writer.layer or 0) + 1)
        has_both = len({site.stack for site in trace.sites}) > 1
        return say("heads-why-feed-forward", layer=say(f"heads-of-{writer.stack}", head=layer) if has_both else layer)
    return say(f"heads-why-{writer.kind.rpartition(' ')[2]}")
