"""The header of By hand."""

from attnviz.views.headers import Picture


class ByHandHeader(Picture):
    sentences: list[list[str]]  # six words each: of the reader's language, then of the other
