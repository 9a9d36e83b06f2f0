"""Architectures no row names, drawn from transformers by a seed: each is verified, or refused with a reason."""

import random

import torch
from transformers import AutoConfig, AutoModel
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, MODEL_FOR_MASKED_LM_MAPPING_NAMES

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.families import BY_MODEL_TYPE
from tests.conftest import ROTARY
from tests.parity.tiny_models import seeded

SEED = 2026
DRAWN = 10
LARGEST = 3_000_000  # parameters: a type that ignores the small sizes below is passed over
SIZES = ROTARY | {"n_layer": 2, "n_head": 4, "n_embd": 32, "moe_intermediate_size": 16, "num_local_experts": 2,
                  "num_experts": 2, "num_experts_per_tok": 1, "max_position_embeddings": 64,
                 "decoder_start_token_id": 0}  # fmt: skip
REASONS = {
    "no-attention",  # state-space and recurrent models: no attention matrices
    "keeps-bands",
    "not-runnable",  # needs more than a text
    "no-start-token",
    "unnumbered-layers",
}


def drawn_types() -> list[str]:
    """Ten model types of text, without a row, that transformers can build at a tiny size."""
    names = sorted({*MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, *MODEL_FOR_MASKED_LM_MAPPING_NAMES} - set(BY_MODEL_TYPE))
    random.Random(SEED).shuffle(names)
    found: list[str] = []
    for name in names:
        try:
            with torch.device("meta"):
                layout = AutoModel.from_config(AutoConfig.for_model(name, **SIZES))
        except Exception:  # its configuration takes other sizes
            continue
        if sum(parameter.numel() for parameter in layout.parameters()) <= LARGEST:
            found.append(name)
        if len(found) == DRAWN:
            return found
    raise AssertionError(f"only {len(found)} types could be built")


def test_ten_types_without_a_row_are_verified_or_refused_with_a_reason_and_most_are_verified():
    outcomes = {}
    for name in drawn_types():
        try:
            model = seeded(name, SIZES)
        except UnsupportedModel as error:
            outcomes[name] = str(error.id)
        else:
            traces = model.traces(["a longer text for a batch", "short"])
            outcomes[name] = "verified" if all(trace.verified.holds for trace in traces) else "does not hold"
    assert set(outcomes.values()) <= {"verified"} | REASONS, outcomes
    assert sum(outcome == "verified" for outcome in outcomes.values()) >= DRAWN // 2, outcomes
