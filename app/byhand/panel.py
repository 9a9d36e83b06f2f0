"""The picture of By hand: its numbers are the browser's, but for those that a link or a lesson brings."""

from attnviz_app.byhand import BY_HAND, TOLD
from attnviz_app.host import component, visitor

from attnviz import views
from attnviz.views.pack import amended


def picture(*, of_lesson: bool = False) -> None:
    """Draw it; of a lesson that speaks of one sheet it offers no other one."""
    view = views.by_hand(lang=visitor.language(), size=visitor.size())
    payload = amended(view.payload, place=TOLD.get(), of_lesson=of_lesson)
    component.view(payload, "byhand-view", link=BY_HAND.link(visitor.link()), question={})
