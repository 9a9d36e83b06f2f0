"""The device and dtype a model runs on."""

from dataclasses import dataclass
from importlib.util import find_spec

import torch

from attnviz.core.errors import InputError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
Device = str | torch.device | None
Dtype = str | torch.dtype | None


@dataclass(frozen=True)
class Placement:
    """A device and a dtype; everything a run keeps stays there until it is shown."""

    device: torch.device
    dtype: torch.dtype
    is_spread: bool = False  # its layers lie where there is room: GPUs, then memory, then the disk


def placement(device: Device = None, dtype: Dtype = None) -> Placement:
    """Where a model is to run; torch's own devices and dtypes will do.

    Args:
        device: "cpu", "cuda", "cuda:1", "mps", "auto" for the fastest, or "spread" for a model larger than any of
            them, over all that there are (it needs the package accelerate); "cpu" if not given.
        dtype: "float32", "bfloat16" or "float16"; "float32" if not given.
    Raises:
        InputError: no such dtype, or this machine has no such device.
    """
    device, dtype = str(device or "cpu"), str(dtype or "float32").removeprefix("torch.")
    if dtype not in DTYPES:
        known = ", ".join(DTYPES)
        raise InputError(id="bad-dtype", dtype=dtype, known=known)
    if device == "spread":
        if find_spec("accelerate") is None:
            raise InputError(id="no-accelerate")
        return Placement(torch.device("cpu"), DTYPES[dtype], is_spread=True)
    present = devices()
    asked = present[-1] if device == "auto" else device
    if asked not in present:
        known = ", ".join(present)
        raise InputError(id="bad-device", device=asked, known=known)
    return Placement(torch.device(asked), DTYPES[dtype])


def devices() -> tuple[str, ...]:
    """The devices of this machine, the fastest last."""
    names = ["cpu"]
    if torch.backends.mps.is_available():
        names.append("mps")
    if torch.cuda.is_available():
        names += [f"cuda:{number}" for number in reversed(range(torch.cuda.device_count()))] + ["cuda"]
    return tuple(names)
