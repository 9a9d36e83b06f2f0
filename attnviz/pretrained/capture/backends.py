"""The two ways to capture a model's attention. The first one that passes the self-check at load is the model's backend.

`interface` takes memory in proportion to the text. `operators` is for models with attention code of their own; it keeps
their scores, which grow with the square of the text.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from torch import nn

from attnviz.core.attend import Kernel
from attnviz.core.site import Site
from attnviz.pretrained.capture.interface import sites_named
from attnviz.pretrained.capture.operators import FollowOperators, OperatorCall, Scale


@dataclass(frozen=True)
class InterfaceBackend:
    """transformers' attention interface, with our function registered in it."""

    sites: Mapping[nn.Module, Site]
    pair_bytes: int = 0  # what the model itself makes for every pair of tokens: a position bias, a window's mask
    name = "interface"

    @contextmanager
    def follow(self, n_texts: int, kernel: Kernel) -> Iterator[Sequence[OperatorCall]]:
        with sites_named(self.sites, kernel):
            yield ()


@dataclass(frozen=True)
class OperatorBackend:
    """The operators that the model's own eager code runs."""

    sites: Mapping[int, Site] | None = None  # by the number of the softmax, as learned at load
    scales: Mapping[int, Scale] = field(default_factory=dict)  # by the same number, of scores that are q·k
    token_bytes: int = 0  # of the queries and keys that are kept beside the scores, for each token
    name = "operators"

    @contextmanager
    def follow(self, n_texts: int, kernel: Kernel) -> Iterator[Sequence[OperatorCall]]:
        with FollowOperators(n_texts, self.sites, self.scales) as followed:
            yield followed.calls


Backend = InterfaceBackend | OperatorBackend
