"""Heads of other tasks: their probabilities are those that transformers' own model gives for the same tokens."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModelForMaskedLM,
    AutoModelForMultipleChoice,
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
)

import attnviz as av
from attnviz.analysis.heads.effect import effect
from attnviz.core.errors import AttnvizError
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.edits import HeadEdit
from tests.conftest import TINY
from tests.parity.tiny_models import byte_tokenizer, eager_module, saved

TEXT = "the cat sat on the mat"
NAMES = {0: "negative", 1: "so-so", 2: "<script>alert(1)</script>\u202e\n"}
AUTO = {"classes": AutoModelForSequenceClassification, "labels": AutoModelForTokenClassification,
        "span": AutoModelForQuestionAnswering}  # fmt: skip


def tiny(model_type: str, of: str, **more):
    sizes = TINY[model_type] | ({} if of == "span" else {"id2label": NAMES}) | more
    module = eager_module(model_type, sizes, AUTO[of], seed=5)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 2:
                parameter.mul_(5)
    return module


def theirs(module, trace) -> torch.Tensor:
    """transformers' own logits of the tokens of a trace: [R, n]."""
    made = module(input_ids=torch.tensor([trace.tokens.source.ids]))
    of = trace.prediction.of
    if of == "span":
        return torch.cat([made.start_logits, made.end_logits])
    return made.logits if of == "classes" else made.logits[0]


def check(trace, logits: torch.Tensor, *, is_any: bool = False) -> None:
    found = trace.prediction
    shares = logits.sigmoid() if is_any else logits.softmax(-1)
    torch.testing.assert_close(found.probabilities, shares.gather(-1, found.ids), rtol=0, atol=1e-5)
    assert found.ids.shape == logits.shape and bool((found.probabilities.diff(dim=-1) <= 0).all())
    assert found.is_any == is_any and trace.predicted_tokens is None


@pytest.mark.parametrize(("model_type", "of"), [
    *((model_type, "classes") for model_type in (
        "bert", "roberta", "electra", "distilbert", "albert", "modernbert", "mpnet", "deberta-v2", "gpt2", "llama",
        "qwen2", "gpt_neox", "bloom", "opt")),
    *((model_type, "labels") for model_type in ("bert", "distilbert", "roberta", "gpt2", "llama")),
    *((model_type, "span") for model_type in ("bert", "distilbert", "albert", "roberta", "gpt2")),
])  # fmt: skip
def test_a_tasks_head_gives_the_probabilities_of_transformers_own(model_type, of, tmp_path):
    module = tiny(model_type, of)
    model = av.load(saved(module, tmp_path))
    trace = model.trace(TEXT)
    assert trace.prediction is not None, trace.predicts
    assert trace.prediction.of == of and model.card.left_out == "" and trace.verified.holds
    check(trace, theirs(module, trace))
    rows = {"classes": 1, "labels": len(trace.tokens.source), "span": 2}
    assert len(trace.prediction.texts) == rows[of]
    names = {text for row in trace.prediction.texts for text in row}
    shown = set(trace.tokens.source.text) if of == "span" else {"negative", "so-so", "<script>alert(1)</script>\u202e␊"}
    assert names == shown or (of != "span" and "negative" in names and not any("\n" in name for name in names))


def test_a_text_of_a_batch_has_its_own_classes_and_so_has_a_model_in_memory():
    module = tiny("llama", "classes", pad_token_id=0)
    model = av.load(module, byte_tokenizer())
    long, short = model.traces([TEXT, "a dog"])
    for trace in (long, short):
        check(trace, theirs(module, trace))
    assert not torch.equal(long.prediction.probabilities, short.prediction.probabilities)


def test_of_several_classes_at_once_each_has_a_probability_of_its_own(tmp_path):
    module = tiny("bert", "classes", problem_type="multi_label_classification")
    trace = av.load(saved(module, tmp_path)).trace(TEXT)
    check(trace, theirs(module, trace), is_any=True)


