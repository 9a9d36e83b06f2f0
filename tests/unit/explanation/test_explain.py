"""Any cell of any step by name, and chains of a run that was kept in a file."""

import pytest
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import StepError
from attnviz.explanation import STEPS, chain, explain_cell
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.variants import in_our_blocks
from tests.parity.tiny_models import traced_model


@pytest.fixture(scope="module")
def trace():
    return av.load("reverse").trace("a b c d")


NOT_HERE = {  # this model has none of these
    "scaled": "no step 'scaled'", "sinusoid": "no step 'sinusoid'", "embed-norm": "no step 'embed-norm'",
    "capped": "not capped", "silenced": "was not silenced", "gate": "no step 'gate'", "gated": "no step 'gated'",
    "tempered": "no step 'tempered'", "capped-logits": "no step 'capped-logits'",
    **{f"{part}-norm-after": "no step" for part in ("self", "cross", "ff")},
    **dict.fromkeys(("q-norm", "k-norm"), "is not normalised"),
    **dict.fromkeys(("q-rotated", "k-rotated"), "not rotated"),
}  # fmt: skip
CROSS = {"cross-norm", "crossed"}


@pytest.mark.parametrize("step", [step.name for step in STEPS])
def test_a_cell_is_explained_by_the_name_of_its_step(step, trace):
    site = "decoder.0.cross" if step in CROSS else "decoder.0.self"
    places = {"query": 2, "key": 1, "feature": 3, "entry": 0, "token": 2}
    if step in NOT_HERE:
        with pytest.raises(StepError, match=NOT_HERE[step]):
            av.explain(trace, site, step, head=1, **places)
        return
    places |= {"key": 2} if step in ("k", "v") else {}  # their rows are keys
    found = av.explain(trace, site, step, head=1, **places)
    assert found.recomputed == pytest.approx(found.value, abs=1e-5)
    tab = {"split": "heads", "head-out": "self"}.get(step, "decoder")
    steps = [own for own in chain(trace, tab, site, head=1).steps if own.name == step and own.head in (None, 1)]
    column = {"feature": 3, "key": 1, "entry": 0}[next(own.axes[1] for own in STEPS if own.name == step)]
    same = [explain_cell(own, 2, column) for own in steps]
    assert any(own.value == pytest.approx(found.value, abs=1e-6) and len(own.terms) == len(found.terms) for own in same)


@pytest.mark.parametrize("step", ["self-norm-after", "mid", "ff-norm-after", "block-out", "capped-logits"])
def test_a_cell_of_a_model_with_norms_on_both_sides_and_capped_logits_is_explained_too(step):
    trace = rebuilt(traced_model("gemma2")).trace("A cat sat.")
    found = av.explain(trace, "decoder.1.self", step, token=2, feature=3, entry=0)
    assert found.recomputed == pytest.approx(found.value, abs=1e-5)


def test_the_sum_of_a_parallel_block_has_three_terms():
    trace = rebuilt(traced_model("gpt_neox")).trace("A cat sat.")
    found = av.explain(trace, "decoder.1.self", "block-out", token=2, feature=3)
    assert [term.label for term in found.terms] == ["X", "out", "ff"]
    assert found.recomputed == pytest.approx(float(trace.stream["decoder.1.out"][2, 3]), abs=1e-5)
    with pytest.raises(StepError, match="no step 'mid'"):
        av.explain(trace, "decoder.1.self", "mid", token=2, feature=3)


MODERN = ("self-norm", "q", "k", "v", "q-norm", "k-norm", "q-rotated", "k-rotated", "split", "raw", "gate", "active",
          "hidden", "gated", "ff-out", "block-out", "final-norm", "logits")  # fmt: skip


@pytest.mark.parametrize("step", MODERN)
def test_a_cell_of_a_model_with_rotation_groups_and_a_gate_is_explained_too(step):
    trace, site = rebuilt(traced_model("qwen3")).trace("A cat sat."), "decoder.1.self"
    rows = {"query": 2, "key": 2 if step[0] in "kv" else 1, "token": 2}
    found = av.explain(trace, site, step, head=1, **rows, feature=3, entry=0)
    assert found.recomputed == pytest.approx(found.value, abs=1e-5)
    steps = [own for own in chain(trace, "heads" if step == "split" else "decoder", site, head=1) if own.name == step]
    column = {"raw": 1, "logits": 0}.get(step, 3)
    assert any(explain_cell(own, 2, column).value == pytest.approx(found.value, abs=1e-6) for own in steps)


def test_what_cannot_be_explained_is_refused_in_a_sentence_that_names_what_can(trace, minilm):
    for arguments, expected in (
        ({"step": "self-norm", "token": 9, "feature": 0}, "needs token= from 0 to 4, or from the end -1 to -5; came 9"),
        ({"step": "hidden", "token": 0}, "needs feature= from 0 to 127, .*; came nothing"),
        ({"step": "probabilities", "token": 0, "entry": 99}, "needs entry= from 0 to 33, .*; came 99"),
        ({"step": "crossed", "token": 0, "feature": 0}, "no step 'crossed' at encoder.0.self in Reverse"),
        ({"step": "attention"}, "There is no step 'attention'. Expected one of: tokens, scaled"),
    ):
        with pytest.raises(StepError, match=expected):
            av.explain(trace, "encoder.0.self", **arguments)
    with pytest.raises(StepError, match="This chain has tokens, positions, embed"):
        chain(trace, "self")["hidden"]
    asked = {"site": "encoder.1.self", "step": "ff-out", "token": 0, "feature": 0}
    with pytest.raises(StepError, match=r"attention alone; attnviz.scratch.variants.in_our_blocks\(model\).trace"):
        av.explain(minilm.trace("A cat."), **asked)
    cell = av.explain(in_our_blocks(minilm).trace("A cat."), **asked)  # as that says
    assert cell.recomputed == pytest.approx(cell.value, abs=1e-5)


def test_a_run_that_was_saved_with_its_parameters_is_written_out_in_full(trace, tmp_path):
    trace.save(tmp_path / "run", parameters=True)
    loaded = av.Trace.load(tmp_path / "run")
    for tab in ("self", "heads", "block", "decoder"):
        for ours, theirs in zip(chain(loaded, tab).steps, chain(trace, tab).steps, strict=True):
            assert (ours.key, ours.facts) == (theirs.key, theirs.facts)
            assert_close(ours.result.values, theirs.result.values, rtol=0, atol=1e-6 * theirs.result.largest)
