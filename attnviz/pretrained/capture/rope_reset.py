"""Runs a model whose rotary angles depend on the text's length in one thread at a time, and undoes what a run changed.

transformers writes such angles into the shared module: longrope at every run, dynamic NTK for the longest text so far.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from transformers import PreTrainedModel

BY_LENGTH = ("longrope", "dynamic")  # rope types whose angles depend on the length of the text
ONE_AT_A_TIME = threading.RLock()  # shared by all such models, which are few


def depends_on_length(config: object) -> bool:
    """Whether positions are rotated otherwise in a longer text, so that a batch must not make a text longer."""
    told = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None)
    kinds = [part for part in (told, *told.values()) if isinstance(part, dict)] if isinstance(told, dict) else []
    return any(kind.get("rope_type", kind.get("type")) in BY_LENGTH for kind in kinds)


@contextmanager
def rope_as_loaded(module: PreTrainedModel) -> Iterator[None]:
    """A run that leaves the model's tables of angles as it found them."""
    if not depends_on_length(module.config):
        yield
        return
    with ONE_AT_A_TIME:
        before = [(part, dict(vars(part)), dict(part._buffers)) for part in module.modules() if part._buffers]
        try:
            yield
        finally:
            for part, attributes, buffers in before:
                vars(part).update(attributes)
                part._buffers.clear()
                part._buffers.update(buffers)
