"""Every command alike: its example is one, --json is JSON, refusals and misuse have their codes, shells complete it."""

import argparse
import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import get_args
from unittest.mock import Mock
from urllib.parse import urlsplit

import pandas as pd
import plotly.io as pio
import pytest

import attnviz as av
from attnviz import catalog
from attnviz.analysis.circuits.patching import Direction, What
from attnviz.cli import _parser, figure
from attnviz.cli.network import free_port, is_taken
from attnviz.figures import labels
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation

pytestmark = pytest.mark.usefixtures("one_thread")

ACTION = next(it for it in _parser()._actions if isinstance(it, argparse._SubParsersAction))


@pytest.mark.parametrize("name", list(ACTION.choices))
def test_the_examples_under_help_can_be_typed(name: str, typed) -> None:
    code, said, _ = typed(f"{name} --help")
    examples = [line.split(" > ")[0] for line in said.split("example:\n")[1].splitlines()]
    assert code == 0 and examples and "--json" in said
    for example in examples:
        words = shlex.split(example)
        assert words[:2] == ["attnviz", name]
        _parser().parse_args(words[1:])


JSON = {
    "models": lambda found, _: {row["name"] for row in found} >= {"minilm-l6", "reverse"},
    "words reverse": lambda found, _: "a" in found["reads"],
    "doctor": lambda found, _: found["attnviz"] == av.__version__ and "as expected" in found["weights of minilm-l6"],
    "trace reverse --text 'a b c' --out {}/a.safetensors": lambda found, folder: (
        found["sites"] == [site.key for site in av.Trace.load(folder / "a.safetensors").sites]
    ),
    "check reverse": lambda found, _: found["verified"] and found["run"]["difference"] == 0,
    "compare reverse reverse --text 'a b c'": lambda found, _: len(found["pairs"]) == 16,
    "compare reverse reverse --text 'a b c' --pair encoder.0.self 0": lambda found, _: found["js"] == 0,
    "train copy --steps 6 --heads 1 --layers 1 --out {}/mine": lambda found, _: (
        found["outcome"] == "finished" and found["step"] == 6
    ),
    "export reverse --text 'a b c' --out {}/a.html": lambda found, folder: (
        (folder / "a.html").read_text().startswith("<!doctype html>") and found["model"] == "reverse"
    ),
    "completion bash": lambda found, _: found["shell"] == "bash" and "_attnviz" in found["script"],
    "heads reverse": lambda found, _: found["sentences"] == 200,  # the survey in the package: measuring takes a minute
    "heads reverse --file {}/texts.txt": lambda found, _: found["sentences"] == 2 and len(found["heads"]) == 8,
    "atlas reverse --texts {}/texts.txt --out {}/atlas": lambda found, folder: (
        found["texts"] == 2 and Path(found["page"]).is_relative_to(folder)
    ),
    "export reverse --text 'a b c' --view step --out {}/new/b.html": lambda found, folder: (
        folder / "new" / "b.html"
    ).is_file(),
}


@pytest.mark.parametrize("line", list(JSON))
def test_json_is_one_value(line: str, tmp_path: Path, typed) -> None:
    (tmp_path / "texts.txt").write_text("a b c\nb a\n")
    code, said, _ = typed(f"{line} --json")
    assert code == 0 and JSON[line](json.loads(said), tmp_path)


@pytest.mark.parametrize("line", ["app --no-window", "serve reverse --port {}"])
def test_a_server_prints_its_address_and_says_the_rest_beside(line: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "attnviz.cli", *line.format(free_port()).split(), "--json"]
    with (tmp_path / "beside").open("w+") as beside:
        serving = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=beside, text=True)
        try:
            assert serving.stdout is not None
            address = urlsplit(json.loads(serving.stdout.readline())["address"])
            assert address.port is not None
            while not is_taken(address.port):
                assert serving.poll() is None
                time.sleep(0.1)
        finally:
            serving.terminate()
            rest, _ = serving.communicate(timeout=60)
        beside.seek(0)
        assert rest == "" and beside.read()


