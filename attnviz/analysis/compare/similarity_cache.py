"""Similarities saved in a folder, each under a digest of what both models compute and of the sentences, so that other
weights of the same name never find it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from attnviz.analysis.compare.self_attention_heads import Head
from attnviz.analysis.compare.similarity import Similarity
from attnviz.analysis.file_cache import read_whole
from attnviz.analysis.heads.survey_cache import fingerprint
from attnviz.files import write_whole
from attnviz.trace.model import Model
from attnviz.trace.trace import Card

VERSION = 1  # of the file and of the arithmetic
PATTERN = "pairs-*.safetensors"
MOST_BYTES = 64 << 20  # of one file: 2,800 heads on both sides


def path_of(folder: Path, model_a: Model, model_b: Model, sentences: Sequence[str]) -> Path:
    """The file of the similarity of two models over these sentences."""
    said = hashlib.sha256(json.dumps([VERSION, list(sentences)]).encode())
    longest = max(sentences, key=len)
    for model in (model_a, model_b):
        said.update(fingerprint(model, longest))
    return folder / f"pairs-{said.hexdigest()[:16]}.safetensors"


def write(found: Similarity, path: Path) -> None:
    """Save a similarity, whole or not at all.

    Raises:
        WriteError: no room or no permission.
    """
    header = {
        "version": VERSION, "a": [[head.site, head.head] for head in found.heads_a],
        "b": [[head.site, head.head] for head in found.heads_b], "sentences": found.n_sentences, "rows": found.n_rows,
        "skipped": found.n_skipped, "why": found.why_skipped, "by_words": found.by_words,
    }  # fmt: skip
    write_whole(path, save({"every": np.ascontiguousarray(found.every)}, {"attnviz": json.dumps(header)}))


def read(path: Path, card_a: Card, card_b: Card) -> Similarity | None:
    """A saved similarity; None where there is none, or its file is damaged."""
    content = read_whole(path, MOST_BYTES)
    if content is None:
        return None
    try:
        every = load(content)["every"]
        size = int.from_bytes(content[:8], "little")
        header = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["attnviz"])
        heads = [tuple(Head(str(site), int(head)) for site, head in header[side]) for side in ("a", "b")]
        n = len(heads[0]) + len(heads[1])
        if header["version"] != VERSION or every.shape != (n, n) or every.dtype != np.float64:
            return None
        return Similarity(
            card_a, card_b, heads[0], heads[1], every, int(header["sentences"]), int(header["rows"]),
            int(header["skipped"]), str(header["why"]), bool(header["by_words"]),
        )  # fmt: skip
    except (SafetensorError, ValueError, LookupError, TypeError):
        return None
