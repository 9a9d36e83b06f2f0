"""The grammar says every sentence twice and rightly: order, particles, measure words, agreement, and true links."""

import re
from collections import defaultdict
from functools import cache
from itertools import product
from random import Random

import pytest

from attnviz.training.tasks import TASKS, translation
from attnviz.training.tasks.grammar.lexicon import NOUNS, TRADITIONAL
from attnviz.training.tasks.grammar.nouns import counted_forms
from attnviz.training.tasks.grammar.patterns import Pattern, patterns
from attnviz.training.tasks.grammar.phrases import arranged
from attnviz.training.tasks.grammar.recognition import recognised
from attnviz.training.tasks.grammar.sentences import Sentence
from attnviz.training.tasks.task import Example, Link

ENGLISH, CHINESE = TASKS["translate-en-zh"].source, TASKS["translate-en-zh"].target
SMALL = 6000  # patterns of at most so many sentences are walked whole
EACH = 40  # sentences of each pattern that these tests look at


@cache
def said() -> tuple[tuple[Pattern, Sentence], ...]:
    random = Random("tests of the grammar")
    return tuple((pattern, pattern.draw(random)) for pattern in patterns() for _ in range(EACH))


def of(name: str) -> list[Sentence]:
    return [sentence for pattern, sentence in said() if pattern.name == name]


@pytest.mark.parametrize("pattern", [p for p in patterns() if p.count <= SMALL], ids=lambda pattern: pattern.name)
def test_the_count_of_a_pattern_is_the_number_of_different_sentences_it_says(pattern: Pattern) -> None:
    whole = [pattern.say(*picked).phrase for picked in product(*pattern.choices)]
    assert len(whole) == pattern.count
    assert len({phrase.english for phrase in whole}) == pattern.count
    assert len({phrase.chinese for phrase in whole}) == pattern.count


def test_the_lists_of_words_are_all_words_of_the_grammar_in_order() -> None:
    """Says every choice of every pattern twice, the second time beside other choices, and some sentences at random."""
    phrases = [sentence.phrase for _, sentence in said()]
    for pattern in patterns():
        options = [tuple(choice) for choice in pattern.choices]
        for turn, at in product(range(2), range(max(map(len, options)))):
            picked = (own[(at + turn * place) % len(own)] for place, own in enumerate(options))
            phrases.append(pattern.say(*picked).phrase)
    assert ENGLISH.words == tuple(sorted({word for phrase in phrases for word in phrase.english}))
    assert CHINESE.words == tuple(sorted({word for phrase in phrases for word in phrase.chinese}))


@pytest.mark.parametrize(("english", "simplified", "traditional"), [
    ("Is the cat under the table?", "猫在桌子下面吗？", "貓在桌子下面嗎？"),
    ("There are two rabbits in the box.", "箱子里有两只兔子。", "箱子裡有兩隻兔子。"),
    ("There are three dictionaries on the chair.", "椅子上有三本词典。", "椅子上有三本字典。"),
    ("Where is my key?", "我的钥匙在哪里？", "我的鑰匙在哪裡？"),
    ("Please do not open the window.", "请不要打开窗户。", "請不要打開窗戶。"),
    ("This car is more expensive than that car.", "这辆汽车比那辆汽车贵。", "這輛汽車比那輛汽車貴。"),
    ("My father is taller than me.", "我爸爸比我高。", "我爸爸比我高。"),
    ("The weather is very cold.", "天气很冷。", "天氣很冷。"),
    ("We are teachers.", "我们是老师。", "我們是老師。"),
    ("Are you a teacher?", "你是老师吗？", "你是老師嗎？"),
    ("My mother is a doctor.", "我妈妈是医生。", "我媽媽是醫生。"),
    ("Tom is not an engineer.", "汤姆不是工程师。", "湯姆不是工程師。"),
    ("Can she speak Chinese?", "她会说中文吗？", "她會說中文嗎？"),
    ("My younger sister cannot swim.", "我妹妹不会游泳。", "我妹妹不會游泳。"),
    ("Who borrowed this bicycle yesterday evening?", "昨天晚上谁借了这辆自行车？", "昨天晚上誰借了這輛腳踏車？"),
])  # fmt: skip
def test_the_grammar_says_what_a_teacher_would(english: str, simplified: str, traditional: str) -> None:
    found = recognised(tuple(piece.word for piece in ENGLISH.pieces(english)), is_english=True)
    assert found is not None
    phrase = found[1].phrase
    assert ENGLISH.text(phrase.english) == english
    assert (CHINESE.text(phrase.chinese), CHINESE.text(phrase.chinese, "zh-TW")) == (simplified, traditional)


def test_each_counted_noun_has_its_own_measure_word_before_it() -> None:
    for noun in NOUNS.values():
        for form in counted_forms(noun) if noun.is_counted else ():
            chinese = form.chinese
            if chinese[0] in ("一些", "很多"):
                assert noun.measure not in chinese
            else:
                assert chinese[1] == noun.measure


def test_没_denies_what_happened_and_never_stands_with_了() -> None:
    for sentence in of("past, not"):
        assert "没" in sentence.phrase.chinese and "了" not in sentence.phrase.chinese
    for name in ("future, not", "is so", "likes", "is a", "can"):
        assert all("没" not in sentence.phrase.chinese for sentence in of(name))


