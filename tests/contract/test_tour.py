"""docs/tour*.ipynb are ten cells in two languages; tests/browser/test_docs_site.py runs them."""

import json
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
TOURS = ("tour.ipynb", "tour.zh-CN.ipynb")


def test_both_languages_run_the_same_code() -> None:
    code = []
    for name in TOURS:
        cells = json.loads((DOCS / name).read_text(encoding="utf-8"))["cells"]
        assert len(cells) == 10 and not any(cell.get("outputs") for cell in cells)
        code.append(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
    english, chinese = code
    assert english[1:3] == chinese[1:3] and len(english) == len(chinese)
    assert all('lang="zh-CN"' in cell for cell in (chinese[0], chinese[3], chinese[4]))
