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
# What makes an error again that another process has raised by its id.
OF_ANOTHER_PROCESS = ["app/jobs/process.py", "attnviz/engine/messages.py"]


def said(language: str) -> dict[str, str]:
    """Every sentence: the messages, and what they say of characters."""
    return catalogue(language) | catalogues.forms(language)


def heard(language: str) -> dict[str, str]:
    """The same with a head's name where a variable stands for one in words, {…_head}."""
    head = catalogue(language)["view-kit-head"]
    return {id: re.sub(r"\{\w+_head\}", head, text) for id, text in said(language).items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_no_faults_of_syntax_and_no_message_twice(language: str) -> None:
    entries = catalogues.read(language)
    # an attribute is what code is told of an error, in English alone, or what is said of characters
    attributes = [(entry, a.id.name) for entry in entries for a in getattr(entry, "attributes", [])]
    odd = [entry for entry in entries if isinstance(entry, ast.Junk)]
    odd += [
        entry for entry, name in attributes
        if name != "characters" and (name, language, entry.id.name[:6]) != ("code", "en", "error-")
    ]  # fmt: skip
    ids = Counter(entry.id.name for entry in entries if isinstance(entry, ast.Message))
    assert odd == [] and [id for id, n in ids.items() if n > 1] == []
    assert list(ids) == list(strings(language))  # which are found without parsing


@pytest.mark.parametrize("language", CHINESE)
def test_each_language_has_the_same_messages_in_order_with_the_same_arguments(language: str) -> None:
    theirs, english = ([(id, it.variables(id)) for id in it] for it in (strings(language), strings("en")))
    assert theirs == english


def test_what_is_said_of_characters_is_said_in_every_language_of_what_its_message_is_told() -> None:
    told = {id: set(re.findall(r"\{(\w+)\}", text)) for id, text in catalogues.forms("en").items()}
    assert len(told) > 20 and {id.split(".")[1] for id in told} == {"characters"}
    for language in CHINESE:
        assert {id: set(re.findall(r"\{(\w+)\}", text)) for id, text in catalogues.forms(language).items()} == told
    assert {id for id, names in told.items() if names - set(strings("en").variables(id.split(".")[0]))} == set()


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
    for id, english in said("en").items():
        same = said(language)[id] == english
        has_words = re.search(r"[A-Za-z]{2}", re.sub(r"\{\w+\}", "", english)) is not None
        assert (id, same) == (id, bool(SAME_IN_ALL.fullmatch(id)) if has_words else same)


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_do_not_shout(language: str) -> None:
    loud = re.compile(r"[!！]|\bsimply\b|\bjust\b|\beasily\b", re.I)
    assert [id for id, text in said(language).items() if loud.search(text)] == []


def test_every_message_the_code_asks_for_exists() -> None:
    english = catalogue("en")
    asked = message_use.whole_use().asked(english)
    assert [pattern for pattern in sorted(asked) if not any(re.fullmatch(pattern, id) for id in english)] == []


def test_every_message_is_used() -> None:
    use = message_use.whole_use()
    raised = {f"error-{error.id}" for error in all_raised()}
    assert [id for id in catalogue("en") if id not in raised and not use.uses(id)] == []


def test_every_error_is_raised_by_an_id_that_stands_there() -> None:
    assert sorted(error.file for error in all_raised() if error.id is None) == OF_ANOTHER_PROCESS


def test_every_error_has_a_message_that_its_arguments_fill() -> None:
    raised, english = [error for error in all_raised() if error.id is not None], strings("en")
    assert [f"{e.where} error-{e.id}" for e in raised if f"error-{e.id}" not in english] == []
    lacking = {
        f"{error.where} {id}": {*english.variables(id), *english.variables(id, in_code=True)} - error.arguments
        for error in raised
        for id in [f"error-{error.id}"]
        if error.arguments is not None
    }
    assert {where: missing for where, missing in lacking.items() if missing} == {}


@pytest.mark.parametrize("view", ["heads", "stepper", "compare", "training", "panel"])
def test_the_messages_that_a_view_asks_for_travel_with_it(view: str) -> None:
    asked = set(re.findall(r"'(view-[a-z-]+[a-z])'", bundle(view)))  # by its modules, and those they import
    assert len(asked) > 20
    assert asked - strings("en").view(view).keys() == set()


@cache
def all_raised() -> list[message_use.Raised]:
    paths = message_use.sources(".py", folders=(*message_use.FOLDERS, "benchmarks", "scripts"))
    files = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in paths}
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


@pytest.mark.parametrize(("source", "ids"), [
    ('class Odd(AttnvizError): ...\nclass Odder(errors.Odd): ...\nraise Odder(id="odd", n=1)', ["odd"]),
    ('AttnvizError(id="odd" if odd else "even", **more)\nCard(id="minilm")', ["odd", "even"]),
    ('type(error)(id="odd")\nKINDS[name](id=told)', ["odd", None]),
    ('from attnviz.core.errors import AttnvizError as Wrong\nBad = Wrong\nBad("A sentence.")', [None]),
    ('errors.AttnvizError(sentence, id="odd")\nraise AttnvizError', [None, None]),
    ('AttnvizError(id=f"bad-{x}")\nAttnvizError(id="bad-" + x)\nAttnvizError()', [None, None, None]),
])  # fmt: skip
def test_the_reader_of_errors_sees_them_by_every_name(source: str, ids: list[str | None]) -> None:
    assert [error.id for error in message_use.raised_errors({Path("a.py"): source})] == ids


@pytest.mark.parametrize("language", CHINESE)
def test_chinese_is_written_as_the_region_writes_it(language: str) -> None:
    found = {}
    for id, text in heard(language).items():
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
    ("第 2 层，第 {head} 头", "zh-CN", "第 {head} 头 is said by no teacher: 第 N 个头"),
    ("第 2 層第 3 個頭", "zh-TW", None),
    ("模型,权重", "zh-CN", "half-width , beside Han"),
    ("权重(大)", "zh-CN", "half-width ( beside Han"),
    ("权重0.5", "zh-CN", "no space between Han and 0"),
    ("{n}个词元", "zh-CN", "no space between } and Han"),
    ("看 “it” 吧", "zh-CN", "a space beside full-width “"),
    ("說「it」", "zh-CN", "說 is not a simplified character"),
    ("说「it」", "zh-CN", "「 is not zh-CN's quotation mark"),
    ("說“it”", "zh-TW", "“ is not zh-TW's quotation mark"),
    ("头 {head} 移动了。", "zh-CN", "头 {head} 移动了。 is said by no teacher: 第 N 层第 N 个头"),
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
        for id, english in said("en").items()
        if not NO_TERMS.fullmatch(id)
        and (wrong := catalogues.term_faults(english, heard(language)[id], language, glossary()))
    }
    assert found == {}


@pytest.mark.parametrize(("language", "module"), [("zh-CN", "模块"), ("zh-TW", "模組")])
def test_a_block_of_a_transformer_is_no_module(language: str, module: str) -> None:
    english = catalogue("en")
    assert [id for id, text in catalogue(language).items() if module in text and "module" not in english[id]] == []


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