def test_questions_end_in_吗_unless_another_word_asks() -> None:
    for _, sentence in said():
        words = sentence.phrase.chinese
        asks = {"谁", "什么", "哪里", "呢"} & set(words)
        assert (words[-1] == "？") == (sentence.phrase.english[-1] == "?")
        assert ("吗" in words) == (words[-1] == "？" and not asks)


def test_time_and_place_stand_last_in_english_and_before_the_verb_in_chinese() -> None:
    for sentence in of("past"):
        words = sentence.phrase.chinese
        time = next(at for at, word in enumerate(words) if word in ("昨天", "上个"))
        assert time < words.index("了")
        assert "在" not in words or time < words.index("在") < words.index("了")
        assert sentence.phrase.english[-2] in ("yesterday", "morning", "afternoon", "evening", "week", "month")


def test_the_clauses_of_because_change_places() -> None:
    for name in ("because", "because, not"):
        for sentence in of(name):
            english, chinese = sentence.phrase.english, sentence.phrase.chinese
            assert chinese[0] == "因为" and "所以" in chinese and english[0] != "because"
            before = english.index("because")
            half = chinese.index("所以")
            moved = [(e < before, c > half) for e, c, sure in sentence.phrase.links if sure and english[e] != "because"]
            assert all(in_english == in_chinese for in_english, in_chinese in moved)


def test_english_verbs_agree_and_articles_fit_the_next_sound() -> None:
    for _, sentence in said():
        words = sentence.phrase.english
        for at, word in enumerate(words[:-1]):
            if word in ("a", "an"):
                assert (word == "an") == (words[at + 1][0] in "aeiouAEIOU"), words
    for sentence in of("likes"):
        words = sentence.phrase.english
        if words[-1] == "." and "not" not in words:
            plural = {"I", "you", "we", "they", "students", "teachers", "children"}
            is_third = not plural & set(words[: words.index("like" if "like" in words else "likes")])
            assert ("likes" in words) == is_third


def test_links_point_at_words_and_a_word_that_means_something_has_a_sure_one() -> None:
    nothing = set(
        re.findall(r"\S+", ". ? , the a an to of did do does is are am was were not 。 ？ ， 了 吗 的 所以 在 天 会")
    )
    nothing |= {noun.measure.split("/")[-1] for noun in NOUNS.values()}
    nothing |= {"older", "younger", "more", "what", "there", "for", "listen", "it"}
    for _, sentence in said():
        english, chinese, links = sentence.phrase.english, sentence.phrase.chinese, sentence.phrase.links
        assert all(0 <= e < len(english) and 0 <= c < len(chinese) for e, c, _ in links)
        linked_english = {e for e, _, sure in links if sure}
        linked_chinese = {c for _, c, sure in links if sure}
        assert {w for e, w in enumerate(english) if e not in linked_english} <= nothing, (english, chinese)
        assert {w for c, w in enumerate(chinese) if c not in linked_chinese} <= nothing, (english, chinese)


def test_a_word_is_linked_to_the_same_words_in_every_sentence() -> None:
    partners = defaultdict(set)
    for _, sentence in said():
        for e, c, sure in sentence.phrase.links:
            if sure:
                partners[sentence.phrase.chinese[c]].add(sentence.phrase.english[e].lower())
    assert partners["苹果"] == {"apple", "apples"}
    assert partners["两"] == {"two"} and partners["因为"] == {"because"} and partners["昨天"] == {"yesterday"}
    assert {"eat", "ate"} <= partners["吃"] <= {"eat", "eats", "ate", "eating"}


def test_links_follow_words_that_change_places() -> None:
    phrase = arranged("S V T", "T S V", S=arranged("my=m cat=c", "我=m 的~m 猫=c"), V=arranged("sleeps=s", "睡=s"),
                      T=arranged("today=t", "今天=t"))  # fmt: skip
    assert phrase.english == ("my", "cat", "sleeps", "today") and phrase.chinese == ("今天", "我", "的", "猫", "睡")
    assert phrase.links == ((0, 1, True), (0, 2, False), (1, 3, True), (2, 4, True), (3, 0, True))


def test_no_sentence_is_in_two_splits_and_both_directions_split_alike() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for pattern, sentence in said():
        there = translation.example_of(sentence, pattern.name, is_from_english=True)
        back = translation.example_of(sentence, pattern.name, is_from_english=False)
        assert translation.split_of(there) == translation.split_of(back)
        assert seen.setdefault(there.source, translation.split_of(there)) == translation.split_of(there)


def test_the_last_mark_of_the_source_may_be_missing_and_then_no_link_points_at_it() -> None:
    links = Link(0, 0), Link(1, 1)
    example = Example(("she", "sings", "."), ("她", "唱歌", "。"), (*links, Link(2, 2)))
    assert translation.without_mark(example) == Example(("she", "sings"), ("她", "唱歌", "。"), links)


@pytest.mark.parametrize("script", ["", "zh-TW"])
def test_a_sentence_written_out_is_read_back_as_the_same_words(script: str) -> None:
    for _, sentence in said():
        for tokenizer, words in ((ENGLISH, sentence.phrase.english), (CHINESE, sentence.phrase.chinese)):
            assert tuple(piece.word for piece in tokenizer.pieces(tokenizer.text(words, script))) == words


def test_no_two_words_share_a_traditional_spelling() -> None:
    spelled = [TRADITIONAL.get(word, word) for word in CHINESE.words]
    assert len(spelled) == len(set(spelled))
