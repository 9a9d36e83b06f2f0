"""Models whose own forward pass changes them: each run finds them as they were loaded, whatever ran before it.

Rotary positions that depend on the length of the text write their angles into the shared module at every run, and some
keep those of the longest text so far. Such models run one text at a time, with their first angles put back. A model
that swaps its attention for another one is refused.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn
from transformers import PreTrainedModel

from attnviz.core.errors import UnsupportedModel

BY_LENGTH = ("longrope", "dynamic")  # rotary positions whose angles depend on how long the text is

ONE_AT_A_TIME = threading.RLock()  # for all of them together: they are few


def is_by_length(config: object) -> bool:
    """Whether positions are turned otherwise in a longer text, so that a batch must not make a text longer."""
    told = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None)
    kinds = [part for part in (told, *told.values()) if isinstance(part, dict)] if isinstance(told, dict) else []
    return any(kind.get("rope_type", kind.get("type")) in BY_LENGTH for kind in kinds)


@contextmanager
def fresh(module: PreTrainedModel) -> Iterator[None]:
    """A run in which the model is as it was loaded."""
    if not is_by_length(module.config):
        yield
        return
    with ONE_AT_A_TIME:
        for part in module.modules():
            reset(part)
        yield


def reset(part: nn.Module) -> None:
    """Put the first angles back into a table of rotary positions; another part stays as it is."""
    ending = "original_inv_freq"
    for name in [name for name in (*vars(part), *part._buffers) if name.endswith(ending)]:
        prefix = name[: -len(ending)]  # "", or one for each kind of layer
        part.register_buffer(f"{prefix}inv_freq", getattr(part, name).clone(), persistent=False)
        if hasattr(part, f"{prefix}max_seq_len_cached"):
            setattr(part, f"{prefix}max_seq_len_cached", part.original_max_seq_len)


def parts_of(module: nn.Module) -> list[Any]:
    """What a module is made of, to be compared with what it is made of later."""
    return list(module.modules())


def refuse_changed(module: nn.Module, before: list[Any], *, name: str) -> None:
    """Refuse a model that put other parts in the place of its own while it ran.

    Raises:
        UnsupportedModel: such as BigBird-Pegasus, whose first short text switches its sparse attention off for good.
    """
    now = parts_of(module)
    if len(now) != len(before) or any(one is not other for one, other in zip(now, before, strict=True)):
        raise UnsupportedModel(
            f"{name} changes its own attention with the length of a text, and keeps the change, so what it does with "
            "other texts could not be shown truly. Choose another model.",
            id="changes-itself",
            model=name,
        )
