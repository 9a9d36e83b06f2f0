"""The operator's settings: defaults, the sentence for each bad value, who may be reached by whom, and how it starts."""

import os
import socket
import subprocess
import sys

import pytest
from attnviz_app import start
from attnviz_app.api import health
from attnviz_app.settings import Settings, SettingsError, check_binding, read_settings, settings
from starlette.applications import Starlette
from starlette.testclient import TestClient

from attnviz.catalog import known_names
from attnviz.cli import main


@pytest.fixture(autouse=True)
def operator(monkeypatch):
    """Sets variables, without their prefix; there are no others."""
    for name in [name for name in os.environ if name.startswith("ATTNVIZ_")]:
        monkeypatch.delenv(name)

    def set_all(variables):
        for name, value in variables.items():
            monkeypatch.setenv(f"ATTNVIZ_{name}", value)

    return set_all


def test_the_default_is_local_with_every_model_of_the_package():
    settings = read_settings()
    assert (settings.mode, settings.address) == ("local", "127.0.0.1")
    assert settings.models[:2] == ("smollm2-135m", "minilm-l6")
    assert sorted(settings.models) == sorted(known_names())


@pytest.mark.parametrize(("variables", "field", "read"), [
    ({"MODE": "hosted"}, "address", "0.0.0.0"), ({"TRACE_CACHE": "2MiB"}, "trace_cache", 2 * 1024**2),
    ({"MODE": "hosted", "TRAINING_SECONDS": "1200"}, "training_seconds", 1200),  # HOSTED says less
    ({"TRAINING": "off"}, "training", False), ({"TRAINING": "true"}, "training", True), ({"DATA": ""}, "data", None),
    ({"DEVICE": "auto"}, "device", "auto"), ({"DTYPE": "bfloat16"}, "dtype", "bfloat16"),
    ({"MODELS": " minilm-l6 , reverse ,"}, "models", ("minilm-l6", "reverse")),
    ({"MODELS": "minilm-l6,tests"}, "models", ("minilm-l6", "tests")),  # a folder
    *(({"MODELS": "someone/tiny@v1", "MODE": mode}, "models", ("someone/tiny@v1",)) for mode in ("local", "hosted")),
])  # fmt: skip
def test_a_variable_is_read_as_it_is_written(operator, variables, field, read):
    operator(variables)
    assert getattr(read_settings(), field) == read


def test_a_folder_for_trained_models_is_made(operator, tmp_path):
    operator({"DATA": str(tmp_path / "new")})
    assert read_settings().data == tmp_path / "new" and (tmp_path / "new").is_dir()


