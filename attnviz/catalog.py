"""The one door to every model: `load(name)` gives something with `.card` and `.trace(text)`. Keeps nothing loaded."""

import os
from collections.abc import Callable
from functools import partial
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING

from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError, InputError, UnknownModel
from attnviz.core.progress import OnProgress
from attnviz.models.support.own_model import Network, own_model
from attnviz.models.transformer import Decoder, Encoder, EncoderDecoder
from attnviz.pretrained.known_models import FETCHED, HUB, CatalogRow, FetchedModel, Origin
from attnviz.pretrained.loading.device import Device, Dtype, Placement, devices, placement
from attnviz.pretrained.loading.gguf.header import is_gguf
from attnviz.pretrained.loading.gguf.load import load_gguf
from attnviz.pretrained.loading.hub import fetch, is_hub_name
from attnviz.pretrained.loading.load import check_file, load_folder
from attnviz.pretrained.loading.package_file import fetched, present
from attnviz.pretrained.on_this_computer.listing import LocalModel, local_models
from attnviz.pretrained.on_this_computer.model_type import model_type
from attnviz.pretrained.on_this_computer.names import file_of, is_kept_name
from attnviz.trace.model_protocol import Model, model_bytes
from attnviz.training import bundled_models
from attnviz.training.checkpoints import is_trained
from attnviz.training.load import load_trained

if TYPE_CHECKING:
    from attnviz.pretrained.loading.load import PreTrainedModel

LONGEST_PATH = 4096  # characters; Linux opens no longer one
SHOWN = 200  # characters of a name that a message repeats

__all__ = [
    "CatalogRow", "LocalModel", "Shelf", "devices", "fetched_checksums", "get", "is_here",
    "is_kept_name", "known_names", "load", "local_models", "model_type", "rows",
]  # fmt: skip


def rows() -> tuple[CatalogRow, ...]:
    """Every model the catalogue knows: of the package index, trained here, and well-known ones of the hub."""
    packaged = [
        CatalogRow(
            row.name, row.family, row.languages, row.licence, row.source, row.revision, "from the package index"
        ) for row in FETCHED.values()
    ]  # fmt: skip
    trained = [
        CatalogRow(name, "from scratch", (), "Apache-2.0", "LICENSE of AttnViz", state="trained here")
        for name in bundled_models.names()
    ]
    return (*packaged, *trained, *HUB)


def known_names() -> tuple[str, ...]:
    """What `load` knows by name."""
    return (*FETCHED, *bundled_models.names())


def is_here(name: str) -> bool:
    """Whether a model that is known by name can be loaded without a network; its checksum is not asked."""
    return name in known_names() and (name not in FETCHED or present(FETCHED[name]) is not None)


def fetched_checksums() -> dict[str, str]:
    """The sha256 of the weights of each model of the package index that is here, whose files are read for it; "" for
    one that is not; or the sentence that says what is wrong."""
    checksums = {}
    for name, row in FETCHED.items():
        path = present(row)
        try:
            if path is not None:
                check_files(row, path)
            checksums[name] = row.files[0].sha256 if path is not None else ""
        except AttnvizError as error:
            checksums[name] = str(error)
    return checksums


def check_files(known: FetchedModel, path: Path) -> None:
    """Refuse a model with a file that is not, byte for byte, the expected one."""
    for file in known.files:
        check_file(path / file.name if known.is_folder else path, file.sha256)


def load_fetched(known: FetchedModel, path: Path, place: Placement) -> Model:
    """A model of the package index whose file or folder is here."""
    check_files(known, path)
    return (load_folder if known.is_folder else load_gguf)(path, place, known.origin)


def get(name: str, on_progress: OnProgress | None = None) -> Path:
    """Fetch a model that is known by name, or one of the hub, without loading it.

    Args:
        on_progress: told the bytes that are here and the bytes in all; what it raises ends the download.
    Returns:
        its file or folder.
    Raises:
        UnknownModel, WrongWeights, WriteError: as for `load`.
    """
    if name in FETCHED:
        return fetched(FETCHED[name], on_progress)
    if name in bundled_models.names():
        return bundled_models.FOLDER / name
    if is_kept_name(name):
        return file_of(name)
    if os.path.exists(os.path.expanduser(name)):  # a folder or a file that `load` reads needs no fetching
        return Path(name).expanduser()
    if is_hub_name(name):
        return fetch(name, on_progress).folder
    raise unknown(name)


