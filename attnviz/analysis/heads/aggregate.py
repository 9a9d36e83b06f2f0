"""`av.head_metrics`: one row a head, one column a metric; of several texts means and spreads, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.map_metrics import variability
from attnviz.analysis.heads.measure import SiteMetrics, site_metrics
from attnviz.analysis.heads.metrics import COLUMNS, REASONS, Reason
from attnviz.analysis.heads.rows import BLOCK_BYTES
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.trace import display_mixin
from attnviz.trace.container import Parts
from attnviz.trace.run_facts import as_attrs
from attnviz.trace.trace import Trace

MOST_MAPS = 256  # texts whose maps are kept for `variability`; those beyond do not count in that one metric
Numbers = NDArray[np.float64]
OF_KINDS = tuple(kind.metric for kind in KINDS if kind.metric in COLUMNS)


MOST_NAMED = 3  # texts that a figure of the table names


class HeadTable(pd.DataFrame):
    """A table with one row a head that draws itself; filtered, sorted or joined it stays one."""

    @property
    def _constructor(self) -> type[HeadTable]:
        return HeadTable

    def figure(self, column: str, against: str | None = None, **options: Any) -> Any:
        """A column as a plotly figure of layers by heads, `av.figures.head_map`; two against each other, `scatter`."""
        if against is None:
            return display_mixin.figures().head_map(self, column, **options)
        return display_mixin.figures().scatter(self, against, column, **options)


def head_metrics(
    trace: Trace | Sequence[Trace], *, block_bytes: int = BLOCK_BYTES, between: tuple[str, str] | None = None
) -> HeadTable:
    """What every head does, in numbers.

    >>> import attnviz as av
    >>> frame = av.head_metrics(av.load("induction").trace("a b c a b"))
    >>> frame.set_index(["site", "head"])["induction"].idxmax()[0]
    'decoder.1.self'

    Args:
        trace: one run; or runs of one model over several texts.
        block_bytes: the most weights held at a time, so that a text of thousands of tokens can be measured.
        between: of two texts ("A", "B"), of a chat ("assistant", "user"): only queries of the first are measured, and
            only on keys of the second, each row divided by what it gives those.
    Returns:
        One row a head, in the order the sites ran. `site` ("encoder.2.self"), `stack`, `kind` (self or cross),
        `layer` and `head` (from 0) say which. Then, as means over the rows that count:

        - `entropy` (bits), `evenness` (entropy as a share of its maximum), `sparsity` (Hoyer's): spread;
        - `distance` (tokens): how far a row attends;
        - `previous`, `next`, `self`, `first`, `delimiter`, `same_token`, `induction`: the share of the weight on the
          token before, the token after, the token itself, the first token (the sink), other delimiters, other
          positions of the same token, and the tokens that followed it before;
        - `one_word`: the largest mean weight on one word (a vertical stripe);
        - `value_norm` (units of the residual stream), `first_by_norm`: with weights times the norm of the values;
        - `variability`: the change from text to text (several texts only);
        - the same with `_left`: without the first token, each row divided by the rest of its weight;
        - `delimiter_over`: less what a row of equal weights gives delimiters.

        A metric that means nothing at a head is NaN, and `frame.attrs["reasons"]["SITE NAME"]` says why. Of several
        texts each column is the mean over the texts in which it has a value, `NAME_sd` their standard deviation (NaN
        for fewer than two) and `NAME_n` their number; `frame.attrs["texts"]` counts all texts. Of one text, `NAME_rows`
        is how many rows count, for each metric that decides a kind.
    Raises:
        InputError: no trace, or traces of different models.
    """
    traces = list(trace) if isinstance(trace, Iterable) and not isinstance(trace, Trace) else [trace]
    aggregate = MetricAggregate()
    for each in traces:
        check_trace(each)
        aggregate.add(site_metrics(each, each.sites, block_bytes=block_bytes, between=between))
    frame = aggregate.frame(has_spread=not isinstance(trace, Trace))
    frame.attrs["about"] = as_attrs(each.about for each in traces[:MOST_NAMED])
    return frame


class MetricAggregate:
    """Sums over texts for all heads; what is kept does not grow with the number of texts."""

    def __init__(self) -> None:
        self.sites: tuple[Site, ...] = ()
        self.n_texts = 0
        self._heads: tuple[int, ...] = ()  # of each site
        self._count, self._sum, self._squares = np.zeros((3, 0, 0))  # [heads of all sites, columns] each
        self._rows = np.zeros((0, 0))  # [heads of all sites, OF_KINDS], of all texts
        self._reasons: list[dict[str, Reason]] = []
        self._maps: list[list[Tensor]] = []  # [sites][texts], [H, 10, 10] each

    def add(self, text: Sequence[SiteMetrics]) -> Numbers:
        """Add one text, with all its sites; its own values, [heads of all sites, columns]."""
        one = MetricAggregate()
        one.sites, one.n_texts = tuple(site.site for site in text), 1
        one._heads = tuple(len(site.values["first"]) for site in text)
        values: Numbers = _stacked([site.values for site in text], COLUMNS)
        one._count = (~np.isnan(values)).astype(np.float64)
        one._sum, one._squares = np.nan_to_num(values), np.nan_to_num(values) ** 2
        one._rows = _stacked([site.rows for site in text], OF_KINDS)
        one._reasons = [dict(site.reasons) for site in text]
        one._maps = [[] if site.window is None else [site.window] for site in text]
        self.merge(one)
        return values

    def merge(self, other: MetricAggregate) -> None:
        """Add the texts of another one; its maps come after these."""
        if not self.n_texts:
            self.__dict__.update(other.__dict__)
            return
        if (self.sites, self._heads) != (other.sites, other._heads):
            raise InputError(id="traces-differ")
        self._count, self._sum = self._count + other._count, self._sum + other._sum
        self._squares, self._rows = self._squares + other._squares, self._rows + other._rows
        for reasons, theirs in zip(self._reasons, other._reasons, strict=True):
            reasons |= theirs
        for maps, more in zip(self._maps, other._maps, strict=True):
            maps += more[: MOST_MAPS - len(maps)]
        self.n_texts += other.n_texts

    def parts(self, *, has_maps: bool = True) -> Parts:
        """All sums for a file, as a JSON header and tensors."""
        header = {
            "sites": [site.key for site in self.sites], "heads": self._heads, "texts": self.n_texts,
            "reasons": self._reasons,
        }  # fmt: skip
        arrays = {"count": self._count, "sum": self._sum, "squares": self._squares, "rows": self._rows}
        maps = {f"maps/{i}": torch.stack(each) for i, each in enumerate(self._maps) if each and has_maps}
        return header, {name: torch.from_numpy(array) for name, array in arrays.items()} | maps

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> MetricAggregate:
        made = cls()
        made.sites, made._heads = tuple(map(Site.parse, header["sites"])), tuple(header["heads"])
        made.n_texts, made._reasons = header["texts"], header["reasons"]
        made._count, made._sum, made._squares, made._rows = (
            tensors[name].numpy() for name in ("count", "sum", "squares", "rows")
        )
        made._maps = [list(tensors.get(f"maps/{i}", ())) for i in range(len(made.sites))]
        return made

    def frame(self, *, has_spread: bool = True) -> HeadTable:
        """The table of `head_metrics`; with `NAME_sd` and `NAME_n` for several texts, else with `NAME_rows`."""
        if not self.n_texts:
            raise InputError(id="no-traces")
        count = self._count.astype(np.int64)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self._sum / count
            spread = np.sqrt(np.maximum(self._squares - self._sum * mean, 0.0) / np.where(count > 1, count - 1, np.nan))
        at = COLUMNS.index("variability")
        mean[:, at] = np.concatenate([_changes(maps, n) for maps, n in zip(self._maps, self._heads, strict=True)])
        count[:, at] = np.repeat([len(maps) for maps in self._maps], self._heads)
        heads = pd.DataFrame(
            [(site.key, site.stack, site.kind, site.layer, head)
             for site, n in zip(self.sites, self._heads, strict=True) for head in range(n)],
            columns=["site", "stack", "kind", "layer", "head"],
        )  # fmt: skip
        columns: dict[str, NDArray[np.float64] | NDArray[np.int64]] = {}
        for number, name in enumerate(COLUMNS):
            columns[name] = mean[:, number]
            if has_spread:
                columns[f"{name}_sd"], columns[f"{name}_n"] = spread[:, number], count[:, number]
        if not has_spread:
            columns |= {f"{name}_rows": self._rows[:, i].astype(np.int64) for i, name in enumerate(OF_KINDS)}
        frame = HeadTable(pd.concat([heads, pd.DataFrame(columns)], axis=1))
        frame.attrs |= {"reasons": self._reasons_of(frame), "texts": self.n_texts, "metrics": list(COLUMNS)}
        return frame

    def _reasons_of(self, frame: pd.DataFrame) -> dict[str, str]:
        """Why a column is NaN in all heads of a site: by "site column", since attrs must fit into JSON."""
        empty = frame[list(COLUMNS)].isna().groupby(frame["site"], sort=False).all()
        reasons = {}
        for site, of_site, maps in zip(self.sites, self._reasons, self._maps, strict=True):
            for name in (name for name in COLUMNS if bool(empty.loc[site.key, name])):
                reason = of_site.get(name, "no-row")
                if name == "variability":
                    reason = "one-text" if self.n_texts < 2 else "short-texts" if len(maps) < 2 else "no-row"
                reasons[f"{site.key} {name}"] = REASONS[reason]
        return reasons


def _stacked(sites: Sequence[Mapping[str, Tensor]], names: Sequence[str]) -> Numbers:
    """Values of all sites, [H] each, as one array: [heads of all sites, names]."""
    return np.concatenate([torch.stack([sums[name] for name in names], 1).double().cpu().numpy() for sums in sites])


def _changes(maps: list[Tensor], n_heads: int) -> Numbers:
    changes: Numbers = variability(torch.stack(maps)).double().cpu().numpy() if maps else np.full(n_heads, np.nan)
    return changes
