"""What shuffling the words does: without positions the same numbers come out, shuffled; with positions they change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from attnviz.core.errors import InputError
from attnviz.core.model import Model
from attnviz.core.recording import largest_difference
from attnviz.core.trace import Trace
from attnviz.core.whatif import Switches, run


@dataclass(frozen=True, eq=False)
class Shuffled:
    """One run over the words in another order, beside the run it came from."""

    order: tuple[int, ...]  # row i of the shuffled run is token order[i] of the other
    base: Trace
    shuffled: Trace
    weights: float  # largest difference of the first layer's weights, rows and columns put back in order
    stream: float  # the same of the stream after the last layer, relative to its largest value

    @property
    def is_same(self) -> bool:
        """Whether the same numbers came out, shuffled."""
        return max(self.weights, self.stream) < 1e-5


def another_order(words: Sequence[int], seed: int) -> list[int]:
    """The same words in an order drawn by a seed; never their own, where there are two of them."""
    drawn = torch.randperm(len(words), generator=torch.Generator().manual_seed(seed)).tolist()
    order = [words[at] for at in drawn]
    return order if order != list(words) else [*words[1:], *words[:1]]


def shuffled(model: Model, base: Trace, order: Sequence[int], *, positions: bool) -> Shuffled:
    """Run over the same words in another order, with positions or without.

    Args:
        model: what made `base`; an encoder, in which every token may look at every other.
        base: an untouched run over one text.
        order: the words that are no special tokens, each once, by their number among the tokens.
        positions: whether both runs have positions.
    Raises:
        InputError: the order is none of these words, or the words make another number of tokens in that order.
        StepError: the positions of this model cannot be switched off.
    """
    tokens = base.tokens.source
    words = [at for at, is_special in enumerate(tokens.special) if not is_special]
    if sorted(order) != words:
        raise InputError(
            f"The order {list(order)} is none of the tokens {words}; expected each of them once.", id="bad-order"
        )
    whole = list(range(len(tokens)))
    for place, word in zip(words, order, strict=True):
        whole[place] = word
    target = None if base.tokens.target is None else base.tokens.target.source
    again = model.trace(" ".join(tokens.text[at] for at in order), target)
    if again.tokens.source.pieces != tuple(tokens.pieces[at] for at in whole):
        raise InputError("In this order the words become other tokens. Choose another order.", id="other-tokens")
    switches = Switches(positions=positions)
    first, second = run(model, base, switches), run(model, again, switches)
    site = first.sites[0]
    weights = first[site].weights()[:, whole][:, :, whole]  # [H, T, T]
    last = max(site.layer for site in first.sites if site.stack == "encoder")
    stream, other = (trace.stream[f"encoder.{last}.out"] for trace in (first, second))  # [T, D]
    return Shuffled(
        tuple(whole), first, second, largest_difference(weights, second[site].weights()),
        largest_difference(stream[whole], other) / float(stream.abs().max()),
    )  # fmt: skip
