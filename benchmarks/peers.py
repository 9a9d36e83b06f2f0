"""A trace of a model of GPT-2's size beside TransformerLens and nnsight, which `make bench-peers` installs apart.

All run the same weights in the same round. TransformerLens keeps every value (`run_with_cache`; its head over 257 words
costs next to nothing), nnsight the eager weights alone, a lighter job. A peer that does not run here is a row that says
so.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import torch
from transformers import GPT2LMHeadModel

from benchmarks import gpt2size
from benchmarks.table import Row, in_turns, median_ratio, not_measured
from tests.parity.tiny_models import byte_tokenizer

ROUNDS = {64: 9, 256: 5, 1024: 3}  # tokens: rounds after the one that warms up
TARGET = 1.10  # of the plain forward, for a trace of ours
Run = Callable[[str, torch.Tensor], object]


def measure() -> list[Row]:
    model, fused = gpt2size.ours(), gpt2size.plain("sdpa")
    runs: dict[str, Run] = {
        "plain": torch.inference_mode()(lambda text, ids: fused(input_ids=ids, use_cache=False)),
        "trace": lambda text, ids: model.trace(text),
    }
    rows: list[Row] = []
    for name, made in (("TransformerLens run_with_cache", transformer_lens), ("nnsight, weights only", nnsight)):
        try:
            run = made()
            run(gpt2size.text_of(8), gpt2size.ids_of(8, model))
        except Exception as error:  # a peer in another version, or none
            rows.append(not_measured(name, "x", error))
        else:
            runs[name] = run
    for n, rounds in ROUNDS.items():
        text, ids = gpt2size.text_of(n), gpt2size.ids_of(n, model)
        spent = in_turns({name: partial(run, text, ids) for name, run in runs.items()}, rounds)
        plain = spent.pop("plain")
        for name, own in spent.items():
            target, ms = TARGET if name == "trace" else None, 1e3 * median(it.wall for it in own)
            note = f"of the plain fused forward; {ms:.0f} ms"
            rows.append(Row(f"{name}, {n} tokens", median_ratio(own, plain).wall, target, "x", note))
    return rows


def whole() -> GPT2LMHeadModel:
    """The same weights under a head."""
    made = GPT2LMHeadModel._from_config(gpt2size.config(), attn_implementation="eager").eval().requires_grad_(False)
    made.transformer.load_state_dict(gpt2size.plain("eager").state_dict())
    return made


def transformer_lens() -> Run:
    """Every value kept."""
    bridge = bridged(whole())
    return torch.inference_mode()(lambda text, ids: bridge.run_with_cache(ids))


def bridged(made: GPT2LMHeadModel) -> Any:
    """A model in TransformerLens's dress; the bridge changes how it attends."""
    from transformer_lens.model_bridge import TransformerBridge

    with tempfile.TemporaryDirectory() as folder:
        made.config.architectures = ["GPT2LMHeadModel"]
        made.config.save_pretrained(folder)
        byte_tokenizer().save_pretrained(folder)
        return TransformerBridge.boot_transformers(folder, hf_model=made, tokenizer=byte_tokenizer(), device="cpu")


def nnsight() -> Run:
    """The attention weights of every layer, from the eager model."""
    from nnsight import NNsight

    traced: Any = NNsight(gpt2size.plain("eager"))
    n_layers = gpt2size.config().n_layer

    def run(text: str, ids: torch.Tensor) -> object:
        kept = []
        with torch.no_grad(), traced.trace(input_ids=ids, use_cache=False, output_attentions=True):
            for layer in range(n_layers):
                kept.append(traced.h[layer].attn.output[1].save())
        return kept

    return run
