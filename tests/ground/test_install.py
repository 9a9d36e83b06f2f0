"""The install steps, run for real on a copy of the tree in clean environments, in place and as a wheel.

The environments start empty but for links to the third-party packages of the running one, so pip checks every pin and
fetches nothing. What is not covered: the download itself, and the container around the steps.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.live import free_port, wait_for_health

ROOT = Path(__file__).resolve().parents[2]
OURS = re.compile(r"^(attnviz|__editable__|_attnviz|pip($|-)|distutils-precedence)", re.IGNORECASE)
ASSETS = (".js", ".css", ".ftl", ".woff2", ".toml", ".svg", ".typed", "-OFL.txt", ".safetensors", ".json")


def run(command: list[str], cwd: Path) -> str:
    """Run one command; a failure shows all it printed."""
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
def server(command: list[str], cwd: Path) -> Iterator[str]:
    """A server started by `command --server.port N` in `cwd`; its address."""
    port = free_port()
    log = cwd / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--server.port", str(port), "--server.headless", "true"],
            cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        wait_for_health(f"http://127.0.0.1:{port}", process, log, 60)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def status(address: str) -> int:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return int(answer.status)


def tracked() -> list[str]:
    """The files a fresh clone would hold, with those not yet committed."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT).splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree as a clone would have it."""
    folder = tmp_path_factory.mktemp("clone")
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def wheel_python(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment made by the steps of the Dockerfile; its interpreter."""
    python = clean_environment(tmp_path_factory.mktemp("wheel") / "env")
    for step in ("requirements", "package"):
        run(["sh", "scripts/install.sh", str(python), step], copy)
    return python


def test_make_installs_once_and_starts_the_dashboard_in_place(copy: Path) -> None:
    clean_environment(copy / ".venv")
    first = run(["make", "install"], copy)
    again = run(["make", "install"], copy)
    assert "install.sh" in first and "install.sh" not in again
    streamlit = [str(copy / ".venv" / "bin" / "python"), "-P", "-m", "streamlit"]  # what bin/streamlit does
    with server([*streamlit, "run", "app/main.py"], copy) as address:
        assert status(f"{address}/app/static/fonts/Inter.woff2") == 200
        assert status(f"{address}/_stcore/bidi-components/attnviz.view/hosts/streamlit.js") == 200


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
    assert not library.is_relative_to(ROOT) and not app.is_relative_to(ROOT)


def test_the_wheel_with_the_trained_models_is_at_most_40_megabytes(
    wheel_python: Path, copy: Path, tmp_path: Path
) -> None:
    run([str(wheel_python), "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), "."], copy)
    (wheel,) = tmp_path.glob("attnviz-*.whl")
    assert wheel.stat().st_size <= 40_000_000
    assert any("bundled/translate-zh-en/model.safetensors" in name for name in zipfile.ZipFile(wheel).namelist())


def test_the_installed_dashboard_runs_from_an_empty_folder(wheel_python: Path, tmp_path: Path) -> None:
    command = [str(wheel_python.with_name("attnviz")), "app", "--no-window", "--"]
    with server(command, tmp_path) as address:
        assert status(f"{address}/app/static/fonts/Inter.woff2") == 200
        assert status(f"{address}/_stcore/bidi-components/attnviz.view/hosts/streamlit.js") == 200


def test_the_installed_page_draws_without_an_exception(wheel_python: Path, tmp_path: Path) -> None:
    script = (
        "import attnviz_app, pathlib; from streamlit.testing.v1 import AppTest; "
        "script = pathlib.Path(attnviz_app.__path__[0], 'dashboard.py'); "
        "page = AppTest.from_file(str(script), default_timeout=60).run(); "
        "print([error.value for error in page.exception])"
    )
    assert run([str(wheel_python), "-c", script], tmp_path).strip().splitlines()[-1] == "[]"


def test_the_environment_is_whole(wheel_python: Path, tmp_path: Path) -> None:
    assert "No broken requirements found" in run([str(wheel_python), "-m", "pip", "check"], tmp_path)


def test_every_folder_of_python_files_is_a_package() -> None:
    folders = {Path(name).parent for name in tracked() if name.startswith("attnviz/") and name.endswith(".py")}
    assert sorted(str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()) == []


def test_every_dependency_is_pinned_exactly() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = {}
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith("#")]
        assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == [], name
        pins |= dict(line.lower().split("==") for line in lines)
    asked = {re.split(r"[<>=!~\[; ]", dependency)[0].lower() for dependency in project["dependencies"]}
    assert asked - set(pins) == set()


def test_only_one_file_installs() -> None:
    for name in ("Makefile", "Dockerfile", ".ci/run", "scripts/run_tests.py", "scripts/test_tools.sh"):
        assert "pip install" not in (ROOT / name).read_text(), name
    for name in ("Makefile", "Dockerfile"):
        assert "sh scripts/install.sh" in (ROOT / name).read_text(), name
