"""docs/why.md: its Python runs as it stands, and the three ways find the same circuit."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "why.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_examples_run_one_after_the_other_and_give_what_the_page_says(capsys):
    names: dict[str, object] = {}
    for number, example in enumerate(EXAMPLES):
        exec(compile(example, f"docs/why.md example {number + 1}", "exec"), names)
    assert len(EXAMPLES) == 5 and capsys.readouterr().out

    found, wrote, weights, heads, edges = (names[name] for name in ("found", "wrote", "weights", "heads", "edges"))
    assert float(found.parts.sum()) == pytest.approx(found.score, abs=1e-4)
    assert found.frame("key")["key_writer"][0] == "head decoder.0.self 0"  # by the ledger
    assert wrote.logit > 0 and wrote.frame()["writer"][0].startswith("head decoder.1.self")
    keys = weights.compositions.query("via == 'k' and `from_head` == 0 and `head` == 0").iloc[0]
    assert keys["score"] > 1.8 * keys["baseline"]  # by weights
    assert weights.heads["copying"].iloc[2:].min() > 0.9 and weights.heads["previous"].iloc[:2].min() > 0.5
    one = names["one"]
    assert one.kind == "induction" and one.by == ("behaviour", "weights", "effect")  # the last of four heads
    first = heads.table.iloc[0]
    assert (first["site"], first["head"]) == ("decoder.0.self", 0)  # by patching
    joined = edges.table.iloc[0]
    assert (joined["from_site"], joined["from_head"], joined["site"], joined["head"], joined["via"]) == (
        "decoder.0.self", 0, "decoder.1.self", 0, "k",
    )  # fmt: skip
