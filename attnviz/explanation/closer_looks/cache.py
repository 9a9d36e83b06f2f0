"""What one more token computes in a decoder and what it reads from the cache of keys and values, by the model's sizes.

Counted, not measured: one multiply-add is one product with its sum. Self-attention alone: the keys of cross-attention
are made once. A layer with a sliding window keeps as many tokens as the next one can attend to besides itself.
"""

from dataclasses import dataclass, replace

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.head_view import HeadView
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay

LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
KEYS_AND_VALUES = 2


@dataclass(frozen=True)
class CacheSizes:
    """The sizes of a decoder that its cache follows from; its layers differ in their windows alone."""

    windows: tuple[int | None, ...]  # of each layer, how many tokens a query sees, itself among them; None = all
    d_model: int
    n_heads: int  # of queries
    n_kv_heads: int  # of keys and values, which are kept
    width: int  # numbers of one head's key
    number: int  # bytes of one number that is kept

    @property
    def n_layers(self) -> int:
        return len(self.windows)

    @property
    def ungrouped(self) -> "CacheSizes":
        """The same with keys and values of its own for each head."""
        return replace(self, n_kv_heads=self.n_heads)

    @property
    def numbers_a_layer(self) -> int:
        """Keys and values that one token adds to one layer."""
        return KEYS_AND_VALUES * self.n_kv_heads * self.width

    def kept(self, n: int) -> list[int]:
        """How many of n tokens each layer keeps, all of which the next token reads."""
        return [n if window is None else min(n, window - 1) for window in self.windows]

    def numbers(self, n: int) -> int:
        """Keys and values in the cache after n tokens, all layers together."""
        return sum(self.kept(n)) * self.numbers_a_layer

    def n_bytes(self, n: int) -> int:
        """Bytes of the cache of n tokens."""
        return self.numbers(n) * self.number

    def steps(self, n: int) -> dict[str, int]:
        """Multiply-adds of the attention of one more token after n others, by step, all layers together."""
        return self._steps(self.n_layers, sum(self.kept(n)) + self.n_layers)

    def steps_anew(self, n: int) -> dict[str, int]:
        """The same where nothing was kept, so that all n + 1 tokens are computed again."""
        return self._steps(self.n_layers * (n + 1), sum(_pairs(n + 1, window) for window in self.windows))

    def _steps(self, n_tokens: int, n_pairs: int) -> dict[str, int]:
        """Multiply-adds by step, of so many tokens and so many pairs of a query and a key that it sees."""
        projection, pairs = n_tokens * self.d_model * self.width, n_pairs * self.n_heads * self.width
        of_queries, of_keys = projection * self.n_heads, projection * self.n_kv_heads
        return {"q": of_queries, "k": of_keys, "v": of_keys, "raw": pairs, "context": pairs, "out": of_queries}


def _pairs(n: int, window: int | None) -> int:
    """How many tokens n tokens see together, each itself among them: 1 + 2 + … up to the window, which stays."""
    growing = n if window is None else min(n, window)
    return growing * (growing + 1) // 2 + (n - growing) * growing


def cache_sizes(trace: Trace) -> CacheSizes:
    """The sizes of the decoder of a run.

    Raises:
        StepError: it has none, its tokens look ahead, or its layers differ in their heads.
    """
    sites = [site for site in trace.sites if site.stack == "decoder" and site.kind == "self"]
    if not sites or not is_cached(trace, sites[0]):
        raise StepError(id="no-cache", model=trace.card.name)
    sizes = {_of_layer(trace, site) for site in sites}
    if len(sizes) > 1:
        raise StepError(id="layers-differ", model=trace.card.name)
    heads, kept, width, number = sizes.pop()
    d_model = int(trace.stream[f"decoder.{sites[0].layer}.in"].shape[-1]) if trace.stream else heads * width
    windows = tuple(trace[site].source.mask.window for site in sites)
    return CacheSizes(windows, d_model, heads, kept, width, number)


def is_cached(trace: Trace, site: Site) -> bool:
    """Whether an attention is of a decoder that reads one token after another, so that keys and values can be kept."""
    source = trace[site].source
    return site.stack == "decoder" and isinstance(source, Replay) and source.mask.causal


def _of_layer(trace: Trace, site: Site) -> tuple[int, int, int, int]:
    view = HeadView.of(trace, site)
    v = view.record.source.v  # [G, T, d_v]
    return view.record.n_heads, view.n_heads_of("v"), int(v.shape[-1]), v.element_size()
