"""Measuring a model: how often it is right, and how far each head does what the task's answer says.

A head is chosen on validation examples and reported on held-out ones; nothing here chooses and reports on the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.capture import record
from attnviz.core.site import Site
from attnviz.models.transformer import Decoder, EncoderDecoder
from attnviz.training.batches import NOT_COUNTED, Batch, Encoder
from attnviz.training.build import logits_of
from attnviz.training.tasks.task import Answer, Example

GROUP = 128  # examples measured at a time

Network = EncoderDecoder | Decoder


@dataclass(frozen=True)
class Accuracy:
    """How often the model was right."""

    exact: float  # share of the texts without a single mistake, which is also how often greedy writing gets them right
    tokens: float  # share of the tokens
    n: int  # texts


@dataclass(frozen=True)
class HeadChoice:
    """One head, by its place."""

    site: Site
    head: int

    def __str__(self) -> str:
        return f"{self.site.key} head {self.head}"


def groups(encoder: Encoder, examples: Sequence[Example]) -> Iterator[tuple[Sequence[Example], Batch]]:
    """Examples in batches of nearly one length."""
    ordered = sorted(examples, key=lambda example: (len(example.source), len(example.target)))
    for start in range(0, len(ordered), GROUP):
        part = ordered[start : start + GROUP]
        yield part, encoder.batch(part)


def accuracy(network: Network, encoder: Encoder, examples: Sequence[Example]) -> Accuracy:
    """Whether the likeliest token is the right one at every row that counts, given the right ones before it."""
    texts = tokens = right_texts = right_tokens = 0
    device = next(network.parameters()).device
    for part, batch in groups(encoder, examples):
        batch = batch.to(device)
        with torch.inference_mode():
            written = logits_of(network, batch).argmax(-1)  # [B, T]
        counts = batch.wanted != NOT_COUNTED  # [B, T]
        right = written == batch.wanted  # [B, T]
        texts, tokens = texts + len(part), tokens + int(counts.sum())
        right_texts += int((right | ~counts).all(-1).sum())
        right_tokens += int((right & counts).sum())
    return Accuracy(right_texts / texts, right_tokens / tokens, texts)


def recorded(network: Network, encoder: Encoder, examples: Sequence[Example], kind: str) -> Iterator[
    tuple[Sequence[Example], dict[Site, Tensor]]
]:  # fmt: skip
    """The decoder's weights of one kind of site, group by group: [B, H, Tq, Tk] each."""
    device = next(network.parameters()).device
    for part, batch in groups(encoder, examples):
        with torch.inference_mode(), record() as run:
            logits_of(network, batch.to(device))
        sites = [Site.parse(place) for place in run.places]
        wanted = [site for site in sites if site.stack == "decoder" and site.kind == kind]
        yield part, {site: run[f"{site.key}.weights"].cpu() for site in wanted}


def on_the_answer(
    network: Network, encoder: Encoder, examples: Sequence[Example], answer: Answer
) -> dict[Site, Tensor]:
    """How much weight each head puts where the answer says, averaged over the rows it speaks of: [H] a site."""
    total: dict[Site, Tensor] = {}
    rows = 0
    for part, weights_of in recorded(network, encoder, examples, answer.site_kind):
        looks = [answer.looks(example) for example in part]
        rows += sum(len(own) for own in looks)
        for site, weights in weights_of.items():
            right = torch.zeros(weights.shape[0], *weights.shape[2:])  # [B, Tq, Tk]
            for text, own in enumerate(looks):
                for query, keys in own.items():
                    right[text, query, list(keys)] = 1.0
            sums = (weights * right[:, None]).sum((0, 2, 3))  # [B, H, Tq, Tk] -> [H]
            total[site] = total.get(site, torch.zeros_like(sums)) + sums
    return {site: sums / rows for site, sums in total.items()}  # [H] each


def best_head(values: dict[Site, Tensor], *, lowest: bool = False) -> tuple[HeadChoice, float]:
    """The head with the highest value (or the lowest), and the value."""
    sign = -1.0 if lowest else 1.0
    site = max(values, key=lambda own: float((sign * values[own]).max()))
    head = int((sign * values[site]).argmax())
    return HeadChoice(site, head), float(values[site][head])
