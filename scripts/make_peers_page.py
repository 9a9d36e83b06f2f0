"""`make peers`: SmolLM2's attention here and in the other libraries of the field, measured now, as docs/peers.md."""

import datetime
import os
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from attnviz import views  # noqa: E402
from benchmarks import attribution, peers  # noqa: E402
from benchmarks.table import table  # noqa: E402

PAGE = ROOT / "docs" / "peers.md"
PACKAGES = ("transformers", "bertviz", "circuitsvis", "transformer-lens", "nnsight", "inseq")
ABOUT = """# Beside others

SmolLM2-135M in float32 (30 layers of 9 heads), the same weights and the same token ids for all, on {machine}, {today};
torch {torch}, {versions}. Made by `make peers`. Each library ran alone in a process of its own.

- **weights**: seconds from the ids to the attention weights of all 270 heads, the median of {rounds} runs, and by how
  much the process grew while it did. AttnViz also keeps queries, keys, values and the residual stream, and checks the
  weights against its kernel; TransformerLens keeps every value; inseq gives the weights of the last token alone. Memory
  that loading had freed is used again and does not count, so small numbers say little.
- **picture**: megabytes of HTML, and seconds to make it. BertViz and CircuitsVis write every weight as text. AttnViz
  packs every weight up to 64 tokens; above, a map of 64 × 64 blocks of each head, with each row's 20 largest weights
  at 128, and at 512 tokens the numbers of one head alone.
- **differs**: the largest difference from the weights of transformers' eager attention.

| tokens | | weights, s | grew, MB | picture, MB | picture, s | differs |
|---|---|---|---|---|---|---|
"""
ATTRIBUTION = """
## Attributions

A random model of GPT-2's shape with 4 layers of 4 heads, taken apart here and by TransformerLens; millionths of the
largest number.

```text
{rows}
```
"""
PAYLOAD = """
## What travels

Bytes of the picture of all heads as the page gets it, before compression, by heads times tokens: {payload}.
"""


def main() -> int:
    found = peers.measured(lambda now: print(now, flush=True))
    lines = [line(n, name, it) for n, row in found.items() for name, it in row.items()]
    installed = ", ".join(f"{name} {release}" for name in PACKAGES if (release := release_of(name)))
    about = ABOUT.format(
        machine=f"{os.cpu_count()} cores", today=datetime.datetime.now(datetime.UTC).date().isoformat(),
        torch=torch.__version__, versions=installed,
        rounds=" or ".join(map(str, sorted({*peers.ROUNDS.values()}, reverse=True))),
    )  # fmt: skip
    PAGE.write_text(
        about + "\n".join(lines) + "\n" + PAYLOAD.format(payload=", ".join(payloads().values()))
        + ATTRIBUTION.format(rows=table(attribution.measure())),
        encoding="utf-8",
    )  # fmt: skip
    return 0


def line(n: int, name: str, found: peers.Found) -> str:
    if found.refused:
        return f"| {n} | {name} | {found.refused} | | | | |"
    numbers = [
        shown(found.seconds, 3), shown(found.memory, 0), shown(found.picture, 1), shown(found.picture_seconds, 1),
        "" if found.difference is None else "0" if found.difference == 0 else f"{found.difference:.0e}",
    ]  # fmt: skip
    return f"| {n} | {name} | {' | '.join(numbers)} |"


def shown(number: float | None, digits: int) -> str:
    return "" if number is None else f"{number:.{digits}f}"


def payloads() -> Mapping[int, str]:
    model = peers.loaded()
    heads = model.card.n_layers * model.card.n_heads
    sizes = {n: len(views.heads(model.trace(ids)).payload) for n, ids in peers.texts().items()}
    return {n: f"{size / heads / n:.0f} at {n} tokens ({size / 1e6:.1f} MB)" for n, size in sizes.items()}


def release_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
