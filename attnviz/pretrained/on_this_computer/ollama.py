"""Models that Ollama keeps: from `ollama:name:tag` to the file of its weights.

A manifest is JSON that names files by their SHA-256. Nothing in it is believed but the hash, which the loader checks.
Source: github.com/ollama/ollama, types/model/name.go and server/modelpath.go.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attnviz.core.errors import UnknownModel, UnsupportedModel, WrongWeights
from attnviz.pretrained.on_this_computer.folders import files, is_within, subfolders

PREFIX = "ollama:"
FOLDERS = ("~/.ollama/models", "/usr/share/ollama/.ollama/models")  # a person's own; that of the service on Linux
DEFAULTS = {"host": "registry.ollama.ai", "namespace": "library", "tag": "latest"}
NAME = re.compile(
    r"(?:(?:(?P<host>\w[\w.:-]{0,349})/)?(?P<namespace>\w[\w-]{0,79})/)?(?P<model>\w[\w.-]{0,79})(?::(?P<tag>\w[\w.-]{0,79}))?",
    re.ASCII,
)
DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})", re.ASCII)
MOST_TAGS = 8  # that an error names
MANIFEST_BYTES = 1 << 20  # the largest that is read; one has about 1 kB
WEIGHTS, ADAPTER = "application/vnd.ollama.image.model", "application/vnd.ollama.image.adapter"


def folders() -> tuple[Path, ...]:
    """Where Ollama may keep its models on this computer, the first of them first asked."""
    named = os.environ.get("OLLAMA_MODELS", "")
    return tuple(Path(os.path.expanduser(folder)) for folder in ((named,) if named else FOLDERS))


def file_of(name: str) -> Path:
    """The file of a model's weights, named by its hash.

    Raises:
        UnknownModel: Ollama has no such model here.
        WrongWeights: its manifest is damaged, or the file is missing or lies outside Ollama's folder.
        UnsupportedModel: it is kept in another format, or is an adapter over another model.
    """
    for root in folders():
        manifest = manifest_of(name, root)
        if is_within(manifest, root):
            return weights_of(name, manifest, root)
    where = " or ".join(map(str, folders()))
    short_name = name.removeprefix(PREFIX)
    model = f"{short_name.partition(':')[0]}:"
    tags = [known.removeprefix(PREFIX) for known in names() if known.removeprefix(PREFIX).startswith(model)][:MOST_TAGS]
    if tags:
        raise UnknownModel(id="ollama-other-tags", name=short_name, folder=where, tags=", ".join(tags))
    raise UnknownModel(id="ollama-not-here", name=short_name, folder=where)


def manifest_of(name: str, root: Path) -> Path:
    """Where the manifest of a model lies, by Ollama's own defaults for what the name leaves out."""
    parsed = NAME.fullmatch(name.removeprefix(PREFIX))
    if parsed is None:
        raise UnknownModel(id="ollama-name", name=name[:80])
    said = DEFAULTS | {part: text for part, text in parsed.groupdict().items() if text}
    return root / "manifests" / said["host"] / said["namespace"] / said["model"] / said["tag"]


def weights_of(name: str, manifest: Path, root: Path) -> Path:
    """The file that a manifest names."""
    layers = layers_of(name, manifest)
    if any(layer.get("mediaType") == ADAPTER for layer in layers):
        raise UnsupportedModel(id="ollama-adapter", name=name)
    digests = [str(layer.get("digest")) for layer in layers if layer.get("mediaType") == WEIGHTS]
    if not digests:
        raise UnsupportedModel(id="ollama-no-weights", name=name)
    digest = DIGEST.fullmatch(digests[0])
    if digest is None or len(set(digests)) > 1:
        raise damaged(name)
    blob = root / "blobs" / f"sha256-{digest[1]}"
    if not is_within(blob, root):
        raise damaged(name)
    return blob


def layers_of(name: str, manifest: Path) -> list[dict[str, Any]]:
    try:
        with manifest.open("rb") as opened:
            content = opened.read(MANIFEST_BYTES + 1)
        said = json.loads(content) if len(content) <= MANIFEST_BYTES else None
    except (OSError, ValueError, RecursionError):
        said = None
    layers = said.get("layers") if isinstance(said, dict) else None
    if not isinstance(layers, list) or not all(isinstance(layer, dict) for layer in layers):
        raise damaged(name)
    return layers


def damaged(name: str) -> WrongWeights:
    short_name = name.removeprefix(PREFIX)
    return WrongWeights(id="ollama-damaged", name=short_name)


def names() -> Iterator[str]:
    """Every model here, by the shortest name that Ollama takes; files with other names are none of its models."""
    for root in folders():
        for host in subfolders(root / "manifests"):
            for namespace in subfolders(host):
                for model in subfolders(namespace):
                    for tag in files(model):
                        name = _shortest(host.name, namespace.name, model.name, tag.name)
                        if is_within(tag, root) and NAME.fullmatch(name) and manifest_of(name, root) == tag:
                            yield PREFIX + name


def _shortest(host: str, namespace: str, model: str, tag: str) -> str:
    short_name = f"{model}:{tag}"
    if host != DEFAULTS["host"]:
        return f"{host}/{namespace}/{short_name}"
    return short_name if namespace == DEFAULTS["namespace"] else f"{namespace}/{short_name}"
