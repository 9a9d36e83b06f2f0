"""The script that Streamlit runs for each visitor: settings, link, frame and page; an error ends as a card."""

from collections.abc import Callable, Mapping
from typing import Any

from attnviz_app.byhand import BY_HAND
from attnviz_app.compare import state as compare
from attnviz_app.heads.state import HEADS, want
from attnviz_app.host import events, session, url, visitor
from attnviz_app.lessons import class_answers
from attnviz_app.lessons import state as lessons
from attnviz_app.metrics import timed
from attnviz_app.page_state import PageState, carry
from attnviz_app.settings import check_binding, is_shared, not_served, say_once, settings
from attnviz_app.shell import frame, panels
from attnviz_app.step.state import STEP
from attnviz_app.train.state import TRAIN

from attnviz.core.errors import AttnvizError
from attnviz.views import link

STATES: dict[str, PageState[Any]] = {
    "": HEADS, "heads": HEADS, "step": STEP, "byhand": BY_HAND, "compare": compare.COMPARE, "train": TRAIN,
    "lessons": lessons.LESSONS,
}  # fmt: skip
# What the link of a page says where nothing on it is a picture, which else writes its link.
_WITHOUT_PICTURE: dict[str, Callable[[], dict[str, str] | None]] = {
    "about": dict, "teaching": dict, "lessons": lessons.without_picture, "compare": compare.without_picture,
}  # fmt: skip
_visit = session.Value("visit", url.visit)


def main() -> None:
    try:
        check_binding(settings(), session.listens_on())
    except AttnvizError as error:
        say_once(str(error))
        frame.refuse(not_served() if is_shared() else error)
        return
    page = frame.open_page()
    with timed(page.url_path or "home"), panels.error_boundary():
        language = visitor.language()
        query = url.begin(page.url_path, link.BY_NAME)
        with panels.opening(_models(page.url_path, query or {})) as waits_for:
            _open_link(page.url_path, query)
            events.apply()
            frame.leave()
            if visitor.language() != language:
                session.rerun()  # the navigation has its words already
            waits_for(_models(page.url_path, {}))
            bare = _WITHOUT_PICTURE.get(page.url_path, session.nothing)()
            frame.tools(link=bare, kept=_kept(), recall=_recall, on_chart=class_answers.ask)
            with frame.opened_anew():
                page.run()
            class_answers.open_dialog(visitor.say())


def _models(page: str, query: Mapping[str, str]) -> list[str]:
    """The models that a page shows: those of the link that is opened, else those that it asks."""
    named = [query[name] for name in ("model", "model2") if name in query]
    state = STATES.get(page)
    if named or state is None:
        return named
    if state is lessons.LESSONS:
        return [] if lessons.LESSONS.asked.test else lessons.PICTURES[lessons.step().page].models
    return state.models


def _kept() -> dict[str, Any]:
    """What a browser keeps for this person: a text that is not run yet, and the answers to lessons."""
    asked, shown = HEADS.asked, HEADS.shown
    return {"draft": asked.text if asked.text != shown.text else None, "answers": lessons.given()}


def _recall(said: Mapping[str, object]) -> None:
    """Take back what the browser kept; it may say anything."""
    visitor.recall(said)
    lessons.recall(said.get("answers"))
    draft = said.get("draft")
    if isinstance(draft, str):
        want(draft.encode("utf-8", "replace").decode())


def _open_link(page: str, query: Mapping[str, str] | None) -> None:
    """Take over the link that the person opened, if this run has to; else, on another page, what goes along."""
    state = STATES.get(page)
    if query is not None:
        visitor.open(query)
        carry(query)
        if state is not None:
            state.open(query)
        url.taken()
    elif state is not None and _visit.get() != url.visit():
        state.come()
    _visit.set(url.visit())


main()
