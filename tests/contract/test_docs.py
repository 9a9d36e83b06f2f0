"""The documentation says what the code does: its Python runs, its commands, files and numbers are there."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import torch

import attnviz as av
from attnviz import catalog, cli
from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.metrics import METRICS
from attnviz.analysis.heads.sentences import bundled
from attnviz.pretrained.families import BY_MODEL_TYPE
from attnviz.text import LANGUAGES, strings
from attnviz.training import TASKS
from attnviz.training.plans import changed_plan
from attnviz.training.tasks.grammar.lexicon import CHINESE_WORDS, ENGLISH_WORDS, VERBS, nouns_of
from attnviz.training.tasks.grammar.patterns import patterns
from attnviz.training.tasks.induction import NEVER_TRAINED
from attnviz.training.tasks.translation import held_out_pairs
from scripts import make_figures, make_models_page, make_passports
from tests.conftest import TINY
from tests.contract.catalogues import ROOT

PAGES = ("README.md", "docs/why.md", "docs/training.md", "docs/figures.md", "docs/research.md")
TRAINING = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
HEADS = (ROOT / "docs" / "heads.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", TRAINING, flags=re.DOTALL) for line in block.splitlines()]


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)


def ran(page: str, together: list[str]) -> dict[str, Any]:
    """What examples of a page leave behind that are run one after the other."""
    names: dict[str, Any] = {}
    for number, example in enumerate(together, start=1):
        exec(compile(example, f"{page}, example {number}", "exec"), names)
    return names


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, flags=re.MULTILINE)) <= set(targets)


TOGETHER = (
    *(("README.md", [it]) for it in examples("README.md")), *((page, examples(page)) for page in PAGES[1:]),
)  # fmt: skip


@pytest.mark.parametrize(("page", "together"), [
    pytest.param(*it, marks=[pytest.mark.smollm2] * ("smollm2-135m" in "".join(it[1]))) for it in TOGETHER
])  # fmt: skip
def test_the_examples_of_a_page_run_in_its_order_and_print_what_it_says(
    page, together, tmp_path, monkeypatch, capsys, request
):  # fmt: skip
    if "smollm2-135m" in "".join(together):
        request.getfixturevalue("smollm2")  # which fetches it, or skips the test
    monkeypatch.chdir(tmp_path)
    ran(page, together)
    printed = capsys.readouterr().out.splitlines()
    said = re.findall(r"^print\(model\..*\)  # (.*)", "\n".join(together), flags=re.MULTILINE)
    assert printed and [line for line in printed if line in said] == said


def test_the_examples_of_the_transformer_do_what_is_said_of_them(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ran("docs/transformer.md", examples("docs/transformer.md"))
    read, run = names["vocabulary"].decode, names["run"]
    assert read(names["written"].ids) == read(names["beams"].ids) == "edaf"  # words backwards
    assert names["said_again"].ids[8:] == tuple(names["row"])
    assert names["seen"]["decoder.0.self.weights"][0, :, 8].argmax(-1).tolist() == [1, 1, 1, 1]
    steps = names["steps"]
    assert {"q-rotated", "raw", "gated", "choice"} < {step.name for step in steps}
    assert not any(step.note for step in steps) and steps["raw"].operands[1].matrix.key == "decoder.0.self.h1.k"
    assert Path("llama.html").stat().st_size > 100_000
    assert run.places == ("encoder.0.self", "decoder.0.self", "decoder.0.cross")
    assert run["decoder.0.cross.weights"].shape == (1, 4, 5, 4)
    assert names["trace"]["decoder.0.cross"].weights().shape == (4, 5, 4)
    assert "<!doctype html>" in Path("backwards.html").read_text(encoding="utf-8")[:99].lower()
    theirs, ours = names["again"].state_dict(), names["model"].state_dict()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("attnviz ")])
def test_a_command_is_one(command: str) -> None:
    asked = cli._parser().parse_args(shlex.split(command, comments=True)[1:])
    if command.startswith("attnviz train"):
        changed_plan(TASKS[asked.task].plan, n_heads=asked.heads, n_layers=asked.layers, positions=asked.positions,
                learning_rate=asked.learning_rate, steps=asked.steps)  # fmt: skip


def test_the_numbers_of_grammar_and_sentences_are_counted() -> None:
    english, chinese = ([word for word in side if word[0].isalnum()] for side in (ENGLISH_WORDS, CHINESE_WORDS))
    pairs = {(verb.base, noun.english) for verb in VERBS if verb.objects for noun in nouns_of(verb.objects)}
    for sentence in (
        f"grammar of {len(patterns())} sentence patterns, {len(english)} English and {len(chinese)} Chinese words",
        f"says {sum(pattern.count for pattern in patterns()):,} different sentences",
        f"{len(held_out_pairs())} of the {len(pairs)} verb-object pairs",
        f"periods of {', '.join(map(str, sorted(NEVER_TRAINED)[:-1]))} and {max(NEVER_TRAINED)}",
    ):
        assert sentence in re.sub(r"\s+", " ", TRAINING), sentence
    assert [name for name in TASKS if f"`{name}`" not in TRAINING] == []
    assert f"{len(bundled('en'))} English and {len(bundled('zh'))} Chinese sentences" in HEADS


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


def test_the_page_of_models_is_what_its_script_writes() -> None:
    written = make_models_page.page()
    assert make_models_page.PAGE.read_text(encoding="utf-8") == written, "run: python scripts/make_models_page.py"


def test_the_table_of_passports_has_every_family_and_every_model_that_ships_and_each_within_rounding():
    rows = re.findall(
        r"^\| (?:tiny )?`([\w-]+)` \| .* \| (\S+) \| (\S+) \(.* \|$", make_passports.PAGE.read_text(), re.M
    )
    shipped = [row.name for row in catalog.rows() if row.state in ("from the package index", "trained here")]
    assert [name for name, *_ in rows] == [*shipped, *TINY]
    assert all(float(difference) <= 1e-5 for _, *differences in rows for difference in differences)


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


def test_the_table_of_figures_shows_an_example_of_every_function_that_draws_one() -> None:
    page = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    drawn = make_figures.examples()
    rows = re.findall(r"^\| `(\w+)` .* !\[\1\]\((figures/\1\.svg)\) \|$", page, flags=re.MULTILINE)
    assert [name for name, _ in rows if name not in drawn] == [] and len(rows) == len(drawn)
    assert all(fig.data for fig in drawn.values())
    assert all((ROOT / "docs" / picture).is_file() for _, picture in rows)


def test_the_page_of_the_python_interface_has_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^::: (\S+)$", page, flags=re.MULTILINE))
    rooms = ("errors", "figures", "models", "views")
    public = {f"attnviz.{name}" for name in av.__all__ if name not in rooms}
    public |= {f"attnviz.models.{name}" for name in av.models.__all__}
    public |= {f"attnviz.figures.{name}" for name in av.figures.__all__ if name.islower()}
    public |= {f"attnviz.errors.{name}" for name, it in vars(av.errors).items() if is_error(it)}
    assert sorted(public - shown) == []
    constants = [name for name in av.figures.__all__ if name.isupper()]
    assert [name for name in constants if not re.search(rf"[`.]{name}`", page)] == []


def is_error(it: object) -> bool:
    return isinstance(it, type) and issubclass(it, Exception) and it is not av.AttnvizError


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_training_says_of_poems_was_measured(language: str) -> None:
    section = TRAINING.split("## Poems")[1].split("\n## ")[0]
    measured = set(re.findall(r"\d+(?:\.\d+)*", re.sub(r"(?<=\d),(?=\d)", "", section)))
    measured |= {f"{100 * float(share):.0f}" for share in measured if share.startswith("0.")}
    for id in ("view-training-evidence-poems-zh", "view-training-evidence-poems-zh-tw", "training-poems"):
        said = re.findall(r"\d+(?:\.\d+)*", re.sub(r"(?<=\d),(?=\d)", "", strings(language)(id)))
        assert said and set(said) <= measured, id
