"""What the Compare page is asked: two sides and what they read."""

from collections.abc import Mapping
from dataclasses import replace

from attnviz_app.compare import files
from attnviz_app.compare.query import Question, pair_in, pair_of_place
from attnviz_app.compare.sides import (
    baseline,
    earliest,
    first_sides,
    is_known,
    models,
    own_name,
    side_label,
    text_of_file,
)
from attnviz_app.host import session, visitor
from attnviz_app.notice import Notice, notice
from attnviz_app.page_state import Beginning, PageState
from attnviz_app.serving import checkpoints, model_menu
from attnviz_app.serving.examples import PAIRS, pair_with, text_of
from attnviz_app.serving.trace_files import is_file

from attnviz.trace.given import from_text, texts_of
from attnviz.views.compare import Pair

LAST = ""  # of the steps: the model as its training left it
LONGEST = 60  # characters of a name that are said
FIRST_UNSPACED = 0x2E80  # code points from here on: Chinese, Japanese and their neighbours
UNDER = ("causes", "silenced")  # what is asked under the picture, by its names in a link
NO_GUESS = "none"
_under = session.OfPicture[dict[str, tuple[Question, str]]]("compare-under", dict)
BEGINNING: Beginning[Pair | None] = Beginning("compare")  # None lets the picture choose a pair
_put_away = session.OfPicture("compare-put-away", lambda: ("", ""))  # a text, and what B read beside it
_is_bare = session.OfPicture("compare-bare", bool)  # these two sides have no picture


def _first() -> Question:
    """The first model beside itself, untrained or with another text, on an example."""
    return _prepared(*first_sides())


def _second(a: str, text: str, other: str) -> str:
    """What stands beside a model: itself on two texts, else itself untrained, or early in its training, or another that
    reads the same text.
    """
    if other:
        return a
    first = first_sides()
    b = first[1] if a == first[0] else baseline(a) or a
    if not text or a != b:
        return b
    is_free = (name for name in models() if name != a and model_menu.task(name) is None)
    return baseline(a) or earliest(a) or next(is_free, b)


def _prepared(a: str, b: str) -> Question:
    """Two sides on an example; of one model on both sides that continues its text on two that one word tells apart."""
    if a == b and model_menu.is_language_model(a):
        return Question(a, b, *pair_with(model_menu.kind(a), "", visitor.say()))
    return Question(a, b, first_text(a, b))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    names = {"a": query.get("model"), "b": query.get("model2")}
    strange = {side: name for side, name in names.items() if name and not is_known(name)}
    known = {side: name for side, name in names.items() if name and side not in strange}
    text, other = query.get("text", ""), query.get("text2", "")
    a = known.get("a", first_sides()[0])
    b = known.get("b") or _second(a, "" if "b" in strange else text, other)
    labels = {"a": side_label(a, visitor.say()), "b": side_label(b, visitor.say())}
    notices = [
        notice("notice-model", name=name[:LONGEST], shown=labels[side], asked=own_name(name), menu=f"compare-{side}")
        for side, name in strange.items()
    ]
    return Question(a, b, text or first_text(a, b), other) if text or other else _prepared(a, b), notices


def _bring(query: Mapping[str, str], question: Question) -> list[Notice]:
    BEGINNING.bring(pair_in(query))
    _under.set({name: (question, query.get(name, "")) for name in UNDER})
    return []


def _to_link(question: Question) -> dict[str, str]:
    """A trace file is in no link."""
    a, b = ("" if is_file(name) else name for name in (question.a, question.b))
    return {"model": a, "model2": b, "text": question.text, "text2": question.other}


COMPARE = PageState("compare", first=_first, from_link=_from_link, to_link=_to_link, bring=_bring)


def without_picture() -> dict[str, str] | None:
    """What the link says of two sides without a picture; None where that writes the link."""
    names = (*COMPARE.names, *COMPARE.picked)
    return {**dict.fromkeys(names, ""), **_to_link(COMPARE.asked)} if _is_bare.get() else None


def note_picture(is_here: bool) -> None:
    """Draw the page again where a picture comes or goes: then another part of it writes the link."""
    if is_here == _is_bare.get():
        _is_bare.set(not is_here)
        session.rerun()


