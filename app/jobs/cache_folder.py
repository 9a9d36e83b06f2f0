"""A folder of what was measured, bounded in bytes: the operator's, or one that goes with the process."""

from __future__ import annotations

import tempfile
from pathlib import Path

from attnviz.analysis.file_cache import make_room


class CacheFolder:
    """Where files of one kind are cached."""

    def __init__(self, folder: Path | None, prefix: str, pattern: str, most_bytes: int):
        """Without `folder`, in a temporary one whose name begins with `prefix`; only files of `pattern` ever leave."""
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix=prefix)
        self.path = folder or Path(self._temporary.name if self._temporary else "")
        self._pattern, self._most_bytes = pattern, most_bytes

    def make_room(self) -> None:
        """Remove the files used longest ago."""
        make_room(self.path, self._pattern, self._most_bytes)

    def close(self) -> None:
        """Remove a folder that goes with the process."""
        if self._temporary is not None:
            self._temporary.cleanup()
