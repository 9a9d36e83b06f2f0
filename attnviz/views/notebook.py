"""Views in a notebook: a frame that needs no kernel once it is drawn, and a widget whose selection Python hears."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.core.errors import AttnvizError

if TYPE_CHECKING:
    from attnviz.views.view import View

HEIGHT = 640  # px, until the page has measured what it needs


def framed(page: str, title: str, stripped: str) -> str:
    """A page in a frame of its own, so that several stand in one notebook; behind it what is said where it is stripped.

    Args:
        page: a whole page without requests, as `html.standalone` gives it.
        title: what a screen reader calls the frame.
    """
    return (
        f'<div style="display:grid"><p style="grid-area:1/1;margin:1em">{html.escape(stripped)}</p>'
        f'<iframe title="{html.escape(title)}" srcdoc="{html.escape(page)}" '
        f'style="grid-area:1/1;position:relative;width:100%;height:{HEIGHT}px;border:0"></iframe></div>'
    )


def widget(view: View) -> Any:
    """The view as an anywidget: `selection` is what is picked, as a dict that can be observed and set.

    Raises:
        AttnvizError: anywidget is not installed.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise AttnvizError(id="no-anywidget") from None

    class ViewWidget(anywidget.AnyWidget):
        """One view; `w.selection = {**w.selection, "head": 3}` shows another head."""

        _esm = (Path(__file__).parent / "hosts" / "widget.js").read_text(encoding="utf-8")
        page = traitlets.Unicode().tag(sync=True)
        title = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(HEIGHT).tag(sync=True)
        selection = traitlets.Dict().tag(sync=True)

        @traitlets.validate("selection")
        def _is_here(self, proposal: Any) -> Any:
            picked = {**view.selection, **self.selection, **proposal["value"]}
            if view.check is not None:
                view.check(picked)
            return picked

    return ViewWidget(page=view.html(), title=view.title, selection=view.selection)
