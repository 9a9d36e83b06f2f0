"""The prepared long texts have as many tokens as their names say, in the reader's language."""

import pytest
from attnviz_app.serving import long_texts

from attnviz.text import strings


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_prepared_text_has_the_tokens_its_name_says(language) -> None:
    say, model = strings(language), long_texts.model("untrained-decoder", 1024)
    for name in long_texts.names(1024):
        text = long_texts.text(name, say)
        assert len(model.tokens(text, starts=True)) == int(name.removeprefix("long-"))
        assert say(f"example-{name}")


def test_no_text_is_offered_beyond_the_limit() -> None:
    assert long_texts.names(300) == ("long-64", "long-256")
