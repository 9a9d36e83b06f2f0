"""Every cell of every step of every tab, written out: encoder, causal, cross-attention, padded, masked, edited runs."""

import math
from dataclasses import replace
from functools import cache

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import StepError
from attnviz.explanation import STEPS, TABS, chain, explain_cell
from attnviz.explanation.matrices import Chain, RunStep
from attnviz.explanation.slicing import slice_chain
from attnviz.scratch.rebuilt import rebuilt
from attnviz.trace.sampling import Sampling
from attnviz.trace.tokens import Tokens
from tests.parity.tiny_models import traced_model

SAMPLINGS = (Sampling(temperature=0.7, top_p=0.8), Sampling(temperature=2.0, top_k=3), Sampling())
IDS = (3, 1, 4, 1, 5)
TOLERANCE = 1e-5  # of the matrix's largest value


def with_padding(model: av.models.Encoder | av.models.EncoderDecoder, n: int) -> av.Trace:
    """A run over a padded text: its last two tokens are padding, and nobody may look there."""
    ids = torch.arange(n)[None] % 11  # [1, T]
    is_token = torch.arange(n)[None] < n - 2  # [1, T]
    with torch.inference_mode(), av.record() as run:
        model.eval()(ids, is_token=is_token)
    return run.trace(0, parameters=av.models.parameters_of(model))


def built(kind: type, seed: int, **changes: object):
    torch.manual_seed(seed)
    shape = {"vocab_size": 11, "d_model": 12, "n_heads": 3, "n_layers": 2, "d_ff": 20, "max_tokens": 9, "dropout": 0.0}
    return kind(av.models.TransformerConfig(**(shape | changes)))


def decoded(is_token: torch.Tensor | None = None) -> av.Trace:
    """A run of a causal language model; where its first token is padding, its first query can attend to nothing."""
    model = built(av.models.Decoder, 4, norm="pre", activation="gelu_tanh", embedding=av.models.GPT2_EMBEDDING).eval()
    with torch.inference_mode(), av.record() as run:
        model(torch.tensor([IDS]), is_token=is_token)
    ids = replace(Tokens.plain([str(number) for number in IDS]), ids=IDS)
    return run.trace(0, tokens=ids, parameters=av.models.parameters_of(model))


MODERN = ("llama", "qwen2", "qwen3", "mistral", "phi3", "gemma2", "gemma3_text", "gpt_neox")


def modern() -> av.Trace:
    """A run whose pairs are neighbours and only 2 of 4 numbers wide, stretched as YaRN does; of one head of keys."""
    torch.manual_seed(5)
    rotary = av.models.RotaryStyle(pairs="neighbours", width=2, magnitude=1.1, factor=2.0)
    style = av.models.AttentionStyle(rotary=rotary, n_kv_heads=1, normalises_qk=True)
    shape = {"vocab_size": 11, "d_model": 12, "n_heads": 3, "n_layers": 2, "d_ff": 20, "max_tokens": 9}
    model = av.models.Decoder(replace(av.models.LLAMA, **shape, attention=style)).eval()
    with torch.inference_mode(), av.record() as run:
        model(torch.tensor([IDS]))
    ids = replace(Tokens.plain([str(number) for number in IDS]), ids=IDS)
    return run.trace(0, tokens=ids, parameters=av.models.parameters_of(model))


def both_sides() -> av.Trace:
    """A run of an encoder and a decoder whose norms stand on both sides of every part."""
    model = built(av.models.EncoderDecoder, 6, norm="both").eval()
    with torch.inference_mode(), av.record() as run:
        model(torch.tensor([IDS]), torch.tensor([IDS[:3]]))
    read, written = (replace(Tokens.plain(list(map(str, ids))), ids=ids) for ids in (IDS, IDS[:3]))
    return run.trace(0, tokens=read, target=written, parameters=av.models.parameters_of(model))


@pytest.fixture(scope="module")
def traces(minilm) -> dict[str, av.Trace]:
    return {
        "reverse": av.load("reverse").trace("a b c d"),  # encoder, causal decoder, cross-attention; pre-norm
        "induction": av.load("induction").trace("a b c a b"),  # causal, sinusoids, no feed-forward part
        "post-norm": with_padding(built(av.models.Encoder, 1), 6),  # the paper's: ReLU, sinusoids, √d_model
        "bert": with_padding(built(av.models.Encoder, 2, activation="gelu", embedding=av.models.BERT_EMBEDDING), 5),
        "gpt2": decoded(),
        "blocked": decoded(torch.arange(5)[None] > 0),
        "minilm": rebuilt(minilm).trace("The cat sat."),  # real weights in our blocks
        "gpt2-weights": rebuilt(traced_model("gpt2")).trace("cats"),
        # Real runs that hold no whole block: its attention alone, from Q, K, V or from the scores on.
        "minilm-alone": minilm.trace("The cat sat."),
        "llama": traced_model("llama").trace("cats"),
        # RMSNorm, rotation, groups, gate; with biases, norms of q and k, or one matrix for three.
        **{f"{kind}-weights": rebuilt(traced_model(kind)).trace("A cat sat.") for kind in MODERN},
        "neighbours": modern(),
        "both-sides": both_sides(),
        "gemma2": traced_model("gemma2").trace("cats"),
        "bloom": traced_model("bloom").trace("cats"),
        "t5": traced_model("t5").trace("cats"),
        "marian": traced_model("marian").trace("cats"),
    }  # fmt: skip


