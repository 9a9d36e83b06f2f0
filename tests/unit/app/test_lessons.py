"""The lessons: everything they claim is so in the run, and they say it in the words of the glossary.

docs/teaching.md says what they say; `python -m tests.unit.app.test_lessons` writes it.
"""

import math
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from attnviz_app.lessons import content
from attnviz_app.lessons.content import Asked, Claim, Form, Lesson, Step, lessons, matrix, options, right, short_test
from attnviz_app.lessons.state import PICTURES
from attnviz_app.lessons.teaching import sections
from attnviz_app.lessons.what_if import what_if
from attnviz_app.serving.model_menu import ALLOWED
from attnviz_app.step import runs
from attnviz_app.step.query import Question, picked_in

from attnviz.bounded_cache import BoundedCache
from attnviz.explanation import chain
from attnviz.explanation.whatif import ScoreSwitches
from attnviz.text import LANGUAGES, Language, strings
from tests.contract.catalogues import catalogue, glossary, term_faults
from tests.contract.chinese import faults

PAPER = Path(__file__).parents[3] / "docs" / "teaching.md"
LANGUAGE_MODEL = "smollm2-135m"
STEPS = {
    " ".join(filter(None, (step.id, model))): step.of(model)
    for lesson in lessons()
    for step in lesson.steps
    for model in step.on or ("",)
}
FORMS = {f"{n}{name}": form for n, item in enumerate(short_test(), 1) for name, form in item.items()}


def each(steps: Mapping[str, Asked]) -> pytest.MarkDecorator:
    """Each of these; what runs on a model that has to be fetched is marked so."""
    made = [
        pytest.param(it, id=id, marks=[pytest.mark.smollm2] * (it.show.get("model") == LANGUAGE_MODEL))
        for id, it in steps.items()
    ]
    return pytest.mark.parametrize("step", made, indirect=True)


@pytest.fixture
def step(request: pytest.FixtureRequest) -> Asked:
    if request.param.show.get("model") == LANGUAGE_MODEL:
        request.getfixturevalue("smollm2")  # which fetches it, or skips the test
    return request.param


each_step = each(STEPS)
each_asked = each({**STEPS, **FORMS})


def number(claim: Claim, step: Asked) -> float:
    return float(content.values(claim, step)[content.place(claim, step)])


def wrong(claim: Claim, step: Asked) -> list[str]:
    """What is claimed of a number, or of a text, that the run says otherwise, and what that says."""
    if not claim.at:
        said = content.written(claim, step, "en")
        return [] if said == claim.written else [f"{said} was written"]
    row, value, others = content.values(claim, step), number(claim, step), {it.name: it for it in step.claims}

    def total(*names: str) -> float:
        return sum(number(others[it], step) for it in names)

    holds = {
        "most": not claim.most or float(row.max()) == value,
        "above": claim.above is None or value > claim.above,
        "below": claim.below is None or value < claim.below,
        "like": not claim.like or total(claim.like) == pytest.approx(value, abs=1e-5),
        "sum_of": not claim.sum_of or total(*claim.sum_of) == pytest.approx(value, abs=1e-4),
        "rest": not claim.rest or value + total(*claim.rest) == pytest.approx(1, abs=1e-4),
        "rows": claim.rows is None or matrix(claim, step).values.shape[0] == claim.rows,
    }
    return [f"{name}: it is {value} of {row.tolist()}" for name, is_so in holds.items() if not is_so]


@each_asked
def test_every_claim_is_what_the_run_says(step: Asked) -> None:
    assert {claim.name: found for claim in step.claims if (found := wrong(claim, step))} == {}


def test_a_claim_that_the_run_does_not_bear_out_is_found() -> None:
    step = STEPS["raw translate-en-zh"]
    for change in (
        {"key": 2, "most": True}, {"above": 20.0}, {"below": 0.0}, {"like": "back"}, {"sum_of": ("back",)},
        {"rest": ("back",)}, {"rows": 4},
    ):  # fmt: skip
        assert wrong(step.claims[0].model_copy(update=change), step)
    assert wrong(Claim(name="it", written="鱼"), step)


