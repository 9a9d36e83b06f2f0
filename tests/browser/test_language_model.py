"""Each page opens on the language model that ships, from a fresh server: its text, the model, its head, no error."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser import live
from tests.browser.conftest import ready
from tests.browser.dashboard import exact_head, link, settle, wait_for_link
from tests.browser.stepper import stepper, to_step

FRANCE = "The capital of France is"
MARY = "When Mary and John went to the store, John gave a drink to"


@pytest.fixture(scope="module")
def shipped(smollm2: object) -> Iterator[str]:
    """A dashboard that names no models: it has those that ship, of which the first is here."""
    with live.serve(environment={"ATTNVIZ_MODELS": ""}) as running:
        yield running.url


def opened(page: Page, address: str) -> None:
    page.goto(address)
    ready(page)
    settle(page)
    expect(page.locator(".av-card, .av-line")).to_have_count(0)


def test_home_opens_on_the_language_model_with_the_word_it_holds_for_likeliest(shipped: str, page: Page) -> None:
    opened(page, shipped)
    expect(page.locator(".home .reading")).to_contain_text("is looks at France")
    expect(page.locator(".home .reading")).to_contain_text("Paris")
    expect(page.locator(".home .next")).to_have_text("Paris")
    expect(page.locator(".home .way")).to_have_count(4)
    page.locator(".st-key-example-next-verb button").click()
    expect(page.locator(".home .reading")).to_contain_text("cabinet looks at keys")


def test_heads_opens_on_a_head_that_is_in_sight(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/heads")
    exact_head(page, 24, 5)
    assert {"model": "smollm2-135m", "text": FRANCE, "token": "5"}.items() <= link(page).items()
    expect(page.locator(".heads .thumb")).to_have_count(270)
    for at in (0, 269):  # all of them are in sight
        expect(page.locator(f".heads .thumb[data-index='{at}']")).to_be_in_viewport(ratio=1)
    expect(page.locator(".heads")).to_contain_text("France")


def test_the_words_it_expects_stand_there_and_each_says_who_wrote_its_lead(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(FRANCE)}")
    words = page.locator(".heads .predicted button")
    expect(words).to_have_count(5)
    expect(words.first).to_have_text(re.compile(r"Paris \d\d%"))
    words.first.click()
    expect(page.locator(".heads .look.why")).to_contain_text("“Paris” ahead of “the”")
    wait_for_link(page, beside="why-word0", token="5")
    words.nth(1).click()
    expect(page.locator(".heads .look.why")).to_contain_text("“the” ahead of “London”")
    page.locator(".heads .query .token-text", has_text="France").click()
    expect(words.first).not_to_have_text(re.compile("Paris"))


def test_a_chat_has_its_roles_beside_the_tokens_and_between_them_a_filter(shipped: str, page: Page) -> None:
    chat = 'chat+:[["system", "You are brief."], ["user", "What is the capital of France?"]]'
    opened(page, f"{shipped}/heads?model=smollm2-135m&text={quote(chat)}")
    roles = ["system", "user", "assistant"]
    expect(page.locator(".heads .lines .band")).to_have_text(roles * 2)
    page.locator("select[name=from]").select_option("3")
    page.locator("select[name=to]").select_option("2")
    expect(page.locator(".saidfilters")).to_contain_text("Only from assistant to user")
    expect(page.locator(".heads .lines .band")).to_have_text(["assistant", "user"])
    expect(page.locator(".heads .key .token-text", has_text="France")).to_have_count(1)
    wait_for_link(page, filter="from-3 to-2")
    page.reload()
    expect(page.locator(".heads .lines .band")).to_have_text(["assistant", "user"])
    assert link(page)["text"] == chat


def test_step_through_opens_on_that_head_and_walks_from_its_norm_to_the_score(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/step")
    here = {"on": "smollm2-135m", "say": FRANCE, "site": "decoder.23.self.5"}
    assert here.items() <= link(page).items()
    assert stepper(page).get_attribute("data-step") == "self-norm"
    for name in ("q", "q-rotated", "raw"):
        to_step(page, name)
    wait_for_link(page, cell="raw~5~4~1")  # the last token looks at France
    opened(page, f"{shipped}/step?tab=heads&model=smollm2-135m&text=Rome+is+in")
    assert {"on": "smollm2-135m", "say": "Rome is in", "tab": "heads"}.items() <= link(page).items()


def test_compare_opens_on_two_texts_through_it(shipped: str, page: Page) -> None:
    opened(page, f"{shipped}/compare")
    assert {"a": "smollm2-135m", "b": "smollm2-135m", "both": MARY}.items() <= link(page).items()
    assert link(page)["other"].endswith("Mary gave a drink to")
