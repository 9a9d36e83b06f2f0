"""A hub as the hub's own client hears it: lists a folder as a model and gives its files, and can cut a connection."""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

URL = "http://hub.test"
REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class StandIn:
    """What the hub has, what it was asked, and how it misbehaves."""

    repo: str
    folder: Path
    is_gated: bool = False
    cuts: int = 0  # how many downloads of weights end in the middle
    spoils: int = 0  # how many downloads of weights come with one byte changed
    asked: list[tuple[str, str]] = field(default_factory=list)  # method, path

    def client(self) -> httpx2.Client:
        return httpx2.Client(transport=httpx2.MockTransport(self.answer))

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        if not str(request.url).startswith(URL):
            raise httpx2.ConnectError("nobody listens there")
        path = request.url.path
        self.asked.append((request.method, path))
        if path.startswith(f"/api/models/{self.repo}"):
            return self.listing(path)
        if path.startswith((f"/{self.repo}/resolve/{REVISION}/", f"/{self.repo}/resolve/main/")):
            return self.file(self.folder / path.rsplit("/", 1)[1], has_body=request.method == "GET")
        return refusal(404, "RepoNotFound")

    def listing(self, path: str) -> httpx2.Response:
        if self.is_gated:
            return refusal(403, "GatedRepo")
        if "/revision/" in path and path.rsplit("/", 1)[1] not in ("main", REVISION):
            return refusal(404, "RevisionNotFound")
        if "/tree/" in path:
            return httpx2.Response(200, json=[entry(one) for one in sorted(self.folder.iterdir())])
        return httpx2.Response(200, json={"id": self.repo, "sha": REVISION, "cardData": {"license": "apache-2.0"}})

    def file(self, path: Path, *, has_body: bool) -> httpx2.Response:
        whole = path.read_bytes()
        said = {"ETag": f'"{hashlib.sha256(whole).hexdigest()}"', "X-Repo-Commit": REVISION,
                "Content-Length": str(len(whole))}  # fmt: skip
        return httpx2.Response(200, headers=said, content=self.parts(path, whole) if has_body else None)

    def parts(self, path: Path, whole: bytes) -> Iterator[bytes]:
        is_cut, is_spoilt = (path.suffix == ".safetensors" and n > 0 for n in (self.cuts, self.spoils))
        self.cuts, self.spoils = self.cuts - is_cut, self.spoils - is_spoilt
        if is_spoilt:
            whole = whole[:-1] + bytes([whole[-1] ^ 1])
        for first in range(0, len(whole) // 2 if is_cut else len(whole), 4096):  # slowly, so that progress can be seen
            yield whole[first : first + 4096]
            time.sleep(0.01)
        if is_cut:
            raise httpx2.RemoteProtocolError("the connection was cut")


def refusal(status: int, code: str) -> httpx2.Response:
    return httpx2.Response(status, headers={"X-Error-Code": code})


def entry(path: Path) -> dict[str, object]:
    """How a hub lists a file: the checksum of git, and of a large file its SHA-256."""
    whole = path.read_bytes()
    oid = hashlib.sha1(b"blob %d\0" % len(whole) + whole).hexdigest()
    listed: dict[str, object] = {"type": "file", "path": path.name, "size": len(whole), "oid": oid}
    if path.suffix == ".safetensors":
        listed["lfs"] = {"oid": hashlib.sha256(whole).hexdigest(), "size": len(whole), "pointerSize": 134}
    return listed
