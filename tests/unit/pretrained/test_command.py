"""`attnviz check` and `attnviz models`: what they print, and how they end."""

import re

import pytest
from transformers import AutoModelForCausalLM

from attnviz import catalog, cli
from attnviz.core.errors import UnknownModel
from attnviz.pretrained.known_models import HUB
from tests.parity.tiny_models import eager_module, saved

SMALL = {"vocab_size": 257, "n_layer": 2, "n_head": 2}


@pytest.fixture(scope="module")
def gpt(tmp_path_factory):
    sizes = SMALL | {"n_embd": 16, "n_positions": 64, "bos_token_id": 256, "eos_token_id": 256}
    return saved(eager_module("gpt2", sizes, AutoModelForCausalLM), tmp_path_factory.mktemp("models") / "gpt")


def test_a_model_of_the_interface_is_reported_with_its_head(gpt, capsys):
    code = cli.main(["check", gpt])
    said = capsys.readouterr().out.splitlines()

    assert code == 0 and said[-1] == "verified"
    assert said[1].split() == ["family", "gpt2"] and "attention interface" in said[2]
    assert "2 layers x 2 heads (decoder self)" in said[3]
    assert re.search(r"by at most \d\.\de[-+]\d\d$", said[4]) and re.search(r"16 rows of 2 sites", said[5])
    assert "top 20" in said[6]


def test_a_model_read_by_its_operators_says_so_and_has_no_head(tmp_path, capsys):
    folder = saved(eager_module("bloom", SMALL | {"hidden_size": 16}), tmp_path / "bloom")

    assert cli.main(["check", folder, "--text", "short"]) == 0
    said = capsys.readouterr().out
    assert "the operators of its own code" in said and "no language-model head" in said


def test_a_refusal_ends_with_its_reason_and_code_two(tmp_path, capsys):
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "vocab_size": 257, "state_size": 4, "pad_token_id": 0}
    code = cli.main(["check", saved(eager_module("mamba", sizes), tmp_path / "mamba")])
    said = capsys.readouterr()

    assert code == 2 and said.out == "" and "Traceback" not in said.err
    assert said.err.splitlines()[-1] == "mamba (mamba) has no attention matrices to give. Choose another model."


def test_half_precision_is_checked_with_its_own_tolerance(gpt, capsys):
    assert cli.main(["check", gpt, "--dtype", "bfloat16"]) == 0
    assert "4e-02 is rounding" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        cli.main(["check", gpt, "--dtype", "int8"])
    assert "invalid choice: 'int8' (choose from 'float32'" in capsys.readouterr().err
    assert cli.main(["check", gpt, "--device", "cuda:7"]) == 2
    assert "This machine has no device 'cuda:7'" in capsys.readouterr().err


def test_the_catalogue_is_listed_with_what_was_never_loaded(capsys):
    assert cli.main(["models"]) == 0
    said = capsys.readouterr().out
    for row in catalog.rows():
        assert row.name in said and row.source in said and row.revision[:7] in said
    assert said.count("never loaded here") == len(HUB) >= 25


def test_rows_state_a_licence_only_with_its_source():
    for row in catalog.rows():
        assert bool(row.licence or row.revision) <= bool(row.source), row
    assert sum("zh" in row.languages for row in HUB) >= 5 and len({code for row in HUB for code in row.languages}) >= 8
    assert len({row.name for row in catalog.rows()}) == len(catalog.rows())


@pytest.mark.parametrize(("ends", "code", "said"), [
    (KeyboardInterrupt(), 130, "Stopped.\n"),
    (UnknownModel("no model \x1b[31m in a\nfolder"), 2, "no model �[31m in a�folder\n"),  # what steers a terminal
])  # fmt: skip
def test_ctrl_c_ends_a_command_in_a_word_and_an_error_in_its_sentence(monkeypatch, capsys, ends, code, said):
    def load(*asked, **told):
        raise ends

    monkeypatch.setattr("attnviz.load", load)
    assert cli.main(["check", "minilm-l6"]) == code
    assert capsys.readouterr().err == said
