"""Tiny models with peaked maps, and what transformers' own eager run gives for them."""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    PreTrainedTokenizerFast,
)

from attnviz.pretrained.capture.forward import ForwardPass, inputs_of, run_pass
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.build import build
from attnviz.pretrained.model import PretrainedModel
from attnviz.pretrained.tokens.batch import Padded, batch_of
from attnviz.trace.trace import Trace
from tests.conftest import TINY

PEAK = 0.2  # mean row maximum a map must reach: parity on near-uniform maps proves little
QUERY_OR_KEY = re.compile(
    r"quer|key|q_|k_|qkv|c_attn|Wqkv|kv_|embeddings_project|mapping_in|attn\.[qk]$|Attention\.[qk]$", re.IGNORECASE
)
WRITTEN = 12  # tokens a tiny model writes at most
TWO_STACKS = ("t5", "mt5", "bart", "marian")


def byte_tokenizer(merges: Sequence[tuple[str, str]] = ()) -> PreTrainedTokenizerFast:
    """Every byte is a token, and what the merges make of them; its ids fit the 300 rows of the tiny models."""
    vocabulary = {piece: number for number, piece in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    for left, right in merges:
        vocabulary.setdefault(left + right, len(vocabulary))
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=list(merges)))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


def traceable(module, name: str) -> PretrainedModel:
    """An eager module, with a byte a token, as a model that can be traced."""
    return build(module, byte_tokenizer(), Origin(name, name))


def saved(module, folder: Path) -> str:
    module.save_pretrained(folder)
    byte_tokenizer().save_pretrained(folder)
    return str(folder)


def eager_module(model_type: str, sizes: dict, auto=AutoModel, *, seed: int = 0) -> torch.nn.Module:
    torch.manual_seed(seed)
    config = AutoConfig.for_model(model_type, **sizes)
    return auto.from_config(config, attn_implementation="eager").eval().requires_grad_(False)


def seeded(model_type: str, sizes: dict, auto=AutoModel) -> PretrainedModel:
    return traceable(eager_module(model_type, sizes, auto), model_type)


def forward(model: PretrainedModel, source: Padded, target: Padded | None = None) -> ForwardPass:
    return run_pass(model.module, model.backend, model.family, source, target)


def own_logits(whole: torch.nn.Module, trace: Trace) -> torch.Tensor:
    """What transformers' own model gives for the tokens of a trace: [T, V]."""
    source, target = (None if it is None else batch_of([it], 0) for it in (trace.tokens.source, trace.tokens.target))
    with torch.no_grad():
        return whole(**inputs_of(whole, source, target)).logits[0]


@cache
def eager_model(model_type: str) -> torch.nn.Module:
    """Seeded, with its head, its query and key matrices enlarged until its maps are peaked."""
    config = type(AutoConfig.for_model(model_type))
    autos = (AutoModelForSeq2SeqLM, AutoModelForMaskedLM, AutoModelForCausalLM)
    auto = next(auto for auto in autos if config in auto._model_mapping)
    module = eager_module(model_type, TINY[model_type], auto, seed=7)
    source, target = example(model_type, "none")
    with torch.no_grad():
        for _ in range(14):
            if all(float(weights.amax(-1).mean()) >= PEAK for weights in eager_sites(module, source, target).values()):
                return module
            for name, parameter in module.named_parameters():
                if parameter.ndim == 2 and QUERY_OR_KEY.search(name.rsplit(".", 1)[0]):
                    parameter.mul_(1.5)
    raise AssertionError(f"the maps of {model_type} stay flat")


@cache
def traced_model(model_type: str):
    model = traceable(deepcopy(eager_model(model_type)), model_type)
    # An untrained model seldom writes its end token, so its decoder is given few places.
    return model if model.writer is None else replace(model, writer=replace(model.writer, limit=WRITTEN + 1))


def example(model_type: str, layout: str) -> tuple[Padded, Padded | None]:
    """Two texts of 24 ids, the second one padded; and two target texts of 11 for a model with two stacks."""
    generator = torch.Generator().manual_seed(3)
    source = padded(torch.randint(3, 256, (2, 24), generator=generator), layout, 7)
    if model_type not in TWO_STACKS:
        return source, None
    return source, padded(torch.randint(3, 256, (2, 11), generator=generator), layout, 4)


def padded(ids: torch.Tensor, layout: str, n: int) -> Padded:
    padding = torch.ones_like(ids)
    if layout == "right":
        padding[1, -n:] = 0
    if layout == "left":
        padding[1, :n] = 0
    return Padded(ids, padding)


def eager_sites(module, source: Padded, target: Padded | None) -> dict[str, torch.Tensor]:
    """transformers' own weights, [B, H, T_q, T_k] by site key."""
    asked = {"input_ids": source.ids, "attention_mask": source.padding, "output_attentions": True, "use_cache": False}
    if target is not None:
        asked |= {"decoder_input_ids": target.ids, "decoder_attention_mask": target.padding}
    with torch.no_grad():
        output = module(**asked)
    if target is None:
        by_place = {(BY_MODEL_TYPE[module.config.model_type].stack, "self"): output.attentions}
    else:
        by_place = {("encoder", "self"): output.encoder_attentions, ("decoder", "self"): output.decoder_attentions,
                    ("decoder", "cross"): output.cross_attentions}  # fmt: skip
    return {
        f"{stack}.{layer}.{kind}": weights
        for (stack, kind), layers in by_place.items()
        for layer, weights in enumerate(layers)
    }
