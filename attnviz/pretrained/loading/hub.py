"""Fetches a model from a hub: only the files a model needs, after a check of the disk, verified by their checksums.

Only safetensors, tokenizer and configuration files of the top folder are fetched, never code. `HF_ENDPOINT` names a
mirror, `HF_HOME` the folder of downloads, `HF_HUB_OFFLINE=1` forbids the network. Nothing here opens a model.
"""

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviz.core.errors import UnknownModel, UnsupportedModel, WrongWeights
from attnviz.core.progress import OnProgress
from attnviz.pretrained.loading.download import SilentBar, run_download
from attnviz.pretrained.loading.folder import CONFIG, WEIGHTS

HUB = "https://huggingface.co"  # where models come from unless HF_ENDPOINT names another place
LONGEST_NAME = 200  # characters; a hub gives 96 to owner/name, a revision has 40
NAME = re.compile(r"(?P<repo>[\w-][\w.-]*/[\w-][\w.-]*)(@(?P<revision>[\w./-]+))?")
NEEDED = [
    CONFIG, "generation_config.json", WEIGHTS, "model-*-of-*.safetensors", "model.safetensors.index.json",
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.json",
    "vocab.txt", "target_vocab.json", "merges.txt", "*.model", "*.spm", "adapter_config.json",
    "adapter_model.safetensors",
]  # fmt: skip
FILES: dict[str, Any] = {"allow_patterns": NEEDED, "ignore_patterns": ["*/*"]}


@dataclass(frozen=True)
class Fetched:
    """A model's folder on this machine, and what the hub said about it."""

    folder: Path
    repo: str
    revision: str  # the commit
    licence: str  # as the model's page states it; empty where the hub was not asked
    source: str  # the page


def endpoint() -> str:
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or HUB


def is_hub_name(name: str) -> bool:
    """Whether a name could be a model's on a hub: owner/name, or owner/name@revision."""
    return len(name) <= LONGEST_NAME and NAME.fullmatch(name) is not None and ".." not in name


def fetch(name: str, on_progress: OnProgress | None = None) -> Fetched:
    """The folder of a model of the hub, by owner/name or owner/name@revision; fetched if it is not here yet."""
    from huggingface_hub import constants  # takes a second

    match = NAME.fullmatch(name)
    assert match is not None  # asked by is_hub_name
    repo, revision = match["repo"], match["revision"]
    if constants.is_offline_mode():
        return from_cache(repo, revision)
    try:
        return from_hub(repo, revision, on_progress)
    except UnknownModel as error:
        if error.id != "hub-unreachable":
            raise
        try:  # a model that is here whole needs no hub
            return from_cache(repo, revision)
        except UnknownModel:
            raise error from None


def from_hub(repo: str, revision: str | None, on_progress: OnProgress | None) -> Fetched:
    """The model as the hub has it; files that are here already are not fetched again."""
    from huggingface_hub import HfApi

    hub = HfApi(endpoint=endpoint())
    with reachable(repo):
        page = hub.model_info(repo, revision=revision)
        listed = hub.snapshot_download(repo, revision=revision, **FILES, dry_run=True, tqdm_class=SilentBar)
        missing = {file.filename: file.file_size or 0 for file in listed if file.will_download}
        refuse_pickles(repo, [file.filename for file in listed])
        refuse_full_disk(repo, sum(missing.values()))
        folder = run_download(
            lambda bar: hub.snapshot_download(repo, revision=revision, **FILES, tqdm_class=bar),
            sum(missing.values()),
            on_progress,
        )
        if missing:
            check_files(repo, Path(folder), hub.verify_repo_checksums(repo, revision=page.sha).mismatches)
    licence = getattr(page.card_data, "license", None)
    licence = licence if isinstance(licence, str) else ""
    return Fetched(Path(folder), repo, page.sha or "", licence, f"{endpoint()}/{repo}")


def from_cache(repo: str, revision: str | None) -> Fetched:
    """A model that was fetched before, with the network forbidden."""
    from huggingface_hub import constants, errors, snapshot_download

    folder = None
    with suppress(errors.LocalEntryNotFoundError):
        folder = Path(snapshot_download(repo, revision=revision, **FILES, local_files_only=True))
    if folder is None or not any(folder.glob("*.safetensors")):
        raise UnknownModel(id="offline", model=repo, endpoint=endpoint(), cache=str(constants.HF_HUB_CACHE))
    return Fetched(folder, repo, folder.name, "", f"{endpoint()}/{repo}")


def cached_config(name: str) -> Path | None:
    """The configuration of a model that was fetched before; None where there is none."""
    from huggingface_hub import try_to_load_from_cache

    match = NAME.fullmatch(name)
    found = try_to_load_from_cache(match["repo"], CONFIG, revision=match["revision"]) if match else None
    return Path(found) if isinstance(found, str) else None


def refuse_pickles(repo: str, files: Collection[str]) -> None:
    if not any(name.endswith(".safetensors") for name in files):
        raise WrongWeights(id="no-safetensors-on-hub", model=repo, endpoint=endpoint())


def refuse_full_disk(repo: str, n_bytes: int) -> None:
    from huggingface_hub import constants

    place = Path(constants.HF_HUB_CACHE)
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    if n_bytes > free:
        raise UnsupportedModel(
            id="disk-full", model=repo, size=round(n_bytes / 1e9, 1), free=round(free / 1e9, 1), folder=str(place),
        )  # fmt: skip


def check_files(repo: str, folder: Path, mismatches: Collection[Any]) -> None:
    """Refuse files whose checksum is not the hub's, and remove them, so that they are fetched again next time."""
    for mismatch in mismatches:
        path = folder / mismatch["path"]
        for file in (path.resolve(), path):  # the file, then the link to it
            file.unlink(missing_ok=True)
    if mismatches:
        first = next(iter(mismatches))
        raise WrongWeights(
            id="came-damaged", model=repo, file=first["path"],
            expected=first["expected"][:12], came=first["actual"][:12],
        )  # fmt: skip


@contextmanager
def reachable(repo: str) -> Iterator[None]:
    """Turns every failure of the hub, or of the way to it, into one sentence."""
    from huggingface_hub import errors

    # Its client's own errors and the system's; a proxy's page in place of an answer is no JSON.
    network: tuple[type[Exception], ...] = (
        *errors.HfHubHTTPError.__bases__, errors.XetDownloadError, json.JSONDecodeError,
    )  # fmt: skip
    not_found = (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.RemoteEntryNotFoundError)
    try:
        yield
    except errors.GatedRepoError as error:
        raise UnknownModel(id="gated-model", model=repo, endpoint=endpoint()) from error
    except not_found as error:
        raise UnknownModel(id="not-on-hub", model=repo, endpoint=endpoint()) from error
    except network as error:
        reason = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
        raise UnknownModel(id="hub-unreachable", model=repo, endpoint=endpoint(), reason=reason) from error
