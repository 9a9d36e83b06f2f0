"""Published weights in our Encoder and Decoder, against the library that published models run on."""

import json
from itertools import product
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file

import attnviz as av
from attnviz import catalog
from attnviz.core.errors import InputError, UnsupportedModel, WrongWeights
from attnviz.models import Decoder, from_published
from tests.conftest import SHAPE, TINY
from tests.parity.models_against_torch import assert_same
from tests.parity.test_pretrained_minilm import SENTENCES
from tests.parity.tiny_models import eager_module


def test_our_encoder_with_minilms_weights_is_minilm() -> None:
    folder = catalog.get("minilm-l6")
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


LINEAR = {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e4}
LLAMA_3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
           "original_max_position_embeddings": 64, "rope_theta": 5e5}  # fmt: skip
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32, "rope_theta": 1e4}
HALF = {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}
MODERN: list[tuple[str, dict[str, Any]]] = [
    *((kind, {}) for kind in ("llama", "qwen2", "qwen3", "mistral", "phi3", "gemma2", "gemma3_text", "gpt_neox")),
    *(("llama", {"rope_parameters": table}) for table in (LINEAR, LLAMA_3, YARN)),
    ("llama", {"rope_parameters": YARN | {"mscale": 0.7, "mscale_all_dim": 0.3, "truncate": False}}),
    ("llama", {"num_key_value_heads": 1, "tie_word_embeddings": True}), ("qwen3", {"head_dim": 16}),
    ("qwen2", {"use_sliding_window": True, "sliding_window": 6, "max_window_layers": 1}),
    ("phi3", {"rope_parameters": HALF, "sliding_window": 8}), ("gpt_neox", {"use_parallel_residual": False}),
]  # fmt: skip


def causal(kind: str, changes: dict[str, Any]) -> Any:
    """A tiny causal model of transformers with sharp maps, and with gains and biases that are not 1 and 0."""
    theirs = eager_module(kind, TINY[kind] | changes, transformers.AutoModelForCausalLM, seed=1)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return theirs


@pytest.mark.parametrize(("kind", "changes"), MODERN, ids=str)
def test_a_decoder_of_any_family_since_llama_has_its_weights_its_stream_and_its_logits_here(kind, changes) -> None:
    theirs, ids = causal(kind, changes), torch.randint(3, 256, (2, 24), generator=torch.Generator().manual_seed(0))
    ours = from_published(theirs.state_dict(), theirs.config.to_dict())
    with torch.no_grad(), av.record() as run:
        logits = ours(ids)  # [B, T, V]
    with torch.no_grad():
        expected = theirs(ids, output_attentions=True, output_hidden_states=True, use_cache=False)
    assert_same(logits, expected.logits, 1e-5)
    assert float(torch.stack(expected.attentions).amax(-1).mean()) > 0.2  # near-uniform maps would prove little
    for layer, weights in enumerate(expected.attentions):
        assert_same(run[f"decoder.{layer}.in"], expected.hidden_states[layer], 1e-5)
        assert_same(run[f"decoder.{layer}.self.weights"], weights, 1e-5)


def test_a_config_json_of_before_transformers_5_is_read_too() -> None:
    theirs = causal("llama", {"rope_parameters": LLAMA_3})
    config = theirs.config.to_dict()
    scaling = {name: value for name, value in config.pop("rope_parameters").items() if name != "rope_theta"}
    ids = torch.arange(3, 27)[None]
    ours = from_published(theirs.state_dict(), config | {"rope_theta": 5e5, "rope_scaling": scaling})
    assert_same(ours(ids), theirs(ids).logits, 1e-5)
    pythia = causal("gpt_neox", {})
    config = pythia.config.to_dict()
    del config["rope_parameters"], config["use_parallel_residual"]
    state = {name.replace("lm_head", "embed_out"): tensor for name, tensor in pythia.state_dict().items()}
    ours = from_published(state, config | {"rotary_pct": 0.25, "rotary_emb_base": 10_000})
    assert_same(ours(ids), pythia(ids).logits, 1e-5)


LONG = {"rope_type": "longrope", "rope_theta": 1e4, "short_factor": [1.0] * 4, "long_factor": [2.0] * 4,
        "original_max_position_embeddings": 16}  # fmt: skip


@pytest.mark.parametrize(("kind", "said", "fault", "sentence"), [
    ("phi3", {"rope_parameters": LONG}, UnsupportedModel, "The rotary table 'longrope' is not what our blocks compute"),
    ("llama", {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}}, UnsupportedModel,
     "The rotary table 'dynamic' is not"),
    ("llama", {"rope_parameters": {}}, InputError, "config has rope_theta=None; expected a number"),
    ("gemma3_text", {"use_bidirectional_attention": True}, UnsupportedModel, "use_bidirectional_attention=True is not"),
    ("gemma2", {"layer_types": ["chunked_attention"] * 2}, UnsupportedModel, "layer_types=.* is not what our blocks"),
    ("gemma2", {"layer_types": None}, UnsupportedModel, "layer_types=None is not what our blocks compute"),
    ("mistral", {"sliding_window": "wide"}, InputError, "config has sliding_window='wide'; expected a number"),
    ("llama", {"num_key_value_heads": 4}, WrongWeights, r"self_attention.w_k.weight has shape \[16, 32\]; expected"),
    ("phi3", {"num_key_value_heads": 1}, WrongWeights, "has shape .*; expected"),
])  # fmt: skip
def test_what_our_blocks_do_not_compute_is_refused(kind: str, said: dict[str, Any], fault: Any, sentence: str) -> None:
    theirs = causal(kind, {})
    with pytest.raises(fault, match=sentence):
        from_published(theirs.state_dict(), theirs.config.to_dict() | said)


def test_a_model_whose_head_is_not_its_token_table_needs_its_head() -> None:
    theirs = causal("llama", {})
    with pytest.raises(
        WrongWeights, match=r"There is no 'lm_head' among the 20 weights.*Pass the state dict of the wh"
    ):
        from_published(theirs.model.state_dict(), theirs.config.to_dict())


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
    ("gpt2", "wte.weight", None, InputError, "'transformer.wte.weight' is NoneType; expected a torch tensor"),
    ("gpt2", "ln_f.weight", torch.ones(32).int(), WrongWeights, "is torch.strided of torch.int32"),
    ("bert", "embeddings.word_embeddings.weight", SPARSE, WrongWeights, "weight' is torch.sparse_coo"),
    ("gpt2", "h.0.attn.c_attn.bias", torch.ones(95), WrongWeights, r"\[95\]; expected q, k, v side by side"),
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
    with pytest.raises(
        InputError, match=r"GPT2LMHeadModel was given; expected a state dict.*Pass model.state_dict\(\)"
    ):
        from_published(theirs, config)
    with pytest.raises(InputError, match=r"config is GPT2Config; expected a dict\. Pass what its config\.json"):
        from_published(state, theirs.config)
    del config["n_head"]
    with pytest.raises(InputError, match=r"n_heads=None and epsilon=1e-05; expected both\. Pass its config\.json"):
        from_published(state, config)
