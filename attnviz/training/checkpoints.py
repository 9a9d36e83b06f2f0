"""What training leaves on disk: the weights, the checkpoints on the way, and all that is needed to go on.

    model.safetensors            final weights, float32; the header holds words, plan, log and versions
    steps/000120.safetensors     a checkpoint, float16
    resume.safetensors           weights, optimiser and step of an unfinished run

Each file is written beside itself and then moved into place, so that a crash never leaves half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from attnviz.core.errors import WrongWeights

FORMAT = 1
MODEL, STEPS, RESUME = "model.safetensors", "steps", "resume.safetensors"
MOST_CHECKPOINTS = 24


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


def check_sha256(weights: Mapping[str, Tensor], expected: str, folder: Path) -> None:
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


def load_weights(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Put saved weights into a network of the same shape.

    Raises:
        WrongWeights: the names or shapes are not this network's.
    """
    own = dict(network.named_parameters())
    if own.keys() != weights.keys() or any(own[name].shape != part.shape for name, part in weights.items()):
        raise WrongWeights(
            "The weights do not fit the shape their file describes. Train the model again: attnviz train.",
            id="weights-do-not-fit",
        )
    with torch.no_grad():
        for name, part in weights.items():
            own[name].copy_(part)


def write(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> None:
    """One file of tensors with a JSON header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    header = {"format": FORMAT, **header}
    beside.write_bytes(save(dict(tensors), {"attnviz": json.dumps(header, ensure_ascii=False, sort_keys=True)}))
    os.replace(beside, path)


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """A file's tensors and header.

    Raises:
        WrongWeights: it is missing, cut short, or none of ours.
    """
    try:
        with safe_open(str(path), framework="pt") as file:
            header = json.loads((file.metadata() or {})["attnviz"])
            if header["format"] != FORMAT:
                raise KeyError(header["format"])
            return {name: file.get_tensor(name) for name in file.keys()}, header  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, ValueError, TypeError) as fault:
        raise WrongWeights(
            f"{path} is not a model trained by AttnViz, or not a whole one. Train it again: attnviz train.",
            id="not-a-trained-model",
            path=str(path),
        ) from fault


def is_trained(folder: Path) -> bool:
    """Whether a folder holds a model trained here."""
    if not (folder / MODEL).is_file():
        return False
    try:
        with safe_open(str(folder / MODEL), framework="pt") as file:
            return "attnviz" in (file.metadata() or {})
    except (SafetensorError, OSError):
        return False


def write_checkpoint(folder: Path, step: int, network: nn.Module, header: Mapping[str, Any]) -> None:
    """The weights at one step, in half precision."""
    halves = {name: part.half() for name, part in weights_of(network).items()}
    write(folder / STEPS / f"{step:06d}.safetensors", halves, {**header, "step": step})


def saved_steps(folder: Path) -> tuple[int, ...]:
    """The steps of which a folder holds a checkpoint."""
    return tuple(sorted(int(path.stem) for path in (folder / STEPS).glob("*.safetensors")))


def read_checkpoint(folder: Path, step: int) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The weights at one step as float32.

    Raises:
        WrongWeights: there is no such checkpoint, or it is broken.
    """
    halves, header = read(folder / STEPS / f"{step:06d}.safetensors")
    return {name: part.float() for name, part in halves.items()}, header
