"""Gives SentencePiece tokenizers that transformers runs in Python (Marian's) the methods of its fast ones.

SentencePiece itself says which characters each piece stands for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokenizers import Tokenizer

MARK = "▁"  # what SentencePiece writes where a word begins
Span = tuple[int, int]


@dataclass(frozen=True)
class PieceEncoding:
    """One text in pieces, as the `tokenizers` library would give it."""

    ids: list[int]
    offsets: list[Span]
    word_ids: list[int | None]
    special_tokens_mask: list[int]


class SentencePieceTokenizer:
    """One side of a tokenizer: the language that is read, or the one that is written."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.model = tokenizer.current_spm
        self.table: dict[str, int] = tokenizer.current_encoder

    def encode(self, text: str, /) -> PieceEncoding:
        """The pieces of a text and the end token; a language code such as >>cmn<< at its beginning is a piece."""
        unknown, end = self.tokenizer.unk_token_id, self.tokenizer.eos_token_id
        codes, rest = self.tokenizer.remove_language_code(text)
        begun = len(text) - len(rest)
        rows: list[tuple[int, Span, int | None]] = [(self.table.get(code, unknown), (0, begun), None) for code in codes]
        word = -1
        cut = self.model.encode(rest, out_type="offset_mapping")  # offsets in characters
        for piece, (first, last) in zip(cut["pieces"], cut["offsets"], strict=True):
            word += piece.startswith(MARK) or word < 0
            start, stop = begun + first, begun + last
            while start < stop - 1 and text[start].isspace():  # the blank before a word is part of its first piece
                start += 1
            rows.append((self.table.get(piece, unknown), (start, stop), word))
        rows.append((end, (0, 0), None))
        ids, offsets, words = (list(column) for column in zip(*rows, strict=True))
        return PieceEncoding(ids, offsets, words, [0] * (len(rows) - 1) + [1])

    def id_to_token(self, token_id: int, /) -> str | None:
        return self.tokenizer.convert_ids_to_tokens(token_id)

    def decode(self, ids: Sequence[int], /, skip_special_tokens: bool = True) -> str:
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=skip_special_tokens))

    def get_vocab_size(self) -> int:
        return len(self.table)


def backend_of(tokenizer: object) -> Tokenizer | SentencePieceTokenizer | None:
    """What a transformers tokenizer runs, set never to cut or pad; None where it is neither fast nor SentencePiece.

    Encoding does not change it, so threads may share it.
    """
    fast: Tokenizer | None = getattr(tokenizer, "backend_tokenizer", None)
    if fast is not None:
        fast.no_truncation()  # MiniLM's own file cuts at 128 and pads to 128
        fast.no_padding()
        return fast
    parts = ("current_spm", "current_encoder", "remove_language_code")
    return SentencePieceTokenizer(tokenizer) if all(hasattr(tokenizer, part) for part in parts) else None
