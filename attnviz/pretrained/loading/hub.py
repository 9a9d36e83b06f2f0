"""Models from a hub: what a model needs is listed, weighed and fetched; files that came whole are kept.

Only safetensors, tokenizer and configuration files of the top folder are fetched, never code. `HF_ENDPOINT` names a
mirror, `HF_HOME` where files are kept, `HF_HUB_OFFLINE=1` forbids the network. Nothing here opens a model.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviz.core.errors import UnknownModel, UnsupportedModel, WrongWeights
from attnviz.pretrained.loading.checksum import check_whole
from attnviz.pretrained.loading.folder import CONFIG, INDEX, WEIGHTS

HUB = "https://huggingface.co"  # where models come from if HF_ENDPOINT names no other place
LONGEST_NAME = 200  # characters; a hub gives 96 to owner/name, a revision has 40
NAME = re.compile(r"(?P<repo>[\w-][\w.-]*/[\w-][\w.-]*)(@(?P<revision>[\w./-]+))?")
NEEDED = re.compile(
    r"config\.json|generation_config\.json|model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json|"
    r"tokenizer(_config)?\.json|special_tokens_map\.json|added_tokens\.json|vocab\.(json|txt)|target_vocab\.json|"
    r"merges\.txt|[\w.-]+\.(model|spm)"
)

Progress = Callable[[int, int], None]  # (bytes that are here, bytes in all)


@dataclass(frozen=True)
class Fetched:
    """A model's folder on this machine, and what the hub said about it."""

    folder: Path
    repo: str
    revision: str  # the commit, if known
    licence: str  # as the model's page states it; empty where the hub was not asked
    source: str  # the page


@dataclass(frozen=True)
class Listing:
    """What a hub has of a model."""

    revision: str
    sizes: dict[str, int]  # bytes, by file name
    hashes: dict[str, str]  # SHA-256 of the large files, by file name
    licence: str


def endpoint() -> str:
    """The hub in force."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or HUB


def is_hub_name(name: str) -> bool:
    """Whether a name could be a model's on a hub: owner/name, or owner/name@revision."""
    return len(name) <= LONGEST_NAME and NAME.fullmatch(name) is not None and ".." not in name


def fetch(name: str, on_progress: Progress | None = None) -> Fetched:
    """The folder of a model of the hub, fetched if it is not here yet.

    Args:
        name: owner/name, or owner/name@revision.
        on_progress: told how many bytes are here, out of how many, while they come.
    Raises:
        UnknownModel: the hub has no such model, wants a login, or cannot be reached; the message says what to do.
        WrongWeights: it has no safetensors; other weights may be pickles and stay where they are. Or a file came
            damaged.
        UnsupportedModel: there is no room for it on the disk.
    """
    from huggingface_hub import constants  # takes a second

    match = NAME.fullmatch(name)
    assert match is not None  # asked by is_hub_name
    repo, revision = match["repo"], match["revision"]
    if constants.is_offline_mode():
        return kept(repo, revision)
    try:
        return fetched(repo, revision, on_progress)
    except UnknownModel as error:
        if error.id != "hub-unreachable":
            raise
        try:  # what is here whole needs no hub
            return kept(repo, revision)
        except UnknownModel:
            raise error from None


def fetched(repo: str, revision: str | None, on_progress: Progress | None) -> Fetched:
    """`fetch`, with the hub asked for what there is."""
    from huggingface_hub import hf_hub_download, try_to_load_from_cache  # takes a second

    with reachable(repo):
        listing = listed(repo, revision)
        refuse_pickles(repo, listing.sizes)
        refuse_full_disk(repo, sum(listing.sizes.values()))
        count = Count(sum(listing.sizes.values()), on_progress)
        folder = Path()
        # The configuration comes first and by the revision's own name, which the client then knows offline too.
        for file, size in sorted(listing.sizes.items(), key=lambda one: (one[0] != CONFIG, one[1])):
            wanted = revision if file == CONFIG else listing.revision
            was_here = isinstance(try_to_load_from_cache(repo, file, revision=listing.revision), str)
            path = hf_hub_download(repo, file, revision=wanted, endpoint=endpoint(), tqdm_class=count.bar())
            if not was_here:
                check_whole(repo, Path(path), listing.hashes.get(file))
            folder = Path(path).parent
            count.finish(size)
    return Fetched(folder, repo, listing.revision, listing.licence, f"{endpoint()}/{repo}")


def kept(repo: str, revision: str | None) -> Fetched:
    """A model that was fetched before, with the network forbidden.

    Raises:
        UnknownModel: it is not here, or not all of it; the message says which files lack and what to do.
    """
    from huggingface_hub import constants, try_to_load_from_cache

    found = try_to_load_from_cache(repo, CONFIG, revision=revision)
    if not isinstance(found, str):
        raise UnknownModel(
            f"{repo} is not on this machine, and HF_HUB_OFFLINE=1 forbids to fetch it. On a machine that reaches "
            f"{endpoint()} run: hf download {repo} - then copy the folder here and name it, or copy "
            f"{constants.HF_HUB_CACHE}.",
            id="offline",
            model=repo,
            endpoint=endpoint(),
            cache=str(constants.HF_HUB_CACHE),
        )
    folder = Path(found).parent
    missing = lacking(folder)
    if missing:
        raise UnknownModel(
            f"{repo} is only partly on this machine: {', '.join(missing)} lacks, and HF_HUB_OFFLINE=1 forbids to fetch "
            f"it. Run hf download {repo} where {endpoint()} can be reached.",
            id="offline-partly",
            model=repo,
            files=", ".join(missing),
            endpoint=endpoint(),
        )
    return Fetched(folder, repo, folder.name, "", f"{endpoint()}/{repo}")


