"""A row of a decoder is named by the token that was read and says what it writes, on every page alike."""

import attnviz as av
from attnviz import views
from attnviz.explanation import chain, whatif
from attnviz.explanation.whatif import Switches
from attnviz.trace.decoder_rows import as_written, next_words
from attnviz.trace.tokens import Tokens
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation
from attnviz.views.pack import unpack
from attnviz.views.training.picture import run_header

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


def test_heads_steps_and_training_name_the_rows_of_one_run_alike() -> None:
    trace = av.load("reverse").trace("a b c")
    rows = unpack(views.heads(trace, part="cross").payload)[0]["tokens"]["target"]
    run = head_formation(FOLDER / "reverse", "a b c")
    steps = unpack(views.stepper(chain(trace, "decoder"), trace).payload)[0]["tokens"]
    assert rows == steps["target"] == run_header(run)["queries"]
    assert [row["text"] for row in rows] == list(trace.tokens.target.text)
    assert [row["writes"] for row in rows] == [*trace.tokens.target.text[1:], "<end>"]
    assert not any("writes" in row for row in steps["source"])


def test_in_a_changed_run_a_row_says_what_the_model_would_write_now() -> None:
    model = av.load("translate-en-zh")
    base = model.trace("She did not buy this book yesterday.")
    changed = whatif.run(model, base, Switches(hidden=base.tokens.source.text.index("not")))
    assert next_words(changed) == tuple(texts[0] for texts in changed.prediction.texts) != next_words(base)


def test_self_attention_of_a_decoder_keeps_the_tokens_it_read() -> None:
    trace = av.load("reverse").trace("abcd")
    rows = unpack(views.heads(trace, part="decoder").payload)[0]["tokens"]["source"]
    assert [row["text"] for row in rows] == ["<start>", "d", "c", "b", "a"]
