"""What a classifier, a tagger or a reader of questions predicts: its own head over the last hidden states of one text.

As with a language-model head, it is the whole model's forward with its base swapped for those states.
"""

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.models.auto import modeling_auto as names

from attnviz.core.recording import largest_difference
from attnviz.pretrained.capture.forward import inputs_of
from attnviz.pretrained.lm_head import TOLERANCE, FixedBase, base_name, with_child
from attnviz.pretrained.reference_weights import CheckText
from attnviz.pretrained.tokens.batch import Padded
from attnviz.pretrained.tokens.token_display import visible
from attnviz.trace.rerun import Task
from attnviz.trace.run_facts import Prediction
from attnviz.trace.tokens import Tokens

TaskKind = Literal["classes", "labels", "span"]
SPAN = ("start", "end")
LONGEST_LABEL = 100  # characters of a label's name


@dataclass(frozen=True, eq=False)
class TaskHead:
    """The head of a task: classes of a text, a label for each token, or the span that answers a question."""

    whole: PreTrainedModel  # the model with its head
    base: str  # the child whose output the head reads
    of: TaskKind
    names: tuple[str, ...]  # of the classes or labels; () of a span
    is_any: bool = False  # whether a text may have several classes: each is a yes or no of its own

    def logits(self, states: Tensor, ids: Tensor) -> Tensor:
        """Of the last hidden states [T, d_model] of a whole text and its tokens [T].

        Returns:
            [1, n_classes], [T, n_labels], or for a span [2, T]: where it starts and where it ends.
        """
        base = self.whole.get_submodule(self.base)
        fixed = FixedBase(states[None], pooled(base, states[None]) if self.of == "classes" else None)
        run: Any = with_child(self.whole, self.base, fixed)
        made = run(**inputs_of(self.whole, Padded(ids[None], torch.ones_like(ids[None])), None))
        return rows_of(made, self.of)

    @property
    def rows(self) -> Task:
        """The same logits a row of classes at a time: of a span [T, 2]."""
        if self.of == "span":
            return Task("span", SPAN, lambda states, ids: self.logits(states, ids).mT)
        return Task(self.of, self.names, self.logits)

    def prediction(self, states: Tensor, tokens: Tokens) -> Prediction:
        """All classes, labels or tokens of each row, the likeliest first."""
        logits = self.logits(states, torch.tensor(tokens.ids, device=states.device)).float()  # [R, n]
        shares = torch.sigmoid(logits) if self.is_any else torch.softmax(logits, -1)  # [R, n]
        probabilities, ids = shares.sort(dim=-1, descending=True)  # [R, n] each
        shown = tokens.text if self.of == "span" else self.names
        texts = tuple(tuple(shown[number] for number in row) for row in ids.tolist())
        return Prediction(ids, probabilities, texts, self.of, self.is_any)


def pooled(base: nn.Module, states: Tensor) -> Tensor | None:
    """What a base's pooler makes of its last hidden states [1, T, d_model]: [1, d_model]; None where it has none."""
    pooler = getattr(base, "pooler", None)
    if pooler is None:
        return None
    activation = getattr(base, "pooler_activation", None)  # ALBERT's
    made: Tensor = pooler(states) if activation is None else activation(pooler(states[:, 0]))
    return made


def rows_of(made: Any, of: TaskKind) -> Tensor:
    """The logits of a model's output for one text: [1, n_classes], [T, n_labels] or [2, T]."""
    if of == "span":
        return torch.cat([made.start_logits, made.end_logits])  # [2, T]
    logits: Tensor = made.logits
    return logits if of == "classes" else logits[0]


def task_of(whole: PreTrainedModel) -> TaskKind | None:
    """What a model's own head predicts, by transformers' lists of classes."""
    name, kind = transformers_class_name(whole), whole.config.model_type
    lists: tuple[tuple[TaskKind, Any], ...] = (
        ("classes", names.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES),
        ("labels", names.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES),
        ("span", names.MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES),
    )
    return next((of for of, names in lists if names.get(kind) == name), None)


def transformers_class_name(whole: PreTrainedModel) -> str:
    """The class of transformers that a model is of, also under a class that a person derived from it."""
    known = (kind.__name__ for kind in type(whole).__mro__ if kind.__module__.startswith("transformers.models."))
    return next(known, type(whole).__name__)


def checked_task_head(whole: PreTrainedModel, last: Tensor, text: CheckText) -> TaskHead | None:
    """The head of a task, if its logits of a check text's last states [1, T, d_model] are the whole model's.

    None too where it gives a number and no class (regression), and where a decoder reads the text once more.
    """
    of, base, config = task_of(whole), base_name(whole), whole.config
    is_number = of == "classes" and (config.problem_type == "regression" or config.num_labels == 1)
    if of is None or base is None or is_number or config.is_encoder_decoder:
        return None
    is_any = of == "classes" and config.problem_type == "multi_label_classification"
    head = TaskHead(whole, base, of, () if of == "span" else names_of(config), is_any)
    run: Any = whole
    with torch.inference_mode():
        expected = rows_of(run(**inputs_of(whole, text.source, None)), of)
        try:
            logits = head.logits(last[0], text.source.ids[0].to(last.device))
        except (TypeError, ValueError, AttributeError, RuntimeError, IndexError):
            return None  # its head reads more than the last hidden states
    if logits.shape != expected.shape or (head.names and logits.shape[-1] != len(head.names)):
        return None
    tolerance = TOLERANCE.get(last.dtype, TOLERANCE[torch.float32])
    return head if largest_difference(logits, expected) <= tolerance else None


def names_of(config: Any) -> tuple[str, ...]:
    """The names of a model's classes, as its configuration has them: any text, shortened and with nothing unseen."""
    given = config.id2label or {}
    return tuple(visible(str(given.get(n, n)))[:LONGEST_LABEL] for n in range(config.num_labels))
