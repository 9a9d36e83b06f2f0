"""A pretrained model's own weights in our Encoder or Decoder, for a run that holds every step of its blocks.

What transformers gives of a run (attention, and the vectors between the blocks) is not enough to write a block out.
This run is enough, and is compared with the model's own: `difference` says how far apart the two are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from attnviz.core import ops
from attnviz.core.edit import Edit
from attnviz.core.errors import AttnvizError
from attnviz.core.recording import largest_difference
from attnviz.models.support.convert import from_published
from attnviz.models.support.parameters import parameters_of
from attnviz.models.support.rerun import network_rerun
from attnviz.models.transformer import Decoder, Encoder
from attnviz.trace.given import Given
from attnviz.trace.model_protocol import Model, module_sha256
from attnviz.trace.run_facts import Card, Prediction
from attnviz.trace.text_model import TextModel
from attnviz.trace.tokens import TokenPair
from attnviz.trace.trace import Trace
from attnviz.trace.traced_run import traced_run

TOLERANCE = 1e-4  # of the largest value of each point; float32 and as many layers explain a hundredth of it


class Predicts(Protocol):
    """A language-model head: what is used of it here."""

    @property
    def matrix(self) -> Tensor | None: ...
    def prediction(self, states: Tensor, ids: Sequence[int]) -> Prediction: ...
    def logits(self, states: Tensor, ids: Tensor) -> Tensor: ...
    def text_of(self, token_id: int) -> str: ...
    def spellings(self, token_id: int) -> Sequence[str]: ...


@runtime_checkable
class Loaded(Protocol):
    """A pretrained model: the attributes that are used here."""

    @property
    def card(self) -> Card: ...
    @property
    def module(self) -> nn.Module: ...
    @property
    def lm_head(self) -> Predicts | None: ...
    def read(self, text: Given, target: Given | None) -> TokenPair: ...


@dataclass(frozen=True, eq=False, repr=False)
class Rebuilt(TextModel):
    """Our network with a loaded model's own tensors as its weights."""

    loaded: Loaded  # its card is this one's, but for a variant
    network: Encoder | Decoder
    predicts: bool = True  # with the model's own head

    @property
    def matrices(self) -> dict[str, dict[str, Tensor]]:
        return parameters_of(self.network)

    @property
    def weights_sha256(self) -> str:
        return module_sha256(self.network)

    def _trace(self, given: Given, target: Given | None, edits: Sequence[Edit]) -> Trace:
        tokens = self.loaded.read(given, None).source
        ids = torch.tensor([tokens.ids], device=self.network.embed.tokens.weight.device)  # [1, T]
        head = self.loaded.lm_head if self.predicts else None
        has_types = bool(tokens.types) and self.network.embed.types is not None
        types = torch.tensor([tokens.types], device=ids.device) if has_types else None  # [1, T]
        rerun = network_rerun(self.network, ids, types=types)
        trace, last = traced_run(
            lambda: self.network.through_blocks(self.network.embed(ids, types=types)),
            card=self.card, tokens=tokens, parameters=self.matrices, edits=edits,
            rerun=replace(rerun, logits=None) if head is None else replace(
                rerun, logits=head.logits, text_of=head.text_of, spellings=head.spellings
            ),
        )  # fmt: skip
        with torch.inference_mode():
            prediction = None if head is None else head.prediction(last, tokens.ids)  # from [T, d_model]
            trace = replace(trace, prediction=prediction)
            left_out = () if _is_vocabulary(trace) else ("decoder.vocabulary",)
            return replace(trace, matrices={at: kept for at, kept in trace.matrices.items() if at not in left_out})


def rebuilt(model: Model) -> Rebuilt | None:
    """Our network with a model's own weights; None where there are none, or the model is built differently."""
    if not isinstance(model, Loaded):
        return None
    config: Any = model.module.config
    matrix = None if model.lm_head is None else model.lm_head.matrix  # [V, d_model]
    head = {} if matrix is None else {"lm_head.weight": matrix}
    try:
        network = from_published({**model.module.state_dict(), **head}, config.to_dict())
    except AttnvizError:  # another kind of model, or weights that our blocks do not have
        return None
    return Rebuilt(model.card, model, network)


def difference(again: Trace, theirs: Trace) -> float:
    """How far our untouched run is from the model's own: the largest difference of the weights, and of the vectors
    between the blocks relative to the largest value of each point (or 1); ∞ where the two hold nothing in common.
    """
    points = [point for point in theirs.stream if point in again.stream]
    if not points or again.tokens != theirs.tokens or again.sites != theirs.sites:
        return float("inf")
    apart = []
    for point in points:
        other = theirs.stream[point].float()  # [T, d_model]
        apart.append(largest_difference(again.stream[point].float(), other) / max(1.0, float(other.abs().max())))
    apart += [largest_difference(again[site].weights(), theirs[site].weights()) for site in theirs.sites]
    return max(one if one == one else float("inf") for one in apart)


def _is_vocabulary(trace: Trace) -> bool:
    """Whether x·W of our Decoder gives the probabilities of the model's own head.

    Logits are compared by their differences, which equal those of the logarithms of the probabilities.
    """
    parameters, prediction = trace.matrices.get("decoder.vocabulary"), trace.prediction
    if parameters is None or prediction is None:
        return parameters is None
    last = trace.stream["decoder.out"].to(parameters["w"])  # [T, d_model]
    # [T, 20, d_model] @ [T, d_model, 1] -> [T, 20]
    logits = (parameters["w"][prediction.ids] @ last[:, :, None])[..., 0].float()
    if "softcap" in parameters:
        logits = ops.cap_scores(logits, float(parameters["softcap"]))  # [T, 20]
    theirs = torch.log(prediction.probabilities.float())  # [T, 20]
    difference = largest_difference(logits - logits[:, :1], theirs - theirs[:, :1])
    return difference <= TOLERANCE * max(1.0, float(logits.abs().max()))
