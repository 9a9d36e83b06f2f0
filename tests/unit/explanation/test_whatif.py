"""What-ifs: a changed run equals an independent computation, and its steps can still be written out."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import InputError, StepError
from attnviz.explanation import chain, explain_cell
from attnviz.explanation.matrices import Note
from attnviz.explanation.whatif import ScoreSwitches, Switches, run
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.layers import GatedFeedForward
from attnviz.models.positions import RotaryPositions
from attnviz.models.support.masking import causal_mask
from attnviz.models.transformer import EncoderDecoder
from attnviz.scratch.rebuilt import rebuilt
from attnviz.scratch.untrained import untrained
from attnviz.text import strings
from attnviz.trace.tokens import Tokens
from tests.parity.tiny_models import traced_model

TEXTS = {"reverse": "a b c d", "induction": "a b c a b"}


@pytest.fixture(scope="module")
def models() -> dict[str, av.trace.model_protocol.Model]:
    return {name: av.load(name) for name in TEXTS}


@pytest.fixture(scope="module")
def bases(models) -> dict[str, av.Trace]:
    return {name: models[name].trace(text) for name, text in TEXTS.items()}


def attentions(network: nn.Module) -> list[MultiHeadAttention]:
    return [part for part in network.modules() if isinstance(part, MultiHeadAttention)]


def hotter(network: nn.Module, factor: float) -> None:
    """Scores times a factor, by changing W_Q and b_Q instead of the scale."""
    for part in attentions(network):
        part.w_q.weight.mul_(factor)
        part.w_q.bias.mul_(factor)


def unplaced(network: nn.Module) -> None:
    for part in network.modules():
        table = getattr(part, "table", None)
        if table is not None:
            (table.weight if isinstance(table, nn.Embedding) else table).zero_()


def unmasked(network: nn.Module) -> None:
    for part in attentions(network):
        part.register_forward_pre_hook(lambda part, args, given: (args, given | {"mask": None}), with_kwargs=True)


def ids_of(tokens: Tokens) -> Tensor:
    return torch.tensor([tokens.ids])


def logits(network: nn.Module, base: av.Trace, *, is_token: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    """Of each position, [T, V]; `is_token` [1, Ts] and `mask` [Ts, Ts] are about the source."""
    source = ids_of(base.tokens.source)
    if not isinstance(network, EncoderDecoder):
        return network(source, is_token=is_token)[0]
    memory = network.encoder(source, is_token=is_token, mask=mask)
    return network.decoder(ids_of(base.tokens.target), memory, memory_is_token=is_token)[0]


def all_but(base: av.Trace, hidden: int) -> dict[str, Tensor]:
    return {"is_token": (torch.arange(len(base.tokens.source)) != hidden)[None]}  # [1, T]


Change = Callable[[nn.Module, av.Trace], dict[str, Tensor]]
CASES: dict[str, tuple[Switches, Change]] = {
    "no scaling": (Switches(scaling=False), lambda n, b: hotter(n, attentions(n)[0].head_width**0.5) or {}),
    "temperature": (Switches(temperature=0.4), lambda n, b: hotter(n, 2.5) or {}),
    "both": (Switches(scaling=False, temperature=4.0),
             lambda n, b: hotter(n, attentions(n)[0].head_width**0.5 / 4) or {}),
    "no positions": (Switches(positions=False), lambda n, b: unplaced(n) or {}),
    "causal": (Switches(causal=True), lambda n, b: {"mask": causal_mask(len(b.tokens.source))}),
    "looking ahead": (Switches(causal=False), lambda n, b: unmasked(n) or {}),
    "first hidden": (Switches(hidden=0), lambda n, b: all_but(b, 0)),
    "third hidden": (Switches(hidden=2), lambda n, b: all_but(b, 2)),
    "last hidden": (Switches(hidden=-1), lambda n, b: all_but(b, len(b.tokens.source) - 1)),
}  # fmt: skip


def same(ours: av.Trace, expected: Tensor) -> None:
    """The run's own predictions are those of these logits, [T, V]."""
    share = torch.softmax(expected, -1)  # [T, V]
    assert_close(ours.prediction.probabilities, share.gather(-1, ours.prediction.ids), rtol=0, atol=2e-5)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("case", CASES)