@pytest.mark.parametrize(("auto", "model_type", "sizes"), [
    (AutoModelForSequenceClassification, "bert", {"problem_type": "regression"}),
    (AutoModelForSequenceClassification, "bert", {"num_labels": 1}),
    (AutoModelForMultipleChoice, "bert", {}),
    (AutoModelForSequenceClassification, "bart", {"eos_token_id": 2}),
    (AutoModelForSequenceClassification, "t5", {"eos_token_id": 1}),
])  # fmt: skip
def test_a_head_that_gives_no_classes_of_what_was_read_is_left_out_by_name(auto, model_type, sizes, tmp_path):
    module = eager_module(model_type, TINY[model_type] | sizes, auto)
    for model in (av.load(saved(module, tmp_path)), av.load(module, byte_tokenizer())):
        trace = model.trace(TEXT, "the" if model_type in ("bart", "t5") else None)
        assert trace.prediction is None and model.card.left_out == type(module).__name__


def test_a_pooler_that_is_missing_is_not_made_up_for_classes(tmp_path):
    folder = Path(saved(tiny("bert", "classes"), tmp_path))
    tensors = load_file(folder / "model.safetensors")
    kept = {name: it for name, it in tensors.items() if "pooler" not in name}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    assert av.load(folder).trace(TEXT).prediction is None


@pytest.mark.parametrize("of", ["classes", "labels", "span"])
def test_a_prediction_is_saved_and_loaded_with_what_it_is_of(of, tmp_path):
    trace = av.load(tiny("bert", of), byte_tokenizer()).trace(TEXT)
    trace.save(tmp_path / "trace.safetensors")
    again = av.Trace.load(tmp_path / "trace.safetensors").prediction
    assert torch.equal(again.ids, trace.prediction.ids) and again.texts == trace.prediction.texts
    assert (again.of, again.is_any) == (of, False)


def test_silencing_a_head_is_measured_by_the_class():
    module = tiny("bert", "classes")
    model = av.load(module, byte_tokenizer())
    trace = model.trace(TEXT)
    found = effect(model, trace, HeadEdit("encoder.1.self", 2, "silence"))
    assert (found.measure, found.position) == ("probability", 0) and found.token == trace.prediction.texts[0][0]
    hook = module.bert.encoder.layer[1].attention.output.dense.register_forward_pre_hook(
        lambda part, read: (read[0].clone().index_fill_(-1, torch.arange(16, 24), 0.0),)
    )
    own = theirs(module, trace).softmax(-1)[0, trace.prediction.ids[0, 0]]
    hook.remove()
    assert found.chosen.after == pytest.approx(float(own), abs=1e-5)


def test_the_parts_of_a_class_are_those_of_own_hooks():
    """GPT-2's head reads the last token by a product alone; the last norm keeps its scale."""
    module = tiny("gpt2", "classes", pad_token_id=0)
    trace = av.load(module, byte_tokenizer()).trace(TEXT)
    read: dict[str, torch.Tensor] = {}
    block = module.transformer.h[1].attn.c_proj
    hooks = [
        block.register_forward_pre_hook(lambda part, given: read.__setitem__("heads", given[0][0, -1].double())),
        module.transformer.ln_f.register_forward_pre_hook(lambda part, given: read.__setitem__("x", given[0][0, -1])),
    ]
    logits = theirs(module, trace)[0]
    for hook in hooks:
        hook.remove()
    found = av.wrote(trace, None, "so-so", against="negative")
    assert found.position == len(trace.tokens.source) - 1 and (found.text, found.against_text) == ("so-so", "negative")
    assert found.logit == pytest.approx(float(logits[1] - logits[0]), abs=1e-5)
    assert float(found.parts.sum()) == pytest.approx(found.logit, abs=1e-4)
    norm, classes = module.transformer.ln_f, module.score.weight.double()
    direction = (
        (classes[1] - classes[0]) * norm.weight.double() / (read["x"].double().var(unbiased=False) + norm.eps).sqrt()
    )
    wide = block.weight.double().view(trace["decoder.1.self"].n_heads, -1, block.weight.shape[1])  # [H, d_v, d_model]
    written = torch.einsum("hv,hvd->hd", read["heads"].view(len(wide), -1), wide)  # [H, d_model]
    expected = (written - written.mean(-1, keepdim=True)) @ direction
    parts = {
        it.head: part
        for it, part in zip(found.writers, found.parts.tolist(), strict=True)
        if it.site == "decoder.1.self"
    }
    assert [parts[head] for head in sorted(parts)] == pytest.approx(expected.tolist(), abs=1e-5)


