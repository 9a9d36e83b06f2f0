"""Every family in half precision: read truly within that dtype's own rounding, and kept in it until shown."""

from copy import deepcopy

import pytest
import torch

from attnviz.trace.verify import TOLERANCE
from attnviz.trace.weight_sources import Replay
from tests.conftest import TINY
from tests.parity.tiny_models import eager_model, traceable

DTYPES = (torch.bfloat16, torch.float16)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("model_type", TINY)
def test_every_family_is_read_truly_in_half_precision(model_type, dtype):
    model = traceable(deepcopy(eager_model(model_type)).to(dtype), model_type)
    trace = model.trace("in half", target="halved" if model.writer else None)
    record = trace[trace.sites[0]]

    assert model.card.probe_difference <= TOLERANCE[dtype] and trace.verified.tolerance == TOLERANCE[dtype]
    assert trace.verified.holds
    assert record.source.v.dtype == dtype and record.weights().dtype == torch.float32
    rows = record.weights().sum(-1)  # [H, T]
    assert float(rows.max()) <= 1 + 1e-5
    if isinstance(record.source, Replay) and record.source.sinks is None:
        torch.testing.assert_close(rows, torch.ones_like(rows), rtol=0, atol=1e-5)  # replayed in float32
