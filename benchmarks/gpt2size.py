"""A seeded model of GPT-2's size in three dresses: transformers' fused kernel, its eager one, and ours."""

from functools import cache
from typing import Any

import torch
from attnviz_app.serving.malloc_settings import keep_freed_memory
from transformers import GPT2Config, GPT2Model

from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.build import build
from attnviz.pretrained.model import PretrainedModel
from tests.parity.tiny_models import byte_tokenizer

POSITIONS = 8192
BYTES_A_TOKEN = 3 * 12 * 768 * 4  # q, k and v of all layers
TEXT = "Attention lets every token look at every other token, and take from each as much as the two of them fit. "


def config() -> GPT2Config:
    """12 layers of 12 heads, 768 wide, as GPT-2 small; more positions, and a small vocabulary that no row measures."""
    return GPT2Config(n_positions=POSITIONS, vocab_size=257, bos_token_id=256, eos_token_id=256)


@cache
def weights() -> dict[str, torch.Tensor]:
    """The numbers that every dress holds. It is the same memory: where weights came to lie makes products some
    hundredths faster or slower."""
    torch.manual_seed(0)
    return GPT2Model._from_config(config(), attn_implementation="eager").state_dict()


def plain(implementation: str) -> Any:
    module = GPT2Model._from_config(config(), attn_implementation=implementation)
    module.load_state_dict(weights(), assign=True)
    return module.eval().requires_grad_(False)


def ours(device: torch.device | None = None) -> PretrainedModel:
    """The same weights as a model that can be traced, in a process that keeps freed memory as the dashboard's does."""
    keep_freed_memory()
    return traceable(plain("eager").to(device or "cpu"), "gpt2-size")


def traceable(module: Any, name: str, tokenizer: Any = None) -> PretrainedModel:
    """A module as a model that reads bytes, unless it has a tokenizer of its own."""
    return build(module, tokenizer or byte_tokenizer(), Origin(name, name))


def text_of(n_tokens: int) -> str:
    """A text of so many tokens: every byte is one."""
    return (TEXT * (n_tokens // len(TEXT) + 1))[:n_tokens]


def ids_of(n_tokens: int, model: PretrainedModel) -> torch.Tensor:
    return torch.tensor([model.tokenizer.tokens(text_of(n_tokens)).ids])
