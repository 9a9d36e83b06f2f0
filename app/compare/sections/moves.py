"""Two sentences of one model as they are shown: which words stand in which place, and the heads that move."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import pandas as pd

from attnviz.analysis.compare import TwoTexts, compare_texts
from attnviz.analysis.compare.self_attention_heads import Head
from attnviz.export.csv_text import csv_text, plain
from attnviz.text import Language, strings
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Moves:
    """What is drawn."""

    said: str  # one sentence on what is compared
    slots: str  # the aligned words, as HTML
    frame: pd.DataFrame  # heads, those that move most first
    csv: bytes


def moves(a: Trace, b: Trace, language: Language) -> Moves:
    """Compare two runs of one model.

    Raises:
        InputError: the sentences share no word.
    """
    say = strings(language, strict=False)
    found = compare_texts(a, b)
    swapped = [slot for slot in found.slots if slot.is_swapped]
    if found.is_minimal_pair:
        said = say("compare-minimal", a=swapped[0].a.text, b=swapped[0].b.text)
    else:
        said = say(
            "compare-aligned", n=len(found.slots), swapped=len(swapped), a=len(found.only_a), b=len(found.only_b)
        )
    table = found.heads.sort_values("moved", ascending=False, kind="stable")
    layers = {site: layer for layer, site in enumerate(dict.fromkeys(found.heads["site"]))}
    heads = [Head(site, head) for site, head in zip(table["site"], table["head"], strict=True)]
    frame = pd.DataFrame(
        {
            "head": [f"{layers[head.site] + 1}.{head.head + 1}" for head in heads],
            "moved": table["moved"].to_numpy(), "elsewhere": table["moved_elsewhere"].to_numpy(),
            "most_at": [plain(found.slots[at].a.text) for at in table["moved_most_at"]],  # may be saved
            "most": table["moved_most"].to_numpy(),
        }
    )  # fmt: skip
    return Moves(said, _slots(found), frame, csv_text(table).encode())


def _slots(found: TwoTexts) -> str:
    """Each place with its word, or with both where one is swapped for another."""
    parts = []
    for slot in found.slots:
        own = escape(slot.a.text)
        parts.append(
            f"<span>{own}</span>"
            if not slot.is_swapped
            else f"<span><del>{own}</del> <ins>{escape(slot.b.text)}</ins></span>"
        )
    return " ".join(parts)
