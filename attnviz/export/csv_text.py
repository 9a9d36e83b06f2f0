"""Tables as CSV in which no cell can become a formula: a text that begins like one is quoted, numbers stay numbers.

`views/kit/spreadsheet.js` has the same rule.
"""

import re

import pandas as pd

FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n]")
NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?%?", re.IGNORECASE)


def csv_text(frame: pd.DataFrame, heads_from: int | None = None) -> str:
    """A table as CSV without its index, all digits; empty where there is no value.

    Args:
        heads_from: what its heads are counted from, if their headings are to say so.
    """
    shown = frame.copy()
    said = "" if heads_from is None else f" (from {heads_from})"
    shown.columns = pd.Index([plain(f"{name}{said}" if "head" in str(name) else str(name)) for name in frame.columns])
    for at, name in enumerate(frame.columns):
        if not pd.api.types.is_numeric_dtype(frame[name]):
            shown.isetitem(at, [plain(cell) for cell in frame.iloc[:, at]])
    text: str = shown.to_csv(index=False)
    return text


def plain(cell: object) -> object:
    """The cell, with a quote before it if it is a text that a spreadsheet would run."""
    if not isinstance(cell, str) or not FORMULA.match(cell) or NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"
