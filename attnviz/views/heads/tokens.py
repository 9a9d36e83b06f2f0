"""How tokens travel to a view: what is shown, what the model read, and which occurrence of a repeated word it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnviz.analysis.heads.groups import groups_of
from attnviz.text import sentences
from attnviz.trace.decoder_rows import next_words
from attnviz.training.tasks.poetry.corpus import simplified_of_others, to_traditional
from attnviz.views.headers import Token

if TYPE_CHECKING:
    from attnviz.core.site import Site
    from attnviz.text import Strings
    from attnviz.trace.tokens import Tokens
    from attnviz.trace.trace import Trace

MOST_NAMED, LONGEST_NAMED = 6, 24  # unknown words of a notice, and characters of one
UNKNOWN_SHARE = 0.10  # above this share of unknown tokens every page says so before anything else


def token_rows(tokens: Tokens, writes: Sequence[str] = ()) -> list[Token]:
    """Return one entry a token: `text`, and where they hold `special`, `unknown`, `continues`, `n`, `read`, `space`,
    `group`.

    Args:
        writes: of a decoder's rows, what each of them writes next.

    `n` numbers the occurrences of a repeated token from 1. `text` is the reader's own characters; an unknown token has
    in `read` what the model saw instead. `space` is what stands before it in the text: 1 a blank, 2 the end of a line.
    """
    shown = [_shown(tokens, i) for i in range(len(tokens))]
    total, seen = Counter(shown), Counter[tuple[str, bool]]()
    rows = []
    spaces, groups = _spaces(tokens), groups_of(tokens)
    for i, (text, continues) in enumerate(shown):
        seen[text, continues] += 1
        row: Token = {"text": text, "word": tokens.words[i]}
        if tokens.special[i]:
            row["special"] = True
        if continues:
            row["continues"] = True
        if tokens.unknown[i]:
            row |= {"unknown": True, "read": tokens.pieces[i] if tokens.pieces else ""}
        if total[text, continues] > 1:
            row["n"] = seen[text, continues]
        if groups and groups[i]:
            row["group"] = groups[i]
        if spaces[i]:
            row["space"] = spaces[i]
        if writes:
            row["writes"] = writes[i]
        rows.append(row)
    return rows


def is_word(tokens: Tokens, at: int) -> bool:
    """Whether a token is neither a mark nor added by the model."""
    return not tokens.special[at] and any(character.isalnum() for character in tokens.text[at])


def query_rows(trace: Trace, site: Site) -> list[Token]:
    """The tokens that name the rows of a site; in cross-attention each says what its row writes."""
    return token_rows(trace.query_tokens(site), next_words(trace) if site.kind == "cross" else ())


def unknown_notice(tokens: Tokens, say: Strings) -> str | None:
    """Which tokens the model does not know, in a sentence; how many, where they are more than a picture can bear.

    Of a model whose tokens are characters, also which ones it reads as another: 舉 as 举.
    """
    return sentences(_read_otherwise(tokens, say) if say.form else None, _not_known(tokens, say)) or None


def _read_otherwise(tokens: Tokens, say: Strings) -> str | None:
    pairs = [
        f"{text}→{read}"
        for text, read, is_unknown in zip(tokens.text, tokens.pieces, tokens.unknown, strict=False)
        if text != read and not is_unknown and text.isalnum()
    ]
    if not pairs:
        return None
    said = say("read-otherwise", pairs=_named(pairs, say))
    is_simplified = any(ord(text) in to_traditional() for text in tokens.text if len(text) == 1)
    doubtful = [one for one, read in zip(tokens.text, tokens.pieces, strict=False) if one == read]
    doubtful = [one for one in doubtful if is_simplified and one in simplified_of_others()]
    return sentences(said, say("read-as-typed", pairs=_named(doubtful, say)) if doubtful else None)


def _not_known(tokens: Tokens, say: Strings) -> str | None:
    unknown = _unknown(tokens)
    if not unknown:
        return None
    read = tokens.pieces[unknown[0]] if tokens.pieces else ""
    words = _named([shorten(tokens.text[i]) for i in unknown], say)
    if is_mostly_unknown(tokens):
        return say("unknown-tokens", unknown=len(unknown), total=_total(tokens), read=read, words=words)
    return say("unknown-words", words=words, read=read)


def _named(words: Sequence[str], say: Strings) -> str:
    """The first few different ones."""
    each = list(dict.fromkeys(words))
    return say("view-kit-list-separator").join(each[:MOST_NAMED]) + ("…" if len(each) > MOST_NAMED else "")


def shorten(word: str) -> str:
    return word if len(word) <= LONGEST_NAMED else word[: LONGEST_NAMED - 1] + "…"


def is_mostly_unknown(tokens: Tokens) -> bool:
    """Whether so much of a text is unknown that a picture of it says next to nothing."""
    return len(_unknown(tokens)) > _total(tokens) * UNKNOWN_SHARE


def _unknown(tokens: Tokens) -> list[int]:
    return [i for i in range(len(tokens)) if tokens.unknown[i] and not tokens.special[i]]


def _total(tokens: Tokens) -> int:
    return len(tokens) - sum(tokens.special)


def _spaces(tokens: Tokens) -> list[int]:
    """What stands before each token of the text: 0 nothing, 1 a blank, 2 the end of a line."""
    spaces, end, is_line_end = [], 0, False  # whether the token before ends its line
    for (start, stop), is_special in zip(tokens.spans, tokens.special, strict=True):
        is_added = is_special and start == stop  # by the tokenizer; a template's markers stand in the text
        piece = "" if is_added else tokens.source[max(start, end) : stop]
        before = "" if is_added else tokens.source[end:start]
        before += (
            piece[: len(piece) - len(piece.lstrip())] if piece.strip() else ""
        )  # a span may begin with it, as GPT-2's do
        spaces.append(2 if is_line_end or "\n" in before else 1 if before else 0)
        if not is_added:
            end, is_line_end = max(end, stop), "\n" in piece[len(piece.rstrip()) :]
    return spaces


def _shown(tokens: Tokens, index: int) -> tuple[str, bool]:
    """The token's text, and whether it continues the word before it."""
    word = tokens.words[index]
    return tokens.text[index], index > 0 and word >= 0 and word == tokens.words[index - 1]
