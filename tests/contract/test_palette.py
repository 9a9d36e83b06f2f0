"""Every colour stands in attnviz/palette.py alone; what is made from it is up to date."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from attnviz.palette import KINDS, NEGATIVE, SEQUENTIAL, SERIES, STOPS, TOKENS, scale_colour
from scripts.make_palette import CONFIG, THEMES, written
from tests.contract.message_use import ROOT, sources

COLOUR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})\b(?![-\w])", re.IGNORECASE)
PAPER = {"#fff", "#ffffff", "#000", "#000000"}  # white paper, black masks: the same in every theme


def test_what_is_made_from_the_palette_is_up_to_date():
    for path, text in written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run: python scripts/make_palette.py"


def test_no_other_file_has_colours_of_its_own():
    made = {*written(), ROOT / "attnviz" / "palette.py"}
    shown = [path for ending in (".py", ".js", ".css") for path in sources(ending, folders=("app", "attnviz", "pages"))]
    found = [
        f"{path.relative_to(ROOT)}: {colour}"
        for path in shown
        if path not in made
        for colour in COLOUR.findall(path.read_text(encoding="utf-8"))
        if colour.lower() not in PAPER
    ]
    assert found == []


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_every_ground(theme):
    for ground in ("bg", "surface", "sunken"):
        for text in ("ink", "ink-2", "ink-3", "link", "pos", "neg", "q", "key", "v"):
            dim, bright = sorted(luminance(TOKENS[name].on(theme)) for name in (ground, text))
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, f"{text} on {ground}"


@pytest.mark.parametrize("theme", THEMES)
def test_a_scale_goes_through_its_stops_and_only_gets_stronger(theme):
    for arm, sign in ((SEQUENTIAL, 1), (NEGATIVE, -1)):
        assert [scale_colour(sign * stop, theme) for stop in STOPS] == [colour.on(theme) for colour in arm]
        steps = [luminance(scale_colour(sign * at / 20, theme)) for at in range(21)]
        assert all((a > b) == (theme == "light") for a, b in pairwise(steps))
    assert scale_colour(7.0, theme) == scale_colour(1.0, theme)


def test_colours_of_one_theme_are_told_apart():
    for theme in THEMES:
        assert len({colour.on(theme) for colour in SERIES}) == len(SERIES)
        assert len({colour.on(theme) for name, colour in KINDS.items() if name != "short"}) == len(KINDS) - 1


def test_the_rest_of_the_configuration_is_left_alone():
    text = CONFIG.read_text(encoding="utf-8")
    assert Path(CONFIG).name == "config.toml" and "[server]" in text and "[[theme.fontFaces]]" in text
