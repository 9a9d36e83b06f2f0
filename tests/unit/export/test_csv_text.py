"""What leaves as CSV opens in a spreadsheet as text and numbers, never as a formula."""

import io
import math
import re
from pathlib import Path

import pandas as pd
import pytest

import attnviz
from attnviz.export.csv_text import FORMULA, NUMBER, csv_text


@pytest.mark.parametrize("cell", ["=1+1", "+1+1", "-1+1", "@cmd", "\t=1", "\r=1", "\n=1", "=", "-", "-inf", "＝1+1"])
def test_a_text_that_begins_like_a_formula_is_quoted(cell):
    frame = pd.DataFrame({"token": ["a", cell], cell: [1, 2]})
    back = pd.read_csv(io.StringIO(csv_text(frame)), lineterminator="\n" if "\r" in cell else None)
    assert back.iloc[1, 0].startswith("'") and back.columns[1].startswith("'")


def test_numbers_and_plain_texts_stay_as_they_are():
    frame = pd.DataFrame({"x": [-0.5, math.nan, 1e-7], "n": [1, -2, 3], "text": ["-0.5", "a, b", "it's"]})
    assert csv_text(frame) == 'x,n,text\n-0.5,1,-0.5\n,-2,"a, b"\n1e-07,3,it\'s\n'


def test_a_heading_of_heads_says_what_they_are_counted_from():
    assert csv_text(pd.DataFrame({"site": ["a"], "head_a": [0]}), heads_from=0) == "site,head_a (from 0)\na,0\n"


def test_categories_are_texts_too():
    frame = pd.DataFrame({"kind": pd.Categorical(["=a", "b"])})
    assert csv_text(frame) == "kind\n'=a\nb\n"


def test_what_is_copied_from_a_picture_has_the_same_rule():
    script = (Path(attnviz.__file__).parent / "views" / "kit" / "spreadsheet.js").read_text(encoding="utf-8")
    rules = dict(re.findall(r"^const (FORMULA|NUMBER) = /\^(.*?)\$?/i?;$", script, re.M))
    assert rules == {"FORMULA": FORMULA.pattern, "NUMBER": NUMBER.pattern}
