"""How a folder is opened with transformers: no code, no network, no noise, and no model larger than its weights.

Nothing here reads a tensor: a model is laid out on torch's meta device, counted while it grows, and measured.
"""

import math
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch.nn.modules.module import register_module_parameter_registration_hook

from attnviz.core.errors import AttnvizError, UnsupportedModel
from attnviz.pretrained.loading.device import Place
from attnviz.pretrained.loading.folder import shapes_of

HERE = {"local_files_only": True, "trust_remote_code": False}  # how every folder is opened
SPARE_TENSORS = 4096  # a model may have twice as many as its weights, and so many more
SPARE_NUMBERS = 1 << 24  # a model may be this much larger than its weights: tables that it computes itself


@contextmanager
def refusing(folder: Path) -> Iterator[None]:
    """Whatever a strange folder makes transformers raise becomes one sentence; its bars and reports stay silent."""
    from transformers.utils import logging

    bar_was_on, said = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    except AttnvizError:
        raise
    except Exception as error:
        if "trust_remote_code" in str(error):  # transformers' own advice is to run it
            raise UnsupportedModel(
                f"The model in {folder} needs code of its own, and code that a model brings along is never run. Choose "
                "another model.",
                id="own-code",
                folder=str(folder),
            ) from error
        reason = reason_of(error)
        raise UnsupportedModel(
            f"transformers cannot load {folder}: {reason}. Choose another model, or get this one anew.",
            id="not-loadable",
            folder=str(folder),
            reason=reason,
        ) from error
    finally:
        logging.set_verbosity(said)
        if bar_was_on:
            logging.enable_progress_bar()


def reason_of(error: Exception) -> str:
    """What stood in the way, on one line and without a full stop."""
    first = next((line for line in str(error).splitlines() if line.strip()), "")  # lists of what it knows come after it
    said = " ".join(first.split()[:40]).rstrip(".:")
    return f"it names {said}, which transformers does not know" if isinstance(error, KeyError) else said


def check_memory(folder: Path, place: Place) -> None:
    """Refuse a model far larger than its weights, or than the memory: it is laid out without any, and measured."""
    from transformers import AutoConfig, AutoModel

    shapes = shapes_of(folder)
    with refusing(folder), torch.device("meta"), at_most(2 * len(shapes) + SPARE_TENSORS):
        config = AutoConfig.from_pretrained(folder, **HERE)
        layout = AutoModel.from_config(config, trust_remote_code=False, attn_implementation="eager")
    held = sum(math.prod(shape) for shape in shapes.values())  # numbers in the weights
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
    n_bytes, has = wanted * place.dtype.itemsize, memory_of(place.device)
    if n_bytes > has:
        raise UnsupportedModel(
            f"{folder} takes {n_bytes / 1e9:.1f} GB in {str(place.dtype)[6:]}, and {place.device} has "
            f"{has / 1e9:.1f} GB. Choose a smaller model, or dtype='bfloat16'.",
            id="too-large-for-memory",
            folder=str(folder),
            size=round(n_bytes / 1e9, 1),
            memory=round(has / 1e9, 1),
        )


@contextmanager
def at_most(n_tensors: int) -> Iterator[None]:
    """Stop a model that is being laid out in this thread once it has more tensors than its weights can explain."""
    here, made = threading.get_ident(), 0

    def count(*_: object) -> None:
        nonlocal made
        made += threading.get_ident() == here
        if made > n_tensors and threading.get_ident() == here:
            raise UnsupportedModel(
                f"config.json asks for more than {n_tensors} tensors; the weights beside it hold fewer. It was not "
                "built. Get the model from a source you trust.",
                id="config-too-many",
                limit=n_tensors,
            )

    handle = register_module_parameter_registration_hook(count)
    try:
        yield
    finally:
        handle.remove()


def memory_of(device: torch.device) -> int:
    """Bytes of memory that a device has in all."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[1])
    if not hasattr(os, "sysconf"):  # Windows does not say it this way
        return sys.maxsize
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
