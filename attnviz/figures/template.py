"""The templates of figures and their colour scales, from the palette: light, dark, and each for a projector.

https://plotly.com/python/templates/
"""

from typing import get_args

import plotly.graph_objects as go
import plotly.io as pio

from attnviz.core.errors import InputError
from attnviz.palette import SERIES, TOKENS, Theme, scale_colour

LIGHT, DARK = "attnviz", "attnviz-dark"
PROJECTED = "-projector"  # behind their names
PROJECTOR = 1.25  # times the sizes of a normal screen, as in the dashboard
FONT = "Inter, 'Source Sans', 'Segoe UI', system-ui, 'Noto Sans CJK SC', sans-serif"
STEPS = 48  # of a colour scale; between them plotly interpolates
DEEPEST = 0.92  # of a signed scale, as in the dashboard
BEND = 0.8  # a signed number x lies at |x|^0.8 of its arm, so that small ones are seen

Scale = list[tuple[float, str]]


def weight_scale(theme: Theme) -> Scale:
    """Colours of weights from 0 to 1: the colour of w lies at √w, so that small weights stay visible."""
    return [(at * at, scale_colour(at, theme)) for at in (step / STEPS for step in range(STEPS + 1))]


def signed_scale(theme: Theme) -> Scale:
    """Colours of signed numbers from −max to max: paper at 0, orange below, blue above."""
    places = [step / STEPS for step in range(-STEPS, STEPS + 1)]
    return [((x + 1) / 2, scale_colour((1 if x >= 0 else -1) * abs(x) ** BEND * DEEPEST, theme)) for x in places]


def template(theme: Theme, k: float = 1) -> go.layout.Template:
    """Ground, ink, lines and fonts of one theme, for `fig.update_layout(template=…)`; type is `k` times as large."""
    ink, faint, line = (TOKENS[name].on(theme) for name in ("ink", "ink-3", "line"))
    surface, strong = (TOKENS[name].on(theme) for name in ("surface", "line-2"))
    title = {"font": {"color": TOKENS["ink-2"].on(theme), "size": 12 * k}, "standoff": 10}
    axis = {
        "title": title,
        "gridcolor": line, "linecolor": line, "zerolinecolor": strong, "ticks": "",
        "tickfont": {"color": faint, "size": 11.5 * k}, "automargin": True,
    }  # fmt: skip
    bar = {
        "thickness": 12, "outlinewidth": 0, "tickfont": {"color": faint, "size": 11 * k},
        "title": {"font": {"color": TOKENS["ink-2"].on(theme), "size": 12 * k}},
    }  # fmt: skip
    layout = go.Layout(
        font={"family": FONT, "size": 13 * k, "color": ink},
        title={"font": {"size": 15 * k, "color": ink}, "x": 0, "xref": "paper", "xanchor": "left"},
        paper_bgcolor=surface, plot_bgcolor=surface, colorway=[colour.on(theme) for colour in SERIES],
        xaxis=axis, yaxis=axis, margin={"l": 60, "r": 20, "t": 56, "b": 72},
        hoverlabel={"bgcolor": surface, "bordercolor": strong, "font": {"color": ink, "family": FONT, "size": 12 * k}},
        coloraxis={"colorbar": bar},
        legend={"font": {"color": ink, "size": 12 * k}},
    )  # fmt: skip
    return go.layout.Template(layout=layout, data={"heatmap": [go.Heatmap(colorbar=bar)]})


def template_name(theme: Theme, *, is_projected: bool = False) -> str:
    """What a template is called in plotly's `pio.templates`.

    Raises:
        InputError: there is no such theme.
    """
    if theme not in get_args(Theme):
        raise InputError(id="bad-theme", came=repr(theme), known=tuple(map(repr, get_args(Theme))))
    return (LIGHT if theme == "light" else DARK) + PROJECTED * is_projected


for _theme in get_args(Theme):
    pio.templates[template_name(_theme)] = template(_theme)
    pio.templates[template_name(_theme, is_projected=True)] = template(_theme, PROJECTOR)
