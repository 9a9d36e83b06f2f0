"""What the By hand page is asked: nothing. Its numbers are typed in the browser, which reads and writes its link."""

from attnviz_app.page_state import PageState

BY_HAND = PageState[None]("byhand", first=lambda: None, from_link=lambda *_: (None, []), to_link=lambda _: {})
