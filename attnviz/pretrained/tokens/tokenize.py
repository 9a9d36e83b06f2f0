"""Makes Tokens of a person's text: whole, never cut, each token shown as the characters it stands for.

Knows no model: it takes a fast tokenizer and a limit. `Tokens.text` is for the eye, `ids` and `spans` are the truth: a
control character is shown by its picture (U+0007 as ␇), a blank by ␣, and the span points at the real one.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby

from tokenizers import Encoding, Tokenizer
from transformers import PreTrainedTokenizerBase

from attnviz.core.errors import EmptyText, InputError, TooLong, UnsupportedModel
from attnviz.pretrained.tokens.chat import rendered
from attnviz.pretrained.tokens.sentencepiece import MARK, PieceEncoding, SentencePieceTokenizer, backend_of
from attnviz.pretrained.tokens.token_display import display_texts, is_blank_piece, partly_bytes, visible
from attnviz.trace.given import Chat, Given, Ids, Pair, as_text, checked_ids, only_text, texts_of
from attnviz.trace.tokens import NO_WORD, Tokens

Span = tuple[int, int]

PART = 64  # tokens that are decoded together
BROKEN = "\N{REPLACEMENT CHARACTER}"  # what decoding gives for a part of a character


class SentenceTokenizer:
    """One model's tokenizer, set never to cut or pad, and safe to share between threads."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, *, model_name: str, limit: int, n_vocabulary: int | None = None
    ) -> None:
        """`n_vocabulary` is how many ids the model takes; if not given, as many as the tokenizer has."""
        backend = backend_of(tokenizer)
        if backend is None:
            raise UnsupportedModel(id="slow-tokenizer", model=model_name)
        self.backend = backend
        self.tokenizer = tokenizer
        self.model_name = model_name
        self.limit = limit
        self.n_vocabulary = len(tokenizer) if n_vocabulary is None else n_vocabulary
        self.unknown_id = tokenizer.unk_token_id
        self.special_ids = frozenset(tokenizer.all_special_ids) - {self.unknown_id}
        self._spellings: dict[int, tuple[str, str, str]] = {}

    @cached_property
    def reads_pairs(self) -> bool:
        """Whether it puts a separator between two texts, or gives each a token type."""
        if isinstance(self.backend, SentencePieceTokenizer):
            return False
        encoding = self.encoded("a", "b")
        sides = encoding.sequence_ids
        if 1 not in sides or 0 not in sides:
            return False
        first, second = len(sides) - 1 - sides[::-1].index(0), sides.index(1)
        between = encoding.ids[first + 1 : second]
        is_typed = self.has_types and encoding.type_ids[first] != encoding.type_ids[second]
        return is_typed or (self.tokenizer.sep_token_id is not None and self.tokenizer.sep_token_id in between)

    def encoded(self, text: str, second: str | None = None, *, has_special: bool = True) -> Encoding:
        """What a fast tokenizer makes of a text, or of two."""
        assert isinstance(self.backend, Tokenizer), "only such one reads two texts or a chat"
        return self.backend.encode(text, second, add_special_tokens=has_special)

    @property
    def has_types(self) -> bool:
        return "token_type_ids" in self.tokenizer.model_input_names

    @property
    def reads_chats(self) -> bool:
        return bool(self.tokenizer.chat_template) and not isinstance(self.backend, SentencePieceTokenizer)

    def tokens(self, given: Given, /) -> Tokens:
        """The tokens of a text, of two texts or of a chat, with the special ones the model adds.

        Args:
            given: any text; its characters are kept as they came.
        Returns:
            Tokens, as many as the model reads; `spans` are character offsets into `source`, (0, 0) for added tokens.
            `source` is the text; of two texts both, a line each; of a chat what its template makes of it.
        Raises:
            EmptyText: nothing but blanks, or nothing that the tokenizer keeps.
            InputError: half of a surrogate pair, which is no character; two texts or a chat for one that reads none;
                an id that the vocabulary does not have.
            TooLong: more tokens than the model takes; the error carries both numbers.
        """
        if isinstance(given, Pair) and self.reads_pairs:
            return self.tokens_of_pair(given)
        if isinstance(given, Chat) and self.reads_chats:
            return self.tokens_of_chat(given)
        if isinstance(given, Ids):
            ids = checked_ids(given, self.n_vocabulary, self.model_name, self.limit)
            return replace(self.tokens_of(ids), form=as_text(given))
        text = only_text(given, self.model_name)
        check_text(text)
        return self.tokens_of_encoding(text, self.backend.encode(text), text)

    def tokens_of_pair(self, pair: Pair) -> Tokens:
        """The tokens of two texts: their types as the tokenizer gives them, and which text each belongs to."""
        for text in texts_of(pair):
            check_text(text)
        encoding = self.encoded(pair.first, pair.second)
        sides, begun = encoding.sequence_ids, len(pair.first) + 1
        n_words = 1 + max(
            (word for word, side in zip(encoding.word_ids, sides, strict=True) if side == 0 and word is not None),
            default=-1,
        )
        offsets = [
            (a + begun, b + begun) if side == 1 else (a, b)
            for (a, b), side in zip(encoding.offsets, sides, strict=True)
        ]
        words = [
            word + n_words if side == 1 and word is not None else word
            for word, side in zip(encoding.word_ids, sides, strict=True)
        ]
        source = f"{pair.first}\n{pair.second}"
        tokens = self.tokens_of_encoding(source, encoding, pair, offsets, words)
        second = sides.index(1) if 1 in sides else len(sides)
        return replace(
            tokens, types=tuple(encoding.type_ids) if self.has_types else (),
            segments=tuple(int(at >= second) for at in range(len(sides))), form=as_text(pair),
        )  # fmt: skip

    def tokens_of_chat(self, chat: Chat) -> Tokens:
        """The tokens of a chat as its template writes it, and whose each is."""
        for _, content in chat.messages:
            check_whole(content)
        text, parts = rendered(self.tokenizer, chat, self.model_name)
        check_text(text)
        tokens = self.tokens_of_encoding(text, self.encoded(text, has_special=False), chat)
        roles = [next((one.role for one in parts if one.start <= start < one.stop), "") for start, _ in tokens.spans]
        return replace(tokens, roles=tuple(roles), form=as_text(chat))

    def tokens_of_encoding(
        self, text: str, encoding: Encoding | PieceEncoding, given: Given, offsets: Sequence[Span] | None = None,
        word_ids: Sequence[int | None] | None = None,
    ) -> Tokens:  # fmt: skip
        """The tokens of an encoding whose offsets count in this text."""
        if len(encoding.ids) > self.limit:
            characters = len(self.first_part(given))
            raise TooLong(
                id="too-long-for-model", model=self.model_name, n=len(encoding.ids), limit=self.limit,
                characters=characters,
            )  # fmt: skip
        if all(encoding.special_tokens_mask):
            raise EmptyText(id="nothing-left")
        pieces = [self.piece(token_id) for token_id in encoding.ids]
        offsets = [
            (start, start) if is_blank_piece(piece) and text[start:end].strip() else (start, end)
            for piece, (start, end) in zip(pieces, offsets or encoding.offsets, strict=True)
        ]  # the blank that a tokenizer puts before a text stands for none of its characters
        spans = grown_spans(text, offsets)
        words = words_of(text, word_ids or encoding.word_ids, spans)
        return self.made_of(text, encoding.ids, offsets, spans, words, encoding.special_tokens_mask)

    def first_part(self, text: Given, limit: int | None = None) -> str:
        """The longest beginning of a text that makes no more tokens than the model takes, or than the limit; "" of what
        is more than a text.
        """
        if not isinstance(text, str):
            return ""
        most = self.limit if limit is None else min(limit, self.limit)
        encoding = self.backend.encode(text)
        if len(encoding.ids) <= most:
            return text
        added = sum(encoding.special_tokens_mask)  # by the model, before and after the text
        ends = [end for (_, end), is_added in zip(encoding.offsets, encoding.special_tokens_mask, strict=True)
               if not is_added]  # fmt: skip
        for end in reversed(ends[: max(0, most - added)]):  # a text that is cut may be read in other tokens
            if len(self.backend.encode(text[:end]).ids) <= most:
                return text[:end]
        return ""

    def piece(self, token_id: int) -> str:
        return self.backend.id_to_token(token_id) or str(token_id)

    def piece_texts(self, rows: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
        """What tokens look like that stand in no text, such as predicted ones: as a reader would write them."""
        shown = {token_id: self.piece_text(token_id) for token_id in {number for row in rows for number in row}}
        return tuple(tuple(shown[number] for number in row) for row in rows)

    def piece_text(self, token_id: int) -> str:
        """One such token: its characters, bytes where it holds a part of one, or its own spelling where it has none."""
        if token_id in self.special_ids or token_id == self.unknown_id:
            return self.piece(token_id)
        characters = self.backend.decode([token_id], skip_special_tokens=False)
        if BROKEN in characters:
            return partly_bytes(self.piece(token_id))
        return visible(characters) if characters else self.piece(token_id)

    def spellings(self, token_id: int) -> tuple[str, str, str]:
        """One token's characters with the blank before them, its text as shown, and the vocabulary's own spelling."""
        known = self._spellings.get(token_id)  # a token that is asked for by its text is looked for in all of them
        return known or self._spellings.setdefault(token_id, self._spelled(token_id))

    def _spelled(self, token_id: int) -> tuple[str, str, str]:
        piece, shown = self.piece(token_id), self.piece_text(token_id)
        if piece.startswith(MARK):
            return piece.replace(MARK, " "), shown, piece
        exact = piece if shown == piece else self.backend.decode([token_id], skip_special_tokens=False)
        return piece if BROKEN in exact else exact, shown, piece

    def decode(self, ids: Sequence[int]) -> str:
        """The text that tokens make, without special ones."""
        return self.backend.decode(ids, skip_special_tokens=True)

    def tokens_of(self, ids: Sequence[int]) -> Tokens:
        """The tokens that a model wrote, over the text they make; each spans the characters it added to it."""
        text = self.decode(ids)
        ends = self.ends_of(ids, text)
        spans = written_spans(text, ends, [token_id in self.special_ids for token_id in ids])
        words = [text[:start].count(" ") if end > start else None for start, end in spans]
        tokens = self.made_of(text, ids, spans, spans, words, [0] * len(ids))
        if BROKEN not in text:
            return tokens
        return replace(tokens, text=tuple(
            self.piece_text(token_id) if BROKEN in text[start:end] or start == end else shown
            for token_id, shown, (start, end) in zip(ids, tokens.text, spans, strict=True)
        ))  # fmt: skip

    def ends_of(self, ids: Sequence[int], text: str) -> list[int]:
        """How many characters of their text each token ends after. Decoded in parts: from the first token each time
        would take n².
        """
        ends: list[int] = []
        start = begun = 0  # of the part, which begins with a token that makes whole characters
        lead = ""  # what the token before the part makes alone, a blank before it left out
        for n in range(len(ids)):
            if n - start >= PART and ids[n - 1] not in self.special_ids and BROKEN not in self.decode(ids[n - 1 : n]):
                start, begun, lead = n, shared_start(self.decode(ids[:n]), text), self.decode(ids[n - 1 : n])
            made = self.decode(ids[max(0, start - 1) : n + 1])[len(lead) :]
            ends.append(begun + shared_start(made, text[begun : begun + len(made)]))
        return ends

    def made_of(
        self, text: str, ids: Sequence[int], offsets: Sequence[Span], spans: Sequence[Span],
        words: Sequence[int | None], added: Sequence[int],
    ) -> Tokens:  # fmt: skip
        """The Tokens of a text: `added` marks what the tokenizer put there, `offsets` are its own spans."""
        special = [bool(flag) or token_id in self.special_ids for flag, token_id in zip(added, ids, strict=True)]
        pieces = [self.piece(token_id) for token_id in ids]
        return Tokens(
            text=display_texts(text, offsets, spans, pieces, special),
            ids=tuple(ids),
            special=tuple(special),
            unknown=tuple(token_id == self.unknown_id for token_id in ids),
            spans=tuple(spans),
            words=word_numbers(words, special),
            source=text,
            pieces=tuple(pieces),
        )


def check_text(text: str) -> None:
    """Refuse what no tokenizer can read: what is no text, blanks alone, and halves of surrogate pairs."""
    if not isinstance(text, str):
        raise InputError(id="text-no-str", came=type(text).__name__)
    if not text.strip():
        raise EmptyText(id="empty-text")
    check_whole(text)


def check_whole(text: str) -> None:
    """Refuse halves of surrogate pairs."""
    half = next((place for place, character in enumerate(text) if "\ud800" <= character <= "\udfff"), None)
    if half is not None:
        code = f"U+{ord(text[half]):04X}"
        raise InputError(id="surrogate", position=half + 1, code=code)


def shared_start(one: str, other: str) -> int:
    """How many characters two texts have in common from their first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def written_spans(text: str, ends: Sequence[int], special: Sequence[bool]) -> list[Span]:
    """The span of each token from how far the text reached after it.

    A token that adds nothing yet, because it is a part of a character, spans that character with those that end it.
    """
    spans: list[Span] = []
    done, waiting = 0, 0  # how far the spans reach; how many tokens wait for their character
    for end, is_special in zip(ends, special, strict=True):
        if is_special:
            spans.append((done, done))
            continue
        if end <= done:
            waiting += 1
            spans.append((done, done))
            continue
        start = done
        while start < end - 1 and text[start].isspace():
            start += 1
        spans.append((start, end))
        for back in range(1, waiting + 1):
            spans[-1 - back] = (start, end)
        done, waiting = end, 0
    return spans


def grown_spans(text: str, offsets: Sequence[Span]) -> list[Span]:
    """The spans, grown over characters beside them that the tokenizer dropped (accents, joiners, controls).

    WordPiece reads "é" as "e" and points at the "e" alone when the accent is a character of its own; the reader's
    token is both. A dropped run goes to the token before it if they touch, else to the one after it if they touch.
    """
    spans = list(offsets)
    filled = [index for index, (start, end) in enumerate(offsets) if end > start]
    done = 0  # everything before this character is settled
    for before, index in zip([None, *filled], [*filled, None], strict=True):
        limit = spans[index][0] if index is not None else len(text)
        if before is not None:
            while done < limit and not text[done].isspace():
                done += 1
            spans[before] = (spans[before][0], max(spans[before][1], done))
        if index is not None:
            start = limit
            while start > done and not text[start - 1].isspace():
                start -= 1
            spans[index] = (start, spans[index][1])
            done = max(done, spans[index][1])
    for _, run in groupby(filled, key=offsets.__getitem__):  # pieces of one character share what was dropped beside it
        parts = list(run)
        whole = (spans[parts[0]][0], spans[parts[-1]][1])
        for index in parts:
            spans[index] = whole
    return spans


def words_of(text: str, word_ids: Sequence[int | None], spans: Sequence[Span]) -> Sequence[int | None]:
    """The word of each token: the tokenizer's own, or what blanks divide, where it takes a whole text for one word."""
    if len({word for word in word_ids if word is not None}) != 1 or len(text.split()) < 2:
        return word_ids
    starts = [start for start in range(len(text)) if not text[start].isspace() and not text[start - 1 : start].strip()]
    return [
        word if word is None or end == start else max(0, bisect_right(starts, end - 1) - 1)
        for word, (start, end) in zip(word_ids, spans, strict=True)
    ]


def word_numbers(word_ids: Sequence[int | None], special: Sequence[bool]) -> tuple[int, ...]:
    """The number of the word each token belongs to, counted from 0 without gaps; -1 for special tokens."""
    numbers: dict[int, int] = {}
    words = []
    for word, is_special in zip(word_ids, special, strict=True):
        words.append(NO_WORD if word is None or is_special else numbers.setdefault(word, len(numbers)))
    return tuple(words)
