"""The errors that a user's input can cause, under their public name: `attnviz.errors.MaskError`."""

from attnviz.core.errors import *  # noqa: F403
