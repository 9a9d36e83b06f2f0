"""What can be opened on this computer: each model with its size, what it is, and why it cannot be read where it cannot.

Only names, small JSON files and the headers of weights are read, so a model that is listed may still be refused.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from attnviz.core.errors import AttnvizError, UnsupportedModel
from attnviz.pretrained.loading.adapter import is_adapter
from attnviz.pretrained.loading.folder import CONFIG, check_entries, read_json, shapes_of
from attnviz.pretrained.on_this_computer import hub_cache, lm_studio, ollama
from attnviz.pretrained.on_this_computer.names import file_of

Source = Literal["Hugging Face", "Ollama", "LM Studio"]
ADAPTER = "LoRA"  # what an adapter is said to be
FLOAT32 = 4  # bytes a number
VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "*.spm")
MOST = 300  # models listed of one program
KEPT = 512  # headers that are remembered; a file that changes is read again


@dataclass(frozen=True)
class LocalModel:
    """One model on this computer."""

    name: str  # as `av.load` takes it
    source: Source
    n_bytes: int = 0  # on disk
    architecture: str = ""  # by its own name for it; "" where it does not say
    parameters: int = 0
    quantised: tuple[str, ...] = ()  # ggml types of its blocks, the largest part first; none of plain numbers
    problem: AttnvizError | None = None  # why it cannot be read

    @property
    def memory(self) -> int:
        """Bytes of its weights in float32, as it is loaded unless another dtype is asked for."""
        return FLOAT32 * self.parameters


def local_models() -> tuple[LocalModel, ...]:
    """Every model that the Hugging Face cache, Ollama and LM Studio have here; those that can be read first."""
    models = [*_of_hub(), *_of("Ollama", ollama.names()), *_of("LM Studio", lm_studio.names())]
    return tuple(sorted(models, key=lambda model: model.problem is not None))


def _of_hub() -> Iterator[LocalModel]:
    for _, snapshot in zip(range(MOST), hub_cache.snapshots(), strict=False):
        yield _of_snapshot(snapshot)


def _of_snapshot(snapshot: hub_cache.Snapshot) -> LocalModel:
    name, folder, architecture, parameters = snapshot.name, snapshot.folder, "", 0
    try:
        check_entries(folder)
        if is_adapter(folder):  # merged with its base where that is here; its own size says nothing of that
            return LocalModel(name, "Hugging Face", snapshot.n_bytes, ADAPTER)
        architecture = str(read_json(folder / CONFIG).get("model_type", ""))[:60]
        parameters = sum(math.prod(shape) for shape in shapes_of(folder).values())
        if not any(any(folder.glob(pattern)) for pattern in VOCABULARIES):
            raise UnsupportedModel(id="no-tokenizer", model=name)
    except AttnvizError as problem:
        return LocalModel(name, "Hugging Face", snapshot.n_bytes, architecture, parameters, problem=problem)
    return LocalModel(name, "Hugging Face", snapshot.n_bytes, architecture, parameters)


def _of(source: Source, names: Iterator[str]) -> Iterator[LocalModel]:
    """Of a program that keeps GGUF files."""
    for _, name in zip(range(MOST), dict.fromkeys(names), strict=False):
        try:
            path = file_of(name)
            held = path.stat()
        except AttnvizError as problem:
            yield LocalModel(name, source, problem=problem)
        except OSError:
            continue  # deleted meanwhile
        else:
            yield LocalModel(name, source, held.st_size, *_gguf_facts(path, held.st_size, held.st_mtime_ns))


@lru_cache(KEPT)
def _gguf_facts(path: Path, n_bytes: int, changed: int) -> tuple[str, int, tuple[str, ...], AttnvizError | None]:
    """Architecture, parameters, types of blocks and what is wrong, by the header alone."""
    from attnviz.pretrained.loading.gguf.configuration import row_of  # imports transformers
    from attnviz.pretrained.loading.gguf.header import read_header
    from attnviz.pretrained.loading.gguf.load import quantised, refuse_part

    architecture, parameters = "", 0
    blocks: tuple[str, ...] = ()
    try:
        header = read_header(path)
        architecture, blocks = header.architecture[:60], quantised(header)
        parameters = sum(math.prod(tensor.shape) for tensor in header.tensors.values())
        refuse_part(header)
        row_of(header)
    except AttnvizError as problem:
        return architecture, parameters, blocks, problem
    return architecture, parameters, blocks, None
