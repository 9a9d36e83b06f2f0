"""`attnviz check` and `attnviz models`: what they print, and how they end."""

import json
import re
from unittest.mock import Mock

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification

from attnviz import catalog
from attnviz.analysis.circuits.logits import wrote
from attnviz.core.errors import StepError
from attnviz.pretrained.known_models import HUB
from attnviz.trace.model_protocol import module_sha256
from tests.parity.tiny_models import eager_module, saved

SMALL = {"vocab_size": 257, "n_layer": 2, "n_head": 2}


@pytest.fixture(scope="module")
def gpt(tmp_path_factory):
    sizes = SMALL | {"n_embd": 16, "n_positions": 64, "bos_token_id": 256, "eos_token_id": 256}
    return saved(eager_module("gpt2", sizes, AutoModelForCausalLM), tmp_path_factory.mktemp("models") / "gpt")


def test_a_model_of_the_interface_is_reported_with_its_head(gpt, typed):
    code, said, _ = typed(f"check {gpt}")
    said = said.splitlines()
    assert code == 0 and said[-1] == "verified"
    assert said[1].split() == ["family", "gpt2"] and "attention interface" in said[2]
    assert "2 layers x 2 heads (decoder self)" in said[3]
    assert re.search(r"by at most \d\.\de[-+]\d\d$", said[4]) and re.search(r"16 rows of 2 sites", said[5])
    assert "top 20" in said[6]


def test_a_model_read_by_its_operators_says_so_and_has_no_head(tmp_path, typed):
    saved(eager_module("bloom", SMALL | {"hidden_size": 16}), tmp_path / "bloom")
    code, said, _ = typed("check {}/bloom --text short")
    assert code == 0 and "the operators of its own code" in said and "no language-model head" in said


def test_a_head_of_another_task_that_is_left_out_is_named(tmp_path, typed):
    sizes = {"vocab_size": 257, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
             "intermediate_size": 16, "num_labels": 1}  # a number, and no class  # fmt: skip
    folder = saved(eager_module("bert", sizes, AutoModelForSequenceClassification), tmp_path / "mood")
    says = "its own head (BertForSequenceClassification) was left out and only its attention is read"
    code, said, _ = typed(f"check {folder} --text short")
    assert code == 0 and f"none: {says}" in said
    trace = catalog.load(folder).trace("short")
    for ask in (trace.logits, lambda: wrote(trace, 1, 5)):
        with pytest.raises(StepError, match=re.escape(f"mood predicts no tokens: {says}.")):
            ask()


def test_half_precision_has_its_own_tolerance_and_what_is_not_here_is_named(gpt, typed):
    code, said, _ = typed(f"check {gpt} --dtype bfloat16")
    assert code == 0 and "4e-02 is rounding" in said
    for option, says in (("dtype int8", "invalid choice: 'int8'"), ("device cuda:7", "has no device cuda:7")):
        code, _, beside = typed(f"check {gpt} --{option}")
        assert code == 2 and says in beside


def test_a_report_has_what_was_proved_at_every_site_and_of_a_refused_model_the_reason(gpt, typed, tmp_path):
    code, _, _ = typed(f"check {gpt} --report {tmp_path}/<b>gpt")
    said, page = (tmp_path / f"<b>gpt.{ending}" for ending in ("json", "html"))
    report = json.loads(said.read_text())
    assert code == 0 and report["verified"] and report["versions"]["torch"] == torch.__version__
    assert list(report["run"]["sites"]) == ["decoder.0.self", "decoder.1.self"]
    assert max(report["run"]["sites"].values()) == report["run"]["difference"] <= report["run"]["tolerance"]
    assert report["weights_sha256"] == module_sha256(catalog.load(gpt).module)
    assert report["weights_sha256"] in page.read_text() and "decoder.1.self" in page.read_text()
    code, _, why = typed(f"check <i>nobody --report {tmp_path}/none")
    report, page = json.loads((tmp_path / "none.json").read_text()), (tmp_path / "none.html").read_text()
    assert code == 2 and not report["verified"] and report["error"] == why.strip()
    assert "&lt;i&gt;nobody" in page and "<i>" not in page and "refused" in page


def test_the_catalogue_is_listed_with_what_was_never_loaded_and_a_licence_only_with_its_source(typed):
    code, said, _ = typed("models")
    assert code == 0
    for row in catalog.rows():
        assert row.name in said and row.source in said and row.revision[:7] in said
        assert bool(row.licence or row.revision) <= bool(row.source), row
    assert said.count("never loaded here") == len(HUB) >= 25
    assert sum("zh" in row.languages for row in HUB) >= 5 and len({code for row in HUB for code in row.languages}) >= 8
    assert len({row.name for row in catalog.rows()}) == len(catalog.rows())


@pytest.mark.parametrize(("ends", "code", "said"), [
    (KeyboardInterrupt(), 130, "Stopped.\n"),
    (StepError(id="no-model", came="\x1b[31m\na"), 2, "\\x1b[31m\\na is no model. Give a loaded one: av.load(name).\n"),
])  # fmt: skip
def test_ctrl_c_ends_a_command_in_a_word_and_an_error_in_its_sentence(monkeypatch, typed, ends, code, said):
    monkeypatch.setattr("attnviz.load", Mock(side_effect=ends))
    assert typed("check minilm-l6") == (code, "", said)
