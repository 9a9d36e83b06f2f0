"""`attnviz completion`: what a shell needs to complete commands, options, models and files."""

import argparse
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import Answer

EXAMPLE = """\
attnviz completion bash > ~/.local/share/bash-completion/completions/attnviz
attnviz completion zsh > "${fpath[1]}/_attnviz"
attnviz completion fish > ~/.config/fish/completions/attnviz.fish"""


def add(commands: Any) -> None:
    one = command.add(commands, completion, EXAMPLE)
    one.add_argument("shell", choices=("bash", "zsh", "fish"))


def completion(asked: argparse.Namespace) -> Answer:
    """Print the completion script of a shell."""
    import shtab

    from attnviz.catalog import known_names  # torch loads here

    models = shtab.cmd(f"printf '%s\\n' {' '.join(known_names())}")
    commands = next(action for action in asked.root._actions if isinstance(action.choices, dict)).choices.values()
    for action in (action for parser in commands for action in parser._actions):
        if action.dest == "model":
            action.complete = models
        elif action.type is Path:
            action.complete = shtab.FILE
    script = shtab.complete(asked.root, asked.shell)
    return Answer({"shell": asked.shell, "script": script}, [script])
