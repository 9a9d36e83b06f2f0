"""Which tokens are sinks, and what they take, on maps that can be worked out by hand."""

import pytest
import torch

from attnviz.analysis.heads.sinks import LEAST_ROWS, sinks
from attnviz.trace.trace import Trace
from tests.unit.weights_as_trace import trace_of

SITE = "encoder.0.self"


def found(trace: Trace, **options: bool):
    return sinks(trace, trace.sites, **options)


def even(n_heads: int = 40, n: int = 6) -> torch.Tensor:
    return torch.full((n_heads, n, n), 1 / n)


def test_a_token_is_a_sink_where_a_tenth_of_the_heads_give_it_more_than_0_3_of_their_rows() -> None:
    weights = even()
    weights[:4] = 0.02
    weights[:4, :, 2] = 0.9  # four heads in forty
    one = found(trace_of({SITE: weights}))
    assert one.tokens == (2,)
    assert one.share == pytest.approx((0.9 + 9 / 6) / 10)
    none = found(trace_of({SITE: torch.cat([weights, even(1)])}))  # fewer than a tenth
    assert none.tokens == () and none.share == 0.0
    assert found(trace_of({SITE: weights[:3]})).tokens == ()  # all three heads there are


def test_several_sinks_of_several_layers_are_found_and_only_the_first_token_where_no_other_is_asked_about() -> None:
    first, second = even(4), even(4)
    first[:] = torch.tensor([0.6, 0.0, 0.0, 0.0, 0.0, 0.4])
    second[:] = torch.tensor([0.0, 0.2, 0.2, 0.1, 0.1, 0.4])
    trace = trace_of({SITE: first, "encoder.1.self": second})
    both = found(trace)
    assert both.tokens == (0, 5) and both.share == pytest.approx((1.0 + 0.4) / 2)
    alone = found(trace, only_first=True)
    assert alone.tokens == (0,) and alone.share == pytest.approx((0.6 + 0.0) / 2)


def test_what_a_token_gives_itself_and_what_few_rows_give_it_makes_no_sink() -> None:
    itself = torch.eye(6).repeat(4, 1, 1)
    assert found(trace_of({SITE: itself})).tokens == ()
    weights = torch.zeros(4, LEAST_ROWS, LEAST_ROWS)
    weights[:, :, 1] = 1.0
    assert found(trace_of({SITE: weights})).tokens == ()  # three other tokens


def test_rows_that_can_see_nothing_else_do_not_count_in_the_share() -> None:
    weights = torch.tensor([[1.0, 0, 0, 0, 0], [0.8, 0.2, 0, 0, 0], [0.6, 0.2, 0.2, 0, 0], [0.6, 0.1, 0.1, 0.2, 0],
                            [0.4, 0.1, 0.1, 0.1, 0.3]]).repeat(4, 1, 1)  # fmt: skip
    one = found(trace_of({SITE: weights}, causal="encoder"))
    assert one.tokens == (0,) and one.share == pytest.approx((0.8 + 0.6 + 0.6 + 0.4) / 4)
