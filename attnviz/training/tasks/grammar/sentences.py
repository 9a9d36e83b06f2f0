"""How each kind of sentence is said: a template in each language, with its word order, negation and particles.

Which words each kind can be made of is in patterns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attnviz.training.tasks.grammar import nouns
from attnviz.training.tasks.grammar.actions import Action
from attnviz.training.tasks.grammar.lexicon import Adjective, Noun
from attnviz.training.tasks.grammar.nouns import Subject
from attnviz.training.tasks.grammar.phrases import NOTHING, Phrase, arranged, word


@dataclass(frozen=True)
class Sentence:
    """A sentence in both languages, and the verb-object pair in it, if any."""

    phrase: Phrase
    pair: str = ""


def _action(english: str, chinese: str, form: str, does: Action, who: Subject | None, when: Phrase) -> Sentence:
    """Templates over S subject, V verb in this form, O object, P place, T time."""
    subject = NOTHING if who is None else who.phrase
    said = arranged(english, chinese, S=subject, V=does.said(form), O=does.object, P=does.place, T=when)
    return Sentence(said, does.pair)


def past(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "He bought two books at the market yesterday." 他昨天在市场买了两本书。"""
    return _action("S V O P T .", "S T P V 了~V O 。", does.verb.past, does, who, when)


def past_not(who: Subject, does: Action, when: Phrase) -> Sentence:
    """没 and no 了: "He did not read this book yesterday." 他昨天没读这本书。"""
    return _action("S did~n not=n V O P T .", "S T 没=n P V O 。", does.verb.base, does, who, when)