def test_a_changed_run_equals_a_model_changed_by_hand_and_its_steps_are_made_by_their_rules(name, case, models, bases):
    switches, change = CASES[case]
    network = deepcopy(models[name].network)
    with torch.inference_mode():
        how = change(network, bases[name])
        changed = run(models[name], bases[name], switches)
        same(changed, logits(network, bases[name], **how))
    labels = [edit.label for edit in switches.edits(bases[name])]
    assert [edit.label for edit in changed.edits] == labels != [] and changed.verified.holds
    for site in changed.sites:
        for step in chain(changed, "self", site, head=1).steps:
            assert step.note == "" and step.difference <= 1e-5, step.key


def test_a_silenced_head_is_a_step_of_its_own_and_equals_a_model_without_its_part_of_w_o(models, bases):
    base = bases["reverse"]
    network = deepcopy(models["reverse"].network)
    with torch.inference_mode():
        first = attentions(network)[0]
        first.w_o.weight[:, first.head_width : 2 * first.head_width] = 0.0
        changed = run(models["reverse"], base, Switches(silenced=(("encoder.0.self", 1),)))
        same(changed, logits(network, base))
    steps = chain(changed, "self", "encoder.0.self", head=1)
    assert [step.name for step in steps.steps][-3:] == ["context", "silenced", "head-out"]
    assert float(steps["context"].result.values.abs().max()) > 0.1
    assert float(steps["silenced"].result.values.abs().max()) == 0.0
    assert explain_cell(steps["silenced"], 2, 3).recomputed == 0.0
    assert "silenced" not in [step.name for step in chain(changed, "self", "encoder.0.self", head=0).steps]
    heads = chain(changed, "heads", "encoder.0.self")
    assert max(step.difference for step in heads.steps) <= 1e-5
    assert float(heads["concat"].result.values[:, 32:].abs().max()) == 0.0


def test_positions_are_left_out_of_an_embedding_that_adds_types_and_a_norm():
    model = rebuilt(traced_model("bert"))
    base, network = model.trace("A cat sat."), deepcopy(model.network)
    changed = run(model, base, Switches(positions=False))
    with torch.inference_mode():
        unplaced(network)
        expected = network(ids_of(base.tokens.source))[0]  # [T, d_model]
    assert_close(changed.stream["encoder.out"], expected, rtol=0, atol=1e-5)
    assert not torch.allclose(base.stream["encoder.out"], expected, atol=1e-2)
    steps = chain(changed, "block").steps
    assert [step.name for step in steps][:3] == ["tokens", "embed", "embed-norm"]
    assert max(step.difference for step in steps) <= 1e-5


def unrotated(network: nn.Module) -> None:
    for part in network.modules():
        if isinstance(part, RotaryPositions):
            part.frequencies = torch.zeros_like(part.frequencies)


def turned_by(network: nn.Module, theta: float) -> None:
    for part in network.modules():
        if isinstance(part, RotaryPositions):
            part.frequencies = theta ** -(torch.arange(0, part.width, 2) / part.width)  # [width/2]


def swapped(network: nn.Module) -> None:
    """The rows of W_K and W_V that make the second group's keys and values come first."""
    for part in attentions(network):
        for linear in (part.w_k, part.w_v):
            for own in linear.parameters():
                own.copy_(own.unflatten(0, (part.n_kv_heads, -1)).roll(-1, 0).flatten(0, 1))


def ungated(network: nn.Module) -> None:
    for part in network.modules():
        if isinstance(part, GatedFeedForward):
            part.forward = lambda x, part=part: part.w_2(part.w_1(x))


