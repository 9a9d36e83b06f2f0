"""An error with an id says the catalogue's English, in every process, and costs nothing until it is printed."""

import pickle
import subprocess
import sys

import pytest

from attnviz.core.errors import AttnvizError, InputError
from attnviz.text import LANGUAGES, strings

ERROR = InputError(id="plan-heads", n=5, width=64, fits=("1", "2", "4"))
ENGLISH = "5 heads cannot share a width of 64 equally. Choose one of 1, 2, 4."


@pytest.mark.parametrize("error", [ERROR, pickle.loads(pickle.dumps(ERROR))], ids=["raised", "from another process"])
def test_an_error_with_an_id_is_said_by_the_catalogue(error: AttnvizError) -> None:
    assert str(error) == ENGLISH and repr(error) == f"InputError({ENGLISH!r})"
    said = [strings(language).error(error) for language in LANGUAGES]
    assert said[0] == ENGLISH and len(set(said)) == 3


def test_code_is_told_what_code_can_do_and_a_page_what_a_person_can() -> None:
    error = InputError(id="unfinished-there", path="/runs/a")
    assert str(error) == strings("en").in_code("error-unfinished-there", path="/runs/a")
    assert "--resume" in str(error) and "--resume" not in strings("en").error(error)
    assert str(AttnvizError("No id.")) == strings("zh-CN").error(AttnvizError("No id.")) == "No id."


def test_a_name_out_of_a_hostile_file_moves_no_cursor_and_breaks_no_line() -> None:
    said = str(AttnvizError(id="gguf-architecture", file="a", name="\x1b[2J\nroot\u202e", known=("b\r",)))
    assert said.isprintable() and r"“\x1b[2J\nroot\u202e”" in said and r"b\r" in said


def test_raising_an_error_reads_no_catalogue() -> None:
    code = (
        "import sys; from attnviz.core.errors import InputError\n"
        "error = InputError(id='plan-heads', n=5, width=64, fits='1')\n"
        "assert 'fluent' not in sys.modules; str(error); assert 'fluent' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
