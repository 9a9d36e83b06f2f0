"""A row of cross-attention is named by the token it writes, on every page alike."""

from __future__ import annotations

import pytest

import attnviz as av
from attnviz import views
from attnviz.trace.shift_targets import as_written
from attnviz.trace.tokens import Tokens
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation
from attnviz.views.pack import unpack

GIVEN = Tokens(
    ("<start>", "o", "l"), (1, 7, 8), (True, False, False), (False, False, True), ((0, 0), (0, 1), (1, 2)),
    (-1, 0, 1), "ol", ("<start>", "o", "l"),
)  # fmt: skip


def test_each_row_has_the_name_of_the_next_token_and_the_last_one_writes_the_end() -> None:
    written = as_written(GIVEN, "</s>", 2)
    assert written.text == ("o", "l", "</s>") and written.ids == (7, 8, 2)
    assert written.special == (False, False, True) and written.unknown == (False, True, False)
    assert written.spans == ((0, 1), (1, 2), (2, 2)) and written.words == (0, 1, -1)
    assert written.pieces == ("o", "l", "</s>") and written.source == "ol"


@pytest.mark.parametrize("text", ["She did not buy this book yesterday.", "She likes tea"])
def test_heads_and_training_name_the_rows_of_one_run_alike(text: str) -> None:
    trace = av.load("translate-en-zh").trace(text)
    rows = unpack(views.heads(trace, part="cross").payload)[0]["tokens"]["target"]
    run = head_formation(FOLDER / "translate-en-zh", text)
    assert [row["text"] for row in rows] == list(run.queries.text)
    assert rows[-1] == {"text": "<end>", "word": -1, "special": True}


def test_self_attention_of_a_decoder_keeps_the_tokens_it_read() -> None:
    trace = av.load("reverse").trace("abcd")
    rows = unpack(views.heads(trace, part="decoder").payload)[0]["tokens"]["source"]
    assert [row["text"] for row in rows] == ["<start>", "d", "c", "b", "a"]
