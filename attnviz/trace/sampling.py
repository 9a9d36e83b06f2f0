"""Which token is written next, where it is not the likeliest: drawn by chance, from logits that may be filtered first.

Models of every kind draw with this: those from scratch, those of transformers, and those at a trace service.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.errors import InputError
from attnviz.core.ops import NEVER
from attnviz.core.tensor_checks import whole_number


@dataclass(frozen=True)
class Sampling:
    """How tokens are drawn: `model.write_on(text, sampling=Sampling(temperature=0.8, top_p=0.9, seed=1))`.

        P(token) = softmax(logits / temperature), of the tokens that are left

    First the logits are divided by the temperature, then all but the top_k likeliest tokens are left out, then all but
    the likeliest ones that together have a probability of top_p or more. The same seed draws the same text again from
    the same logits.

    Args:
        temperature: above 1 the unlikely gain, below 1 the likeliest; near 0 it is greedy.
        top_k: how many tokens are left, and those as likely as the last of them; None = all.
        top_p: from above 0 up to 1, which leaves all out that is not needed; None = all.
        seed: of the random numbers.
    Raises:
        InputError: a number is out of range.
    Source: temperature: Ackley, Hinton & Sejnowski 1985; top-k: Fan, Lewis & Dauphin 2018, section 5.2; top-p:
        Holtzman et al. 2020, section 3.1; in the order in which transformers filters.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not _is_number(self.temperature) or not 0 < self.temperature < math.inf:
            raise _refusal("temperature", self.temperature)
        if self.top_k is not None and (whole_number(self.top_k) or 0) < 1:
            raise _refusal("top_k", self.top_k)
        if self.top_p is not None and not (_is_number(self.top_p) and 0 < self.top_p <= 1):
            raise _refusal("top_p", self.top_p)
        if whole_number(self.seed) is None or not -(2**63) <= self.seed < 2**63:
            raise _refusal("seed", self.seed)

    def filtered(self, logits: Tensor) -> Tensor:
        """Logits divided by the temperature, −∞ for tokens that are left out: [..., V] -> [..., V]."""
        logits = logits / self.temperature  # [..., V]
        if self.top_k is not None:
            kth = logits.topk(min(self.top_k, logits.shape[-1]), dim=-1).values[..., -1:]  # [..., 1]
            logits = logits.masked_fill(logits < kth, NEVER)  # [..., V]
        if self.top_p is not None and self.top_p < 1:
            ordered, tokens = logits.sort(dim=-1)  # [..., V] each, the likeliest last
            before = torch.softmax(ordered, dim=-1).cumsum(dim=-1)  # [..., V]: what all up to this one have together
            out = before <= 1 - self.top_p  # [..., V]
            out[..., -1] = False  # the likeliest stays, whatever it has
            logits = logits.masked_fill(out.scatter(-1, tokens, out), NEVER)  # [..., V]
        return logits

    def generator(self) -> torch.Generator:
        """Random numbers from the seed, for the tokens of one text."""
        return torch.Generator().manual_seed(self.seed)

    def drawn(self, logits: Tensor, generator: torch.Generator) -> int:
        """One token, from its logits [V]."""
        shares = torch.softmax(self.filtered(logits.float()), dim=-1)  # [V]
        return int(torch.multinomial(shares.cpu(), 1, generator=generator))


def _is_number(came: object) -> bool:
    return isinstance(came, int | float) and not isinstance(came, bool)


def _refusal(name: str, came: object) -> InputError:
    return InputError(id="bad-sampling", name=name, value=str(came)[:40])


GREEDY = Sampling(top_k=1)  # of one token that is left none is drawn
