"""docs/tour*.ipynb: ten cells that run, show what they say, and stay whole as HTML without a kernel or a request."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

DOCS = Path(__file__).parents[2] / "docs"
TOURS = ("tour.ipynb", "tour.zh-CN.ipynb")


@pytest.mark.parametrize("name", TOURS)
def test_a_tour_runs_from_a_text_to_a_finding(name: str, tmp_path: Path) -> None:
    book = nbformat.read(DOCS / name, 4)
    nbformat.validate(book)
    assert len(book.cells) == 10 and not any(cell.get("outputs") for cell in book.cells)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [out for cell in book.cells for out in cell.get("outputs", ())]
    printed = "".join(out.get("text", "") for out in outputs if out.get("name") == "stdout")
    assert re.search(r"^0\.71  encoder\.5\.self head 11$", printed, re.MULTILINE)  # what the text goes on with
    assert printed.index("encoder.3.self head 1\n") < printed.index("encoder.5.self head 4\n")  # in second place
    pages = [out["data"]["text/html"] for out in outputs if "text/html" in out.get("data", {})]
    assert len(pages) == 3 and all("srcdoc" in page for page in pages)
    whole, _ = HTMLExporter(embed_images=True).from_notebook_node(book)
    assert whole.count("<iframe") == 3 and whole.count("id=&quot;payload&quot;") == 3


def test_both_languages_run_the_same_code() -> None:
    code = []
    for name in TOURS:
        cells = json.loads((DOCS / name).read_text(encoding="utf-8"))["cells"]
        code.append(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
    english, chinese = code
    assert english[1:3] == chinese[1:3] and len(english) == len(chinese)
    assert all('lang="zh-CN"' in cell for cell in (chinese[0], chinese[3], chinese[4]))
