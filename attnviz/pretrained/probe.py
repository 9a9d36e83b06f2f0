"""The proof at load: weights replayed from our capture against the model's own eager `output_attentions`."""

import torch
from torch import Tensor
from transformers import PreTrainedModel

from attnviz.core.errors import UnsupportedModel
from attnviz.core.recording import largest_difference
from attnviz.core.verify import TOLERANCE
from attnviz.pretrained.model import PretrainedModel

LONGEST_PROBE = 64  # tokens; a window wider than this is not reached by the probe
PADDED = 3  # tokens of padding on the left of the second probe
PLAIN_LENGTH = 8  # of the second probe, where the model has no window


def probe_batches(config: object, *, seed: int = 0) -> tuple[tuple[Tensor, Tensor], ...]:
    """Four tokens; and, padded on the left, two more tokens than the model's window. Ids and padding, [1, T] each."""
    window = getattr(config, "sliding_window", None)
    length = PLAIN_LENGTH if window is None else min(window + 2, LONGEST_PROBE)
    generator = torch.Generator().manual_seed(seed)
    vocabulary = int(getattr(config, "vocab_size", 0))
    short = torch.randint(vocabulary, (1, 4), generator=generator)  # [1, 4]
    long = torch.randint(vocabulary, (1, length + PADDED), generator=generator)  # [1, T]
    padding = torch.ones_like(long)  # [1, T]
    padding[:, :PADDED] = 0
    long[:, :PADDED] = getattr(config, "pad_token_id", None) or 0
    return (short, torch.ones_like(short)), (long, padding)


def eager_weights(module: PreTrainedModel, ids: Tensor, padding: Tensor, *, name: str) -> tuple[Tensor, ...]:
    """The weights transformers itself gives, [1, H, T, T] a layer; the module must still be eager.

    Raises:
        UnsupportedModel: it does not run on text alone, or gives no weights.
    """
    try:
        with torch.inference_mode():
            output = module(input_ids=ids, attention_mask=padding, output_attentions=True, use_cache=False)
    except Exception as error:  # whatever a strange model makes of a plain text
        reason = str(error).strip().split("\n")[0]
        raise UnsupportedModel(
            f"{name} does not run on a plain text: {reason} Choose another model.",
            id="not-runnable",
            model=name,
            reason=reason,
        ) from error
    weights = tuple(getattr(output, "attentions", None) or ())
    if not weights:
        raise UnsupportedModel(
            f"{name} gives no attention matrices when asked for them, so nothing can be shown truly. "
            "Choose another model.",
            id="no-attention",
            model=name,
        )
    return weights


def probe_difference(model: PretrainedModel, ids: Tensor, padding: Tensor, expected: tuple[Tensor, ...]) -> float:
    """The largest difference between our replayed weights and eager's, over all layers, heads and real tokens.

    Raises:
        UnsupportedModel: nothing was recorded, another number of layers was, or the difference is more than rounding.
    """
    ran = model.forward(ids, padding)
    extent = ran.extents[0]
    own = slice(extent.start, extent.stop)
    if len(ran.opened.calls) != len(expected):
        raise UnsupportedModel(
            f"{model.card.name} has {len(expected)} layers with attention weights, and {len(ran.opened.calls)} were "
            "recorded, so what is shown could be wrong. Choose another model.",
            id="probe-layers",
            expected=len(expected),
            came=len(ran.opened.calls),
        )
    with torch.inference_mode():
        records = ran.splitter(0, {}).records(ran.opened.calls)
        pairs = zip(records.values(), expected, strict=True)
        largest = max(largest_difference(record.weights(), theirs[0][:, own, own]) for record, theirs in pairs)
    tolerance = TOLERANCE[ran.opened.calls[0].q.dtype]
    if largest > tolerance:
        raise UnsupportedModel(
            f"{model.card.name}: the weights read from it differ from its own by up to {largest:.1e}; expected at most "
            f"{tolerance:.0e}. They would not be shown truly. Choose another model.",
            id="probe-difference",
            difference=largest,
            tolerance=tolerance,
        )
    return largest
