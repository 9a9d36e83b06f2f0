"""Our blocks beside transformers' eager ones, as Llama has them: one block with every weight kept, and the logits of a
model of SmolLM2's size.

Both hold the same seeded numbers in the same memory, and take turns on fresh inputs.
"""

from functools import partial
from statistics import median
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

import attnviz as av
from attnviz.models import Decoder, causal_mask, from_published
from benchmarks.table import Row, in_turns, median_ratio

N_TOKENS = 256
BLOCK_TARGET, LOGITS_TARGET = 1.15, 1.2
BLOCK_ROUNDS, LOGITS_ROUNDS, WARM_UP = 60, 8, 3


def config(n_layers: int) -> LlamaConfig:
    """SmolLM2-135M's sizes, from its config.json, with so many layers."""
    return LlamaConfig(
        hidden_size=576, intermediate_size=1536, num_attention_heads=9, num_key_value_heads=3, head_dim=64,
        num_hidden_layers=n_layers, vocab_size=49_152, max_position_embeddings=8192, tie_word_embeddings=True,
        rms_norm_eps=1e-5, rope_parameters={"rope_type": "default", "rope_theta": 100_000.0},
    )  # fmt: skip


def theirs_and_ours(n_layers: int) -> tuple[Any, Decoder]:
    torch.manual_seed(0)
    theirs: Any = LlamaForCausalLM._from_config(config(n_layers), attn_implementation="eager")
    theirs = theirs.eval().requires_grad_(False)
    ours = from_published(theirs.state_dict(), theirs.config.to_dict())
    assert isinstance(ours, Decoder)
    return theirs, ours


def measure() -> list[Row]:
    with torch.no_grad():
        return [_block(), _logits()]


def _block() -> Row:
    theirs, ours = theirs_and_ours(1)
    layer, block = theirs.model.layers[0], ours.blocks[0]
    allowed = causal_mask(N_TOKENS)[None, None]  # [1, 1, T, T]
    added = torch.zeros(allowed.shape).masked_fill(~allowed, torch.finfo(torch.float32).min)  # as transformers makes it
    inputs = iter([torch.randn(1, N_TOKENS, 576) for _ in range(2 * (BLOCK_ROUNDS + WARM_UP))])
    waves = theirs.model.rotary_emb(torch.randn(1, N_TOKENS, 576), torch.arange(N_TOKENS)[None])

    def recorded() -> object:
        with av.record() as run:
            out = block(next(inputs), mask=allowed)
        return out, run["decoder.0.self.weights"]

    def plain() -> object:
        return layer(next(inputs), attention_mask=added, position_embeddings=waves)

    return _row(f"a block of Llama, all weights kept, B1 n{N_TOKENS}", recorded, plain, BLOCK_ROUNDS, BLOCK_TARGET)


def _logits() -> Row:
    theirs, ours = theirs_and_ours(30)
    inputs = iter([torch.randint(49_152, (1, N_TOKENS)) for _ in range(2 * (LOGITS_ROUNDS + WARM_UP))])
    return _row(
        f"logits of SmolLM2's size, B1 n{N_TOKENS}", lambda: ours(next(inputs)),
        lambda: theirs(next(inputs), use_cache=False).logits, LOGITS_ROUNDS, LOGITS_TARGET,
    )  # fmt: skip


def _row(claim: str, ours: Any, theirs: Any, rounds: int, target: float) -> Row:
    spent = in_turns({"ours": partial(ours), "theirs": partial(theirs)}, rounds, WARM_UP)
    ratio, ours_ms = median_ratio(spent["ours"], spent["theirs"]), 1e3 * median(it.wall for it in spent["ours"])
    note = f"of transformers' eager time; {ratio.processor:.2f} in processor time; ours {ours_ms:.1f} ms"
    return Row(claim, ratio.wall, target, "x", note)
