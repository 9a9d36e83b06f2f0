"""Word alignment from cross-attention: for each written word, the source word with the largest weight of its row.

Only words with a sure link in the grammar count; 吗, 了, "the" and the marks have none. Attention need not align: the
encoder may have moved what a word says to another position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.site import Site
from attnviz.training.batches import TaskVocabulary
from attnviz.training.head_scores import HeadChoice, best_head, recorded_weights
from attnviz.training.network import Network
from attnviz.training.tasks.task import Example


@dataclass(frozen=True)
class AlignmentError:
    """The error rate of one head, and the words it misses most."""

    head: HeadChoice
    rate: float  # 0 is perfect
    words: int  # written, with a sure link
    misses: tuple[tuple[str, int, int], ...]  # word, times missed, times written; most missed first


def alignment_error_rates(
    network: Network, vocabulary: TaskVocabulary, examples: Sequence[Example]
) -> dict[Site, Tensor]:
    """The error rate of every head: [H] a site.

    AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), A the links of the head, S the sure ones, P the possible ones with S.

    Source: Och & Ney 2003, "A Systematic Comparison of Various Statistical Alignment Models", equation 18.
    """
    hits: dict[Site, Tensor] = {}
    links = sure_links = 0
    for part, weights_of in recorded_weights(network, vocabulary, examples, "cross"):
        truth = [_links(example) for example in part]
        links += sum(len(sure) for sure, _ in truth)
        sure_links += sum(len(keys) for sure, _ in truth for keys in sure.values())
        for site, weights in weights_of.items():
            aligned = _aligned(weights, part)  # [B, H, T_q]
            found = torch.zeros(weights.shape[1])  # [H]
            for text, (sure, possible) in enumerate(truth):
                for row, keys in sure.items():
                    for head, key in enumerate(aligned[text, :, row].tolist()):
                        found[head] += (key in keys) + (key in keys or key in possible.get(row, set()))
            hits[site] = hits.get(site, torch.zeros_like(found)) + found
    return {site: 1 - found / (links + sure_links) for site, found in hits.items()}  # [H] each


def alignment_error(
    network: Network, vocabulary: TaskVocabulary, validation: Sequence[Example], held_out: Sequence[Example]
) -> AlignmentError:
    """The head with the lowest rate on validation examples; its rate and misses on held-out ones."""
    choice, _ = best_head(alignment_error_rates(network, vocabulary, validation), lowest=True)
    rate = float(alignment_error_rates(network, vocabulary, held_out)[choice.site][choice.head])
    missed, written = Counter[str](), Counter[str]()
    for part, weights_of in recorded_weights(network, vocabulary, held_out, "cross"):
        aligned = _aligned(weights_of[choice.site], part)[:, choice.head]  # [B, T_q]
        for text, example in enumerate(part):
            sure, possible = _links(example)
            for row, keys in sure.items():
                written[example.target[row]] += 1
                missed[example.target[row]] += int(aligned[text, row]) not in keys | possible.get(row, set())
    misses = tuple((word, n, written[word]) for word, n in missed.most_common() if n)
    return AlignmentError(choice, rate, sum(written.values()), misses)


def _aligned(weights: Tensor, part: Sequence[Example]) -> Tensor:
    """The source word with the largest weight, without <end> and padding: [B, H, T_q, T_k] -> [B, H, T_q]."""
    is_word = torch.zeros(weights.shape[0], weights.shape[-1], dtype=torch.bool)  # [B, T_k]
    for text, example in enumerate(part):
        is_word[text, : len(example.source)] = True
    return weights.masked_fill(~is_word[:, None, None], -1.0).argmax(-1)  # [B, H, T_q]


def _links(example: Example) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The sure and the possible source words of each written word that has a sure one."""
    sure: dict[int, set[int]] = {}
    possible: dict[int, set[int]] = {}
    for link in example.links:
        (sure if link.is_sure else possible).setdefault(link.target, set()).add(link.source)
    return sure, possible
