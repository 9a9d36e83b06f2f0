"""Direct logit attribution, a logit as a sum over writers; and the logit lens, the residual stream read early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.circuits.decomposition import Through, check_precision, parts_of, run_frozen
from attnviz.analysis.circuits.frozen_run import Frozen, not_exact
from attnviz.analysis.circuits.score_ledger import TOLERANCE, by_source, largest_first
from attnviz.analysis.circuits.writers import Writer, places
from attnviz.core.errors import InputError, StepError
from attnviz.core.tensor_checks import check_token
from attnviz.trace import display_mixin
from attnviz.trace.display_mixin import Tabled
from attnviz.trace.rerun import Rerun, rerun_of, token_id
from attnviz.trace.trace import Trace

MOST = 100  # tokens that the lens lists for each point and position


@dataclass(frozen=True, eq=False, repr=False)
class Wrote(Tabled):
    """A logit, or the difference of two, as a sum over writers."""

    position: int
    token: int  # or the class
    against: int | None  # the one whose logit is taken away
    text: str
    against_text: str
    logit: float  # before a soft-cap, where the model has one
    writers: tuple[Writer, ...] = field(repr=False)
    parts: Tensor = field(repr=False)  # float64 [writers], sums to `logit`
    difference: float  # of that sum from the logit, at most `bound`
    bound: float  # how much rounding may make of it
    trace: Trace = field(repr=False)
    through: Mapping[str, Through] = field(repr=False)

    def frame(self) -> pd.DataFrame:
        """The parts, the largest first: `kind`, `site`, `layer`, `head` and label of each writer, `token` where it
        wrote, `value`, and its `share` of the logit.
        """
        table = places(self.writers).assign(token=self.position, value=self.parts.numpy())
        return largest_first(table.assign(share=table["value"] / self.logit if self.logit else 0.0))

    def heading(self) -> str:
        logit = f"logit of {self.text!r}" + (f" less that of {self.against_text!r}" if self.against_text else "")
        parts = f"the sum of {len(self.writers)} parts within {self.bound:.2g}"
        return f"{logit} at token {self.position}: {self.logit:.4g}, {parts}"

    def figure(self, n: int = 12, **options: Any) -> Any:
        """The n largest parts as bars, a plotly figure: `av.figures.ledger`."""
        return display_mixin.figures().ledger(self, n, **options)

    def sources(self) -> pd.DataFrame:
        """The share of each head by the token it attended to: columns as of `Why.sources`."""
        return by_source(self.trace, self.through, self.position, torch.ones(1, dtype=torch.float64))


class LensTable(pd.DataFrame):
    """What `logit_lens` returns: a table that remembers its run, so that it can draw itself."""

    _metadata = ["trace"]  # noqa: RUF012
    trace: Trace

    @property
    def _constructor(self) -> type[LensTable]:
        return LensTable

    def figure(self, **options: Any) -> Any:
        """Layers by positions as a plotly figure: `av.figures.lens`."""
        return display_mixin.figures().lens(self, self.trace, **options)


def wrote(
    trace: Trace, position: int | None, token: int | str | None = None, against: int | str | None = None
) -> Wrote:
    """Direct logit attribution: the logit of a next token as a sum over all that was written at this position.

    Where a model caps its logits (Gemma 2), this is the logit before the cap, which acts on the whole sum. The last
    norm keeps the scale it had in the run. The share of a part is its direct effect: its effect through
    later parts is in theirs.

    A class of a text, a label of a token and the start or end of a span are taken apart alike, where their head reads
    one position by sums alone (GPT-2, Llama, any tagger); an activation before them (BERT's pooler) is refused.

    >>> import attnviz as av
    >>> trace = av.load("induction").trace("a b c a b")
    >>> wrote = av.wrote(trace, position=5, token="c")
    >>> wrote.frame()["site"].iloc[0]  # of the largest part
    'decoder.1.self'

    Args:
        trace: an untouched run of a model that is loaded in float32 and predicts tokens, classes, labels or a span.
        position: the row whose prediction it is, from 0, or from the end: -1 is the last. Of a class None: the position
            that its head reads.
        token: its number in the vocabulary, or its text: "cat" is the token with a blank before it where there is one,
            as a word in a text has, else the one that is shown so; " cat" and the vocabulary's own "Ġcat" or "▁cat" are
            that one alone. The "cat" inside a word is asked for by its number. Of another head a class or label by its
            name or number, or "start" or "end" of a span. If not given, the likeliest.
        against: another one, whose logit is taken away. If neither is given, the next likeliest.
    Returns:
        parts that sum to the logit within `bound`: 1e-5 of the largest part, of either logit alone, or of the length of
        the last state times that of what reads it, since these were multiplied in float32. So a logit near 0, or two
        that nearly cancel, are taken apart too. `difference` is what is missing, in logits.
    Raises:
        InputError: no such position, token or class.
        StepError: the model has no such head, is not beside the trace or is in half precision, or its logits are no
            such sum.
    Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Wang et al. 2022, section 3.
    """
    check_trace(trace)
    rerun = rerun_of(trace)
    task = rerun.task
    rerun = rerun if task is not None else with_vocabulary(trace)
    check_precision(rerun)
    n = len((trace.tokens.target or trace.tokens.source).ids)
    is_of_text = task is not None and task.of == "classes"
    if position is None and not is_of_text:
        raise InputError(id="needs-position", last=str(n - 1))
    if position is not None and is_of_text:
        raise InputError(id="position-of-class", came=repr(position))
    position = None if position is None else check_token(position, n)
    frozen, last = run_frozen(trace, logits=True)
    rows = frozen.vocabulary if frozen.is_capped else last  # [T, V]
    assert rows is not None
    row = rows.reshape(-1, rows.shape[-1])[position or 0]  # [V]
    if token is None:
        first, *others = row.topk(min(2, len(row))).indices.tolist()
        token, against = first, next(iter(others), None) if against is None else against
    if task is None:
        first = token_id(trace, rerun, token, len(row))
        other = None if against is None else token_id(trace, rerun, against, len(row))
    else:
        first, other = task.number(token), None if against is None else task.number(against)
    value = row[first : first + 1]  # [1]
    if task is not None:
        said, against_said = task.told_apart(first, other)
    else:
        said, against_said = (rerun.text_of(first), "") if other is None else told_apart(rerun, first, other)
    value = value if other is None else value - row[other : other + 1]
    at = _read_by(frozen, value) if position is None else position
    written = parts_of(frozen, value, at)
    parts, logit = written.parts[:, 0], float(value.detach())
    difference = abs(float(parts.sum()) - logit)
    sizes = [row[one].abs().item() for one in (first, other) if one is not None]  # each was rounded alone
    bound = TOLERANCE * max(float(parts.abs().max()), _size(frozen, value, at), *sizes)
    if difference > bound:
        raise not_exact("the logit")
    return Wrote(
        at, first, other, said, against_said, logit, written.writers, parts, difference, bound, trace,
        written.through,
    )  # fmt: skip


def _read_by(frozen: Frozen, value: Tensor) -> int:
    """The one position whose last state a value [1] is made of."""
    assert frozen.states is not None
    (gradient,) = torch.autograd.grad(value, frozen.states, retain_graph=True, allow_unused=True)
    read = [] if gradient is None else gradient[0].abs().sum(-1).nonzero().flatten().tolist()
    if len(read) != 1:  # the mean over all tokens, or an activation behind which nothing is followed
        raise not_exact("the logit")
    return int(read[0])


def _size(frozen: Frozen, value: Tensor, at: int) -> float:
    """The length of the last state times that of what reads the value [1] from it: what their product is rounded by."""
    assert frozen.states is not None
    (gradient,) = torch.autograd.grad(value, frozen.states, retain_graph=True, allow_unused=True)
    if gradient is None:
        return 0.0
    return float(gradient[0, at].double().norm() * frozen.states[0, at].detach().double().norm())


def logit_lens(trace: Trace, top: int = 1, *, token: int | str | None = None) -> LensTable:
    """What each point of the residual stream would predict, read with the model's own last norm and vocabulary.

    No part of the model was trained to be read so early; what comes out is how far the stream already points to the
    prediction, not what the model thinks there.

    >>> import attnviz as av
    >>> lens = av.logit_lens(av.load("induction").trace("a b c a b"))
    >>> lens["text"].iloc[-1]  # at the last point and position
    'c'

    Args:
        trace: a run of a loaded model that predicts tokens, with its residual stream; it may be edited.
        top: how many tokens for each point and position.
        token: watch this one instead, by number or text as of `wrote`.
    Returns:
        columns `point`, `position`, `rank` (from 1), `token`, `text`, `probability`, and of the token that the model
        itself predicts there `final_probability` and `final_rank`; points in the order of the run. With `token` one row
        a point and position, its `rank` that of the token.
    Raises:
        StepError: no vocabulary, no model beside the trace, or the last norm is not known.
    Source: nostalgebraist 2020, "interpreting GPT: the logit lens".
    """
    rerun = with_vocabulary(trace, takes_edited=True)
    norm = rerun.norm
    if norm is None or rerun.logits is None:
        raise StepError(id="no-last-norm", model=trace.card.name)
    if not isinstance(top, int) or not 1 <= top <= MOST:
        raise InputError(id="top-of-tokens", came=repr(top), most=str(MOST))
    has_target = trace.tokens.target is not None
    ids = torch.tensor((trace.tokens.target or trace.tokens.source).ids)  # [T]
    kept = [point for point in trace.stream if point.startswith("decoder") or not has_target]
    *points, last = [point for point in kept if not point.endswith(".embed")] or kept
    frames: list[pd.DataFrame] = []
    before: Tensor | None = None  # what leaves a block is what the next one reads
    watched, n_ranks, text_of = None, 0, cache(rerun.text_of)
    with torch.inference_mode():
        states = {point: norm(trace.stream[point]) for point in points} | {last: trace.stream[last]}
        final = rerun.logits(states[last], ids.to(states[last].device)).argmax(-1, keepdim=True)  # [T, 1]
        for point, state in states.items():
            if before is not None and torch.equal(before, state):
                frames += [frame.assign(point=point) for frame in frames[-n_ranks:]]
                continue
            before = state
            logits = rerun.logits(state, ids.to(state.device)).float()  # [T, V]
            whole = logits.logsumexp(-1, keepdim=True)  # [T, 1]
            of_final = logits.gather(-1, final)  # [T, 1]
            finals, ranks = (of_final - whole).exp(), 1 + (logits > of_final).sum(-1)  # [T, 1], [T]
            if token is None:
                best, named = logits.topk(min(top, logits.shape[-1]), -1)  # [T, top] each
                places = torch.arange(1, 1 + named.shape[1]).expand_as(named)  # [T, top]
            else:
                watched = watched if watched is not None else token_id(trace, rerun, token, logits.shape[-1])
                named = torch.full_like(final, watched)  # [T, 1]
                best = logits.gather(-1, named)  # [T, 1]
                places = 1 + (logits > best).sum(-1, keepdim=True)  # [T, 1]
            values, n_ranks = (best - whole).exp(), named.shape[1]  # [T, top]
            for column in range(named.shape[1]):
                tokens = named[:, column].tolist()
                frames.append(pd.DataFrame({
                    "point": point, "position": range(len(tokens)), "rank": places[:, column].tolist(),
                    "token": tokens, "text": [text_of(number) for number in tokens],
                    "probability": values[:, column].tolist(),
                    "final_probability": finals[:, 0].tolist(), "final_rank": ranks.tolist(),
                }))  # fmt: skip
    table = LensTable(pd.concat(frames, ignore_index=True))
    table.trace = trace
    return table


def with_vocabulary(trace: Trace, *, takes_edited: bool = False) -> Rerun:
    """How to run the model again; one that predicts no tokens is refused, and the error names the nearest tool."""
    check_trace(trace)
    rerun = rerun_of(trace, takes_edited=takes_edited)
    if rerun.logits is None:
        raise StepError(id="no-vocabulary", model=trace.card.name, predicts=trace.predicts, head=trace.card.left_out)
    return rerun


def told_apart(rerun: Rerun, one: int, other: int) -> tuple[str, str]:
    """Two tokens as they are shown; as their exact characters where they look alike, such as "s" and " s"."""
    if one == other:
        raise InputError(id="one-token-twice", token=str(one), text=repr(rerun.spellings(one)[0]))
    texts = rerun.text_of(one), rerun.text_of(other)
    return texts if texts[0] != texts[1] else (rerun.spellings(one)[0], rerun.spellings(other)[0])
