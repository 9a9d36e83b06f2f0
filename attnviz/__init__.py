"""AttnViz: see attention being computed, in a transformer written to be read and in real pretrained models.

    import attnviz as av

    trace = av.load("minilm-l6").trace("The cat sat on the mat.")
    trace["encoder.2.self"].weights(head=3)    # [T_q, T_k]

models     load  Shelf  models  attend  scaled_dot_product_attention
runs       record  at  tap  Trace  Edit  ablate  cut  steer
reading    explain  head_metrics  survey  group_attention  compare  check_attention
reasons    why  wrote  logit_lens  patch  circuits  support
showing    views  figures  options
errors     errors  AttnvizError

Importing this is cheap: each part loads when it is first named, torch with the first of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from attnviz.trace import display_mixin

if TYPE_CHECKING:
    from attnviz import errors, figures, models, views
    from attnviz.analysis.circuits.kind_evidence import support
    from attnviz.analysis.circuits.logits import logit_lens, wrote
    from attnviz.analysis.circuits.patching import patch
    from attnviz.analysis.circuits.score_ledger import why
    from attnviz.analysis.circuits.weight_circuits import circuits
    from attnviz.analysis.compare import compare
    from attnviz.analysis.heads.aggregate import head_metrics
    from attnviz.analysis.heads.groups import group_attention
    from attnviz.analysis.heads.survey import survey
    from attnviz.catalog import Shelf, load
    from attnviz.checking import check_attention
    from attnviz.core.attend import attend, scaled_dot_product_attention
    from attnviz.core.capture import at, tap
    from attnviz.core.edit import Edit
    from attnviz.core.errors import AttnvizError
    from attnviz.explanation.explain import explain
    from attnviz.figures.labels import options
    from attnviz.trace.edits import ablate, cut, steer
    from attnviz.trace.trace import Trace
    from attnviz.trace.traceable import record

_HOME = {
    "AttnvizError": "core.errors", "Edit": "core.edit", "Shelf": "catalog", "Trace": "trace.trace",
    "ablate": "trace.edits", "at": "core.capture", "attend": "core.attend", "check_attention": "checking",
    "circuits": "analysis.circuits.weight_circuits", "compare": "analysis.compare", "cut": "trace.edits",
    "explain": "explanation.explain",
    "group_attention": "analysis.heads.groups",
    "head_metrics": "analysis.heads.aggregate", "load": "catalog", "logit_lens": "analysis.circuits.logits",
    "options": "figures.labels",
    "patch": "analysis.circuits.patching", "record": "trace.traceable", "scaled_dot_product_attention": "core.attend",
    "steer": "trace.edits", "support": "analysis.circuits.kind_evidence", "survey": "analysis.heads.survey",
    "tap": "core.capture",
    "why": "analysis.circuits.score_ledger",
    "wrote": "analysis.circuits.logits",
}  # fmt: skip
_ROOMS = ("errors", "figures", "models", "views")


def _pictures() -> display_mixin.Pictures:
    from attnviz.views import of_runs

    return of_runs


display_mixin.pictures = _pictures
display_mixin.figures = lambda: import_module("attnviz.figures")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from attnviz.core.version import installed_version

        return installed_version()
    if name in _ROOMS:
        return import_module(f"attnviz.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'attnviz' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"attnviz.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


__all__ = [
    "AttnvizError", "Edit", "Shelf", "Trace", "ablate", "at", "attend", "check_attention", "circuits", "compare", "cut",
    "errors", "explain", "figures", "group_attention", "head_metrics", "load", "logit_lens", "models", "options",
    "patch", "record", "scaled_dot_product_attention", "steer", "support", "survey", "tap",
    "views", "why", "wrote",
]  # fmt: skip
