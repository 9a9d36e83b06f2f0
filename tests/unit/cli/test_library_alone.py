"""What `pip install attnviz` brings is enough for the library, its pictures and its commands."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
ALONE = """
import sys

sys.modules.update(dict.fromkeys(NAMES))  # not installed, as far as an import can tell

import attnviz as av
from attnviz.cli import main

trace = av.load("reverse").trace("a b c")
av.views.heads(trace).to_html("heads.html")
av.figures.head_map(av.head_metrics(trace), "entropy")
trace.save("a.safetensors")
for line in (["trace", "reverse", "--text", "a b", "--out", "b.safetensors"], ["heads", "reverse"],
             ["compare", "reverse", "reverse", "--text", "a b"], ["check", "reverse"], ["atlas", "--help"], ["models"]):
    try:
        code = main(line)
    except SystemExit as ended:
        code = ended.code
    assert code == 0, line
assert main(["app"]) == main(["serve", "reverse"]) == 1
"""


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~\[; ]", line)[0].lower().replace("-", "_") for line in requirements}


def test_the_library_its_pictures_and_its_commands_need_nothing_of_the_dashboard(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    library, app = names(project["dependencies"]), names(project["optional-dependencies"]["app"])
    assert {"streamlit", "sentence_transformers"}.isdisjoint(library) and "streamlit" in app and not library & app
    blocked = app | {"attnviz_app", "attnviz_pages", "sentence_transformers"}
    script = f"NAMES = {blocked!r}\n{ALONE}"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("pip install 'attnviz[app]'") == 2
