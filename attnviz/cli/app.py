"""`attnviz app` and `attnviz class`: become the dashboard's server."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.network import network_address

# What changes when other people's machines are let in; the rest stands in app/.streamlit/config.toml.
HOSTED_OPTIONS = {
    "server.address": "0.0.0.0",
    "server.headless": "true",
    "client.showErrorDetails": "none",
    "logger.messageFormat": "%(message)s",  # a line of JSON: app/log.py
}


def add(commands: Any) -> None:
    one = command.add(commands, app, "open the dashboard", "attnviz app --port 8600", has_json=False)
    one.add_argument("--port", type=int, help="where it listens (8501)")
    one.add_argument("--hosted", action="store_true", help="serve other machines too; the same as ATTNVIZ_MODE=hosted")
    one.add_argument("streamlit", nargs="*", metavar="-- OPTION", help="further options of `streamlit run`, after --")

    about = "open the dashboard for a class in this network"
    own = command.add(commands, classroom, about, "attnviz class", has_json=False, name="class")
    own.add_argument("--port", type=int, default=8501, help="where it listens (8501)")
    own.set_defaults(hosted=True, streamlit=[])


def classroom(asked: argparse.Namespace) -> int:
    """Say the address that the class uses, and serve them; everybody in the network can reach it, so limits are those
    of a hosted server.
    """
    print(f"For you and the class: http://{network_address()}:{asked.port}/lessons")
    print("Open a room there; its code, link and QR code are for the projector. Ctrl+C ends it.")
    return app(asked)


def app(asked: argparse.Namespace) -> int:
    """Become the dashboard's server: signals reach it directly, as a container needs."""
    spec = find_spec("attnviz_app")
    if spec is None or not spec.submodule_search_locations:
        print("The dashboard is not installed beside the library. Install the whole package again.", file=sys.stderr)
        return 1
    script = Path(next(iter(spec.submodule_search_locations))) / "main.py"
    hosted = asked.hosted or os.environ.get("ATTNVIZ_MODE") == "hosted"
    options = dict(HOSTED_OPTIONS) if hosted else {}
    if asked.port is not None:
        options["server.port"] = str(asked.port)
    # -P: a folder named attnviz where the command is typed is not taken for the installed one.
    line = [sys.executable, "-P", "-m", "attnviz_app.start", str(script)]
    line += [part for name, value in options.items() for part in (f"--{name}", value)] + asked.streamlit
    environment = {**os.environ, **({"ATTNVIZ_MODE": "hosted"} if hosted else {})}
    sys.stdout.flush()
    os.execve(line[0], line, environment)
