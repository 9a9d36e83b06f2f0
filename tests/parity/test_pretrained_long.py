"""Long texts: memory in proportion to the text, previews in bounded memory, exact rows on demand."""

import pytest
import torch
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

from attnviz.core.errors import TooLong
from tests.parity.tiny_models import seeded

SHAPE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
         "vocab_size": 300, "max_position_embeddings": 8192, "pad_token_id": 0}  # fmt: skip
LONG = {
    "bert": SHAPE,
    "gpt2": {"n_embd": 16, "n_layer": 2, "n_head": 2, "vocab_size": 300, "n_positions": 8192, "bos_token_id": 1,
             "eos_token_id": 2},
    "mistral": SHAPE | {"num_key_value_heads": 1, "sliding_window": 100},
}  # fmt: skip
BYTES_A_TOKEN = 2048  # no tensor of a run is larger than this many bytes for each token, whatever the length


class LargestTensor(TorchDispatchMode):
    """The bytes of the largest tensor that any operator makes."""

    def __init__(self) -> None:
        super().__init__()
        self.n_bytes = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        for part in made if isinstance(made, tuple | list) else (made,):
            if isinstance(part, torch.Tensor):
                self.n_bytes = max(self.n_bytes, part.untyped_storage().nbytes())
        return made


@pytest.fixture(scope="module", params=LONG)
def model(request):
    auto = AutoModelForMaskedLM if request.param == "bert" else AutoModelForCausalLM
    return seeded(request.param, LONG[request.param], auto)


@pytest.fixture(scope="module")
def traced(model):
    """A run over 4,096 tokens, and the largest tensor it made."""
    with LargestTensor() as largest:
        trace = model.trace("attention is what each token gives " * 117 + "x")
    return trace, largest.n_bytes


def test_a_run_over_4096_tokens_holds_nothing_quadratic(model, traced):
    trace, largest = traced
    n = len(trace.tokens.source)
    allowed = n * n if model.card.family == "mistral" else 0  # transformers makes its window's mask, a byte a pair

    assert n == 4096 and trace.verified.holds and model.backend.pair_bytes == (allowed > 0)
    assert largest <= max(BYTES_A_TOKEN * n, 1.1 * allowed) + (1 << 26)  # and blocks of logits of 64 MB at most
    assert trace.nbytes < BYTES_A_TOKEN * n
    assert all(record.source.mask.nbytes == 0 for record in trace.records.values())
    assert trace.prediction.ids.shape == (4096, 20) == trace.prediction.probabilities.shape  # made in blocks
    assert len(trace.stream) > 2 and not model.trace("attention", stream=False).stream


def test_a_preview_is_streamed(traced):
    trace, _ = traced
    record = trace[trace.sites[0]]
    with LargestTensor() as largest:
        preview = record.preview(0)

    assert preview.shape == (256, 256) and largest.n_bytes <= 256 * 4096 * 8
    cell = record.weights(0, slice(16 * 200, 16 * 201))[:, 16 * 100 : 16 * 101]  # queries and keys of one cell
    assert_close(preview[200, 100], cell.max(), rtol=0, atol=1e-6)


def test_8192_tokens_are_traced_and_one_more_is_refused_with_both_numbers():
    model = seeded("gpt2", LONG["gpt2"] | {"n_layer": 1}, AutoModelForCausalLM)
    with LargestTensor() as largest:
        trace = model.trace("x" * 8192)

    assert trace.verified.holds and largest.n_bytes <= BYTES_A_TOKEN * 8192 + (1 << 26)
    assert not trace.stream and trace.prediction is not None
    asked = model.trace("x" * 8192, stream=True)
    assert asked.stream["decoder.0.in"].shape == (8192, 16) and torch.equal(asked.prediction.ids, trace.prediction.ids)
    with pytest.raises(TooLong, match=r"8,193 tokens; gpt2 takes at most 8,192\. The first 8,192 characters fit"):
        model.trace("x" * 8193)
