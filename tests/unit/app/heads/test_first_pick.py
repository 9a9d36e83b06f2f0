"""The head that a text opens on where nobody chose one, of a model that reads one text and writes another."""

import pytest
from attnviz_app.heads.query import Question
from attnviz_app.heads.state import first_pick

import attnviz as av
from attnviz.trace.decoder_rows import written
from attnviz.views.heads.attention_parts import parts_of, sites_of
from attnviz.views.heads.tokens import is_word


@pytest.mark.parametrize("part", ["encoder", "decoder", "cross"])
def test_each_part_opens_on_the_head_whose_row_says_most_of_another_word(part: str) -> None:
    trace = av.load("translate-en-zh").trace("I like old trees.")
    assert part in parts_of(trace)
    sites = sites_of(trace, part)
    queries, keys = trace.query_tokens(sites[0]), trace.key_tokens(sites[0])
    named = (written(trace) or queries) if part == "cross" else queries
    said = {
        (layer, head, row): max(
            float(weights[row, key] - weights[:, key].mean())
            for key in range(len(keys))
            if is_word(keys, key) and (part == "cross" or key != row)
        )
        for layer, site in enumerate(sites)
        for head, weights in enumerate(trace[site.key].weights())
        for row in range(len(named))
        if is_word(named, row)
    }
    pick = first_pick(Question("translate-en-zh", "I like old trees.", part=part), trace)
    assert pick is not None and pick.token is not None
    assert (pick.layer, pick.head, pick.token) == max(said, key=lambda place: said[place])
    assert max(said.values()) > 0.3