def test_a_port_where_another_program_listens_is_refused(operator, monkeypatch, capsys):
    monkeypatch.setattr("attnviz.cli.app._serve", lambda *_: 0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        operator({"METRICS_PORT": str(port := other.getsockname()[1])})
        with pytest.raises(SettingsError, match=f"METRICS_PORT is set to {port}, where the dashboard") as caught:
            read_settings()
        assert main(["app", "--port", str(port)]) == 1 and f"Port {port} is taken." in capsys.readouterr().err
    assert caught.value.id == "settings-metrics-taken"
    assert read_settings().metrics_port == port


BAD = (
    ("MODE", "public", "local, hosted"), ("MAX_TOKENS", "many", "4 – 16384"), ("MAX_CHARACTERS", "1", "20 – 100000"),
    ("QUEUE_SECONDS", "-1", "0 – 600"), ("METRICS_PORT", "0", "1 – 65535"), ("TRAINING_STEPS", "0", "50 – 100000"),
    ("MODEL_CACHE", "big", "512MB, 2GiB"), ("TRAINING_STORE", "1MB", "≥ 96MiB, 2GiB"),
    ("TRAINING", "perhaps", "on, off"), ("MODELS", " , ", "minilm-l6, gpt2"),
    ("FRAMED_BY", "https://a.example; script-src *", "https://school.example"),
    ("ENGINE", "ftp://a", "http://127.0.0.1:8600"), ("DEVICE", "gpu", "auto, cpu, cuda, mps"),
    ("DTYPE", "int8", "float32, bfloat16, float16"),
)  # fmt: skip
NEITHER = (
    "neither a model known here, one of a hub (owner/name), of Ollama or LM Studio (ollama:name), nor a folder or file."
)
NO_FOLDER = "cannot use a folder of this machine"
FOLDERS = ("/srv/model", "../model", "~/model", "C:\\model", "\\\\host\\model")


@pytest.mark.parametrize(("variables", "id", "words"), [
    *(({name: value}, "value", f". It takes: {takes}. Change it") for name, value, takes in BAD),
    ({"MAXTOKENS": "64"}, "unknown", "no setting ATTNVIZ_MAXTOKENS; the nearest one is ATTNVIZ_MAX_TOKENS."),
    ({"MODEL": "64"}, "unknown", "There is no setting ATTNVIZ_MODEL; the nearest one is ATTNVIZ_MODELS."),
    ({"X": "64"}, "unknown", "There is no setting ATTNVIZ_X; the nearest one is ATTNVIZ_"),
    ({"MODELS": "gpt2"}, "no-model", "“gpt2”, which is neither"),
    ({"MODELS": "minilm-l6,no/such/folder"}, "no-model", NEITHER),
    ({"MODELS": "minilm-l6,minilm", "MODE": "hosted"}, "no-model", NEITHER),
    *(({"MODELS": f"minilm-l6,{it}", "MODE": "hosted"}, "paths", NO_FOLDER) for it in FOLDERS),
    ({"DEVICE": "mps"}, "no-device", "“mps”, which torch does not find on this machine. It has cpu."),
    ({"DATA": __file__}, "data", "which is no folder that can be written to"),
])  # fmt: skip
def test_what_cannot_be_served_is_refused_in_one_line(monkeypatch, operator, capsys, variables, id, words):
    monkeypatch.setattr("attnviz.pretrained.loading.device.devices", lambda: ("cpu",))
    operator(variables)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert caught.value.id == f"settings-{id}" and caught.value.__cause__ is None
    assert start.main(["main.py", "--server.port", "1"]) == start.REFUSED
    said = capsys.readouterr()
    assert said.out == "" and words in said.err and said.err.count("\n") == 1
    assert f"ATTNVIZ_{next(iter(variables))}" in said.err


def test_the_command_ends_where_its_settings_cannot_be_served():
    command = [sys.executable, "-m", "attnviz.cli", "app", "--port", "1"]
    variables = {**os.environ, "ATTNVIZ_MAX_TOKENS": "many"}
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (start.REFUSED, "")
    assert ended.stderr.startswith("ATTNVIZ_MAX_TOKENS is set to “many”. It takes: 4 – 16384.")
    assert ended.stderr.count("\n") == 1


def test_a_server_whose_settings_cannot_be_served_is_not_ready_and_names_none_of_them(operator, caplog):
    operator({"MAX_TOKENS": "umpteen"})  # said once, so of this test alone
    settings.cache_clear()
    answer = TestClient(Starlette(routes=health.ROUTES)).get("/readyz")
    assert (answer.status_code, "MAX_TOKENS" in answer.text) == (503, False)
    assert "ATTNVIZ_MAX_TOKENS is set to “umpteen”" in caplog.text


EVERYWHERE, HERE = (None, "", "0.0.0.0", "192.168.1.4", "::"), ("127.0.0.1", "localhost", "::1")


def test_only_hosted_mode_serves_an_address_that_others_can_reach():
    for address in (*EVERYWHERE, *HERE):
        check_binding(Settings(mode="hosted"), address)
    for address in HERE:
        check_binding(Settings(), address)
    for address in EVERYWHERE:
        with pytest.raises(SettingsError, match="local mode but listens on"):
            check_binding(Settings(), address)
