"""The list of opened models: kept in a file that may say anything, and never larger than a menu."""

import json

import pytest
from attnviz_app.serving.opened_models import FILE_BYTES, LONGEST, MOST, OpenedModels, config_folder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "opened.json"


def test_what_was_opened_is_there_after_a_restart_newest_first_and_can_be_removed(path):
    opened = OpenedModels(path)
    for name in ("me/a", "ollama:b:latest", "me/a", "/home/模型/c"):
        opened.add(name)
    assert OpenedModels(path).names == opened.names == ("/home/模型/c", "me/a", "ollama:b:latest")
    opened.remove("me/a")
    opened.remove("me/none")
    assert OpenedModels(path).names == ("/home/模型/c", "ollama:b:latest")


def test_two_servers_do_not_forget_each_others_models(path):
    one, other = OpenedModels(path), OpenedModels(path)
    one.add("me/a")
    other.add("me/b")
    one.remove("me/none")
    assert one.names == OpenedModels(path).names == ("me/b", "me/a")


def test_the_oldest_goes_where_there_are_too_many(path):
    opened = OpenedModels(path)
    for at in range(MOST + 2):
        opened.add(f"me/{at}")
    assert len(opened.names) == MOST and "me/1" not in opened.names and "me/2" in opened.names


@pytest.mark.parametrize("content", [
    b"", b"{", b"\xff", b"[]", b"null", b'{"models": 1}', b'{"models": {}}', b"[" * 100_000, b" " * (FILE_BYTES + 1),
    json.dumps({"models": [1, None, "", "a\nb", "\u202ea", "x" * (LONGEST + 1), ["a"]]}).encode(),
])  # fmt: skip
def test_a_file_that_says_something_else_lists_nothing_and_is_written_anew(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    opened = OpenedModels(path)
    assert opened.names == ()
    opened.add("me/a")
    assert OpenedModels(path).names == ("me/a",)


def test_a_list_that_cannot_be_written_lasts_as_long_as_the_server(tmp_path):
    (tmp_path / "file").write_text("")
    opened = OpenedModels(tmp_path / "file" / "opened.json")
    opened.add("me/a")
    opened.add("me/b")
    assert opened.names == ("me/b", "me/a")


def test_without_a_file_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    OpenedModels(None).add("me/a")
    assert list(tmp_path.iterdir()) == [] and config_folder() == tmp_path / "attnviz"
