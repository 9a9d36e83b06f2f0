"""What some tests need of the system, and what of it this machine lacks."""

import os
import shutil
import subprocess
from functools import cache

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = ("chromium", "font")  # what every test in the browser needs


def chromium_path() -> str:
    """The system's Chromium; `CHROMIUM` in the environment names another one."""
    named = os.environ.get("CHROMIUM")
    for name in [named] if named else CHROMIUM_NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise FileNotFoundError("Chromium is not installed. Run: sh scripts/test_tools.sh")


@cache
def missing() -> dict[str, str]:
    """Why the tests that need a tool cannot run, by the tool."""
    has = {
        "chromium": any(map(shutil.which, [os.environ.get("CHROMIUM", ""), *CHROMIUM_NAMES])),
        "font": bool(_chinese_fonts()), "node": bool(shutil.which("node")), "haproxy": bool(shutil.which("haproxy")),
    }  # fmt: skip
    names = {"chromium": "Chromium", "font": "a Chinese font", "node": "Node", "haproxy": "HAProxy"}
    return {tool: f"{names[tool]} is not installed: sh scripts/test_tools.sh" for tool in has if not has[tool]}


def _chinese_fonts() -> str:
    if shutil.which("fc-list") is None:
        return ""
    return subprocess.run(["fc-list", ":lang=zh-cn", "family"], capture_output=True, text=True, check=False).stdout
