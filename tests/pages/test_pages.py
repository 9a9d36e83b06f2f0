"""Every page through the dashboard: it opens in each language, keeps what was typed, its link says what is shown."""

from types import SimpleNamespace

import pytest
from attnviz_app.heads import generation, state
from attnviz_app.host import events, visitor
from attnviz_app.serving import examples, long_texts
from attnviz_app.settings import settings

import attnviz as av
from attnviz.text import strings
from attnviz.trace.generation import Continued
from attnviz.trace.sampling import Sampling
from attnviz.training import TrainedModel
from tests.pages.conftest import headers, key, link, menu, queue, shown, text_box, turn_to

DOG = "The dog barked at the mailman because he was late."


def type_text(app, text):
    return text_box(app).set_value(text).run()


def test_the_first_picture_is_the_pronoun_example_with_its_link_its_menus_and_where_its_numbers_come_from(opened):
    app = opened("heads")
    assert link(app) == {
        "model": "minilm-l6", "text": "The cat sat on the mat because it was tired.",
        "layer": "6", "head": "12", "token": "9", "lang": "en",
    }  # fmt: skip
    names = (*settings().models, *long_texts.MODELS)  # those for texts beyond what these read stand last
    first, *others = (strings("en")(f"model-{name}") for name in names)
    assert menu(app).options == [first, strings("en")("open-model"), *others]
    sentences = examples.ORDINARY[None]
    assert list(app.get("menu_button")[0].proto.options) == [strings("en")(f"example-{it}") for it in sentences]
    body = shown(app)
    assert "1110a24" in body and "Apache-2.0" in body
    assert strings("en")("verified", difference=0.0, rows=48).split("within")[0] in body


@pytest.mark.parametrize(("page", "given"), [
    ("heads", {"model": "minilm-l6", "text": DOG, "layer": "3", "head": "4", "key": "4"}),
    ("step", {"model": "reverse", "text": "k a b", "tab": "decoder", "part": "decoder", "layer": "1", "head": "2",
              "matrix": "raw.2", "token": "2", "key": "1",
              "if": "full~t0.5~hide2"}),
])  # fmt: skip
def test_a_link_is_the_same_after_it_was_opened(opened, page, given):
    app = opened(page, lang="zh-TW", size="projector", **given)
    assert link(app) == {**given, "lang": "zh-TW", "size": "projector"}
    assert app.toggle(key=key(app, "size-box")).value is True


def test_about_describes_every_model_what_was_measured_of_it_and_the_limits_in_force(opened, operator):
    operator.setenv("ATTNVIZ_MODELS", "minilm-l6,reverse,someone/a-model")
    operator.setenv("ATTNVIZ_MAX_CHARACTERS", "1234")
    operator.setenv("ATTNVIZ_TRACE_CACHE", "64MiB")
    body, say = shown(opened("about")), strings("en")
    assert body.count("<article>") == 5 and say("model-untrained-decoder") in body
    assert "1 layer of 2 heads" in body and "1 layers" not in body
    assert body.count(f"<dt>{say('about-proved')}</dt>") == 2
    assert say("training-right-texts-sentences", percent="100%", n=64) in body  # of the model that reverses
    assert body.count(say("about-not-opened")) == 1  # it would have to be fetched
    assert "–" not in body
    assert "×10⁻" in body and "e-0" not in body
    assert "<td>64 MiB</td><td>ATTNVIZ_TRACE_CACHE</td>" in body and "<td>1,234</td><td>ATTNVIZ_MAX_CHARACTERS" in body
    assert say("about-reads-at-most", languages=say("about-language-en"), n="512") in body
    assert '<a href="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2"' in body


def test_a_chinese_page_names_a_model_of_this_project_and_its_training_in_chinese(opened):
    say, body = strings("zh-CN"), shown(opened("heads", model="translate-zh-en", lang="zh-CN"))
    assert say("about-trained", command="attnviz train translate-zh-en --seed 0") in body
    assert "trained with" not in body and say.named("Chinese → English") != "Chinese → English"


READS_ENGLISH = "She did not buy this book yesterday."


