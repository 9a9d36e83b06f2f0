"""What every head of a model does over a corpus of any size: a survey, one shard at a time, each saved to a file.

A run that was killed goes on after its last whole shard. Shards depend on their texts alone, so several processes may
measure them; merged in order they give the same table.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from attnviz.analysis.heads.aggregate import MOST_MAPS, HeadTable, MetricAggregate
from attnviz.analysis.heads.corpus import files_of, shards_of
from attnviz.analysis.heads.survey import KEPT, add_text, each_trace, pattern_of, with_kinds
from attnviz.analysis.heads.survey_cache import fingerprint
from attnviz.core.errors import AttnvizError, InputError, TooLong, UnknownWords
from attnviz.files import write_whole
from attnviz.trace import container
from attnviz.trace.model_protocol import Model
from attnviz.trace.run_facts import as_attrs

SHARD = 512  # texts: what a kill can cost
TOLD = 64  # texts between two reports
TOP = 10  # sentences of each head
MOST_CHARACTERS = 20_000  # of one text; a longer one is skipped, since no text is cut
PLAN, PARTS = "atlas.json", "parts"
FIRST_TEXTS = 500  # whose words make the random sequences of induction
Told = Callable[[int], None]  # the number of texts measured so far


@dataclass(frozen=True)
class Plan:
    """The model and texts of an atlas; a folder holds one plan."""

    model: str
    weights: str  # a digest of what the model computes
    files: tuple[tuple[str, int], ...]  # the texts, with the bytes of each file
    shard: int = SHARD

    @classmethod
    def of(cls, name: str, model: Model, texts: Path, shard: int = SHARD) -> Plan:
        files = tuple((str(file.resolve()), file.stat().st_size) for file in files_of(texts))
        return cls(name, _weights(model, texts), files, shard)

    def shards(self) -> Iterator[list[str]]:
        return shards_of([Path(name) for name, _ in self.files], self.shard)

    def claim(self, folder: Path) -> None:
        """Begin or go on in a folder; one that holds an atlas of another model or of other texts is refused."""
        path, plan = folder / PLAN, json.dumps(asdict(self), ensure_ascii=False)
        if path.exists() and path.read_text(encoding="utf-8") != plan:
            raise InputError(id="other-atlas", folder=str(folder))
        write_whole(path, plan.encode())


@dataclass(frozen=True, eq=False)
class Atlas:
    heads: HeadTable  # as `head_metrics` with `kind_of_head`; attrs hold `texts`, `skipped`, `tokens`, `reasons`
    excited: pd.DataFrame  # columns site, head, kind, rank (from 1), value (0 to 1), text (its number), sentence


def _weights(model: Model, texts: Path) -> str:
    """A digest of what the model computes from the first text that it reads."""
    refused: AttnvizError | None = None
    for text in chain.from_iterable(shards_of(files_of(texts), SHARD)):
        try:
            return hashlib.sha256(fingerprint(model, text)).hexdigest()
        except (UnknownWords, TooLong) as error:
            refused = error
    assert refused is not None
    raise refused


def part_path(folder: Path, number: int) -> Path:
    return folder / PARTS / f"{number:06}.safetensors"


def measure(model: Model, plan: Plan, folder: Path, on_progress: Told = lambda n: None) -> int:
    """Measure the shards that are not there yet, in this process. The number of shards."""
    n = 0
    for number, texts in enumerate(plan.shards()):
        if not part_path(folder, number).exists():
            write_part(model, plan, folder, number, texts, on_progress)
        n = number + 1
    return n


def write_part(
    model: Model, plan: Plan, folder: Path, number: int, texts: Sequence[str], on_progress: Told = lambda n: None
) -> None:
    write_whole(part_path(folder, number), shard_part(model, texts, number * plan.shard, on_progress))


def shard_part(model: Model, texts: Sequence[str], first: int, on_progress: Told) -> bytes:
    """The content of a shard's file: sums over its texts, numbered from `first` on, and what excites each head."""
    aggregate, values, numbers, n_tokens = MetricAggregate(), [], [], 0
    short = [number for number, text in enumerate(texts) if len(text) <= MOST_CHARACTERS]
    for n_texts, (place, trace) in enumerate(each_trace(model, [texts[number] for number in short]), start=first + 1):
        if n_texts % TOLD == 0:
            on_progress(n_texts)
        if isinstance(trace, AttnvizError):
            continue
        values.append(add_text(aggregate, trace))
        numbers.append(short[place])
        n_tokens += len(trace.tokens.source)
    skipped = len(texts) - len(numbers)
    if not numbers:
        return container.to_bytes({"skipped": skipped, "tokens": 0, "sums": None}, {}, "atlas")
    order = np.argsort(numbers)
    kept = np.stack(values)[order].transpose(1, 2, 0)  # [heads, KEPT, texts]
    kept[:, KEPT.index("first")] = 1 - kept[:, KEPT.index("first")]  # what is not left on the first token
    numbered = np.broadcast_to(np.array(numbers)[order] + first, kept.shape)
    best, at = top(np.where(np.isnan(kept), -np.inf, kept), numbered)
    sums, tensors = aggregate.parts(has_maps=first < MOST_MAPS)  # those of later shards are never read
    header = {
        "skipped": skipped, "tokens": n_tokens, "sums": sums,
        "sentences": {str(i): texts[i - first] for i in np.unique(at).tolist()},
    }  # fmt: skip
    return container.to_bytes(header, tensors | {"best": torch.from_numpy(best), "at": torch.from_numpy(at)}, "atlas")


