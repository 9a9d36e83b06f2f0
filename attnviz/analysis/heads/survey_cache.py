"""Surveys saved in a folder, each under a digest of what the model computes, not under its name.

Those of the bundled models come with the package. A person's own sentences are never written.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from attnviz.analysis import file_cache
from attnviz.analysis.heads import kinds, metrics
from attnviz.analysis.heads.aggregate import HeadTable
from attnviz.analysis.heads.sentences import LANGUAGES, bundled
from attnviz.analysis.heads.survey import KEPT, Survey, languages_of, survey
from attnviz.core.errors import TraceFileError
from attnviz.core.progress import OnProgress
from attnviz.files import write_whole
from attnviz.trace import container
from attnviz.trace.container import Parts
from attnviz.trace.model_protocol import HashesWeights, MakesTexts, Model
from attnviz.trace.run_facts import Card

VERSION = 3  # of the file, and of what is measured
PATTERN = "heads-*.safetensors"
BUNDLED = Path(__file__).parent / "surveys"


def cached_survey(
    model: Model, language: str | None = None, *, folder: Path, sentences: Sequence[str] | None = None,
    max_seconds: float = 300.0, on_progress: OnProgress | None = None,
) -> Survey:  # fmt: skip
    """The survey of a model over a bundled set, from the folder if it was measured before; only a whole one is saved.

    Args:
        sentences: sentences of the model's task, for a model that reads no others.
    """
    if sentences is None:
        language = language or next(iter(languages_of(model.card)), LANGUAGES[0])
    chosen = bundled(str(language)) if sentences is None else tuple(sentences)
    path = folder / f"heads-{digest(model, chosen)}.safetensors"
    cached = read(path, model.card)
    if cached is None:
        cached = survey(model, sentences, language=language, max_seconds=max_seconds, on_progress=on_progress)
        if len(cached.sentences) == cached.n_asked:
            write_whole(path, packed(cached))
    return replace(cached, card=model.card)


def digest(model: Model, sentences: Sequence[str]) -> str:
    """16 digits of SHA-256 over the sentences, the tables of metrics and kinds, and the model's fingerprint."""
    said = hashlib.sha256(json.dumps(_tables(sentences)).encode())
    said.update(fingerprint(model, max(sentences, key=len)))
    return said.hexdigest()[:16]


def fingerprint(model: Model, sentence: str) -> bytes:
    """What a model is and computes, as bytes: it depends on the weights, not on the name.

    It covers the card, the weights of a model that says them (the card of one trained here has their hash), and
    queries and values of every attention on one sentence, rounded so that threads and kernels make no difference.
    """
    said = hashlib.sha256(json.dumps(asdict(model.card)).encode())
    if isinstance(model, HashesWeights):
        said.update(model.weights_sha256.encode())
    for key, record in model.trace(sentence).records.items():
        for part in (next(iter(record.source.tensors.values())), record.source.v):  # q or the scores, and v
            means = part.float().mean(-1).cpu().numpy()  # [H, T]
            said.update(key.encode() + np.round(means, 3).tobytes())
    return said.digest()


def shipped_survey(model: Model, language: str | None = None) -> Survey | None:
    """The survey in the package over the sentences that `survey` would choose; None where there is none."""
    if language is None and isinstance(model, MakesTexts):
        return bundled_survey(model.card, model.own_texts())
    return bundled_survey(model.card, bundled(language or next(iter(languages_of(model.card)), LANGUAGES[0])))


def bundled_survey(card: Card, sentences: Sequence[str]) -> Survey | None:
    """The survey in the package for this revision, without running the model; None where there is none."""
    return read(bundled_survey_path(card, sentences), card)


def bundled_survey_path(card: Card, sentences: Sequence[str]) -> Path:
    """Where such a survey is; other weights, sentences, metrics or thresholds give another name."""
    said = hashlib.sha256(json.dumps([card.revision, _tables(sentences)]).encode())
    return BUNDLED / f"{card.family.replace(' ', '-')}-{said.hexdigest()[:16]}.safetensors"


def _tables(sentences: Sequence[str]) -> list[object]:
    table = [(kind.name, kind.metric, kind.threshold) for kind in kinds.KINDS]  # not how it is drawn
    return [VERSION, list(sentences), table, metrics.COLUMNS, KEPT]


def packed(survey: Survey) -> bytes:
    """A survey as bytes, without its card."""
    numbers = survey.heads.select_dtypes("number")
    header = {
        "version": VERSION, "language": survey.language, "sentences": survey.sentences, "asked": survey.n_asked,
        "unknown": survey.unknown_share, "columns": list(survey.heads.columns), "numbers": list(numbers.columns),
        "texts": {name: list(survey.heads[name]) for name in survey.heads.columns.difference(numbers.columns)},
        "whole": [name for name in numbers.columns if numbers[name].dtype.kind == "i"],
        "reasons": [[*place.split(), said] for place, said in survey.heads.attrs["reasons"].items()],
    }  # fmt: skip
    arrays = {"numbers": numbers.to_numpy(np.float64, copy=True), "sentences": survey.per_sentence}
    return container.to_bytes(header, {name: torch.from_numpy(array) for name, array in arrays.items()}, "survey")


def from_parts(parts: Parts, card: Card) -> Survey:
    """The inverse of `packed`, of what `container` reads; anything else is refused."""
    header, tensors = parts
    numbers, per_sentence = (tensors[name].numpy() for name in ("numbers", "sentences"))
    sentences = tuple(header["sentences"])
    if header["version"] != VERSION or per_sentence.shape[:2] != (len(sentences), len(numbers)):
        raise TraceFileError(id="no-survey")
    measured = pd.DataFrame(numbers, columns=header["numbers"]).astype(dict.fromkeys(header["whole"], np.int64))
    frame = HeadTable(pd.concat([measured, pd.DataFrame(header["texts"])], axis=1)[header["columns"]])
    frame.attrs["reasons"] = {f"{site} {name}": said for site, name, said in header["reasons"]}
    frame.attrs["metrics"] = [name for name in header["columns"] if metrics.metric_of(name) is not None]
    return Survey(card, header["language"], sentences, header["asked"], header["unknown"], frame, per_sentence)


def read(path: Path, card: Card) -> Survey | None:
    """A saved survey; None where there is none, or its file is damaged."""
    return file_cache.read(path, "survey", lambda parts: from_parts(parts, card))
