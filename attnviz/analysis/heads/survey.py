"""What every head of a model does over a set of sentences: means, spreads, kinds, and the sentences that excite it.

A model is measured only in a language that it reads: one on its card, if the card lists any, with at most a tenth of
the tokens unknown.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from attnviz.analysis.heads.aggregate import MOST_NAMED, HeadTable, MetricAggregate, head_metrics
from attnviz.analysis.heads.kinds import BY_NAME, KINDS, head_kinds, in_a_text
from attnviz.analysis.heads.measure import site_metrics
from attnviz.analysis.heads.metrics import COLUMNS, metric_of
from attnviz.analysis.heads.moved import moved_columns
from attnviz.analysis.heads.random_tokens import SEQUENCES, repeated_traces
from attnviz.analysis.heads.sentences import LANGUAGES, bundled
from attnviz.core.errors import AttnvizError, InputError
from attnviz.core.progress import OnProgress, told
from attnviz.trace.batches import batches_of
from attnviz.trace.display_mixin import Tabled
from attnviz.trace.given import Given, Readable, as_text, given_of, listed
from attnviz.trace.model_protocol import MakesTexts, Model
from attnviz.trace.run_facts import About, Card, as_attrs
from attnviz.trace.trace import Trace

UNKNOWN_SHARE = 0.10  # of the tokens; with more unknown ones a model does not read the language
BATCH_CHARACTERS = 1200  # of the sentences that run together, padding included
UNREAD = "the model can read no random tokens that are repeated"
REPEATED = ("same_token", "induction")
# Kept for each sentence: the share of the first token, and what decides kinds or shows the same in a sentence.
KEPT = tuple(dict.fromkeys(["first", *(name for kind in KINDS if (name := in_a_text(kind.metric)) in COLUMNS)]))


@dataclass(frozen=True, eq=False, repr=False)
class Survey(Tabled):
    """The heads of one model over one set of sentences."""

    card: Card
    language: str  # "en", "zh", or "" for a person's own list
    sentences: tuple[str, ...]  # those that were measured; token ids as `ids:[3, 1]`
    n_asked: int  # all of them; more than measured if time ran out
    unknown_share: float  # of the tokens
    heads: HeadTable = field(repr=False)  # as `head_metrics`, with induction_repeated… and `kind_of_head`
    per_sentence: NDArray[np.float32] = field(repr=False)  # [sentences, heads, KEPT]

    def __post_init__(self) -> None:
        """Say in the table what it is of, so that a figure of it can."""
        named: list[About] = [(self.card.name, text, ()) for text in self.sentences[:MOST_NAMED]]
        self.heads.attrs |= {"about": as_attrs(named), "texts": len(self.sentences)}

    def frame(self) -> pd.DataFrame:
        """One row a head: `heads`."""
        return self.heads

    def figure(self, column: str, against: str | None = None, **options: Any) -> Any:
        """A column as a plotly figure of layers by heads, or two against each other: as of `head_metrics`."""
        return self.heads.figure(column, against, **options)

    def heading(self) -> str:
        n, n_asked = len(self.sentences), f" of {self.n_asked}" * (len(self.sentences) < self.n_asked)
        kinds = ", ".join(f"{n_heads} {kind}" for kind, n_heads in self.counts.items() if n_heads)
        return f"{len(self.heads)} heads of {self.card.name} over {n}{n_asked} texts: {kinds}"

    @property
    def has_unknown(self) -> bool:
        """Whether so many tokens are unknown that the numbers say little about the heads."""
        return self.unknown_share > UNKNOWN_SHARE

    @property
    def counts(self) -> dict[str, int]:
        """The number of heads of each kind, in the order of the table."""
        counted = self.heads["kind_of_head"].value_counts()
        return {kind.name: int(counted.get(kind.name, 0)) for kind in KINDS}


@dataclass(frozen=True)
class Excited:
    """One sentence, and how much of a head's pattern it shows."""

    sentence: str
    value: float  # from 0 to 1


def readable(card: Card, language: str) -> bool:
    """Whether a model reads a language, by its card; a card that lists none may read any."""
    return not card.languages or language in card.languages or "many" in card.languages


def languages_of(card: Card) -> tuple[str, ...]:
    return tuple(language for language in LANGUAGES if readable(card, language))


