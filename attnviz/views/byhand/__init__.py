"""The view in which attention is computed with numbers of one's own.

Packs words; every number is typed or made in the browser, and lies in the link.
"""

from attnviz.views.byhand.header import ByHandHeader
from attnviz.views.headers import catalogue, digest, picture_header
from attnviz.views.pack import pack
from attnviz.views.view import View


def by_hand(*, lang: str = "en", size: str = "normal") -> View:
    """Show a sheet of whole numbers as words, weights and scores, with every step that follows from them."""
    say = catalogue(lang)
    sentences = [say("example-byhand-english-text").split(), say("example-chinese-byhand-text").split()]
    if lang != "en":
        sentences.reverse()
    header: ByHandHeader = {
        **picture_header("byhand", digest("byhand"), lang, size),
        "sentences": sentences,
    }
    return View("byhand", pack(header, {}), header["revision"], title=say("view-byhand-title"))
