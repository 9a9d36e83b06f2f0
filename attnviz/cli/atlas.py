"""`attnviz atlas`: what every head of a model does over a corpus of any size."""

import argparse
import sys
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import MODEL, Answer, fetching


def add(commands: Any) -> None:
    one = command.add(commands, atlas, "attnviz atlas minilm-l6 --texts corpus.txt --out atlas")
    one.add_argument("model", help=MODEL)
    one.add_argument("--texts", required=True, type=Path, metavar="PATH", help="a .txt, .jsonl, .parquet, or a folder")
    one.add_argument("--out", required=True, type=Path, metavar="DIR", help="where tables, page and finished parts go")
    one.add_argument("--workers", type=int, default=1, help="processes, by Ray Data (attnviz[cluster]); 1 if not given")
    one.add_argument("--device", help="cpu (if not given), cuda, mps or auto")
    one.add_argument("--dtype", help="float32 (if not given), bfloat16 or float16")
    one.add_argument("--lang", choices=("en", "zh-CN", "zh-TW"), default="en", help="of the page")


def atlas(asked: argparse.Namespace) -> Answer:
    """Measure what every head of a model does over a corpus of any size; run it again to go on."""
    from attnviz import load  # torch and transformers load here
    from attnviz.analysis.heads import atlas as shards
    from attnviz.views.atlas import atlas_page

    if asked.workers < 1:
        asked.refuse(f"--workers takes a number from 1; got {asked.workers}")
    model = load(asked.model, device=asked.device, dtype=asked.dtype, on_progress=fetching(asked.model))
    plan = shards.Plan.of(asked.model, model, asked.texts)
    plan.claim(asked.out)
    if asked.workers == 1:
        n = shards.measure(model, plan, asked.out, lambda n: print(f"{n} texts", file=sys.stderr, flush=True))
    else:
        from attnviz.engine.cluster import measure_spread

        n = measure_spread(plan, asked.out, asked.workers, asked.device, asked.dtype)
    gathered = shards.gathered(model, plan, asked.out, n)
    shards.write_tables(gathered, asked.out)
    page = atlas_page(gathered, model.card.name, lang=asked.lang).to_html(asked.out / "atlas.html")
    facts = gathered.heads.attrs
    line = f"{page}: {len(gathered.heads)} heads of {model.card.name} over {facts['texts']:,} texts"
    skipped = f", {facts['skipped']:,} skipped (too long, or refused by the model)" if facts["skipped"] else ""
    said = {"model": model.card.id, "page": str(page), "heads": len(gathered.heads)}
    return Answer(said | {name: facts[name] for name in ("texts", "tokens", "skipped")}, [line + skipped])