def past_asked(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "Did he wash this shirt yesterday?" 他昨天洗了这件衬衫吗？"""
    return _action("did S V O T ?", "S T V 了~V O 吗 ？", does.verb.base, does, who, when)


def habit(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "She drinks tea at home every day." 她每天在家喝茶。"""
    form = does.verb.third if who.person == "third" else does.verb.base
    return _action("S V O P T .", "S T P V O 。", form, does, who, when)


def where_habit(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "Where does she drink tea every day?" 她每天在哪里喝茶？"""
    english = f"where=w {who.does_form} S V O T ?"
    return _action(english, "S T 在~w 哪里=w V O ？", does.verb.base, does, who, when)


def future(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "They will sing in the park tomorrow." 他们明天会在公园唱歌。"""
    return _action("S will=w V O P T .", "S T 会=w P V O 。", does.verb.base, does, who, when)


def future_not(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "They will not use this map tomorrow." 他们明天不会用这张地图。"""
    return _action("S will=w not=n V O P T .", "S T 不=n 会=w P V O 。", does.verb.base, does, who, when)


def future_asked(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "Will you use this map tomorrow?" 你明天会用这张地图吗？"""
    return _action("will=w S V O T ?", "S T 会=w V O 吗 ？", does.verb.base, does, who, when)


def going_on(who: Subject, does: Action) -> Sentence:
    """ "She is reading a novel." 她正在读一本小说。"""
    return _action(f"S {who.is_form}=i V O .", "S 正在=i V O 。", does.verb.going, does, who, NOTHING)


def what(who: Subject, does: Action, when: Phrase) -> Sentence:
    """ "What did he buy at the market yesterday?" 他昨天在市场买了什么？"""
    said = _action("what=w did S V P T ?", "S T P V 了~V 什么=w ？", does.verb.base, does, who, when)
    return Sentence(said.phrase)  # the object is not said


def who_did(does: Action, when: Phrase) -> Sentence:
    """ "Who bought this map yesterday?" 昨天谁买了这张地图？"""
    return _action("who=w V O T ?", "T 谁=w V 了~V O ？", does.verb.past, does, None, when)


def wants(who: Subject, negation: bool, does: Action) -> Sentence:
    """ "I do not want to buy this coat." 我不想买这件大衣。"""
    want = "wants" if who.person == "third" and not negation else "want"
    no, 不 = (f"{who.does_form}~n not=n ", "不=n ") if negation else ("", "")
    return _action(f"S {no}{want}=w to V O .", f"S {不}想=w V O 。", does.verb.base, does, who, NOTHING)


def can(who: Subject, mood: str, does: Action) -> Sentence:
    """ "She can speak Chinese." 她会说中文。 "Can she …?" 吗, "she cannot …" 不会."""
    english = {"yes": "S can=c V O .", "no": "S cannot=c V O .", "asked": "can=c S V O ?"}[mood]
    chinese = {"yes": "S 会=c V O 。", "no": "S 不=c 会~c V O 。", "asked": "S 会=c V O 吗 ？"}[mood]
    return _action(english, chinese, does.verb.base, does, who, NOTHING)


def please(mood: str, does: Action) -> Sentence:
    """ "Please do not open the window." 请不要打开窗户。"""
    no, 不要 = ("do~n not=n ", "不要=n ") if mood == "no" else ("", "")
    return _action(f"please=p {no}V O .", f"请=p {不要}V O 。", does.verb.base, does, None, NOTHING)


def likes(who: Subject, mood: str, noun: Noun) -> Sentence:
    """ "He likes apples." 他喜欢苹果。 "Does he like …?" 吗, "he does not like …" 不."""
    like = "likes" if who.person == "third" and mood == "yes" else "like"
    english = {"yes": f"S {like}=l O .", "no": f"S {who.does_form}~n not=n like=l O .",
               "asked": f"{who.does_form} S like=l O ?"}[mood]  # fmt: skip
    chinese = {"yes": "S 喜欢=l O 。", "no": "S 不=n 喜欢=l O 。", "asked": "S 喜欢=l O 吗 ？"}[mood]
    return Sentence(arranged(english, chinese, S=who.phrase, O=nouns.bare(noun)), f"like {noun.english}")


def and_you(persons: tuple[Subject, Subject], noun: Noun) -> Sentence:
    """ "I like tea, what about you?" 我喜欢茶，你呢？"""
    who, other = persons
    like = "likes" if who.person == "third" else "like"
    said = arranged(f"S {like}=l O , what~n about=n A ?", "S 喜欢=l O ， A 呢=n ？",
                    S=who.phrase, O=nouns.bare(noun), A=other.as_object)  # fmt: skip
    return Sentence(said, f"like {noun.english}")


def is_a(who: Subject, mood: str, job: Noun) -> Sentence:
    """ "My mother is a doctor." 我妈妈是医生。"""
    a, be = "" if who.is_many else nouns.article(job.english), who.is_form
    noun = job.plural if who.is_many else job.english
    english = {"yes": f"S {be}=i {a} N .", "no": f"S {be}=i not=n {a} N .", "asked": f"{be}=i S {a} N ?"}[mood]
    chinese = {"yes": "S 是=i N 。", "no": "S 不=n 是=i N 。", "asked": "S 是=i N 吗 ？"}[mood]
    return Sentence(arranged(english, chinese, S=who.phrase, N=word(noun, job.chinese)))


def is_so(said_of: tuple[Subject, Adjective], mood: str) -> Sentence:
    """ "This room is very big." 这个房间很大。 "too" 太…了, "not" 不, a question 吗."""
    who, adjective = said_of
    be = who.is_form
    english = {"very": f"S {be} very=v A .", "too": f"S {be} too=v A .", "no": f"S {be}~n not=n A .",
               "asked": f"{be} S A ?"}[mood]  # fmt: skip
    chinese = {"very": "S 很=v A 。", "too": "S 太=v A 了~v 。", "no": "S 不=n A 。", "asked": "S A 吗 ？"}[mood]
    return Sentence(arranged(english, chinese, S=who.phrase, A=word(adjective.english, adjective.chinese)))


def than(compared: tuple[Subject, Adjective, Phrase]) -> Sentence:
    """ "My father is taller than me." 我爸爸比我高。"""
    who, adjective, other = compared
    degree = adjective.comparative or f"more {adjective.english}"
    said = arranged(f"S {who.is_form} A than=b O .", "S 比=b O A 。",
                    S=who.phrase, O=other, A=word(degree, adjective.chinese))  # fmt: skip
    return Sentence(said)


def is_there(noun: Noun, mood: str, spot: Phrase) -> Sentence:
    """ "The cat is under the table." 猫在桌子下面。"""
    english = {"yes": "the N is=i S .", "no": "the N is=i not=n S .", "asked": "is=i the N S ?"}[mood]
    chinese = {"yes": "N 在=i S 。", "no": "N 不=n 在=i S 。", "asked": "N 在=i S 吗 ？"}[mood]
    return Sentence(arranged(english, chinese, N=word(noun.english, noun.chinese), S=spot))


def there_is(noun: Noun, number: str, spot: Phrase) -> Sentence:
    """ "There are two cats under the table." 桌子下面有两只猫。"""
    thing = nouns.one(noun) if number == "a" else nouns.numbered(noun, number)
    be = "is" if number == "a" else "are"
    return Sentence(arranged(f"there~h {be}=h N S .", "S 有=h N 。", N=thing, S=spot))


def where_is(owned: tuple[Noun, Phrase]) -> Sentence:
    """ "Where is my key?" 我的钥匙在哪里？"""
    return Sentence(arranged("where=w is=i N ?", "N 在=i 哪里=w ？", N=owned[1]))


def has(who: Subject, mood: str, noun: Noun) -> Sentence:
    """ "I do not have a car." 我没有汽车。 "I have two cars." 我有两辆汽车。"""
    owns = "has" if who.person == "third" else "have"
    a, thing = nouns.article(noun.english), word(noun.english, noun.chinese)
    if mood in ("no", "asked"):
        english = {"no": f"S {who.does_form}~n not=n have=n {a} N .", "asked": f"{who.does_form} S have=h {a} N ?"}
        chinese = {"no": "S 没有=n N 。", "asked": "S 有=h N 吗 ？"}
        return Sentence(arranged(english[mood], chinese[mood], S=who.phrase, N=thing))
    amount = nouns.one(noun) if mood == "a" else nouns.numbered(noun, mood)
    return Sentence(arranged(f"S {owns}=h N .", "S 有=h N 。", S=who.phrase, N=amount))


def gave(persons: tuple[Subject, Subject], gift: tuple[Noun, Phrase], when: Phrase) -> Sentence:
    """ "She gave me two books yesterday." 她昨天给了我两本书。"""
    who, to = persons
    said = arranged("S gave=g R O T .", "S T 给=g 了~g R O 。", S=who.phrase, R=to.as_object, O=gift[1], T=when)
    return Sentence(said, f"give {gift[0].english}")


def went(who: Subject, mood: str, to: Phrase, when: Phrase) -> Sentence:
    """ "We went to the park yesterday." 我们昨天去了公园。"""
    go = "S went=g P T ." if mood == "yes" else "S did~n not=n go=g P T ."
    去 = "S T 去=g 了~g P 。" if mood == "yes" else "S T 没=n 去=g P 。"
    return Sentence(arranged(go, 去, S=who.phrase, P=to, T=when))


def will_go(who: Subject, mood: str, to: Phrase, when: Phrase) -> Sentence:
    """ "Will you go to Beijing next week?" 你下个星期会去北京吗？"""
    english = {"yes": "S will=w go=g P T .", "no": "S will=w not=n go=g P T .", "asked": "will=w S go=g P T ?"}
    chinese = {"yes": "S T 会=w 去=g P 。", "no": "S T 不=n 会=w 去=g P 。", "asked": "S T 会=w 去=g P 吗 ？"}
    return Sentence(arranged(english[mood], chinese[mood], S=who.phrase, P=to, T=when))


def for_hours(who: Subject, did: Phrase, number: str, when: Phrase) -> Sentence:
    """ "He worked for three hours yesterday." 他昨天工作了三个小时。"""
    hours = arranged(f"for {number}=n hours=h", f"{nouns.NUMBERS[number]}=n 个~h 小时=h")
    return Sentence(arranged("S V H T .", "S T V 了~V H 。", S=who.phrase, V=did, H=hours, T=when))


def because(said: Sentence, reason: Phrase) -> Sentence:
    """The clauses swap: "He did not work yesterday because he was sick." 因为他生病了，所以他昨天没工作。"""
    clause = Phrase(said.phrase.english[:-1], said.phrase.chinese[:-1], said.phrase.links)  # without its full stop
    return Sentence(arranged("R because=b C .", "因为=b C ， 所以~b R 。", R=clause, C=reason), said.pair)


def because_not(caused: tuple[Subject, Phrase], does: Action | Phrase, when: Phrase) -> Sentence:
    """Something did not happen; of a phrase, nobody went there."""
    who, reason = caused
    said = past_not(who, does, when) if isinstance(does, Action) else went(who, "no", does, when)
    return because(said, reason)


def because_did(who: Subject, caused: tuple[Callable[[Subject], Phrase], Action], when: Phrase) -> Sentence:
    """ "She drank two bottles of water yesterday because she was very thirsty." """
    reason, does = caused
    return because(past(who, does, when), reason(who))
