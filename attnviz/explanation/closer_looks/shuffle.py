"""What shuffling the words does: without positions an encoder gives the same numbers, shuffled; with them, others.

A causal stack gives other numbers either way: its mask tells one order from another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from attnviz.core.errors import InputError
from attnviz.core.recording import largest_difference
from attnviz.explanation.whatif import Switches, run
from attnviz.trace.model_protocol import Model
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Shuffled:
    """One run over the words in another order, beside the run it came from."""

    order: tuple[int, ...]  # row i of the shuffled run is token order[i] of the other
    base: Trace
    shuffled: Trace
    weights: float  # largest difference of the first layer's weights, rows and columns put back in order
    stream: float  # the same of that stack's stream after its last layer, relative to its largest value

    @property
    def is_same(self) -> bool:
        """Whether the same numbers came out, shuffled."""
        return max(self.weights, self.stream) < 1e-5


def another_order(tokens: Tokens, seed: int) -> list[int]:
    """The words of a text in an order drawn by a seed, never the order they have."""
    words = [at for at, is_special in enumerate(tokens.special) if not is_special]
    ids = [tokens.ids[at] for at in words]
    if len(set(ids)) < 2:
        raise InputError(id="one-order")
    generator, read, order = torch.Generator().manual_seed(seed), ids, words
    while read == ids:
        order = [words[at] for at in torch.randperm(len(words), generator=generator).tolist()]
        read = [tokens.ids[at] for at in order]
    return order


def shuffled(model: Model, base: Trace, order: Sequence[int], *, positions: bool) -> Shuffled:
    """Run over the same words in another order, with positions or without; the first stack is looked at.

    order: the words that are no special tokens, each once, by their number among the tokens.
    """
    tokens = base.tokens.source
    words = [at for at, is_special in enumerate(tokens.special) if not is_special]
    whole = list(range(len(tokens)))
    for position, word in zip(words, order, strict=True):
        whole[position] = word
    target = None if base.tokens.target is None else base.tokens.target.given
    again = model.trace(" ".join(tokens.text[at] for at in order), target)
    if again.tokens.source.pieces != tuple(tokens.pieces[at] for at in whole):
        raise InputError(id="other-tokens")
    switches = Switches(positions=positions)
    first, second = run(model, base, switches), run(model, again, switches)
    site = first.sites[0]
    weights = first[site].weights()[:, whole][:, :, whole]  # [H, T, T]
    last = max(other.layer for other in first.sites if other.stack == site.stack)
    stream, moved = (trace.stream[f"{site.stack}.{last}.out"] for trace in (first, second))  # [T, d_model]
    return Shuffled(
        tuple(whole), first, second, largest_difference(weights, second[site].weights()),
        largest_difference(stream[whole], moved) / float(stream.abs().max()),
    )  # fmt: skip
