"""`attnviz shortcut`: the dashboard in the desktop's menu, written by each system's own documentation.

Linux: Desktop Entry Specification 1.5. macOS: Bundle Programming Guide. Windows: WshShortcut of Windows Script Host.
"""

import argparse
import os
import plistlib
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from attnviz.cli import command, window
from attnviz.cli.app import dashboard
from attnviz.cli.command import Answer
from attnviz.files import write_whole

ARGUMENTS = ("-P", "-m", "attnviz.cli", "app")
POWERSHELL = (
    "$link = (New-Object -ComObject WScript.Shell).CreateShortcut($env:ATTNVIZ_LINK); "
    "$link.TargetPath = $env:ATTNVIZ_PYTHON; $link.Arguments = $env:ATTNVIZ_ARGUMENTS; "
    "$link.WindowStyle = 7; $link.Save()"  # 7: minimized
)


def add(commands: Any) -> None:
    command.add(commands, shortcut, "attnviz shortcut")


def shortcut(asked: argparse.Namespace) -> Answer:
    """Put the dashboard into this desktop's menu."""
    path = {"darwin": _bundle, "win32": _link}.get(sys.platform, _entry)()
    return Answer({"file": str(path)}, [f"{path}: opens the dashboard. Delete it to take it out of the menu again."])


def _entry() -> Path:
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "applications"
    # A value's own backslashes are doubled once more; a program's percent sign is, too.
    quoted = (re.sub(r'(["`$\\])', r"\\\1", part).replace("\\", r"\\").replace("%", "%%") for part in _command())
    lines = (
        "[Desktop Entry]", "Type=Application", "Name=AttnViz", "Comment=See attention being computed",
        "Exec=" + " ".join(f'"{part}"' for part in quoted), f"Icon={dashboard() / 'static' / 'mark.svg'}",
        f"Terminal={'false' if window.browser() else 'true'}",  # where no window ends the server, Ctrl+C does
        "Categories=Education;ArtificialIntelligence;",
    )  # fmt: skip
    path = folder / "attnviz.desktop"
    write_whole(path, ("\n".join(lines) + "\n").encode())
    return path


def _bundle() -> Path:
    bundle = Path.home() / "Applications" / "AttnViz.app"
    program = bundle / "Contents" / "MacOS" / "AttnViz"
    write_whole(program, f"#!/bin/sh\nexec {shlex.join(_command())}\n".encode())
    program.chmod(0o755)
    about = {"CFBundleName": "AttnViz", "CFBundleExecutable": "AttnViz", "CFBundleIdentifier": "org.attnviz.app",
             "CFBundlePackageType": "APPL"}  # fmt: skip
    write_whole(bundle / "Contents" / "Info.plist", plistlib.dumps(about))
    return bundle


def _link() -> Path:
    path = Path(os.environ["APPDATA"], "Microsoft", "Windows", "Start Menu", "Programs", "AttnViz.lnk")
    python, *arguments = _command()
    values = {"LINK": str(path), "PYTHON": python, "ARGUMENTS": " ".join(arguments)}
    environment = {**os.environ, **{f"ATTNVIZ_{name}": value for name, value in values.items()}}
    subprocess.run(["powershell", "-NoProfile", "-Command", POWERSHELL], env=environment, check=True)
    return path


def _command() -> list[str]:
    return [sys.executable, *ARGUMENTS]
