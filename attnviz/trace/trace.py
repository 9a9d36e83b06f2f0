"""The one record of a run: frozen, unbatched, holding only what cannot be derived.

Scores, weights and outputs are replayed from it for the head and rows that are asked for. No model runs here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import torch
from torch import Tensor

from attnviz.core.errors import StepError, TraceShapeError
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord, Kept, Replay
from attnviz.trace.tokens import TokenPair, Tokens


@dataclass(frozen=True)
class Card:
    """What a model is, for a person who wants to know what they are looking at."""

    id: str  # the name av.load takes
    name: str  # as shown
    family: str  # "bert", "gpt2", "from scratch", "your code"
    n_layers: int
    n_heads: int
    d_model: int
    revision: str = ""
    parameters: int = 0
    licence: str = ""
    source: str = ""  # where the weights come from
    languages: tuple[str, ...] = ()  # languages it can read, as codes; empty = not known
    max_tokens: int | None = None  # the longest text it takes, specials included
    probe_difference: float | None = None  # largest difference from eager weights, seen by the probe at load
    layers_without_attention: tuple[int, ...] = ()  # of a hybrid model: layers that keep no attention matrix


@dataclass(frozen=True)
class Prediction:
    """The likeliest next (or hidden) tokens at each position, out of the full vocabulary."""

    ids: Tensor  # [T, 20]
    probabilities: Tensor  # [T, 20], of the whole vocabulary, so a row sums to less than 1
    texts: tuple[tuple[str, ...], ...]  # [T][20]


@dataclass(frozen=True)
class Verified:
    """This run's own proof: replayed weights · V against what the model's kernel returned."""

    difference: float  # the largest, absolute
    rows: int  # how many seeded rows were compared, over all sites
    tolerance: float  # what the dtype allows

    @property
    def holds(self) -> bool:
        return self.difference <= self.tolerance


@dataclass(frozen=True, eq=False)
class Trace:
    """One run of one model over one text."""

    card: Card
    tokens: TokenPair
    records: Mapping[str, AttentionRecord]  # by site key, in the order they ran
    stream: Mapping[str, Tensor] = field(default_factory=dict)  # residual stream: point -> [T, D]
    prediction: Prediction | None = None  # None where the model has no head
    verified: Verified | None = None  # None for a person's own code, which has no second kernel to compare with
    edits: tuple[str, ...] = ()  # what was changed, dropout included; empty = untouched
    versions: Mapping[str, str] = field(default_factory=dict)
    matrices: Mapping[str, Mapping[str, Tensor]] = field(default_factory=dict, repr=False)  # point -> name -> parameter

    def __post_init__(self) -> None:
        for name in ("records", "stream", "versions", "matrices"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if not self.records:
            raise TraceShapeError("A trace needs at least one attention; nothing was recorded.", id="no-records")
        for key, record in self.records.items():
            queries, keys = self.query_tokens(record.site), self.key_tokens(record.site)
            if key != record.site.key or (record.n_queries, record.n_keys) != (len(queries), len(keys)):
                raise TraceShapeError(
                    f"{key}: the attention is over {record.n_queries} x {record.n_keys} tokens and the text has "
                    f"{len(queries)} x {len(keys)}. Give one token for each: `tokens` for the source, `target` for the "
                    "text being written."
                )

    @property
    def sites(self) -> tuple[Site, ...]:
        """Where attention ran, in order."""
        return tuple(record.site for record in self.records.values())

    def __getitem__(self, key: str | Site) -> AttentionRecord:
        """The attention at a site, by its key (`"encoder.2.self"`).

        Raises:
            TraceShapeError: there is none; the message lists those there are.
        """
        if str(key) not in self.records:
            raise TraceShapeError(
                f"There is no attention at {str(key)!r}. This trace has {', '.join(self.records)}.",
                id="no-such-site", site=str(key), sites=", ".join(self.records),
            )  # fmt: skip
        return self.records[str(key)]

    def query_tokens(self, site: Site) -> Tokens:
        """The tokens on the query axis of a site."""
        return self.tokens.target if site.stack == "decoder" and self.tokens.target else self.tokens.source

    def key_tokens(self, site: Site) -> Tokens:
        """The tokens on the key axis of a site: the source's for cross-attention."""
        return self.tokens.source if site.kind == "cross" else self.query_tokens(site)

    def parameters(self, point: str) -> Mapping[str, Tensor]:
        """The matrices used at a point, by reference to the model: w_q, w_k, w_v, w_o [out, in], biases, norms.

        Raises:
            StepError: this trace does not hold them (it was loaded from a file, or the family is not mapped).
        """
        if point not in self.matrices:
            raise StepError(
                f"This trace does not hold the parameters of {point}, so the steps that use them cannot be written "
                "out. Trace the text again with the model loaded.",
                id="no-parameters", point=point,
            )  # fmt: skip
        return self.matrices[point]

    @property
    def nbytes(self) -> int:
        """Bytes this trace keeps alive, each storage counted once; parameters belong to the model and do not count."""
        tensors = list(self.stream.values())
        for record in self.records.values():
            source = record.source
            made_of = source if isinstance(source, Replay) else source.product
            tensors += [source.v] if isinstance(source, Replay) else [source.kept, source.v]
            tensors += [] if made_of is None else [made_of.q, made_of.k]
            tensors += list(record.edited.values())
            mask = source.mask
            bias = mask.bias if isinstance(mask.bias, Tensor | None) else mask.bias.values
            tensors += [part for part in (mask.padding, mask.allowed, bias) if part is not None]
        if self.prediction is not None:
            tensors += [self.prediction.ids, self.prediction.probabilities]
        storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}
        return sum(storages.values())

    def save(self, path: str | Path, *, parameters: bool = False) -> None:
        """Write this trace as one safetensors file with a JSON header.

        Args:
            path: the file; its folder must exist.
            parameters: save the matrices too, so that every step can be written out again.
        """
        from attnviz.trace.container import write  # safetensors is only needed here

        write(self, Path(path), parameters=parameters)

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read a trace back.

        Raises:
            TraceFileError: the file is missing, cut short, or not a trace; the message says which.
        """
        from attnviz.trace.container import read  # safetensors is only needed here

        return read(Path(path))


def run_versions() -> dict[str, str]:
    """The versions that made a trace: attnviz and torch."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        own = version("attnviz")
    except PackageNotFoundError:  # run from a folder that was never installed
        own = "not installed"
    return {"attnviz": own, "torch": str(torch.__version__)}


__all__ = [
    "AttentionRecord",
    "Card",
    "Kept",
    "Prediction",
    "Replay",
    "TokenPair",
    "Tokens",
    "Trace",
    "Verified",
    "run_versions",
]
