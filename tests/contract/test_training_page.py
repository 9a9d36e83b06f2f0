"""docs/training.md: its Python runs as it stands, its commands are commands, its numbers are the grammar's."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from attnviz import cli
from attnviz.training import TASKS, TrainedModel
from attnviz.training.plans import changed_plan
from attnviz.training.tasks.grammar.lexicon import VERBS, nouns_of
from attnviz.training.tasks.grammar.patterns import patterns
from attnviz.training.tasks.induction import NEVER_TRAINED
from attnviz.training.tasks.translation import held_out_pairs, words

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL) for line in block.splitlines()]


def test_the_examples_run_in_the_order_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(PYTHON) == 4
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, example in enumerate(PYTHON):
        exec(compile(example, f"docs/training.md example {number + 1}", "exec"), names)
    printed = capsys.readouterr().out
    for comment in re.findall(r"print\(model\.generate\(.*?\)\)\s+# (.*)", PAGE):
        assert comment in printed
    assert printed.endswith("True\nFalse\n")
    assert "finished 20 " in printed and "reverse 20 20 finished" in printed
    assert isinstance(names["model"], TrainedModel) and 0 < float(names["share"]) < 1  # type: ignore[arg-type]


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("attnviz ")])
def test_a_command_is_one(command: str) -> None:
    asked = cli._parser().parse_args(shlex.split(command, comments=True)[1:])
    if command.startswith("attnviz train"):
        changed_plan(TASKS[asked.task].plan, n_heads=asked.heads, n_layers=asked.layers, positions=asked.positions,
                learning_rate=asked.learning_rate, steps=asked.steps)  # fmt: skip


def test_every_make_target_and_benchmark_it_names_exists() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"^make ([a-z]+)", "\n".join(COMMANDS), flags=re.MULTILINE)) <= set(targets)
    modules = re.findall(r"python -m ([\w.]+) ?(\w*)", PAGE)
    assert modules == [("benchmarks", "alignment")] and "`attnviz.training.evaluate`" in PAGE
    for path in ("benchmarks/alignment.py", "attnviz/training/evaluate.py"):
        assert (ROOT / path).is_file(), path


def test_its_numbers_of_the_grammar_are_counted() -> None:
    english, chinese = ([word for word in side if word[0].isalnum()] for side in words())
    pairs = {(verb.base, noun.english) for verb in VERBS if verb.objects for noun in nouns_of(verb.objects)}
    for sentence in (
        f"grammar of {len(patterns())} sentence patterns, {len(english)} English and {len(chinese)} Chinese words",
        f"says {sum(pattern.count for pattern in patterns()):,} different sentences",
        f"{len(held_out_pairs())} of the {len(pairs)} verb-object pairs",
        f"periods of {', '.join(map(str, sorted(NEVER_TRAINED)[:-1]))} and {max(NEVER_TRAINED)}",
    ):
        assert sentence in re.sub(r"\s+", " ", PAGE), sentence


def test_it_names_every_task_and_every_file_it_points_at() -> None:
    assert [name for name in TASKS if f"`{name}`" not in PAGE] == []
    linked = re.findall(r"\]\((?!https?:)([^)]+)\)", PAGE)
    assert [path for path in linked if not (ROOT / "docs" / path).exists()] == []