CASES = ("reverse", "induction", "post-norm", "bert", "gpt2", "blocked", "minilm", "gpt2-weights",
         "minilm-alone", "llama", "gemma2", "bloom", "t5", "marian", *(f"{kind}-weights" for kind in MODERN),
         "neighbours", "both-sides")  # fmt: skip


@cache
def chains(trace: av.Trace) -> tuple[Chain, ...]:
    found = []
    for tab in TABS:
        for site in trace.sites:
            if tab == "decoder" and site.stack != trace.sites[-1].stack:
                continue
            found.append(chain(trace, tab, site, head=1))
    return (*found, *(chain(trace, "decoder", sampling=sampling) for sampling in SAMPLINGS))


def check(step: RunStep) -> None:
    """Cells of every row and of up to 24 columns; `difference` is of all cells, by another way of computing."""
    rows, columns = step.result.rows, step.result.columns
    n, close = max(rows.count, min(columns.count, 24)), TOLERANCE * max(step.result.largest, 1e-6)
    for at in range(n):
        row, column = rows.start + at % rows.count, columns.start + at * columns.count // n
        written = explain_cell(step, row, column)
        assert math.isclose(written.value, written.recomputed, rel_tol=0, abs_tol=close), (step.key, row, column)
        if written.is_sum:
            total = math.fsum(t.product for t in written.terms) if math.isfinite(written.value) else -math.inf
            assert math.isclose(written.value, total, rel_tol=0, abs_tol=close), (step.key, row, column)


def intermediates(step: RunStep) -> dict[str, torch.Tensor]:
    """What a row rule computes on the way to its result, computed here from the whole operand, in float64."""
    x = step.operands[0].values.double()
    if step.rule == "norm row":
        return {"mean": x.mean(-1, keepdim=True), "variance": x.var(-1, unbiased=False, keepdim=True)}
    if step.rule == "rms row":
        return {"square": x.square().mean(-1, keepdim=True)}
    sink = torch.full((len(x), 1), step.facts.get("sink", -math.inf), dtype=torch.float64)
    return {"highest": torch.cat([x, sink], -1).amax(-1, keepdim=True)}


@pytest.mark.parametrize("case", CASES)
def test_every_cell_of_every_step_of_every_tab_and_what_is_computed_on_its_way_is_made_by_its_rule(case, traces):
    made = chains(traces[case])
    seen = {step.key: step for each in made for step in each.steps}
    assert len(seen) > 30
    chosen = [step for each in made for step in each.steps if step.group in ("probabilities", "choice")]
    for step in (*seen.values(), *chosen):
        assert step.note == "" and step.difference <= TOLERANCE, step.key
        check(step)
        if step.rule in ("norm row", "rms row", "softmax row"):
            for name, expected in intermediates(step).items():
                assert_close(step.extras[name].values.double(), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_a_part_of_a_chain_has_the_whole_arithmetic(case, traces):
    parts = {"T_q": (1, 2), "T_k": (0, 3), "T": (1, 3), "d_model": (4, 5), "d_ff": (2, 7), "V": (0, 4), "H·d_v": (3, 4)}
    for each in chains(traces[case]):
        whole = {step.key: step for step in each.steps}
        for step in slice_chain(each, parts).steps:
            before = whole[step.key.split("[")[0]]
            check(step)
            rows, columns = step.result.rows, step.result.columns
            own = before.result.values[rows.start : rows.stop, columns.start : columns.stop]
            assert torch.equal(step.result.values, own), step.key


@pytest.mark.parametrize("case", CASES)
def test_a_matrix_has_one_name_and_the_same_numbers_wherever_it_is_read(case, traces):
    for each in chains(traces[case]):
        names: dict[str, str] = {}
        for step in each.steps:
            for matrix in step.matrices:
                assert torch.equal(each.matrices[matrix.key].values, matrix.values), matrix.key
                assert names.setdefault(matrix.key, matrix.name) == matrix.name, each.tab
            if step.rule in ("add", "norm row", "rms row"):  # what a residual adds to is not named as its sum
                assert step.result.name not in {reading.name for reading in step.operands}, step.key


def test_every_step_of_the_table_is_walked(traces):
    walked = {step.name for case in CASES for each in chains(traces[case]) for step in each.steps}
    unwalked = {step.name for step in STEPS} - walked
    assert unwalked == {"silenced"}  # a what-if: tested where those are


def test_ids_that_the_model_did_not_read_are_not_passed_off_as_its_own(traces):
    strange = replace(traces["gpt2"].tokens.source, ids=(3, 1, 4, 1, 6))
    trace = replace(traces["gpt2"], tokens=replace(traces["gpt2"].tokens, source=strange))
    step = chain(trace, "self")["embed"]
    assert step.note == "step-note-not-so" and step.operands == ()
    with pytest.raises(StepError, match="does not follow from this trace by its rule"):
        explain_cell(step, 0, 0)


def test_what_an_edit_replaced_is_shown_and_not_explained(traces):
    edit = av.Edit("encoder.0.self.weights", lambda name, weights: torch.full_like(weights, 0.2), "even weights")
    trace = av.load("reverse").trace("a b c d", edits=[edit])
    steps = chain(trace, "self", "encoder.0.self", head=1)
    assert steps["weights"].note == "step-note-edited" and steps["weights"].operands == ()
    assert steps["weights"].result.values.unique().tolist() == pytest.approx([0.2])
    with pytest.raises(StepError, match="replaced by an edit"):
        explain_cell(steps["weights"], 0, 0)
    for name in ("raw", "scores", "masked", "context", "head-out"):
        check(steps[name])
