"""Where edits of a run reach its residual stream and each attention's `out`.

Hooks stand on the modules of a family's row for as long as such a run lasts, and act in its thread alone.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from attnviz.core.capture import active_recorder, tap
from attnviz.pretrained.capture.interface import Backend
from attnviz.pretrained.capture.operators import OperatorBackend
from attnviz.pretrained.families import Family, norm_behind


class Point(NamedTuple):
    """Where a value of a run is: what a module reads, or what it makes."""

    module: nn.Module
    is_read: bool


def points_of(model: nn.Module, family: Family | None) -> dict[str, Point]:
    """The points that edits reach, by name; none without a row of the family.

    A block reads `decoder.0.in` and makes `decoder.0.out`, W_O makes `decoder.0.self.out`, W_2 makes
    `decoder.0.feed_forward`, the norm behind the last block makes `decoder.final`.
    """
    points: dict[str, Point] = {}
    if family is None:
        return points
    modules = dict(model.named_modules())
    for key, path in family.modules.items():
        stack, (blocks, inside) = key.split(".")[0], path.split(".{layer}.")
        layer = 0
        while (block := modules.get(f"{blocks}.{layer}")) is not None:
            if layer == 0:
                points[f"{stack}.embed"] = Point(block, is_read=True)
            points[f"{stack}.{layer}.in"] = Point(block, is_read=True)
            points[f"{stack}.{layer}.out"] = Point(block, is_read=False)
            w_o = block.get_submodule(f"{inside}.{family.projections['w_o'].split()[0]}")
            points[f"{key.format(layer=layer)}.out"] = Point(w_o, is_read=False)
            inner = dict(block.named_modules())
            w_2 = next((inner[path] for path in family.feed_forward.split() if path in inner), None)
            if w_2 is not None:
                points[f"{stack}.{layer}.feed_forward"] = Point(w_2, is_read=False)
            layer += 1
        norm = None if family.last_is_out else norm_behind(modules[blocks.rpartition(".")[0]])
        if norm is not None:
            points[f"{stack}.final"] = Point(norm, is_read=False)
    return points


@contextmanager
def tapped_points(model: nn.Module, family: Family | None) -> Iterator[None]:
    """Hooks a run's points to the recorder of this thread, if one of its edits may change one."""
    recorder = active_recorder()
    points = points_of(model, family) if recorder is not None and recorder.edits else {}
    with ExitStack() as hooks:
        if recorder is not None and any(edit.is_of(name) for name in points for edit in recorder.edits):
            texts: list[Any] = []
            for name, point in points.items():
                hooks.callback(hook(name, point, recorder, texts).remove)
        yield


def hook(name: str, point: Point, recorder: object, texts: list[Any]) -> RemovableHandle:
    """Taps a point wherever this recorder is the active one: other threads run the same modules.

    `texts` holds how many texts and tokens the point before had.
    """

    def tapped(values: Any) -> Any:
        if active_recorder() is not recorder:
            return None
        if not isinstance(values, Tensor):
            return (tap(name, values[0]), *values[1:])
        if values.ndim == 2:  # OPT's feed-forward has the tokens of all texts in a row
            return tap(name, values.unflatten(0, texts[0])).flatten(0, 1)
        texts[:] = [values.shape[:2]]
        return tap(name, values)

    if point.is_read:
        return point.module.register_forward_pre_hook(lambda _, read: tapped(read))
    # before transformers' own hooks, which note the residual stream
    return point.module.register_forward_hook(lambda _, read, made: tapped(made), prepend=True)


VALUES = ("q", "k", "v", "raw", "scores", "masked", "weights", "context")  # what an edit can change
LATE_VALUES = ("masked", "weights", "context")  # where attention is read from the model's operators


def editable_names(keys: Sequence[str], points: Collection[str], backend: Backend) -> list[str]:
    """All that an edit can change, by name, at these sites and points."""
    values = LATE_VALUES if isinstance(backend, OperatorBackend) else (*VALUES, "call")
    return [*(f"{key}.{value}" for key in keys for value in values), *points]
