"""The bundled MiniLM against transformers' own eager run, and against the formula written out here once more."""

import pytest
import torch
from torch.testing import assert_close
from transformers import AutoModel

from attnviz import catalog
from attnviz.core.errors import InputError
from attnviz.pretrained.tokens.batch import Padded, batch_of
from attnviz.trace.model_protocol import Model
from tests.parity.tiny_models import forward

EAGER_TOLERANCE = 5e-6  # the drift of the fused forward pass, layer by layer
FORMULA_TOLERANCE = 2e-6  # same q and k in another order of operations: float32 rounds scores near 16 at 1e-6
LAYERS = 6

PARAGRAPH = (
    "Attention lets every token look at every other token of the sentence and take from each as much as the two "
    "of them fit, which is measured by the product of a query and a key. The river bank was steep, and the bank on "
    "the corner was closed; nobody noticed the difference until the teacher, who had waited for this question all "
    "morning, wrote both sentences on the board. "
)
SENTENCES = (
    "Yes.",
    "The cat sat on the mat because it was tired.",
    "我喜歡貓,因為牠們很安靜。",
    "no no no no no no no no no no no no no no no no",
    PARAGRAPH,
    PARAGRAPH * 3,
)


@pytest.fixture(scope="module")
def eager():
    """transformers' own module, on its own weights, with eager attention: nothing of ours is in it."""
    folder = catalog.get("minilm-l6")
    return AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()


def eager_weights(eager, ids: torch.Tensor, padding: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        attentions = eager(input_ids=ids, attention_mask=padding, output_attentions=True).attentions
    return torch.stack(attentions)  # [L, B, H, T, T]


def all_weights(trace) -> torch.Tensor:
    return torch.stack([trace[site].weights() for site in trace.sites])  # [L, H, T, T]


@pytest.mark.parametrize("sentence", SENTENCES, ids=range(len(SENTENCES)))
def test_replayed_weights_are_eagers_and_the_formula_on_the_same_q_and_k(minilm, eager, sentence):
    trace = minilm.trace(sentence)
    n_tokens = len(trace.tokens.source)
    theirs = eager_weights(eager, *batch_of([trace.tokens.source], 0)[:2])[:, 0]  # [L, H, T, T]

    assert_close(all_weights(trace), theirs, rtol=0, atol=EAGER_TOLERANCE)
    for site in trace.sites:
        source = trace[site].replay
        scores = torch.einsum("hqd,hkd->hqk", source.q, source.k) / source.q.shape[-1] ** 0.5  # [H, T_q, T_k]
        powers = torch.exp(scores - scores.amax(-1, keepdim=True))  # [H, T_q, T_k]
        assert_close(trace[site].weights(), powers / powers.sum(-1, keepdim=True), rtol=0, atol=FORMULA_TOLERANCE)
    assert trace.verified.holds and trace.verified.difference < 2e-6
    assert trace.verified.rows == LAYERS * min(8, n_tokens)


def test_a_padded_batch_gives_each_sentence_eagers_weights_and_what_it_gives_alone(minilm, eager):
    chosen = SENTENCES[:5]
    traces = minilm.traces(chosen)
    theirs = eager_weights(eager, *batch_of([trace.tokens.source for trace in traces], 0)[:2])  # [L, B, H, T, T]

    for index, (trace, text) in enumerate(zip(traces, chosen, strict=True)):
        single, n = minilm.trace(text), len(trace.tokens.source)
        assert trace.tokens == single.tokens and trace.sites == single.sites
        assert all(record.replay.mask.is_open for record in trace.records.values())
        assert_close(all_weights(trace), theirs[:, index, :, :n, :n], rtol=0, atol=EAGER_TOLERANCE)
        assert_close(trace.stream, single.stream, rtol=0, atol=5e-5)  # its values reach 10
    assert traces[0].nbytes < 2 * minilm.trace(SENTENCES[0]).nbytes  # a trace does not keep its batch alive
    assert minilm.traces([]) == ()


def test_the_card_says_what_was_loaded_and_what_the_probe_saw(minilm):
    card = minilm.card

    assert isinstance(minilm, Model)
    assert (card.id, card.family, card.n_layers, card.n_heads, card.d_model) == ("minilm-l6", "bert", 6, 12, 384)
    assert (card.parameters, card.max_tokens, card.licence) == (22_713_216, 512, "Apache-2.0")
    assert card.probe_difference is not None and 0 < card.probe_difference < EAGER_TOLERANCE
    assert minilm.lm_head is None and minilm.trace("no head").prediction is None


def test_the_residual_stream_is_transformers_own(minilm, eager):
    trace = minilm.trace(SENTENCES[1])
    ids, padding, _ = batch_of([trace.tokens.source], 0)
    with torch.no_grad():
        hidden = eager(input_ids=ids, attention_mask=padding, output_hidden_states=True).hidden_states

    assert_close(trace.stream["encoder.embed"], hidden[0][0], rtol=0, atol=1e-6)
    for layer in range(LAYERS):
        assert_close(trace.stream[f"encoder.{layer}.in"], hidden[layer][0], rtol=0, atol=2e-5)
        assert_close(trace.stream[f"encoder.{layer}.out"], hidden[layer + 1][0], rtol=0, atol=2e-5)


def test_the_output_is_bit_for_bit_that_of_transformers_own_fused_kernel(minilm):
    plain = AutoModel.from_pretrained(
        catalog.get("minilm-l6"), attn_implementation="sdpa", local_files_only=True
    ).eval()
    ids, padding, _ = batch_of([minilm.tokenizer.tokens(text) for text in SENTENCES[:4]], 0)
    with torch.inference_mode():
        theirs = plain(input_ids=ids, attention_mask=padding).last_hidden_state  # [B, T, D]

    assert torch.equal(forward(minilm, Padded(ids, padding)).stream[f"encoder.{LAYERS - 1}.out"], theirs)


def test_a_target_text_is_refused(minilm):
    with pytest.raises(InputError, match="takes no target text", check=lambda error: error.id == "no-target"):
        minilm.trace("A cat.", target="Un chat.")
