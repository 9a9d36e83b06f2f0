"""Blocks of a pretrained model on the dashboard: the numbers on the screen are those that transformers itself makes."""

import pytest
import torch
from playwright.sync_api import Page, expect
from transformers import AutoModel

from attnviz.pretrained.known_models import BY_NAME
from attnviz.pretrained.loading.load import bundled_folder
from tests.browser.dashboard import wait_for_link
from tests.browser.stepper import cells, is_near, stepper, to_step

SENTENCE = "The cat sat on the mat."
PARTS = {  # what of transformers' own module makes the result of a step of layer 2
    "out": "encoder.layer.1.attention.output.dense",
    "self-norm": "encoder.layer.1.attention.output",
    "hidden": "encoder.layer.1.intermediate.dense",
    "active": "encoder.layer.1.intermediate",
    "ff-out": "encoder.layer.1.output.dense",
    "ff-norm": "encoder.layer.1.output",
}


@pytest.fixture(scope="module")
def theirs(minilm) -> dict[str, torch.Tensor]:
    """What each of these parts gives for the sentence, [T, D] each: eager transformers, and nothing of ours."""
    folder = bundled_folder(BY_NAME["minilm-l6"])
    eager = AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()
    found: dict[str, torch.Tensor] = {}
    for step, path in PARTS.items():
        eager.get_submodule(path).register_forward_hook(lambda _, __, out, step=step: found.update({step: out[0]}))
    with torch.no_grad():
        ids = torch.tensor([minilm.tokenizer.tokens(SENTENCE).ids])
        states = eager(ids, output_hidden_states=True).hidden_states
    assert torch.equal(states[2][0], found["ff-norm"])
    return found


@pytest.fixture
def opened(page_for):
    def open_page(**query: str) -> Page:
        query = {"if" if name == "whatif" else name: value for name, value in query.items()}
        return page_for("step", query={"on": "minilm-l6", "say": SENTENCE, **query})

    return open_page


def read(page: Page, values: torch.Tensor) -> int:
    """Hold every printed number against a matrix; how many there were."""
    n, digits = 0, 1 if float(values.abs().max()) >= 10 else 2
    for row, numbers in enumerate(cells(page)):
        for column, number in enumerate(numbers):
            shown = len(number.partition(".")[2]) or digits
            assert is_near(number, float(values[row, column]), shown), (row, column, number)
            n += 1
    return n


def test_every_part_of_a_block_of_minilm_is_what_transformers_makes(opened, theirs):
    page = opened(tab="block", site="encoder.1.self.1", cell="out~1~1~1")
    n = 0
    for step, values in theirs.items():
        to_step(page, step)
        n += read(page, values)
    assert n >= 6 * 9 * 8  # nine tokens, eight features at the least
    expect(page.locator(".side .note").first).to_contain_text("MiniLM-L6’s weights")


def test_a_what_if_of_a_pretrained_block_changes_its_numbers_and_0_puts_them_back(opened, theirs):
    page = opened(tab="block", site="encoder.1.self.1", cell="ff-norm~2~2~1")
    read(page, theirs["ff-norm"])
    before = cells(page)
    page.get_by_role("switch", name="Positions").click()
    expect(page.locator(".edits")).to_have_text("no positions")
    expect(stepper(page)).to_have_attribute("data-step", "ff-norm")
    assert cells(page) != before
    page.locator(".title").first.click()
    page.keyboard.press("0")
    expect(page.locator(".edits")).to_be_hidden()
    read(page, theirs["ff-norm"])


def test_a_model_without_a_decoder_stays_on_that_lesson(opened):
    page = opened(tab="decoder")
    expect(page.locator(".notice")).to_contain_text("MiniLM-L6 has no decoder")
    expect(page.locator(".tabs [aria-current]")).to_have_text("Decoder")
    page.get_by_role("switch", name="Causal mask").click()
    expect(page.locator(".edits")).to_have_text("causal mask")
    wait_for_link(page, tab="decoder", **{"if": "causal"})
    to_step(page, "weights")
    assert all(number == "0" for row, numbers in enumerate(cells(page)) for number in numbers[row + 1 :])


def test_how_alike_the_tokens_of_a_pretrained_model_become_is_told_of_its_own_vectors(opened):
    page = opened(tab="block", look="likeness")
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("After block 6")
