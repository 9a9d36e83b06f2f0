"""The two ways to read a model's attention. The first that proves itself at load is the one a model keeps.

`interface` costs memory in proportion to the text; `operators` is for models written by hand and keeps their scores.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from attnviz.core.attend import Kernel
from attnviz.core.site import Site
from attnviz.pretrained.capture.interface import AttentionCall, Pass, watching
from attnviz.pretrained.capture.operators import Following, KeptCall, OperatorPass
from attnviz.pretrained.tokens.batch import Extents

Calls = Sequence[AttentionCall | KeptCall]


@dataclass(frozen=True)
class InterfaceWay:
    """transformers' attention interface, its function set to ours."""

    sites: Mapping[int, Site]  # by id(module)
    pair_bytes: int = 0  # what the model itself makes for every pair of tokens: a position bias, a window's mask
    name = "interface"

    @contextmanager
    def watch(self, extents: Extents, kernel: Kernel) -> Iterator[Calls]:
        """Watch the forward pass that runs inside, in this thread alone; its calls are there when it ends."""
        with watching(Pass(self.sites, kernel, extents)) as opened:
            yield opened.calls


@dataclass(frozen=True)
class OperatorWay:
    """The operators that the model's own eager code runs."""

    order: Mapping[int, Site] | None = None  # number of the softmax -> site, as learned at load
    token_bytes: int = 0  # of the queries and keys that are kept beside the scores, for each token
    name = "operators"

    @contextmanager
    def watch(self, extents: Extents, kernel: Kernel) -> Iterator[Calls]:
        """Watch the forward pass that runs inside, in this thread alone; its calls are there when it ends."""
        opened = OperatorPass(len(extents.source), self.order)
        with Following(opened):
            yield opened.calls


Way = InterfaceWay | OperatorWay
