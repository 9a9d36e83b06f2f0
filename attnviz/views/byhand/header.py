"""The header of By hand."""

from typing import NotRequired

from attnviz.views.headers import Picture


class ByHandHeader(Picture):
    sentences: list[list[str]]  # six words each: of the reader's language, then of the other
    place: NotRequired[dict[str, str]]  # added by the dashboard: the sheet that a link or a lesson brought
    of_lesson: NotRequired[bool]  # whether the sheet is the one that a lesson speaks of