def choose_model(app, name):
    return menu(app).set_value(name).run()


def test_another_model_keeps_a_text_that_it_can_read_and_else_brings_an_example(opened):
    app = choose_model(opened("heads", lang="zh-CN"), "reverse")
    assert "倒序读不了之前的文本" in shown(app) and "Reverse" not in shown(app)  # named as its menu does
    app = choose_model(opened("heads", model="translate-en-zh", text=READS_ENGLISH), "minilm-l6")
    assert (link(app)["model"], link(app)["text"]) == ("minilm-l6", READS_ENGLISH)
    app = choose_model(app, "translate-en-zh-tw")
    assert link(app)["text"] == READS_ENGLISH and "她昨天沒買這本書。" in shown(app)
    assert "one of its own examples" not in shown(app)
    app = choose_model(app, "translate-zh-en")
    assert link(app)["model"] == "translate-zh-en" and "one of its own examples" in shown(app)
    assert link(app)["text"] == text_box(app).value == strings("en")("example-zh-negation-text")
    type_text(app, "她不想买两本书。")
    assert "one of its own examples" not in shown(app)
    app = choose_model(app, "minilm-l6")  # which knows most of these words by no name
    assert link(app)["text"] == strings("en")("example-pronoun-text")
    assert strings("en")("notice-unknown-text", model="MiniLM-L6") in shown(app)


def test_a_text_typed_while_an_example_comes_is_not_called_one(opened, monkeypatch):
    """The run that puts the example there ends in another one, which first does what was typed meanwhile."""
    tell = state.HEADS.tell

    def typed_meanwhile(id, **arguments):
        tell(id, **arguments)
        events.later(state.want)("drawer")

    monkeypatch.setattr(state.HEADS, "tell", typed_meanwhile)
    app = choose_model(opened("heads"), "reverse")
    assert link(app)["model"] == "reverse" and link(app)["text"] == "drawer"
    assert "one of its own examples" not in shown(app)


def test_a_link_to_a_model_with_a_text_it_cannot_read_shows_an_example_and_the_words(opened):
    app = opened("heads", model="translate-en-zh", text="Quantum cats.", lang="zh-TW")
    assert link(app)["text"] == READS_ENGLISH
    assert strings("zh-TW")("unknown-words-short", model="English → Chinese, simplified", words="Quantum") in shown(app)


def test_unknown_words_are_refused_with_the_list_of_what_is_known(opened):
    app = type_text(opened("heads", model="translate-en-zh", text=READS_ENGLISH), "The elephant sleeps.")
    body = shown(app)
    assert "elephant" in body and "<summary>" in body and "brother" in body
    title, words = body.split("<summary>")[1].split("</details>")[0].split("</summary>")
    assert f"The {len(words.split(', '))} words" in title and "…" not in words  # as many as it says, none left out
    assert link(app)["text"] == READS_ENGLISH
    few = shown(type_text(opened("heads", model="reverse", text="abc"), "a,b"))
    assert "It knows 30 words" in few and "<summary>" not in few.split("av-line")[1].split("</div>")[0]


def test_home_says_how_much_of_a_sentence_the_model_cannot_read(opened):
    said = strings("en")("unknown-tokens", unknown=9, total=13, read="[UNK]")
    app = opened("home", text="猫坐在垫子上，因为它累了。")
    assert said in shown(app)
    app.button(key="home-step-instead").click().run()
    assert (link(app)["model"], link(app)["text"]) == ("untrained-encoder", "猫坐在垫子上，因为它累了。")
    assert "unknown" not in shown(opened("home"))


def test_home_shows_how_a_translator_reads_and_leads_to_that_part(opened):
    app = opened("home", model="translate-en-zh", text=READS_ENGLISH)
    from attnviz_app.home.panel import _go  # its component can be declared while the app runs only

    (header,) = headers(app, "home")
    assert "part=encoder" in header["links"]["heads"]
    queue(app, _go, SimpleNamespace(go={"to": header["links"]["heads"]}))
    shown_first = link(turn_to(app, "heads"))
    assert shown_first["part"] == "encoder"
    assert int(shown_first["layer"]) == header["selection"]["layer"] + 1