def top(values: NDArray[np.float32], numbers: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The largest values along the last axis and the numbers of their texts; of equal ones the first."""
    order = np.argsort(-values, axis=-1, kind="stable")[..., :TOP]
    return np.take_along_axis(values, order, -1), np.take_along_axis(numbers, order, -1)


def gathered(model: Model, plan: Plan, folder: Path, n_shards: int) -> Atlas:
    aggregate, best, at = MetricAggregate(), np.zeros((0, 0, 0), np.float32), np.zeros((0, 0, 0), np.int64)
    sentences: dict[int, str] = {}
    skipped = n_tokens = 0
    for number in range(n_shards):
        header, tensors = container.read(part_path(folder, number), "atlas")
        skipped, n_tokens = skipped + header["skipped"], n_tokens + header["tokens"]
        if header["sums"] is None:
            continue
        is_first = not aggregate.n_texts
        aggregate.merge(MetricAggregate.from_parts(header["sums"], tensors))
        values, numbers = tensors["best"].numpy(), tensors["at"].numpy()
        if not is_first:
            values, numbers = np.concatenate([best, values], -1), np.concatenate([at, numbers], -1)
        best, at = top(values, numbers)
        sentences |= {int(i): text for i, text in header["sentences"].items()}
        sentences = {int(i): sentences[int(i)] for i in np.unique(at)}
    frame = aggregate.frame()
    frame = with_kinds(frame, model, tuple(next(plan.shards())[:FIRST_TEXTS]))
    frame.attrs |= {"skipped": skipped, "tokens": n_tokens, "about": as_attrs([(model.card.name, "", ())])}
    rows = []
    for row, (site, head, kind) in enumerate(frame[["site", "head", "kind_of_head"]].itertuples(index=False)):
        column = KEPT.index(pattern_of(kind)[0])
        pairs = zip(best[row, column].tolist(), at[row, column].tolist(), strict=True)
        largest = [(value, i) for value, i in pairs if value > -np.inf]
        rows += [(site, head, kind, rank, value, i, sentences[i]) for rank, (value, i) in enumerate(largest, start=1)]
    columns = ["site", "head", "kind", "rank", "value", "text", "sentence"]
    return Atlas(frame, pd.DataFrame(rows, columns=columns))


def write_tables(atlas: Atlas, folder: Path) -> None:
    write_whole(folder / "heads.parquet", atlas.heads.to_parquet())
    write_whole(folder / "excited.parquet", atlas.excited.to_parquet())
