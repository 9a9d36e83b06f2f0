"""What training leaves on disk: the weights, the checkpoints on the way, and all that is needed to go on.

    model.safetensors            final weights, float32; the header holds words, plan, log and versions
    steps/000120.safetensors     a checkpoint, float16
    resume.safetensors           weights, optimiser and step of an unfinished run

Each file is written beside itself and then moved into place, so that a crash never leaves half of one.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from attnviz.core.errors import WriteError, WrongWeights
from attnviz.training.plans import MOST_CHECKPOINTS

FORMAT = 1
MODEL, STEPS, RESUME = "model.safetensors", "steps", "resume.safetensors"
LARGEST_FILE = 1_000_000_000  # bytes; the largest plan with its optimiser stays below


def checkpoint_steps(steps: int, n: int) -> tuple[int, ...]:
    """When to keep the weights: at first at doubling steps, where heads change fast, then evenly; 0 and the last too.

    Args:
        steps: of the whole training.
        n: how many checkpoints, from 2 to 24.
    """
    n = max(2, min(n, MOST_CHECKPOINTS, steps + 1))
    n_doubling = n // 2
    n_even = n - n_doubling
    gap = steps / n_even
    doubling = [round(gap / 2**power) for power in range(n_doubling - 1, 0, -1)]
    even = [round(gap * number) for number in range(1, n_even + 1)]
    return tuple(sorted({0, *doubling, *even}))


def weights_of(network: nn.Module) -> dict[str, Tensor]:
    """The parameters by name, once each, on the CPU."""
    return {name: part.detach().cpu().contiguous() for name, part in network.named_parameters()}


def sha256_of(weights: Mapping[str, Tensor]) -> str:
    """A fingerprint of the weights: names, shapes and every bit."""
    return hashlib.sha256(save(dict(weights))).hexdigest()


def check_sha256(weights: Mapping[str, Tensor], expected: object, folder: Path) -> None:
    """Refuse weights that are not those the file was written with.

    Raises:
        WrongWeights: they were changed or damaged since.
    """
    if sha256_of(weights) != expected:
        raise WrongWeights(
            f"The weights in {folder} are not those that were trained: their checksum differs. Train the model again.",
            id="changed-weights",
            path=str(folder),
        )


def check_fit(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Refuse weights of another shape; the network may be one without memory, on torch's "meta" device.

    Raises:
        WrongWeights: the names or shapes are not this network's, or a number is none.
    """
    own = dict(network.named_parameters())
    if own.keys() != weights.keys() or any(own[name].shape != part.shape for name, part in weights.items()):
        raise do_not_fit()
    if not all(part.is_floating_point() and bool(part.isfinite().all()) for part in weights.values()):
        raise do_not_fit()


def load_weights(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Put saved weights into a network of the same shape.

    Raises:
        WrongWeights: the names or shapes are not this network's.
    """
    check_fit(network, weights)
    own = dict(network.named_parameters())
    with torch.no_grad():
        for name, part in weights.items():
            own[name].copy_(part)


def do_not_fit() -> WrongWeights:
    return WrongWeights(
        "The weights do not fit the shape their file describes. Train the model again: attnviz train.",
        id="weights-do-not-fit",
    )


# ------------------------------------------------------------------------------------------------------------- files


def write(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> None:
    """One file of tensors with a JSON header.

    Raises:
        WriteError: there is no room, or nothing may be written there; an older file of that name is whole.
    """
    beside = path.with_name(path.name + ".part")
    header = {"format": FORMAT, **header}
    content = save(dict(tensors), {"attnviz": json.dumps(header, ensure_ascii=False, sort_keys=True)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        os.replace(beside, path)
    except OSError as fault:
        with suppress(OSError):
            beside.unlink()
        raise cannot_write(path, fault) from fault


def cannot_write(path: Path, fault: OSError) -> WriteError:
    """The sentence for a file that could not be written."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return WriteError(
            f"There is no room left to write {path}. What was kept before is whole: make room, and go on with "
            "attnviz train --resume.",
            id="no-room", path=str(path),
        )  # fmt: skip
    reason = fault.strerror or type(fault).__name__
    return WriteError(
        f"{path} cannot be written ({reason}). Choose a folder that you may write into.",
        id="cannot-write", path=str(path), fault=reason,
    )  # fmt: skip


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """A file's tensors and header.

    Raises:
        WrongWeights: it is missing, cut short, far too large, or none of ours.
    """
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:  # neither a pipe nor a device is opened
            raise ValueError(path)
        with safe_open(str(path), framework="pt") as file:
            header = json.loads((file.metadata() or {})["attnviz"])
            if header["format"] != FORMAT:
                raise KeyError(header["format"])
            return {name: file.get_tensor(name) for name in file.keys()}, header  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, ValueError, TypeError, RecursionError) as fault:
        raise WrongWeights(
            f"{path} is not a model trained by AttnViz, or not a whole one. Train it again: attnviz train.",
            id="not-a-trained-model",
            path=str(path),
        ) from fault


def is_ours(path: Path) -> bool:
    """Whether a file was written by `write`, as its header says."""
    if not os.path.isfile(path):  # False too for a name that is no path
        return False
    try:
        with safe_open(str(path), framework="pt") as file:
            return "attnviz" in (file.metadata() or {})
    except (SafetensorError, OSError, RuntimeError):  # the last where a file is larger than can be mapped
        return False


def is_trained(folder: Path) -> bool:
    """Whether a folder holds a model trained here."""
    return is_ours(folder / MODEL)


def write_checkpoint(folder: Path, step: int, network: nn.Module, header: Mapping[str, Any]) -> None:
    """The weights at one step, in half precision."""
    largest = torch.finfo(torch.float16).max
    halves = {name: part.clamp(-largest, largest).half() for name, part in weights_of(network).items()}
    write(_checkpoint(folder, step), halves, {**header, "step": step})


def checkpoint_files(folder: Path) -> Iterator[tuple[int, Path]]:
    """The checkpoints of a folder and their steps; files of other names are none."""
    for path in (folder / STEPS).glob("*.safetensors"):
        if path.stem.isascii() and path.stem.isdigit() and path == _checkpoint(folder, int(path.stem)):
            yield int(path.stem), path


def saved_steps(folder: Path) -> tuple[int, ...]:
    """The steps of which a folder holds a checkpoint."""
    return tuple(sorted(step for step, _ in checkpoint_files(folder)))


def read_checkpoint(folder: Path, step: int) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The weights at one step as float32.

    Raises:
        WrongWeights: there is no such checkpoint, or it is broken.
    """
    halves, header = read(_checkpoint(folder, step))
    return {name: part.float() for name, part in halves.items()}, header


def _checkpoint(folder: Path, step: int) -> Path:
    return folder / STEPS / f"{step:06d}.safetensors"
