"""`attnviz app` and `attnviz class`: the dashboard in a window of its own, or this process as its server."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.network import FIRST_PORT, free_port, is_taken, network_address
from attnviz.cli.window import run_in_window
from attnviz.core.errors import AttnvizError

# What changes when other people's machines are let in; the rest stands in app/.streamlit/config.toml.
HOSTED_OPTIONS = {
    "server.address": "0.0.0.0",
    "server.headless": "true",
    "client.showErrorDetails": "none",
    "logger.messageFormat": "%(message)s",  # a line of JSON: app/log.py
}


def add(commands: Any) -> None:
    about = "open the dashboard in a window of its own, whose end is the server's"
    one = command.add(commands, app, about, "attnviz app\nattnviz app --no-window --port 8600", has_json=False)
    one.add_argument("--port", type=int, help=f"where it listens; the first free one from {FIRST_PORT}, if not given")
    one.add_argument("--no-window", action="store_true", help="serve until Ctrl+C, and open nothing")
    one.add_argument("--hosted", action="store_true", help="serve other machines too; the same as ATTNVIZ_MODE=hosted")
    one.add_argument("streamlit", nargs="*", metavar="-- OPTION", help="further options of `streamlit run`, after --")

    about = "open the dashboard for a class in this network"
    own = command.add(commands, classroom, about, "attnviz class", has_json=False, name="class")
    own.add_argument("--port", type=int, default=FIRST_PORT, help=f"where it listens ({FIRST_PORT})")
    own.set_defaults(hosted=True, streamlit=[])


def classroom(asked: argparse.Namespace) -> int:
    """Say the address that the class uses, and serve them; everybody in the network can reach it, so limits are those
    of a hosted server.
    """
    print(f"For you and the class: http://{network_address()}:{asked.port}/lessons")
    print("Open a room there; its code, link and QR code are for the projector. Ctrl+C ends it.")
    return app(asked)


def app(asked: argparse.Namespace) -> int:
    """Serve the dashboard in a window. Without one this process becomes the server: signals reach it directly, as a
    container needs.
    """
    hosted = asked.hosted or os.environ.get("ATTNVIZ_MODE") == "hosted"
    has_window = not hosted and not asked.no_window
    port = asked.port or (free_port() if has_window else None)
    options = dict(HOSTED_OPTIONS) if hosted else {"server.headless": "true"}
    if port is not None:
        options["server.port"] = str(port)
    # -P: a folder named attnviz where the command is typed is not taken for the installed one.
    line = [sys.executable, "-P", "-m", "attnviz_app.start", str(dashboard() / "main.py")]
    line += [part for name, value in options.items() for part in (f"--{name}", value)] + asked.streamlit
    environment = {**os.environ, **({"ATTNVIZ_MODE": "hosted"} if hosted else {})}
    sys.stdout.flush()
    if port is None or not has_window:
        os.execve(line[0], line, environment)
    if is_taken(port):
        raise AttnvizError(f"Port {port} is taken. Leave out --port to have a free one.")
    return run_in_window(line, environment, port)


def dashboard() -> Path:
    """The folder of the dashboard, which nothing of it is imported for.

    Raises:
        AttnvizError: it is not installed.
    """
    spec = find_spec("attnviz_app")
    if spec is None or not spec.submodule_search_locations:
        raise AttnvizError("The dashboard is not installed beside the library. Install the whole package again.")
    return Path(next(iter(spec.submodule_search_locations)))
