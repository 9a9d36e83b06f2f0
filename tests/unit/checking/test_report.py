"""A report is readable where it is shown, and true or false where it is asked."""

import pytest
from torch import nn

import attnviz as av
from attnviz.checking import Report
from tests.unit.checking.layers import Right, broken, unscaled

WIDEST = 110  # characters: what fits beside the code of a notebook


def test_a_report_is_true_only_where_nothing_is_wrong_and_says_what_was_not_looked_at() -> None:
    report, rest = av.check_attention(broken(scores=unscaled)), "masks together, large scores: until what was"
    assert not report and any(rest in what for what in report.unchecked)
    assert av.check_attention(Right())
    assert not Report("f", "Not called.")  # nothing was compared
    assert not av.check_attention(nn.Linear(4, 4))


@pytest.mark.parametrize(("layer", "begins"), [
    (nn.MultiheadAttention(8, 2), "MultiheadAttention: no fault found.\nCalled as layer(query, key, value, attn_mask=…",
    ),
    (nn.TransformerEncoderLayer(16, 4), "TransformerEncoderLayer: no verdict.\nCalled as layer("),
    (nn.Linear(4, 4), "Linear: no verdict.\nCalled as layer("),
], ids=["right", "whole block", "no attention"])  # fmt: skip
def test_no_line_is_wider_than_a_screen_and_every_finding_is_whole(layer: nn.Module, begins: str) -> None:
    report = av.check_attention(layer)
    assert str(report).startswith(begins) and repr(report) == str(report)  # which is what a notebook shows
    assert max(map(len, str(report).split("\n"))) <= WIDEST
    whole = " ".join(str(report).split())
    for finding in (*report.findings, *report.notes):
        assert finding.sentence in whole and finding.fix in whole
        assert all(str(measured) in whole for measured in finding.evidence)
    assert all(what in whole for what in (*report.checked, *report.unchecked))


def test_what_two_mistakes_make_together_is_measured_once() -> None:
    two = broken(scores=unscaled, weights=lambda s, m: m.softmax(-2))
    first, second = av.check_attention(two).findings
    assert len(first.evidence) == 2 and not second.evidence
