"""The heads of a trained model that do what its task's known answers say, measured on its validation examples.

The head for an alignment is the one with the lowest error rate, as it is reported; for any other answer the one that
puts most weight on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from attnviz.training.alignment import alignment_error_rates
from attnviz.training.answers import HeadChoice, best_head, on_the_answer
from attnviz.training.trained import TrainedModel
from attnviz.training.trainer import EXAM_SEED, MEASURED

REMEMBERED = 16  # models


@lru_cache(maxsize=REMEMBERED)
def telling_heads(model: TrainedModel) -> Mapping[str, HeadChoice]:
    """The best head for each known answer, by the answer's name; measured once a model, in a tenth of a second."""
    examples = model.task.examples("validation", MEASURED, EXAM_SEED)
    found = {}
    for answer in model.task.answers:
        if answer.name == "alignment":
            rates = alignment_error_rates(model.network, model.encoder, examples)
            found[answer.name], _ = best_head(rates, lowest=True)
        else:
            found[answer.name], _ = best_head(on_the_answer(model.network, model.encoder, examples, answer))
    return MappingProxyType(found)
