"""Folders as Ollama, LM Studio and the hub's client leave them, with tiny models in them."""

import hashlib
import json
import struct
from pathlib import Path

import torch
from safetensors.torch import save_file

MODEL_LAYER = "application/vnd.ollama.image.model"


def gguf(architecture: str = "llama", *, shape: tuple[int, ...] = (32, 4), **metadata: str | int) -> bytes:
    """A GGUF file with one tensor of float32: enough for whoever reads headers alone."""

    def text(said: str) -> bytes:
        return struct.pack("<Q", len(said.encode())) + said.encode()

    pairs = {"general.architecture": architecture, **metadata}
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs))
    for key, value in pairs.items():
        kind = struct.pack("<I", 8) + text(value) if isinstance(value, str) else struct.pack("<II", 4, value)
        head += text(key) + kind
    head += text("token_embd.weight") + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
    head += struct.pack("<IQ", 0, 0)
    n_numbers = 1
    for side in shape:
        n_numbers *= side
    return head + bytes(-len(head) % 32) + bytes(4 * n_numbers)


def ollama(root: Path, name: str, weights: bytes, *, layers: object = None) -> Path:
    """Put a model where Ollama would; `name` is host/namespace/model/tag. Returns the file of its weights."""
    digest = hashlib.sha256(weights).hexdigest()
    blob = root / "blobs" / f"sha256-{digest}"
    blob.parent.mkdir(parents=True, exist_ok=True)
    blob.write_bytes(weights)
    manifest = root / "manifests" / name
    manifest.parent.mkdir(parents=True, exist_ok=True)
    said = [{"mediaType": MODEL_LAYER, "digest": f"sha256:{digest}", "size": len(weights)}]
    manifest.write_text(json.dumps({"schemaVersion": 2, "layers": said if layers is None else layers}))
    return blob


def lm_studio(root: Path, name: str, weights: bytes) -> Path:
    """Put a file where LM Studio would; `name` is publisher/model/file."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(weights)
    return path


def snapshot(cache: Path, repo: str, *, commit: str = "a" * 40, ref: str | None = None) -> Path:
    """Put a model where the hub's client would, without links; returns its folder."""
    home = cache / f"models--{repo.replace('/', '--')}"
    folder = home / "snapshots" / commit
    folder.mkdir(parents=True, exist_ok=True)
    (home / "refs").mkdir(exist_ok=True)
    (home / "refs" / "main").write_text(commit if ref is None else ref)
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (folder / "tokenizer.json").write_text("{}")
    save_file({"w": torch.zeros(8, 4)}, folder / "model.safetensors")
    return folder
