"""The sentences that excite a head most, each with the row in which the head tells most and what that row looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attnviz.views.heads.attention_parts import sites_of
from attnviz.views.heads.first_pick import telling_token
from attnviz.views.heads.header import ExcitedHeader, ExcitedSentence
from attnviz.views.heads.tokens import query_rows, token_rows
from attnviz.views.pack import pack

if TYPE_CHECKING:
    from attnviz.analysis.heads.survey import Excited
    from attnviz.trace.trace import Trace


def excited(
    revision: str, asked: Mapping[str, object], said: Sequence[str], each: Sequence[tuple[Excited, Trace]],
    *, part: str, layer: int, head: int,
) -> bytes:  # fmt: skip
    """Return them, for a heads view of this revision that is on screen.

    Args:
        asked: what names it: the view keeps it under that.
        said: on what sentences, and by what they are ranked.
        each: the sentences with their runs, the most exciting one first.
    Returns:
        Of the sentence at `at` the weights of its row as the array `row{at}`, float32 [T_k].
    """
    sentences: list[ExcitedSentence] = []
    arrays = {}
    for at, (one, trace) in enumerate(each):
        site = sites_of(trace, part)[layer]
        row, keys = telling_token(trace, site, head), trace.key_tokens(site)
        is_own = trace.query_tokens(site) is keys
        arrays[f"row{at}"] = trace[site].weights(head, slice(row, row + 1))[0].float().cpu().numpy()  # [T_k]
        sentences.append({
            "sentence": one.sentence, "value": one.value, "row": query_rows(trace, site)[row],
            "index": row if is_own else None, "tokens": token_rows(keys),
        })  # fmt: skip
    header: ExcitedHeader = {
        "view": "excited", "revision": revision, "asked": dict(asked), "said": list(said), "each": sentences,
    }  # fmt: skip
    return pack(header, arrays)
