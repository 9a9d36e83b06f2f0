"""A panel of a closer look, in the dialog that is open."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz_app.host import component
from attnviz_app.shell import visitor

from attnviz import views
from attnviz.text import Strings
from attnviz.views.panel import Block


def draw(blocks: Sequence[Block], key: str, title: str, say: Strings) -> None:
    """Show a look's blocks.

    Args:
        key: of the widget; another one for each panel of a look.
        title: what a screen reader calls it.
    """
    size = visitor.size()
    made = views.panel(blocks, title=title, strings=say.view("panel"), lang=say.language, size=size)
    component.panel(made.payload, key)
