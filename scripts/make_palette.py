"""Writes what is made from attnviz/palette.py: palette.css and palette.js of views/kit, and Streamlit's theme.

python scripts/make_palette.py
"""

import json
import re
from pathlib import Path
from typing import get_args

from attnviz.palette import NEGATIVE, SEQUENTIAL, SERIES, STOPS, TOKENS, Colour, Theme, scale_colour

ROOT = Path(__file__).resolve().parents[1]
KIT = ROOT / "attnviz" / "views" / "kit"
CONFIG = ROOT / "app" / ".streamlit" / "config.toml"
WRITTEN = "Written by scripts/make_palette.py from attnviz/palette.py; a contract test compares them."
THEMES: tuple[Theme, ...] = get_args(Theme)
# Streamlit's names for them: https://docs.streamlit.io/develop/api-reference/configuration/config.toml#theme
STREAMLIT = {
    "primaryColor": Colour(TOKENS["ink"].light, TOKENS["pos"].dark),
    "backgroundColor": TOKENS["bg"],
    "secondaryBackgroundColor": Colour(TOKENS["sunken"].light, TOKENS["surface"].dark),
    "textColor": TOKENS["ink"],
    "linkColor": TOKENS["link"],
    "borderColor": TOKENS["line-2"],
    "codeBackgroundColor": TOKENS["sunken"],
}
IN_STYLES = 4  # of the series, those that a style sheet paints with
OF_VIEWS = ("pos", "neg", "q", "key", "v", "empty")  # not in the frame
ON_CANVAS = ("ink", "pos", "empty")  # what no style sheet can give
CHART_COLOURS = 10  # of a scale, as many as Streamlit takes


def style_sheet() -> str:
    """The frame's names follow `color-scheme`; a view's follow its own theme, also where it is drawn for paper; a sheet
    of paper is light in either."""
    every = TOKENS | {f"series-{number}": colour for number, colour in enumerate(SERIES[:IN_STYLES])}
    frame = [
        f"  --av-{name}: light-dark({it.light.lower()}, {it.dark.lower()});"
        for name, it in TOKENS.items()
        if name not in OF_VIEWS
    ]
    light = [f"  --{name}: {it.light.lower()};" for name, it in every.items()]
    dark = [f"  --{name}: {it.dark.lower()};" for name, it in every.items()]
    rules = ((":root", frame), (".attnviz, .attnviz .a4", light), ('.attnviz[data-theme="dark"]', dark))
    return "\n".join([f"/* {WRITTEN} */", *(f"{of} {{\n" + "\n".join(lines) + "\n}" for of, lines in rules), ""])


def module() -> str:
    """What is painted on a canvas."""
    tables: dict[str, object] = {
        "STOPS": list(STOPS),
        **{
            name: {theme: [it.on(theme) for it in colours] for theme in THEMES}
            for name, colours in (("SEQUENTIAL", SEQUENTIAL), ("NEGATIVE", NEGATIVE), ("SERIES", SERIES))
        },
        "TOKENS": {name: {theme: TOKENS[name].on(theme) for theme in THEMES} for name in ON_CANVAS},
    }
    lines = [f"export const {name} = {literal(table)};" for name, table in tables.items()]
    return "\n".join([f"// {WRITTEN}", "", *lines, ""])


def literal(value: object) -> str:
    """A table as JavaScript writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {literal(part)}" for name, part in value.items()) + "}"
    return json.dumps(value).replace('"', "'")


def theme_options(theme: Theme) -> str:
    """One section of Streamlit's configuration."""
    steps = [2 * number / (CHART_COLOURS - 1) - 1 for number in range(CHART_COLOURS)]
    options: dict[str, str | list[str]] = {name: colour.on(theme) for name, colour in STREAMLIT.items()}
    options["chartCategoricalColors"] = [colour.on(theme) for colour in SERIES]
    options["chartSequentialColors"] = [scale_colour((step + 1) / 2, theme) for step in steps]
    options["chartDivergingColors"] = [scale_colour(step, theme) for step in steps]
    return "\n".join([f"[theme.{theme}]", *(f"{name} = {json.dumps(value)}" for name, value in options.items())])


def configuration(now: str) -> str:
    """Streamlit's configuration with both themes written anew; they are its last sections."""
    kept = re.split(r"^# Written by .*\n|^\[theme\.light\]\n", now, maxsplit=1, flags=re.MULTILINE)[0]
    return f"{kept}# {WRITTEN}\n" + "\n\n".join(theme_options(theme) for theme in THEMES) + "\n"


def written() -> dict[Path, str]:
    """Each file that is made from the palette, with what it should hold."""
    config = configuration(CONFIG.read_text(encoding="utf-8"))
    return {KIT / "palette.css": style_sheet(), KIT / "palette.js": module(), CONFIG: config}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
