"""What the calls of this package are given, checked in one place."""

from attnviz.core.errors import InputError
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace


def check_trace(trace: object) -> None:
    if not isinstance(trace, Trace):
        raise InputError(f"{type(trace).__name__} is no trace. Give a run of a loaded model: model.trace(text).")


def check_model(model: object) -> None:
    if not isinstance(model, Model):
        raise InputError(f"{type(model).__name__} is no model. Give a loaded one: av.load(name).")
