"""Blocks of a pretrained model on the dashboard: the numbers on the screen are those that transformers itself makes."""

import pytest
import torch
from playwright.sync_api import Page, expect
from transformers import AutoModel

from attnviz.pretrained.known_models import BY_NAME
from attnviz.pretrained.loading.load import bundled_folder
from tests.browser.live import wait_until
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


def read(page: Page, values: torch.Tensor) -> int:
    """Hold every printed number against a matrix; how many there were."""
    n, digits = 0, 1 if float(values.abs().max()) >= 10 else 2
    for row, numbers in enumerate(cells(page)):
        for column, number in enumerate(numbers):
            shown = len(number.partition(".")[2]) or digits
            assert is_near(number, float(values[row, column]), shown), (row, column, number)
            n += 1
    return n


def test_every_part_of_a_block_of_minilm_is_what_transformers_makes_and_0_puts_it_back(page_for, theirs):
    query = {"on": "minilm-l6", "say": SENTENCE, "tab": "block", "site": "encoder.1.self.1", "cell": "out~1~1~1"}
    page = page_for("step", query=query)
    n = 0
    for step, values in theirs.items():
        to_step(page, step)
        n += read(page, values)
    assert n >= 6 * 9 * 8  # nine tokens, eight features at the least
    expect(page.locator(".side .note").first).to_contain_text("MiniLM-L6’s weights")

    before = cells(page)  # of the last of them
    page.get_by_role("switch", name="Positions").click()
    expect(page.locator(".edits")).to_have_text("no positions")
    expect(stepper(page)).to_have_attribute("data-step", "ff-norm")
    wait_until(lambda: cells(page) != before, 45)
    page.locator(".title").first.click()
    page.keyboard.press("0")
    expect(page.locator(".edits")).to_be_hidden()
    wait_until(lambda: cells(page) == before, 45)
