"""Surveys kept in a folder, each under a digest of what the model computes: another model, or other weights under the
same name, never finds it. Only whole surveys of bundled sentences are kept; a person's own list is not written down.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd

from attnviz.analysis.heads import kinds, metrics
from attnviz.analysis.heads.sentences import LANGUAGES, bundled
from attnviz.analysis.heads.survey import KEPT, Progress, Survey, languages_of, survey
from attnviz.core.errors import WriteError
from attnviz.core.model import Model
from attnviz.core.trace import Card

VERSION = 1  # of the file


def kept_survey(
    model: Model, language: str | None = None, *, folder: Path, max_seconds: float = 300.0,
    on_progress: Progress | None = None,
) -> Survey:  # fmt: skip
    """The survey of a model over a bundled set, from the folder if it was measured before.

    Args:
        folder: where surveys are kept; made if it is not there.
    Raises:
        InputError: as `survey`.
        WriteError: the folder cannot be written.
    """
    language = language or next(iter(languages_of(model.card)), LANGUAGES[0])
    path = folder / f"heads-{digest(model, language)}.npz"
    found = read(path, model.card)
    if found is None:
        found = survey(model, language, max_seconds=max_seconds, on_progress=on_progress)
        if len(found.sentences) == found.n_asked:
            write(found, path)
    return replace(found, card=model.card)


def digest(model: Model, language: str) -> str:
    """A name for a model on a set of sentences: 16 digits of SHA-256.

    In it: its card, the sentences, the tables of metrics and kinds, and queries and values of every attention on one
    sentence, rounded to what threads and kernels may change. So it follows the weights, not the name.
    """
    sentences = bundled(language)
    trace = model.trace(telling_sentence(language))
    said = hashlib.sha256()
    said.update(json.dumps([VERSION, asdict(model.card), sentences, repr(kinds.KINDS), metrics.COLUMNS, KEPT]).encode())
    for key, record in trace.records.items():
        for part in (record.q_or_scores, record.source.v):
            means = part.float().mean(-1).cpu().numpy()  # [H, T]
            said.update(key.encode() + np.round(means, 3).tobytes())
    return said.hexdigest()[:16]


def telling_sentence(language: str) -> str:
    """The sentence that tells models apart: the longest of the bundled ones."""
    return max(bundled(language), key=len)


def write(found: Survey, path: Path) -> None:
    """Keep a survey, whole or not at all.

    Raises:
        WriteError: there is no room, or no right to.
    """
    numbers = found.frame.select_dtypes("number")
    header = {
        "version": VERSION, "language": found.language, "sentences": found.sentences, "asked": found.n_asked,
        "unknown": found.unknown_share, "columns": list(found.frame.columns), "numbers": list(numbers.columns),
        "texts": {name: list(found.frame[name]) for name in found.frame.columns.difference(numbers.columns)},
        "whole": [name for name in numbers.columns if numbers[name].dtype.kind == "i"],
        "reasons": [[*key, said] for key, said in found.frame.attrs["reasons"].items()],
    }  # fmt: skip
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer, header=np.array(json.dumps(header)), numbers=numbers.to_numpy(np.float64), sentences=found.per_sentence
    )
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(buffer.getvalue())
        unfinished.replace(path)
    except OSError as error:
        raise WriteError(f"{path.name} cannot be written: {error.strerror}.") from error


def read(path: Path, card: Card) -> Survey | None:
    """A survey that was kept; None where there is none, or none that can be read whole."""
    try:
        with np.load(path, allow_pickle=False) as file:
            header = json.loads(str(file["header"]))
            numbers, sentences = file["numbers"], file["sentences"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    if header.get("version") != VERSION:
        return None
    frame = pd.DataFrame(numbers, columns=header["numbers"]).astype(dict.fromkeys(header["whole"], np.int64))
    frame = frame.assign(**header["texts"])[header["columns"]]
    frame.attrs["reasons"] = {(site, name): said for site, name, said in header["reasons"]}
    frame.attrs["texts"] = len(header["sentences"])
    return Survey(
        card, header["language"], tuple(header["sentences"]), header["asked"], header["unknown"], frame, sentences
    )  # fmt: skip
