"""Surveys saved in a folder, each under a digest of what the model computes, not under its name.

Those of the bundled models come with the package. A person's own sentences are never written.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from attnviz.analysis.file_cache import read_whole
from attnviz.analysis.heads import kinds, metrics
from attnviz.analysis.heads.sentences import LANGUAGES, bundled
from attnviz.analysis.heads.survey import KEPT, Progress, Survey, languages_of, survey
from attnviz.files import write_whole
from attnviz.trace.model_protocol import Model
from attnviz.trace.run_facts import Card

VERSION = 1  # of the file
MOST_BYTES = 64 << 20  # of one file
BUNDLED = Path(__file__).parent / "surveys"


def cached_survey(
    model: Model, language: str | None = None, *, folder: Path, sentences: Sequence[str] | None = None,
    max_seconds: float = 300.0, on_progress: Progress | None = None,
) -> Survey:  # fmt: skip
    """The survey of a model over a bundled set, from the folder if it was measured before; only a whole one is saved.

    Args:
        sentences: sentences of the model's task, for a model that reads no others.
    """
    if sentences is None:
        language = language or next(iter(languages_of(model.card)), LANGUAGES[0])
    chosen = bundled(str(language)) if sentences is None else tuple(sentences)
    path = folder / f"heads-{digest(model, chosen)}.npz"
    found = read(path, model.card)
    if found is None:
        found = survey(model, language, sentences=sentences, max_seconds=max_seconds, on_progress=on_progress)
        if len(found.sentences) == found.n_asked:
            write_whole(path, packed(found))
    return replace(found, card=model.card)


def digest(model: Model, sentences: Sequence[str]) -> str:
    """16 digits of SHA-256 over the sentences, the tables of metrics and kinds, and the model's fingerprint."""
    said = hashlib.sha256(json.dumps(_tables(sentences)).encode())
    said.update(fingerprint(model, max(sentences, key=len)))
    return said.hexdigest()[:16]


def fingerprint(model: Model, sentence: str) -> bytes:
    """What a model is and computes, as bytes: it depends on the weights, not on the name.

    It covers the card, and queries and values of every attention on one sentence, rounded so that threads and kernels
    make no difference.
    """
    said = hashlib.sha256(json.dumps(asdict(model.card)).encode())
    for key, record in model.trace(sentence).records.items():
        for part in (record.q_or_scores, record.source.v):
            means = part.float().mean(-1).cpu().numpy()  # [H, T]
            said.update(key.encode() + np.round(means, 3).tobytes())
    return said.digest()


def bundled_survey(card: Card, sentences: Sequence[str]) -> Survey | None:
    """The survey in the package for this revision, without running the model; None where there is none."""
    return read(bundled_survey_path(card, sentences), card)


def bundled_survey_path(card: Card, sentences: Sequence[str]) -> Path:
    """Where such a survey is; other weights, sentences, metrics or thresholds give another name."""
    said = hashlib.sha256(json.dumps([card.revision, _tables(sentences)]).encode())
    return BUNDLED / f"{card.family.replace(' ', '-')}-{said.hexdigest()[:16]}.npz"


def _tables(sentences: Sequence[str]) -> list[object]:
    table = [(kind.name, kind.metric, kind.threshold) for kind in kinds.KINDS]  # not how it is drawn
    return [VERSION, list(sentences), table, metrics.COLUMNS, KEPT]


def parts(found: Survey) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """A survey without its card, as a JSON header and arrays."""
    numbers = found.frame.select_dtypes("number")
    header = {
        "version": VERSION, "language": found.language, "sentences": found.sentences, "asked": found.n_asked,
        "unknown": found.unknown_share, "columns": list(found.frame.columns), "numbers": list(numbers.columns),
        "texts": {name: list(found.frame[name]) for name in found.frame.columns.difference(numbers.columns)},
        "whole": [name for name in numbers.columns if numbers[name].dtype.kind == "i"],
        "reasons": [[*place.split(), said] for place, said in found.frame.attrs["reasons"].items()],
    }  # fmt: skip
    return header, {"numbers": numbers.to_numpy(np.float64), "sentences": found.per_sentence}


def from_parts(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], card: Card) -> Survey:
    frame = pd.DataFrame(arrays["numbers"], columns=header["numbers"]).astype(dict.fromkeys(header["whole"], np.int64))
    frame = frame.assign(**header["texts"])[header["columns"]]
    frame.attrs["reasons"] = {f"{site} {name}": said for site, name, said in header["reasons"]}
    frame.attrs["texts"] = len(header["sentences"])
    sentences = tuple(header["sentences"])
    return Survey(card, header["language"], sentences, header["asked"], header["unknown"], frame, arrays["sentences"])


def packed(found: Survey) -> bytes:
    """A survey as bytes, without its card."""
    header, arrays = parts(found)
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer, header=np.array(json.dumps(header)), numbers=arrays["numbers"], sentences=arrays["sentences"]
    )
    return buffer.getvalue()


def read(path: Path, card: Card) -> Survey | None:
    """A saved survey; None where there is none, or its file is damaged."""
    content = read_whole(path, MOST_BYTES)
    return None if content is None else unpacked(content, card)


def unpacked(content: bytes, card: Card) -> Survey | None:
    """The inverse of `packed`; None if the bytes are damaged."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            header = json.loads(str(file["header"]))
            arrays = {name: file[name] for name in ("numbers", "sentences")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return from_parts(header, arrays, card) if header.get("version") == VERSION else None
