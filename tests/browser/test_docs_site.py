"""The docs as a site: it builds without a warning, tours and gallery run in it, no page asks for anything elsewhere."""

import re
import subprocess
import sys

from tests.browser.live import ROOT


def test_the_site_builds_and_its_pages_show_what_their_cells_made_from_the_disk_and_ask_nobody(tmp_path, chromium):
    # As `make docs` builds it; a cell that fails, a broken link and a name without a docstring end it.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert built.returncode == 0, built.stderr[-2000:]
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    pages = [path for path in tmp_path.rglob("*.html") if path.name != "404.html"]  # which is for a server's root
    docs = [path.stem for path in (ROOT / "docs").iterdir() if path.suffix != ".png"]
    assert {path.stem for path in pages} == {"index", *docs}
    article, pictures = page.locator("article"), page.locator("article iframe")
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth)"), path.name
        for frame in pictures.all():
            frame.content_frame.locator("[data-ready]").first.wait_for()
        if path.stem == "gallery":
            entries = article.locator("h2").count()
            assert entries == article.locator(".highlight").count() - 1  # one prints
            assert pictures.count() + article.locator("table.dataframe").count() == entries - 1
        if path.stem.startswith("tour"):  # from a text to a finding, which the text goes on with
            printed = article.inner_text()
            assert re.search(r"^\s*0\.71  encoder\.5\.self head 11$", printed, re.MULTILINE)
            assert printed.index("encoder.3.self head 1\n") < printed.index("encoder.5.self head 4\n")  # the second
            assert pictures.count() == 3, path.name
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == [] and errors == []
    page.close()
