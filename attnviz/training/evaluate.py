"""Measures a trained model on held-out examples: how often it is right, what its best heads do, how well it aligns."""

from collections.abc import Mapping
from dataclasses import dataclass

from attnviz.training.accuracy import Accuracy, accuracy
from attnviz.training.alignment import AlignmentError, alignment_error
from attnviz.training.head_scores import HeadChoice, best_head, head_scores
from attnviz.training.network import Network
from attnviz.training.tasks.task import Task

EXAMPLES = 2000  # of each split
SEED = 29  # its examples are used for nothing else


@dataclass(frozen=True)
class AnswerHead:
    """The head with most weight on a known answer."""

    head: HeadChoice
    score: Mapping[str, float]  # its weight on the expected keys, by held-out split


@dataclass(frozen=True)
class Evaluation:
    accuracy: Mapping[str, Accuracy]  # by held-out split
    answers: Mapping[str, AnswerHead]  # by the answer's name
    alignment: AlignmentError | None  # of translators


def evaluate(network: Network, task: Task, n: int = EXAMPLES) -> Evaluation:
    """Measure a model: heads are chosen on `n` validation examples and reported on `n` of each held-out split."""
    validation = task.examples("validation", n, SEED)
    held_out = {str(split): task.examples(split, n, SEED) for split in task.splits}
    scores = {split: head_scores(network, task, examples) for split, examples in held_out.items()}
    answers = {}
    for name, by_site in head_scores(network, task, validation).items():
        head, _ = best_head(by_site)
        answers[name] = AnswerHead(
            head, {split: float(of_split[name][head.site][head.head]) for split, of_split in scores.items()}
        )
    return Evaluation(
        {split: accuracy(network, task, examples) for split, examples in held_out.items()}, answers,
        alignment_error(network, task, validation, held_out["sentences"]) if "alignment" in answers else None,
    )  # fmt: skip
