"""A model in memory is traced as it is there, whatever was changed in it, or refused with the reason."""

import copy
import types

import pytest
import torch
from sentence_transformers import SentenceTransformer
from torch import nn
from torch.nn.utils import prune
from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    BertConfig,
    EncoderDecoderConfig,
    EncoderDecoderModel,
    LlamaForCausalLM,
    PreTrainedModel,
)

import attnviz as av
from attnviz import catalog
from attnviz.core.errors import InputError, UnsupportedModel
from tests.conftest import SHAPE, TINY
from tests.parity.tiny_models import byte_tokenizer, eager_module, own_logits

TEXT = "the cat sat on the mat"


@pytest.fixture
def llama() -> LlamaForCausalLM:
    """With four layers, large enough that a slip shows."""
    module = eager_module("llama", TINY["llama"] | {"num_hidden_layers": 4}, AutoModelForCausalLM)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 2:
                parameter.mul_(8)
    return module


def loaded(module):
    return av.load(module, byte_tokenizer())


class Doubled(nn.Linear):
    def forward(self, x):
        return 2 * super().forward(x)


def a_hook_on_an_output_matrix(module):
    module.model.layers[1].self_attn.o_proj.register_forward_hook(lambda part, read, made: made * 3)


def a_hook_on_a_layer_after_states_were_asked_for(module):
    module(torch.tensor([[1, 2]]), output_hidden_states=True)  # transformers puts hooks of its own there
    module.model.layers[1].register_forward_hook(lambda part, read, made: made + 1)


def another_scale(module):
    module.model.layers[2].self_attn.scaling = 2.0


def another_forward(module):
    def forward(self, x):
        return self.down_proj(torch.relu(self.up_proj(x)))

    module.model.layers[0].mlp.forward = types.MethodType(forward, module.model.layers[0].mlp)


def a_subclass_of_linear(module):
    module.model.layers[1].self_attn.q_proj.__class__ = Doubled


def other_angles(module):
    module.model.rotary_emb.inv_freq.mul_(7)


def an_added_bias(module):
    module.model.layers[2].self_attn.k_proj.bias = nn.Parameter(torch.linspace(-9, 9, 16))


