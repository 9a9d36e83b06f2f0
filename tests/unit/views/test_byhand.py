"""By hand prints what a pencil gets: every number is held to decimal arithmetic, the program beside it to torch."""

import contextlib
import io
import json
import random
import shutil
import subprocess
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from pathlib import Path

import pytest
import torch

from attnviz import views
from attnviz.text import LANGUAGES
from attnviz.views.html import bundle
from attnviz.views.pack import unpack

SCRIPT = Path(__file__).resolve().parents[2] / "js" / "byhand_sheets.mjs"
SWITCHES = ("mask", "positions", "out", "undivided")
CENT = Decimal("0.01")
Matrix = list[list[Decimal]]


def links() -> list[dict[str, str]]:
    """Every size and every switch at least twice, with the numbers of seeds and with numbers of a person's own."""
    choose = random.Random(45)
    found = []
    for n, d, heads in product(range(2, 7), range(2, 5), (1, 2)):
        for kind in ("seed", "whole", "decimals", "largest"):
            switched = [name for name in SWITCHES if choose.random() < 0.5]
            if heads == 2 and "out" not in switched:
                switched.append("out")
            hand = "_".join(
                [f"{n}x{d}", str(heads), f"seed{choose.randint(1, 9999)}", *sorted(switched, key=SWITCHES.index)]
            )
            link = {"hand": hand}
            if kind != "seed":
                sizes = (
                    [n * d] * (1 + ("positions" in switched))
                    + [d * d] * 3 * heads
                    + [heads * d * d] * ("out" in switched)
                )
                link["numbers"] = "*".join("_".join(number(kind, choose) for _ in range(size)) for size in sizes)
            found.append(link)
    return found


def number(kind: str, choose: random.Random) -> str:
    if kind == "whole":
        return str(choose.randint(-3, 3))
    return f"{choose.randint(-900, 900) / 100:g}" if kind == "decimals" else choose.choice(("-9", "9", "8.5"))


@pytest.fixture(scope="module")
def worked_out() -> dict:
    node = shutil.which("node")
    assert node, "node is needed (run: sh scripts/test_tools.sh)"
    done = subprocess.run([node, SCRIPT], input=json.dumps(links()), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def read(printed: list[list[str]]) -> Matrix:
    return [[Decimal(text.replace("−", "-").replace("∞", "Infinity")) for text in line] for line in printed]


def rounded(x: Decimal) -> Decimal:
    return x.quantize(CENT, rounding=ROUND_HALF_UP)


def times(left: Matrix, right: Matrix) -> Matrix:
    return [
        [rounded(sum(a * b for a, b in zip(row, column, strict=True))) for column in zip(*right, strict=True)]
        for row in left
    ]


def test_every_printed_number_is_what_a_pencil_gets_of_the_printed_numbers_before_it(worked_out):
    for link, answer in zip(links(), worked_out["answers"], strict=True):
        said = link["hand"].split("_")
        n, d = (int(size) for size in said[0].split("x"))
        shared = {name: read(matrix) for name, matrix in answer["shared"].items()}
        words = shared["E"]
        if "positions" in said:
            words = [[x + p for x, p in zip(*rows, strict=True)] for rows in zip(words, shared["P"], strict=True)]
        assert shared["X"] == words, link
        outputs = []
        for head in answer["heads"]:
            at = {name: read(matrix) for name, matrix in head.items()}
            for name in "QKV":
                assert at[name] == times(words, at[f"W{name}"]), (link, name)
            assert at["KT"] == [list(column) for column in zip(*at["K"], strict=True)]
            assert at["S"] == times(at["Q"], at["KT"]), link
            root = Decimal({2: "1.41", 3: "1.73", 4: "2"}[d])
            for i, row in enumerate(at["S"]):
                scores = row if "undivided" in said else [rounded(x / root) for x in row]
                scores = [Decimal("-Infinity") if "mask" in said and j > i else x for j, x in enumerate(scores)]
                powers = [Decimal(0) if x.is_infinite() else rounded((x - max(scores)).exp()) for x in scores]
                assert (at["D"][i], at["powers"][i], at["sums"][0][i]) == (scores, powers, sum(powers)), link
                assert at["A"][i] == [rounded(x / sum(powers)) for x in powers], link
            assert at["O"] == times(at["A"], at["V"]), link
            outputs.append(at["O"])
        if "out" in said:
            beside = [[x for line in lines for x in line] for lines in zip(*outputs, strict=True)]
            assert shared["C"] == beside and shared["Y"] == times(beside, shared["WO"]), link
            assert len(shared["WO"]) == len(outputs) * d and len(shared["Y"]) == n


def test_powers_of_e_are_rounded_as_decimal_arithmetic_rounds_them(worked_out):
    assert worked_out["powers"] == [int(rounded((-Decimal(x) / 100).exp()) * 100) for x in range(3001)]


def test_a_cell_written_out_adds_up_to_its_printed_result(worked_out):
    def number(text: str) -> Decimal:
        return read([[text]])[0][0]

    for answer in worked_out["answers"]:
        cells = [cell for head in answer["cells"] for lines in head.values() for line in lines for cell in line]
        cells += [cell for line in answer["last"] or [] for cell in line]
        for cell in cells:
            terms = [[number(term[part]) for part in ("left", "right", "product")] for term in cell["terms"]]
            assert all(left * right == made for left, right, made in terms), cell
            total = sum(made for *_, made in terms)
            assert number(cell["total"]) == total and number(cell["result"]) == rounded(total), cell
            assert cell["isExact"] is (total == rounded(total)), cell
        for cell in (cell for head in answer["weights"] for line in head for cell in line):
            for term in cell["terms"]:
                left, right, made = (number(term[part]) for part in ("left", "right", "product"))
                assert right == left - number(cell["most"])
                assert made == (0 if right.is_infinite() else rounded(right.exp())), cell
            assert number(cell["sum"]) == sum(number(term["product"]) for term in cell["terms"])
            assert number(cell["result"]) == rounded(number(cell["power"]) / number(cell["sum"])), cell
            assert cell["isWhole"] is (number(cell["total"]) == 1)


def test_a_link_holds_every_number_and_switch(worked_out):
    for link, answer in zip(links(), worked_out["answers"], strict=True):
        assert answer["link"]["hand"] == link["hand"]
        assert link.get("numbers", answer["link"]["numbers"]) == answer["link"]["numbers"]


def test_the_program_beside_the_sheet_gives_the_printed_digits(worked_out):
    for link, answer in zip(links(), worked_out["answers"], strict=True):
        said: dict[str, torch.Tensor] = {}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(answer["torch"], said)
        printed_digits = answer["shared"].get("Y") or answer["heads"][0]["O"]
        expected = torch.tensor([[float(x) for x in line] for line in read(printed_digits)], dtype=torch.float64)
        torch.testing.assert_close(said["out"], expected, rtol=0, atol=1e-9, msg=str(link))
        assert "tensor(" in printed.getvalue()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sheet_begins_with_six_words_of_the_readers_language_and_six_of_the_other(lang):
    header, arrays = unpack(views.by_hand(lang=lang).payload)
    here, there = header["sentences"]
    assert not arrays and len(here) == len(there) == 6
    assert (here[0] == "she") is (lang == "en") and here[0] != there[0]


def test_a_saved_page_of_it_holds_its_modules():
    assert "torch.cat" in bundle("byhand")
