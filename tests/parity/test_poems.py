"""The shipped poets are ordinary language models: transformers' Llama with the same weights says the same."""

import re

import pytest
import torch
from torch.testing import assert_close
from transformers import LlamaConfig, LlamaForCausalLM

import attnviz as av
from attnviz.analysis.heads.survey_cache import shipped_survey
from attnviz.training import TrainedModel
from attnviz.training.bundled_models import load_bundled
from attnviz.training.head_scores import best_head, even_shares, head_scores
from attnviz.training.tasks.task import Example
from attnviz.training.trained_model import MEASURED_ANSWERS

POEM = "床前明月光，疑是地上霜。举头望明月，低头思故"
LLAMA = {
    r"embed\.tokens": "model.embed_tokens",
    r"final_norm": "model.norm",
    r"to_vocabulary": "lm_head",
    r"blocks\.(\d+)\.self_attention\.w_(\w)": r"model.layers.\1.self_attn.\2_proj",
    r"blocks\.(\d+)\.self_residual\.norm": r"model.layers.\1.input_layernorm",
    r"blocks\.(\d+)\.feed_forward_residual\.norm": r"model.layers.\1.post_attention_layernorm",
    r"blocks\.(\d+)\.feed_forward\.w_1": r"model.layers.\1.mlp.up_proj",
    r"blocks\.(\d+)\.feed_forward\.w_2": r"model.layers.\1.mlp.down_proj",
    r"blocks\.(\d+)\.feed_forward\.w_gate": r"model.layers.\1.mlp.gate_proj",
}


def llama_of(model: TrainedModel) -> LlamaForCausalLM:
    shape = model.plan.shape
    llama = LlamaForCausalLM(LlamaConfig(
        vocab_size=len(model.task.target.entries), hidden_size=shape.d_model, intermediate_size=shape.d_ff,
        num_hidden_layers=shape.n_layers, num_attention_heads=shape.n_heads, num_key_value_heads=shape.n_heads,
        rms_norm_eps=1e-5, tie_word_embeddings=True, attn_implementation="eager",
    )).eval()  # fmt: skip
    weights = {}
    for name, part in model.network.state_dict().items():
        for ours, theirs in LLAMA.items():
            name = re.sub(rf"^{ours}(?=\.weight$)", theirs, name)
        weights[name] = part
    llama.load_state_dict(weights, strict=True)
    return llama


@pytest.mark.parametrize("name", ["poems-zh", "poems-zh-tw"])
def test_a_llama_with_the_same_weights_predicts_and_attends_alike(name: str) -> None:
    model = av.load(name)
    assert isinstance(model, TrainedModel)
    trace = model.trace(POEM)
    ids = torch.tensor([trace.tokens.source.ids])  # [1, T]
    with torch.inference_mode():
        expected = llama_of(model)(ids, output_attentions=True)
        logits = model.network(ids)  # [1, T, V]
    torch.testing.assert_close(logits, expected.logits, rtol=0, atol=1e-4)
    for layer, weights in enumerate(expected.attentions):
        for head in range(model.plan.shape.n_heads):
            found = trace[f"decoder.{layer}.self"].weights(head)
            torch.testing.assert_close(found, weights[0, head], rtol=0, atol=1e-5)


def test_heads_have_the_shares_of_the_known_answers_that_training_measures_and_their_baselines() -> None:
    model = load_bundled("poems-zh-tw")
    found = shipped_survey(model)
    assert found is not None and len(found.sentences) == 200
    poems = [Example(tuple(text)) for text in found.sentences]
    for answer, metric in MEASURED_ANSWERS.items():
        each = [head_scores(model.network, model.task, [poem])[answer] for poem in poems[:20]]
        here = av.head_metrics([model.trace("".join(poem.source)) for poem in poems[:20]])
        for site in each[0]:
            rows = here[here["site"] == site.key]
            expected = torch.stack([one[site] for one in each]).double().mean(0)
            assert_close(torch.tensor(rows[metric].to_numpy()), expected, rtol=0, atol=1e-5)
        even = [even_shares(model.task, [poem])[answer] for poem in poems]
        assert found.heads[f"{metric}_even"].to_numpy() == pytest.approx(sum(even) / len(even), abs=1e-6)
    whole = head_scores(model.network, model.task, poems)["poem-rhyme"]
    best, share = best_head(whole)
    (row,) = found.heads[(found.heads["site"] == best.site.key) & (found.heads["head"] == best.head)].to_dict("records")
    assert row["kind_of_head"] == "rhyme" and row["rhyme"] == pytest.approx(share, abs=0.05)  # that is over rows
