"""`attnviz doctor`: what runs here and what would be used, on one screen, to be copied into a report."""

import argparse
import os
import platform
import shutil
import subprocess
import sys
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import Answer
from attnviz.cli.network import free_port
from attnviz.core.version import installed_version

PACKAGES = ("attnviz", "torch", "transformers", "streamlit", "anywidget")


def add(commands: Any) -> None:
    command.add(commands, doctor, "attnviz doctor --json")


def doctor(asked: argparse.Namespace) -> Answer:
    """Say what runs here and what would be used."""
    from attnviz.catalog import devices, fetched_checksums  # torch and transformers load here

    checksums = fetched_checksums()
    spoilt = [said for said in checksums.values() if said and len(said) != 64]
    present = devices()
    data = {
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{name: installed_version(name) for name in PACKAGES},
        **{f"weights of {name}": _weights(name, said) for name, said in checksums.items()},
        "port": str(free_port()),
        "chinese fonts": _chinese_fonts(),
        "memory": _memory(),
        "processors": str(os.cpu_count()),
        "devices": ", ".join(present),
        "would run on": f"{os.environ.get('ATTNVIZ_DEVICE', 'cpu')}; auto means {present[-1]}",
        "settings": " ".join(f"{name}={value}" for name, value in sorted(os.environ.items())
                             if name.startswith("ATTNVIZ_")) or "none: every ATTNVIZ_ variable is at its default",
    }  # fmt: skip
    widest = 2 + max(map(len, data))
    return Answer(data, [f"{name:<{widest}}{value}" for name, value in data.items()], code=1 if spoilt else 0)


def _weights(name: str, said: str) -> str:
    """What is known of a model's weights: their checksum, what is wrong with them, or nothing."""
    if not said:
        return f"not here yet; run: attnviz get {name}"
    return f"sha256 {said}, as expected" if len(said) == 64 else said


def _chinese_fonts() -> str:
    if sys.platform in ("darwin", "win32"):
        return "the system's own"
    if shutil.which("fc-list") is None:
        return "not known: fc-list is not installed (package fontconfig)"
    listed = subprocess.run(["fc-list", ":lang=zh-cn", "family"], capture_output=True, text=True, check=False).stdout
    families = sorted({line.split(",")[0] for line in listed.splitlines() if line})
    return ", ".join(families[:3]) or "none: install one, for instance fonts-noto-cjk"


def _memory() -> str:
    try:
        page = os.sysconf("SC_PAGE_SIZE") / 2**30
        return f"{page * os.sysconf('SC_PHYS_PAGES'):.1f} GiB, {page * os.sysconf('SC_AVPHYS_PAGES'):.1f} free"
    except (AttributeError, ValueError, OSError):  # not on Windows and macOS
        return "not known"
