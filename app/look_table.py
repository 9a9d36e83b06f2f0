"""Which closer looks each tab of Step through has, in the order of its buttons."""

from __future__ import annotations

from attnviz_app import look_block, look_decoder, look_heads, look_self
from attnviz_app.looks import Look

LOOKS: dict[str, tuple[Look, ...]] = {
    "self": look_self.LOOKS,
    "heads": look_heads.LOOKS,
    "block": look_block.LOOKS,
    "decoder": look_decoder.LOOKS,
}
