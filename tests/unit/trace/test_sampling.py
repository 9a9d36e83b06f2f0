"""Drawing a token: the filters by hand and beside transformers' own, and texts that a seed gives again."""

import pytest
import torch
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.models import Decoder, Sampling, greedy_search, sample
from attnviz.scratch.untrained import untrained
from attnviz.trace.generation import Stretch, is_written
from tests.parity.tiny_models import traced_model
from tests.unit.models.tiny import tiny

LOGITS = torch.log(torch.tensor([0.5, 0.25, 0.15, 0.1]))  # of these probabilities


@pytest.mark.parametrize(("sampling", "expected"), [
    (Sampling(), [0.5, 0.25, 0.15, 0.1]),
    (Sampling(temperature=0.5), [x**2 / 0.345 for x in (0.5, 0.25, 0.15, 0.1)]),
    (Sampling(top_k=2), [2 / 3, 1 / 3, 0, 0]),
    (Sampling(top_p=0.7), [2 / 3, 1 / 3, 0, 0]),  # 0.5 is not enough, 0.75 is
    (Sampling(top_p=0.1), [1.0, 0, 0, 0]),  # the likeliest stays
    (Sampling(top_k=9, top_p=1.0), [0.5, 0.25, 0.15, 0.1]),
])  # fmt: skip
def test_the_probabilities_that_are_drawn_from_by_hand(sampling: Sampling, expected: list[float]) -> None:
    shares = torch.softmax(sampling.filtered(LOGITS), dim=-1)
    torch.testing.assert_close(shares, torch.tensor(expected), rtol=0, atol=1e-6)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 1.7])
@pytest.mark.parametrize("top_k", [None, 1, 5, 50])
@pytest.mark.parametrize("top_p", [None, 0.05, 0.5, 0.93, 1.0])
def test_the_filters_are_those_of_transformers(temperature: float, top_k: int | None, top_p: float | None) -> None:
    logits = 3 * torch.randn(20, 50, generator=torch.Generator().manual_seed(1))
    logits[:, 7] = logits[:, 3]  # as likely as each other
    warpers = [TemperatureLogitsWarper(temperature)]
    warpers += [] if top_k is None else [TopKLogitsWarper(top_k)]
    warpers += [] if top_p is None else [TopPLogitsWarper(top_p)]
    expected = logits
    for warper in warpers:
        expected = warper(None, expected)
    assert torch.equal(Sampling(temperature, top_k, top_p).filtered(logits), expected)


def test_what_is_drawn_has_the_frequencies_of_its_probabilities() -> None:
    sampling = Sampling(temperature=2.0, top_k=3, seed=5)
    generator, shares = sampling.generator(), torch.softmax(sampling.filtered(LOGITS), -1)
    drawn = [sampling.drawn(LOGITS, generator) for _ in range(4000)]
    counted = torch.bincount(torch.tensor(drawn), minlength=4) / 4000
    torch.testing.assert_close(counted, shares, rtol=0, atol=0.03)  # four standard errors
    assert counted[3] == 0


def test_a_seed_gives_its_text_again_and_another_seed_another_one_and_no_generator_of_the_process_is_touched() -> None:
    model = Decoder(tiny()).eval()
    before = torch.random.get_rng_state()

    def text(**how: object) -> tuple[int, ...]:
        return sample(model, [1], Sampling(**how), end=None, max_new_tokens=11).ids

    assert text(seed=1) == text(seed=1) != text(seed=2)
    assert text(seed=1, top_k=1) == greedy_search(model, [1], end=None, max_new_tokens=11).ids
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize(("load", "text"), [
    (lambda: traced_model("gpt2"), "The cat sat"), (lambda: untrained("decoder"), "The cat, it sat on the mat."),
    (lambda: av.load("induction"), "a b c a b"),
])  # fmt: skip
def test_every_model_that_writes_on_draws(load, text: str) -> None:
    model = load()
    hot = Sampling(temperature=5.0, seed=3)
    assert model.write_on(text, 6, sampling=hot) == model.write_on(text, 6, sampling=hot)
    assert model.write_on(text, 6, sampling=Sampling(top_k=1)) == model.write_on(text, 6)


@pytest.mark.parametrize(("load", "text"), [
    (lambda: untrained("decoder"), "The cat, it sat on the mat."), (lambda: av.load("induction"), "a b c a b"),
])  # fmt: skip
def test_what_is_drawn_is_drawn_again_and_another_token_can_be_gone_on_with(load, text: str) -> None:
    model, hot = load(), Sampling(temperature=5.0, seed=3)
    drawn = model.write_on(text, 6, sampling=hot)
    tokens = model.trace(drawn.text).tokens.source
    assert is_written(model, tokens, [Stretch(drawn.first, drawn.n, hot)])
    assert not is_written(model, tokens, [Stretch(drawn.first, drawn.n, Sampling(temperature=5.0, seed=4))])
    branch = model.write_on(text, 4, sampling=hot, chosen=tokens.ids[2])
    read = model.trace(branch.text).tokens.source
    assert (branch.first, branch.n, read.text[branch.first]) == (drawn.first, 4, tokens.text[2])
    assert is_written(model, read, [Stretch(branch.first, 4, hot, is_chosen=True)])


def test_a_target_text_is_drawn_too() -> None:
    translator = av.load("translate-en-zh")
    texts = {translator.generate("She likes tea.", sampling=Sampling(temperature=4.0, seed=seed)) for seed in range(4)}
    assert len(texts) > 1
    model = traced_model("t5")
    drawn = [model.generate("cats", 6, sampling=Sampling(temperature=3.0, seed=seed)) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1] and len(set(drawn)) > 1


@pytest.mark.parametrize("wrong", [
    {"temperature": 0}, {"temperature": float("nan")}, {"temperature": True}, {"top_k": 0}, {"top_k": 2.5},
    {"top_p": 0.0}, {"top_p": 1.5}, {"seed": 1.0}, {"seed": 2**63},
])  # fmt: skip
def test_a_number_that_cannot_be_drawn_with_is_refused(wrong: dict) -> None:
    ((name, value),) = wrong.items()
    with pytest.raises(InputError, match=rf"{name} is {value}, which sampling cannot use") as refused:
        Sampling(**wrong)
    assert refused.value.id == "bad-sampling"