CHANGES = (
    a_hook_on_an_output_matrix, a_hook_on_a_layer_after_states_were_asked_for, another_scale, another_forward,
    a_subclass_of_linear, other_angles, an_added_bias,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_in_a_model_is_in_its_trace(llama, change, capfd):
    before = loaded(llama)
    plain = before.trace(TEXT)
    change(llama)
    model = loaded(llama)
    trace = model.trace(TEXT)
    said = capfd.readouterr()
    theirs = llama(torch.tensor([trace.tokens.source.ids]), output_attentions=True, output_hidden_states=True)
    for layer, weights in enumerate(theirs.attentions):
        torch.testing.assert_close(trace[f"decoder.{layer}.self"].weights(), weights[0], rtol=0, atol=1e-5)
    torch.testing.assert_close(trace.stream["decoder.3.in"], theirs.hidden_states[3][0], rtol=0, atol=1e-4)
    assert torch.equal(trace.prediction.ids[:, 0], theirs.logits[0].argmax(-1))
    last = "decoder.3.self"
    assert float((trace[last].weights() - plain[last].weights()).abs().max()) > 0.01, "the change shows"
    assert before.card.revision != model.card.revision and said.out + said.err == ""


@pytest.mark.parametrize(("model_type", "path", "name"), [
    ("bert", "encoder.layer.1.attention.self.query", "w_q"), ("llama", "layers.1.self_attn.o_proj", "w_o"),
    ("gpt2", "h.1.attn.c_proj", "w_o"),
])  # fmt: skip
def test_a_matrix_that_is_not_all_its_module_does_is_not_given(model_type, path, name):
    module = eager_module(model_type, TINY[model_type])
    module.get_submodule(path).register_forward_hook(lambda part, read, made: made * 3)
    first, second = loaded(module).matrices.values()
    assert name in first and name not in second


def test_the_given_model_stays_as_it_was_and_the_copy_does_too(llama):
    llama.set_attn_implementation("sdpa")
    llama.train()
    llama.model.layers[1].eval()
    model = loaded(llama)
    before = model.trace(TEXT)
    assert llama.training and not llama.model.layers[1].training and llama.model.layers[0].mlp.training
    assert llama.config._attn_implementation == "sdpa" and all(it.requires_grad is False for it in llama.parameters())
    with torch.no_grad():
        for parameter in llama.parameters():
            parameter.zero_()
    again = model.trace(TEXT)
    assert torch.equal(before["decoder.3.self"].weights(), again["decoder.3.self"].weights())
    assert torch.equal(before.prediction.probabilities, again.prediction.probabilities)


def test_tables_of_angles_keep_their_precision_in_half_precision(llama):
    half = av.load(llama, byte_tokenizer(), dtype="bfloat16")
    rotary = half.module.rotary_emb
    assert rotary.inv_freq.dtype == torch.float32 and half.module.layers[0].mlp.up_proj.weight.dtype == torch.bfloat16
    assert torch.equal(rotary.inv_freq, llama.model.rotary_emb.inv_freq)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_model_keeps_the_numbers_it_was_given_in(llama, dtype):
    assert loaded(llama.to(dtype)).module.dtype == dtype


def cut(module):
    module.model.layers = module.model.layers[2:]


def doubled(module):
    module.model.layers.extend([copy.deepcopy(layer) for layer in module.model.layers])


def swapped(module):
    layers = list(module.model.layers)
    module.model.layers = nn.ModuleList([layers[1], layers[0], *layers[2:]])


def cut_and_said(module):
    cut(module)
    module.config.num_hidden_layers = 2


def one_twice(module):
    layers = list(module.model.layers)
    module.model.layers = nn.ModuleList([layers[0], layers[0], *layers[2:]])


@pytest.mark.parametrize("change", [cut, doubled, swapped, cut_and_said, one_twice])
def test_moved_layers_are_refused_with_what_to_do(llama, change):
    change(llama)
    with pytest.raises(UnsupportedModel, match=r"cut, doubled or moved after .*num_hidden_layers") as error:
        loaded(llama)
    assert error.value.id == "moved-layers" and "/tmp" not in str(error.value)


def test_a_cut_model_that_was_saved_is_read(llama, tmp_path):
    llama.model.layers = llama.model.layers[:2]
    llama.config.num_hidden_layers = 2
    llama.save_pretrained(tmp_path)
    byte_tokenizer().save_pretrained(tmp_path)
    model = av.load(tmp_path)
    trace = model.trace(TEXT)
    assert model.card.n_layers == 2 and len(trace.sites) == 2
    assert torch.equal(trace.prediction.ids[:, 0], own_logits(llama, trace).argmax(-1))


def a_forward_that_holds_the_old_one(module):
    mlp = module.model.layers[1].mlp
    old = mlp.forward
    mlp.forward = lambda x: 2 * old(x)


def a_hook_on_what_a_layer_reads(module):
    module.model.layers[1].register_forward_pre_hook(lambda part, read: (read[0] + 1, *read[1:]))


def an_open_file_on_a_layer(module):
    module.model.layers[1].log = open(__file__)  # noqa: SIM115


def weights_on_the_disk(module):
    module.model.layers[1].to("meta")


def a_hook_that_knows_its_module(module):
    own = module.model.layers[1].mlp
    own.register_forward_hook(lambda part, read, made: 2 * made if part is own else made)


@pytest.mark.parametrize(("change", "id", "says"), [
    (a_forward_that_holds_the_old_one, "shared-with-given", r"holds on to the model itself \(model\.layers\.1\.mlp"),
    (a_hook_on_what_a_layer_reads, "changed-inputs", "a hook changes what a layer reads"),
    (an_open_file_on_a_layer, "cannot-copy", "cannot be copied as it is in memory: cannot pickle"),
    (weights_on_the_disk, "cannot-copy", "cannot be copied as it is in memory: some of its weights lie on the disk"),
    (a_hook_that_knows_its_module, "other-model", "computes other numbers than the model itself"),
])  # fmt: skip
def test_what_no_copy_can_be_true_to_is_refused(llama, change, id, says):
    change(llama)
    with pytest.raises(UnsupportedModel, match=says) as error:
        loaded(llama)
    assert error.value.id == id


class Special(LlamaForCausalLM):
    def __init__(self, config, more=0):
        super().__init__(config)


def test_a_class_of_a_persons_own_is_read_where_it_can_be_built(llama):
    llama.__class__ = Special
    assert loaded(llama).card.name == "Special"

    class Odd(PreTrainedModel):
        config_class = type(llama.config)

        def __init__(self, config, inner):
            super().__init__(config)
            self.inner = inner

    with pytest.raises(UnsupportedModel, match=r"class Odd cannot be built from its configuration alone") as error:
        loaded(Odd(llama.config, llama))
    assert error.value.id == "not-built"


def test_a_hook_that_only_looks_is_no_reason_to_refuse(llama):
    seen = []
    llama.model.layers[1].register_forward_pre_hook(lambda part, read: seen.append(read[0].shape))
    assert loaded(llama).trace(TEXT).verified.holds and seen


def test_a_pair_of_two_models_is_refused_with_the_true_reason(tmp_path):
    halves = BertConfig(**SHAPE), BertConfig(**SHAPE, is_decoder=True, add_cross_attention=True)
    pair = EncoderDecoderModel(EncoderDecoderConfig.from_encoder_decoder_configs(*halves))
    pair.save_pretrained(tmp_path / "pair")
    byte_tokenizer().save_pretrained(tmp_path / "pair")
    for given, tokenizer in ((pair, byte_tokenizer()), (tmp_path / "pair", None)):
        with pytest.raises(UnsupportedModel, match=r"put together from two models \(bert and bert\)") as error:
            av.load(given, tokenizer)
        assert error.value.id == "two-models"


def test_a_sentence_transformer_is_the_model_inside_it(minilm):
    theirs = SentenceTransformer(str(catalog.get("minilm-l6")))
    trace = av.load(theirs, theirs.tokenizer).trace(TEXT)
    assert torch.equal(trace["encoder.5.self"].weights(), minilm.trace(TEXT)["encoder.5.self"].weights())


def test_what_is_no_model_of_transformers_and_what_is_to_be_spread_is_said(llama):
    class Saves:
        def save_pretrained(self, folder):
            raise AssertionError("never called")

    with pytest.raises(InputError, match=r"Expected a model of transformers, or one of PEFT.*came Saves") as error:
        av.load(Saves(), byte_tokenizer())
    assert error.value.id == "no-transformers-model"
    with pytest.raises(InputError, match="is in memory already, so it is not spread") as error:
        av.load(llama, byte_tokenizer(), device="spread")
    assert error.value.id == "spread-in-memory"
    with pytest.raises(InputError, match=r"tokenizer too: av.load\(model, tokenizer\)"):
        av.load(AutoModel.from_config(llama.config))


def test_the_tokenizer_of_a_loaded_model_is_one_for_another_copy_of_it(llama):
    first = loaded(llama)
    again = av.load(llama, first.tokenizer)
    assert torch.equal(again.trace(TEXT).logits(), first.trace(TEXT).logits())


def test_a_layer_that_was_doubled_by_a_deep_copy_and_renumbered_has_its_attention(llama):
    layers = llama.model.layers
    layers.append(copy.deepcopy(layers[1]))  # with a configuration of its own, which says how it attends
    layers[4].self_attn.layer_idx = 4
    llama.config.num_hidden_layers = 5
    model = loaded(llama)
    trace = model.trace(TEXT)
    assert model.card.layers_without_attention == () and len(trace.records) == 5
    llama.set_attn_implementation("eager")
    layers[4].self_attn.config = llama.config
    theirs = llama(torch.tensor([trace.tokens.source.ids]), output_attentions=True).attentions
    torch.testing.assert_close(trace["decoder.4.self"].weights(), theirs[4][0], rtol=0, atol=1e-5)


class Nothing(nn.Module):
    def forward(self, hidden_states, **others):
        return torch.zeros_like(hidden_states), None


def test_an_attention_that_was_taken_out_is_refused_by_a_sentence(llama):
    llama.model.layers[1].self_attn = Nothing()
    with pytest.raises(UnsupportedModel, match="o_proj"):
        loaded(llama)


def test_a_pruned_part_is_named_with_what_makes_it_permanent(llama):
    part = llama.requires_grad_(True).model.layers[1].self_attn.q_proj
    prune.l1_unstructured(part, "weight", amount=0.3)
    with pytest.raises(UnsupportedModel, match=r"layers\.1\.self_attn\.q_proj is pruned, which prune\.remove makes"):
        loaded(llama)
    prune.remove(part, "weight")
    assert loaded(llama).trace(TEXT).verified.holds
