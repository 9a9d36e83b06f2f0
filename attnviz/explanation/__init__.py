"""Explains a run: its steps as data, any cell written out, what-ifs, questions with an answer.

steps            the table of steps         cell_rules   how one cell, and a whole matrix, is computed
matrices         a step with its matrices   explain      any cell of a step, written out
attention_steps  the steps of one head      model_steps  embedding, block, vocabulary, and the chain of each tab
slicing          a chain in fewer bytes     whatif       a run with something switched
predict_first    questions to guess         closer_looks cost, scaling, gradients, torch's own layer, …

    model = av.load("reverse")
    steps = chain(model.trace("a b c d"), "self", "encoder.0.self", head=1)
    steps["weights"].result.values            # [T_q, T_k]
    explain_cell(steps["weights"], 2, 0).terms
    slice_to_fit(steps, 150_000)              # the same steps in fewer bytes
"""

from attnviz.explanation.cell_rules import Cell, explain_cell
from attnviz.explanation.model_steps.tab_chains import TABS, chain
from attnviz.explanation.slicing import slice_chain, slice_to_fit
from attnviz.explanation.steps import STEPS, Step

__all__ = ["STEPS", "TABS", "Cell", "Step", "chain", "explain_cell", "slice_chain", "slice_to_fit"]
