"""Where a step stands in the whole model: its block among all blocks, and its section of the block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.core.site import Site
from attnviz.views.stepper.header import ModelMap

if TYPE_CHECKING:
    from attnviz.explanation.matrices import Chain, RunStep
    from attnviz.trace.trace import Trace

WHOLE_BLOCKS = ("block", "decoder")  # tabs that go through a whole block
FEED_FORWARD = ("ff-norm", "ff", "block-out")  # groups of steps
CROSS, SELF = ("cross-norm", "crossed"), ("self-norm", "mid")  # steps around an attention


def model_map(chain: Chain, trace: Trace) -> ModelMap | None:
    """The blocks of a model that writes; None for other models, and on tabs about one attention."""
    layers = {stack: {site.layer for site in trace.sites if site.stack == stack} for stack in ("encoder", "decoder")}
    if chain.tab not in WHOLE_BLOCKS or not layers["decoder"]:
        return None
    here = Site.parse(chain.site)
    return {
        "encoder": len(layers["encoder"]), "decoder": len(layers["decoder"]), "stack": here.stack, "layer": here.layer,
    }  # fmt: skip


def section_of(step: RunStep, chain: Chain) -> str:
    """The section of the block that a step belongs to; "" before and after the block, and where no block is shown."""
    if chain.tab not in WHOLE_BLOCKS:
        return ""
    if step.group in FEED_FORWARD:
        return "ff"
    if step.name in CROSS or ".cross." in step.key:
        return "cross"
    if step.name in SELF or ".self." in step.key:
        return "masked-self" if step.key.startswith("decoder.") else "self"
    return ""
