"""A figure as a file: a page or plotly's JSON by plotly, a picture by kaleido, and never a request to anybody."""

from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from attnviz.core.errors import InputError, WriteError
from attnviz.files import write_whole

PICTURES = (".svg", ".pdf", ".png")
ENDINGS = (*PICTURES, ".html", ".json")
SCALE = 2  # points of a .png for each pixel of the figure


def save(fig: go.Figure, path: str | Path) -> Path:
    """Write a figure to a file, whole or not at all.

    >>> import attnviz as av
    >>> fig = av.load("reverse").trace("a b c").figure("encoder.1.self", head=0)
    >>> av.figures.save(fig, "head.html").name
    'head.html'

    plotly's own `fig.write_image` asks a foreign server for MathJax; this does not.

    Args:
        path: ends in .html, .json, or .svg, .pdf, .png: these with `pip install 'attnviz[figures]'` and a Chrome or
            Chromium on this computer.
    Returns:
        the path.
    Raises:
        InputError: another ending.
        WriteError: there is no kaleido, no browser for it, no room, or no right to.
    """
    if not isinstance(fig, go.Figure):
        raise InputError(id="no-plotly-figure", came=type(fig).__name__)
    if not isinstance(path, str | Path):
        raise InputError(id="no-path", came=type(path).__name__)
    path = Path(path)
    ending = check_ending(path)
    if ending == ".html":
        content = fig.to_html(include_plotlyjs=True, include_mathjax=False).encode()
    elif ending == ".json":
        content = fig.to_json().encode()
    else:
        content = picture(fig, ending[1:])
    write_whole(path, content)
    return path


def check_ending(path: Path) -> str:
    """The ending of a figure's file."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(id="figure-ending", name=path.name, endings=", ".join(ENDINGS))
    return ending


def offline_page() -> Any:
    """The page that kaleido draws on: plotly.js from the package, no MathJax."""
    import kaleido

    return kaleido.PageGenerator(mathjax=False)


def picture(fig: go.Figure, kind: str) -> bytes:
    """The figure drawn by a browser without a window."""
    try:
        import kaleido
        from choreographer.errors import BrowserFailedError, ChromeNotFoundError
    except ImportError as missing:
        raise WriteError(id="figure-needs-kaleido", ending=f".{kind}") from missing
    wanted = {"format": kind, "scale": SCALE if kind == "png" else 1}
    try:
        drawn: bytes = kaleido.calc_fig_sync(fig, opts=wanted, kopts={"page_generator": offline_page()})
    except (ChromeNotFoundError, BrowserFailedError) as fault:
        raise WriteError(id="figure-needs-browser", ending=f".{kind}") from fault
    return drawn
