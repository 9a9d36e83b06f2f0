"""Every exception a user's input can cause: what was expected, what came, what to do.

The English sentence is `str(error)`. `id` and `arguments` let a dashboard say the same in another language: the
message `error-<id>` of the catalogues takes the arguments: texts, numbers, and tuples of words, which it lists. An
error that no page can cause has none. Nothing here formats for the screen.
"""

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

    def __init__(self, sentence: str, *, id: str | None = None, **arguments: Any) -> None:
        super().__init__(sentence)
        self.id = id
        self.arguments = arguments


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
