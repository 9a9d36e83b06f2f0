"""What the closer look at tokens shows, as blocks: the merges of one word, and every word with its tokens."""

from collections.abc import Sequence

from attnviz.pretrained.tokens.merges import CutWord, Joined
from attnviz.text import Strings
from attnviz.views.panel.blocks import Block, Prose, Table

BETWEEN = " · "  # two pieces
MOST = 64  # words that are drawn


def cut(words: Sequence[CutWord], at: int, say: Strings) -> tuple[Block, ...]:
    """One word from its bytes to its tokens, and all words."""
    word = words[at]
    steps = [
        (str(n) if n else say("look-merges-start"), joined(state), "" if state.rank is None else f"{state.rank:,}")
        for n, state in enumerate(word.states)
    ]
    columns = [say(f"look-merges-{name}") for name in ("step", "pieces", "rank")]
    n_bytes, n_tokens = (len(word.states[place].pieces) for place in (0, -1))
    title = say("look-merges-of", word=shown(word), bytes=n_bytes, tokens=n_tokens)
    first = max(0, min(at - MOST // 2, len(words) - MOST))
    drawn = words[first : first + MOST]
    rows = [(shown(one), str(len(one.states[0].pieces)), joined(one.states[-1])) for one in drawn]
    heads = [say(f"look-merges-{name}") for name in ("word", "bytes", "tokens")]
    return (
        Table(columns, steps, title, marked=len(steps) - 1),
        Prose(say("look-merges-how")),
        Table(heads, rows, say("look-merges-all"), marked=at - first),
    )


def shown(word: CutWord) -> str:
    """A word with its blanks made visible."""
    return word.text.replace(" ", "␣").replace("\n", "⏎")


def joined(state: Joined) -> str:
    return BETWEEN.join(map(_piece, state.pieces))


def _piece(piece: bytes) -> str:
    """The characters of a piece; its bytes where it holds a part of one."""
    try:
        said = piece.decode()
    except UnicodeDecodeError:
        return piece.hex(" ").upper()
    return said.replace(" ", "␣").replace("\n", "⏎")
