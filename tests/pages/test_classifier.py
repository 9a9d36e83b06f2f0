"""A classifier on the pages: what is said and watched are its classes, never a next word."""

import pytest
from transformers import AutoModelForSequenceClassification

import attnviz as av
from attnviz.text import figure, strings
from tests.conftest import TINY
from tests.job_fake import until
from tests.pages.conftest import headers, pictures, shown
from tests.parity.tiny_models import eager_module, saved

A, B = "the cat sat", "the dog sat"
SAY = strings("en")


@pytest.fixture
def folder(operator, tmp_path):
    sizes = TINY["bert"] | {"id2label": {0: "negative", 1: "positive"}}
    made = saved(eager_module("bert", sizes, AutoModelForSequenceClassification, seed=5), tmp_path / "mood")
    operator.setenv("ATTNVIZ_MODELS", f"{made},minilm-l6")
    return made


@pytest.mark.parametrize("page", ["", "heads"])
def test_the_classes_of_the_text_are_said_and_no_next_word(opened, folder, page):
    app = opened(page, lang="en", model=folder, text=A)
    found = av.load(folder).trace(A).prediction
    first = SAY("heads-predicts-one", name=found.texts[0][0], percent=f"{100 * float(found.probabilities[0, 0]):.1f}%")
    assert SAY("heads-predicts-classes", classes=first) in shown(app)
    if page == "":
        assert headers(app, "home")[0]["candidates"] == []


def test_what_causes_the_difference_of_two_texts_is_watched_in_classes(opened, folder):
    app = opened("compare", lang="en", model=folder, model2=folder, text=A, text2=B)
    app.button(key="compare-causes-start").click().run()
    until(lambda: any(str(it.key).startswith("compare-caused") for it in app.run().dataframe), seconds=120)
    watched = pictures(app, "panel")[0][0]["blocks"][0]["text"]
    found = av.patch(av.load(folder), A, B)
    one, other = found.texts
    assert watched.startswith(
        SAY("compare-causes-classes", one=one, other=other, a=figure(found.clean), b=figure(found.corrupt))
    )
