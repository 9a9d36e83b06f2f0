"""Every exception a user's input can cause: what was expected, what came, what to do.

An error is raised by its id and its arguments (texts, numbers, and tuples of words, which are listed): the message
`error-<id>` of the catalogues says it in each language, and `str(error)` is the English one. Where code must be told
another thing than a page (an argument in Python, a shell's flag, a whole path, numbers from 0), the English message has
it as its attribute `.code`. Names and values of code are given as they stand in code: `repr(value)`, `str(n)`.
"""

from functools import partial
from typing import Any


class AttnvizError(Exception):
    """The parent of every error that bad input, a bad file or an unsupported model can cause.

    >>> import attnviz as av
    >>> try:
    ...     av.load("reversed")
    ... except av.AttnvizError as error:
    ...     print(type(error).__name__)
    UnknownModel
    """

    def __init__(self, /, *, id: str, **arguments: Any) -> None:
        super().__init__()
        self.id = id
        self.arguments = arguments

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: an exception is made again from what it was raised with, and has its notes."""
        return partial(type(self), id=self.id, **self.arguments), (), self.__dict__

    def __str__(self) -> str:
        from attnviz.text.strings import strings  # only once an error is printed: the catalogue takes time to read

        printable = {name: _printable(value) for name, value in self.arguments.items()}
        return strings("en").in_code(f"error-{self.id}", **printable)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def _printable(value: Any) -> Any:
    """A name out of a hostile file must not move a terminal's cursor or break a line of a log."""
    if isinstance(value, tuple | list):
        return tuple(map(_printable, value))
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in value)


class InputError(AttnvizError):
    """A text or a value that cannot be used as it is."""


class EmptyText(InputError):
    """A text with nothing in it to attend to."""


class TooLong(InputError):
    """A text longer than the model, or the limits in force, allow."""


class UnknownWords(InputError):
    """Words outside the vocabulary of a small model, which reads no others; it lists those it knows."""


class LimitError(AttnvizError):
    """A result that would be larger than the limits in force allow."""


class TraceShapeError(AttnvizError):
    """Tensors whose shapes do not belong together."""


class MaskError(AttnvizError):
    """A mask that does not fit the queries and keys it is for."""


class CaptureError(AttnvizError):
    """A recorded name that does not exist, or an edit that cannot act on the kernel in use."""


class StepError(AttnvizError):
    """A step or a cell that this trace cannot write out."""


class TraceFileError(AttnvizError):
    """A file that is not a trace, or not a whole one."""


class UnknownModel(AttnvizError):
    """A model name that is not in the catalogue."""


class UnsupportedModel(AttnvizError):
    """A model whose attention cannot be captured correctly, and why."""


class WrongWeights(AttnvizError):
    """Weights that are missing, or whose checksum is not the pinned one."""


class WriteError(AttnvizError):
    """A file that cannot be written: no room, or no right to."""
