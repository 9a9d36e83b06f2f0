"""The lessons of the "Step through" page as data: chains of steps over a real run, what-ifs, questions with an answer.

table         the steps around attention, a row each, beside those of attention in explanation/steps.py
embedding     words -> ids -> rows of the table -> + position
block         norm, residual, feed-forward
vocabulary    the last vector -> next-token probabilities
chain         a tab as a whole: self, heads, block, decoder
explain       one cell of any step
rebuilt       a pretrained model's weights in our own blocks, for the steps that its own run does not hand on

    model = av.load("reverse")
    steps = chain(model.trace("a b c d"), "self", "encoder.0.self", head=1)
    steps["weights"].written.values          # [Tq, Tk]
    cell(steps["weights"], 2, 0).terms       # any cell, written out; see explanation/matrices.py for the rules
    within(steps, 150_000)                   # the same steps in fewer bytes: parts of wide matrices
"""

from attnviz.explanation.cell_arithmetic import cell, part_cell
from attnviz.explanation.explain import explain
from attnviz.explanation.model_steps.chain import TABS, chain
from attnviz.explanation.model_steps.table import ALL_STEPS
from attnviz.explanation.slicing import narrow, within

__all__ = ["ALL_STEPS", "TABS", "cell", "chain", "explain", "narrow", "part_cell", "within"]
