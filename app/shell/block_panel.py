"""A panel of facts, prose, tables and maps under a picture."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz_app.host import component
from attnviz_app.shell import visitor

from attnviz import views
from attnviz.text import Strings
from attnviz.views.panel.blocks import Block


def show(blocks: Sequence[Block], title: str, key: str, say: Strings) -> None:
    """Draw it.

    Args:
        title: for screen readers. key: of the component.
    """
    view = views.panel(blocks, title=title, strings=say.view("panel"), lang=say.language, size=visitor.size())
    component.panel(view.payload, key)