def under(name: str) -> str:
    """What was asked under the picture that is shown, as a link says it; "" before it is.

    Of "causes" the head that was said to matter most, or NO_GUESS; of "silenced" the pair whose effect was asked.
    """
    question, said = _under.get().get(name, (None, ""))
    return said if question == COMPARE.shown else ""


def ask_under(name: str, said: str) -> None:
    _under.set({**_under.get(), name: (COMPARE.shown, said)})


def texts(question: Question) -> tuple[str, str]:
    """What A reads and what B reads. The text of a trace file stands, and a model beside one reads it too."""
    of_a, of_b = text_of_file(question.a), text_of_file(question.b)
    text = next((text_of_side for text_of_side in (of_a, of_b) if text_of_side is not None), question.text)
    return text, of_b if of_b is not None else (question.other or text)


def choose(side: str, name: str) -> None:
    """Another model on a side; a text that nobody typed makes room for one that both sides read, if they read others.

    Two models are compared on one text: where B had one of its own, a line beside the picture still says it, and it is
    back as soon as one model is on both sides again.
    """
    now, prepared = COMPARE.asked, _prepared(COMPARE.asked.a, COMPARE.asked.b)
    new = replace(now, **{side: name})
    kinds = [model_menu.kind(_reads_least(each.a, each.b)) for each in (now, new)]
    text, other = _put_away.get()
    if new.a == new.b and not now.other and text == now.text:
        new = replace(new, other=other)
        _put_away.set(("", ""))
    elif now == prepared and (kinds[0] != kinds[1] or new.a == new.b):
        now = new = _prepared(new.a, new.b)
    elif now.text == prepared.text and kinds[0] != kinds[1]:
        new = replace(new, text=_prepared(new.a, new.b).text)
    if now.other and new.a != new.b:
        _put_away.set((new.text, now.other))
    COMPARE.ask(new if new.a == new.b else replace(new, other=""))
    if now.other and new.a != new.b:
        COMPARE.tell("notice-one-text", text=" · ".join(texts_of(from_text(now.other))))
    BEGINNING.bring(None)


def choose_step(side: str, step: object) -> None:
    """The same model at another step of its training."""
    model = checkpoints.model_of(getattr(COMPARE.asked, side))
    choose(side, checkpoints.named(step, model) if isinstance(step, int) else model)


def take_file(file: files.File | None, place: str) -> None:
    """Put a trace file on a side, or take it away again."""
    one = files.take(file, place)
    if one is not None:
        choose(place, one.side)
        is_of_translator = one.trace.tokens.target is not None
        BEGINNING.bring(pair_of_place(str(one.trace.facts.get("place", "")), is_of_translator))
    elif files.problem(place) is None and is_file(getattr(COMPARE.asked, place)):
        choose(place, first_sides()[place == "b"])


def swap() -> None:
    """A for B, with what each reads and which pair is picked."""
    now = COMPARE.asked
    files.swap()
    text, other = (now.other, now.text) if now.other else (now.text, "")
    COMPARE.ask(Question(now.b, now.a, text, other))
    BEGINNING.bring(None, carry="swap")


def first_text(a: str, b: str) -> str:
    """The first prepared text of the side that reads least: a small model knows few words."""
    texts = [text_of(example, visitor.say()) for example in examples(a, b)]
    return next((text for text in texts if _has_words(text)), " ".join(texts[0]))  # symbols are read one by one anyway


def _has_words(text: str) -> bool:
    """Whether a text has several words for any tokenizer: a space between them, or a script without spaces."""
    return " " in text.strip() or any(ord(character) >= FIRST_UNSPACED for character in text)


def examples(a: str, b: str) -> tuple[str, ...]:
    """The prepared texts of the side that reads least, by name."""
    return tuple(model_menu.examples(_reads_least(a, b)))


def pairs(a: str, b: str) -> tuple[str, ...]:
    """The prepared pairs of texts of that side, by name."""
    return PAIRS.get(model_menu.kind(_reads_least(a, b)), ())


def take_pair(name: str) -> None:
    """Both texts of a prepared pair, through the model of A."""
    say, now = visitor.say(), COMPARE.asked
    COMPARE.ask(replace(now, b=now.a, text=text_of(name, say), other=say(f"example-{name}-other")))
    BEGINNING.bring(None)


def _reads_least(a: str, b: str) -> str:
    models = [own_name(name) for name in (a, b)]
    return next(filter(model_menu.task, models), models[0])
