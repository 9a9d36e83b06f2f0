"""Models that were fetched from a hub before, in the folder that the hub's own client keeps them in.

Its `scan_cache_dir` asks for the size of every file of every revision and data set; this reads what `main` names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from attnviz.pretrained.loading.hub import is_hub_name
from attnviz.pretrained.on_this_computer.folders import files, subfolders

REPO, SEPARATOR = "models--", "--"
COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Snapshot:
    """The files of one revision of a model."""

    name: str  # as av.load takes it
    folder: Path

    @property
    def n_bytes(self) -> int:
        return sum(path.stat().st_size for path in files(self.folder) if path.is_file())


def snapshots() -> Iterator[Snapshot]:
    """The revision `main` of every model here, else any revision."""
    from huggingface_hub import constants

    for repo in subfolders(Path(constants.HF_HUB_CACHE)):
        parts = repo.name.split(SEPARATOR)
        if not repo.name.startswith(REPO) or len(parts) not in (2, 3):
            continue
        here = [folder.name for folder in subfolders(repo / "snapshots") if COMMIT.fullmatch(folder.name)]
        commit = main_of(repo)
        if not here or (commit is not None and commit not in here):
            continue
        folder, name = repo / "snapshots" / (commit or here[0]), "/".join(parts[1:])
        named = name if commit is not None else f"{name}@{here[0]}"
        yield Snapshot(named if is_hub_name(named) else str(folder), folder)


def main_of(repo: Path) -> str | None:
    """The commit that a cache calls `main`, if it does."""
    try:
        with (repo / "refs" / "main").open("rb") as opened:
            commit = opened.read(64).decode("ascii", "replace").strip()
    except OSError:
        return None
    return commit if COMMIT.fullmatch(commit) else None
