"""Figures as pictures, drawn by a real browser without a word to anybody."""

import pytest

import attnviz as av
from attnviz.figures.save import offline_page


@pytest.mark.parametrize(("ending", "begins"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_a_figure_is_a_picture_of_its_title_and_tokens(ending, begins, tmp_path):
    trace = av.load("induction").trace("a b c a b")
    drawn = av.figures.save(trace.figure("decoder.1.self", 1), tmp_path / f"head{ending}").read_bytes()
    assert drawn.startswith(begins)
    if ending == ".svg":
        assert all(word in drawn.decode() for word in ("Layer 1, head 1", "Query token", "count from 0"))


def test_what_draws_them_has_all_it_needs():
    assert "http" not in offline_page().generate_index()