def load(
    name: "str | Path | PreTrainedModel | Network", tokenizer: object = None, *,
    device: Device = None, dtype: Dtype = None, on_progress: OnProgress | None = None,
) -> Model:  # fmt: skip
    """Load a model by its name, or one that is in memory: of transformers, or of `av.models`.

    >>> import attnviz as av
    >>> av.load("reverse").trace("a b c").card.n_heads
    2

    Args:
        name: a name of the catalogue, such as "smollm2-135m" or "translate-en-zh"; the path of a folder as transformers
            or `attnviz train` leaves it, or of a GGUF file, as str or Path, with ~ for home; a model of the hub as
            owner/name or owner/name@revision; or a model of transformers, or an Encoder, Decoder or EncoderDecoder of
            `av.models`, of which a copy is traced as it is now.
        tokenizer: of a model in memory; of one of `av.models` a Vocabulary, or anything with `encode` and `decode`, or
            none, for token ids.
        device: where a pretrained model runs: "cpu" (if not given), "cuda", "mps", or "auto" for the best there is;
            or a torch.device.
        dtype: "float32", "bfloat16" or "float16", or torch's own, of a pretrained model; if not given, that of a model
            in memory, else "float32".
        on_progress: told the bytes that are here and the bytes in all, while a model is fetched; what it raises ends
            the download.
    Returns:
        a model ready to trace; loading takes seconds, so keep it.
    Raises:
        UnknownModel: no such name or folder, or the package index or hub that has the model cannot be reached.
        WrongWeights: its weights are missing, damaged, pickled, or not the expected file.
        UnsupportedModel: its attention cannot be read truly, or its folder asks for what is never done.
        InputError: no such device or dtype here.
    """
    if isinstance(name, Encoder | Decoder | EncoderDecoder):
        return own_model(name, tokenizer)
    if not isinstance(name, str | os.PathLike) and hasattr(name, "save_pretrained"):
        from attnviz.pretrained.loading.in_memory import load_in_memory  # imports transformers

        return load_in_memory(name, tokenizer, device, dtype)
    return loader(name, placement(device, dtype), on_progress)()  # type: ignore[arg-type]  # it refuses others


def loader(name: str | Path, place: Placement, on_progress: OnProgress | None = None) -> Callable[[], Model]:
    """What loads the model of that name; one that is not there is refused now, and one of the hub fetched."""
    if not isinstance(name, str | os.PathLike):
        raise InputError(id="no-model-name", came=type(name).__name__)
    name = os.path.expanduser(name)  # a Path becomes a str
    if name in FETCHED:
        return partial(load_fetched, FETCHED[name], fetched(FETCHED[name], on_progress), place)
    if name in bundled_models.names():
        return partial(bundled_models.load_bundled, name)
    if is_kept_name(name):
        return partial(load_gguf, file_of(name), place, name=name)
    is_path = 0 < len(name) <= LONGEST_PATH
    if is_path and is_trained(Path(name)):
        return partial(load_trained, name)
    if is_path and is_gguf(name):
        return partial(load_gguf, Path(name), place)
    if is_path and (os.path.exists(name) or os.path.isabs(name) or name.startswith(".")):
        return partial(load_folder, Path(name), place)
    if is_hub_name(name):
        fetched_model = fetch(name, on_progress)
        origin = Origin(name, fetched_model.repo, fetched_model.revision, fetched_model.licence, fetched_model.source)
        return partial(load_folder, fetched_model.folder, place, origin)
    raise unknown(name)


def unknown(name: str) -> UnknownModel:
    """The error for a name that nothing has, with what may have been meant."""
    meant = [row.name for row in rows() if name and row.name.casefold().endswith(name.casefold())]  # "gpt2"
    names = ", ".join(dict.fromkeys([*meant, *known_names()]))
    shortened = name if len(name) <= SHOWN else f"{name[:SHOWN]}…"
    return UnknownModel(
        id="unknown-model",
        name=shortened,
        names=names,
    )


SHELF_BYTES = 4 << 30


class Shelf:
    """Models that are loaded once, shared by threads, and let go, the least recently used first, above a byte budget.

    A trace holds the parameters of its model, so a model is out of memory once its traces are.

    >>> import attnviz as av
    >>> shelf = av.Shelf()
    >>> shelf.load("reverse") is shelf.load("reverse")
    True
    """

    def __init__(self, limit: int = SHELF_BYTES):
        """`limit`: bytes of weights kept; a model larger than that is handed over and not kept."""
        if not isinstance(limit, Real) or limit < 0:
            raise InputError(id="bad-shelf-limit", came=repr(limit), example=str(SHELF_BYTES))
        self._models: BoundedCache[Model] = BoundedCache(limit, model_bytes)

    def load(
        self, name: str, *, device: Device = None, dtype: Dtype = None, on_progress: OnProgress | None = None
    ) -> Model:
        """The model of that name, on that device and in that dtype; see `load`. Threads that race for one share it."""
        key = (name, placement(device, dtype))
        return self._models.get(key, lambda: load(name, device=device, dtype=dtype, on_progress=on_progress))

    @property
    def nbytes(self) -> int:
        """Bytes of the weights kept now."""
        return self._models.nbytes

    def __contains__(self, name: object) -> bool:
        return any(isinstance(key, tuple) and key[0] == name for key in self._models.keys)