@pytest.mark.parametrize(("line", "drawn"), [
    ("pattern --head 1.0", lambda t: t.figure("decoder.1.self", 0)),
    ("pattern --head 2.1 --count-from 1", lambda t: t.figure("decoder.1.self", 0, count_from=1)),
    ("pattern --head decoder.1.self.0 --theme dark", lambda t: t.figure("decoder.1.self", 0, theme="dark")),
    ("arcs --head 1.0 --row -1", lambda t: av.figures.arcs(t, "decoder.1.self", 0, query=-1)),
    ("tokens --head 2.1 --row 5 --count-from 1",
     lambda t: av.figures.tokens(t, "decoder.1.self", 0, 4, count_from=1)),
    ("heads --head 1.0 --head 0.1",
     lambda t: av.figures.heads(t, [("decoder.1.self", 0), ("decoder.0.self", 1)])),
    ("distance --head 1.0", lambda t: av.figures.distance(t, [("decoder.1.self", 0)])),
    ("head-map --metric entropy", lambda t: av.head_metrics(t).figure("entropy")),
    ("scatter --metric entropy --against first", lambda t: av.head_metrics(t).figure("entropy", "first")),
    ("why --head 1.0 --row 4 --key 2", lambda t: av.why(t, "decoder.1.self", 0, 4, 2).figure()),
    ("wrote --token c --against b", lambda t: av.wrote(t, -1, "c", "b").figure()),
    ("lens", lambda t: av.logit_lens(t).figure()),
    ("patching --other 'a b d a b' --token c --against d",
     lambda t: av.patch(av.load("induction"), "a b c a b", "a b d a b", metric=("c", "d")).figure()),
    ("patching --other 'a b d a b' --what residual --direction noising --layers 2 --position 5 --count-from 1",
     lambda t: av.patch(av.load("induction"), "a b c a b", "a b d a b", "residual", direction="noising", layers=[1],
                        position=4).figure(count_from=1)),
    ("lens --token c", lambda t: av.logit_lens(t, token="c").figure()),
    ("difference --other 'a b d a b' --head 1.1",
     lambda t: av.compare(t, av.load("induction").trace("a b d a b")).difference("decoder.1.self", 1).figure()),
    ("training", lambda t: head_formation(FOLDER / "induction", "a b c a b").figure()),
    ("similarity --beside reverse", lambda t: av.compare(t, av.load("reverse").trace("a b c a b")).figure()),
])  # fmt: skip
def test_a_figure_is_drawn_as_in_python(line: str, drawn, tmp_path: Path, typed, monkeypatch) -> None:
    monkeypatch.setattr(labels, "_count_from", 0)
    trace = av.load("induction").trace("a b c a b")
    kind, _, options = line.partition(" ")
    assert typed(f"figure {kind} induction --text 'a b c a b' {options} --out {{}}/a.json")[0] == 0
    monkeypatch.setattr(labels, "_count_from", 0)
    assert pio.from_json((tmp_path / "a.json").read_text()) == drawn(trace)


