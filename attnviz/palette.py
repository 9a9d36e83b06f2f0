"""Every colour of the product, once. Style sheets, canvases, Streamlit's theme and the figures are made from this file.

After a change run `python scripts/make_palette.py`; a contract test finds what was not written again.
"""

from typing import Literal, NamedTuple

Theme = Literal["light", "dark"]


class Colour(NamedTuple):
    """One colour on a light page and on a dark one, as #RRGGBB."""

    light: str
    dark: str

    def on(self, theme: Theme) -> str:
        return self.light if theme == "light" else self.dark


TOKENS = {
    "bg": Colour("#FAFAF7", "#101317"),  # the page
    "surface": Colour("#FFFFFF", "#171B21"),  # header, panels, inputs
    "sunken": Colour("#F2F2ED", "#0B0E11"),  # code, empty cells, bands
    "line": Colour("#E4E3DC", "#262C34"),  # hairlines
    "line-2": Colour("#CDCBC1", "#3C4550"),  # borders of controls
    "ink": Colour("#1A1C20", "#ECEEF1"),  # text, what is selected
    "ink-2": Colour("#454952", "#BAC0C9"),  # secondary text
    "ink-3": Colour("#656A74", "#8E96A2"),  # captions, ticks
    "link": Colour("#1C5FA8", "#83BDEF"),  # links in prose alone
    "pos": Colour("#2468A8", "#83BDEF"),  # positive bars, model A
    "neg": Colour("#B34E0C", "#F0A45C"),  # negative bars, model B
    "q": Colour("#7A1F6B", "#D07AC2"),  # letters, rules and outlines of queries, never fills
    "key": Colour("#8A6300", "#E8C46A"),
    "v": Colour("#007A71", "#6ADCCF"),
    "empty": Colour("#E4E3DC", "#0B0E11"),  # in a thumbnail, where there is no number
}

# Where the colours of a scale lie between 0, which is paper, and 1. Both arms of a diverging scale have these stops.
STOPS = (0.0, 0.12, 0.35, 0.6, 0.8, 1.0)
SEQUENTIAL = (
    Colour("#F6F7F7", "#1B2027"),
    Colour("#E0EBF5", "#1C3047"),
    Colour("#A6C9E7", "#1F5081"),
    Colour("#559ACF", "#3B86CB"),
    Colour("#2267A7", "#86BFF0"),
    Colour("#0A3866", "#E4F2FF"),
)
NEGATIVE = (
    SEQUENTIAL[0],
    Colour("#FBE6D4", "#3A2716"),
    Colour("#F4BE8E", "#6B3D14"),
    Colour("#DE8038", "#BC691F"),
    Colour("#B34E0C", "#F0A45C"),
    Colour("#6E2A00", "#FFE6CE"),
)

# Things that are told apart, such as the lines of a chart, in the order in which they come.
SERIES = (
    Colour("#0B5FA5", "#5B9DE8"),
    Colour("#BE4412", "#FF8A5A"),
    Colour("#007F76", "#6ADCCF"),
    Colour("#8E2277", "#C765B8"),
    Colour("#B08A00", "#EBCF5A"),
    Colour("#7B5A3A", "#B98F6A"),
    Colour("#1E93B8", "#7BE3F2"),
    Colour("#7C828C", "#98A0AC"),
)

# Kinds of heads; a kind is always shown with its glyph as well.
KINDS = {
    "induction": SERIES[1],
    "previous": SERIES[0],
    "next": SERIES[6],
    "same-word": SERIES[3],
    "aligned": Colour("#2E7D32", "#7CCB6E"),
    "line-mark": Colour("#8A5A12", "#D9A25A"),
    "rhyme": Colour("#5B3FA0", "#A995F0"),
    "first-line": Colour("#4A6B1E", "#B4D36B"),
    "end": Colour("#B0305A", "#F07FA0"),
    "delimiter": SERIES[5],
    "sink": SERIES[7],
    "broad": SERIES[4],
    "mixed": Colour("#85888F", "#6C7480"),
    "short": Colour("#85888F", "#6C7480"),
}


def scale_colour(position: float, theme: Theme) -> str:
    """The colour of a place on the diverging scale.

    Args:
        position: from −1 over 0 (paper) to 1; what lies outside is taken for the end.
    """
    at, arm = min(1.0, abs(position)), SEQUENTIAL if position >= 0 else NEGATIVE
    upper = next(i for i, stop in enumerate(STOPS) if i and at <= stop)
    share = (at - STOPS[upper - 1]) / (STOPS[upper] - STOPS[upper - 1])
    ends = (_rgb(arm[upper - 1].on(theme)), _rgb(arm[upper].on(theme)))
    return "#" + "".join(f"{round(low + share * (high - low)):02X}" for low, high in zip(*ends, strict=True))


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
