"""docs/models.md says what the tests' tables say, and nothing else."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_models_is_what_its_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("make_models_page", ROOT / "scripts" / "make_models_page.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run: python scripts/make_models_page.py"


def test_every_family_with_a_row_is_on_the_page_because_it_is_tested() -> None:
    from attnviz.pretrained.families import BY_MODEL_TYPE
    from tests.conftest import TINY

    assert {*TINY} <= {*BY_MODEL_TYPE}
    assert {BY_MODEL_TYPE[name].name for name in TINY} == {row.name for row in BY_MODEL_TYPE.values()}
    untested = {*BY_MODEL_TYPE} - {*TINY}
    assert untested == set(), f"a row without a tiny model: {untested}"