def test_the_parts_of_a_translator_stand_in_the_link(opened):
    app = opened("heads", model="translate-en-zh", text=READS_ENGLISH)
    assert link(app)["part"] == "cross"
    assert "<bdi>book</bdi>" in shown(app) and "<bdi>书</bdi>" in shown(app)  # the table of tokens has both texts
    asked = {"model": "translate-zh-en", "part": "encoder", "layer": "1", "head": "3"}
    app = opened("heads", **asked)  # without a text; the button of a part: test_heads_overview
    assert "one of its own examples" not in shown(app)  # there was no text before
    assert {**asked, "text": strings("en")("example-zh-negation-text")}.items() <= link(app).items()
    assert link(turn_to(app, "home"))["part"] == "encoder"
    assert "part" not in link(choose_model(turn_to(app, "heads"), "minilm-l6"))


def test_a_model_that_writes_has_a_menu_to_write_on_until_its_text_is_as_long_as_it_takes(opened):
    """What the menu does: tests/browser."""

    def menus(model, text):
        page = opened("heads", model=model, text=text)
        return [menu.proto for menu in page.get("menu_button") if menu.proto.id.endswith("heads-write-on")]

    (menu,) = menus("minilm-l6", "A cat")
    assert menu.disabled and menu.help == strings("en")("heads-write-on-never")
    assert not menus("translate-en-zh", READS_ENGLISH)  # what it writes stands in a line of its own
    (menu,) = menus("induction", " ".join("qwert"[at % 5] for at in range(av.load("induction").card.max_tokens)))
    assert menu.disabled and "as long as" in menu.help


def test_a_text_is_written_on_as_the_library_does_and_goes_on_from_another_token_as_a_branch(opened):
    model, text, hot = av.load("induction"), "q w e r t q w e", Sampling(temperature=3.0, top_k=10, seed=5)
    app = queue(opened("heads", model="induction", text=text), generation.choose_way, hot)
    app = queue(app, generation.ask, 4)
    drawn = model.write_on(text, 4, sampling=hot)
    assert {"text": drawn.text, "written": "10-13,t3.0,k10,s5"}.items() <= link(app).items()
    assert "wrote:" in shown(app) and "T 3 · top-k 10 · seed 5" in shown(app)
    (header,) = headers(app, "heads")
    assert [bool(token.get("written")) for token in header["tokens"]["source"]] == [False] * 9 + [True] * 4
    tokens = model.trace(drawn.text)
    row = drawn.first  # wrote the second
    app = queue(app, generation.ask_branch, row, 3)
    chosen, before = (
        int(tokens.prediction.ids[row, 3]),
        tokens.tokens.source.source[: tokens.tokens.source.spans[row][1]],
    )
    branch = model.write_on(before, 4, sampling=hot, chosen=chosen)
    assert {"text": branch.text, "written": "10-10,t3.0,k10,s5~11-14,c,t3.0,k10,s5"}.items() <= link(app).items()
    (header,) = headers(app, "heads")
    assert header["written"]["chosen"] == [False, True, False, False, False]
    assert header["selection"]["token"] == row
    again = opened("heads", **link(app))  # by somebody else, who has the model write it again
    (same,) = headers(again, "heads")
    assert same["written"] == header["written"] and link(again)["written"] == link(app)["written"]
    told = opened("heads", **(link(app) | {"written": "10-14,t3.0,k10,s6"}))
    assert strings("en")("notice-not-written", model=model.card.name) in shown(told)
    assert headers(told, "heads")[0]["written"] is None and "written" not in link(told)
    assert "wrote:" in shown(turn_to(again, "home")) and "wrote:" not in shown(turn_to(told, "home"))


