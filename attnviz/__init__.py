"""AttnViz: see attention being computed, in a transformer written to be read and in real pretrained models.

    import attnviz as av

    trace = av.load("minilm-l6").trace("The cat sat on the mat.")
    trace["encoder.2.self"].weights(head=3)    # [T_q, T_k]

Importing this is cheap: the parts that need transformers, plotly or the views load when they are first named.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from attnviz.explanation import STEPS, Cell, Step
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Card, Trace
from attnviz.trace.traceable import record

from .core.attend import attend, scaled_dot_product_attention
from .core.capture import Edit, at, tap
from .core.errors import AttnvizError
from .core.masks import Mask
from .core.site import Site

if TYPE_CHECKING:
    from attnviz import errors, explanation, models, views
    from attnviz.explanation.explain import explain

    from .analysis.compare import compare
    from .analysis.heads.aggregate import head_metrics
    from .catalog import Shelf, load
    from .checking import check_attention

_LATER = {
    "Shelf": ("attnviz.catalog", "Shelf"),
    "check_attention": ("attnviz.checking", "check_attention"),
    "compare": ("attnviz.analysis.compare", "compare"),
    "errors": ("attnviz.errors", None),
    "explain": ("attnviz.explanation.explain", "explain"),
    "head_metrics": ("attnviz.analysis.heads.aggregate", "head_metrics"),
    "explanation": ("attnviz.explanation", None),
    "load": ("attnviz.catalog", "load"),
    "models": ("attnviz.models", None),
    "views": ("attnviz.views", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'attnviz' has no attribute {name!r}")
    module_name, attribute = _LATER[name]
    module = import_module(module_name)
    return module if attribute is None else getattr(module, attribute)


__all__ = [
    "STEPS", "AttnvizError", "Card", "Cell", "Edit", "Mask", "Shelf", "Site", "Step", "Tokens", "Trace", "at",
    "attend", "check_attention", "compare", "errors", "explain", "explanation", "head_metrics", "load", "models",
    "record", "scaled_dot_product_attention", "tap", "views",
]  # fmt: skip