@pytest.mark.parametrize("model_type", ["bert", "roberta", "gpt2", "llama"])
def test_the_parts_of_a_label_and_of_the_start_of_a_span_sum_to_transformers_own_logit(model_type):
    for of, name in (("labels", "so-so"), ("span", "end")):
        if (model_type, of) == ("llama", "span"):
            continue
        module = tiny(model_type, of)
        trace = av.load(module, byte_tokenizer()).trace(TEXT)
        logits = theirs(module, trace)
        found = av.wrote(trace, 3, name)
        assert found.logit == pytest.approx(float(logits[3, 1] if of == "labels" else logits[1, 3]), abs=1e-5)
        assert float(found.parts.sum()) == pytest.approx(found.logit, abs=1e-4) and found.position == 3


def test_a_class_behind_an_activation_is_refused_and_so_is_one_that_is_not_there():
    trace = av.load(tiny("bert", "classes"), byte_tokenizer()).trace(TEXT)
    with pytest.raises(AttnvizError, match="sum"):
        av.wrote(trace, None, "negative")
    trace = av.load(tiny("llama", "classes", pad_token_id=0), byte_tokenizer()).trace(TEXT)
    with pytest.raises(
        AttnvizError, match=r"'a' is no class of this model\. Expected a number from 0, or one of 'negative'"
    ):
        av.wrote(trace, None, "a")
    with pytest.raises(AttnvizError, match=r"a class is of the whole text\. Expected None"):
        av.wrote(trace, 0, "negative")
    with pytest.raises(AttnvizError, match="Both are 'negative'"):
        av.wrote(trace, None, "negative", against=0)
    with pytest.raises(AttnvizError, match="predicts no tokens: it predicts classes of the text"):
        av.logit_lens(trace)
    assert row_tokens(trace, "decoder").text == trace.tokens.source.text  # no row is said to write a class


@pytest.mark.parametrize("of", ["classes", "labels"])
def test_patching_watches_the_classes_that_the_two_texts_are_given(of):
    module = tiny("bert", of)
    model = av.load(module, byte_tokenizer())
    other = "the dog sat on the mat"
    found = av.patch(model, TEXT, other, metric=("so-so", "negative"), position=None if of == "classes" else 5)
    at = 0 if of == "classes" else 5
    ends = [theirs(module, model.trace(text))[at] for text in (TEXT, other)]
    expected = [float(end[1] - end[0]) for end in ends]
    assert [found.clean, found.corrupt] == pytest.approx(expected, abs=1e-5)
    assert found.texts == ("so-so", "negative") and found.position == (None if of == "classes" else 5)
    kept: list[torch.Tensor] = []
    output = module.bert.encoder.layer[1].attention.output.dense
    hook = output.register_forward_pre_hook(lambda part, given: kept.append(given[0].clone()))
    theirs(module, model.trace(TEXT))
    hook.remove()

    def put(part, given):
        changed = given[0].clone()
        changed[..., 8:16] = kept[-1][..., 8:16]
        return (changed,)

    hook = output.register_forward_pre_hook(put)
    row = theirs(module, model.trace(other))[at]
    hook.remove()
    own = found.table.query("site == 'encoder.1.self' and head == 1")["value"].item()
    assert own == pytest.approx(float(row[1] - row[0]), abs=1e-5)


def test_a_masked_model_predicts_tokens_as_before(tmp_path):
    module = eager_module("bert", TINY["bert"], AutoModelForMaskedLM)
    trace = av.load(saved(module, tmp_path)).trace(TEXT)
    assert trace.prediction.of == "tokens" and trace.predicted_tokens is trace.prediction
    assert json.loads((tmp_path / "config.json").read_text())["architectures"] == ["BertForMaskedLM"]