OF_TODAY: dict[str, tuple[Switches, Callable[[nn.Module], object]]] = {
    "no rotation": (Switches(rotation=False), unrotated),
    "another θ": (Switches(theta=50.0), lambda n: turned_by(n, 50.0)),
    "swapped": (Switches(swaps_groups=True), swapped),
    "no gate": (Switches(gate=False), ungated),
    "all": (Switches(rotation=False, swaps_groups=True, gate=False),
            lambda n: (unrotated(n), swapped(n), ungated(n))),
}  # fmt: skip


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "mistral"])
@pytest.mark.parametrize("case", OF_TODAY)
def test_rotation_groups_and_gate_can_be_switched_as_by_hand_and_every_step_is_still_made_by_its_rule(family, case):
    model = rebuilt(traced_model(family))
    base, network, (switches, change) = model.trace("A cat sat."), deepcopy(model.network), OF_TODAY[case]
    with torch.inference_mode():
        change(network)
        changed = run(model, base, switches)
        same(changed, network(ids_of(base.tokens.source))[0])
    assert not torch.allclose(changed.stream["decoder.out"], base.stream["decoder.out"], atol=1e-3)
    assert [edit.label for edit in changed.edits] == [edit.label for edit in switches.edits(base)] != []
    assert changed.verified.holds
    for tab in ("self", "heads", "block", "decoder"):
        for site in changed.sites:
            made = chain(changed, tab, site, head=1)
            assert max(step.difference for step in made) <= 1e-5 and not any(step.note for step in made), (tab, site)
    made = chain(changed, "heads", changed.sites[0])
    keys = [step.operands[1].matrix.key.split(".")[3] for step in made if step.name == "raw"]
    assert keys == (["h1", "h1", "h0", "h0"] if switches.swaps_groups else ["h0", "h0", "h1", "h1"])
    gated = {"gate", "gated"} & {step.name for step in chain(changed, "block", changed.sites[0])}
    assert gated == ({"gate", "gated"} if switches.gate else set())


@pytest.mark.parametrize("switches", [
    Switches(scaling=False), Switches(temperature=0.4), Switches(causal=False), Switches(hidden=2),
    Switches(silenced=(("decoder.0.self", 1),)), Switches(temperature=2.0, hidden=0, rotation=False),
])  # fmt: skip
@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_what_can_be_switched_elsewhere_can_be_in_a_model_with_rotation_and_groups(family, switches):
    model = rebuilt(traced_model(family))
    changed = run(model, model.trace("A cat sat."), switches)
    assert changed.verified.holds and changed.edits
    for tab in ("self", "heads", "block", "decoder"):
        for step in chain(changed, tab, "decoder.1.self", head=1):
            assert step.difference <= 1e-5 and not step.note, (tab, step.key)


def test_nothing_switched_is_the_run_itself(models, bases):
    assert run(models["reverse"], bases["reverse"], Switches()) is bases["reverse"]


def said(note: Note, language: str = "en") -> str:
    arguments = {name: said(it, language) if isinstance(it, Note) else it for name, it in note.arguments.items()}
    return strings(language)(note.id, **arguments)


def test_what_is_said_in_a_title_counts_from_one_and_each_change_says_where_it_is(bases):
    silenced = tuple(("encoder.1.self", h) for h in (6, 1, 0, 4, 5, 2))
    switches = Switches(False, False, 0.5, 2, positions=False, silenced=silenced)
    notes = switches.notes(bases["reverse"])
    assert [said(note) for note in notes] == [
        "no causal mask in all heads", "no ÷ √dₖ in all heads", "attention τ = 0.5 in all heads",
        "“c” hidden in all heads", "no positions", "heads 1–3, 5–7 silenced (encoder 2)",
    ]  # fmt: skip
    assert said(notes[-1], "zh-CN") == "停用 6 个头：1–3, 5–7（编码器第 2 层）"
    of_heads = Switches(heads=(
        ("encoder.1.self", 5, ScoreSwitches(temperature=4.0)), ("decoder.0.cross", 0, ScoreSwitches(hidden=1)),
        ("decoder.0.self", 2, ScoreSwitches(False, hidden=1)),
    ))  # fmt: skip
    assert [said(note) for note in of_heads.notes(bases["reverse"])] == [
        "attention τ = 4 in head 2.6 of the encoder", "“b” hidden in head 1.1 of cross-attention",
        "no causal mask in head 1.3 of the decoder", "“d” hidden in head 1.3 of the decoder",
    ]  # fmt: skip
    assert said(of_heads.notes(bases["reverse"])[0], "zh-CN") == "注意力温度 4（编码器第 2 层第 6 个头）"
    (of_one_stack,) = Switches(heads=(("decoder.1.self", 2, ScoreSwitches(scaling=False)),)).notes(bases["induction"])
    assert said(of_one_stack) == "no ÷ √dₖ in head 2.3"


