"""The heads view: all heads of one part as thumbnails, one of them in one of four ways. Packs; draws nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.heads.sinks import Sinks, sinks
from attnviz.trace.decoder_rows import continues
from attnviz.trace.generation import Stretch
from attnviz.views.headers import TokenRows, catalogue, digest, identity, picture_header
from attnviz.views.heads.attention_parts import parts_of, shown_part, sites_of
from attnviz.views.heads.first_pick import Pick, inside, telling_token
from attnviz.views.heads.header import (
    ExactHeader,
    HeadsHeader,
    HeadsModel,
    HeadsSelection,
    KindsHeader,
    LookHeader,
    NeuronsHeader,
    WindowHeader,
)
from attnviz.views.heads.long_heads import Span, part_of_head, seen_keys
from attnviz.views.heads.measured_heads import FILE_CELLS, cells_of, kinds_of, sentence_frame
from attnviz.views.heads.options import check_options
from attnviz.views.heads.tokens import query_rows, token_rows, unknown_notice
from attnviz.views.heads.vectors import features
from attnviz.views.heads.weight_arrays import FULL_HEAD, all_heads, head_arrays, head_maps
from attnviz.views.heads.written_tokens import marked, predicted_by, vector_of, written_by
from attnviz.views.pack import Arrays, pack
from attnviz.views.panel.packed_blocks import Sheets
from attnviz.views.view import View

if TYPE_CHECKING:
    import pandas as pd

    from attnviz.core.site import Site
    from attnviz.trace.trace import Trace
    from attnviz.views.panel.blocks import Block


# Words of what only a server can answer: a file has none of it
SERVED = tuple(
    f"view-{of}"
    for of in (
        "panel-", "heads-all-adds", "heads-all-cell", "heads-all-moved", "heads-beside", "heads-effect-",
        "heads-error", "heads-excited", "heads-go-on", "heads-kinds-least", "heads-kinds-order", "heads-look-",
        "heads-metrics-", "heads-no-words-heads", "heads-neurons-waiting", "heads-numbers-", "heads-own-",
        "heads-predicts-why", "heads-source-own", "heads-support", "heads-which", "heads-why-", "heads-written-pa",
        "heads-written-play", "kit-key-", "kit-offline",
    )
)  # fmt: skip


def heads(
    trace: Trace,
    selection: Pick | None = None,
    *,
    lang: str = "en",
    size: str = "normal",
    notice: str | None = None,
    part: str | None = None,
    way: str | None = None,
    also: Sequence[tuple[int, int]] = (),
    together: str = "",
    filters: str = "",
    overview: str = "",
    beside: str = "",
    written_from: int | Sequence[Stretch] | None = None,
) -> View:
    """Show all heads of a trace, and one of them in one of several ways.

    Args:
        trace: one run.
        selection: the head and token picked first; None picks the last head of the last layer.
        lang: "en", "zh-CN" or "zh-TW".
        size: "normal" or "projector".
        notice: one sentence shown above the picture; None says how many tokens are unknown where that is above 10 %.
        part: "encoder", "decoder" or "cross": whose attention; None, or one the model lacks, takes the first of
            `parts_of(trace)`. In "cross" the queries are the written text, each row named by the token it is about to
            write, and the keys the text that was read.
        way: one of `WAYS`, how the head is shown; None leaves it to the view, which goes by the length of the text.
        also: (layer, head) of further heads that are shown with the picked one.
        together: how they are shown, "mean", "max" or "overlay"; "" is the mean.
        filters: what is taken out of the picture, in the words of `views/heads/filter_settings.js`; "" is nothing.
        overview: how all heads are looked at, in the words of `views/heads/overview_options.js`; "" is by layer.
        beside: what stands in place of all heads, one of `BESIDE`; "" is all heads.
        written_from: of a text that the model continued (`model.write_on`), its first token that the model wrote, the
            likeliest each time; or `av.models.Stretch`es, which say how they were drawn.
    Raises:
        InputError: a word of these is not known, or the model or its text has no such `selection` or `also`.
    """
    check_trace(trace)
    check_options(part, way, together, filters, overview, beside)
    part = shown_part(trace, part)
    sites, tokens, revision = sites_of(trace, part), trace.tokens.source, revision_of(trace, part)
    pick = _first_pick(trace, sites, selection)
    selected: HeadsSelection = {
        "layer": pick.layer,
        "head": pick.head,
        "token": pick.token,
        "released": pick.released,
        "key": pick.key,
        "view": way or "",
        "also": _beside(pick, also, trace, sites),
        "together": together,
        "filter": filters,
        "overview": overview,
        "beside": beside,
    }
    words = catalogue(lang).of(trace.card.tokens)
    stretches = _stretches(trace, written_from)
    masks, seen = seen_keys(trace, sites)
    text_sinks = sinks(
        trace, sites, only_first=trace[sites[0]].n_keys > FULL_HEAD
    )  # of a longer text others are not told apart
    header: HeadsHeader = {
        **picture_header("heads", revision, lang, size, [trace.card]),
        "model": _model(trace, sites, part, words.named(trace.card.name)),
        "text": tokens.source,
        "tokens": _token_rows(trace, sites[0], stretches, text_sinks),
        "sink_share": text_sinks.share,
        "written": written_by(trace, part, stretches, words),
        "predicted": predicted_by(trace, part),
        "vector": vector_of(trace),
        "selection": selected,
        "notice": notice if notice is not None else unknown_notice(tokens, words),
        "seen": seen,
    }
    arrays: Arrays = {"maps": head_maps(trace, sites), **head_arrays(trace, sites[pick.layer], pick.head)}
    arrays |= {} if masks is None else {"seen": masks}

    def complete() -> bytes:
        facts, more = _rest(trace, part, pick)
        if cells_of(trace, part) <= FILE_CELLS:
            facts["kinds"], measured = kinds_of(trace, sentence_frame(trace, part), part=part, lang=lang)
            more |= {f"kinds.{name}": values for name, values in measured.items()}
        kept = {name: values for name, values in arrays.items() if name != "maps" or "all" not in more}
        facts["strings"] = {id: said for id, said in header["strings"].items() if not id.startswith(SERVED)}
        return pack({**header, **facts}, kept | more)  # of all weights the browser makes the maps

    def check(picked: Mapping[str, Any]) -> None:
        inside(Pick(picked["layer"], picked["head"], picked.get("token"), key=picked.get("key")), trace, sites)

    return View(
        name="heads",
        payload=pack(header, arrays),
        revision=revision,
        title=f"{trace.card.name}: {tokens.source[:80]}",
        complete=complete,
        check=check,
    )


def rest(trace: Trace, *, part: str | None = None) -> bytes:
    """What a file of a heads view holds beyond what the dashboard shows at once: the numbers of all heads."""
    facts, arrays = _rest(trace, shown_part(trace, part), inside(None, trace, sites_of(trace, part)))
    return pack(facts, arrays)


def _rest(trace: Trace, part: str, pick: Pick) -> tuple[dict[str, object], Arrays]:
    sites = sites_of(trace, part)
    neurons, vectors = features(trace, sites[pick.layer], pick.head, pick.token)
    facts: dict[str, object] = {"neurons": neurons}
    arrays = all_heads(trace, sites) | {f"neurons.{name}": values for name, values in vectors.items()}
    return facts, arrays


def exact(trace: Trace, layer: int, head: int, *, part: str | None = None) -> bytes:
    """Return the float32 numbers of one head, for a heads view of the same trace and part that is already on screen."""
    site, pick, revision = _picked(trace, part, Pick(layer, head))
    header: ExactHeader = {"view": "exact", "revision": revision, "layer": pick.layer, "head": pick.head}
    return pack(header, head_arrays(trace, site, pick.head))


def window(trace: Trace, layer: int, head: int, rows: Span, columns: Span, *, part: str | None = None) -> bytes:
    """Return a part of one head of a long text, for a heads view of the same trace and part that is already on screen.

    Args:
        rows, columns: from, up to; exact numbers travel where it is at most 65,536 cells, else a pooled picture.
    """
    site, pick, revision = _picked(trace, part, Pick(layer, head))
    arrays, rows, columns = part_of_head(trace[site.key], pick.head, rows, columns)
    header: WindowHeader = {
        "view": "window", "revision": revision, "layer": pick.layer, "head": pick.head,
        "rows": rows, "columns": columns,
    }  # fmt: skip
    return pack(header, arrays)


def neurons(trace: Trace, layer: int, head: int, token: int | None = None, *, part: str | None = None) -> bytes:
    """Return the queries and keys of one head, for a heads view of the same trace and part that is already on screen.

    Args:
        token: the query whose row is wanted; only above 64 tokens, where one row is sent.
    """
    site, pick, revision = _picked(trace, part, Pick(layer, head, token))
    facts, arrays = features(trace, site, pick.head, pick.token)
    header: NeuronsHeader = {"view": "neurons", "revision": revision, **facts}
    return pack(header, arrays)


def kinds(
    trace: Trace, frame: pd.DataFrame, *, part: str | None = None, lang: str = "en", n: int | None = None,
    source: str = "many", has_sinks: bool = True,
) -> bytes:  # fmt: skip
    """Return kinds and metrics of all heads, for a heads view of the same trace and part that is already on screen.

    Args: see `measured_heads.kinds_of`.
    """
    facts, arrays = kinds_of(trace, frame, part=part, lang=lang, n=n, source=source, has_sinks=has_sinks)
    header: KindsHeader = {"view": "kinds", "revision": revision_of(trace, part), **facts}
    return pack(header, arrays)


def kinds_waiting(
    trace: Trace, n: int, *, part: str | None = None, share: float = 0.0, reason: str | None = None,
    source: str = "many",
) -> bytes:  # fmt: skip
    """Return how far the measuring of all heads over `n` sentences is, or in a sentence why it will not be."""
    header: KindsHeader = {
        "view": "kinds", "revision": revision_of(trace, part), "source": source, "n": n, "share": share,
        "reason": reason,
    }  # fmt: skip
    return pack(header, {})


def look(
    trace: Trace, asked: Mapping[str, object], blocks: Sequence[Block], *, part: str | None = None, share: float = 1.0,
    reason: str | None = None,
) -> bytes:  # fmt: skip
    """Return one look beside a head, for a heads view of the same trace and part that is already on screen.

    Args:
        asked: what names it: the view keeps it under that.
        share: of it that is done; below 1 there are no blocks yet. reason: why there will be none.
    """
    sheets = Sheets(blocks)
    header: LookHeader = {
        "view": "look", "revision": revision_of(trace, part), "asked": dict(asked), "blocks": sheets.blocks,
        "share": share, "reason": reason,
    }  # fmt: skip
    return pack(header, sheets.arrays)


def _first_pick(trace: Trace, sites: tuple[Site, ...], selection: Pick | None) -> Pick:
    """The selection inside the model; where it has neither row nor column and none was let go, the row that writes what
    comes after the text, else the telling one.
    """
    pick = inside(selection, trace, sites)
    if pick.token is None and pick.key is None and not pick.released:
        last = len(trace.tokens.source) - 1
        token = last if continues(trace) else telling_token(trace, sites[pick.layer], pick.head)
        pick = pick._replace(token=token)
    return pick


def _stretches(trace: Trace, written_from: int | Sequence[Stretch] | None) -> Sequence[Stretch]:
    if isinstance(written_from, int):
        return [Stretch(written_from, len(trace.tokens.source) - written_from)]
    return written_from or ()


def _token_rows(trace: Trace, site: Site, stretches: Sequence[Stretch], text_sinks: Sinks) -> TokenRows:
    rows: TokenRows = {"source": marked(token_rows(trace.key_tokens(site)), trace, stretches)}
    for at in text_sinks.tokens:
        rows["source"][at]["sink"] = True
    if trace.query_tokens(site) is not trace.key_tokens(site):
        rows["target"] = query_rows(trace, site)
    return rows


def _picked(trace: Trace, part: str | None, pick: Pick) -> tuple[Site, Pick, str]:
    """The attention and the head of a part, refused where the model has none there; and the revision of the part."""
    sites = sites_of(trace, part)
    pick = inside(pick, trace, sites)
    return sites[pick.layer], pick, revision_of(trace, part)


def _beside(pick: Pick, also: Sequence[tuple[int, int]], trace: Trace, sites: tuple[Site, ...]) -> list[list[int]]:
    """The heads that are shown with the picked one, each once."""
    others = dict.fromkeys(inside(Pick(*place), trace, sites)[:2] for place in also)
    return [list(other) for other in others if other != (pick.layer, pick.head)]


def _model(trace: Trace, sites: tuple[Site, ...], part: str, name: str) -> HeadsModel:
    """Whose heads these are; of a model without training also its kind and the seed of its weights, for a title."""
    model: HeadsModel = {
        "name": name,
        "layers": len(sites),
        "heads": trace[sites[0].key].n_heads,
        "part": part if len(parts_of(trace)) > 1 else None,
        "parts": list(parts_of(trace)),
        "edits": [str(edit) for edit in trace.edits],
    }
    if trace.card.id.startswith("untrained-"):
        model["untrained"] = trace.card.id.removeprefix("untrained-").split("-post-")[0].split("-pre-")[0]
        model["seed"] = trace.card.revision
    return model


def revision_of(trace: Trace, part: str | None = None) -> str:
    """What the numbers of a picture depend on: model, texts, edits and part. Not the language, size or selection."""
    return digest(*identity(trace), shown_part(trace, part))
