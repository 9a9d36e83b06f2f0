"""`attnviz serve`: a trace service, which web processes ask by ATTNVIZ_ENGINE."""

import argparse
import sys
from importlib.util import find_spec
from threading import Event
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import MODEL, fetching
from attnviz.cli.network import check_free, port_number
from attnviz.core.errors import AttnvizError


def add(commands: Any) -> None:
    one = command.add(
        commands, serve,
        "attnviz serve minilm-l6\nattnviz serve minilm-l6 openai-community/gpt2 --replicas 4 --memory 8",
    )  # fmt: skip
    one.add_argument("models", nargs="+", metavar="model", help=f"those that may be asked for: {MODEL}")
    one.add_argument("--host", default="127.0.0.1", help="it has no password: this machine alone, if not given")
    one.add_argument("--port", type=port_number, default=8600, help="8600 if not given")
    one.add_argument("--replicas", type=int, default=1, help="at most so many processes, by Ray (attnviz[cluster])")
    one.add_argument("--memory", type=float, default=4.0, metavar="GIB", help="of weights that one process keeps (4)")
    one.add_argument("--threads", type=int, default=1, help="of one forward pass")
    one.add_argument("--device", help="cpu (if not given), cuda, mps, auto or spread")
    one.add_argument("--dtype", help="float32 (if not given), bfloat16 or float16")


def serve(asked: argparse.Namespace) -> int:
    """Run models for dashboards that are started with ATTNVIZ_ENGINE=http://HOST:PORT."""
    if asked.replicas < 1 or asked.threads < 1 or asked.memory <= 0:
        asked.refuse("--replicas and --threads take a number from 1, --memory one above 0")
    check_free(asked.port)
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise AttnvizError(id="no-web-server")
    from attnviz.catalog import loader, placement  # torch loads here
    from attnviz.engine.cluster import Place, serve_replicas
    from attnviz.engine.service import service_app

    for name in asked.models:
        loader(name, placement(), fetching(name))  # refuses one that is not there
    address = f"http://{asked.host}:{asked.port}"
    place = Place(tuple(asked.models), asked.device, asked.dtype, int(asked.memory * 2**30), asked.threads)
    if asked.replicas > 1:
        print("Ray starts; that can take a minute.", file=sys.stderr, flush=True)
        serve_replicas(place, least=1, most=asked.replicas, host=asked.host, port=asked.port)
    print(f"{', '.join(place.models)} at {address}", file=sys.stderr, flush=True)
    if asked.json:
        command.announce({"address": address, "models": place.models})
    if asked.replicas > 1:
        Event().wait()  # until Ctrl+C
    else:
        import uvicorn

        app = service_app(place.service())
        uvicorn.run(app, host=asked.host, port=asked.port, access_log=False, log_level="warning")
    return 0
