"""What a trained model is worth, measured on many held-out examples: how often it is right, what its best heads do,
and for a translator how its words align. `python -m attnviz.training.examination [NAME or DIR …]` prints it.

A head is chosen on validation examples and reported on held-out ones.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from attnviz.training.alignment import AlignmentError, alignment_error
from attnviz.training.answers import Accuracy, HeadChoice, Network, accuracy, best_head, on_the_answer
from attnviz.training.batches import Encoder
from attnviz.training.bundle import SHIPPED, load_shipped
from attnviz.training.trained import load_trained
from attnviz.training.trainer import few_threads

EXAMPLES = 2000  # of each split
SEED = 29  # no training and no checkpoint is measured on the examples of this one
MISSES_SHOWN = 20


@dataclass(frozen=True)
class KnownAnswer:
    """The head that does most of what a task's answer says."""

    name: str
    head: HeadChoice
    share: Mapping[str, float]  # its weight on the answer, by held-out split


@dataclass(frozen=True)
class Examination:
    """The figures of one model."""

    accuracy: Mapping[str, Accuracy]  # by held-out split
    answers: tuple[KnownAnswer, ...]
    alignment: AlignmentError | None  # of translators


def examine(network: Network, encoder: Encoder, n: int = EXAMPLES) -> Examination:
    """Measure a model on `n` examples of each split, drawn anew.

    Args:
        network: in eval mode.
        encoder: the numbers of its task's words.
        n: examples of validation, and of each held-out split.
    """
    task = encoder.task
    validation = task.examples("validation", n, SEED)
    held_out = {str(split): task.examples(split, n, SEED) for split in task.splits}
    answers = []
    for own in task.answers:
        head, _ = best_head(on_the_answer(network, encoder, validation, own))
        shares = {split: on_the_answer(network, encoder, examples, own) for split, examples in held_out.items()}
        answers.append(
            KnownAnswer(own.name, head, {split: float(by[head.site][head.head]) for split, by in shares.items()})
        )
    aligns = any(own.name == "alignment" for own in task.answers)
    return Examination(
        {split: accuracy(network, encoder, examples) for split, examples in held_out.items()},
        tuple(answers),
        alignment_error(network, encoder, validation, held_out["sentences"]) if aligns else None,
    )


def lines_of(found: Examination) -> Iterator[str]:
    """The figures as text."""
    for split, right in found.accuracy.items():
        yield f"{split}: {right.exact:.2%} of {right.n} texts exact, {right.tokens:.3%} of tokens"
    for answer in found.answers:
        shares = ", ".join(f"{split} {share:.3f}" for split, share in answer.share.items())
        yield f"{answer.name}: {answer.head} puts on the known answer: {shares}"
    if found.alignment is not None:
        own = found.alignment
        yield f"alignment error rate {own.rate:.3f} over {own.words} words with a sure link, {own.head}; most missed:"
        yield ", ".join(f"{word} {missed}/{written}" for word, missed, written in own.misses[:MISSES_SHOWN])


def main() -> int:
    """Examine the shipped models, or those named."""
    parser = argparse.ArgumentParser(description="Measure trained models on held-out examples.")
    parser.add_argument("models", nargs="*", default=SHIPPED, metavar="NAME or DIR")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help=f"of each split ({EXAMPLES})")
    asked = parser.parse_args()
    for name in asked.models:
        model = load_shipped(name) if name in SHIPPED else load_trained(Path(name))
        device = next(model.network.parameters()).device
        with few_threads(device):
            found = examine(model.network, model.encoder, asked.examples)
        title = f"{name} (seed {model.plan.seed}, {model.header['steps']} steps)"
        sys.stdout.write("\n  ".join([title, *lines_of(found)]) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