@pytest.mark.parametrize(("line", "words"), [
    ("pattern --text a --out a.svg", "--head"),
    ("pattern --text a --head 1 --out a.svg", "LAYER.HEAD"),
    ("pattern --text a --head 7.0 --out a.html", "from 0 to 1"),
    ("pattern --text a --head 1.0 --head 0.0 --out a.svg", "`heads`"),
    ("scatter --text a --metric entropy --out a.svg", "--against"),
    ("tokens --text 'a b' --head 1.1 --row 0 --count-from 1 --out a.html", "the first token is 1"),
    ("pattern --text 'a b' --head 1.0 --count-from 1 --out a.html", "the first head of a layer is 1"),
    ("pattern --text a --head 1.0 --out a.docx", ".svg"),
    ("patching --text 'a b' --out a.svg", "--other"),
    ("patching --text 'a b' --other 'a c' --token c --out a.svg", "--against"),
    ("patching --text 'a b' --other 'a c' --layers 0 --count-from 1 --out a.svg", "the first layer is 1"),
    ("patching --text 'a b' --other 'a c' --position 0 --count-from 1 --out a.svg", "the first token is 1"),
    ("lens --text a --row 1 --key 2 --out a.svg", "takes no --key, --row"),
    ("pattern --text a --head 1.0 --token c --out a.svg", "takes no --token"),
    ("heads --text a --head 1.0 --what edges --out a.svg", "takes no --what"),
    ("head-map --text a --metric entropy --head 1.0 --out a.svg", "takes no --head"),
    ("similarity --text a --out a.svg", "needs --beside"),
    ("training --out a.svg", "needs --text"),
])  # fmt: skip
def test_a_figure_that_cannot_be_drawn_says_what_is_missing(line: str, words: str, typed, monkeypatch) -> None:
    monkeypatch.setattr(labels, "_count_from", 0)
    kind, _, options = line.partition(" ")
    code, _, said = typed(f"figure {kind} induction {options}")
    assert code in (1, 2) and words in said


def test_a_figure_of_patching_takes_the_words_that_patch_takes() -> None:
    assert get_args(What) == figure.WHAT and get_args(Direction) == figure.DIRECTION


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_weights_are_exported_as_they_are(suffix: str, tmp_path: Path, typed) -> None:
    trace = av.load("reverse").trace("a b c")
    trace.save(tmp_path / "a.safetensors")
    out = tmp_path / f"weights{suffix}"
    assert typed(f"export {{}}/a.safetensors --site encoder.0.self --head 1 --out {out}")[0] == 0
    table = pd.read_csv(out) if suffix == ".csv" else pd.DataFrame(json.loads(out.read_text()))
    weights = trace["encoder.0.self"].weights(1)
    assert table["weight"].tolist() == pytest.approx(weights.flatten().tolist(), abs=1e-6)
    assert set(table["head"]) == {1}
    assert table["query_token"].tolist()[:: weights.shape[1]] == list(trace.tokens.source.text)


