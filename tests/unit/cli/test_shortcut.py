"""`attnviz shortcut` writes what each system's documentation asks for."""

import json
import plistlib
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from attnviz.cli import main, window

COMMAND = [sys.executable, "-P", "-m", "attnviz.cli", "app"]


@pytest.mark.parametrize("program", ["/usr/bin/chromium", None])
def test_linux_gets_a_desktop_entry(tmp_path: Path, monkeypatch, capsys, program: str | None) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(window, "browser", lambda: program)
    assert main(["shortcut", "--json"]) == 0
    path = Path(json.loads(capsys.readouterr().out)["file"])
    assert path == tmp_path / "applications" / "attnviz.desktop"
    entry = dict(line.split("=", 1) for line in path.read_text().splitlines()[1:])
    assert shlex.split(entry["Exec"]) == COMMAND and Path(entry["Icon"]).is_file()
    assert entry["Terminal"] == ("false" if program else "true")


def test_what_a_path_may_hold_is_quoted(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", r'/a b/50%/$x`"\python')
    main(["shortcut"])
    assert r'Exec="/a b/50%%/\\$x\\`\\"\\\\python" "-P"' in (tmp_path / "applications/attnviz.desktop").read_text()


def test_macos_gets_a_bundle(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["shortcut"]) == 0
    contents = tmp_path / "Applications" / "AttnViz.app" / "Contents"
    about = plistlib.loads((contents / "Info.plist").read_bytes())
    program = contents / "MacOS" / about["CFBundleExecutable"]
    assert program.read_text() == f"#!/bin/sh\nexec {shlex.join(COMMAND)}\n" and program.stat().st_mode & 0o111


def test_windows_gets_a_link_by_its_own_script_host(tmp_path: Path, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.setattr(subprocess, "run", lambda command, **options: asked.append((command, options["env"])))
    assert main(["shortcut"]) == 0
    ((command, environment),) = asked
    assert command[0] == "powershell" and "CreateShortcut($env:ATTNVIZ_LINK)" in command[-1]
    assert environment["ATTNVIZ_PYTHON"] == sys.executable and environment["ATTNVIZ_LINK"].endswith("AttnViz.lnk")
    assert environment["ATTNVIZ_ARGUMENTS"] == "-P -m attnviz.cli app"
