"""Greedy and beam search: equal to reading everything again, and every step can be looked at."""

import itertools

import pytest
import torch
from torch import Tensor

import attnviz as av
from attnviz.models import Decoder, EncoderDecoder, Hypothesis, beam_search, greedy_search
from tests.unit.models.tiny import tiny

TINY = tiny(vocab_size=7)
END = 3
seeds = pytest.mark.parametrize("seed", range(5))


def sharp(model, seed: int = 0):
    """Random, but with clear preferences: the embedding's scale keeps the candidates apart."""
    torch.manual_seed(seed)
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.4)
    return model.eval()


def language_model(seed: int = 0) -> Decoder:
    return sharp(Decoder(TINY), seed)


def translator() -> tuple[Decoder, Tensor]:
    """A decoder, and the memory [1, 5, D] that it reads."""
    model = sharp(EncoderDecoder(TINY))
    return model.decoder, model.encoder(torch.tensor([[4, 5, 6, 2, 1]]))


def log_probabilities(decoder: Decoder, ids: tuple[int, ...], memory: Tensor | None = None) -> Tensor:
    """[T, V], everything read again, without a cache."""
    with torch.no_grad():
        return torch.log_softmax(decoder(torch.tensor([ids]), memory)[0], dim=-1)


@seeds
@pytest.mark.parametrize("suppressed", [(), (0, 4)])
def test_greedy_search_with_its_cache_equals_reading_everything_again(seed: int, suppressed: tuple[int, ...]) -> None:
    decoder = language_model(seed)
    ids: tuple[int, ...] = (1, 5)
    for _ in range(8):
        row = log_probabilities(decoder, ids)[-1]
        row[list(suppressed)] = -torch.inf
        ids = (*ids, int(row.argmax()))
    written = greedy_search(decoder, (1, 5), end=None, max_new_tokens=8, suppressed=suppressed)
    assert written.ids == ids and not set(ids[2:]) & set(suppressed)


@seeds
@pytest.mark.parametrize("end", [None, END])
def test_a_beam_of_one_is_greedy_search(seed: int, end: int | None) -> None:
    decoder = language_model(seed)
    with av.record() as run:
        greedy = greedy_search(decoder, (1, 2), end=end, max_new_tokens=9, suppressed=(0,))
        beam = beam_search(decoder, (1, 2), width=1, end=end, max_new_tokens=9, suppressed=(0,))
    assert run.names == ()  # the recording around them hears nothing
    assert greedy.ids == beam.ids and len(greedy.steps) == len(beam.steps)
    assert greedy.best.log_probability == pytest.approx(beam.best.log_probability, abs=1e-5)


def test_nothing_is_written_where_nothing_may_be() -> None:
    for search in (greedy_search, beam_search):
        written = search(language_model(), (1, 2), end=None, max_new_tokens=0)
        assert (written.ids, written.steps) == ((1, 2), ())


@seeds
def test_a_beam_wide_enough_finds_the_most_probable_text_of_all(seed: int) -> None:
    decoder = language_model(seed)
    found = beam_search(decoder, (1,), width=7**3, end=None, max_new_tokens=3, length_penalty=0.0).best

    texts = torch.tensor([(1, *text) for text in itertools.product(range(7), repeat=3)])  # [343, 4], every one there is
    with torch.no_grad():
        rows = torch.log_softmax(decoder(texts[:, :-1]), dim=-1)  # [343, 3, V]
    totals = rows.gather(-1, texts[:, 1:, None]).sum((1, 2))  # [343]
    assert found.ids == tuple(texts[totals.argmax()].tolist())
    assert found.log_probability == pytest.approx(float(totals.max()), abs=1e-4)


def test_every_hypothesis_of_a_beam_has_the_probability_of_its_own_text() -> None:
    decoder, memory = translator()
    written = beam_search(decoder, (2,), width=3, end=END, max_new_tokens=7, memory=memory)
    assert len(written.hypotheses) == 3
    for text in written.hypotheses:
        rows = log_probabilities(decoder, text.ids, memory)
        total = sum(float(rows[place, token]) for place, token in enumerate(text.ids[1:]))
        assert text.log_probability == pytest.approx(total, abs=1e-4)
        assert text.is_finished is (text.ids[-1] == END) and text.n_new == len(text.ids) - 1


@pytest.mark.parametrize("seed", [1, 2, 3])  # with these weights a text ends while others go on
def test_a_finished_text_narrows_the_beam(seed: int) -> None:
    width = 3
    written = beam_search(language_model(seed), (1,), width=width, end=END, max_new_tokens=9)
    finished = [text for text in written.hypotheses if text.is_finished]
    assert finished and len(written.hypotheses) == width
    for number, step in enumerate(written.steps[1:], start=1):
        assert len(step.texts) == width - sum(text.n_new <= number for text in finished)


def test_every_step_keeps_its_candidates_and_the_weights_of_the_newest_token() -> None:
    decoder, memory = translator()
    prompt = (2, 5, 1)
    written = greedy_search(decoder, prompt, end=None, max_new_tokens=4, memory=memory, n_candidates=3)
    with torch.no_grad(), av.record() as run:
        decoder(torch.tensor([written.ids[:-1]]), memory)
    for newest, step in enumerate(written.steps, start=2):
        assert step.texts[0].ids == written.ids[: newest + 1]
        assert step.candidate_ids[0, 0] == written.ids[newest + 1]
        assert step.candidate_probabilities.shape == (1, 3)
        assert step.weights.keys() == {"decoder.0.self", "decoder.1.self", "decoder.0.cross", "decoder.1.cross"}
        for site, weights in step.weights.items():
            row = run[f"{site}.weights"][:, :, newest, : weights.shape[-1]]  # [1, H, T_k]
            torch.testing.assert_close(weights, row, rtol=0, atol=1e-6)


def test_a_longer_text_is_not_put_last_for_its_length_alone() -> None:
    short, long = Hypothesis((1, 3), -2.0, 1, True), Hypothesis((1, 2, 2, 2, 3), -2.4, 4, True)
    assert short.score(0.0) > long.score(0.0)
    assert long.score(0.6) > short.score(0.6)
    assert long.score(1.0) == pytest.approx(-2.4 / 1.5)  # (5 + 4) / 6
