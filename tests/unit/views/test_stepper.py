"""The stepper's payload is the chain's own numbers and words, and the browser writes out what Python writes out."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

import attnviz as av
from attnviz import views
from attnviz.core.attend import attend
from attnviz.explanation import TABS, chain, explain_cell, slice_chain
from attnviz.explanation.matrices import Chain
from attnviz.models import MultiHeadAttention
from attnviz.scratch.rebuilt import rebuilt
from attnviz.text import LANGUAGES, strings
from attnviz.trace.sampling import Sampling
from attnviz.trace.trace import Trace
from attnviz.views.pack import unpack
from tests.parity.tiny_models import traced_model

SCRIPT = Path(__file__).resolve().parents[2] / "js" / "stepper_cells.mjs"
MOST_CELLS = 40  # of a step that are compared, the corners among them


@pytest.fixture(scope="module")
def reverse() -> Trace:
    return av.load("reverse").trace("k a b c")


@pytest.fixture(scope="module")
def translated() -> Trace:
    return av.load("translate-en-zh").trace("I like cats.")


@cache
def header_of(trace: Trace, tab: str, site: str | None = None, lang: str = "en") -> dict:
    return unpack(views.stepper(chain(trace, tab, site), trace, lang=lang).payload)[0]


def some_cells(steps: Chain) -> list[tuple[int, int, int]]:
    """Corners and seeded cells of every step that can be written out."""
    choose = random.Random(7)
    found = []
    for at, step in enumerate(steps.steps):
        if step.note:
            continue
        rows = range(step.result.rows.start, step.result.rows.stop)
        columns = range(step.result.columns.start, step.result.columns.stop)
        every = [(at, row, column) for row in rows for column in columns]
        found += [every[0], every[-1], *choose.sample(every, min(len(every), MOST_CELLS))]
    return found


def hold(steps: Chain, trace: Trace, folder: Path) -> None:
    """Every cell: the same value, the rule gives it again, the same terms as Python's, and what is printed adds up.

    A calculator gives what is printed from the printed numbers, unless the line says that it is rounded; few do.
    """
    places, n_rounded, path, node = some_cells(steps), 0, folder / "payload", shutil.which("node")
    path.write_bytes(views.stepper(steps, trace).payload)
    assert node
    done = subprocess.run([node, SCRIPT, path], input=json.dumps(places), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (at, row, column), theirs in zip(places, json.loads(done.stdout), strict=True):
        step = steps.steps[at]
        ours = explain_cell(step, row, column)
        name, near = (step.key, row, column), 1e-5 * max(step.result.largest, 1e-6)
        value, again = float(theirs["value"]), float(theirs["again"])
        assert value == ours.value, name
        assert again == value or abs(again - value) <= near, (name, again, value)
        assert theirs["wrong"] == [], name
        n_rounded += theirs["isRounded"]
        if ours.is_sum:
            products = [term.product for term in ours.terms]
            assert sorted(map(float, theirs["products"])) == pytest.approx(sorted(products), rel=1e-12, abs=1e-12), name
    assert n_rounded <= len(places) // 100


def recorded(compute: Callable[[], object]) -> Trace:
    torch.manual_seed(0)
    with torch.inference_mode(), av.record() as run:
        compute()
    return run.trace(0)


@pytest.fixture(scope="module")
def traces(reverse, minilm) -> dict[str, Trace]:
    allowed = torch.tensor([True, False, True])[:, None].expand(3, 3)  # the second query may look at nothing
    return {
        "reverse": reverse,
        "induction": av.load("induction").trace("a b c a b"),
        "minilm": minilm.trace("The cat sat on the mat."),
        "capped": recorded(lambda: attend(*torch.randn(3, 1, 2, 4, 6) * 3, softcap=2.0)),  # in no bundled model
        "modern": rebuilt(traced_model("qwen3")).trace("A cat sat."),  # RMSNorm, rotation, groups, gate
        "gemma2": rebuilt(traced_model("gemma2")).trace("A cat sat."),  # norms on both sides, caps, a gate of GELU
        "gpt_neox": rebuilt(traced_model("gpt_neox")).trace("A cat sat."),  # a sum of three, part of a head rotated
        "blocked": recorded(lambda: MultiHeadAttention(8, 2).eval()(torch.randn(1, 3, 8), mask=allowed)),
    }


@pytest.mark.parametrize(("name", "tab", "site", "head"), [
    *((name, tab, None, 0) for name in ("reverse", "induction") for tab in TABS),
    ("reverse", "self", "decoder.0.cross", 1),
    ("minilm", "self", "encoder.5.self", 11),
    *((name, tab, None, 2) for name in ("modern", "gemma2", "gpt_neox") for tab in TABS),
    ("capped", "self", None, 0),
    ("blocked", "self", None, 0),
])  # fmt: skip
@pytest.mark.needs("node")
def test_the_browser_writes_every_step_out_as_python_does(traces, tmp_path, name, tab, site, head) -> None:
    hold(chain(traces[name], tab, site, head=head), traces[name], tmp_path)


@pytest.mark.parametrize(
    "sampling", [Sampling(temperature=0.7, top_p=0.8), Sampling(temperature=2.0, top_k=3)], ids=str
)
@pytest.mark.needs("node")
def test_the_browser_writes_the_choice_out_as_python_does(traces, tmp_path, sampling) -> None:
    hold(chain(traces["modern"], "decoder", sampling=sampling), traces["modern"], tmp_path)


@pytest.mark.needs("node")
def test_what_is_left_out_of_a_part_is_added_up(reverse, tmp_path) -> None:
    steps = slice_chain(chain(reverse, "self"), {"d_model": (8, 8), "T_k": (1, 3)})
    assert steps["q"].rest is not None and steps["weights"].rest is not None
    hold(steps, reverse, tmp_path)


def test_cross_attention_lies_between_two_texts() -> None:
    header = header_of(av.load("reverse").trace("k a b c d", target="d c b"), "self", "decoder.0.cross")
    axes, raw = header["axes"], next(step for step in header["steps"] if step["kind"] == "raw")
    matrix = header["matrices"][raw["result"]]
    assert (axes[matrix["rows"]]["tokens"], axes[matrix["columns"]]["tokens"]) == ("target", "source")
    assert len(header["tokens"]["target"]) == axes[matrix["rows"]]["n"] == 4  # <start> d c b


def test_what_steps_read_and_write_travels_once_as_float32_and_nothing_else_does(reverse) -> None:
    steps = chain(reverse, "self")
    header, arrays = unpack(views.stepper(steps, reverse).payload)
    for key, array in arrays.items():
        assert array.dtype == np.float32
        assert np.array_equal(array, steps.matrices[key].values.numpy(), equal_nan=True)
    readings = [reading for step in header["steps"] for reading in step["operands"]]
    named = {reading if isinstance(reading, str) else reading["id"] for reading in readings}
    for step in header["steps"]:
        named |= {step["result"], *step.get("extras", {}).values(), *({step["bias"]} if "bias" in step else ())}
    assert named == arrays.keys() == header["matrices"].keys()


def test_of_several_heads_matrices_carry_the_number_and_words_travel_once(reverse) -> None:
    header = header_of(reverse, "heads")
    steps = [step for step in header["steps"] if step["kind"] == "weights"]
    assert [header["matrices"][step["result"]]["name"] for step in steps] == ["weights_1", "weights_2"]
    (words,) = {step["words"] for step in steps}
    assert header["words"][words]["code"].startswith("weights = torch.softmax")


SAID = ("title", "stop", "part", "says", "exercise", "formula", "code")
FUNCTIONS = {"ReLU", "GELU", "SiLU", "softmax", "tanh", "d_k", "d_v", "sin", "cos"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tab", TABS)
def test_a_step_has_words_in_every_language_and_a_formula_with_the_names_of_the_picture(reverse, tab, lang) -> None:
    header = header_of(reverse, tab, lang=lang)
    assert header["strings"] == strings(lang).view("stepper")
    for step in header["steps"]:
        said = header["words"][step["words"]] | step
        assert all(said[name].strip() for name in SAID), step
        assert "{" not in said["says"] + said["exercise"] + said["title"]
        named = set()  # what the picture and the shapes call the matrices of a step
        readings = [step["result"], *step["operands"], *step.get("extras", {}).values(), step.get("bias")]
        for reading in filter(None, readings):
            is_turned = isinstance(reading, dict)
            named.add(header["matrices"][reading["id"]]["turned"] if is_turned else header["matrices"][reading]["name"])
        words = {word for word in re.findall(r"[^\W\d]\w+", step["formula"]) if word not in FUNCTIONS}
        named |= {f"{name}_{head}" for name in named for head in (1, 2)}  # the heads that are joined
        assert words <= named, step["name"]
        if step["rule"] == "add":
            result, *operands = (header["matrices"][id]["name"] for id in (step["result"], *step["operands"]))
            assert step["formula"] == f"{result} = {' + '.join(operands)}"
            assert result not in operands
        if step["rule"] == "split":
            first, own = step["facts"]["first"], header["axes"][header["matrices"][step["result"]]["columns"]]
            assert step["formula"].endswith(f"[:, {first + 1} … {first + own['n']}]")


@pytest.mark.parametrize("tab", ["heads", "decoder"])
def test_values_have_one_letter_from_v_to_the_joined_heads_which_are_numbered(reverse, tab) -> None:
    header = header_of(reverse, tab)
    joined = next(step for step in header["steps"] if step["kind"] == "concat")
    matrices = [header["matrices"][key] for key in joined["operands"]]
    assert [matrix["name"] for matrix in matrices] == [f"context_{at + 1}" for at in range(len(matrices))]
    values = [matrix for key, matrix in header["matrices"].items() if re.search(r"\.h\d\.v$", key)]
    assert values
    assert {header["axes"][matrix["columns"]]["letter"] for matrix in (*matrices, *values)} == {"d_v"}


def test_a_table_of_positions_is_as_long_as_a_text_may_be_and_one_of_tokens_as_the_vocabulary(reverse) -> None:
    header = header_of(reverse, "self")
    tables = [header["matrices"][step["operands"][1]] for step in header["steps"] if step["rule"] == "lookup"]
    assert [header["axes"][table["rows"]]["letter"] for table in tables] == ["V", "T_max"]


def test_a_result_that_an_edit_replaced_has_no_formula() -> None:
    edit = av.Edit("encoder.0.self.weights", lambda name, weights: torch.full_like(weights, 0.2), "even weights")
    trace = av.load("reverse").trace("a b c d", edits=[edit])
    header = header_of(trace, "self")
    assert {step["kind"]: step["formula"] for step in header["steps"]}["weights"] == ""


def test_the_revision_is_of_the_numbers_and_not_of_the_words(reverse, traces) -> None:
    steps = chain(reverse, "self")
    first = views.stepper(steps, reverse)
    again = views.stepper(steps, reverse, views.At("raw", 1, 2), lang="zh-TW", size="projector")
    assert first.revision == again.revision
    others = [views.stepper(chain(reverse, "self", head=1), reverse), views.stepper(chain(reverse, "heads"), reverse)]
    others.append(views.stepper(chain(traces["induction"], "self"), traces["induction"]))
    assert len({first.revision, *(other.revision for other in others)}) == 4


def test_ten_tokens_of_a_shipped_model_take_at_most_150_kb() -> None:
    trace = av.load("reverse").trace("k a b c d e f g h")
    assert len(trace.tokens.source) == 10
    assert len(views.stepper(chain(trace, "self"), trace).payload) <= 150_000


def test_the_map_counts_the_blocks_of_the_model_and_says_which_is_shown(translated, traces) -> None:
    assert header_of(translated, "decoder", "decoder.1.self")["map"] == {
        "encoder": 2, "decoder": 2, "stack": "decoder", "layer": 1,
    }  # fmt: skip
    assert header_of(translated, "block", "encoder.0.self")["map"]["stack"] == "encoder"
    assert header_of(translated, "self")["map"] is None
    assert header_of(traces["induction"], "decoder")["map"]["encoder"] == 0


def test_a_decoder_block_has_three_sections_in_order(translated) -> None:
    header = header_of(translated, "decoder", "decoder.0.self")
    sections = [header["words"][step["words"]]["section"] for step in header["steps"]]
    assert list(dict.fromkeys(sections)) == ["", "masked-self", "cross", "ff"]
    assert sections == sorted(sections, key=["", "masked-self", "cross", "ff"].index) or sections[-1] == ""


def test_what_a_mask_and_cross_attention_are_for_is_said_at_their_steps(translated) -> None:
    say = strings("en")

    def said(tab: str, site: str) -> dict[str, str]:
        header = header_of(translated, tab, site)
        return {step["name"]: header["words"][step["words"]]["says"] for step in header["steps"]}

    decoder = said("decoder", "decoder.0.self")
    assert decoder["masked"] == say("step-masked-causal-says") and decoder["q"] == say("step-q-says")
    for name in ("q", "k", "v", "raw", "masked", "weights", "context"):
        assert decoder[f"{name}.2"] == say(f"step-{name}-cross-says")
    assert said("self", "encoder.0.self")["masked"] == say("step-masked-says")


def test_a_block_numbers_what_its_heads_read_as_the_heads_that_they_share():
    trace = rebuilt(traced_model("llama")).trace("A cat sat.")  # 4 heads, 2 of keys and values
    for tab, expected in (("block", ["weights_3", "V_2"]), ("heads", ["weights_3", "V_2"]), ("self", ["weights", "V"])):
        header, _ = unpack(views.stepper(chain(trace, tab, "decoder.0.self", head=2), trace).payload)
        step = [one for one in header["steps"] if one["kind"] == "context"][2 if tab != "self" else 0]
        assert [header["matrices"][id]["name"] for id in step["operands"]] == expected
        assert step["formula"].endswith("·".join(expected))
