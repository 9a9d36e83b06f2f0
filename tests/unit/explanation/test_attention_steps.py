"""Chains over every kind of attention: capped, with sinks, with a position bias, grouped, long, wide, in bfloat16."""

import math
from dataclasses import replace

import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError, StepError
from attnviz.core.site import Site
from attnviz.explanation import chain, explain_cell
from attnviz.explanation.cell_rules import CELL_TOLERANCE, COARSEST
from attnviz.explanation.slicing import slice_chain, slice_to_fit
from attnviz.scratch.rebuilt import rebuilt
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import Card
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.weight_sources import Kept, Replay
from tests.parity.tiny_models import traced_model

H, T, D, DH = 2, 6, 8, 4
WORDS = ["the", "cat", "and", "the", "mat", "."]
SITE = Site("encoder", "self", 0)


def replayed(**changes: object) -> av.Trace:
    """A run whose q, k and v are known and whose projections are not, as most pretrained models give it."""
    generator = torch.Generator().manual_seed(7)
    q, k, v = torch.randn(3, H, T, DH, generator=generator)
    source = Replay(**({"q": q, "k": k, "v": v, "scale": DH**-0.5, "mask": Mask(T, T)} | changes))
    record = AttentionRecord(SITE, source, w_o=torch.randn(D, H * DH, generator=generator))
    card = Card("some", "Some model", "some", 1, H, D)
    return av.Trace(card, TokenPair(Tokens.plain(WORDS)), {SITE.key: record})


def test_a_sink_takes_its_share_of_every_row():
    step = chain(replayed(sinks=torch.tensor([0.3, 2.0])), "self", head=1)["weights"]
    assert step.facts["sink"] == 2.0 and float(step.result.values.sum(-1).max()) < 1.0
    assert step.note == "" and step.difference <= CELL_TOLERANCE
    for cell in (explain_cell(step, row, row) for row in range(T)):
        assert [term.label for term in cell.terms][-1] == "sink"
        assert cell.recomputed == pytest.approx(cell.value, abs=1e-5)


def test_a_position_bias_is_a_term_beside_the_mask():
    bias = torch.randn(H, T, T, generator=torch.Generator().manual_seed(1))
    step = chain(replayed(mask=Mask(T, T, causal=True, bias=bias)), "self", head=1)["masked"]
    terms = explain_cell(step, 3, 1).terms
    assert [term.label for term in terms] == ["scores", "B", "M"]
    assert terms[1].left == pytest.approx(float(bias[1, 3, 1])) and terms[2].left == 0.0
    assert explain_cell(step, 1, 3).recomputed == -math.inf


def test_grouped_heads_read_the_keys_they_share():
    shared = torch.randn(1, T, DH, generator=torch.Generator().manual_seed(2))
    step = chain(replayed(k=shared, v=shared * 2), "self", head=1)["raw"]
    assert step.operands[1].matrix.key == "encoder.0.self.h0.k"


def test_every_step_of_a_grouped_head_says_which_keys_it_reads():
    shared = torch.randn(1, T, DH, generator=torch.Generator().manual_seed(2))
    grouped, own = replayed(k=shared, v=shared * 2), replayed()
    of_heads = ("split", "raw", "scores", "masked", "weights", "context")
    for trace, keys in ((grouped, 0.0), (own, None)):
        made = chain(trace, "heads")
        for name in of_heads:
            facts = {step.facts.get("key_head") for step in made.steps if step.name == name and step.head == 1}
            assert facts == {keys}, name
    llama = chain(rebuilt(traced_model("llama")).trace("cats"), "heads", "decoder.1.self")
    for name in ("split", "q-rotated", "raw", "context"):
        found = [step.facts for step in llama if step.name == name][:4]
        assert [(facts["key_group"], facts["key_head"]) for facts in found] == [(0, 0), (0, 0), (1, 1), (1, 1)]
        assert {facts["group_size"] for facts in found} == {2}
    assert llama["concat"].facts == {"group_size": 2.0}
    for name in ("k-rotated", "split"):
        of_keys = [step for step in llama if step.name == name and step.result.role == "k"]
        assert [(step.head, step.facts["key_group"], step.facts["key_head"]) for step in of_keys] == [
            (0, 0, 0),
            (1, 1, 1),
        ]
    assert [step.operands[1].name for step in llama if step.name == "raw"] == ["K_rotᵀ"] * 4
    numbered = {(step.head, step.operands[1].matrix.key.split(".")[3]) for step in llama if step.name == "raw"}
    assert numbered == {(0, "h0"), (1, "h0"), (2, "h1"), (3, "h1")}


def test_what_is_not_known_is_said_in_a_sentence():
    assert [note.id for note in chain(replayed(), "self").notes] == ["step-note-no-projection"]
    trace = replayed()
    bare = replace(trace, records={SITE.key: replace(trace[SITE], w_o=None)})
    found = chain(bare, "self")
    assert [note.id for note in found.notes] == ["step-note-no-projection", "step-note-no-w-o"]
    assert [step.name for step in found.steps] == ["raw", "scores", "masked", "weights", "context"]
    block, decoder = chain(bare, "block"), chain(trace, "decoder")
    assert [note.id for note in block.notes] == ["step-note-no-block", "step-note-no-w-o"]
    assert [step.name for step in block.steps[-5:]] == ["weights", "weights", "context", "context", "concat"]
    assert [note.id for note in decoder.notes] == ["step-note-no-decoder", "step-note-no-projection"]
    assert [step.name for step in decoder.steps] == [step.name for step in chain(trace, "self").steps]
    with pytest.raises(StepError, match="There is no tab 'all'"):
        chain(trace, "all")
    with pytest.raises(InputError, match="There is no head 2"):
        chain(trace, "self", head=2)


