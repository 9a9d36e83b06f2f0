"""Predict first: numbers stay hidden until they are guessed, each head's by itself, and so does what follows."""

import pytest
from playwright.sync_api import Page, expect

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from attnviz.explanation.predict_first import question
from attnviz.scratch.rebuilt import rebuilt
from attnviz.trace.trace import Trace
from tests.browser.conftest import menu_item, press_keys
from tests.browser.dashboard import comes_to, wait_for_link
from tests.browser.stepper import click, drawn, point_at, stepper, to_step
from tests.parity.tiny_models import traced_model


@pytest.fixture(scope="module")
def trace() -> Trace:
    return av.load("reverse").trace("a b c d")


@pytest.fixture
def asked(draw, trace):
    """A factory: `asked("heads")` draws that tab, with a question about the weights of each head."""

    def open_tab(tab: str) -> tuple[Page, dict[str, tuple[int, int]]]:
        made = chain(trace, tab, "encoder.0.self")
        weights = {step.key: step.result.values for step in made.steps if step.name == "weights"}
        best = {key: divmod(int(values.argmax()), values.shape[1]) for key, values in weights.items()}
        questions = {key: {"row": None, "text": f"Which cell of {key}?", "answers": [at]} for key, at in best.items()}
        page = draw(views.stepper(made, trace, views.At("weights"), questions=questions))
        to_step(page, "weights")
        return page, best

    return open_tab


@pytest.mark.parametrize("tab", ["heads", "block"])
def test_a_head_is_hidden_until_it_has_been_guessed(asked, tab):
    page, best = asked(tab)
    first, second = best
    other = page.locator('.matrix[data-key^="step:"]').get_attribute("data-key")
    assert drawn(page) == drawn(page, other) == 0

    click(page, *best[first])
    expect(page.locator(".verdict")).to_have_text("Right.")
    assert drawn(page)
    assert drawn(page, other) == 0
    said = page.locator(".strip .whose").inner_text()
    point_at(page, 0, 0, other)  # the other head, which is still to be guessed
    expect(page.locator(".strip .whose")).to_have_text(said)

    click(page, 0, 0, other)
    expect(stepper(page)).to_have_attribute("data-step", "weights.2")
    expect(page.locator(".strip .question")).to_contain_text(second)
    assert drawn(page) == 0


def test_a_wrong_guess_by_keyboard_is_told_with_the_answer_and_both_are_a_press_away(asked, trace):
    page, best = asked("self")
    ((key, (row, column)),) = best.items()
    words = trace.tokens.source.text
    assert (row, column) != (0, 1)
    expect(page.locator(".strip .question")).to_contain_text(f"Which cell of {key}?")
    page.locator(".surface").focus()
    page.keyboard.press("Space")  # nothing is played while it is hidden
    press_keys(page, "ArrowRight", "ArrowRight", "Enter")  # the first key shows which cell is meant
    expect(page.locator(".verdict")).to_have_text("Not this one.")
    assert drawn(page)
    guess, answer = f"[{words[0]}, {words[1]}]", f"[{words[row]}, {words[column]}]"
    expect(page.locator(".strip .whose")).to_contain_text(guess)
    expect(page.get_by_role("button", name="Your guess")).to_contain_text(guess)
    expect(page.get_by_role("button", name="The answer")).to_contain_text(answer)
    told = page.locator("[aria-live=polite]", has_text="Not this one.")
    expect(told).to_contain_text(guess)
    expect(told).to_contain_text(answer)
    page.keyboard.press("ArrowDown")  # nobody guessed the cell below
    expect(page.locator(".verdict")).to_have_count(0)
    expect(told).to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect(page.locator(".verdict")).to_have_text("Not this one.")
    page.get_by_role("button", name="The answer").click()
    expect(page.locator(".strip .whose")).to_have_text(answer)


