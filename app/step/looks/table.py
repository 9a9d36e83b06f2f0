"""Which closer looks each tab of Step through has, in the order of its buttons."""

from __future__ import annotations

from attnviz_app.step.looks import block, decoder, heads, self_attention
from attnviz_app.step.looks.buttons import Look

LOOKS: dict[str, tuple[Look, ...]] = {
    "self": self_attention.LOOKS,
    "heads": heads.LOOKS,
    "block": block.LOOKS,
    "decoder": decoder.LOOKS,
}
