"""Texts of any number from files: a line of .txt, the field `text` of .jsonl and .parquet. Never all in memory."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from attnviz.core.errors import InputError


def files_of(path: Path) -> tuple[Path, ...]:
    """The files of texts that a path names: itself, or those below a folder in the order of their names."""
    inside = sorted(path.rglob("*")) if path.is_dir() else [path]
    files = tuple(file for file in inside if file.is_file() and file.suffix in READERS)
    if not files:
        raise InputError(id="no-corpus", path=str(path), kinds=", ".join(READERS))
    return files


def shards_of(files: Sequence[Path], size: int) -> Iterator[list[str]]:
    """All texts in order, so many at a time; empty ones are left out. A file that cannot be read is named."""
    texts = (text for file in files for text in read(file) if text)
    while shard := list(islice(texts, size)):
        yield shard


def read(file: Path) -> Iterator[str]:
    """The texts of one file, without blanks around them."""
    number = 0
    try:
        for number, text in enumerate(READERS[file.suffix](file), start=1):  # noqa: B007
            yield text.strip()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InputError(id="unreadable-corpus", file=str(file), number=number) from error


def _lines(file: Path) -> Iterator[str]:
    with open(file, encoding="utf-8") as lines:
        yield from lines


def _json_lines(file: Path) -> Iterator[str]:
    yield from (json.loads(line)["text"] for line in _lines(file) if line.strip())


def _parquet(file: Path) -> Iterator[str]:
    from pyarrow import parquet

    for batch in parquet.ParquetFile(file).iter_batches(batch_size=1024, columns=["text"]):
        yield from batch.column("text").to_pylist()


READERS = {".txt": _lines, ".jsonl": _json_lines, ".parquet": _parquet}
