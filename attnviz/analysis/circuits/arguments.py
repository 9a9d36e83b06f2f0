"""What the calls of this package are given, checked in one place."""

from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import whole_number
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace


def check_trace(trace: object) -> None:
    if not isinstance(trace, Trace):
        raise InputError(f"{type(trace).__name__} is no trace. Give a run of a loaded model: model.trace(text).")


def check_model(model: object) -> None:
    if not isinstance(model, Model):
        raise InputError(f"{type(model).__name__} is no model. Give a loaded one: av.load(name).")


def check_token(position: object, n: int) -> int:
    """A position from 0 as an int, whether of Python, numpy or torch; a negative one is counted from the end."""
    number = whole_number(position)
    if number is None or not -n <= number < n:
        raise InputError(
            f"position={position}, and the text has {n} tokens. Expected 0 to {n - 1}, or -1 to -{n} from the end.",
            id="no-such-token", token=str(position), n=n,
        )  # fmt: skip
    return number % n
