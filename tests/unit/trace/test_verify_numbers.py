"""A proof never takes what is no number for agreement."""

import pytest
import torch

from attnviz.core.masks import Mask
from attnviz.core.recording import largest_difference
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord, Replay
from attnviz.trace.verify import verify

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(("ours", "theirs"), [(NAN, 0.0), (0.0, NAN), (NAN, NAN), (INF, INF), (INF, 0.0)])
def test_a_difference_from_no_number_is_infinite(ours, theirs):
    assert largest_difference(torch.tensor([ours, 1.0]), torch.tensor([theirs, 1.0])) == INF


@pytest.mark.parametrize("spoilt", ["q", "v"])
@pytest.mark.parametrize("number", [NAN, INF])
def test_a_run_with_numbers_that_are_none_does_not_hold(spoilt, number):
    parts = {name: torch.ones(1, 2, 2) for name in "qkv"}
    parts[spoilt] = torch.full((1, 2, 2), number)
    record = AttentionRecord(Site("encoder", "self", 0), Replay(**parts, scale=1.0, mask=Mask(2, 2)))
    proof = verify({"encoder.0.self": record}, {"encoder.0.self": record.context()})
    assert not proof.holds
