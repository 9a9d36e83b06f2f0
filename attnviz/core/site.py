"""Where in a model one attention happens. Names come from here, never from module paths: a model that runs one
module for every layer (ALBERT) still has one site a layer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from .errors import CaptureError

Stack = Literal["encoder", "decoder"]
AttentionKind = Literal["self", "cross"]

_KEY = re.compile(r"(encoder|decoder)\.(\d{1,4})\.(self|cross)")


@dataclass(frozen=True, order=True)
class Site:
    """One attention of a model: its stack, its kind and its layer, counted from 0.

    >>> from attnviz.core.site import Site
    >>> Site("encoder", "self", 2).key
    'encoder.2.self'
    """

    stack: Stack  # the fields are in the order that sites are sorted in, not in the key's
    kind: AttentionKind
    layer: int

    @property
    def key(self) -> str:
        """The name in records, files and links: `"decoder.2.cross"`."""
        return f"{self.stack}.{self.layer}.{self.kind}"

    @classmethod
    def parse(cls, key: str) -> Site:
        """Read a site back from its key."""
        match = _KEY.fullmatch(key)
        if match is None:
            raise CaptureError(id="bad-site", site=key)
        return cls(cast(Stack, match[1]), cast(AttentionKind, match[3]), int(match[2]))

    def __str__(self) -> str:
        return self.key
