"""A sum over writers as blocks of a panel: its parts as bars from one zero line, what is left, and the total."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz_app.heads.sections.table import ShownHead, name_of

from attnviz.analysis.circuits.ledger import Why
from attnviz.analysis.circuits.logits import Wrote
from attnviz.analysis.circuits.writers import Writer
from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import part_of, parts_of, sites_of
from attnviz.views.panel.blocks import Block, Fact, Facts, Prose, Table

MOST = 12  # rows before the rest is one
SMALL = 0.1  # of all parts' sizes, that the rest may hold with fewer rows
PAIRS = 8

Row = tuple[str, float]


def why_blocks(trace: Trace, found: Why, say: Strings) -> tuple[Block, ...]:
    """The score, who wrote the key and who the query, and the pairs that matter most."""
    site = Site.parse(found.site)
    query, key = trace.query_tokens(site).name(found.query), trace.key_tokens(site).name(found.key)
    weight = float(trace[site].weights(found.head, slice(found.query, found.query + 1))[0, found.key])
    facts = [
        Fact(say("heads-why-score"), signed(found.score), say("heads-why-score-note")),
        Fact(say("heads-why-weight"), f"{100 * weight:.1f}%", say("heads-why-weight-note", query=query, key=key)),
    ]
    if abs(found.final - found.score) > 1e-4:
        facts.insert(1, Fact(say("heads-why-final"), signed(found.final), say("heads-why-final-note")))
    keys = joined(trace, found.keys, found.parts.sum(0).tolist(), say)
    queries = joined(trace, found.queries, found.parts.sum(1).tolist(), say)
    return (
        Facts(facts), *_moved(trace, found, say),
        _sum(keys, say("heads-why-key", token=key), found.score, say),
        _sum(queries, say("heads-why-query", token=query), found.score, say),
    )  # fmt: skip


def wrote_blocks(trace: Trace, found: Wrote, say: Strings) -> tuple[Block, ...]:
    """By how much the next token is ahead of the second, and who wrote that."""
    rows = joined(trace, found.writers, found.parts.tolist(), say)
    title = say("heads-wrote-table", token=found.text, other=found.against_text)
    return Prose(say("heads-wrote-about")), _sum(rows, title, found.logit, say)


def heads_in(trace: Trace, found: Why) -> tuple[ShownHead, ...]:
    """The heads that wrote most of the key, the largest first."""
    parts = sorted(zip(found.keys, found.parts.sum(0).tolist(), strict=True), key=lambda it: -abs(it[1]))
    return tuple(_shown(trace, it) for it, part in parts if it.kind == "head" and part)[:6]


def joined(trace: Trace, writers: Sequence[Writer], parts: Sequence[float], say: Strings) -> list[Row]:
    """Rows by name, the largest first; biases are one row, since none of them depends on the text."""
    sums: dict[str, float] = {}
    for writer, part in zip(writers, parts, strict=True):
        name = _name(trace, writer, say)
        sums[name] = sums.get(name, 0.0) + part
    return sorted(sums.items(), key=lambda it: -abs(it[1]))


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−") if round(abs(value), 3) else "0.000"


def _sum(rows: list[Row], title: str, total: float, say: Strings) -> Table:
    """The largest rows, the rest as one that says how many it holds, and the total."""
    size = sum(abs(part) for _, part in rows)
    n, seen = 0, 0.0
    while n < len(rows) and n < MOST and seen < (1 - SMALL) * size:
        n, seen = n + 1, seen + abs(rows[n][1])
    shown, rest = rows[:n], rows[n:]
    if rest:
        share = round(100 * sum(abs(part) for _, part in rest) / (size or 1))
        shown = [*shown, (say("heads-why-rest", n=len(rest), percent=share), sum(part for _, part in rest))]
    cells = [(name, signed(part)) for name, part in shown] + [(say("heads-why-total"), signed(total))]
    columns = (say("heads-why-writer"), say("heads-why-part"))
    return Table(columns, cells, title, marked=len(cells) - 1, bars=[*(part for _, part in shown), total])


def _moved(trace: Trace, found: Why, say: Strings) -> tuple[Block, ...]:
    """One sentence: the earlier head that says most here, and whose value it moved."""
    sources = found.sources("key")
    if not len(sources) or float(sources["part"].iloc[0]) <= 0:
        return ()
    first, site = sources.iloc[0], Site.parse(found.site)
    head = _shown(trace, Writer("head", site=str(first["site"]), head=int(first["head"])))
    moved = trace.key_tokens(Site.parse(str(first["site"]))).name(int(first["source"]))
    key = trace.key_tokens(site).name(found.key)
    part = signed(float(first["part"]))
    return (Prose(say("heads-why-moved", head=name_of(head, say), key=key, source=moved, part=part)),)


def _shown(trace: Trace, writer: Writer) -> ShownHead:
    site = Site.parse(writer.site)
    part, several = part_of(site), len(parts_of(trace)) > 1
    return ShownHead(part if several else "", sites_of(trace, part).index(site), writer.head or 0)


def _name(trace: Trace, writer: Writer, say: Strings) -> str:
    if writer.kind == "head":
        return say("heads-why-head", head=name_of(_shown(trace, writer), say))
    if writer.kind == "feed-forward":
        return say("heads-why-feed-forward", layer=(writer.layer or 0) + 1)
    return say(f"heads-why-{writer.kind.rpartition(' ')[2]}")
