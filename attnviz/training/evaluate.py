"""Measures trained models on many held-out examples: `python -m attnviz.training.evaluate [NAME or DIR …]`.

Prints how often a model is right, what its best heads do, and how well a translator aligns words.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from attnviz.training.accuracy import Accuracy, accuracy
from attnviz.training.alignment import AlignmentError, alignment_error
from attnviz.training.batches import TaskVocabulary
from attnviz.training.bundled_models import BUNDLED, load_bundled
from attnviz.training.head_scores import HeadChoice, best_head, head_scores
from attnviz.training.load import load_trained
from attnviz.training.network import Network
from attnviz.training.trainer import one_thread

EXAMPLES = 2000  # of each split
SEED = 29  # these examples are used nowhere else
MISSES_SHOWN = 20


@dataclass(frozen=True)
class AnswerHead:
    """The head with most weight on a known answer."""

    name: str  # of the answer
    head: HeadChoice
    score: Mapping[str, float]  # its weight on the expected keys, by held-out split


@dataclass(frozen=True)
class Evaluation:
    """The figures of one model."""

    accuracy: Mapping[str, Accuracy]  # by held-out split
    answers: tuple[AnswerHead, ...]
    alignment: AlignmentError | None  # of translators

    def lines(self) -> Iterator[str]:
        """The figures as text."""
        for split, right in self.accuracy.items():
            yield f"{split}: {right.exact:.2%} of {right.n} texts exact, {right.tokens:.3%} of tokens"
        for answer in self.answers:
            scores = ", ".join(f"{split} {score:.3f}" for split, score in answer.score.items())
            yield f"{answer.name}: weight of {answer.head} on the expected keys: {scores}"
        if self.alignment is not None:
            own = self.alignment
            misses = ", ".join(f"{word} {missed}/{written}" for word, missed, written in own.misses[:MISSES_SHOWN])
            yield f"alignment error rate {own.rate:.3f} over {own.words} words with a sure link, {own.head}"
            yield f"most missed: {misses}"


def evaluate(network: Network, vocabulary: TaskVocabulary, n: int = EXAMPLES) -> Evaluation:
    """Measure a model: heads are chosen on `n` validation examples and reported on `n` of each held-out split.

    Args:
        network: in eval mode.
    """
    task = vocabulary.task
    validation = task.examples("validation", n, SEED)
    held_out = {str(split): task.examples(split, n, SEED) for split in task.splits}
    chosen = {name: best_head(by_site)[0] for name, by_site in head_scores(network, vocabulary, validation).items()}
    scores = {split: head_scores(network, vocabulary, examples) for split, examples in held_out.items()}
    aligns = "alignment" in chosen
    return Evaluation(
        {split: accuracy(network, vocabulary, examples) for split, examples in held_out.items()},
        tuple(
            AnswerHead(name, head, {split: float(own[name][head.site][head.head]) for split, own in scores.items()})
            for name, head in chosen.items()
        ),
        alignment_error(network, vocabulary, validation, held_out["sentences"]) if aligns else None,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure trained models on held-out examples.")
    parser.add_argument("models", nargs="*", default=BUNDLED, metavar="NAME or DIR")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help=f"of each split ({EXAMPLES})")
    asked = parser.parse_args()
    for name in asked.models:
        model = load_bundled(name) if name in BUNDLED else load_trained(Path(name))
        with one_thread():
            found = evaluate(model.network, model.vocabulary, asked.examples)
        title = f"{name} (seed {model.plan.seed}, {model.header['steps']} steps)"
        print("\n  ".join([title, *found.lines()]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
