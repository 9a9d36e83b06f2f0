"""Writes docs/models.md from the tables that the tests run over: `python scripts/make_models_page.py`.

A contract test holds the page to what this writes, so a family stands on it exactly while tests prove it.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attnviz import catalog  # noqa: E402
from attnviz.pretrained.capture.memory_limit import LIMIT_BYTES  # noqa: E402
from attnviz.pretrained.families import BY_MODEL_TYPE  # noqa: E402
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


OPENING = """\
# Models

Written by `scripts/make_models_page.py` from the tables the tests run over; a test holds it to them.

Any model of the transformers library may be loaded: `av.load("owner/name")`, or the path of its folder. Nothing is
taken on trust. At load, the weights we read are compared with the model's own eager ones on two seeded probes: four
tokens, and two more than its window with padding on the left. On every run, weights · V is compared with what the
model's own kernel returned, on eight seeded rows of every site. What does not hold is refused in a sentence.
Tolerance: {float32:g} in float32, {bfloat16:g} in bfloat16, {float16:g} in float16.

`attnviz check NAME` does all this in a shell: code 0 and `verified`, or code 2 and the reason on the last line.

## Families with a row

Each is tested with a tiny seeded model whose maps are peaked (mean row maximum at least 0.2), without padding, padded
on the right and padded on the left, in float32, bfloat16 and float16, with its language-model head.

*interface*: through transformers' attention functions; a run holds q, k, v, in proportion to the text.
*operators*: by the operators of the model's own code; a run holds its scores, which grow with the square of the text
(and q and k beside them, where the scores are their scaled product and at most a term of the model's own), and is
refused above {gib:.0f} GiB of them before it starts.

| family | `model_type` | read by | attention | what its test has |
|---|---|---|---|---|
"""
AFTER_FAMILIES = """
A row only adds where W_O (and, where they fit, W_Q, W_K, W_V) stand, so that steps can be written out. Models without
one work too: a test draws ten further types from transformers by a seed, and each is verified or refused with its
reason. A hybrid model's card lists the layers that have no attention matrix.

## Refused, with the reason

| `model_type` | why |
|---|---|
"""
AFTER_REFUSED = """
Also refused before any memory is taken: weights that are not safetensors, code that a folder brings along or names, a
configuration that asks for more than its weights hold, damaged files (what comes from a hub is held to its hash
there), names and links that lead out of the folder, and adapters without their model. After it is built: a tokenizer
that does not belong to the weights, weights that hold more layers than the configuration asks for, and weights that
hold NaN or infinite numbers.

## Long texts

A text is read whole or refused, never cut. The refusal names how many tokens it has and how many the model takes, and
`error.arguments["characters"]` how much of it fits. To trace the first part, ask for it:

```python
part = model.first_part(text)                    # the longest beginning that fits, whole tokens
trace = model.trace(part)
trace = model.trace(model.first_part(text, 128))  # no more than 128 tokens
```

## A model that reads one text and writes another

```python
trace = model.trace("The cat sat.")                              # what it writes, the likeliest token each time
trace = model.trace("The cat sat.", target="Die Katze saß.")     # over a text of yours
av.views.heads(trace, part="cross").to_html("cross.html")        # or "encoder", or "decoder"
```

## Several models in one process

`av.load` keeps nothing. A shelf loads each model once, shares it between threads, and lets the least recently used go
above a budget of bytes; they are counted in the model's own dtype. A trace holds its model's parameters, so drop both.

```python
shelf = av.Shelf(4 << 30)
model = shelf.load("minilm-l6", dtype="bfloat16")
```

## From a hub, and without one

`owner/name` is fetched once, as safetensors only, and kept where the hub's own client keeps it.

| setting | effect |
|---|---|
| `HF_ENDPOINT=https://…` | a mirror, for readers who cannot reach huggingface.co |
| `HF_HOME=/disk/…` | where fetched models are kept |
| `HF_HUB_OFFLINE=1` | nothing is asked of the network; what was fetched works, the rest is named |

Without a network: run `hf download owner/name --local-dir folder` on a machine that has one, copy the folder, and load
it by its path. A model that was fetched whole is loaded without a network too. A cut
connection is taken up five times; then files that came whole are kept for the next try.

## The catalogue

What `attnviz models` lists. A licence stands here only with the page it was read from. *Never loaded here* means just
that: nobody ran this model for this table.

| name | family | languages | licence | state |
|---|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    names = {str(dtype).removeprefix("torch."): tolerance for dtype, tolerance in TOLERANCE.items()}
    opening = OPENING.format(gib=LIMIT_BYTES / 2**30, **names)
    return opening + table(family_rows()) + AFTER_FAMILIES + table(refused_rows()) + AFTER_REFUSED + table(known_rows())


def table(rows: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def family_rows() -> list[tuple[str, ...]]:
    """A row a tested model type."""
    rows = []
    for model_type in TINY:
        family = BY_MODEL_TYPE[model_type]
        way = "operators" if model_type in BY_OPERATORS else "interface"
        kinds = "encoder, decoder, cross" if family.stack is None else str(family.stack)
        rows.append((family.name, f"`{model_type}`", way, kinds, WHAT_BITES.get(model_type, "")))
    return rows


def refused_rows() -> list[tuple[str, ...]]:
    """A row a refused model type."""
    return [(f"`{model_type}`", REASONS[reason]) for model_type, (_, reason) in WITHOUT_MATRICES.items()]


def known_rows() -> list[tuple[str, ...]]:
    """A row a model of the catalogue."""
    rows = []
    for row in catalog.rows():
        is_page = row.licence and row.source.startswith("http")
        licence = f"[{row.licence}]({row.source})" if is_page else row.licence or "–"
        rows.append((f"`{row.name}`", row.family, " ".join(row.languages) or "–", licence, str(row.state)))
    return rows


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
