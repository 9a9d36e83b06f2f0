"""Lays a model out on torch's meta device, without memory, to refuse one larger than its weights or the machine.

Also how every folder is opened with transformers: no code, no network, nothing printed. Never reads a tensor.
"""

import math
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.modules.module import register_module_parameter_registration_hook

from attnviz.core.errors import AttnvizError, UnsupportedModel
from attnviz.pretrained.loading.device import Placement
from attnviz.pretrained.loading.folder import Shapes

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel

HEADING = re.compile(r"Error\(s\) in loading state_dict")  # of torch's lists of what does not fit
OFFLINE = {"local_files_only": True, "trust_remote_code": False}
SPARE_TENSORS = 4096  # a model may have twice as many as its weights, and this many more
SPARE_NUMBERS = 1 << 24  # a model may be this much larger than its weights: tables that it computes itself


# transformers takes `tie_weights` off its own class while it makes or loads a model (initialization.no_tie_weights): of
# two at once one is not tied, and the class may stay without it.
one_load = threading.RLock()


@contextmanager
def refusing_errors(folder: Path) -> Iterator[None]:
    """Loads one model at a time; turns what transformers raises over a strange folder into one sentence, and keeps its
    bars and reports silent.
    """
    with one_load, in_one_sentence(folder):
        yield


@contextmanager
def in_one_sentence(folder: Path) -> Iterator[None]:
    from transformers.utils import logging

    bar_was_on, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    except AttnvizError:
        raise
    except Exception as error:
        if "trust_remote_code" in str(error):  # transformers' own advice is to run it
            raise UnsupportedModel(id="own-code", folder=str(folder)) from error
        if "backend tokenizer" in str(error):  # none of the files that a tokenizer is made of
            raise UnsupportedModel(id="no-tokenizer", model=str(folder)) from error
        reason = reason_of(error)
        raise UnsupportedModel(id="not-loadable", folder=str(folder), reason=reason) from error
    finally:
        logging.set_verbosity(verbosity)
        if bar_was_on:
            logging.enable_progress_bar()


def reason_of(error: Exception) -> str:
    """The reason on one line, without a full stop."""
    lines = [line for line in str(error).splitlines() if line.strip()]  # lists of what is known come after the first
    first = next((line for line in lines if not HEADING.match(line)), "")
    reason = " ".join(first.split()[:40]).rstrip(".:")
    return f"it names {reason}, which transformers does not know" if isinstance(error, KeyError) else reason


def check_size(folder: Path, config: "PreTrainedConfig", shapes: Shapes, placement: Placement) -> None:
    """Refuse a model far larger than its weights, or than the memory."""
    from transformers import AutoModel

    refuse_two_models(config, folder.name)
    check_layout(folder, laid_out(AutoModel, config, shapes), shapes, placement)


def laid_out(kind: Any, config: "PreTrainedConfig", shapes: Shapes) -> "PreTrainedModel":
    """A model without memory, built by one of transformers' automatic classes; stopped at too many tensors."""
    with torch.device("meta"), at_most(2 * len(shapes) + SPARE_TENSORS):
        layout: PreTrainedModel = kind.from_config(config, trust_remote_code=False, attn_implementation="eager")
        return layout


def check_layout(path: Path, layout: torch.nn.Module, shapes: Shapes, placement: Placement) -> None:
    """Refuse a layout far larger than the weights of these shapes, or than the memory."""
    held = sum(math.prod(shape) for shape in shapes.values())  # numbers in the weights
    wanted = sum(part.numel() for part in (*layout.parameters(), *layout.buffers()))
    if wanted > 2 * held + SPARE_NUMBERS:
        raise UnsupportedModel(id="config-too-large", name="numbers", value=wanted, limit=held)
    if placement.is_spread:
        return
    n_bytes, has = wanted * placement.dtype.itemsize, memory_of(placement.device)
    if n_bytes > has:
        raise UnsupportedModel(
            id="too-large-for-memory", folder=str(path), size=round(n_bytes / 1e9, 1), memory=round(has / 1e9, 1),
            dtype=str(placement.dtype)[6:], device=str(placement.device),
        )  # fmt: skip


@contextmanager
def at_most(n_tensors: int) -> Iterator[None]:
    """Stop a layout in this thread once it has more tensors than the weights can explain."""
    here, made = threading.get_ident(), 0

    def count(*_: object) -> None:
        nonlocal made
        made += threading.get_ident() == here
        if made > n_tensors and threading.get_ident() == here:
            raise UnsupportedModel(id="config-too-many", limit=n_tensors)

    handle = register_module_parameter_registration_hook(count)
    try:
        yield
    finally:
        handle.remove()


def memory_of(device: torch.device) -> int:
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[1])
    if not hasattr(os, "sysconf"):  # Windows
        return sys.maxsize
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def refuse_other_input(made: object, name: str) -> None:
    """Refuse a model, or a class of models, that reads pictures or sound: it has no vocabulary to ask for."""
    given = getattr(made, "main_input_name", "input_ids")
    if given != "input_ids":
        raise UnsupportedModel(id="reads-no-text", model=name, input=given)


def refuse_two_models(config: "PreTrainedConfig", name: str) -> None:
    """Refuse an encoder-decoder that was put together from two models: each has a vocabulary and layers of its own."""
    kinds = [getattr(getattr(config, part, None), "model_type", None) for part in ("encoder", "decoder")]
    if None not in kinds:
        raise UnsupportedModel(id="two-models", model=name, encoder=kinds[0], decoder=kinds[1])
