"""The operator's settings: defaults, the sentence for each bad value, and who may be reached by whom."""

import os
import socket
import subprocess
import sys

import pytest
from attnviz_app import start
from attnviz_app.settings import Settings, SettingsError, check_binding, read_settings

from attnviz.catalog import known_names


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in [name for name in os.environ if name.startswith("ATTNVIZ_")]:
        monkeypatch.delenv(name)


def test_the_default_is_local_with_every_model_of_the_package():
    settings = read_settings()
    assert (settings.mode, settings.address) == ("local", "127.0.0.1")
    assert settings.models[0] == "minilm-l6"
    assert sorted(settings.models) == sorted(known_names())


def test_strangers_may_take_less_of_the_machine_unless_the_operator_says_more(monkeypatch):
    local = read_settings()
    monkeypatch.setenv("ATTNVIZ_MODE", "hosted")
    hosted = read_settings()
    for name in ("training_steps", "training_seconds", "training_store"):
        assert getattr(hosted, name) < getattr(local, name)
    monkeypatch.setenv("ATTNVIZ_TRAINING_SECONDS", "1200")
    assert read_settings().training_seconds == 1200


def test_a_folder_for_trained_models_is_made_and_an_empty_name_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTNVIZ_DATA", str(tmp_path / "new"))
    assert read_settings().data == tmp_path / "new" and (tmp_path / "new").is_dir()
    monkeypatch.setenv("ATTNVIZ_DATA", "")
    assert read_settings().data is None


@pytest.mark.parametrize(("name", "written", "field", "read"), [
    ("MODE", "hosted", "address", "0.0.0.0"), ("TRACE_CACHE", "2MiB", "trace_cache", 2 * 1024**2),
    ("TRAINING", "off", "training", False), ("TRAINING", "true", "training", True),
    ("MODELS", " minilm-l6 , reverse ,", "models", ("minilm-l6", "reverse")),
    ("MODELS", "minilm-l6,tests", "models", ("minilm-l6", "tests")),  # a folder
])  # fmt: skip
def test_a_variable_is_read_as_it_is_written(monkeypatch, name, written, field, read):
    monkeypatch.setenv(f"ATTNVIZ_{name}", written)
    assert getattr(read_settings(), field) == read


