"""What mkdocs.yml cannot say: README.md is the site's first page, and each notebook of docs/ is a page with what its
cells show. They are run for it, so a cell that fails ends the build.
"""

import re
from pathlib import Path

import griffe
import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parents[1]
EXAMPLE = re.compile(r"^>>> .*\n(?:.+\n)*", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages that are made."""
    files.append(File.generated(config, "mark.svg", abs_src_path=str(ROOT / "app" / "static" / "mark.svg")))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "index.md", content=re.sub(r"\]\(docs/(.*?)(?:\.ipynb)?\)", _linked, readme)))
    books = {path: nbformat.read(path, 4) for path in sorted(Path(config.docs_dir).glob("*.ipynb"))}
    every = nbformat.v4.new_notebook()  # run as one, so that torch is imported once; each begins without a name
    every.cells = [cell for book in books.values() for cell in (*book.cells, nbformat.v4.new_code_cell("%reset -f"))]
    NotebookClient(every, timeout=600).execute()
    for path, book in books.items():
        files.remove(files.src_uris[path.name])
        book.metadata = every.metadata  # which language it is
        page, _ = MarkdownExporter().from_notebook_node(book)
        files.append(File.generated(config, f"{path.stem}.md", content=page))


class Doctests(griffe.Extension):
    """The examples in docstrings become blocks of code."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>```\n", obj.docstring.value + "\n")


def _linked(found: re.Match[str]) -> str:
    name = found[1]
    return f"]({name if name.endswith(('.md', '.png')) else f'{name}.md'})"
