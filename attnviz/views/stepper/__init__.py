"""The stepper: any chain of steps, one step at a time, any cell written out. Chooses what travels; draws nothing.

It knows nothing about attention in particular: a step says what it reads, what it writes and by which rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from attnviz.core.site import Site
from attnviz.trace.decoder_rows import next_words
from attnviz.views.headers import TokenRows, catalogue, digest, identity, picture_header
from attnviz.views.heads.tokens import token_rows
from attnviz.views.pack import Arrays, pack
from attnviz.views.stepper.chain_words import WHOLE_BLOCKS
from attnviz.views.stepper.formula import whole_formula
from attnviz.views.stepper.header import ModelMap, Question, StepperHeader, WrittenText
from attnviz.views.stepper.tables import Tables
from attnviz.views.view import View

if TYPE_CHECKING:
    from torch import Tensor

    from attnviz.explanation.matrices import Chain
    from attnviz.trace.trace import Trace


class At(NamedTuple):
    """What is pointed at, counted from 0; the view keeps a token or a feature from step to step."""

    step: str = ""  # its name, `raw.2` for the second of that name; the first step where there is none
    row: int = 0  # the token whose row it is
    key: int = 0  # the column, where columns are tokens
    feature: int = 0  # the column, where they are features


def stepper(
    chain: Chain,
    trace: Trace,
    at: At | None = None,
    *,
    lang: str = "en",
    size: str = "normal",
    notice: str | None = None,
    edits: Sequence[str] | None = None,
    questions: Mapping[str, Question] | None = None,
    controls: Mapping[str, object] | None = None,
    notes: Sequence[str] = (),
    written: WrittenText | None = None,
    before: Mapping[str, Tensor] | None = None,
    wrote: Sequence[str] = (),
) -> View:
    """Show a chain of steps.

    Args:
        chain: the steps of one tab over one run.
        trace: that run; its tokens, its model's card and its edits are shown.
        at: where to start.
        lang: "en", "zh-CN" or "zh-TW".
        size: "normal" or "projector".
        notice: one sentence shown above the picture.
        edits: what was changed, in the reader's language; None takes the trace's own labels.
        questions: by a step's key, {row, text, answers}: its result is hidden until the reader has guessed.
        controls: what the host lets a person change, as the view's bar reads it; None shows no bar.
        notes: sentences under the explanation: whose weights these are, what was checked.
        written: what the model wrote, and what it writes in this run.
        before: of a changed run, by a result's key, the same cells in the untouched one.
        wrote: of a changed run, what each row of the decoder wrote in the untouched one.
    """
    say, at = catalogue(lang).of(trace.card.tokens), at or At()
    tables, model = Tables(chain, say), say.named(trace.card.name)
    revision = digest(*identity(trace), chain.tab, chain.site, chain.head, tables.axes)
    header: StepperHeader = {
        **picture_header("stepper", revision, lang, size, [trace.card]),
        "model": {"name": model, "edits": [str(edit) for edit in (trace.edits if edits is None else edits)]},
        "text": trace.tokens.source.source,
        "tokens": _tokens(trace, wrote),
        "tab": chain.tab,
        "selection": {"step": at.step, "row": at.row, "key": at.key, "feature": at.feature},
        "controls": None if controls is None else dict(controls),
        "map": _model_map(chain, trace),
        "written": written,
        "notice": notice,
        "notes": list(notes),
        "formula": whole_formula(chain),
        "axes": tables.axes,
        "matrices": tables.matrices,
        "words": tables.words,
        "steps": tables.steps(questions or {}),
    }
    return View(
        name="stepper",
        payload=pack(header, tables.arrays | _before(before or {})),
        revision=revision,
        title=f"{model}: {trace.tokens.source.source[:80]}",
    )


def _model_map(chain: Chain, trace: Trace) -> ModelMap | None:
    """The blocks of a model that writes; None for other models, and on tabs about one attention."""
    layers = {stack: {site.layer for site in trace.sites if site.stack == stack} for stack in ("encoder", "decoder")}
    if chain.tab not in WHOLE_BLOCKS or not layers["decoder"]:
        return None
    here = Site.parse(chain.site)
    return {
        "encoder": len(layers["encoder"]), "decoder": len(layers["decoder"]), "stack": here.stack, "layer": here.layer,
    }  # fmt: skip


def _before(results: Mapping[str, Tensor]) -> Arrays:
    """The numbers of the untouched run, under the names of their results with @before."""
    return {f"{key}@before": np.ascontiguousarray(matrix.float().cpu().numpy()) for key, matrix in results.items()}


def _tokens(trace: Trace, wrote: Sequence[str]) -> TokenRows:
    source, target, writes = trace.tokens.source, trace.tokens.target, next_words(trace)
    if target is None:
        return {"source": token_rows(source, writes)}
    rows = token_rows(target, writes)
    for row, text in zip(rows, wrote, strict=False):
        row["wrote"] = text
    return {"source": token_rows(source), "target": rows}
