"""The install steps, run for real on a copy of the tree in a clean environment, in place and then as a wheel.

The environment starts empty but for links to the third-party packages of the running one, so pip checks every pin and
fetches nothing. What is not covered: the download itself, and the container around the steps.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.people import Person
from tests.browser.live import ROOT, Server, serve

OURS = re.compile(r"^(attnviz|__editable__|_attnviz|pip($|-)|distutils-precedence)", re.IGNORECASE)
ASSETS = (".js", ".css", ".ftl", ".woff2", ".toml", ".svg", ".typed", "-OFL.txt", ".safetensors", ".json")


def run(command: list[str], cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def clean_environment(folder: Path) -> Path:
    """A new environment that finds the third-party packages of this one, and nothing of AttnViz; its interpreter."""
    run([sys.executable, "-m", "venv", str(folder)], ROOT)
    packages = folder / "third-party" / "site-packages"  # by this name Streamlit knows that it is not being developed
    packages.mkdir(parents=True)
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not OURS.match(entry.name) and entry.suffix != ".pth":
            (packages / entry.name).symlink_to(entry)
    python = folder / "bin" / "python"
    site = run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip()
    Path(site, "third-party.pth").write_text(f"{packages}\n")
    return python


@contextmanager
def server(*command: str, cwd: Path) -> Iterator[Server]:
    """A server that is started by this command in `cwd`, once it has what its pages are made of."""
    with serve(command=command, cwd=cwd) as started:
        for path in ("app/static/fonts/Inter.woff2", "_stcore/bidi-components/attnviz.view/hosts/streamlit.js"):
            with urllib.request.urlopen(f"{started.url}/{path}", timeout=10) as answer:
                assert answer.status == 200
        yield started


def tracked() -> list[str]:
    """The files a fresh clone would hold, with those not yet committed."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT).splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone")
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def made(copy: Path) -> tuple[Path, str, str]:
    """The interpreter that `make install` installed into, and what it said at first and when it was asked again."""
    python = clean_environment(copy / ".venv")
    return python, run(["make", "install"], copy), run(["make", "install"], copy)


@pytest.fixture(scope="session")
def wheel_python(made: tuple[Path, str, str], copy: Path) -> Path:
    """The same interpreter, where the wheel has taken the place of the tree by the steps of the Dockerfile."""
    run(["sh", "scripts/install.sh", str(made[0]), "package"], copy)
    return made[0]


def test_make_installs_once_and_starts_the_dashboard_in_place(made: tuple[Path, str, str], copy: Path) -> None:
    python, first, again = made
    assert "install.sh" in first and "install.sh" not in again
    with server(str(python), "-P", "-m", "streamlit", "run", "app/main.py", cwd=copy):  # what bin/streamlit does
        pass


@pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine != "x86_64", reason="the CPU build is a choice on Linux x86-64"
)
@pytest.mark.parametrize(("missing", "given", "taken"), [
    ("gpu torch", (), "https://download.pytorch.org/whl/cpu"),
    ("torch", (), None), ("gpu", (), None), ("gpu torch index", (), None),
    ("gpu torch", ("https://example.org/simple",), "https://example.org/simple"),
])  # fmt: skip
def test_torch_is_its_cpu_build_without_a_gpu_if_its_index_answers_unless_one_is_named(tmp_path, missing, given, taken):
    tools = {
        "nvidia-smi": "exit 0",
        "python": f"""case "$*" in
            *"pip install"*) echo "$@" ;;
            *metadata*) exit {int("torch" in missing)} ;;
            *urlopen*) exit {int("index" in missing)} ;;
        esac""",
    }
    for name, does in tools.items():
        if not (name == "nvidia-smi" and "gpu" in missing):
            (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
            (tmp_path / name).chmod(0o755)
    for name in ("sh", "dirname", "uname"):
        (tmp_path / name).symlink_to(shutil.which(name))
    said = subprocess.run(
        [str(tmp_path / "sh"), str(ROOT / "scripts/install.sh"), str(tmp_path / "python"), "requirements", *given],
        env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    ).stdout.splitlines()[-1]  # fmt: skip
    index = f"--extra-index-url {taken} " if taken else ""
    assert said == f"-m pip install {index}-r requirements.txt"


def test_the_installed_package_holds_every_asset(wheel_python: Path, tmp_path: Path) -> None:
    where = "import attnviz, attnviz_app, attnviz_pages as p; print(attnviz.__path__[0], attnviz_app.__path__[0])"
    library, app = map(Path, run([str(wheel_python), "-c", where], tmp_path).split())
    homes = {"attnviz/": library, "app/": app, "pages/": app.parent / "attnviz_pages"}
    missing = [
        name
        for name in tracked()
        for prefix, home in homes.items()
        if name.startswith(prefix) and name.endswith((*ASSETS, ".py")) and not (home / name[len(prefix) :]).is_file()
    ]
    assert missing == []
    assert not (app / "pages").exists()  # Streamlit would take it for its own navigation
    assert library.parent.name == app.parent.name == "site-packages"
    files = [file for home in homes.values() for file in home.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    assert sum(file.stat().st_size for file in files) <= 55_000_000  # what the wheel may have at most


def test_the_installed_dashboard_draws_its_pages_from_an_empty_folder(wheel_python: Path, tmp_path: Path) -> None:
    async def visit(started: Server) -> None:
        person = await Person.arrive(started, 1)
        await person.type_sentence()
        await person.open("")

    with server(str(wheel_python.with_name("attnviz")), "app", "--no-window", "--", cwd=tmp_path) as started:
        asyncio.run(visit(started))
        assert "Traceback" not in started.log_text()


def test_the_environment_is_whole(wheel_python: Path, tmp_path: Path) -> None:
    assert "No broken requirements found" in run([str(wheel_python), "-m", "pip", "check"], tmp_path)


def test_every_dependency_is_pinned_exactly() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = {}
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith("#")]
        assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == [], name
        pins |= dict(line.lower().split("==") for line in lines)
    dependencies = project["dependencies"] + project["optional-dependencies"]["app"]
    asked = {re.split(r"[<>=!~\[; ]", dependency)[0].lower() for dependency in dependencies}
    brought = {"pydantic", "starlette", "uvicorn"}  # by pins of requirements.txt; the image has them pinned as well
    assert asked - set(pins) == brought
    locked = {line.split("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines() if "==" in line}
    assert brought <= locked


def test_only_one_file_installs() -> None:
    for name in ("Makefile", "Dockerfile", ".ci/run", "scripts/run_tests.py", "scripts/test_tools.sh"):
        assert "pip install" not in (ROOT / name).read_text(), name
    for name in ("Makefile", "Dockerfile"):
        assert "sh scripts/install.sh" in (ROOT / name).read_text(), name
