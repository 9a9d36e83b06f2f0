"""Whether a file that was fetched is the one that the hub has, byte for byte: a connection can change it on the way."""

import hashlib
from pathlib import Path

from attnviz.core.errors import WrongWeights


def check_whole(repo: str, path: Path, sha256: str | None) -> None:
    """Refuse a file that is another than the hub's, and remove it, so that it is fetched anew the next time.

    Args:
        path: the file, or the link to it in the cache. sha256: of the hub's, in hex; None where it states none.
    Raises:
        WrongWeights: says which file.
    """
    if sha256 is None:
        return
    with path.open("rb") as file:
        came = hashlib.file_digest(file, "sha256").hexdigest()
    if came == sha256.lower():
        return
    for one in (path.resolve(), path):  # the file, then the link to it
        one.unlink(missing_ok=True)
    raise WrongWeights(
        f"{path.name} of {repo} was changed on its way: expected SHA-256 {sha256[:12]}…, came {came[:12]}…. It was "
        "removed; try again, or set HF_ENDPOINT to another mirror.",
        id="came-damaged",
        model=repo,
        file=path.name,
    )