def lacking(folder: Path) -> list[str]:
    """The files without which a fetched model cannot be opened, of those that are not there."""
    if (folder / INDEX).is_file():
        try:
            named = sorted(set(json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"].values()))
        except (ValueError, KeyError, AttributeError, TypeError):
            named = []  # check_folder says what is wrong with it
        return [name for name in named if not (folder / str(name)).is_file()]
    return [] if (folder / WEIGHTS).is_file() else [WEIGHTS]


def listed(repo: str, revision: str | None) -> Listing:
    """The files a model needs, with their sizes, as the hub lists them."""
    from huggingface_hub import HfApi

    told = HfApi(endpoint=endpoint()).model_info(repo, revision=revision, files_metadata=True)
    needed = [file for file in told.siblings or [] if NEEDED.fullmatch(file.rfilename)]
    files = {file.rfilename: file.size or 0 for file in needed}
    hashes = {file.rfilename: file.lfs.sha256 for file in needed if file.lfs is not None}
    if INDEX in files:
        files.pop(WEIGHTS, None)
    licence = getattr(told.card_data, "license", None) if told.card_data is not None else None
    return Listing(told.sha or revision or "main", files, hashes, licence if isinstance(licence, str) else "")


def refuse_pickles(repo: str, files: Sequence[str] | dict[str, int]) -> None:
    """Refuse a model that has weights in other files alone."""
    if not any(name.endswith(".safetensors") for name in files):
        raise WrongWeights(
            f"{repo} has no {WEIGHTS} on {endpoint()}. Weights in other files may be pickles, which can run code and "
            "are never fetched; choose a model that is saved as safetensors.",
            id="no-safetensors-on-hub",
            model=repo,
            endpoint=endpoint(),
        )


def refuse_full_disk(repo: str, n_bytes: int) -> None:
    """Refuse a download for which there is no room."""
    from huggingface_hub import constants

    place = Path(constants.HF_HUB_CACHE)
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    if n_bytes > free:
        raise UnsupportedModel(
            f"{repo} is {n_bytes / 1e9:.1f} GB and {place} has {free / 1e9:.1f} GB free. Make room, or set HF_HOME to "
            "another disk.",
            id="disk-full",
            model=repo,
            size=round(n_bytes / 1e9, 1),
            free=round(free / 1e9, 1),
            folder=str(place),
        )


@contextmanager
def reachable(repo: str) -> Iterator[None]:
    """Whatever a hub or the way to it does becomes one sentence."""
    from huggingface_hub import errors

    # its client's own, and the system's; a page of a proxy in the place of an answer is no JSON
    network: tuple[type[Exception], ...] = (*errors.HfHubHTTPError.__bases__, json.JSONDecodeError)
    try:
        yield
    except errors.GatedRepoError as error:
        raise UnknownModel(
            f"{repo} is behind a licence on {endpoint()}. Accept it on its page, then run: hf auth login",
            id="gated-model",
            model=repo,
            endpoint=endpoint(),
        ) from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.EntryNotFoundError) as error:
        raise UnknownModel(
            f"{endpoint()} has no model {repo}, or no such revision of it. Check the spelling: owner/name, or "
            "owner/name@revision.",
            id="not-on-hub",
            model=repo,
            endpoint=endpoint(),
        ) from error
    except network as error:
        reason = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
        raise UnknownModel(
            f"{repo} could not be fetched from {endpoint()}: {reason}. Files that came whole are kept: try "
            "again. Set HF_ENDPOINT to a mirror, or fetch it elsewhere and name its folder.",
            id="hub-unreachable",
            model=repo,
            endpoint=endpoint(),
            reason=reason,
        ) from error


class Count:
    """Adds up the bytes of all files of one download."""

    def __init__(self, total: int, tell: Progress | None) -> None:
        self.total = total
        self.tell = tell
        self.finished = 0  # bytes of whole files
        self.coming = 0  # bytes of the file that is being fetched

    def add(self, n_bytes: int) -> None:
        self.coming += n_bytes
        self.report()

    def finish(self, n_bytes: int) -> None:
        self.finished += n_bytes
        self.coming = 0
        self.report()

    def report(self) -> None:
        if self.tell is not None:
            self.tell(min(self.finished + self.coming, self.total), self.total)

    def bar(self) -> Any:
        """A class that the hub's client makes its progress bar of; it prints nothing and adds up here."""
        count = self

        class Bar:
            def __init__(self, *_: object, initial: int = 0, **__: object) -> None:
                count.coming = initial

            def update(self, n: float | None = 1) -> None:
                count.add(int(n or 0))

            def __enter__(self) -> "Bar":
                return self

            def __exit__(self, *_: object) -> None:
                """Nothing to close."""

            def close(self) -> None:
                """Nothing to close."""

        return Bar
