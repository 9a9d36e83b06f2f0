"""The documentation says what the code does: its Python runs, its commands, files and numbers are there."""

import importlib.util
import json
import re
import shlex
from pathlib import Path

import pytest

from attnviz import cli
from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.metrics import METRICS
from attnviz.analysis.heads.sentences import bundled
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.training import TASKS, TrainedModel
from attnviz.training.plans import changed_plan
from attnviz.training.tasks.grammar.lexicon import VERBS, nouns_of
from attnviz.training.tasks.grammar.patterns import patterns
from attnviz.training.tasks.induction import NEVER_TRAINED
from attnviz.training.tasks.translation import held_out_pairs, words
from tests.conftest import TINY

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/why.md", "docs/training.md")
TRAINING = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
HEADS = (ROOT / "docs" / "heads.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", TRAINING, flags=re.DOTALL) for line in block.splitlines()]


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)


def run(page: str, numbers: range) -> dict[str, object]:
    """What the names of these examples stand for, when they have run one after the other."""
    names: dict[str, object] = {}
    for number in numbers:
        exec(compile(examples(page)[number], f"{page}, example {number + 1}", "exec"), names)
    return names


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_make_target_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert [path for path in linked if not ((ROOT / page).parent / path).exists()] == []
    assert len(linked) >= {"README.md": 4}.get(page, 0)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, flags=re.MULTILINE)) <= set(targets)


@pytest.mark.parametrize("number", range(3))
def test_an_example_of_the_readme_runs(number, tmp_path, monkeypatch, capsys):
    assert len(examples("README.md")) == 3
    monkeypatch.chdir(tmp_path)
    names = run("README.md", range(number, number + 1))
    printed = capsys.readouterr().out
    if "score" in names:
        assert names["score"].value == pytest.approx(sum(term.product for term in names["score"].terms), abs=1e-4)
        assert "<!doctype html>" in (tmp_path / "steps.html").read_text(encoding="utf-8")[:99].lower()
    elif "trace" in names:
        assert names["weights"].sum(-1).sub(1).abs().max() < 1e-6
        assert names["cell"].recomputed == pytest.approx(names["cell"].value, abs=1e-5)
        assert "scores" in printed
    else:
        assert names["run"]["weights"].shape == (2, 4, 10, 10)
        assert "no fault found" in printed


def test_the_examples_of_why_run_one_after_the_other_and_the_three_ways_find_one_circuit(capsys):
    names = run("docs/why.md", range(6))
    assert len(examples("docs/why.md")) == 6 and capsys.readouterr().out

    changed = names["changed"]  # the last of three
    assert [str(edit) for edit in changed.edits] == ["dog in place of cat"] and changed.verified.holds
    assert changed.stream["encoder.3.in"][2].equal(names["other"].stream["encoder.3.in"][2])

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


def test_the_examples_of_training_run_in_the_order_of_the_page(tmp_path, monkeypatch, capsys):
    assert len(examples("docs/training.md")) == 4
    monkeypatch.chdir(tmp_path)
    names = run("docs/training.md", range(4))
    printed = capsys.readouterr().out
    for comment in re.findall(r"print\(model\.generate\(.*?\)\)\s+# (.*)", TRAINING):
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


def test_the_benchmark_that_training_names_exists() -> None:
    modules = re.findall(r"python -m ([\w.]+) ?(\w*)", TRAINING)
    assert modules == [("benchmarks", "alignment")] and "`attnviz.training.evaluate`" in TRAINING
    for path in ("benchmarks/alignment.py", "attnviz/training/evaluate.py"):
        assert (ROOT / path).is_file(), path


def test_the_numbers_of_the_grammar_are_counted() -> None:
    english, chinese = ([word for word in side if word[0].isalnum()] for side in words())
    pairs = {(verb.base, noun.english) for verb in VERBS if verb.objects for noun in nouns_of(verb.objects)}
    for sentence in (
        f"grammar of {len(patterns())} sentence patterns, {len(english)} English and {len(chinese)} Chinese words",
        f"says {sum(pattern.count for pattern in patterns()):,} different sentences",
        f"{len(held_out_pairs())} of the {len(pairs)} verb-object pairs",
        f"periods of {', '.join(map(str, sorted(NEVER_TRAINED)[:-1]))} and {max(NEVER_TRAINED)}",
    ):
        assert sentence in re.sub(r"\s+", " ", TRAINING), sentence
    assert [name for name in TASKS if f"`{name}`" not in TRAINING] == []


def rows() -> list[list[str]]:
    lines = [line.replace(r"\|", "¦") for line in HEADS.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`").replace("¦", "|") for cell in line.strip("|").split("|")] for line in lines]


def test_every_metric_stands_there_with_its_formula_and_source() -> None:
    found = {row[0]: (row[1], row[4]) for row in rows() if len(row) == 5 and row[0] not in ("column", "---")}
    assert found == {metric.name: (metric.formula, metric.source) for metric in METRICS}


def test_every_kind_stands_there_in_order_with_its_threshold() -> None:
    found = [tuple(row) for row in rows() if len(row) == 3 and row[0] not in ("kind", "---")]
    expected = [(kind.name, kind.metric, f"{kind.threshold:g}") for kind in KINDS[:-1]]
    assert found == [*expected, ("mixed", "what is left over", "")]


def test_the_numbers_of_sentences_are_right() -> None:
    assert f"{len(bundled('en'))} English and {len(bundled('zh'))} Chinese sentences" in HEADS


def test_the_page_of_models_is_what_its_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("make_models_page", ROOT / "scripts" / "make_models_page.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run: python scripts/make_models_page.py"


def test_every_family_with_a_row_is_on_the_page_because_it_is_tested() -> None:
    assert {*TINY} == {*BY_MODEL_TYPE}, "a row without a tiny model, or the other way round"


def test_both_languages_of_the_tour_run_the_same_code() -> None:
    code = []
    for name in ("tour.ipynb", "tour.zh-CN.ipynb"):
        cells = json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))["cells"]
        assert len(cells) == 10 and not any(cell.get("outputs") for cell in cells)
        code.append(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
    english, chinese = code
    assert english[1:3] == chinese[1:3] and len(english) == len(chinese)
    assert all('lang="zh-CN"' in cell for cell in (chinese[0], chinese[3], chinese[4]))
