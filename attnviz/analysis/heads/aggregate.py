"""`av.head_metrics`: one row a head, one column a metric; of several texts means and spreads, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.map_metrics import variability
from attnviz.analysis.heads.measure import SiteMetrics, site_metrics
from attnviz.analysis.heads.metrics import COLUMNS, REASONS, Reason
from attnviz.analysis.heads.rows import BLOCK_BYTES
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.trace.container import Parts
from attnviz.trace.trace import Trace

WINDOW_BYTES = 64 << 20  # of maps kept for `variability`; texts beyond do not count in that one metric
Numbers = NDArray[np.float64]
OF_KINDS = tuple(kind.metric for kind in KINDS if kind.metric in COLUMNS)


def head_metrics(trace: Trace | Sequence[Trace], *, block_bytes: int = BLOCK_BYTES) -> pd.DataFrame:
    """What every head does, in numbers.

    Args:
        trace: one run; or runs of one model over several texts.
        block_bytes: the most weights held at a time, so that a text of thousands of tokens can be measured.
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
        - `same_token_over`, `induction_over`: the same with `_left`, less the mean weight of all rows on those keys;
          `delimiter_over`: less the share of an even row.

        A metric that means nothing at a head is NaN, and `frame.attrs["reasons"]["SITE NAME"]` says why. Of several
        texts each column is the mean over the texts in which it has a value, `NAME_sd` their standard deviation (NaN
        for fewer than two) and `NAME_n` their number; `frame.attrs["texts"]` counts all texts. Of one text, `NAME_rows`
        is how many rows count, for each metric that decides a kind.
    Raises:
        InputError: no trace, or traces of different models.
    """
    traces = [trace] if isinstance(trace, Trace) else list(trace)
    aggregate = MetricAggregate()
    for own in traces:
        aggregate.add([site_metrics(own, site, block_bytes=block_bytes) for site in own.sites])
    return aggregate.frame(has_spread=not isinstance(trace, Trace))


class MetricAggregate:
    """Running means and spreads of all heads; what is kept does not grow with the number of texts."""

    def __init__(self) -> None:
        self.sites: tuple[Site, ...] = ()
        self.n_texts = 0
        self._heads: tuple[int, ...] = ()  # of each site
        self._count: NDArray[np.int64] = np.zeros((0, 0), dtype=np.int64)  # [heads of all sites, columns]
        self._mean: Numbers = np.zeros((0, 0))
        self._squares: Numbers = np.zeros((0, 0))  # of the differences from the mean
        self._rows: dict[str, NDArray[np.int64]] = {}  # of each metric that decides a kind, of all texts
        self._reasons: list[dict[str, Reason]] = []
        self._windows: list[list[Tensor]] = []  # [sites][texts], [H, 10, 10] each
        self._window_bytes = 0

    def add(self, text: Sequence[SiteMetrics]) -> Numbers:
        """Add one text, with all its sites.

        Returns:
            its own values, [heads of all sites, columns].
        Raises:
            InputError: its heads are not those of the texts before.
        """
        sites, heads = tuple(site.site for site in text), tuple(len(site.stripe) for site in text)
        if not self.n_texts:
            shape = (sum(heads), len(COLUMNS))
            self.sites, self._heads = sites, heads
            self._count, self._mean, self._squares = np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape)
            self._reasons, self._windows = [{} for _ in sites], [[] for _ in sites]
        elif (self.sites, self._heads) != (sites, heads):
            raise _other_heads()
        values = np.concatenate([np.stack([site.values[name].cpu().numpy() for name in COLUMNS], 1) for site in text])
        known = ~np.isnan(values)  # [heads, columns]
        self._count = self._count + known
        step = np.where(known, values - self._mean, 0.0)  # Welford 1962
        self._mean = self._mean + step / np.maximum(self._count, 1)
        self._squares = self._squares + np.where(known, step * (values - self._mean), 0.0)
        for name in OF_KINDS:
            rows = np.concatenate([site.rows[name.replace("_over", "_left")].cpu().numpy() for site in text])
            self._rows[name] = self._rows.get(name, 0) + rows
        self._add_windows(text)
        for kept, site in zip(self._reasons, text, strict=True):
            kept |= site.reasons
        self.n_texts += 1
        return values

    def _add_windows(self, text: Sequence[SiteMetrics]) -> None:
        n_bytes = sum(site.window.nbytes for site in text if site.window is not None)
        if self._window_bytes + n_bytes > WINDOW_BYTES:
            return
        self._window_bytes += n_bytes
        for kept, site in zip(self._windows, text, strict=True):
            if site.window is not None:
                kept.append(site.window)

    def merge(self, other: MetricAggregate) -> None:
        """Add the texts of another one; its maps come after these.

        Raises:
            InputError: its heads are others.
        """
        if not self.n_texts:
            self.__dict__.update(other.__dict__)
            return
        if (self.sites, self._heads) != (other.sites, other._heads):
            raise _other_heads()
        both = np.maximum(self._count + other._count, 1)
        apart = np.where(other._count > 0, other._mean - self._mean, 0.0)  # Chan, Golub, LeVeque 1983
        self._squares = self._squares + other._squares + apart**2 * self._count * other._count / both
        self._mean = self._mean + apart * other._count / both
        self._count = self._count + other._count
        self._rows = {name: rows + other._rows[name] for name, rows in self._rows.items()}
        for own, theirs in zip(self._reasons, other._reasons, strict=True):
            own |= theirs
        n_bytes = sum(maps.nbytes for site in other._windows for maps in site)
        if self._window_bytes + n_bytes <= WINDOW_BYTES:
            self._window_bytes += n_bytes
            self._windows = [own + theirs for own, theirs in zip(self._windows, other._windows, strict=True)]
        self.n_texts += other.n_texts

    def parts(self, *, has_windows: bool = True) -> Parts:
        """All of it for a file: what fits into JSON, and tensors."""
        windows = [maps if has_windows else [] for maps in self._windows]
        header = {
            "sites": [site.key for site in self.sites], "heads": self._heads, "texts": self.n_texts,
            "reasons": self._reasons,
        }  # fmt: skip
        tensors = {"count": self._count, "mean": self._mean, "squares": self._squares}
        tensors |= {f"rows/{name}": rows for name, rows in self._rows.items()}
        named = {name: torch.from_numpy(array) for name, array in tensors.items()}
        return header, named | {f"windows/{i}": torch.stack(maps) for i, maps in enumerate(windows) if maps}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> MetricAggregate:
        """The one that `parts` made these of."""
        made = cls()
        made.sites, made._heads = tuple(map(Site.parse, header["sites"])), tuple(header["heads"])
        made.n_texts, made._reasons = header["texts"], header["reasons"]
        made._count, made._mean, made._squares = (tensors[name].numpy() for name in ("count", "mean", "squares"))
        made._rows = {name[5:]: rows.numpy() for name, rows in tensors.items() if name.startswith("rows/")}
        made._windows = [list(tensors.get(f"windows/{i}", ())) for i in range(len(made.sites))]
        made._window_bytes = sum(maps.nbytes for site in made._windows for maps in site)
        return made

    def frame(self, *, has_spread: bool = True) -> pd.DataFrame:
        """The table of `head_metrics`; with `NAME_sd` and `NAME_n` for several texts, else with `NAME_rows`.

        Raises:
            InputError: nothing was added.
        """
        if not self.n_texts:
            raise InputError("There is no trace to measure. Expected one or more.", id="no-traces")
        mean, count = np.where(self._count > 0, self._mean, np.nan), self._count.copy()
        at = COLUMNS.index("variability")
        mean[:, at] = np.concatenate([_changes(maps, n) for maps, n in zip(self._windows, self._heads, strict=True)])
        count[:, at] = np.repeat([len(maps) for maps in self._windows], self._heads)
        spread = np.where(self._count > 1, np.sqrt(self._squares / np.maximum(self._count - 1, 1)), np.nan)
        pairs = [(site, head) for site, n in zip(self.sites, self._heads, strict=True) for head in range(n)]
        columns: dict[str, object] = {
            "site": [site.key for site, _ in pairs], "stack": [site.stack for site, _ in pairs],
            "kind": [site.kind for site, _ in pairs], "layer": [site.layer for site, _ in pairs],
            "head": [head for _, head in pairs],
        }  # fmt: skip
        for number, name in enumerate(COLUMNS):
            columns[name] = mean[:, number]
            if has_spread:
                columns[f"{name}_sd"], columns[f"{name}_n"] = spread[:, number], count[:, number]
        if not has_spread:
            columns |= {f"{name}_rows": rows for name, rows in self._rows.items()}
        frame = pd.DataFrame(columns)
        frame.attrs["reasons"] = self._reasons_of(frame)
        frame.attrs["texts"] = self.n_texts
        return frame

    def _reasons_of(self, frame: pd.DataFrame) -> dict[str, str]:
        """Why a column is NaN in all heads of a site: by "site column", since attrs must fit into JSON."""
        empty = frame[list(COLUMNS)].isna().groupby(frame["site"], sort=False).all()
        found = {}
        for site, own, maps in zip(self.sites, self._reasons, self._windows, strict=True):
            for name in (name for name in COLUMNS if bool(empty.loc[site.key, name])):
                reason = own.get(name, "no-row")
                if name == "variability":
                    reason = "one-text" if self.n_texts < 2 else "short-texts" if len(maps) < 2 else "no-row"
                found[f"{site.key} {name}"] = REASONS[reason]
        return found


def _other_heads() -> InputError:
    sentence = "These traces are of different models. Expected several texts of one model; measure each model alone."
    return InputError(sentence, id="traces-differ")


def _changes(maps: list[Tensor], n_heads: int) -> Numbers:
    found: Numbers = variability(torch.stack(maps)).double().cpu().numpy() if maps else np.full(n_heads, np.nan)
    return found
