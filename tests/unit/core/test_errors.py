"""An error says the catalogue's English, in every process, and costs nothing until it is printed."""

import copy
import pickle
import subprocess
import sys

import pytest

from attnviz.core.errors import AttnvizError, InputError
from attnviz.text import LANGUAGES, strings

ERROR = InputError(id="plan-heads", n=5, width=64, fits=("1", "2", "4"))
ENGLISH = "5 heads cannot share a width of 64 equally. Choose one of 1, 2, 4."


AGAIN = {"raised": ERROR, "from another process": pickle.loads(pickle.dumps(ERROR)), "copied": copy.deepcopy(ERROR)}


@pytest.mark.parametrize("error", AGAIN.values(), ids=AGAIN)
def test_an_error_is_said_by_the_catalogue(error: AttnvizError) -> None:
    assert str(error) == ENGLISH and repr(error) == f"InputError({ENGLISH!r})"
    said = [strings(language).error(error) for language in LANGUAGES]
    assert said[0] == ENGLISH and len(set(said)) == 3


def test_code_is_told_what_code_can_do_and_a_page_what_a_person_can() -> None:
    error = InputError(id="unfinished-there", path="/runs/a")
    assert str(error) == strings("en").in_code("error-unfinished-there", path="/runs/a")
    assert "--resume" in str(error) and "--resume" not in strings("en").error(error)


def test_an_error_has_no_sentence_of_its_own_and_its_notes_everywhere() -> None:
    with pytest.raises(TypeError):
        AttnvizError("A sentence.")  # type: ignore[misc,call-arg]
    with pytest.raises(TypeError):
        AttnvizError()  # type: ignore[call-arg]
    error = InputError(id="empty-text")
    error.add_note("in the second file")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.id, again.arguments, again.__notes__) == (InputError, "empty-text", {}, error.__notes__)


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
