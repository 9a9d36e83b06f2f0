"""The heads of a trained model that come closest to the known answers of its task, measured on validation examples.

For an alignment that is the head with the lowest error rate, else the one with most weight on the expected keys.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from attnviz.training.alignment import alignment_error_rates
from attnviz.training.head_scores import HeadChoice, best_head, head_scores
from attnviz.training.trained_model import TrainedModel
from attnviz.training.trainer import EXAM_SEED, MEASURED


@lru_cache(maxsize=16)
def best_heads(model: TrainedModel) -> Mapping[str, HeadChoice]:
    """The best head for each known answer, by the answer's name; takes a tenth of a second, once a model."""
    examples = model.task.examples("validation", MEASURED, EXAM_SEED)
    scores = head_scores(model.network, model.task, examples)
    best = {name: best_head(by_site)[0] for name, by_site in scores.items()}
    if "alignment" in best:
        rates = alignment_error_rates(model.network, model.task, examples)
        best["alignment"], _ = best_head(rates, lowest=True)
    return MappingProxyType(best)
