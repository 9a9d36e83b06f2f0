"""What is loaded is what was expected, or it is refused in a sentence: other weights, pickles, unknown names."""

import shutil
import subprocess
import sys

import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from attnviz import catalog
from attnviz.core.errors import InputError, UnknownModel, WrongWeights
from attnviz.pretrained.loading.device import placement
from attnviz.pretrained.loading.folder import WEIGHTS
from attnviz.pretrained.loading.load import check_file

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_one_flipped_bit_of_the_bundled_weights_is_refused_with_both_checksums(tmp_path):
    folder = shutil.copytree(catalog.get("minilm-l6"), tmp_path / "model")
    check_file(folder / WEIGHTS, WEIGHTS_SHA256)
    weights = bytearray((folder / WEIGHTS).read_bytes())
    weights[50_000_000] ^= 1
    (folder / WEIGHTS).write_bytes(weights)
    with pytest.raises(WrongWeights, match=f"expected {WEIGHTS_SHA256}. It was changed or damaged") as error:
        check_file(folder / WEIGHTS, WEIGHTS_SHA256)
    assert error.value.id == "wrong-weights"
    assert error.value.arguments["came"] != error.value.arguments["expected"] == WEIGHTS_SHA256


def test_devices_and_dtypes_of_torch_are_taken_as_their_names():
    own, named = placement(torch.device("cpu"), torch.bfloat16), placement("cpu", "bfloat16")
    assert own == named and own.dtype == torch.bfloat16 and placement() == placement("cpu", torch.float32)
    shelf = catalog.Shelf()
    assert shelf.load("reverse", device=torch.device("cpu")) is shelf.load("reverse", device="cpu")
    with pytest.raises(InputError, match="no dtype float64 here"):
        catalog.load("reverse", dtype=torch.float64)


def test_a_model_in_memory_is_copied_with_its_tokenizer_and_told_from_what_it_becomes():
    folder = catalog.get("minilm-l6")
    theirs, tokenizer = AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    ours = catalog.load(theirs, tokenizer)
    before, known = (model.trace("a text")["encoder.5.self"].weights() for model in (ours, catalog.load("minilm-l6")))
    assert torch.equal(before, known) and ours.card.id == f"{folder.name} in memory"
    theirs.encoder.layer[5].attention.self.query.weight.data.zero_()
    assert torch.equal(ours.trace("a text")["encoder.5.self"].weights(), before)
    trained = catalog.load(theirs, tokenizer)
    after = trained.trace("a text")["encoder.5.self"].weights()  # of queries that are all alike
    assert torch.allclose(after, after[:, :1]) and not torch.allclose(before, before[:, :1])
    assert (ours.card.id, len({ours.card.revision, trained.card.revision})) == (trained.card.id, 2)
    with pytest.raises(InputError, match=r"tokenizer too: av.load\(model, tokenizer\)"):
        catalog.load(theirs)


@pytest.mark.parametrize("name", ["", "no-such-model", "owner/name/more"])
def test_an_unknown_name_lists_what_is_known(name):
    with pytest.raises(UnknownModel, match="Known: smollm2-135m, minilm-l6") as error:
        catalog.load(name)
    assert error.value.id == "unknown-model" and error.value.arguments["names"] == ", ".join(catalog.known_names())


@pytest.mark.parametrize("name", ["./" + "x" * 5000, "owner/" + "x" * 5000])
def test_a_name_longer_than_a_path_may_be_is_no_model(name):
    with pytest.raises(UnknownModel) as error:
        catalog.load(name)
    assert len(str(error.value)) < 500


def test_transformers_waits_for_a_model_and_models_and_a_trace_outlive_their_files(tmp_path):
    folder = shutil.copytree(catalog.get("minilm-l6"), tmp_path / "model")
    code = """
import sys, attnviz as av, attnviz.catalog
from importlib.util import find_spec
print("transformers" in sys.modules)
model = av.load(sys.argv[1])
spread = av.load(sys.argv[1], device="spread") if find_spec("accelerate") else model
before = model.trace("a text")
open(sys.argv[1] + "/model.safetensors", "r+b").truncate(0)
for after in (model.trace("a text"), spread.trace("a text")):
    print(after.verified.holds, after.stream["encoder.5.out"].equal(before.stream["encoder.5.out"]))
before.save(sys.argv[1] + "/trace.safetensors", parameters=True)
again = av.Trace.load(sys.argv[1] + "/trace.safetensors")
open(sys.argv[1] + "/trace.safetensors", "r+b").truncate(0)
print(again.parameters("encoder.5.self")["w_o"].equal(model.matrices["encoder.5.self"]["w_o"]))
"""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "False\nTrue True\nTrue True\nTrue\n"), done.stderr
