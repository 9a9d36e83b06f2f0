"""What the tests of commands share."""

import shlex

import pytest

from attnviz.cli import main


@pytest.fixture
def typed(tmp_path, capsys):
    """Types a command line, `{}` a folder; gives the exit code, what was printed, and what was said beside it."""

    def typed(line: str):
        try:
            code = main(shlex.split(line.replace("{}", str(tmp_path))))
        except SystemExit as ended:
            code = ended.code
        return code, *capsys.readouterr()

    return typed
