"""The errors that a user's input can cause, under their public name: `attnviz.errors.MaskError`.

>>> import attnviz as av
>>> issubclass(av.errors.MaskError, av.AttnvizError)
True
"""

from attnviz.core.errors import *  # noqa: F403
