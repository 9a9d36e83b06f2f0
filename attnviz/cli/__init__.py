"""The command `attnviz`. A command is a function and a few lines beside it; it computes nothing itself."""

import argparse
import os
import sys
from importlib.metadata import version

from attnviz.cli import app, atlas, catalog, compare, completion, doctor, figure, heads, runs, serve, shortcut, train
from attnviz.cli.command import EXIT_CODES, json_text
from attnviz.core.errors import AttnvizError


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: as typed after `attnviz`; this process's own if not given.
    Returns: the exit code, as `attnviz --help` lists them.
    """
    asked = _parser().parse_args(arguments)
    is_json = getattr(asked, "json", False)
    try:
        answer = asked.run(asked)
        if isinstance(answer, int):
            return answer
        for line in [json_text(answer.data)] if is_json else answer.lines:
            print(line)
        return int(answer.code)
    except AttnvizError as error:
        if is_json:
            print(json_text({"error": str(error), "id": error.id}))
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130  # as a shell says it
    except BrokenPipeError:  # whoever read our lines has gone: attnviz train … | head
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attnviz", description="See attention being computed.", epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"attnviz {version('attnviz')}")
    parser.set_defaults(root=parser)
    commands = parser.add_subparsers(required=True, metavar="command")
    for module in (app, shortcut, runs, figure, heads, atlas, compare, train, serve, catalog, doctor, completion):
        module.add(commands)
    return parser
