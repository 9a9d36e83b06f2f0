"""What one more token computes in a decoder and what it reads from the cache of keys and values, by the model's sizes.

Counted, not measured: one multiply-add is one product with its sum. Self-attention alone: the keys of cross-attention
are made once.
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
    """The sizes of a decoder that its cache follows from; every layer has the same."""

    n_layers: int
    d_model: int
    n_heads: int  # of queries
    n_kv_heads: int  # of keys and values, which are kept
    width: int  # numbers of one head's key
    number: int  # bytes of one number that is kept

    @property
    def ungrouped(self) -> "CacheSizes":
        """The same with keys and values of its own for each head."""
        return replace(self, n_kv_heads=self.n_heads)

    @property
    def numbers(self) -> int:
        """Keys and values that one token adds to the cache, all layers together."""
        return self.n_layers * KEYS_AND_VALUES * self.n_kv_heads * self.width

    def n_bytes(self, n: int) -> int:
        """Bytes of the cache of n tokens."""
        return n * self.numbers * self.number

    def steps(self, n: int) -> dict[str, int]:
        """Multiply-adds of the attention of one more token after n others, by step, all layers together."""
        own, kept, all_heads = self.d_model * self.width, self.n_kv_heads, self.n_heads
        pairs = all_heads * (n + 1) * self.width  # of each head with every token up to itself
        counted = {
            "q": own * all_heads, "k": own * kept, "v": own * kept, "raw": pairs, "context": pairs,
            "out": own * all_heads,
        }  # fmt: skip
        return {step: self.n_layers * count for step, count in counted.items()}

    def steps_anew(self, n: int) -> dict[str, int]:
        """The same where nothing was kept, so that all n + 1 tokens are computed again."""
        pairs = ("raw", "context")  # of each token with all up to itself: 1 + 2 + … + (n + 1) of them
        return {
            step: count * (n + 2) // 2 if step in pairs else count * (n + 1) for step, count in self.steps(n).items()
        }


def cache_sizes(trace: Trace) -> CacheSizes:
    """The sizes of the decoder of a run.

    Raises:
        StepError: it has none, its tokens look ahead, or its layers differ in their heads.
    """
    sites = [site for site in trace.sites if site.stack == "decoder" and site.kind == "self"]
    if not sites or not is_cached(trace, sites[0]):
        raise StepError(id="no-cache", model=trace.card.name)
    found = {_of_layer(trace, site) for site in sites}
    if len(found) > 1:
        raise StepError(id="layers-differ", model=trace.card.name)
    heads, kept, width, number = found.pop()
    d_model = int(trace.stream[f"decoder.{sites[0].layer}.in"].shape[-1]) if trace.stream else heads * width
    return CacheSizes(len(sites), d_model, heads, kept, width, number)


def is_cached(trace: Trace, site: Site) -> bool:
    """Whether an attention is of a decoder that reads one token after another, so that keys and values can be kept."""
    source = trace[site].source
    return site.stack == "decoder" and isinstance(source, Replay) and source.mask.causal


def _of_layer(trace: Trace, site: Site) -> tuple[int, int, int, int]:
    view = HeadView.of(trace, site)
    v = view.record.source.v  # [G, T, d_v]
    return view.record.n_heads, view.n_heads_of("v"), int(v.shape[-1]), v.element_size()
