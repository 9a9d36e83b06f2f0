"""The examples of docs/transformer.md run as they stand, one after the other, and do what the page says."""

import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[3]
EXAMPLES = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs" / "transformer.md").read_text(encoding="utf-8"), flags=re.DOTALL
)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What is there after all of them."""
    found: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        for number, example in enumerate(EXAMPLES):
            exec(compile(example, f"example {number + 1}", "exec"), found)
        found["page"] = Path("backwards.html").read_text(encoding="utf-8")
    return found


def test_it_writes_words_backwards(names) -> None:
    read = names["vocabulary"].decode
    assert read(names["written"].ids) == read(names["beams"].ids) == "edaf"


def test_what_was_recorded_has_the_shapes_that_are_said(names) -> None:
    run = names["run"]
    assert run.places == ("encoder.0.self", "decoder.0.self", "decoder.0.cross")
    assert run["decoder.0.cross.weights"].shape == (1, 4, 5, 4)
    assert names["trace"]["decoder.0.cross"].weights().shape == (4, 5, 4)
    assert "<!doctype html>" in names["page"][:99].lower()


def test_what_was_kept_is_the_same(names) -> None:
    theirs, ours = names["again"].state_dict(), names["model"].state_dict()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)
