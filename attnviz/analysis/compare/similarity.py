"""The similarity of every head of one model to every head of another, over a set of sentences."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from attnviz.analysis.compare.distances import HeadMap, head_map, js_sums, one_to_one
from attnviz.analysis.compare.self_attention_heads import Head, comparable_rows, heads_of, maps_of, units_of
from attnviz.analysis.heads.sentences import LANGUAGES, bundled
from attnviz.analysis.heads.survey import each_trace, readable
from attnviz.core.errors import AttnvizError, InputError
from attnviz.core.progress import OnProgress
from attnviz.trace.given import listed
from attnviz.trace.model_protocol import MakesTexts, Model
from attnviz.trace.run_facts import Card
from attnviz.trace.trace import Trace

Pair = tuple[Trace, Trace] | AttnvizError
N_SENTENCES = 50  # where no number is asked for


@dataclass(frozen=True, eq=False)
class Similarity:
    """The mean divergences of all heads of two models."""

    card_a: Card
    card_b: Card
    heads_a: tuple[Head, ...]
    heads_b: tuple[Head, ...]
    every: NDArray[np.float64] = field(repr=False)  # [Ha + Hb, Ha + Hb], bits, symmetric: A's heads first, then B's
    n_sentences: int  # measured
    n_rows: int  # their rows that counted
    n_skipped: int = 0  # sentences that one of the models cannot read
    why_skipped: str = ""  # the first of them
    by_words: bool = False  # some sentence was compared by words, as the tokenizers differ
    is_whole: bool = True  # time did not run out

    @property
    def js(self) -> NDArray[np.float64]:
        """Every head of A against every head of B: [Ha, Hb], bits."""
        n = len(self.heads_a)
        return self.every[:n, n:]

    def map(self) -> HeadMap:
        """All heads of both as points of a plane, A's first."""
        return head_map(self.every)

    def matches(self) -> pd.DataFrame:
        """For each head of A its nearest of B and its one-to-one partner, and the same for each head of B.

        Returns:
            columns `of` ("a" or "b"), `site`, `head`, `nearest_site`, `nearest_head`, `js`, `partner_site`,
            `partner_head`, `partner_js`; empty where a head has no partner, as the other side has fewer heads.
        """
        of_a, of_b = one_to_one(self.js)
        sides = (
            _matches("a", self.heads_a, self.heads_b, self.js, dict(zip(of_a.tolist(), of_b.tolist(), strict=True))),
            _matches("b", self.heads_b, self.heads_a, self.js.T, dict(zip(of_b.tolist(), of_a.tolist(), strict=True))),
        )
        return pd.DataFrame([row for side in sides for row in side]).astype({"partner_head": "Int64"})

    def frame(self) -> pd.DataFrame:
        """One row a pair of heads: `site_a`, `head_a`, `site_b`, `head_b`, `js` in bits."""
        pairs = [(*astuple(one), *astuple(other)) for one in self.heads_a for other in self.heads_b]
        table = pd.DataFrame(pairs, columns=["site_a", "head_a", "site_b", "head_b"])
        return table.assign(js=self.js.flatten())


def similarity(
    model_a: Model, model_b: Model, sentences: Sequence[str], *, max_seconds: float = 300.0,
    on_progress: OnProgress | None = None,
) -> Similarity:  # fmt: skip
    """Measure every head of A against every head of B over sentences.

    Every sentence has the same weight, however long. Those that a model cannot read are left out and counted in
    `n_skipped`.

    Args:
        sentences: texts that both models read.
        max_seconds: return then with what was measured so far.
        on_progress: called with the number of sentences done and of all sentences.
    Raises:
        InputError: no sentence can be read by both.
    """
    sentences = listed(sentences)
    return similarity_of_traces(_traced(model_a, model_b, sentences), len(sentences), max_seconds, on_progress)


