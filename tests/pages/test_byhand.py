"""By hand opens in every language, without a model, and its link is left to the browser, which reads it."""

import pytest
from attnviz_app.byhand import BY_HAND
from attnviz_app.serving.runs import runs

from attnviz.text import LANGUAGES, strings
from tests.pages.conftest import headers, link, shown, turn_to

LINK = {"hand": "2x2_1_seed3_mask", "numbers": "1_0_0_2*1_0_0_1*1_1_0_1*3_0_0_1", "named": "a|b", "pick": "A_1_2_1"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_opens_in_every_language_and_needs_no_model(opened, lang, monkeypatch):
    monkeypatch.setattr(type(runs()), "trace", lambda *_: pytest.fail("a model was run"))
    app = opened("byhand", lang=lang, **LINK)
    (header,) = headers(app, "byhand")
    say = strings(lang)
    assert say("nav-byhand") in shown(app) and header["lang"] == lang
    assert header["strings"]["view-byhand-title"] == say("view-byhand-title")
    assert header["link"]["brings"] and header["place"] == LINK  # so the browser begins with what was opened
    assert link(app) == {"lang": lang}  # and writes it


def test_its_names_are_of_no_other_page(opened):
    app = opened("byhand", lang="en", **LINK)
    assert set(BY_HAND.picked) == {*LINK, "present"}  # every picture can be presented
    assert headers(turn_to(app, "heads"), "heads")[0]["text"].startswith("The cat sat")
