"""Metrics of all heads over texts that come one at a time; what is kept does not grow with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.analysis.heads.measure import SiteMetrics
from attnviz.analysis.heads.metrics import COLUMNS, REASONS, Reason
from attnviz.analysis.heads.variability import variability
from attnviz.core.errors import InputError
from attnviz.core.site import Site

WINDOW_BYTES = 64 << 20  # of maps kept for `variability`; further texts do not enter that one metric
Numbers = NDArray[np.float64]


class Gathering:
    """Sums over texts, from which means and spreads follow."""

    def __init__(self) -> None:
        self.sites: tuple[Site, ...] = ()
        self.n_texts = 0
        self._heads: tuple[int, ...] = ()  # of each site
        self._count: NDArray[np.int64] = np.zeros((0, 0), dtype=np.int64)  # [heads of all sites, columns]
        self._mean: Numbers = np.zeros((0, 0))
        self._squares: Numbers = np.zeros((0, 0))  # of the differences from the mean
        self._reasons: list[dict[str, Reason]] = []
        self._windows: list[list[Tensor]] = []  # [sites][texts], [H, 10, 10] each
        self._window_bytes = 0

    def add(self, text: Sequence[SiteMetrics]) -> Numbers:
        """One more text, all its sites.

        Returns:
            its own values, [heads of all sites, columns].
        Raises:
            InputError: its heads are not those of the texts before.
        """
        heads = tuple(len(site.stripe) for site in text)
        if not self.n_texts:
            self._begin(tuple(site.site for site in text), heads)
        elif self.sites != tuple(site.site for site in text) or self._heads != heads:
            raise InputError(
                "These traces are of different models. Expected several texts of one model; measure each model alone.",
                id="traces-differ",
            )
        values = np.concatenate([np.stack([site.values[name].cpu().numpy() for name in COLUMNS], 1) for site in text])
        known = ~np.isnan(values)  # [heads, columns]
        self._count = self._count + known
        step = np.where(known, values - self._mean, 0.0)
        self._mean = self._mean + step / np.maximum(self._count, 1)
        self._squares = self._squares + np.where(known, step * (values - self._mean), 0.0)
        self._add_windows(text)
        for kept, site in zip(self._reasons, text, strict=True):
            kept |= site.reasons
        self.n_texts += 1
        return values

    def _begin(self, sites: tuple[Site, ...], heads: tuple[int, ...]) -> None:
        shape = (sum(heads), len(COLUMNS))
        self.sites, self._heads = sites, heads
        self._count, self._mean, self._squares = np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape)
        self._reasons, self._windows = [{} for _ in sites], [[] for _ in sites]

    def _add_windows(self, text: Sequence[SiteMetrics]) -> None:
        n_bytes = sum(site.window.nbytes for site in text if site.window is not None)
        if self._window_bytes + n_bytes > WINDOW_BYTES:
            return
        self._window_bytes += n_bytes
        for kept, site in zip(self._windows, text, strict=True):
            if site.window is not None:
                kept.append(site.window)

    def frame(self, *, has_spread: bool = True) -> pd.DataFrame:
        """The table: a row a head, a mean a column; with `NAME_sd` and `NAME_n` where several texts are meant.

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
        columns: dict[str, object] = dict(self._names())
        for number, name in enumerate(COLUMNS):
            columns[name] = mean[:, number]
            if has_spread:
                columns[f"{name}_sd"], columns[f"{name}_n"] = spread[:, number], count[:, number]
        frame = pd.DataFrame(columns)
        frame.attrs["reasons"] = self._said(frame)
        frame.attrs["texts"] = self.n_texts
        return frame

    def _names(self) -> dict[str, object]:
        pairs = [(site, head) for site, n in zip(self.sites, self._heads, strict=True) for head in range(n)]
        return {
            "site": [site.key for site, _ in pairs], "stack": [site.stack for site, _ in pairs],
            "kind": [site.kind for site, _ in pairs], "layer": [site.layer for site, _ in pairs],
            "head": [head for _, head in pairs],
        }  # fmt: skip

    def _said(self, frame: pd.DataFrame) -> dict[tuple[str, str], str]:
        """Why a column is NaN in all heads of a site."""
        empty = frame[list(COLUMNS)].isna().groupby(frame["site"], sort=False).all()
        said = {}
        for site, own, maps in zip(self.sites, self._reasons, self._windows, strict=True):
            for name in (name for name in COLUMNS if bool(empty.loc[site.key, name])):
                reason = own.get(name, "no-row")
                if name == "variability":
                    reason = "one-text" if self.n_texts < 2 else "short-texts" if len(maps) < 2 else "no-row"
                said[site.key, name] = REASONS[reason]
        return said


def _changes(maps: list[Tensor], n_heads: int) -> Numbers:
    found: Numbers = variability(torch.stack(maps)).double().cpu().numpy() if maps else np.full(n_heads, np.nan)
    return found
