"""The examples of docs/transformer.md run as they stand, one after the other, and do what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest
import torch

ROOT = Path(__file__).parents[3]
EXAMPLES = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs" / "transformer.md").read_text(encoding="utf-8"), flags=re.DOTALL
)


def test_the_examples_do_what_is_said_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, example in enumerate(EXAMPLES):
        exec(compile(example, f"example {number + 1}", "exec"), names)

    read, run = names["vocabulary"].decode, names["run"]
    assert read(names["written"].ids) == read(names["beams"].ids) == "edaf"  # words backwards
    assert run.places == ("encoder.0.self", "decoder.0.self", "decoder.0.cross")
    assert run["decoder.0.cross.weights"].shape == (1, 4, 5, 4)
    assert names["trace"]["decoder.0.cross"].weights().shape == (4, 5, 4)
    assert "<!doctype html>" in Path("backwards.html").read_text(encoding="utf-8")[:99].lower()
    theirs, ours = names["again"].state_dict(), names["model"].state_dict()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)
