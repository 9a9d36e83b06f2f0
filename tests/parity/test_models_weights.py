"""Published weights in our Encoder and Decoder, against the library that published models run on."""

import json
from itertools import product
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file

import attnviz as av
from attnviz.core.errors import InputError, UnsupportedModel, WrongWeights
from attnviz.models import Decoder, from_published
from attnviz.pretrained.known_models import BY_NAME
from attnviz.pretrained.loading.load import bundled_folder
from tests.conftest import SHAPE
from tests.parity.test_pretrained_minilm import SENTENCES
from tests.parity.tiny_models import eager_module


def test_our_encoder_with_minilms_weights_is_minilm() -> None:
    folder = bundled_folder(BY_NAME["minilm-l6"])
    batch = transformers.AutoTokenizer.from_pretrained(folder)(list(SENTENCES), return_tensors="pt", padding=True)
    is_token = batch["attention_mask"].bool()  # [B, T]
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    ours = from_published(load_file(folder / "model.safetensors"), config)
    theirs = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad(), av.record() as run:
        out = ours(batch["input_ids"], is_token=is_token)
    with torch.no_grad():
        expected = theirs(**batch, output_attentions=True, output_hidden_states=True)
    states = [*(run[f"encoder.{layer}.in"] for layer in range(6)), out]
    for own, state in zip(states, expected.hidden_states, strict=True):
        torch.testing.assert_close(own[is_token], state[is_token], rtol=0, atol=1e-4)
    for layer, weights in enumerate(expected.attentions):  # [B, H, T, T]
        own = run[f"encoder.{layer}.self.weights"]
        torch.testing.assert_close(*(it.transpose(1, 2)[is_token] for it in (own, weights)), rtol=0, atol=1e-5)


def published(kind: str = "GPT2LMHeadModel", **changes: object) -> Any:
    """A tiny model of transformers with sharp maps, and with biases that are not 0."""
    torch.manual_seed(0)
    config = getattr(transformers, kind).config_class(
        hidden_size=32, embedding_size=32, num_attention_heads=4, num_hidden_layers=3, intermediate_size=48,
        vocab_size=60, max_position_embeddings=30, layer_norm_eps=1e-5, pad_token_id=1, **changes,
    )  # fmt: skip
    model = getattr(transformers, kind)(config).eval()
    model.set_attn_implementation("eager")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


KINDS = (
    "BertModel", "BertForMaskedLM", "ElectraForPreTraining", "ElectraForMaskedLM", "RobertaModel",
    "RobertaForMaskedLM", "XLMRobertaModel", "GPT2Model", "GPT2ForSequenceClassification", "GPT2ForTokenClassification",
    "GPT2ForQuestionAnswering",
)  # fmt: skip


@pytest.mark.parametrize(("kind", "is_tied"), [*product(KINDS, [True]), *product(["GPT2LMHeadModel"], [True, False])])
def test_a_model_with_any_head_has_its_weights_its_stream_and_its_logits_here(kind: str, is_tied: bool) -> None:
    theirs = published(kind, tie_word_embeddings=is_tied)
    ours, ids = from_published(theirs.state_dict(), theirs.config.to_dict()), torch.randint(2, 60, (2, 11))
    with torch.no_grad(), av.record() as run:
        out = ours(ids)
    with torch.no_grad():
        expected = theirs.base_model(ids, output_attentions=True, output_hidden_states=True)
    stack, last = "encoder", expected.last_hidden_state  # [B, T, D]
    if isinstance(ours, Decoder):
        table = getattr(theirs, "lm_head", theirs.base_model.wte).weight  # [V, D]
        stack, last = "decoder", last @ table.T  # [B, T, V]
    torch.testing.assert_close(out, last, rtol=0, atol=1e-4)
    for layer, weights in enumerate(expected.attentions):
        torch.testing.assert_close(run[f"{stack}.{layer}.in"], expected.hidden_states[layer], rtol=0, atol=1e-4)
        torch.testing.assert_close(run[f"{stack}.{layer}.self.weights"], weights, rtol=0, atol=1e-5)
    assert ours.config.max_tokens == (28 if theirs.config.model_type.endswith("roberta") else 30)