def test_only_a_text_is_continued_and_only_so_far(opened, monkeypatch):
    monkeypatch.setattr(generation, "MOST_WRITTEN", 5)
    app = queue(opened("heads", model="induction", text="q w e r t q w e"), generation.ask, 4)
    (menu,) = [menu.proto for menu in app.get("menu_button") if menu.proto.id.endswith("heads-write-on")]
    assert list(menu.options) == [strings("en")("heads-write-on-one")]
    text = "q w e r t q w e r t q w"
    told = opened("heads", model="induction", text=text, written="2-12")  # more than is checked
    assert strings("en")("notice-not-written", model=av.load("induction").card.name) in shown(told)


@pytest.mark.parametrize(("written", "asked", "said"), [
    (Continued("a b c a", 4, 1, True), 1, ["notice-wrote-end"]),
    (Continued("a b c", 4, 0, True), 1, ["notice-wrote-end"]),
    (Continued("a b c", 4, 0, False), 1, ["notice-wrote-nothing"]), (Continued("a b c a", 4, 1, False), 1, []),
    (Continued("a b c a", 4, 1, False), 4, ["notice-wrote-fewer"]),  # the others would be read as other tokens
])  # fmt: skip
def test_a_model_that_ends_the_text_or_writes_less_than_was_asked_says_so(opened, monkeypatch, written, asked, said):
    monkeypatch.setattr(TrainedModel, "write_on", lambda *_, **__: written)
    page = queue(opened("heads", model="induction", text="a b c"), generation.ask, asked)
    name, notices = av.load("induction").card.name, ("notice-wrote-end", "notice-wrote-nothing", "notice-wrote-fewer")
    assert [id for id in notices if strings("en")(id, model=name, n=written.n, asked=asked) in shown(page)] == said
    assert text_box(page).value == written.text


@pytest.mark.parametrize("page", ["home", "heads", "step"])
def test_a_model_without_training_that_compare_shows_is_said_to_be_there_alone(opened, page):
    app = opened("compare", model="untrained:minilm-l6", model2="minilm-l6", text="The cat sat.")
    app = turn_to(app, page)
    said = strings("en")("notice-variant", shown=strings("en")("model-minilm-l6"))
    assert link(app)["model"] == "minilm-l6" and said in shown(app)
    assert said in shown(opened(page, model="untrained:minilm-l6", text="The cat sat."))


def test_home_says_of_a_model_without_training_that_all_is_chance(opened):
    app = opened("home", model="untrained-decoder", text="The capital of France is")
    assert "has learnt nothing: all it shows is chance" in shown(app)


@pytest.mark.parametrize("page", ["home", "heads", "step", "compare"])
def test_a_page_that_stands_on_what_it_opened_on_opens_anew_in_another_language(opened, page):
    app = opened(page, lang="zh-CN")
    assert link(app)["model"] == "poems-zh"
    queue(app, visitor.choose_language, "zh-TW")
    assert link(app)["model"] == "poems-zh-tw" and link(app)["lang"] == "zh-TW"
    queue(app, visitor.choose_language, "en")
    assert link(app)["model"] == link(opened(page, lang="en"))["model"]


def test_what_was_picked_before_another_language_brought_its_model_is_given_up(opened):
    app = opened("heads", lang="zh-CN")
    before = headers(app, "heads")[0]["link"]["brings"]
    queue(app, visitor.choose_language, "zh-TW")
    (header,) = headers(app, "heads")
    assert header["link"]["brings"] > before
    assert header["selection"] == headers(opened("heads", lang="zh-TW"), "heads")[0]["selection"]


def test_what_was_chosen_stays_in_another_language_and_goes_along(opened):
    app = opened("heads", lang="zh-CN")
    text_box(app).set_value("空山新雨后，").run()
    queue(app, visitor.choose_language, "zh-TW")
    assert (link(app)["model"], link(app)["text"]) == ("poems-zh", "空山新雨后，")
    turn_to(app, "step")
    assert (link(app)["model"], link(app)["text"]) == ("poems-zh", "空山新雨后，")


def test_what_a_page_opened_on_does_not_go_along_into_another_language(opened):
    app = opened("heads", lang="zh-CN", model="poems-zh", text=strings("zh-CN")("example-poem-moon-text"))
    queue(app, visitor.choose_language, "zh-TW")
    turn_to(app, "step")
    assert link(app)["model"] == "poems-zh-tw"
