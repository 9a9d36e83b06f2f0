"""The script that Streamlit runs for each visitor: settings, link, frame and page; an error ends as a card."""

from attnviz_app.compare import state as compare
from attnviz_app.heads.state import HEADS
from attnviz_app.host import events, session, url
from attnviz_app.lessons import state as lessons
from attnviz_app.metrics import timed
from attnviz_app.settings import check_binding, is_shared, not_served, say_once, settings
from attnviz_app.shell import frame, panels, visitor
from attnviz_app.step.state import STEP
from attnviz_app.train.state import TRAIN

from attnviz.core.errors import AttnvizError

STATES = (lessons.LESSONS, HEADS, STEP, compare.COMPARE, TRAIN)
LINK_NAMES = frozenset((*visitor.NAMES, *(name for state in STATES for name in (*state.names, *state.picked))))


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
        _open_link(page.url_path)
        events.apply()
        frame.leave()
        if visitor.language() != language:
            session.rerun()  # the navigation has its words already
        bare = {"about": {}, "teaching": {}, "lessons": lessons.without_picture(), "compare": compare.without_picture()}
        frame.tools(link=bare.get(page.url_path))
        page.run()


def _open_link(page: str) -> None:
    """Take over the link that the person opened, if this run has to."""
    query = url.begin(page, LINK_NAMES)
    if query is None:
        return
    visitor.open(query)
    for state in STATES:
        state.open(query)
    url.taken()


main()