def test_later_steps_do_not_give_an_open_guess_away(draw, trace):
    made = chain(trace, "self", "encoder.0.self")
    question = {"row": None, "text": "Which cell of raw?", "answers": [(0, 0)]}
    page = draw(views.stepper(made, trace, views.At("raw"), questions={made["raw"].key: question}))
    covered = page.locator(".rail .covered")
    comes_to(lambda: covered.count() >= 5, True)  # raw, scores, weights, context and the output
    comes_to(lambda: page.locator(".rail canvas").count() >= 4, True)  # X, Q, K and V do not follow from it
    page.locator(".rail .stop").filter(has_text="÷").click()
    expect(stepper(page)).to_have_attribute("data-step", "scores")
    expect(page.locator(".strip .question")).to_contain_text("You have not guessed at “Match queries with keys” yet")
    assert drawn(page) == drawn(page, "0") == 0
    expect(menu_item(page, "Copy as table")).to_be_disabled()
    page.keyboard.press("Escape")

    page.keyboard.press("ArrowLeft")
    click(page, 0, 0)
    expect(covered).to_have_count(0)
    page.keyboard.press("ArrowRight")
    assert drawn(page)


def test_nothing_is_outlined_before_a_guess_and_next_first_shows_the_answer(draw):
    trace = av.load("translate-en-zh").trace("She did not buy this book.")
    made = chain(trace, "decoder", "decoder.0.self")
    step = made["probabilities"]
    row = len(step.result.values) - 1
    question = {"row": row, "text": "Which word is next?", "answers": [(row, 0)]}
    page = draw(views.stepper(made, trace, views.At("logits"), questions={step.key: question}))
    go_on = page.locator(".player .button.primary")
    assert "→" not in page.locator(".names .lb").last.text_content()  # no row says yet what it writes
    go_on.focus()
    page.keyboard.press("Enter")
    expect(stepper(page)).to_have_attribute("data-step", "probabilities")
    outlines = page.locator(".over .marks rect")
    expect(outlines).to_have_count(1)  # of the row that is asked about, and no cell of it
    expect(page.locator(".surface")).to_be_focused()  # and Enter does not press the button again
    page.keyboard.press("Enter")
    expect(go_on).to_have_text("Show the answer")
    page.keyboard.press("ArrowRight")
    expect(outlines).to_have_count(2)
    press_keys(page, "ArrowRight", "Enter")
    expect(page.locator(".verdict")).to_have_text("Not this one.")
    assert drawn(page)


def test_a_link_keeps_a_guess_and_the_columns_that_are_drawn(page_for):
    query = {"model": "reverse", "text": "a b c d", "guess": "1", "matrix": "raw", "token": "2", "key": "2"}
    page = page_for("step", query=query, size=(1440, 900))
    page.locator(".player .button.primary").click()  # the answer
    page.locator(".player .button.primary").click()
    expect(stepper(page)).to_have_attribute("data-step", "scores")
    wait_for_link(page, guessed="raw")
    page.locator(".rail .stop").first.click()
    page.locator(".mover button").last.click()
    columns = page.locator(".mover").last.text_content()
    page.wait_for_url("**columns=**")
    page.goto(page.url)
    expect(page.locator(".mover").last).to_have_text(columns)
    page.locator(".rail .stop").filter(has_text="QK").click()
    expect(stepper(page)).to_have_attribute("data-step", "raw")
    expect(page.locator(".strip .question")).to_have_count(0)
    expect(page.locator(".rail .stop").filter(has_text="QK").locator(".covered")).to_have_count(0)


@pytest.fixture
def turned(draw) -> tuple[Page, Trace]:
    """A rotation that asks which token it does not turn."""
    trace = rebuilt(traced_model("llama")).trace("A cat sat.")
    made = chain(trace, "self", "decoder.0.self")
    step = made["q-rotated"]
    asked = question(step)
    told = {"row": None, "text": "Which token?", "answers": asked.answers, "wrong": asked.wrong}
    return draw(views.stepper(made, trace, views.At("q-rotated"), questions={step.key: told})), trace


def test_a_wrong_guess_about_a_rotation_is_told_what_it_takes_for_true(turned):
    page, trace = turned
    why = page.locator(".strip .why")
    click(page, 2, 0)
    expect(why).to_contain_text(
        f"“{trace.tokens.source.name(2)}” stands at position 2, so its pairs turn by 2 × their frequency."
    )
    expect(page.locator("[aria-live=polite]", has_text="Not this one.")).to_contain_text("position 2")
    page.get_by_role("button", name="The answer").click()
    expect(why).to_have_count(0)
    expect(page.locator(".rotated .angle")).to_contain_text("0 ×")


def test_a_right_guess_about_a_rotation_is_any_number_of_the_token_at_position_0(turned):
    page, _ = turned
    click(page, 0, 3)
    expect(page.locator(".verdict")).to_have_text("Right.")
    expect(page.locator(".strip .why")).to_have_count(0)