@pytest.mark.parametrize(
    ("line", "code", "id", "words"),
    [
        ("trace nothing --text a --out {}/a.safetensors", 1, "unknown-model", "'nothing'"),
        ("trace reverse --text a --out {}/none/a.safetensors", 1, "no-folder", "/none"),
        ("words minilm-l6", 1, "no-word-list", ""),
        ("export reverse --text a --out /dev/null/a.html", 1, "cannot-write", "/dev/null"),
        ("heads reverse --file {}/none.txt", 1, "no-file", "/none.txt"),
        ("check nothing", 2, "unknown-model", "'nothing'"),
        ("serve reverse --replicas 2 --port 8614", 1, "ray-away", ""),
        ("export reverse --text a --site decoder.9.self --out {}/a.csv", 1, "no-such-site", "decoder.9.self"),
        ("compare minilm-l6 reverse --text 'a b' --pair encoder.7.self 0", 1, "no-such-site", "encoder.7.self"),
        ("serve m/nope --port {free}", 1, "offline", "neither a folder m/nope"),
        ("serve minilm-l7 --port {free}", 1, "unknown-model", "'minilm-l7'"),
        ("heads {}/own --excites encoder.9.self 0", 1, "no-such-site", "encoder.5.self"),
        ("heads {}/own --excites encoder.5.self 12", 1, "no-such-head", "It has 12"),
    ],
)
def test_a_refusal_is_a_sentence_a_code_and_json_before_the_work_begins(
    line: str, code: int, id: str, words: str, tmp_path: Path, typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_room = RuntimeError("The node timed out. It may be overloaded.\nLook at its log.")
    ray = SimpleNamespace(is_initialized=lambda: False, init=Mock(side_effect=without_room))
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr("uvicorn.run", lambda *_, **__: pytest.fail("serves"))
    monkeypatch.setattr("attnviz.analysis.heads.survey.survey", lambda *_, **__: pytest.fail("measures"))
    (tmp_path / "own").symlink_to(catalog.get("minilm-l6"))  # a model without a survey in the package
    ended, said, beside = typed(f"{line.replace('{free}', str(free_port()))} --json")
    found = json.loads(said)
    assert (ended, found["id"]) == (code, id)
    assert beside.splitlines()[-1] == found["error"] and words in beside
    assert ("http" in beside) is (id == "offline")  # which names the hub


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("app --port 99999", "from 1 to 65535"),
        ("class --port 0", "from 1 to 65535"),
        ("serve reverse --port x", "from 1 to 65535"),
        ("", "required"),
        ("dance", "invalid choice"),
        ("export reverse --text a --out a.pdf", "ends in .html or .csv"),
        ("trace no-such-model --text a --out a.bin", "ends in .safetensors; got a.bin"),  # before a model is loaded
        ("export reverse --out a.html", "give the text"),
        ("export a.safetensors --text a --out a.html", "leave out --text"),
        ("heads no-such-model --excites encoder.0.self x", "the number of a head"),  # before a model is loaded
        ("compare minilm-l6 reverse --pair encoder.0.self 0", "give --text"),
        ("compare minilm-l6 reverse --text a --pair encoder.0.self", "--pair takes SITE HEAD"),
        ("compare minilm-l6 reverse --text a --pair encoder.0.self x", "--pair takes SITE HEAD"),
        ("compare minilm-l6 reverse --sentences 0", "from 1 to 500"),
        ("compare minilm-l6 reverse --sentences 501", "from 1 to 500"),
        ("compare untrained:minilm-l6 reverse", "on the dashboard's Compare page"),
    ],
)
def test_a_line_that_cannot_be_read_ends_with_two(line: str, words: str, typed) -> None:
    code, _, beside = typed(line)
    assert code == 2 and words in beside


def test_bash_completes_commands_options_and_models(tmp_path: Path, typed) -> None:
    for shell, mark in (("zsh", "#compdef attnviz"), ("fish", "complete -c attnviz")):
        code, said, _ = typed(f"completion {shell}")
        assert code == 0 and mark in said and "doctor" in said and "minilm-l6" in said
    script = tmp_path / "attnviz.bash"
    script.write_text(typed("completion bash")[1])
    complete = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _shtab_attnviz; echo "${COMPREPLY[@]}"'
    for words, completed in (("do", "doctor"), ("trace min", "minilm-l6"), ("train --res", "--resume")):
        command = ["bash", "-c", complete, "bash", str(script), "attnviz", *words.split()]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == completed


def test_help_does_not_wait_for_torch() -> None:
    code = "import sys\nfrom attnviz.cli import main\ntry: main(['--help'])\nfinally: sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_the_command_says_its_version(typed) -> None:
    assert typed("--version") == (0, f"attnviz {av.__version__}\n", "")


@pytest.mark.parametrize(("address", "is_reached"), [("192.0.2.7", True), ("localhost", False)])
def test_a_class_is_told_its_address_and_whether_anybody_reaches_it(
    address: str, is_reached: bool, monkeypatch: pytest.MonkeyPatch, typed
) -> None:
    announced: list[object] = []
    monkeypatch.setattr("attnviz.cli.app.network_address", lambda: address)
    monkeypatch.setattr("attnviz.cli.command.announce", announced.append)
    monkeypatch.setattr("os.execve", lambda *_: sys.exit())  # where the server would take over
    port = free_port()
    _, said, _ = typed(f"class --port {port}")
    assert f"http://{address}:{port}/lessons" in said and announced == []
    assert ("nobody else can open" in said) is not is_reached
    assert typed(f"class --port {port} --json")[1] == ""
    assert announced == [{"address": f"http://{address}:{port}/lessons"}]
