"""What a model predicts: its language-model head over the last hidden states, a block of rows at a time.

The head is the whole model's own forward with its base swapped for those states, so whatever a family does on the way
to its logits (norms, caps, scales) is done here too, with no code for any family. Nothing shared is changed.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from attnviz.core.recording import largest_difference
from attnviz.pretrained.capture.forward import inputs_of
from attnviz.pretrained.capture.rope_reset import rope_as_loaded
from attnviz.pretrained.reference_weights import CheckText
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.run_facts import Prediction
from attnviz.trace.traced_run import N_PREDICTIONS

BLOCK_NUMBERS = 1 << 24  # logits held at a time: 64 MB in float32
CACHED_ROWS = 32  # summed at a time: three times as fast as from memory
TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 0.25, torch.float16: 3e-2}  # of logits, which reach 10 to 30


@dataclass(frozen=True, eq=False)
class LMHead:
    """A language-model head: next tokens of a decoder, hidden tokens of a masked model."""

    whole: PreTrainedModel  # the model with its head
    base: str  # the child whose output the head reads
    tokenizer: SentenceTokenizer

    def logits(self, states: Tensor, ids: Tensor) -> Tensor:
        """The logits [R, V] of some positions: of their last hidden states [R, d_model] and their tokens [R]."""
        clone = with_child(self.whole, self.base, FixedBase(states[None]))
        extra: dict[str, Any] = {}
        if self.whole.config.is_encoder_decoder:
            extra["decoder_input_ids"] = ids[None]
            if self.base == "decoder":  # the encoder beside it is not run again
                extra["encoder_outputs"] = FixedOutput(states[None])
        return clone(input_ids=ids[None], use_cache=False, **extra).logits[0]  # [R, V]

    @property
    def matrix(self) -> Tensor | None:
        """W_vocabulary [V, d_model], where the head has one and adds no constant to the product with it."""
        output: Any = self.whole.get_output_embeddings()
        return output.weight.detach() if type(output) is nn.Linear and output.bias is None else None

    def text_of(self, token_id: int) -> str:
        return self.tokenizer.piece_text(token_id)

    def spellings(self, token_id: int) -> tuple[str, str, str]:
        return self.tokenizer.spellings(token_id)

    def prediction(self, states: Tensor, ids: Sequence[int]) -> Prediction:
        """The 20 likeliest tokens of each position, of the full vocabulary; `states` [T, d_model] are the last."""
        known = torch.tensor(ids, device=states.device)  # [T]
        rows = max(1, BLOCK_NUMBERS // self.tokenizer.backend.get_vocab_size())
        tops = []
        for start in range(0, len(ids), rows):
            logits = self.logits(states[start : start + rows], known[start : start + rows]).float()  # [R, V]
            values, indices = logits.topk(min(N_PREDICTIONS, logits.shape[-1]), dim=-1)  # [R, 20] each
            total = torch.cat([some.logsumexp(-1, keepdim=True) for some in logits.split(CACHED_ROWS)])  # [R, 1]
            tops.append((torch.exp(values - total), indices))
        probabilities, chosen = (torch.cat(parts) for parts in zip(*tops, strict=True))  # [T, 20] each
        return Prediction(chosen, probabilities, self.tokenizer.piece_texts(chosen.tolist()))


class FixedBase(nn.Module):
    """Replaces the base of a model: returns fixed hidden states for any input."""

    def __init__(self, states: Tensor, pooled: Tensor | None = None) -> None:
        super().__init__()
        self.__dict__["states"] = states  # [1, R, d_model]
        self.__dict__["pooled"] = pooled  # [1, d_model], what the base's pooler makes of them

    def forward(self, *_: object, **__: object) -> "FixedOutput":
        return FixedOutput(self.states, self.pooled)

    def __getattr__(self, name: str) -> Any:
        """A part of the base, where a model calls that (OPT its decoder), gives the same."""
        return super().__getattr__(name) if name.startswith("_") else self


class FixedOutput:
    """The output of a base: its last hidden state, pooled too where it is, and None under every other name."""

    def __init__(self, states: Tensor, pooled: Tensor | None = None) -> None:
        self.states = states
        self.pooled = pooled

    @property
    def parts(self) -> tuple[Tensor, ...]:
        return (self.states,) if self.pooled is None else (self.states, self.pooled)

    def __getitem__(self, index: int | slice) -> Any:
        return self.parts[index]

    def __len__(self) -> int:
        return len(self.parts)

    def __getattr__(self, name: str) -> Tensor | None:
        if name.startswith("__"):
            raise AttributeError(name)
        return {"last_hidden_state": self.states, "pooler_output": self.pooled}.get(name)


def with_child(module: PreTrainedModel, name: str, child: nn.Module) -> PreTrainedModel:
    """The same module with one child swapped; it shares everything else, and the original stays as it was."""
    clone = copy.copy(module)
    clone.__dict__["_modules"] = {**module._modules, name: child}
    for hooked in ("forward", "_old_forward", "_hf_hook"):  # accelerate's, which are of the original
        clone.__dict__.pop(hooked, None)
    return clone


def without_head(whole: PreTrainedModel) -> PreTrainedModel:
    """The part of a model that runs attention: its base, or itself without logits where it has no base apart (T5)."""
    base = base_name(whole)
    if base is not None and base != "decoder":
        module: Any = whole.get_submodule(base)
        return module
    if isinstance(whole.base_model, PreTrainedModel) and whole.base_model is not whole:
        return whole.base_model
    name = head_name(whole)
    return whole if name is None else with_child(whole, name, nn.Identity())


def base_name(whole: PreTrainedModel) -> str | None:
    """The child whose output the head reads; the decoder, where a model has that beside its encoder (T5)."""
    children = [name for name, child in whole.named_children() if isinstance(child, PreTrainedModel)]
    if whole.base_model is not whole:
        return whole.base_model_prefix if whole.base_model_prefix in children else None
    if "decoder" in children and whole.config.is_encoder_decoder:
        return "decoder"
    # Llama 4's text model has its base under another name than the one it states
    return children[0] if len(children) == 1 and head_name(whole) is not None else None


def head_name(whole: PreTrainedModel) -> str | None:
    """The child that makes logits, if the model has one of its own."""
    head = whole.get_output_embeddings()
    return next((name for name, child in whole.named_children() if child is head), None)


def checked_head(whole: PreTrainedModel, last: Tensor, text: CheckText, tokenizer: SentenceTokenizer) -> LMHead | None:
    """The head of a model, if its logits of a check text's last states [1, T, d_model] are the whole model's."""
    base = base_name(whole)
    if base is None:
        return None
    head = LMHead(whole, base, tokenizer)
    with rope_as_loaded(whole), torch.inference_mode():
        try:
            expected = getattr(whole(**inputs_of(whole, text.source, text.target)), "logits", None)
            if expected is None or expected.ndim != 3:
                return None
            logits = head.logits(last[0], (text.target or text.source).ids[0].to(last.device))
        except (TypeError, ValueError, AttributeError, RuntimeError, IndexError):
            return None  # its head reads more than the last hidden states, or another input than a text
    if logits.shape != expected[0].shape:
        return None
    tolerance = TOLERANCE.get(last.dtype, TOLERANCE[torch.float32])
    return head if largest_difference(logits, expected[0]) <= tolerance else None
