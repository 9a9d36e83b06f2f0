"""What the Step through page is asked: a model of its own, which may be small or untrained, and a text."""

from collections.abc import Mapping
from dataclasses import replace

from attnviz_app.host import session, url, visitor
from attnviz_app.notice import Notice
from attnviz_app.open_model import state as open_model
from attnviz_app.page_state import PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.serving.runs import runs
from attnviz_app.step.query import LOOKS, Picked, Question, from_link, picked_in, site_of, to_link
from attnviz_app.step.runs import UNTRAINED

SMALL = ("translate-en-zh", "translate-zh-en", "reverse", "induction")  # numbers fit into cells
HAN = range(0x3400, 0xA000)  # code points of Chinese characters
FROM_ENGLISH, FROM_CHINESE = ("translate-en-zh", "translate-en-zh-tw"), "translate-zh-en"
FOR_CHINESE = {"zh-CN": "translate-zh-en", "zh-TW": "translate-zh-en"}
TOLD = session.OfPicture("step-picked", Picked)  # what a link brought, or the browser told for a closer look


def _first() -> Question:
    """The language model that all pages open on, else the first example of a small one that reads the language."""
    first = model_menu.first()
    preferred = (FOR_CHINESE.get(visitor.language(), SMALL[0]), *SMALL)
    known = () if model_menu.is_language_model(first) else (name for name in preferred if name in runs().offered)
    model = next(iter(known), first)
    return Question(model, first_text(model))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    question, notices = from_link(query, default, models(query.get("model", "")))
    return replace(question, text=question.text or first_text(question.model)), notices


def _bring(query: Mapping[str, str], question: Question) -> list[Notice]:
    TOLD.set(picked_in(query))
    url.bring()
    return []


STEP = PageState("step", first=_first, from_link=_from_link, to_link=to_link, bring=_bring)


def look() -> str:
    """The closer look that is open; "" for none, or for one that the tab has not."""
    return STEP.asked.look if STEP.asked.look in LOOKS[TOLD.get().tab] else ""


def models(*named: str) -> tuple[str, ...]:
    """The models of the menu: a language model that all pages open on, the small ones that ship, then the others, then
    those that were never trained.

    Args:
        named: by a link: one that was trained here is in the menu from then on.
    """
    known = model_menu.models(*named)
    first = known[:1] if model_menu.is_language_model(known[0]) else ()
    leading = (*first, *(name for name in SMALL if name in known))
    return (*leading, *(name for name in known if name not in (*leading, *UNTRAINED)), *UNTRAINED)


def is_chinese(text: str) -> bool:
    return any(ord(character) in HAN for character in text)


def reads_instead(asked: Question) -> str:
    """A model for a text with words that the chosen one does not know: the translator of the other direction, if the
    text is in its language, else one that reads any words."""
    known, in_chinese = models(), is_chinese(asked.text)
    wanted = FROM_CHINESE if asked.model in FROM_ENGLISH else FROM_ENGLISH[0] if asked.model == FROM_CHINESE else ""
    if wanted in known and in_chinese is (wanted == FROM_CHINESE):
        return wanted
    pretrained = () if in_chinese else (name for name in known if name not in (*SMALL, *FROM_ENGLISH, *UNTRAINED))
    return next(iter(pretrained), UNTRAINED[0])


def first_text(model: str) -> str:
    return text_of(next(iter(examples_of(model_menu.kind(model)))), visitor.say())


def want(text: str) -> None:
    STEP.change(text=text, look="")


def step_through(model: str) -> None:
    """Another model, with its first example, out of a closer look."""
    asked = STEP.asked
    STEP.change(model=model, text=asked.text if model == asked.model else first_text(model), look="")


def go_to(layer: int, token: int) -> None:
    """A decoder's layer and the row of a token in it, out of a closer look."""
    TOLD.set(Picked(site=site_of("decoder", layer), row=token, switches=TOLD.get().switches))
    url.bring()
    STEP.change(look="")


def open_here(model: str) -> None:
    """The dialog that opens a model, with this name in its field, out of a closer look."""
    STEP.change(look="")
    open_model.ask("step-model", model)


def choose_example(name: str) -> None:
    if name in examples_of(model_menu.kind(STEP.asked.model)):  # else it is one of the model before
        want(text_of(name, visitor.say()))
