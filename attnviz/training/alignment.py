"""Word alignment from cross-attention: for each written word, the source word with the largest weight of its row.

Only words with a sure link in the grammar count; 吗, 了, "the" and punctuation have none. A head need not align even in
a model that translates well: the encoder may have moved what a word says to another position.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.site import Site
from attnviz.training.head_scores import HeadChoice, best_head, recorded_weights
from attnviz.training.network import Network
from attnviz.training.tasks.task import Example, Task


@dataclass(frozen=True)
class AlignmentError:
    """The error rate of one head, and the words it misses most."""

    head: HeadChoice
    rate: float  # 0 is perfect
    misses: tuple[tuple[str, int, int], ...]  # word, times missed, times written; most missed first


def alignment_error_rates(network: Network, task: Task, examples: Sequence[Example]) -> dict[Site, Tensor]:
    """The error rate of every head: [H] a site.

    AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|): A the links of the head, S the sure links, P ⊇ S the possible ones.

    Source: Och & Ney 2003, "A Systematic Comparison of Various Statistical Alignment Models", equation 18.
    """
    hits: dict[Site, Tensor] = {}
    n_links = 0
    for part, weights_of in recorded_weights(network, task, examples, "cross"):
        for site, weights in weights_of.items():
            sure, possible = _links(part, weights)
            aligned = _aligned(weights, part)
            n_hits = (_hits(sure, aligned) + _hits(possible, aligned)).sum((0, 2))  # [H]
            hits[site] = hits.get(site, torch.zeros_like(n_hits)) + n_hits
        n_links += int(sure.any(-1).sum() + sure.sum())  # the same at every site
    return {site: 1 - n_hits / n_links for site, n_hits in hits.items()}  # [H] each


def alignment_error(
    network: Network, task: Task, validation: Sequence[Example], held_out: Sequence[Example]
) -> AlignmentError:
    """The head with the lowest rate on validation examples; its rate and misses on held-out ones."""
    choice, _ = best_head(alignment_error_rates(network, task, validation), lowest=True)
    rate = float(alignment_error_rates(network, task, held_out)[choice.site][choice.head])
    missed, written = Counter[str](), Counter[str]()
    for part, weights_of in recorded_weights(network, task, held_out, "cross"):
        weights = weights_of[choice.site]
        sure, possible = _links(part, weights)
        is_hit = _hits(possible, _aligned(weights, part))[:, choice.head] > 0  # [B, T_q]
        for text, row in sure.any(-1).nonzero().tolist():
            written[part[text].target[row]] += 1
            missed[part[text].target[row]] += not is_hit[text, row]
    misses = tuple((word, n, written[word]) for word, n in missed.most_common() if n)
    return AlignmentError(choice, rate, misses)


def _aligned(weights: Tensor, part: Sequence[Example]) -> Tensor:
    """The source word with the largest weight, without <end> and padding: [B, H, T_q, T_k] -> [B, H, T_q]."""
    lengths = torch.tensor([len(example.source) for example in part])
    is_word = torch.arange(weights.shape[-1]) < lengths[:, None]  # [B, T_k]
    return weights.masked_fill(~is_word[:, None, None], -1.0).argmax(-1)  # [B, H, T_q]


def _hits(links: Tensor, aligned: Tensor) -> Tensor:
    """1.0 where the aligned word is linked: [B, T_q, T_k], [B, H, T_q] -> [B, H, T_q]."""
    return links[:, None].expand(-1, aligned.shape[1], -1, -1).gather(-1, aligned[..., None])[..., 0].float()


def _links(part: Sequence[Example], weights: Tensor) -> tuple[Tensor, Tensor]:
    """The sure source words of each written word, and with them the possible ones: bool [B, T_q, T_k] each."""
    sure, possible = torch.zeros(2, len(weights), *weights.shape[-2:], dtype=torch.bool)
    for text, example in enumerate(part):
        for link in example.links:
            (sure if link.is_sure else possible)[text, link.target, link.source] = True
    return sure, (sure | possible) & sure.any(-1, keepdim=True)