def similarity_of_traces(
    pairs: Iterator[Pair], n_all: int, max_seconds: float = 300.0, on_progress: OnProgress | None = None
) -> Similarity:
    """The same over pairs of traces; an error in place of a pair is a sentence that cannot be read."""
    until = time.monotonic() + max_seconds
    total: NDArray[np.float64] | None = None
    last: tuple[Trace, Trace] | None = None
    n_rows = n_sentences = n_skipped = 0
    first_error: AttnvizError | None = None
    by_words, is_whole = False, True
    for number, pair in enumerate(pairs):
        try:
            if isinstance(pair, AttnvizError):
                raise pair
            units = units_of(*pair, pair[0].tokens.source, pair[1].tokens.source)
            maps = [maps_of(pair[0], units, "a")[0], maps_of(pair[1], units, "b")[0]]
            rows = comparable_rows(*maps)
        except AttnvizError as error:
            n_skipped, first_error = n_skipped + 1, first_error or error
            continue
        if rows.any():
            both = torch.cat(maps)[:, rows]  # [Ha + Hb, R, U]
            distances = (js_sums(both, both) / int(rows.sum())).numpy()
            total = distances if total is None else total + distances
            last, n_sentences, n_rows = pair, n_sentences + 1, n_rows + int(rows.sum())
            by_words = by_words or not units.are_tokens
        if on_progress is not None:
            on_progress(number + 1, n_all)
        if time.monotonic() > until:
            is_whole = number + 1 == n_all
            break
    if total is None or last is None:
        if first_error is not None:
            raise first_error
        raise InputError(id="no-choice")
    return Similarity(
        last[0].card, last[1].card, heads_of(last[0]), heads_of(last[1]), total / n_sentences, n_sentences, n_rows,
        n_skipped, "" if first_error is None else str(first_error), by_words, is_whole,
    )  # fmt: skip


def _traced(model_a: Model, model_b: Model, sentences: Sequence[str]) -> Iterator[Pair]:
    """Both runs of each sentence."""
    for (_, of_a), (_, of_b) in zip(each_trace(model_a, sentences), each_trace(model_b, sentences), strict=True):
        if isinstance(of_a, AttnvizError):
            yield of_a
        else:
            yield of_b if isinstance(of_b, AttnvizError) else (of_a, of_b)


def _matches(
    side: str, heads: Sequence[Head], others: Sequence[Head], js: NDArray[np.float64], partner_of: dict[int, int]
) -> Iterator[dict[str, object]]:  # fmt: skip
    for at, (head, near) in enumerate(zip(heads, js.argmin(1).tolist(), strict=True)):
        row = {"of": side, "site": head.site, "head": head.head, "nearest_site": others[near].site,
               "nearest_head": others[near].head, "js": js[at, near]}  # fmt: skip
        partner = partner_of.get(at)
        if partner is None:
            yield row | {"partner_site": None, "partner_head": None, "partner_js": np.nan}
        else:
            paired = others[partner]
            yield row | {"partner_site": paired.site, "partner_head": paired.head, "partner_js": js[at, partner]}


def common_sentences(
    model_a: Model, model_b: Model, n: int = N_SENTENCES, language: str | None = None
) -> tuple[str, ...]:
    """Texts that both models may be able to read, always the same ones.

    A small model reads only texts of its own task, so where one takes part these are taken, A's first; else sentences
    of a bundled language that both cards list, spread over the set.

    Args:
        n: how many at most.
        language: "en" or "zh"; the first that both read if not given.
    Raises:
        InputError: no bundled language is read by both, or not the one that was asked for.
    """
    for model in (model_a, model_b):
        if isinstance(model, MakesTexts) and language is None:
            return tuple(dict.fromkeys(model.own_texts(n)))
    asked = LANGUAGES if language is None else (language,)
    both = [text for text in asked if all(readable(model.card, text) for model in (model_a, model_b))]
    if not both:
        names = " and ".join(model.card.name for model in (model_a, model_b))
        raise InputError(id="no-common-language", models=names, languages=", ".join(asked))
    sentences = bundled(both[0])
    return sentences[:: max(1, len(sentences) // n)][:n]
