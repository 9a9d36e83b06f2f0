"""`attnviz app` and `attnviz class`: the dashboard in a window of its own, or this process as its server."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.network import FIRST_PORT, check_free, free_port, network_address, port_number
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
    one = command.add(commands, app, "attnviz app\nattnviz app --no-window --port 8600")
    one.add_argument(
        "--port", type=port_number, help=f"where it listens; the first free one from {FIRST_PORT}, if not given"
    )
    one.add_argument("--no-window", action="store_true", help="serve until Ctrl+C, and open nothing")
    one.add_argument("--hosted", action="store_true", help="serve other machines too; the same as ATTNVIZ_MODE=hosted")
    one.add_argument("streamlit", nargs="*", metavar="-- OPTION", help="further options of `streamlit run`, after --")

    parser = command.add(commands, classroom, "attnviz class", name="class")
    parser.add_argument("--port", type=port_number, default=FIRST_PORT, help=f"where it listens ({FIRST_PORT})")
    parser.set_defaults(hosted=True, no_window=True, streamlit=[])


def classroom(asked: argparse.Namespace) -> int:
    """Open the dashboard for a class in this network.

    Everybody in the network can reach it, so limits are those of a hosted server.
    """
    check_free(asked.port)
    address = network_address()
    if not asked.json:
        print(f"For you and the class: http://{address}:{asked.port}/lessons")
        if address == "localhost":
            print("This machine is in no network: nobody else can open that address. Connect it, and start again.")
        print("Open a room there; its code, link and QR code are for the projector. Ctrl+C ends it.")
    return _serve(asked, asked.port, f"http://{address}:{asked.port}/lessons")


def app(asked: argparse.Namespace) -> int:
    """Open the dashboard in a window of its own, whose end is the server's."""
    asked.hosted |= os.environ.get("ATTNVIZ_MODE") == "hosted"
    asked.no_window |= asked.hosted
    port = asked.port or (None if asked.no_window and not asked.json else free_port())
    if asked.port:
        check_free(asked.port)
    return _serve(asked, port, f"http://127.0.0.1:{port}")


def _serve(asked: argparse.Namespace, port: int | None, address: str) -> int:
    """Without a window this process becomes the server: signals reach it directly, as a container needs."""
    hosted = asked.hosted
    options = dict(HOSTED_OPTIONS) if hosted else {"server.headless": "true"}
    if port is not None:
        options["server.port"] = str(port)
    # -P: a folder named attnviz where the command is typed is not taken for the installed one.
    line = [sys.executable, "-P", "-m", "attnviz_app.start", str(dashboard() / "main.py")]
    line += [part for name, value in options.items() for part in (f"--{name}", value)] + asked.streamlit
    environment = {**os.environ, **({"ATTNVIZ_MODE": "hosted"} if hosted else {})}
    sys.stdout.flush()
    if asked.json:
        command.announce({"address": address})
    if port is None or asked.no_window:
        os.execve(line[0], line, environment)
    return run_in_window(line, environment, port)


def dashboard() -> Path:
    """The folder of the dashboard, which nothing of it is imported for.

    Raises:
        AttnvizError: it is not installed.
    """
    spec = find_spec("attnviz_app")
    if spec is None or not spec.submodule_search_locations or find_spec("streamlit") is None:
        raise AttnvizError(id="no-dashboard")
    return Path(next(iter(spec.submodule_search_locations)))
