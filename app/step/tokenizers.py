"""The tokenizer whose merges can be followed, of a model that runs in this process."""

from attnviz.pretrained.model import PretrainedModel
from attnviz.pretrained.tokens.merges import has_merges
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.scratch.rebuilt import Rebuilt
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace


def tokenizer_of(model: Model, trace: Trace) -> SentenceTokenizer | None:
    """None where a text has other tokens than those of byte-pair encoding, or the model was given no single text."""
    loaded = model.loaded if isinstance(model, Rebuilt) else model
    if not isinstance(loaded, PretrainedModel) or not isinstance(trace.tokens.source.given, str):
        return None
    return loaded.tokenizer if has_merges(loaded.tokenizer) else None
