"""What kind of model a name is, by its small files on this computer: no weight is read, nothing fetched."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from attnviz.core.errors import AttnvizError
from attnviz.pretrained.known_models import FETCHED
from attnviz.pretrained.loading.folder import CONFIG, read_json
from attnviz.pretrained.loading.hub import cached_config, is_hub_name
from attnviz.pretrained.loading.package_file import present
from attnviz.pretrained.on_this_computer.names import file_of, is_kept_name

KEPT = 512  # files that are remembered; one that changes is read again


def model_type(name: str) -> str:
    """As transformers calls it, "llama"; "" where it is not on this computer or does not say."""
    with suppress(AttnvizError, OSError, ValueError):  # a name with a null byte
        path = _path_of(name)
        if path is not None:
            file = path / CONFIG if path.is_dir() else path
            held = file.stat()
            return _said_in(file, held.st_size, held.st_mtime_ns)
    return ""


def _path_of(name: str) -> Path | None:
    if name in FETCHED:
        return present(FETCHED[name])
    if is_kept_name(name):
        return file_of(name)
    path = Path(name).expanduser()
    if not path.exists() and is_hub_name(name):
        return cached_config(name)
    return path


@lru_cache(KEPT)
def _said_in(file: Path, n_bytes: int, changed: int) -> str:
    if file.name == CONFIG:
        return str(read_json(file).get("model_type", ""))
    from attnviz.pretrained.loading.gguf.configuration import row_of  # imports transformers
    from attnviz.pretrained.loading.gguf.header import read_header

    return row_of(read_header(file)).model_type