def test_weights_of_another_family_than_the_config_says_are_refused() -> None:
    state = {f"roberta.{name}": tensor for name, tensor in eager_module("roberta", SHAPE).state_dict().items()}
    with pytest.raises(WrongWeights, match=r"no 'embeddings.word_embeddings.weight' among.*config.json is its own"):
        from_published(state, eager_module("bert", SHAPE).config.to_dict())


def test_weights_are_shared_in_their_precision_and_a_copy_of_them_can_be_trained() -> None:
    theirs = published().double()
    ours = from_published(dict(theirs.named_parameters()), theirs.config.to_dict())
    logits = ours(torch.tensor([[1, 2, 3]]))  # [B, T, V]
    assert logits.dtype == torch.float64 and not ours.training
    assert ours.embed.tokens.weight.data_ptr() == theirs.transformer.wte.weight.data_ptr()
    assert not any(it.requires_grad for it in ours.parameters()) and all(it.requires_grad for it in theirs.parameters())
    own = Decoder(ours.config).double()
    own.load_state_dict(ours.state_dict())
    torch.testing.assert_close(own(torch.tensor([[1, 2, 3]])), logits, rtol=0, atol=1e-12)
    assert own.to_vocabulary.weight is own.embed.tokens.weight and all(it.requires_grad for it in own.parameters())
    assert own.embed.tokens.weight.data_ptr() != ours.embed.tokens.weight.data_ptr()


LEFT_OUT = object()
SPARSE = torch.ones(300, 32).to_sparse()


@pytest.mark.parametrize(("family", "name", "came", "kind", "sentence"), [
    ("gpt2", "wte.weight", torch.ones(80), WrongWeights, r"has shape \[80\]; expected two axes"),
    ("gpt2", "wte.weight", None, InputError, "'transformer.wte.weight' came as NoneType; expected a torch tensor"),
    ("gpt2", "ln_f.weight", torch.ones(32).int(), WrongWeights, "came as torch.strided of torch.int32"),
    ("bert", "embeddings.word_embeddings.weight", SPARSE, WrongWeights, "weight' came as torch.sparse_coo"),
    ("gpt2", "h.0.attn.c_attn.bias", torch.ones(95), WrongWeights, r"\[95\]; expected query, key and value"),
    ("bert", "encoder.layer.1.attention.output.dense.weight", LEFT_OUT, WrongWeights,
     r"no 'encoder.layer.1.attention.output.dense.weight' among"),
    ("gpt2", "h.2.ln_1.weight", torch.ones(31), WrongWeights,
     r"blocks.2.self_residual.norm.weight has shape \[31\]; expected \[32\]"),
    ("gpt2", "h.0.crossattention.c_attn.weight", torch.ones(2), UnsupportedModel,
     r"1 weights have no place in this architecture: h.0.crossattention.c_attn"),
    ("bert", "bert.embeddings.LayerNorm.weight", torch.ones(32), WrongWeights, "there with and without 'bert.'"),
])  # fmt: skip
def test_a_weight_that_does_not_fit_is_named(family: str, name: str, came: Any, kind: Any, sentence: str) -> None:
    theirs = published() if family == "gpt2" else eager_module("bert", SHAPE)
    state = dict(theirs.state_dict())
    name = f"transformer.{name}" if family == "gpt2" else name
    state[name] = came
    if came is LEFT_OUT:
        del state[name]
    with pytest.raises(kind, match=sentence):
        from_published(state, theirs.config.to_dict())


def test_a_model_is_no_state_dict_and_a_config_is_a_dict_with_all_that_no_shape_tells() -> None:
    theirs = published()
    state, config = theirs.state_dict(), theirs.config.to_dict()
    with pytest.raises(InputError, match=r"GPT2LMHeadModel came; expected a state dict.*Pass model.state_dict\(\)"):
        from_published(theirs, config)
    with pytest.raises(InputError, match=r"config came as GPT2Config; expected a dict\. Pass what its config\.json"):
        from_published(state, theirs.config)
    del config["n_head"]
    with pytest.raises(InputError, match=r"n_heads=None and epsilon=1e-05; expected both\. Pass its config\.json"):
        from_published(state, config)
