"""Fetching from a hub, against a stand-in on this machine: whole, cut, gated, unknown, offline, and never code."""

import re
import shutil
import threading
from unittest.mock import Mock

import httpx2
import pytest
from huggingface_hub import constants, set_client_factory
from huggingface_hub.utils._http import default_client_factory
from transformers import AutoModelForCausalLM

from attnviz import catalog, cli
from attnviz.core.errors import AttnvizError, UnknownModel, WrongWeights
from attnviz.pretrained.loading import download, hub
from tests.parity.tiny_models import eager_module
from tests.parity.tiny_models import saved as save
from tests.unit.pretrained.hub_stand_in import REVISION, URL, StandIn

REPO = "someone/tiny"
GPT = {"n_embd": 16, "n_layer": 2, "n_head": 2, "vocab_size": 257, "n_positions": 32, "bos_token_id": 256,
       "eos_token_id": 256}  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A tiny model's folder, with files beside it that no model needs."""
    folder = tmp_path_factory.mktemp("hub") / "tiny"
    save(eager_module("gpt2", GPT, AutoModelForCausalLM), folder)
    (folder / "modeling_tiny.py").write_text("raise SystemExit")
    (folder / "pytorch_model.bin").write_bytes(b"pickle")
    (folder / "README.md").write_text("# tiny")
    return folder


@pytest.fixture
def stand_in(saved, tmp_path, monkeypatch):
    """The stand-in as the hub in use, with an empty cache of its own."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 4096)
    monkeypatch.setattr(download, "POLL_SECONDS", 0.001)
    monkeypatch.setenv("HF_ENDPOINT", URL)
    hub = StandIn(REPO, shutil.copytree(saved, tmp_path / "served"))
    set_client_factory(hub.client)
    yield hub
    set_client_factory(default_client_factory)


def downloads(stand_in: StandIn) -> list[str]:
    return [path.rsplit("/", 1)[1] for method, path in stand_in.asked if method == "GET" and "/resolve/" in path]


def test_what_a_model_needs_is_fetched_once_and_it_is_verified_and_says_where_it_is_from(stand_in):
    told: list[tuple[int, int]] = []
    model = catalog.load(REPO, on_progress=lambda *now: told.append(now))
    card, fetched = model.card, downloads(stand_in)
    assert model.trace("hello").verified.holds and card.probe_difference < 1e-5
    assert (card.id, card.name, card.revision, card.licence) == (REPO, REPO, REVISION, "apache-2.0")
    assert card.source == f"{URL}/{REPO}"
    assert told == sorted(told) and told[-1][0] == told[-1][1] and len({came for came, _ in told}) > 5
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(fetched)
    assert not any(name.endswith((".py", ".bin", ".md")) for name in fetched)
    assert hub.fetch(f"{REPO}@{REVISION}").revision == REVISION and downloads(stand_in) == fetched


def test_a_connection_that_stays_cut_is_a_sentence_and_a_second_try_succeeds(stand_in, monkeypatch):
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda seconds: None)
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 1 << 20)  # more than the server gives before it cuts
    stand_in.cuts = 1000
    with pytest.raises(UnknownModel, match=r"could not be fetched from http://hub\.test.*HF_ENDPOINT") as error:
        catalog.load(REPO)
    assert error.value.id == "hub-unreachable"
    stand_in.cuts = 0
    assert catalog.load(REPO).trace("hello").verified.holds


def test_weights_that_come_damaged_are_refused_and_fetched_again(stand_in):
    stand_in.spoils = 1
    with pytest.raises(WrongWeights, match=r"model\.safetensors of someone/tiny came damaged") as error:
        catalog.load(REPO)
    assert error.value.id == "came-damaged"
    assert catalog.load(REPO).trace("hello").verified.holds
    assert downloads(stand_in).count("model.safetensors") == 2


def test_ctrl_c_ends_a_download(stand_in):
    with pytest.raises(KeyboardInterrupt):
        hub.fetch(REPO, Mock(side_effect=KeyboardInterrupt))
    for thread in threading.enumerate():
        if thread.name.startswith(download.THREAD):
            thread.join(30)
            assert not thread.is_alive()
    assert not list((stand_in.folder.parent / "cache").rglob("snapshots/*/model.safetensors"))


def no_hub(stand_in, monkeypatch):
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)  # between its tries
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")


def offline(stand_in, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)


@pytest.mark.parametrize(
    ("away", "id", "says"),
    [(no_hub, "hub-unreachable", "could not be fetched"),
     (offline, "offline", "neither a folder .* nor a complete model .*, and “HF_HUB_OFFLINE=1” .* “hf download")],
)  # fmt: skip
def test_what_was_fetched_whole_needs_no_hub_and_what_is_not_here_is_said(stand_in, monkeypatch, away, id, says):
    fetched = hub.fetch(REPO)
    away(stand_in, monkeypatch)
    asked = len(stand_in.asked)
    again = hub.fetch(REPO)
    assert (again.folder, again.repo, again.source) == (fetched.folder, REPO, f"{hub.endpoint()}/{REPO}")
    (fetched.folder / "model.safetensors").unlink()
    for name in ("someone/else", REPO):
        with pytest.raises(UnknownModel, match=says) as error:
            catalog.load(name)
        assert error.value.id == id
    assert len(stand_in.asked) == asked


def a_proxys_page(stand_in, monkeypatch):
    monkeypatch.setattr(stand_in, "listing", lambda path: httpx2.Response(200, html="<html>"))


def gated(stand_in, monkeypatch):
    stand_in.is_gated = True


def pickles_only(stand_in, monkeypatch):
    (stand_in.folder / "model.safetensors").unlink()


def a_full_disk(stand_in, monkeypatch):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(hub.shutil, "disk_usage", lambda place: usage._replace(free=1000))


@pytest.mark.parametrize(
    ("name", "spoil", "id", "says"),
    [(REPO, no_hub, "hub-unreachable", "could not be fetched from http://127.0.0.1:9"),
     (REPO, a_proxys_page, "hub-unreachable", "could not be fetched"),
     (REPO, gated, "gated-model", "hf auth login"),
     (REPO, pickles_only, "no-safetensors-on-hub", "may be pickles"),
     (REPO, a_full_disk, "disk-full", "Make room, or set “HF_HOME”"),
     ("someone/else", None, "not-on-hub", "There is no folder someone/else here, and http://hub.test has no model of"),
     (f"{REPO}@nowhere", None, "not-on-hub", "or no such revision of it")],
)  # fmt: skip
def test_what_cannot_be_fetched_is_refused_in_a_sentence_and_nothing_is_fetched(
    stand_in, monkeypatch, name, spoil, id, says
):
    if spoil is not None:
        spoil(stand_in, monkeypatch)
    with pytest.raises(AttnvizError, match=re.escape(says)) as error:
        catalog.load(name)
    assert error.value.id == id and downloads(stand_in) == []


@pytest.mark.parametrize("name", ["../up", "a/../b", "a/b/c", "/etc/passwd", "a b/c", "a/b@"])
def test_names_that_are_no_hub_names_are_not_asked_for(name):
    assert not hub.is_hub_name(name)


def test_a_model_of_a_hub_is_fetched_with_a_line_a_tenth(stand_in, capsys):
    assert cli.main(["check", REPO, "--text", "short"]) == 0
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert said.out.endswith("verified\n") and 3 <= len(lines) <= 11
    assert all(line.startswith(f"fetching {REPO}: ") for line in lines)
    came, total = re.fullmatch(r".*: (\S+) of (\S+) MB", lines[-1]).groups()
    assert came == total
