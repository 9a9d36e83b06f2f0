"""All heads of two models over 50 texts: GPT-2's size twice, MiniLM beside a copy with slightly other weights, and as
many heads as GPT-2 medium has, with the picture of them.
"""

import time
from collections.abc import Sequence

import torch
from transformers import GPT2Config, GPT2Model, PreTrainedModel

from attnviz import catalog, views
from attnviz.analysis.compare import common_sentences, compare, similarity
from attnviz.pretrained.loading.device import placement
from attnviz.pretrained.loading.load import load_module
from attnviz.trace.model_protocol import Model
from benchmarks.gpt2size import plain, text_of, traceable
from benchmarks.table import Row

TEXTS, TOKENS = 50, 32


def measure() -> list[Row]:
    texts = [text_of(4 * TOKENS + at)[at : at + TOKENS] for at in range(TEXTS)]
    gpt = [traceable(module, name) for module, name in _two(plain("eager"), plain("eager"))]
    folder = catalog.get("minilm-l6")
    modules, tokenizers = zip(*(load_module(folder, placement(), "MiniLM") for _ in range(2)), strict=True)
    minilm = [traceable(module, name, tokenizers[0]) for module, name in _two(*modules)]
    sentences = common_sentences(*minilm)
    return [
        Row("12x12 against 12x12 heads, 50 texts of 32 tokens", _seconds(gpt, texts), 20, "s"),
        Row("MiniLM against other weights, 50 sentences", _seconds(minilm, sentences), 3, "s"),
        *_many_heads(texts),
    ]


def _many_heads(texts: Sequence[str]) -> list[Row]:
    """24 x 16 heads twice. They are narrow: what is measured is their comparison, not the models' own passes."""
    models = [traceable(module, name) for module, name in _two(_narrow(), _narrow())]
    seconds = _seconds(models, texts)
    found = similarity(*models, texts[:1])
    together = compare(*(model.trace(texts[0]) for model in models))
    start = time.perf_counter()
    picture = views.compare(together, found)
    drawn = time.perf_counter() - start
    return [
        Row("24x16 against 24x16 heads, 50 texts of 32 tokens", seconds, 90, "s"),
        Row("a plane, a matching and a picture of these", drawn, 5, "s"),
        Row("the picture of these", len(picture.payload) / 1e6, 1, "MB"),
    ]


def _narrow() -> PreTrainedModel:
    torch.manual_seed(0)
    size = GPT2Config(n_layer=24, n_head=16, n_embd=256, vocab_size=257, bos_token_id=256, eos_token_id=256)
    module: PreTrainedModel = GPT2Model._from_config(size, attn_implementation="eager").eval().requires_grad_(False)
    return module


def _two(first: PreTrainedModel, second: PreTrainedModel) -> list[tuple[PreTrainedModel, str]]:
    """A model and one whose weights are a little different, as a fine-tune's are."""
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in second.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.01 * float(parameter.std(correction=0)))
    return [(first, "first"), (second, "nudged")]


def _seconds(models: Sequence[Model], texts: Sequence[str]) -> float:
    for model in models:
        model.trace(texts[0])  # what a first run makes ready
    start = time.perf_counter()
    found = similarity(*models, texts)
    seconds = time.perf_counter() - start
    assert found.n_sentences == len(texts)
    return seconds
