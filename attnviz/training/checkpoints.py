"""The files of a training: final weights, checkpoints on the way, and all that is needed to resume.

    model.safetensors            the newest weights, float32; the header holds words, plan, log and versions
    steps/000120.safetensors     a checkpoint, float16
    resume.safetensors           weights, optimiser and step of an unfinished training

Each file is written under another name and then moved into place, so that a crash never leaves half a file.
"""

import hashlib
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor, nn

from attnviz.core.errors import InputError, WrongWeights
from attnviz.trace import container
from attnviz.training.plans import MOST_CHECKPOINTS

KEY: container.Key = "attnviz"  # of the header in each of these files
MODEL, STEPS, RESUME = "model.safetensors", "steps", "resume.safetensors"


def checkpoint_steps(steps: int, n: int) -> tuple[int, ...]:
    """When to save at most n checkpoints: doubling steps, where heads change fast, then evenly; 0 and the last too."""
    n = max(2, min(n, MOST_CHECKPOINTS, steps + 1))
    n_doubling = n // 2
    n_even = n - n_doubling
    gap = steps / n_even
    doubling = [round(gap / 2**power) for power in range(n_doubling - 1, 0, -1)]
    even = [round(gap * number) for number in range(1, n_even + 1)]
    return tuple(sorted({0, *doubling, *even}))


def weights_of(network: nn.Module) -> dict[str, Tensor]:
    """The parameters by name, on the CPU; a shared one once."""
    return {name: part.detach().cpu().contiguous() for name, part in network.named_parameters()}


def sha256_of(weights: Mapping[str, Tensor]) -> str:
    """A checksum of the weights: names, shapes and every bit."""
    return hashlib.sha256(save(dict(weights))).hexdigest()


def check_fit(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Refuse weights of other names or shapes, or not finite; the network may be on torch's “meta” device."""
    ours = dict(network.named_parameters())
    fits = ours.keys() == weights.keys() and all(ours[name].shape == part.shape for name, part in weights.items())
    if not fits or not all(part.is_floating_point() and bool(part.isfinite().all()) for part in weights.values()):
        raise _do_not_fit()


def load_weights(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy saved weights into a network of the same shape; refuses as `check_fit`."""
    check_fit(network, weights)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.copy_(weights[name])


def write(path: Path, header: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write tensors with a JSON header, whole or not at all."""
    container.write(path, header, tensors, KEY)


def malformed(path: Path) -> AbstractContextManager[None]:
    """Turns any fault in a file into one WrongWeights that names the file."""
    return container.refusing_broken(path.name, WrongWeights(id="not-a-trained-model", path=str(path)))


def read(path: Path) -> container.Parts:
    """The header and the tensors of a file that `write` wrote."""
    with malformed(path):
        return container.read(path, KEY)


def is_trained(folder: Path) -> bool:
    return container.is_of(folder / MODEL, KEY)


def saved_state(network: nn.Module, optimiser: torch.optim.AdamW) -> dict[str, Tensor]:
    """The tensors that `resume` needs."""
    tensors = {f"weights.{name}": part for name, part in weights_of(network).items()}
    for name, parameter in network.named_parameters():
        for key, value in optimiser.state.get(parameter, {}).items():
            tensors[f"{key}.{name}"] = torch.as_tensor(value).detach().cpu().contiguous()
    return tensors


def saved_weights(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights among the tensors of `saved_state`."""
    return {name.removeprefix("weights."): part for name, part in tensors.items() if name.startswith("weights.")}


def restore_optimiser(network: nn.Module, optimiser: torch.optim.AdamW, tensors: Mapping[str, Tensor]) -> None:
    """Put back what `saved_state` kept of an optimiser after its first step."""
    for name, parameter in network.named_parameters():
        state = {key: tensors.get(f"{key}.{name}", torch.empty(0)) for key in ("step", "exp_avg", "exp_avg_sq")}
        if not any(f"{key}.{name}" in tensors for key in state):  # of a part that the model leaves out
            continue
        if [part.shape for part in state.values()] != [(), parameter.shape, parameter.shape]:
            raise _do_not_fit()
        optimiser.state[parameter] = {key: part.to(parameter.device, copy=True) for key, part in state.items()}


def write_checkpoint(folder: Path, step: int, network: nn.Module, header: Mapping[str, Any]) -> None:
    """The weights at one step, in half precision."""
    largest = torch.finfo(torch.float16).max
    halves = {name: part.clamp(-largest, largest).half() for name, part in weights_of(network).items()}
    write(checkpoint_path(folder, step), {**header, "step": step}, halves)


def read_checkpoint(folder: Path, step: int) -> dict[str, Tensor]:
    """The weights at one step, as float32."""
    kept = saved_steps(folder)
    if step not in kept:
        raise InputError(id="no-checkpoint-of-step", step=str(step), folder=str(folder), known=tuple(map(str, kept)))
    _, halves = read(checkpoint_path(folder, step))
    return {name: part.float() for name, part in halves.items()}


def checkpoint_files(folder: Path) -> list[Path]:
    """The checkpoints of a folder, the first step first; other files are left out."""
    return sorted((folder / STEPS).glob(f"{'[0-9]' * 6}.safetensors"))


def saved_steps(folder: Path) -> tuple[int, ...]:
    return tuple(int(path.stem) for path in checkpoint_files(folder))


def checkpoint_path(folder: Path, step: int) -> Path:
    return folder / STEPS / f"{step:06d}.safetensors"


def _do_not_fit() -> WrongWeights:
    return WrongWeights(id="weights-do-not-fit")
