"""The loader of the catalogues: which language, which words, and that no argument can change the sentence around it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from attnviz.core.errors import AttnvizError, UnknownModel
from attnviz.text import LANGUAGES, Strings, figure, negotiate, strings

SMALL = """
greeting = Hello { $name }.
to-all = “{ greeting }”, to { count }
count =
    { $n ->
        [one] { $n } head
       *[other] { $n } heads
    }
size = within { $difference }
view-toy-b = { $token } looks at { $list }
view-toy-a = Keys
view-kit-close = Close
error-too-long = { $n } tokens; at most { $limit }.
hint =
    .title = only an attribute
view-letters-c = a token { $n }
    .characters = a character
"""


@pytest.fixture
def small() -> Strings:
    return Strings("en", SMALL)


@pytest.mark.parametrize(("locale", "language"), [
    ("en", "en"), ("en-GB", "en"), ("fr", "en"), ("", "en"), (None, "en"), ("zhuang", "en"), ("tw", "en"),
    ("zh", "zh-CN"), ("zh-CN", "zh-CN"), ("zh_CN.UTF-8", "zh-CN"), ("zh-SG", "zh-CN"), ("zh-Hans-HK", "zh-CN"),
    ("zh-TW", "zh-TW"), ("ZH-tw", "zh-TW"), ("zh-HK", "zh-TW"), ("zh-MO", "zh-TW"), ("zh-Hant", "zh-TW"),
    ("zh-Hant-CN", "zh-TW"), (" zh_TW ", "zh-TW"),
])  # fmt: skip
def test_a_locale_finds_the_language_its_reader_reads(locale: str | None, language: str) -> None:
    assert negotiate(locale) == language


def test_a_catalogue_is_read_once_and_shared_by_threads() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len(set(map(id, pool.map(strings, ["zh-TW"] * 8)))) == 1


@pytest.mark.parametrize(("ask", "sentence"), [
    (lambda small: strings("de"), "'de' is not one of en, zh-CN, zh-TW"),
    (lambda small: small("nothing"), "'nothing' is not in the en catalogue"),
    (lambda small: small.template("nothing"), "'nothing' is not in the en catalogue"),
    (lambda small: small("hint"), "'hint' has no text"),
    (lambda small: small("greeting"), "'greeting' in en needs name; got nothing"),
])  # fmt: skip
def test_what_is_missing_names_itself_and_the_language(small: Strings, ask, sentence: str) -> None:
    with pytest.raises(KeyError, match=sentence):
        ask(small)


def test_a_message_that_holds_others_reads_them_with_it(small: Strings) -> None:
    assert small("to-all", name="Ada", n=2) == "“Hello Ada.”, to 2 heads"


def test_messages_are_read_as_they_are_asked_for_by_many_at_once(small: Strings) -> None:
    with ThreadPoolExecutor(8) as pool:
        said = pool.map(lambda n: small("to-all", name=str(n), n=n), range(200))
    assert list(said) == [f"“Hello {n}.”, to {n} head{'s' * (n != 1)}" for n in range(200)]


def test_counts_choose_the_plural(small: Strings) -> None:
    assert [small("count", n=n) for n in (0, 1, 2)] == ["0 heads", "1 head", "2 heads"]
    assert strings("en")("unknown-tokens", unknown=1, total=13, read="[UNK]").startswith("1 of 13 tokens is unknown")
    assert strings("en")("unknown-tokens", unknown=9, total=13, read="[UNK]").startswith("9 of 13 tokens are unknown")
    assert strings("zh-CN")("unknown-tokens", unknown=9, total=13, read="[UNK]").startswith("13 个词元中有 9 个")


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_alike_in_every_language(language: str) -> None:
    words = Strings(language, "n = { $n }")  # type: ignore[arg-type]
    assert words("n", n=10_000) == "10,000"
    assert words("n", n=4.23e-7) == "4.2×10⁻⁷"
    assert words("n", n=-3) == "−3"
    assert words("n", n=0.5) == "0.5"


def test_figures_read_as_in_a_book() -> None:
    written = [
        figure(x)
        for x in (0.0, 1e-3, 0.00099, -0.25, 12.34, 999.7, 99_999.0, 1e5, -2.5e-12, float("-inf"), float("nan"))
    ]
    assert written == ["0", "0.001", "9.9×10⁻⁴", "−0.25", "12.3", "1000", "99999", "1.0×10⁵", "−2.5×10⁻¹²", "−∞", "–"]


@pytest.mark.parametrize(
    "name", ["Ada 2", "<script>alert(1)</script>", "{x}", "{ $name }", "{{", "**bold**", "\\n", "猫", "😀", "a\nb"]
)
def test_a_hostile_argument_stays_the_text_it_is(small: Strings, name: str) -> None:
    assert small("greeting", name=name) == f"Hello {name}."


@pytest.mark.parametrize("name", ["שלום", "مرحبا", "a\u202eb", "\u2069x", "\u2069\u2069x\u2067y", "\u2066\u2066"])
def test_text_that_turns_the_line_is_kept_whole_inside_an_isolate(small: Strings, name: str) -> None:
    sentence = small("greeting", name=name)
    assert name in sentence
    inside = sentence.removeprefix("Hello ").removesuffix(".")
    depth = 0
    for position, character in enumerate(inside):
        depth += (character in "\u2066\u2067\u2068") - (character == "\u2069")
        assert depth > 0 or position == len(inside) - 1  # nothing in the argument climbs out before the end
    assert depth == 0


def test_a_view_gets_its_own_and_the_shared_messages_as_templates(small: Strings) -> None:
    assert small.view("toy") == {
        "view-kit-close": "Close",
        "view-toy-a": "Keys",
        "view-toy-b": "{token} looks at {list}",
    }
    assert small.view("to") == {"view-kit-close": "Close"}


def test_a_message_says_what_a_models_tokens_are_where_it_can(small: Strings) -> None:
    other = small.of("characters")
    assert (small("view-letters-c", n=1), other("view-letters-c", n=1)) == ("a token 1", "a character")
    assert other("greeting", name="Mei") == small.of("")("greeting", name="Mei") == "Hello Mei."
    assert [say.view("letters")["view-letters-c"] for say in (small, other)] == ["a token {n}", "a character"]


def test_an_error_speaks_the_readers_language(small: Strings) -> None:
    assert small.error(AttnvizError(id="too-long", n=300, limit=256)) == "300 tokens; at most 256."


def test_an_error_without_a_translation_speaks_for_itself(small: Strings) -> None:
    error = AttnvizError(id="one-head", model="m")
    assert "error-one-head" not in small and small.error(error) == str(error)
    assert small.error(ValueError("As it is.")) == "As it is."


@pytest.mark.parametrize(("model", "english", "chinese"), [
    ("Reverse", "Reverse", "倒序"),
    ("English → Chinese, traditional", "English → Chinese, traditional", "英文 → 中文（繁体）"),
    ("Untrained encoder-decoder, seed 7", "Untrained encoder and decoder, seed 7", None),
    ("MiniLM-L6", "MiniLM-L6", "MiniLM-L6"),
    ("owner/Reverse", "owner/Reverse", "owner/Reverse"),
])  # fmt: skip
def test_a_models_own_name_is_said_in_the_readers_language(model: str, english: str, chinese: str | None) -> None:
    assert strings("en").named(model) == english
    said = strings("zh-CN")("notice-unknown-text", model=model)
    assert said.startswith(chinese or strings("zh-CN")("view-heads-untrained-encoder-decoder", seed="7"))


def test_a_name_that_was_typed_stays_as_it_was_typed() -> None:
    error = UnknownModel(id="unknown-model", name="Copy", names="copy, sort")
    assert "Copy" in strings("zh-CN").error(error)


def test_a_name_in_chinese_stands_without_blanks_between_chinese_and_one_in_letters_with_them() -> None:
    poet = strings("en")("view-training-task-poems-zh")
    say = strings("zh-CN")
    assert say("notice-wrote-end", model=poet) == "唐诗模型（简体）在这里结束了文本。"
    assert say.of("characters")("notice-wrote-end", model=poet) == "唐诗模型（简体）写到这里，这首诗写完了。"
    assert say("first-use-here", model=poet) == "模型唐诗模型（简体）已经下载到这台电脑上。"
    assert say("notice-wrote-end", model="SmolLM2-135M") == "SmolLM2-135M 在这里结束了文本。"
    assert strings("en")("notice-wrote-end", model=poet) == f"{poet} ended the text here."
