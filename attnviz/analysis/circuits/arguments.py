"""What the calls of this package are given, checked in one place."""

from attnviz.core.errors import InputError
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace


def check_trace(trace: object) -> None:
    if not isinstance(trace, Trace):
        raise InputError(id="no-trace", came=type(trace).__name__)


def check_model(model: object) -> None:
    if not isinstance(model, Model):
        raise InputError(id="no-model", came=type(model).__name__)
