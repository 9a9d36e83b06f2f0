"""What the By hand page is asked: nothing. Its numbers are typed in the browser, which reads and writes its link.

A lesson brings the numbers that it is about.
"""

from collections.abc import Mapping

from attnviz_app.host import session, url
from attnviz_app.notice import Notice
from attnviz_app.page_state import PageState

from attnviz.views import link

TOLD = session.OfPicture[dict[str, str]]("byhand-told", dict)  # the sheet that a link or a lesson brought


def _bring(query: Mapping[str, str], question: None) -> list[Notice]:
    TOLD.set({name: query[name] for name in link.picked_in("byhand") if name in query})
    url.bring()
    return []


BY_HAND = PageState[None](
    "byhand", first=lambda: None, from_link=lambda *_: (None, []), to_link=lambda _: {}, bring=_bring
)
