"""The page of an atlas: every head of a model with its kind, its metrics and the sentences that excite it most."""

import torch

from attnviz.analysis.heads.atlas import Atlas
from attnviz.analysis.heads.kinds import BY_NAME as KIND
from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.metrics import BY_NAME, base_name
from attnviz.text import Strings
from attnviz.views.headers import catalogue
from attnviz.views.panel import Block, Fact, Facts, Map, Maps, Table, panel
from attnviz.views.view import View

SHOWN = ("first", "previous", "next", "same_token", "delimiter_over", "entropy", "distance")
MAPS = ("first", "previous", "next", "delimiter")
SENTENCES, MOST_ROWS = 3, 3000  # of each head; of all heads, so that the page of a large model opens
CUT = 160  # characters of a sentence


def atlas_page(atlas: Atlas, title: str, *, lang: str = "en") -> View:
    """The atlas as a page; `view.to_html(path)` writes it."""
    say, heads = catalogue(lang), atlas.heads
    n, skipped = heads.attrs["texts"], heads.attrs["skipped"]
    facts = [
        Fact(say("atlas-texts"), f"{n:,}", say("atlas-skipped", n=skipped) if skipped else ""),
        Fact(say("atlas-tokens"), f"{heads.attrs['tokens']:,}"),
        Fact(say("atlas-heads"), f"{len(heads):,}"),
    ]
    counts = heads["kind_of_head"].value_counts()
    facts += [Fact(_kind(kind.name, say), str(counts[kind.name])) for kind in KINDS if kind.name in counts]
    names = _names(atlas)
    rows = [
        (*names[row["site"], row["head"]], _kind(row["kind_of_head"], say), *(_number(row[name]) for name in SHOWN))
        for row in heads.to_dict("records")
    ]
    blocks: list[Block] = [Facts(facts), *(_maps(atlas, site, say) for site in _stacks(atlas))]
    columns = (say("atlas-layer"), say("atlas-head"), say("atlas-kind"))
    blocks.append(Table((*columns, *(_metric(name, say) for name in SHOWN)), rows, say("atlas-all-heads")))
    per_head = max(1, min(SENTENCES, MOST_ROWS // max(len(heads), 1)))
    excited = atlas.excited[atlas.excited["rank"] <= per_head].to_dict("records")
    said = [
        (*names[row["site"], row["head"]], _kind(row["kind"], say), f"{row['value']:.2f}", _cut(row["sentence"]))
        for row in excited[:MOST_ROWS]
    ]
    blocks.append(Table((*columns, say("atlas-share"), say("atlas-sentence")), said, say("atlas-excited")))
    return panel(blocks, title=say("atlas-title", model=title), lang=lang)


def _stacks(atlas: Atlas) -> list[tuple[str, str]]:
    return list(dict.fromkeys(atlas.heads[["stack", "kind"]].itertuples(index=False, name=None)))


def _names(atlas: Atlas) -> dict[tuple[str, int], tuple[str, str]]:
    """Layer and head of each row, counted from 1; the stack before the layer where there are several."""
    has_several = len(_stacks(atlas)) > 1
    return {
        (row.site, row.head): (f"{row.stack} {row.kind} {row.layer + 1}" if has_several else f"{row.layer + 1}",
                               str(row.head + 1))
        for row in atlas.heads[["site", "stack", "kind", "layer", "head"]].itertuples()
    }  # fmt: skip


def _maps(atlas: Atlas, stack: tuple[str, str], say: Strings) -> Maps:
    """A few metrics of one stack as layer by head; what a head has no value for is 0."""
    of_stack = atlas.heads[(atlas.heads["stack"] == stack[0]) & (atlas.heads["kind"] == stack[1])]
    maps = []
    for name in MAPS:
        table = of_stack.pivot(index="layer", columns="head", values=name).fillna(0.0)
        layers, names = [str(i + 1) for i in table.index], [str(i + 1) for i in table.columns]
        values = torch.tensor(table.to_numpy(), dtype=torch.float32)  # [layers, heads]
        title, rows, columns = _metric(name, say), say("atlas-layer"), say("atlas-head")
        maps.append(Map(title, values, layers, names, "share", row_axis=rows, column_axis=columns))
    return Maps(maps)


def _metric(name: str, say: Strings) -> str:
    return say(BY_NAME[base_name(name)].title)


def _kind(name: str, say: Strings) -> str:
    return say(KIND[name].title)


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.2f}".replace("-", "−")


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= CUT else sentence[:CUT] + "…"
