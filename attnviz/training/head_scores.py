"""How much weight each head puts on the keys that a known answer expects.

Choose a head on validation examples and report it on held-out ones, never both on the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

import torch
from torch import Tensor

from attnviz.core.site import Site
from attnviz.trace.traceable import record
from attnviz.training.accuracy import batches
from attnviz.training.network import Network, logits_of
from attnviz.training.tasks.task import Answer, Example, Task

ScoresBySite = dict[Site, Tensor]  # [H] each


@dataclass(frozen=True)
class HeadChoice:
    site: Site
    head: int

    def __str__(self) -> str:
        return f"{self.site.key} head {self.head}"


def recorded_weights(
    network: Network, task: Task, examples: Sequence[Example], kind: str
) -> Iterator[tuple[Sequence[Example], dict[Site, Tensor]]]:
    """The decoder's weights at all sites of one kind, batch by batch: [B, H, T_q, T_k] each."""
    for part, batch in batches(network, task, examples):
        with torch.inference_mode(), record() as run:
            logits_of(network, batch)
        sites = [Site.parse(place) for place in run.places]
        wanted = [site for site in sites if site.stack == "decoder" and site.kind == kind]
        yield part, {site: run[f"{site.key}.weights"].cpu() for site in wanted}


def head_scores(network: Network, task: Task, examples: Sequence[Example]) -> dict[str, ScoresBySite]:
    """The mean weight of each head on the expected keys of each answer, over the rows with one: name -> site -> [H]."""
    answers = task.answers
    (kind,) = {answer.site_kind for answer in answers}  # all of a task are about one kind of site
    sums: dict[str, ScoresBySite] = {answer.name: {} for answer in answers}
    n_rows = dict.fromkeys(sums, 0)
    for part, weights_of in recorded_weights(network, task, examples, kind):
        for answer in answers:
            (texts, queries, keys), n = _expected_cells(answer, tuple(part))
            n_rows[answer.name] += n
            for site, weights in weights_of.items():
                of_heads = weights[texts, :, queries, keys].sum(0)  # [B, H, T_q, T_k] -> [H]
                sums[answer.name][site] = sums[answer.name].get(site, 0.0) + of_heads
    return {name: {site: total / n_rows[name] for site, total in by_site.items()} for name, by_site in sums.items()}


def even_shares(task: Task, examples: Sequence[Example]) -> dict[str, float]:
    """What a head would put on the expected keys of each answer if it looked at all keys alike, over the same rows."""
    shares: dict[str, list[float]] = {answer.name: [] for answer in task.answers}
    for answer in task.answers:
        for example in examples:
            n_keys = len(example.source) + task.has_end  # of cross-attention; a row of the other sees itself and before
            shares[answer.name] += [
                len(keys) / (row + 1 if answer.site_kind == "self" else n_keys)
                for row, keys in answer.expected_keys(example).items()
            ]
    return {name: fmean(of_rows) for name, of_rows in shares.items()}


@lru_cache(maxsize=16)
def _expected_cells(answer: Answer, part: tuple[Example, ...]) -> tuple[Tensor, int]:
    """Text, query and key of each expected cell of a batch, [3, N], and how many rows have one. Cached, because every
    checkpoint of a training is measured on the same examples."""
    rows = [answer.expected_keys(example) for example in part]
    cells = [(text, q, k) for text, row in enumerate(rows) for q, keys in row.items() for k in sorted(keys)]
    return torch.tensor(cells).T, sum(len(row) for row in rows)


def best_head(scores: Mapping[Site, Tensor], *, lowest: bool = False) -> tuple[HeadChoice, float]:
    """The head with the highest score (or the lowest), and its score."""
    sign = -1.0 if lowest else 1.0
    site = max(scores, key=lambda place: float((sign * scores[place]).max()))
    head = int((sign * scores[site]).argmax())
    return HeadChoice(site, head), float(scores[site][head])
