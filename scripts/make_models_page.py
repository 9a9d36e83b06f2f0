"""Writes the tables and numbers of docs/models.md from what the tests run over: `python scripts/make_models_page.py`.

A contract test holds the page to what this writes, so a family stands on it exactly while tests prove it.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attnviz import catalog  # noqa: E402
from attnviz.pretrained.capture.memory_limit import LIMIT_BYTES  # noqa: E402
from attnviz.pretrained.families import BY_MODEL_TYPE  # noqa: E402
from attnviz.pretrained.loading.device import DTYPES  # noqa: E402
from attnviz.trace.verify import TOLERANCE  # noqa: E402
from tests.conftest import BY_OPERATORS, TINY, WITHOUT_MATRICES  # noqa: E402

PAGE = ROOT / "docs" / "models.md"
WHAT_BITES = {
    "albert": "one module for every layer",
    "deberta-v2": "scores of content and position; scores are kept",
    "bloom": "ALiBi",
    "falcon": "one key head",
    "gpt_oss": "sinks: rows sum to less than 1",
    "gemma2": "soft-capped scores, window",
    "gemma3_text": "window",
    "mistral": "window",
    "modernbert": "local layers, rotary",
    "deepseek_v3": "latent keys and values",
    "llama": "two key heads for four query heads",
    "qwen2": "two key heads for four query heads",
    "qwen3": "queries and keys normalised",
    "phi3": "Q, K, V in one matrix",
    "t5": "position bias, no scale; cross-attention",
    "bart": "cross-attention",
    "marian": "cross-attention",
    "mpnet": "position bias",
    "mt5": "an output matrix of its own; cross-attention",
    "gptj": "rotary",
    "gpt_neox": "rotary",
}
REASONS = {
    "no-attention": "no attention matrices",
    "keeps-bands": "attention in bands, blocks or buckets",
    "keeps-sparse-blocks": "attention in sparse blocks, and no whole matrices",
    "reads-no-text": "reads pictures or sound",
}


def page() -> str:
    """The page as it is, with its tables and numbers made anew."""
    found = PAGE.read_text(encoding="utf-8")
    tolerances = ", ".join(f"{TOLERANCE[dtype]:g} in {name}" for name, dtype in DTYPES.items())
    found = re.sub(r"(?<=Tolerance: ).*(?=\.\n)", tolerances, found)
    found = re.sub(r"(?<=refused above )\d+(?= GiB)", f"{LIMIT_BYTES / 2**30:.0f}", found)
    for first, rows in (("family", family_rows()), ("`model_type`", refused_rows()), (r"name \| family", known_rows())):
        table = "".join(f"| {' | '.join(cells)} |\n" for cells in rows)
        head = rf"(\n\| {first} \|.*\n\|[-|]+\n)(\|.*\n)*"
        found, n = re.subn(head, lambda it, rows=table: it[1] + rows, found)
        assert n == 1, f"docs/models.md holds {n} tables that begin with {first}"
    return found


def family_rows() -> list[tuple[str, ...]]:
    rows = []
    for model_type in TINY:
        family = BY_MODEL_TYPE[model_type]
        way = "operators" if model_type in BY_OPERATORS else "interface"
        kinds = "encoder, decoder, cross" if family.stack is None else str(family.stack)
        rows.append((family.name, f"`{model_type}`", way, kinds, WHAT_BITES.get(model_type, "")))
    return rows


def refused_rows() -> list[tuple[str, ...]]:
    return [(f"`{model_type}`", REASONS[reason]) for model_type, (_, reason) in WITHOUT_MATRICES.items()]


def known_rows() -> list[tuple[str, ...]]:
    rows = []
    for row in catalog.rows():
        is_page = row.licence and row.source.startswith("http")
        licence = f"[{row.licence}]({row.source})" if is_page else row.licence or "–"
        rows.append((f"`{row.name}`", row.family, " ".join(row.languages) or "–", licence, str(row.state)))
    return rows


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
