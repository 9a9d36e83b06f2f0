"""Greedy and beam decoding: equal to reading everything again, and every step can be looked at."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import Tensor

import attnviz as av
from attnviz.models import Decoder, EncoderDecoder, Hypothesis, TransformerConfig, beam, greedy
from attnviz.models.decoding import _likeliest

TINY = TransformerConfig(vocab_size=7, d_model=16, n_heads=4, n_layers=2, d_ff=24, max_tokens=12, dropout=0.0)
END = 3


def sharp(model: torch.nn.Module, seed: int = 0) -> torch.nn.Module:
    """Random, but with opinions: the embedding's scale keeps the likeliest tokens apart."""
    torch.manual_seed(seed)
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.4)
    return model.eval()


def language_model(seed: int = 0) -> Decoder:
    return sharp(Decoder(TINY), seed)  # type: ignore[return-value]


def log_probabilities(decoder: Decoder, ids: tuple[int, ...], memory: Tensor | None = None) -> Tensor:
    """[T, V], everything read again, without a cache."""
    with torch.no_grad():
        return torch.log_softmax(decoder(torch.tensor([ids]), memory)[0], dim=-1)


@pytest.mark.parametrize("seed", range(5))
def test_greedy_with_its_cache_equals_reading_everything_again(seed: int) -> None:
    decoder = language_model(seed)
    ids: tuple[int, ...] = (1, 5)
    total = 0.0
    for _ in range(8):
        row = log_probabilities(decoder, ids)[-1]
        token = int(row.argmax())
        ids, total = (*ids, token), total + float(row[token])
    written = greedy(decoder, (1, 5), end=None, max_new_tokens=8)
    assert written.ids == ids
    assert written.best.log_probability == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("end", [None, END])
def test_a_beam_of_one_is_greedy(seed: int, end: int | None) -> None:
    decoder = language_model(seed)
    one, single = (
        greedy(decoder, (1, 2), end=end, max_new_tokens=9),
        beam(decoder, (1, 2), width=1, end=end, max_new_tokens=9),
    )
    assert one.best == single.best
    assert len(one.steps) == len(single.steps)
    for ours, theirs in zip(one.steps, single.steps, strict=True):
        assert (ours.reading.texts, ours.kept) == (theirs.reading.texts, theirs.kept)
        assert torch.equal(ours.reading.candidate_probabilities, theirs.reading.candidate_probabilities)
        for site, weights in ours.reading.weights.items():
            assert torch.equal(weights, theirs.reading.weights[site])


def test_a_beam_of_one_is_greedy_where_all_tokens_are_equally_likely() -> None:
    decoder = Decoder(TransformerConfig(**{**TINY.__dict__, "vocab_size": 500})).eval()
    torch.nn.init.zeros_(decoder.to_vocabulary.weight)
    one = greedy(decoder, (7,), end=None, max_new_tokens=6)
    single = beam(decoder, (7,), width=1, end=None, max_new_tokens=6)
    assert one.best == single.best
    assert one.ids == (7, 0, 0, 0, 0, 0, 0)  # of equals the first


def test_of_equal_sums_a_beam_takes_the_likelier_token() -> None:
    next_token = torch.tensor([-2e-30, -1e-30, -1e-30], dtype=torch.float64)
    assert _likeliest(next_token - 100, next_token, 2) == [1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_wide_enough_finds_the_likeliest_text_of_all(seed: int) -> None:
    decoder = language_model(seed)
    found = beam(decoder, (1,), width=7**3, end=None, max_new_tokens=3, length_penalty=0.0).best

    texts = torch.tensor([(1, *text) for text in itertools.product(range(7), repeat=3)])  # [343, 4], every one there is
    with torch.no_grad():
        rows = torch.log_softmax(decoder(texts[:, :-1]), dim=-1)  # [343, 3, V]
    totals = rows.gather(-1, texts[:, 1:, None]).sum((1, 2))  # [343]
    assert found.ids == tuple(texts[totals.argmax()].tolist())
    assert found.log_probability == pytest.approx(float(totals.max()), abs=1e-4)


def test_every_hypothesis_of_a_beam_has_the_probability_of_its_own_text() -> None:
    model = sharp(EncoderDecoder(TINY))
    assert isinstance(model, EncoderDecoder)
    memory = model.encoder(torch.tensor([[4, 5, 6, 2, 1]]))  # [1, 5, D]
    written = beam(model.decoder, (2,), width=3, end=END, max_new_tokens=7, memory=memory)
    assert len(written.finalists) == 3
    for text in written.finalists:
        rows = log_probabilities(model.decoder, text.ids, memory)
        total = sum(float(rows[place, token]) for place, token in enumerate(text.ids[1:]))
        assert text.log_probability == pytest.approx(total, abs=1e-4)
        assert text.is_finished is (text.ids[-1] == END)


@pytest.mark.parametrize("seed", [1, 2, 3])  # with these weights a text ends while others go on
def test_a_finished_text_leaves_the_race_and_takes_its_place_with_it(seed: int) -> None:
    width, n_finished = 3, 0
    written = beam(language_model(seed), (1,), width=width, end=END, max_new_tokens=9)
    for step in written.steps:
        assert len(step.kept) == min(width - n_finished, 7 * len(step.reading.texts))
        n_finished += sum(text.is_finished for text in step.kept)
    assert len(written.finalists) == width
    assert n_finished > 0  # else nothing was tested


def test_the_first_step_shows_where_the_last_token_of_the_prompt_looked() -> None:
    decoder, prompt = language_model(), (1, 5, 2, 4)
    written = greedy(decoder, prompt, end=None, max_new_tokens=1)
    with torch.no_grad(), av.record() as run:
        decoder(torch.tensor([prompt]))
    for site, weights in written.steps[0].reading.weights.items():
        assert weights.shape == (1, 4, 4)
        torch.testing.assert_close(weights, run[f"{site}.weights"][:, :, -1], rtol=0, atol=1e-6)


def test_every_step_keeps_its_candidates_and_where_the_newest_token_looked() -> None:
    model = sharp(EncoderDecoder(TINY))
    assert isinstance(model, EncoderDecoder)
    memory = model.encoder(torch.tensor([[4, 5, 6, 2, 1]]))
    written = greedy(model.decoder, (2,), end=None, max_new_tokens=4, memory=memory, n_candidates=3)
    with torch.no_grad(), av.record() as run:
        model.decoder(torch.tensor([written.ids[:-1]]), memory)
    for number, step in enumerate(written.steps):
        assert step.reading.candidate_ids[0, 0] == written.ids[number + 1]
        assert step.reading.candidate_probabilities.shape == (1, 3)
        for site in ("decoder.0.self", "decoder.1.self", "decoder.0.cross", "decoder.1.cross"):
            row = run[f"{site}.weights"][0, :, number]  # [H, Tk]
            seen = step.reading.weights[site][0]
            torch.testing.assert_close(seen, row[:, : seen.shape[-1]], rtol=0, atol=1e-6)


def test_decoding_leaves_the_recording_around_it_alone() -> None:
    with av.record() as run:
        greedy(language_model(), (1,), end=None, max_new_tokens=2)
    assert run.names == ()


def test_a_longer_text_is_not_put_last_for_its_length_alone() -> None:
    short, long = Hypothesis((1, 3), -2.0, 1, True), Hypothesis((1, 2, 2, 2, 3), -2.4, 4, True)
    assert short.score(0.0) > long.score(0.0)
    assert long.score(0.6) > short.score(0.6)
    assert long.score(1.0) == pytest.approx(-2.4 / 1.5)  # (5 + 4) / 6
