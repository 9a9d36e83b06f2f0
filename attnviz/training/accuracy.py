"""How often a model is right on examples with a known answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from attnviz.training.batches import NOT_COUNTED, Batch, batch_of
from attnviz.training.network import Network, logits_of
from attnviz.training.tasks.task import Example, Task

BATCH_SIZE = 128


@dataclass(frozen=True)
class Accuracy:
    exact: float  # share of the texts without a mistake, which is also how often greedy decoding gets them right
    tokens: float  # share of the tokens


def batches(network: Network, task: Task, examples: Sequence[Example]) -> Iterator[tuple[Sequence[Example], Batch]]:
    """Examples in batches of nearly one length, on the network's device."""
    device = next(network.parameters()).device
    ordered = sorted(examples, key=lambda example: (len(example.source), len(example.target)))
    for start in range(0, len(ordered), BATCH_SIZE):
        part = ordered[start : start + BATCH_SIZE]
        yield part, batch_of(task, part).to(device)


def accuracy(network: Network, task: Task, examples: Sequence[Example]) -> Accuracy:
    """Whether the likeliest token is right at every row that counts, given the right tokens before it."""
    tokens = right_texts = right_tokens = 0
    for _, batch in batches(network, task, examples):
        with torch.inference_mode():
            written = logits_of(network, batch).argmax(-1)  # [B, T]
        counts = batch.wanted != NOT_COUNTED  # [B, T]
        right = written == batch.wanted  # [B, T]
        tokens += int(counts.sum())
        right_texts += int((right | ~counts).all(-1).sum())
        right_tokens += int((right & counts).sum())
    return Accuracy(right_texts / len(examples), right_tokens / tokens)