@pytest.mark.parametrize("language", LANGUAGES)
@each_step
def test_every_text_is_filled_by_claims_and_the_right_option_is_one(step: Step, language: str) -> None:
    told_of = content.told(step, language)
    for name, text in step.words[language]:
        for part in text if isinstance(text, tuple) else (text,):
            assert part and "{" not in part.format_map(told_of), name
    if step.kind != "cell":
        found = options(step, language)
        assert 0 <= int(right(step)) < len(found) and len(set(found)) > 1
    assert step.then.keys() <= {*PICTURES[step.page].names, *PICTURES[step.page].picked}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_form_of_the_short_test_is_filled_by_claims_and_has_three_options(form: Form, language: str) -> None:
    words = form.words[language]
    assert "{" not in words.why.format_map(content.told(form, language))
    assert len(set(words.options)) == 3 and 0 <= form.right < 3
    assert len({form.right for item in short_test() for form in item.values()}) == 3  # none is always the second
    if form.scores:
        weights = torch.tensor(form.scores).softmax(-1)  # [words]
        assert 0 < weights[2] < 0.1 and int(weights.argmax()) == 0
        assert all(f"{float(it):.4f}"[:6] in words.why or f"{float(it):.2f}" in words.why for it in weights[2:])


@pytest.mark.parametrize("language", LANGUAGES[1:])
@each_asked
def test_the_chinese_is_that_of_the_region_and_of_the_glossary(step: Asked, language: str) -> None:
    english, theirs = step.words["en"], step.words[language]
    for name, text in theirs:
        both = [it if isinstance(it, tuple) else (it,) for it in (getattr(english, name), text)]
        for said, translated in zip(*both, strict=True):
            assert (name, faults(translated, language, to_pupils=True)) == (name, [])
            assert (name, term_faults(said, translated, language, glossary())) == (name, [])


@pytest.mark.usefixtures("smollm2")
def test_paper_is_what_the_docs_have_with_its_numbers_and_no_picture_to_point_at() -> None:
    parts = dict(sections(strings("en")))
    assert PAPER.read_text(encoding="utf-8") == "\n".join(parts.values())
    text = parts["sheets"]
    assert "picture" not in text and text.count("Circle it in the table") == 2
    sheets = {}  # the questions of each worksheet, by its lesson, as they are printed
    for part in text.split("\n### ")[1:]:
        title, _, questions = part.partition("\n\n")
        sheets[title.partition(". ")[2]] = re.split(r"\n(?=\d+\. )", questions)
    about_heads = sheets["Real heads: find them, doubt them"]
    lines = [question.count("\n    | ") for question in about_heads]
    assert [n - 2 for n in lines if n] == [1, 1, 3, 2, 1, 4]  # rows below the rule; where W_Q comes from has none
    of_language = sheets["A language model, token by token"]
    assert "*unbelievably*" in of_language[0] and "The dog slept" not in of_language[0]  # the text it asks about
    likeliest = [float(it) for it in re.findall(r"\b0\.\d{3}\b", of_language[3])]
    assert "| Paris | the | " in of_language[3] and len(likeliest) == 12
    assert sum(likeliest[:9]) < 0.9 < sum(likeliest[:10])  # they can be counted on paper
    assert "Encoder 2, head 6<br>" in sheets["What a head does"][1]  # also where no row of it is printed
    for lesson in lessons():
        for step, question in zip(lesson.steps, sheets[lesson.titles["en"]], strict=True):
            if step.kind == "key":  # who is asked for a token has its row before another question prints it
                step = step.of(step.model("en", ALLOWED.offered))
                label = matrix(step.claims[0], step).rows.label(step.claims[0].row or 0)
                assert f"| {label} | " in question, step.id


@pytest.mark.parametrize("lesson", lessons(), ids=lambda it: it.titles["en"])
def test_a_lesson_takes_about_forty_five_minutes_and_each_step_says_two_sentences(lesson: Lesson) -> None:
    for language in LANGUAGES[1:]:
        assert faults(lesson.goals[language], language, to_pupils=True) == []
    assert 40 <= lesson.minutes <= 45
    for step in lesson.steps:
        assert step.words["en"].say.count(". ") + 1 <= 2, step.id
        assert all(step.of(model).what_if for model in step.on or ("",)), step.id