OF_SCORES = [
    ScoreSwitches(scaling=False), ScoreSwitches(temperature=4.0), ScoreSwitches(temperature=0.4, scaling=False),
    ScoreSwitches(causal=False), ScoreSwitches(causal=True), ScoreSwitches(hidden=2),
    ScoreSwitches(False, False, 2.0, 0),
]  # fmt: skip


def by_hand(base: av.Trace, site: str, head: int, own: ScoreSwitches) -> Tensor:
    """The weights of a head whose scores of an untouched run are changed: [T_q, T_k]."""
    record = base[site]
    scores = record.raw(head) if not own.scaling else record.scores(head)  # [T_q, T_k]
    allowed = record.source.mask.allowed_rows(0, record.n_queries, head)[0]  # [T_q, T_k]
    if own.causal is not None:
        allowed = torch.ones_like(allowed).tril() if own.causal else torch.ones_like(allowed)
    if own.hidden is not None:
        allowed = allowed & (torch.arange(record.n_keys) != own.hidden)
    weights = (scores / own.temperature).masked_fill(~allowed, -torch.inf).softmax(-1)  # [T_q, T_k]
    return weights.nan_to_num(0.0)  # where no key is left


@pytest.mark.parametrize("own", OF_SCORES)
@pytest.mark.parametrize(("name", "site"), [
    ("reverse", "encoder.0.self"), ("reverse", "encoder.1.self"), ("reverse", "decoder.0.self"),
    ("reverse", "decoder.0.cross"), ("induction", "decoder.1.self"),
])  # fmt: skip
def test_one_head_alone_is_its_own_scores_changed_and_every_other_of_its_layer_is_as_it_was(
    name, site, own, models, bases
):
    base = bases[name]
    if own.causal is not None and site.endswith("cross"):
        return  # refused: below
    switches = Switches(heads=((site, 1, own),))
    changed = run(models[name], base, switches)
    assert changed.verified.holds
    assert_close(changed[site].weights(1), by_hand(base, site, 1, own), rtol=0, atol=1e-6)
    for head in {*range(base[site].n_heads)} - {1}:
        assert_close(changed[site].weights(head), base[site].weights(head), rtol=0, atol=1e-6)
    last, is_so = changed.sites[-1], own == ScoreSwitches(causal=base[site].source.mask.causal)
    is_same = torch.allclose(changed[last].weights(), base[last].weights(), rtol=0, atol=1e-6)
    assert site == last.key or is_same is is_so
    for tab in ("self", "heads", "block", "decoder"):
        for step in chain(changed, tab, site.replace("cross", "self") if tab == "block" else site, head=1).steps:
            assert step.difference <= 1e-5 and not step.note, (tab, step.key)
    assert {edit.head for edit in changed.edits} == {f"{site}.1"}


@pytest.mark.parametrize("own", [ScoreSwitches(scaling=False, temperature=2.0), ScoreSwitches(False, hidden=0)])
def test_two_heads_can_be_changed_each_by_itself(own, models, bases):
    base, warm = bases["induction"], ScoreSwitches(temperature=4.0)
    changed = run(models["induction"], base, Switches(heads=(("decoder.0.self", 0, own), ("decoder.0.self", 1, warm))))
    for head, of_it in ((0, own), (1, warm)):
        assert_close(
            changed["decoder.0.self"].weights(head), by_hand(base, "decoder.0.self", head, of_it), rtol=0, atol=1e-6
        )
    factors = [dict(chain(changed, "self", "decoder.0.self", head=head)["scores"].factors) for head in (0, 1)]
    assert factors == [pytest.approx({"1/τ": 0.5}), pytest.approx({"1/√d_k": 32**-0.5, "1/τ": 0.25})] or own.scaling


