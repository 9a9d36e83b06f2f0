"""Which rows wrote which tokens, as the heads view is told."""

import attnviz as av
from attnviz import views
from attnviz.scratch.untrained import untrained
from attnviz.trace.trace import Trace
from attnviz.views.pack import unpack

TEXT = "The cat sees the dog"


def header_of(trace: Trace, part: str | None = None, written_from: int | None = None) -> dict:
    return unpack(views.heads(trace, part=part, written_from=written_from).payload)[0]


def test_the_row_before_a_written_token_wrote_it() -> None:
    model = untrained("decoder")
    continued = model.write_on(TEXT, 3)
    trace = model.trace(continued.text)
    header = header_of(trace, written_from=continued.first)
    tokens, written = header["tokens"]["source"], header["written"]
    assert [bool(token.get("written")) for token in tokens] == [False] * 6 + [True] * 3  # <start> and five words
    assert written["rows"] == [5, 6, 7] and written["is_continued"]
    assert [token["text"] for token in written["tokens"]] == list(trace.tokens.source.text[6:])
    likely, ids = trace.prediction, trace.tokens.source.ids
    places = {row: likely.ids[row].tolist().index(ids[row + 1]) for row in (5, 6, 7)}
    shares = [float(likely.probabilities[row, at]) for row, at in places.items()]
    assert written["shares"] == shares


def test_a_text_that_nobody_continued_has_no_written_tokens() -> None:
    trace = untrained("decoder").trace(TEXT)
    for first in (None, 0, 99):
        header = header_of(trace, written_from=first)
        assert header["written"] is None and not any(token.get("written") for token in header["tokens"]["source"])


def test_each_row_of_a_decoder_wrote_one_token_and_the_last_one_the_end() -> None:
    trace = av.load("reverse").trace("abc")
    cross, decoder = header_of(trace, "cross")["written"], header_of(trace, "decoder")["written"]
    assert header_of(trace, "encoder")["written"] is None
    assert not cross["is_continued"] and not decoder["is_continued"]
    for found in (cross, decoder):
        assert found["rows"] == [0, 1, 2, 3]
        assert [token["text"] for token in found["tokens"]] == ["c", "b", "a", "<end>"]
        assert all(share > 0.5 for share in found["shares"])
    rows = header_of(trace, "cross")["tokens"]["target"]
    assert [row["writes"] for row in rows] == [token["text"] for token in cross["tokens"]]