def test_a_folder_nothing_can_be_written_to_is_refused(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ATTNVIZ_DATA", str(tmp_path / "file"))
    with pytest.raises(SettingsError, match="which is no folder that can be written to") as caught:
        read_settings()
    assert caught.value.id == "settings-data"


def test_a_device_and_a_dtype_can_be_chosen_and_one_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setenv("ATTNVIZ_DEVICE", "auto")
    monkeypatch.setenv("ATTNVIZ_DTYPE", "bfloat16")
    assert (read_settings().device, read_settings().dtype) == ("auto", "bfloat16")
    monkeypatch.setenv("ATTNVIZ_DEVICE", "mps")
    monkeypatch.setattr("attnviz.pretrained.loading.device.devices", lambda: ("cpu",))
    with pytest.raises(SettingsError, match=r"'mps', which torch does not find on this machine\. It has cpu") as caught:
        read_settings()
    assert caught.value.id == "settings-no-device"


def test_a_port_for_numbers_where_another_program_listens_is_refused(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setenv("ATTNVIZ_METRICS_PORT", str(port := other.getsockname()[1]))
        with pytest.raises(SettingsError, match=f"METRICS_PORT is set to {port}, where the dashboard") as caught:
            read_settings()
    assert caught.value.id == "settings-metrics-taken"
    assert read_settings().metrics_port == port


@pytest.mark.parametrize(("name", "value", "takes"), [
    ("MODE", "public", "local, hosted"), ("MAX_TOKENS", "many", "4 – 16384"), ("MAX_CHARACTERS", "1", "20 – 100000"),
    ("QUEUE_SECONDS", "-1", "0 – 600"), ("METRICS_PORT", "0", "1 – 65535"), ("TRAINING_STEPS", "0", "50 – 100000"),
    ("MODEL_CACHE", "big", "512MB, 2GiB"), ("TRAINING_STORE", "1MB", "≥ 96MiB, 2GiB"),
    ("TRAINING", "perhaps", "on, off"), ("MODELS", " , ", "minilm-l6, gpt2"),
    ("FRAMED_BY", "https://a.example; script-src *", "https://school.example"),
    ("ENGINE", "ftp://a", "http://127.0.0.1:8600"), ("DEVICE", "gpu", "auto, cpu, cuda, mps"),
    ("DTYPE", "int8", "float32, bfloat16, float16"),
])  # fmt: skip
def test_a_bad_value_is_named_with_what_it_takes(monkeypatch, name, value, takes):
    monkeypatch.setenv(f"ATTNVIZ_{name}", value)
    with pytest.raises(SettingsError, match=rf"ATTNVIZ_{name} is set to .*\. It takes: {takes}\. Change it") as caught:
        read_settings()
    assert caught.value.id == "settings-value" and caught.value.__cause__ is None


@pytest.mark.parametrize(("name", "nearest"), [("MAXTOKENS", "MAX_TOKENS"), ("MODEL", "MODELS"), ("X", "MODE")])
def test_an_unknown_variable_is_refused_with_the_nearest_known_one(monkeypatch, name, nearest):
    monkeypatch.setenv(f"ATTNVIZ_{name}", "64")
    with pytest.raises(
        SettingsError, match=f"There is no setting ATTNVIZ_{name}; the nearest one is ATTNVIZ_"
    ) as caught:
        read_settings()
    assert caught.value.id == "settings-unknown"
    if name in ("MAXTOKENS", "MODEL"):
        assert caught.value.arguments["nearest"] == f"ATTNVIZ_{nearest}"


@pytest.mark.parametrize(("mode", "name"), [("local", "no/such/folder"), ("hosted", "minilm")])
def test_a_model_nobody_knows_is_refused_with_those_that_are_known(monkeypatch, mode, name):
    monkeypatch.setenv("ATTNVIZ_MODE", mode)
    monkeypatch.setenv("ATTNVIZ_MODELS", f"minilm-l6,{name}")
    with pytest.raises(
        SettingsError, match=r"neither a model known here, one of a hub \(owner/name\), nor a folder. Known: minilm"
    ):
        read_settings()


@pytest.mark.parametrize("mode", ["local", "hosted"])
def test_a_model_of_a_hub_may_be_named(monkeypatch, mode):
    monkeypatch.setenv("ATTNVIZ_MODE", mode)
    monkeypatch.setenv("ATTNVIZ_MODELS", "minilm-l6,someone/tiny@v1")
    assert read_settings().models[1] == "someone/tiny@v1"


UNSERVED = "ATTNVIZ_MAX_TOKENS is set to 'many'. It takes: 4 – 16384."


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"ATTNVIZ_MAX_TOKENS": "many"}, UNSERVED),
        ({"ATTNVIZ_MAXTOKENS": "64"}, "There is no setting ATTNVIZ_MAXTOKENS; the nearest one is ATTNVIZ_MAX_TOKENS."),
        ({"ATTNVIZ_MODE": "hosted", "ATTNVIZ_MODELS": "/srv/model"}, "cannot be combined with a folder"),
        ({"ATTNVIZ_MODELS": "gpt2"}, "'gpt2', which is neither a model known here, one of a hub"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line_before_the_server_starts(monkeypatch, capsys, variables, words):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert start.main(["main.py", "--server.port", "1"]) == start.REFUSED
    said = capsys.readouterr()
    assert said.out == "" and words in said.err and said.err.count("\n") == 1


def test_the_command_ends_where_its_settings_cannot_be_served():
    command = [sys.executable, "-m", "attnviz.cli", "app", "--port", "1"]
    variables = {**os.environ, "ATTNVIZ_MAX_TOKENS": "many"}
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (start.REFUSED, "")
    assert ended.stderr.startswith(UNSERVED) and ended.stderr.count("\n") == 1


@pytest.mark.parametrize("path", ["/srv/model", "../model", "~/model", "C:\\model", "\\\\host\\model"])
def test_hosted_mode_refuses_folders_of_the_machine(monkeypatch, path):
    monkeypatch.setenv("ATTNVIZ_MODE", "hosted")
    monkeypatch.setenv("ATTNVIZ_MODELS", f"minilm-l6,{path}")
    with pytest.raises(SettingsError, match="cannot be combined with a folder of this machine"):
        read_settings()


EVERYWHERE, HERE = (None, "", "0.0.0.0", "192.168.1.4", "::"), ("127.0.0.1", "localhost", "::1")


@pytest.mark.parametrize(
    ("mode", "address", "is_served"),
    [*(("local", it, False) for it in EVERYWHERE), *(("local", it, True) for it in HERE),
     *(("hosted", it, True) for it in (*EVERYWHERE, *HERE))],
)  # fmt: skip
def test_only_hosted_mode_serves_an_address_that_others_can_reach(mode, address, is_served):
    if is_served:
        check_binding(Settings(mode=mode), address)
        return
    with pytest.raises(SettingsError, match="local mode but listens on"):
        check_binding(Settings(mode=mode), address)