@pytest.mark.parametrize("own", [*OF_SCORES[:3], ScoreSwitches(hidden=2)])
@pytest.mark.parametrize("family", ["llama", "qwen3", "gemma2", "bert"])
def test_one_head_of_a_pretrained_model_is_changed_on_its_own_kernel_too(family, own):
    """Grouped heads among them, and a soft-cap, which comes after the division by τ."""
    model = traced_model(family)
    base = model.trace("A cat sat.")
    site = base.sites[-1].key
    changed = run(model, base, Switches(heads=((site, 1, own),)))
    assert changed.verified.holds
    if base[site].replay.softcap is None:
        assert_close(changed[site].weights(1), by_hand(base, site, 1, own), rtol=0, atol=1e-5)
    assert not torch.allclose(changed[site].weights(1), base[site].weights(1), atol=1e-4)
    assert_close(changed[site].weights(0), base[site].weights(0), rtol=0, atol=1e-5)
    for step in chain(changed, "self", site, head=1).steps:
        assert step.difference <= 1e-5 and not step.note, step.key


def test_a_run_of_which_one_head_is_changed_is_saved_with_it(tmp_path, models, bases):
    switches = Switches(heads=(("encoder.1.self", 1, ScoreSwitches(temperature=4.0, causal=True)),))
    changed = run(models["reverse"], bases["reverse"], switches)
    changed.save(tmp_path / "run.safetensors")
    again = av.Trace.load(tmp_path / "run.safetensors")
    assert again.edits == changed.edits
    assert torch.equal(again["encoder.1.self"].weights(), changed["encoder.1.self"].weights())


def test_what_cannot_be_switched_is_refused(models, bases):
    base, model = bases["reverse"], models["reverse"]
    changed = run(model, base, Switches(causal=True))
    for kind, expected, start, switches in (
        (InputError, "position=9, and the text has 5 tokens", base, Switches(hidden=9)),
        (InputError, "There is no head 7", base, Switches(silenced=(("encoder.0.self", 7),))),
        (InputError, "was already changed", changed, Switches(scaling=False)),
        (StepError, "does not add positions", replace(base, matrices={}), Switches(positions=False)),
        (StepError, "are not rotated", base, Switches(rotation=False)),
        (StepError, "are not rotated", base, Switches(theta=100.0)),
        (StepError, "nothing to swap", base, Switches(swaps_groups=True)),
        (StepError, "has no gate", base, Switches(gate=False)),
        (
            InputError,
            "of all heads, or of single ones",
            base,
            Switches(temperature=2.0, heads=(("encoder.0.self", 0, ScoreSwitches(scaling=False)),)),
        ),
        (InputError, "There is no head 7", base, Switches(heads=(("encoder.0.self", 7, ScoreSwitches(True)),))),
        (InputError, "position=9", base, Switches(heads=(("decoder.0.cross", 0, ScoreSwitches(hidden=9)),))),
        (StepError, "a rule of the model’s own", base, Switches(heads=(("decoder.0.cross", 0, ScoreSwitches(True)),))),
    ):
        with pytest.raises(kind, match=expected):
            run(model, start, switches)
    with pytest.raises(InputError, match=r"outside 0\.1 to 10"):
        Switches(temperature=0.0)
    with pytest.raises(InputError, match="outside 2 to"):
        Switches(theta=1.0)


def test_a_model_that_does_not_divide_has_no_division_to_leave_out():
    model = traced_model("t5")  # its scale is 1, at d_k = 8
    base = model.trace("a cat sat", "a dog")
    with pytest.raises(StepError, match="does not divide its scores"):
        run(model, base, Switches(scaling=False))
    for switches, factors in (
        (Switches(hidden=0), {"scale": 1.0}),
        (Switches(temperature=0.5), {"scale": 1.0, "1/τ": 2.0}),
    ):
        scores = chain(run(model, base, switches), "self")["scores"]
        assert dict(scores.factors) == pytest.approx(factors) and scores.difference <= 1e-5


def test_an_untrained_model_can_be_switched_too():
    model = untrained("encoder-decoder", seed=3)
    base = model.trace("the cat sat on the mat", "a dog ran")
    silenced = (("decoder.1.cross", 1),)
    switches = Switches(True, False, 2.0, 1, hidden_target=2, positions=False, silenced=silenced)
    changed = run(model, base, switches)
    assert changed.verified.holds and len(changed.edits) == 7
    assert changed["encoder.0.self"].source.mask.causal and changed["decoder.0.cross"].weights(0)[:, 1].sum() == 0
    for tab in ("self", "heads", "block", "decoder"):
        assert max(step.difference for step in chain(changed, tab, head=1).steps) <= 1e-5
