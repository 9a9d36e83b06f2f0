"""A hub on this machine: lists a folder as a model and serves its files, with ranges, and can cut a connection."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

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
    url: str = ""


def handler_of(hub: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            hub.asked.append((self.command, path))
            if path.startswith(f"/api/models/{hub.repo}"):
                self.listing(path)
            elif path.startswith((f"/{hub.repo}/resolve/{REVISION}/", f"/{hub.repo}/resolve/main/")):
                self.file(hub.folder / path.rsplit("/", 1)[1])
            else:
                self.refuse(404, "RepoNotFound")

        do_HEAD = do_GET

        def listing(self, path: str) -> None:
            if hub.is_gated:
                return self.refuse(403, "GatedRepo")
            if "/revision/" in path and path.rsplit("/", 1)[1] not in ("main", REVISION):
                return self.refuse(404, "RevisionNotFound")
            told: object = {"id": hub.repo, "sha": REVISION, "cardData": {"license": "apache-2.0"}}
            if "/tree/" in path:
                told = [entry(one) for one in sorted(hub.folder.iterdir())]
            self.send(200, json.dumps(told).encode(), {"Content-Type": "application/json"})

        def refuse(self, status: int, code: str) -> None:
            self.send(status, b"{}", {"X-Error-Code": code})

        def send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def file(self, path: Path) -> None:
            whole = path.read_bytes()
            start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
            self.send_response(206 if start else 200)
            self.send_header("ETag", f'"{hashlib.sha256(whole).hexdigest()}"')
            self.send_header("X-Repo-Commit", REVISION)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(len(whole) - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(whole) - 1}/{len(whole)}")
            self.end_headers()
            if self.command == "HEAD":
                return
            if path.suffix == ".safetensors" and hub.cuts > 0:
                hub.cuts -= 1
                self.wfile.write(whole[start : start + (len(whole) - start) // 2])
                self.close_connection = True
                return
            if path.suffix == ".safetensors" and hub.spoils > 0:
                hub.spoils -= 1
                whole = whole[:-1] + bytes([whole[-1] ^ 1])
            for first in range(start, len(whole), 4096):  # slowly, so that progress can be seen
                self.wfile.write(whole[first : first + 4096])
                time.sleep(0.01)

    return Handler


def entry(path: Path) -> dict[str, object]:
    """How a hub lists a file: the checksum of git, and of a large file its SHA-256."""
    whole = path.read_bytes()
    oid = hashlib.sha1(b"blob %d\0" % len(whole) + whole).hexdigest()
    listed: dict[str, object] = {"type": "file", "path": path.name, "size": len(whole), "oid": oid}
    if path.suffix == ".safetensors":
        listed["lfs"] = {"oid": hashlib.sha256(whole).hexdigest(), "size": len(whole), "pointerSize": 134}
    return listed


@contextmanager
def served(hub: StandIn) -> Iterator[StandIn]:
    """Serve the hub on a free port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(hub))
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)  # looks so often for its end
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
