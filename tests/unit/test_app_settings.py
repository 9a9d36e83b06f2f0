"""The operator's settings: defaults, the sentence for each bad value, and who may be reached by whom."""

import os

import pytest
from attnviz_app.settings import Settings, SettingsError, check_binding, read_settings


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in [name for name in os.environ if name.startswith("ATTNVIZ_")]:
        monkeypatch.delenv(name)


def test_the_default_is_local_with_the_bundled_model():
    settings = read_settings()
    assert (settings.mode, settings.models, settings.address) == ("local", ("minilm-l6",), "127.0.0.1")


def test_hosted_mode_has_to_be_asked_for_and_listens_everywhere(monkeypatch):
    monkeypatch.setenv("ATTNVIZ_MODE", "hosted")
    assert read_settings().address == "0.0.0.0"


def test_models_are_read_as_a_list_with_commas(monkeypatch):
    monkeypatch.setenv("ATTNVIZ_MODELS", " minilm-l6 , other ,")
    assert read_settings().models == ("minilm-l6", "other")


def test_sizes_are_read_with_their_units(monkeypatch):
    monkeypatch.setenv("ATTNVIZ_TRACE_CACHE", "2MiB")
    assert read_settings().trace_cache == 2 * 1024**2


@pytest.mark.parametrize(
    ("name", "value", "words", "id"),
    [
        ("MODE", "public", "it must be local or hosted", "settings-mode"),
        ("MAX_TOKENS", "many", "it must be a number from 4 to 16384", "settings-number"),
        ("MAX_CHARACTERS", "1", "it must be a number from 20 to 100000", "settings-number"),
        ("QUEUE_SECONDS", "-1", "it must be a number from 0 to 600", "settings-number"),
        ("MODEL_CACHE", "big", "it must be a size such as 512MB", "settings-bytes"),
        ("MODELS", " , ", "it must be a list of model names", "settings-models"),
    ],
)
def test_a_bad_value_is_named_with_what_it_must_be(monkeypatch, name, value, words, id):
    monkeypatch.setenv(f"ATTNVIZ_{name}", value)
    with pytest.raises(SettingsError, match=words) as caught:
        read_settings()
    assert f"ATTNVIZ_{name} is set to" in str(caught.value)
    assert caught.value.id == id
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("path", ["/srv/model", "./model", "../model", "~/model", "C:\\model", ".", "\\\\host\\model"])
def test_hosted_mode_refuses_folders_of_the_machine(monkeypatch, path):
    monkeypatch.setenv("ATTNVIZ_MODE", "hosted")
    monkeypatch.setenv("ATTNVIZ_MODELS", f"minilm-l6,{path}")
    with pytest.raises(SettingsError, match="cannot be combined with a folder of this machine"):
        read_settings()


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "192.168.1.4", "::"])
def test_local_mode_refuses_an_address_others_can_reach(address):
    with pytest.raises(SettingsError, match="local mode but listens on"):
        check_binding(Settings(mode="local"), address)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1"])
def test_local_mode_serves_this_machine(address):
    check_binding(Settings(mode="local"), address)


@pytest.mark.parametrize("address", [None, "0.0.0.0", "127.0.0.1"])
def test_hosted_mode_serves_any_address(address):
    check_binding(Settings(mode="hosted"), address)
