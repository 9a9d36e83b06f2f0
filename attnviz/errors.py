"""The errors that a user's input can cause, under their public name: `attnviz.errors.MaskError`."""

from attnviz.core.errors import (
    AttnvizError,
    CaptureError,
    EmptyText,
    InputError,
    LimitError,
    MaskError,
    StepError,
    TooLong,
    TraceFileError,
    TraceShapeError,
    UnknownModel,
    UnknownWords,
    UnsupportedModel,
    WriteError,
    WrongWeights,
)

__all__ = [
    "AttnvizError",
    "CaptureError",
    "EmptyText",
    "InputError",
    "LimitError",
    "MaskError",
    "StepError",
    "TooLong",
    "TraceFileError",
    "TraceShapeError",
    "UnknownModel",
    "UnknownWords",
    "UnsupportedModel",
    "WriteError",
    "WrongWeights",
]