def test_scores_that_are_not_q_times_k_are_where_the_steps_begin():
    generator = torch.Generator().manual_seed(3)
    kept = Kept(torch.randn(H, T, T, generator=generator), torch.randn(H, T, DH, generator=generator), Mask(T, T))
    trace = replace(replayed(), records={SITE.key: AttentionRecord(SITE, kept)})
    found = chain(trace, "self", head=1)
    assert [step.name for step in found.steps] == ["masked", "weights", "context"]
    assert [note.id for note in found.notes] == ["step-note-no-q", "step-note-no-w-o"]
    assert max(step.difference for step in found.steps) <= CELL_TOLERANCE
    for tab in ("heads", "block"):
        made = chain(trace, tab)
        names = ["split", "masked", "weights", "context"]
        assert [step.name for step in made.steps] == [*(name for name in names for _ in range(H)), "concat"]
        assert "step-note-no-q" in [note.id for note in made.notes]
        assert max(step.difference for step in made.steps) <= CELL_TOLERANCE


def test_a_head_of_a_pretrained_model_is_multiplied_by_its_rows_of_the_matrix(minilm):
    steps = chain(minilm.trace("The cat sat."), "self", "encoder.0.self")
    q, names = steps["q"], [step.name for step in steps]
    assert repr(steps) == f"Chain of encoder.0.self, head 0: {', '.join(names)}" and len(names) > 8
    assert repr(q) == "RunStep encoder.0.self.h0.q: Q = X·W_Q + b_Q, [6, 32]"
    assert (q.operands[1].name, q.operands[1].matrix.name) == ("W_Q", "W_Qᵀ")
    assert tuple(q.operands[1].matrix.values.shape) == (32, 384)  # stored [out, in], read [in, out]
    assert len(explain_cell(q, 0, 0).terms) == 385  # 384 products and the bias


def test_all_heads_are_side_by_side_from_the_split_to_the_context_also_where_wide_matrices_are_cut(minilm):
    whole = chain(minilm.trace("The cat sat."), "heads", "encoder.1.self")
    for found in (whole, slice_to_fit(whole, 110_000)):
        split = [step for step in found.steps if step.name == "split"]
        assert [(step.head, step.facts["first"]) for step in split] == [(head, 32 * head) for head in range(12)] * 3
        assert [len({step.operands[0].matrix.key for step in split[at : at + 12]}) for at in (0, 12, 24)] == [1] * 3
        for name in ("raw", "scores", "masked", "weights", "context"):
            assert [step.head for step in found.steps if step.name == name] == list(range(12))


def test_a_wide_matrix_is_sent_in_part_and_the_rest_is_added_up(minilm):
    trace = minilm.trace("The cat sat on the mat because it was tired.")
    whole = chain(trace, "self", "encoder.1.self", head=4)
    small = slice_to_fit(whole, 110_000, start=100)
    assert small.nbytes <= 110_000 < whole.nbytes
    q, cell = small["q"], explain_cell(small["q"], 2, 3)
    assert q.difference == whole["q"].difference
    assert q.operands[0].columns.start == 100 and q.operands[0].columns.n_hidden == 288
    assert cell.terms[-1].label == "rest"
    assert cell.recomputed == pytest.approx(explain_cell(whole["q"], 2, 3).recomputed, abs=1e-5)


def test_a_long_text_is_shown_in_a_window_and_its_softmax_runs_over_all_tokens(minilm):
    trace = minilm.trace("the cat sat on a mat and " * 40)
    rows = slice_chain(chain(trace, "self", "encoder.3.self", head=2), {"T_q": (64, 64)})
    part = slice_chain(rows, {"T_k": (100, 64)})
    weights, full = part["weights"], trace["encoder.3.self"].weights(2)[70]  # [T_k]; one row alone is rounded otherwise
    assert len(full) > 250 and rows["weights"].result.values.shape == (64, len(full))
    assert weights.result.rows.start == 64 and weights.result.values.shape == (64, 64)
    written = explain_cell(weights, 70, 120)
    assert written.value == float(full[120]) == pytest.approx(written.recomputed, abs=1e-6)
    share = written.terms[-1].product / math.fsum(term.product for term in written.terms)
    hidden = float(full.double().sum() - full[100:164].double().sum())
    assert written.terms[-1].label == "rest" and share == pytest.approx(hidden, abs=1e-6)
    context = explain_cell(part["context"], 70, 5)
    assert context.value == pytest.approx(context.recomputed, abs=1e-6)
    with pytest.raises(StepError, match="is not in this slice of weights"):
        explain_cell(weights, 70, 99)


def run_of(kind: type, device: str = "cpu", dtype: torch.dtype = torch.float32) -> av.Trace:
    torch.manual_seed(0)
    config = av.models.TransformerConfig(vocab_size=20, d_model=16, n_heads=2, n_layers=2, d_ff=24, dropout=0.0)
    model = kind(config).eval().to(device, dtype)
    with torch.inference_mode(), av.record() as run:
        model(torch.arange(6, device=device)[None])
    return run.trace(0, parameters=av.models.parameters_of(model))


def test_a_run_in_bfloat16_is_written_out_within_its_rounding():
    steps = chain(run_of(av.models.Encoder, dtype=torch.bfloat16), "block").steps
    assert 1e-4 < max(step.difference for step in steps) < COARSEST
    assert all(step.note == "" for step in steps)


@pytest.mark.gpu
def test_a_run_on_a_gpu_is_written_out_on_the_cpu():
    trace = run_of(av.models.Decoder, "cuda")
    for tab in ("self", "heads", "block", "decoder"):
        for step in chain(trace, tab).steps:
            assert step.difference <= 1e-4 and step.result.values.device.type == "cpu"