@pytest.mark.parametrize("language", ["zh-CN", "zh-TW"])
def test_where_a_model_reads_chinese_a_step_shows_chinese_to_those_who_read_it(language: Language) -> None:
    by_hand, *first = lessons()[0].steps
    second, (tokens, *fourth) = lessons()[1].steps, lessons()[3].steps
    for step in (*first, *second, *fourth):
        shown = step.of(step.model(language, {*step.on}))
        for part in ("", "then", "what_if"):
            assert faults(shown.link(part, language)["text"], language) == []
            assert re.search("[\u4e00-\u9fff]", shown.link(part, language)["text"]), (step.id, part)
    assert re.search("[\u4e00-\u9fff]", by_hand.link("", language)["named"])
    assert tokens.link("what_if", language)["text"] == "孩子"


def test_among_all_heads_the_matrix_of_the_first_is_named_without_a_number() -> None:
    links = [step.link(shown, "en") for step in STEPS.values() for shown in ("", "then", "what_if")]
    assert [link for link in links if link.get("matrix", "").endswith(".1")] == []


def test_a_step_says_how_many_heads_its_layer_has_and_where_a_number_stands() -> None:
    eight, _, join = lessons()[1].steps[:3]
    said = [content.told(eight.of(model), "en")["n"] for model in ("translate-en-zh", "translate-zh-en")]
    assert said == ["8", "4"]
    numbers = content.told(join.of("translate-zh-en"), "en")
    assert [numbers[name] for name in ("d", "wide", "last", "first")] == ["24", "96", "24", "25"]


def test_the_sentence_about_real_heads_is_on_no_other_page() -> None:
    shown = set(catalogue("en").values())  # the first sentence of Home and of Heads among them
    for step in lessons()[4].steps[:4]:
        assert not {step.show["text"], step.show.get("text2")} & shown, step.id


@pytest.mark.parametrize("id", [id for id, step in STEPS.items() if step.show.get("tab") == "heads"])
def test_among_all_heads_the_cell_that_is_picked_is_one_that_is_claimed(id: str) -> None:
    link = STEPS[id].link("then", "en")
    picked = picked_in(link)
    assert picked.at is not None
    name, _, head = picked.at.step.partition(".")
    place = f"{picked.site}.{f'h{int(head) - 1}.' if head else ''}{name}"
    at = picked.at.feature if name in ("context", "concat") else picked.at.key
    assert (place, picked.at.row, at) in [(claim.at, claim.row, claim.key) for claim in STEPS[id].claims]


@each({id: step for id, step in STEPS.items() if step.link("then", "en").get("matrix") in content.OF_VOCABULARY})
def test_of_the_vocabulary_the_word_that_is_picked_is_one_that_is_claimed(step: Step) -> None:
    for shown in ("then", "what_if"):
        link = step.link(shown, "en")
        picked = picked_in(link)
        source = runs.source(Question(link["model"], link["text"]), picked.tab)
        trace = runs.changed(source, picked.switches)
        beside = None if trace is source.untouched else source.untouched
        made = chain(trace, picked.tab, picked.site, beside=beside, sampling=picked.sampling)
        at = picked.at
        assert at is not None
        word = made.matrices[f"decoder.{at.step}"].columns.label(at.feature)
        assert (at.row, word) in [(claim.row, claim.word) for claim in step.claims if claim.text in ("", link["text"])]


@each_step
def test_what_is_said_of_one_cell_of_the_cache_is_the_cell_that_is_picked(step: Step) -> None:
    """The keys in the cache are rotated ones."""
    for shown, name in (("", "was"), ("then", "is")):
        claims = [claim for claim in step.claims if claim.name == name and claim.at.endswith(".k")]
        for claim in claims:
            link = step.link(shown, "en")
            picked = picked_in(link)
            made = chain(
                runs.source(Question(link["model"], link["text"]), picked.tab).untouched, picked.tab, picked.site
            )
            assert picked.at is not None
            step_of_link = next(one for one in made.steps if one.name == picked.at.step)
            assert (step_of_link.key.partition(".h")[2].partition(".")[2], picked.at.row) == ("k", claim.row)


