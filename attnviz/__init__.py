"""AttnViz: see attention being computed, in a transformer written to be read and in real pretrained models.

    import attnviz as av

    trace = av.load("minilm-l6").trace("The cat sat on the mat.")
    trace["encoder.2.self"].weights(head=3)    # [T_q, T_k]

models     load  Shelf  models  attend  scaled_dot_product_attention
runs       record  at  tap  Edit  Trace  Tokens  Site  Mask  Card
reading    explain  explanation  STEPS  Step  Cell  head_metrics  compare  check_attention
reasons    why  wrote  logit_lens  patch  circuits  support
showing    views
errors     errors  AttnvizError

Importing this is cheap: each part loads when it is first named, torch with the first of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnviz import errors, explanation, models, views
    from attnviz.analysis.circuits.kind_evidence import support
    from attnviz.analysis.circuits.logits import logit_lens, wrote
    from attnviz.analysis.circuits.patching import patch
    from attnviz.analysis.circuits.score_ledger import why
    from attnviz.analysis.circuits.weight_circuits import circuits
    from attnviz.analysis.compare import compare
    from attnviz.analysis.heads.aggregate import head_metrics
    from attnviz.catalog import Shelf, load
    from attnviz.checking import check_attention
    from attnviz.core.attend import attend, scaled_dot_product_attention
    from attnviz.core.capture import Edit, at, tap
    from attnviz.core.errors import AttnvizError
    from attnviz.core.site import Site
    from attnviz.explanation import STEPS, Cell, Step
    from attnviz.explanation.explain import explain
    from attnviz.trace.mask import Mask
    from attnviz.trace.run_facts import Card
    from attnviz.trace.tokens import Tokens
    from attnviz.trace.trace import Trace
    from attnviz.trace.traceable import record

_HOME = {
    "STEPS": "explanation", "AttnvizError": "core.errors", "Card": "trace.run_facts", "Cell": "explanation",
    "Edit": "core.capture", "Mask": "trace.mask", "Shelf": "catalog", "Site": "core.site", "Step": "explanation",
    "Tokens": "trace.tokens", "Trace": "trace.trace", "at": "core.capture", "attend": "core.attend",
    "check_attention": "checking", "compare": "analysis.compare", "explain": "explanation.explain",
    "head_metrics": "analysis.heads.aggregate", "load": "catalog", "record": "trace.traceable",
    "scaled_dot_product_attention": "core.attend", "tap": "core.capture", "why": "analysis.circuits.score_ledger",
    "logit_lens": "analysis.circuits.logits", "patch": "analysis.circuits.patching",
    "wrote": "analysis.circuits.logits", "circuits": "analysis.circuits.weight_circuits",
    "support": "analysis.circuits.kind_evidence",
}  # fmt: skip
_ROOMS = ("errors", "explanation", "models", "views")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("attnviz")
        except PackageNotFoundError:  # run from a folder that was never installed
            return "not installed"
    if name in _ROOMS:
        return import_module(f"attnviz.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'attnviz' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"attnviz.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


__all__ = [
    "STEPS", "AttnvizError", "Card", "Cell", "Edit", "Mask", "Shelf", "Site", "Step", "Tokens", "Trace", "at",
    "attend", "check_attention", "circuits", "compare", "errors", "explain", "explanation", "head_metrics", "load",
    "logit_lens", "models", "patch", "record", "scaled_dot_product_attention", "support", "tap", "views", "why",
    "wrote",
]  # fmt: skip
