"""Every message in every language: complete, used, written with the glossary's words and each region's own."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import ast

from attnviz.text import LANGUAGES, strings
from attnviz.views.html import bundle
from tests.contract import catalogues, chinese, message_use
from tests.contract.catalogues import ROOT, catalogue, glossary
from tests.contract.chinese import faults

CHINESE = LANGUAGES[1:]
# Data rather than words: the sentences of the examples, which the English model reads, and the product's name; and a
# term that teachers there say in English.
SAME_IN_ALL = re.compile(
    r"example-(?!chinese-).+-(text|other)|shell-brand|view-kit-key-(home|end|page-up|page-down)|stepper-matrix-logits"
    r"|stepping-draw-[kp]"
)
TO_PUPILS = re.compile(r"view-room-pointed|lessons-.*|view-test-(?!teacher).*|error-no-ticket|error-room-said")
NO_TERMS = re.compile(r"example-.+-(text|other)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_no_faults_of_syntax_and_no_message_twice(language: str) -> None:
    entries = catalogues.read(language)
    # an attribute is what code is told of an error, in English alone
    attributes = [(entry, a.id.name) for entry in entries for a in getattr(entry, "attributes", [])]
    of_errors = [entry for entry, name in attributes if entry.id.name.startswith("error-") and name == "code"]
    odd = [entry for entry in entries if isinstance(entry, ast.Junk)]
    odd += [entry for entry, _ in attributes if language != "en" or entry not in of_errors]
    ids = Counter(entry.id.name for entry in entries if isinstance(entry, ast.Message))
    assert odd == [] and [id for id, n in ids.items() if n > 1] == []


@pytest.mark.parametrize("language", CHINESE)
def test_each_language_has_the_same_messages_in_order_with_the_same_arguments(language: str) -> None:
    theirs, english = ([(id, it.variables(id)) for id in it] for it in (strings(language), strings("en")))
    assert theirs == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_of_views_do_not_choose_because_the_browser_fills_them(language: str) -> None:
    words, messages = strings(language), catalogue(language)
    assert [id for id in words if id.startswith("view-") and messages[id] != words.template(id)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_can_be_formatted(language: str) -> None:
    words = strings(language)
    for id in words:
        for number in (0, 1, 2, 1234):
            assert words(id, **dict.fromkeys(words.variables(id), number))
        assert words.template(id)


@pytest.mark.parametrize("language", CHINESE)
def test_a_message_is_translated_or_is_data(language: str) -> None:
    for id, english in catalogue("en").items():
        same = catalogue(language)[id] == english
        has_words = re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", english)) is not None
        assert (id, same) == (id, bool(SAME_IN_ALL.fullmatch(id)) if has_words else same)


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_do_not_shout(language: str) -> None:
    loud = re.compile(r"[!！]|\bsimply\b|\bjust\b|\beasily\b", re.I)
    assert [id for id, text in catalogue(language).items() if loud.search(text)] == []


def test_every_message_the_code_asks_for_exists() -> None:
    english = catalogue("en")
    asked = message_use.whole_use().asked(english)
    assert [pattern for pattern in sorted(asked) if not any(re.fullmatch(pattern, id) for id in english)] == []


def test_every_message_is_used() -> None:
    use = message_use.whole_use()
    raised = {id for error in all_raised() for id in messages_of(error)}
    assert [id for id in catalogue("en") if id not in raised and not use.uses(id)] == []


def test_every_error_with_an_id_has_a_message_that_its_arguments_fill() -> None:
    raised = all_raised()
    assert [f"{e.where} error-{e.id}" for e in raised if not messages_of(e)] == []
    by_name = {f"error-{error.id}" for error in raised}
    lacking = {
        f"{error.where} {id}": {*strings("en").variables(id), *strings("en").variables(id, in_code=True)}
        - error.arguments
        for error in raised
        for id in messages_of(error)
        # f"settings-{kind}" also fits settings-path, which another line raises by its whole name
        if error.arguments is not None and (id == f"error-{error.id}" or id not in by_name)
    }
    assert {where: missing for where, missing in lacking.items() if missing} == {}


def test_the_english_of_an_error_with_an_id_stands_in_the_catalogue_alone() -> None:
    assert [error.where for error in all_raised() if error.has_sentence] == []


@pytest.mark.parametrize("view", ["heads", "stepper", "compare", "training", "panel"])
def test_the_messages_that_a_view_asks_for_travel_with_it(view: str) -> None:
    asked = set(re.findall(r"'(view-[a-z-]+[a-z])'", bundle(view)))  # by its modules, and those they import
    assert len(asked) > 20
    assert asked - strings("en").view(view).keys() == set()


@cache
def messages_of(error: message_use.Raised) -> list[str]:
    pattern = re.compile(f"error-{error.id}")
    return [id for id in catalogue("en") if pattern.fullmatch(id)]


@cache
def all_raised() -> list[message_use.Raised]:
    files = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in message_use.sources(".py")}
    return message_use.raised_errors(files)


def test_the_readers_of_code_see_ids_patterns_and_errors() -> None:
    python = message_use.python_use(
        'words("home-title"); words("home-tilte"); box.get("home-title"); box.get("a-b")\n'
        'f"example-{x}-text"; f"no{x}"; "token-" + x; ["cat", "id"]'
    )
    assert python.asked(["home-title"]) == {"home-title", "home-tilte"}
    assert python.uses("example-cat-text") and not python.uses("example-cat")
    assert python.uses("token-id") and not python.uses("token-bytes")
    script = message_use.script_use(
        "t('view-heads-a'); t('view-heads-b'); ['close'].map((name) => `view-kit-${name}`); // t('view-heads-c')"
    )
    assert script.asked(["view-heads-a"]) == {"view-heads-a", "view-heads-b"}
    assert script.uses("view-kit-close") and not script.uses("view-heads-c")
    source = (
        'class Odd(AttnvizError): ...\nclass Odder(Odd): ...\nraise Odder("x", id="odd", n=1)\n'
        'Card(id="minilm")\nOdd(id=f"bad-{x}", **more)'
    )
    error, other = message_use.raised_errors({Path("a.py"): source})
    assert (error.where, error.id, error.arguments) == ("a.py:3", "odd", frozenset({"n"}))
    assert error.has_sentence and not other.has_sentence
    assert (other.id, other.arguments) == ("bad-[a-z0-9-]+", None)


@pytest.mark.parametrize("language", CHINESE)
def test_chinese_is_written_as_the_region_writes_it(language: str) -> None:
    found = {}
    for id, text in catalogue(language).items():
        is_data = SAME_IN_ALL.fullmatch(id) is not None  # a sentence that is not Chinese
        if not is_data and (wrong := faults(text, language, to_pupils=TO_PUPILS.fullmatch(id) is not None)):
            found[id] = wrong
    assert found == {}


@pytest.mark.parametrize(("text", "language", "fault"), [
    ("加載模型", "zh-CN", "載 is not a simplified character"),
    ("加载模型", "zh-TW", "载 is not a traditional character"),
    ("体重", "zh-TW", "体 is not a traditional character"),
    ("加載模型", "zh-TW", "加載 is not said in zh-TW: 載入"),
    ("请点选", "zh-CN", "点选 is not said in zh-CN: 点击"),
    ("第 2 列", "zh-CN", None),
    ("模型,权重", "zh-CN", "half-width , beside Han"),
    ("权重(大)", "zh-CN", "half-width ( beside Han"),
    ("权重0.5", "zh-CN", "no space between Han and 0"),
    ("{n}个词元", "zh-CN", "no space between } and Han"),
    ("看 “it” 吧", "zh-CN", "a space beside full-width “"),
    ("說「it」", "zh-CN", "說 is not a simplified character"),
    ("说「it」", "zh-CN", "「 is not zh-CN's quotation mark"),
    ("說“it”", "zh-TW", "“ is not zh-TW's quotation mark"),
    ("你好", "zh-TW", "你 where the catalogues say 您"),
    ("等一下…", "zh-CN", "one … where Chinese has two"),
])  # fmt: skip
def test_the_checker_of_chinese_can_fail(text: str, language: str, fault: str | None) -> None:
    assert fault is None or fault in faults(text, language)
    assert fault is not None or faults(text, language) == []


@pytest.mark.parametrize("language", CHINESE)
def test_chinese_uses_the_terms_of_the_glossary(language: str) -> None:
    found = {
        id: wrong
        for id, english in catalogue("en").items()
        if not NO_TERMS.fullmatch(id)
        and (wrong := catalogues.term_faults(english, catalogue(language)[id], language, glossary()))
    }
    assert found == {}


@pytest.mark.parametrize("language", CHINESE)
def test_the_words_of_each_region_are_written_in_its_characters(language: str) -> None:
    forms = [form for pair in chinese.foreign(language).items() for form in pair]
    assert [(form, fault) for form in forms for fault in faults(form, language) if "character" in fault] == []


def test_the_glossary_is_complete_and_written_as_each_region_writes() -> None:
    assert len(glossary()) > 50
    assert len({term.english for term in glossary()}) == len(glossary())
    said = [(word, language) for term in glossary() for language, words in term.chinese.items() for word in words]
    assert {word: wrong for word, language in said if (wrong := faults(word, language))} == {}


def test_the_check_of_terms_can_fail_and_takes_the_longest_term_first() -> None:
    terms = glossary()
    check = catalogues.term_faults
    assert check("Two heads", "两个头", "zh-CN", terms) == []
    assert check("Two heads", "两颗脑袋", "zh-CN", terms) == ["“head” is 头 in the glossary"]
    assert check("{ rows } of 3 rows", "3 行", "zh-TW", terms) == ["“row” is 列 in the glossary"]
    assert check("A causal mask", "因果掩码", "zh-CN", terms) == []
    assert check("the word “head”", "词 “head”", "zh-CN", terms) == []
    assert check("Overhead", "开销", "zh-CN", terms) == []