def heads_shown(link: dict[str, str]) -> set[str]:
    """The heads of a picture, and those that are silenced in it, each as a claim names it: "encoder.1.self.h5"."""
    if "hand" in link:
        return set()
    layer, head = int(link["layer"]) - 1, int(link["head"]) - 1
    if "matrix" not in link:  # of a training, of Heads and of Compare
        return {f"{'decoder' if 'update' in link else 'encoder'}.{layer}.self.h{head}"}
    picked = picked_in(link)
    if picked.tab == "heads":  # all heads of a layer
        return {f"{picked.site}.h{head}" for head in range(8)}
    crosses = picked.tab == "decoder" and link["matrix"].endswith(".2")
    site = picked.site.replace("self", "cross") if crosses else picked.site
    return {f"{place}.h{head}" for place, head in ((site, picked.head), *picked.switches.silenced)}


@each_step
def test_every_head_that_a_step_speaks_of_is_shown_in_it(step: Step) -> None:
    first, *others = (heads_shown(step.link(shown, "en")) for shown in ("", "then", "what_if"))
    claimed = [found[1] for claim in step.claims if (found := re.match(r"(.*\.h\d+)\.", claim.at))]
    assert set(claimed) <= first.union(*others)
    if step.show.get("tab") == "decoder" and claimed:
        assert claimed[0] in first  # said before the prediction


OF_ONE_HEAD = [
    pytest.param(step, shown, id=f"{id} {shown}")
    for id, step in STEPS.items()
    if step.page == "step"
    for shown in ("then", "what_if")
    if picked_in(step.link(shown, "en")).switches.heads
]


def pencil(scores: list[float], own: ScoreSwitches, row: int, d_k: int) -> list[float]:
    """The weights of a row of printed scores with a change, as a pupil works them out: in plain Python."""
    root = 1.0 if own.scaling else round(math.sqrt(d_k), 2)
    left = [x * root / own.temperature for x in scores]
    allowed = [at != own.hidden and (own.causal is not True or at <= row) for at in range(len(left))]
    highest = max(x for x, can in zip(left, allowed, strict=True) if can)
    powers = [math.exp(x - highest) if can else 0.0 for x, can in zip(left, allowed, strict=True)]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize(("step", "shown"), OF_ONE_HEAD)
def test_a_pencil_gets_from_the_printed_scores_what_a_what_if_of_one_head_is_said_to_show(step, shown):
    """The picture, the words and the answer sheet have the number of the claim; the worksheet prints the scores."""
    change = step.link(shown, "en")["if"]
    ((site, head, own),) = picked_in({"if": change}).switches.heads
    found = 0
    for claim in step.claims:
        if claim.change != change or (claim.most and not claim.says):
            continue
        place, row = f"{site}.h{head}", claim.row or 0
        assert claim.at == f"{place}.weights"  # of this head, and no other
        printed_row = [
            float(content.printed(x).replace("−", "-").replace("∞", "inf"))
            for x in matrix(Claim(name="", at=f"{place}.scores"), step).values[row].tolist()
        ]
        d_k = matrix(Claim(name="", at=f"{place}.q"), step).values.shape[1]
        by_hand = pencil(printed_row, own, row, d_k)[claim.key]
        assert content.printed(by_hand, claim.digits) == content.printed(number(claim, step), claim.digits)
        found += 1
    assert found


def test_what_a_what_if_shows_is_in_no_text_that_is_read_before_it_is_pressed():
    """A claim about the run with the change, or about its text or sheet, fills what is said afterwards alone."""
    for id, step in STEPS.items():
        before, after = (
            [(name, link.get(name)) for name in ("if", "numbers", "text")]
            for link in (step.link("then", "en"), step.link("what_if", "en"))
        )
        changes = {said for name, said in after if said and (name, said) not in before}
        new = [claim for claim in step.claims if {claim.change, claim.text} & changes]
        for words in step.words.values():
            read = (words.title, words.say, words.ask, *words.options, words.see, words.believe)
            for claim in new:
                assert not any(f"{{{claim.name}}}" in text for text in read), (id, claim.name)


