"""The closer look of the tab Decoder, as blocks: what was proposed, what came next, and whose keys are new."""

from attnviz_app.step.looks import decoding_blocks
from attnviz_app.step.looks.decoding_blocks import KEPT, MADE

import attnviz as av
from attnviz.explanation.model_steps.decoding import generation_steps
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.text.numbers import figure
from attnviz.views.panel.blocks import Chart, Facts, Maps, Prose, Table

say = strings("en")


def of(kind, blocks):
    return [block for block in blocks if isinstance(block, kind)]


def test_a_step_shows_its_proposals_and_marks_the_one_that_came_next():
    trace, words = av.load("reverse").trace("a b c d"), strings("zh-TW")
    steps = generation_steps(trace)
    blocks = decoding_blocks.decoding(trace, steps, 1, words)
    proposed, every = of(Table, blocks)
    best = trace.prediction.texts[1][0], float(trace.prediction.probabilities[1][0])
    assert proposed.rows[0] == ("1", best[0], figure(best[1])) and proposed.marked == 0
    own, source = of(Maps, blocks)[0].maps
    assert own.values.tolist() == [[KEPT] * at + [MADE] + [0.0] * (4 - at) for at in range(5)]
    assert source.values.tolist() == [[MADE] * 5, *[[KEPT] * 5] * 4]
    assert own.rows == ("1 <start> → d", "2 d → c", "3 c → b", "4 b → a", "5 a → <end>") and own.marked == (1, 1)
    assert own.columns == ("<start>", "d", "c", "b", "a")
    assert [row[3] for row in every.rows] == ["d", "c", "b", "a", "–"] and every.marked == 1
    assert [(row[4], row[5]) for row in every.rows] == [("6", "0"), ("1", "6"), ("1", "7"), ("1", "8"), ("1", "9")]
    (made,) = of(Chart, blocks)
    assert [list(curve.y) for curve in made.curves] == [[6, 1, 1, 1, 1], [6, 7, 8, 9, 10]]
    facts = of(Facts, blocks)[0].facts
    assert [fact.value for fact in facts] == ["c", "1", "6"]


def test_of_a_long_text_the_steps_around_the_chosen_one_are_drawn():
    trace = untrained("decoder").trace(" ".join(f"w{n}" for n in range(100)))
    steps = generation_steps(trace)
    blocks = decoding_blocks.decoding(trace, steps, 70, say)
    (own,) = of(Maps, blocks)[0].maps
    every = of(Table, blocks)[1]
    assert own.values.shape == (64, 64) and own.marked == (33, 33) and own.rows[33].startswith("71 w69 → ")
    assert every.rows[every.marked][:2] == ("71", "w69") and len(every.rows) == 64
    assert any("38 to 101 of 101" in block.text for block in of(Prose, blocks))


def test_what_came_next_though_it_was_unlikely_is_shown_with_its_rank():
    trace = av.load("induction").trace("a b c a b")
    steps = generation_steps(trace)
    for at, step in enumerate(steps):
        proposed = of(Table, decoding_blocks.decoding(trace, steps, at, say))[0]
        found = decoding_blocks.chosen(step, trace.tokens.source)
        if found is None:
            assert proposed.marked is None and len(proposed.rows) == 5
        else:
            rank = step.candidates.index(found) + 1
            assert proposed.rows[proposed.marked] == (str(rank), found.text, figure(found.probability))
    assert of(Facts, decoding_blocks.decoding(trace, steps, len(steps) - 1, say))[0].facts[0].note == say(
        "look-decoding-end"
    )
