"""The pictures that a run shows itself as: `trace.display_mixin.Pictures`."""

from typing import Any

from attnviz.analysis.compare import Comparison, compare
from attnviz.explanation import chain
from attnviz.trace.trace import Trace
from attnviz.views import compare as comparison_view
from attnviz.views import heads as heads_view
from attnviz.views import stepper
from attnviz.views.view import View


def heads(trace: Trace, selection: Any, **options: Any) -> View:
    return heads_view(trace, selection, **options)


def steps(trace: Trace, tab: str, site: str, head: int, **options: Any) -> View:
    return stepper(chain(trace, tab, site, head=head), trace, **options)


def compared(trace: Trace, other: Trace) -> Comparison:
    return compare(trace, other)


def comparison(result: Comparison) -> View:
    return comparison_view(result)