def test_no_number_of_an_answer_stands_in_the_question():
    """What the picture shows once it was predicted is said by `see` and later; options may name it, one of several."""
    for id, step in STEPS.items():
        new = [claim for claim in step.claims if claim.change and claim.change == step.link("then", "en").get("if")]
        new += [claim for claim in step.claims if claim.at.startswith("hand.") and claim.text]
        for words in step.words.values():
            for claim in new:
                assert not any(f"{{{claim.name}}}" in text for text in (words.title, words.say, words.ask)), (
                    id,
                    claim.name,
                )


def test_what_is_said_of_a_sheet_by_hand_are_its_numbers():
    """The same as tests/js/byhand.test.mjs has of the view's own arithmetic."""
    assert content.told(lessons()[0].steps[0], "en") == {
        "was": "0", "k1": "2", "k2": "2", "score": "4", "divided": "2.84", "weight": "0.68", "out": "5.20", "same": "4",
        "less": "0.18",
    }  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@each_step
def test_the_press_for_a_what_if_says_what_it_does_and_not_what_comes_of_it(step: Step, language: str) -> None:
    pressed = what_if(step, language, strings(language))
    named = pressed.removeprefix(strings(language)("lessons-what-if", what=""))
    assert named and named != pressed
    before, after = (step.link(shown, language) for shown in ("then", "what_if"))
    if after.get("text") != before.get("text"):
        assert after["text"] in named
    outcomes = [claim for claim in step.claims if claim.change and claim.change == after.get("if")]
    told_of = content.told(step, language)
    assert not any(told_of[claim.name] in named for claim in outcomes)


ROUNDED_LAST = {"en": "added before they are rounded", "zh-CN": "先相加，再四舍五入", "zh-TW": "先相加，再四捨五入"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_sum_whose_parts_are_printed_it_is_said_when_it_was_rounded(language: str) -> None:
    told = {}
    for name, step in STEPS.items():
        sums = [claim.name for claim in step.claims if claim.at.endswith(".kept.together")]
        words = step.words[language]
        for text in (words.say, words.see):
            told |= {(name, it): ROUNDED_LAST[language] in text for it in sums if f"{{{it}}}" in text}
    assert told and all(told.values()), told


def test_no_step_excuses_its_numbers():
    """A what-if of one head leaves nothing to be excused: no layer before it changed."""
    for step in lessons()[0].steps + lessons()[1].steps:
        assert not re.search(r"layer 1 too|in every layer|not quite", step.words["en"].refute + step.words["en"].see)


@pytest.mark.parametrize("step", [step for id, step in STEPS.items() if id.startswith("values ")])
def test_the_products_that_make_up_a_context_are_as_large_in_turn_as_the_weights_that_are_asked_about(step) -> None:
    name, row, number = (step.then[it] for it in ("matrix", "token", "feature"))
    place = step.claims[0].at.rpartition(".")[0]
    weights, value = (
        matrix(Claim(name="", at=f"{place}.{it}"), step).values for it in ("weights", "v")
    )  # [queries, keys], [keys, d_v]
    products = weights[int(row) - 1] * value[:, int(number) - 1]  # [keys], the terms of the sum in the strip
    assert name == "context" and str(int(products.argmax())) == right(step) and float(products.min()) >= 0


if __name__ == "__main__":
    PAPER.write_text("\n".join(text for _, text in sections(strings("en"))), encoding="utf-8")


def test_what_a_step_says_is_computed_once_for_a_class_that_comes_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    step = next(step for step in lessons()[0].steps if step.claims).to("en")
    made, everybody = list[int](), threading.Barrier(4)
    monkeypatch.setattr(content, "_sayings", BoundedCache(1, lambda said: 1))
    monkeypatch.setattr(content, "_told", lambda *asked: {"n": str(made.append(1) or time.sleep(0.1) or len(made))})

    def ask(_: int) -> dict[str, str]:
        everybody.wait()
        return content.told(step, "en")

    with ThreadPoolExecutor(4) as class_:
        assert list(class_.map(ask, range(4))) == [{"n": "1"}] * 4