def survey(
    model: Model,
    texts: Sequence[Readable] | None = None,
    *,
    language: str | None = None,
    max_seconds: float = 300.0,
    on_progress: OnProgress | None = None,
) -> Survey:
    """Measure every head over many texts, a batch at a time: what is kept does not grow with their number.

    >>> import attnviz as av
    >>> survey = av.survey(av.load("induction"), ["a b c a b", "d e f d e"])
    >>> survey.counts["induction"]
    2

    Args:
        model: what to measure.
        texts: any number, or token ids of each; if not given, those of its own task for a model trained here, else a
            bundled set.
        language: of the bundled set, "en" or "zh"; if not given, the first one that the model's card lists.
        max_seconds: return then with the texts measured so far; `n_asked` tells.
        on_progress: called with the number of texts measured and of all texts; a line is drawn if not given.
    Returns:
        a Survey: `heads` has the columns of `head_metrics`, means and spreads over the texts, the same on random words
        said twice, and the kind of each head.
    Raises:
        InputError: it is no model, it does not read the language, there are no sentences, or one cannot be read.
    """
    if not isinstance(model, Model):
        raise InputError(id="no-model", came=type(model).__name__)
    if texts is None and language is None and isinstance(model, MakesTexts):
        texts = model.own_texts()
    chosen: tuple[Given, ...]
    if texts is None:
        language = language or next(iter(languages_of(model.card)), LANGUAGES[0])
        chosen = bundled(language)
        _check_card(model.card, language)
    else:
        language, chosen = "", tuple(map(given_of, listed(texts)))
    if not chosen:
        raise InputError(id="no-sentences")
    until = time.monotonic() + max_seconds
    aggregate, kept, order = MetricAggregate(), [], []
    n_tokens = n_unknown = 0
    n_all = len(chosen) + SEQUENCES
    with told("survey", n_all, on_progress) as tell:
        for number, trace in each_trace(model, chosen):
            if isinstance(trace, AttnvizError):
                raise trace
            kept.append(add_text(aggregate, trace))
            order.append(number)
            n_tokens, n_unknown = n_tokens + len(trace.tokens.source), n_unknown + trace.tokens.source.n_unknown
            if language and n_tokens > 200:
                _check_known(model.card, language, n_unknown / n_tokens)
            tell(len(order))
            if time.monotonic() > until:
                break
        unknown_share = n_unknown / max(n_tokens, 1)
        if language:
            _check_known(model.card, language, unknown_share)
        frame = with_kinds(aggregate.frame(), model, chosen)
        tell(n_all)
    back = np.argsort(order)
    measured = tuple(as_text(chosen[order[at]]) for at in back)
    return Survey(model.card, language, measured, len(chosen), unknown_share, frame, np.stack(kept)[back])


def add_text(aggregate: MetricAggregate, trace: Trace) -> NDArray[np.float32]:
    """Add one text to what is known of all heads; its own values, [heads, KEPT]."""
    values = aggregate.add(site_metrics(trace, trace.sites))
    return values[:, [COLUMNS.index(name) for name in KEPT]].astype(np.float32)


def with_kinds(frame: HeadTable, model: Model, sentences: Sequence[Given]) -> HeadTable:
    """The table with the metrics over random tokens of these sentences, what values move, and the kind of each head."""
    measured = _repeated_columns(model, sentences, frame) | moved_columns(model, frame)
    for name, column in measured.items():
        frame[name] = column
    frame.attrs["metrics"] += [name for name in measured if metric_of(name) is not None]
    frame["kind_of_head"] = head_kinds(frame)
    return frame


def each_trace(model: Model, texts: Sequence[Given]) -> Iterator[tuple[int, Trace | AttnvizError]]:
    """The run of each text with its number; in place of a refused one its error.

    Texts of like length run together, shuffled so that the first results are typical of all lengths.
    """
    batches = batches_of([len(as_text(text)) for text in texts], BATCH_CHARACTERS)
    for at in sorted(range(len(batches)), key=lambda at: at * 7919 % len(batches)):
        try:
            yield from zip(batches[at], model.traces([texts[number] for number in batches[at]]), strict=True)
        except AttnvizError:
            for number in batches[at]:
                try:
                    yield number, model.trace(texts[number])
                except AttnvizError as error:
                    yield number, error


def excited_by(survey: Survey, site: str, head: int, *, n: int = 5) -> tuple[Excited, ...]:
    """The sentences in which a head shows most of its pattern, the most first.

    For a kind that is a share of the weight, the largest share in the sentence. For broad, mixed and sink heads, the
    smallest weight on the first token, where a head leaves what it does not use.
    Raises:
        InputError: there is no such head.
    """
    rows = survey.heads.index[(survey.heads["site"] == site) & (survey.heads["head"] == head)]
    if not len(rows):
        raise InputError(id="no-head-in-table", head=head, site=str(site))
    column, is_least = pattern_of(str(survey.heads.loc[rows[0], "kind_of_head"]))
    values = survey.per_sentence[:, rows[0], KEPT.index(column)].astype(np.float64)  # [sentences]
    values = 1 - values if is_least else values
    known = [number for number in np.argsort(-values, kind="stable") if not np.isnan(values[number])]
    return tuple(Excited(survey.sentences[at], float(values[at])) for at in known[:n])


def pattern_of(kind: str) -> tuple[str, bool]:
    """The column that ranks sentences for heads of a kind, and whether its smallest value comes first."""
    metric = in_a_text(BY_NAME[kind].metric)
    return (metric, False) if metric in KEPT and metric not in ("first", "evenness_left") else ("first", True)


def _repeated_columns(model: Model, sentences: Sequence[Given], frame: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
    """`induction_repeated` and the like: means over texts of repeated random tokens, with their standard deviations and
    number; NaN if the model reads none.
    """
    traces = repeated_traces(model, sentences)
    reasons: dict[str, str] = frame.attrs["reasons"]
    if not traces:
        reasons |= {f"{site} {name}_repeated": UNREAD for site in frame["site"].unique() for name in REPEATED}
        return {f"{name}_repeated": np.full(len(frame), np.nan) for name in REPEATED}
    measured = head_metrics(traces)
    for place, why in measured.attrs["reasons"].items():
        site, name = place.split()
        if name in REPEATED:
            reasons[f"{site} {name}_repeated"] = why
    return {f"{name}_repeated{of}": measured[f"{name}{of}"].to_numpy() for name in REPEATED for of in ("", "_sd", "_n")}


def _check_card(card: Card, language: str) -> None:
    if not readable(card, language):
        raise InputError(id="other-language", model=card.name, reads=", ".join(card.languages), language=language)


def _check_known(card: Card, language: str, share: float) -> None:
    if share > UNKNOWN_SHARE:
        percent, most = round(100 * share), round(100 * UNKNOWN_SHARE)
        raise InputError(id="language-unknown", model=card.name, language=language, percent=percent, most=most)
