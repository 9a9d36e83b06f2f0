"""Similarities saved in a folder, each under a digest of what both models compute and of the sentences."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import torch

from attnviz.analysis import file_cache
from attnviz.analysis.compare.self_attention_heads import Head
from attnviz.analysis.compare.similarity import Similarity
from attnviz.analysis.heads.survey_cache import fingerprint
from attnviz.files import write_whole
from attnviz.trace import container
from attnviz.trace.container import Parts
from attnviz.trace.model_protocol import Model
from attnviz.trace.run_facts import Card

VERSION = 2  # of the file and of the arithmetic: part of the digest
PATTERN = "pairs-*.safetensors"
NAMES = ("n_sentences", "n_rows", "n_skipped", "why_skipped", "by_words")


def path_of(folder: Path, model_a: Model, model_b: Model, sentences: Sequence[str]) -> Path:
    """The file of the similarity of two models over these sentences."""
    said = hashlib.sha256(json.dumps([VERSION, list(sentences)]).encode())
    longest = max(sentences, key=len)
    for model in (model_a, model_b):
        said.update(fingerprint(model, longest))
    return folder / f"pairs-{said.hexdigest()[:16]}.safetensors"


def write(similarity: Similarity, path: Path) -> None:
    header = {name: getattr(similarity, name) for name in NAMES} | {
        "a": [astuple(head) for head in similarity.heads_a], "b": [astuple(head) for head in similarity.heads_b],
    }  # fmt: skip
    write_whole(path, container.to_bytes(header, {"every": torch.from_numpy(similarity.every)}, "similarity"))


def read(path: Path, card_a: Card, card_b: Card) -> Similarity | None:
    """A saved similarity; None where there is none, or its file is damaged."""

    def made(parts: Parts) -> Similarity:
        header, tensors = parts
        of_a, of_b = (tuple(Head(*head) for head in header[side]) for side in ("a", "b"))
        fields = {name: header[name] for name in NAMES}
        return Similarity(card_a, card_b, of_a, of_b, tensors["every"].numpy(), **fields)

    return file_cache.read(path, "similarity", made)
