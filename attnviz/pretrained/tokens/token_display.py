"""How a token is displayed: as the characters of the text it stands for, with invisible ones made visible.

Knows no tokenizer; it takes a text and which characters each token holds.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import groupby

Span = tuple[int, int]

PICTURES = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}  # Unicode block "Control Pictures"
PICTURES |= {code: 0xFFFD for code in range(0x80, 0xA0)}  # C1 controls have no picture
PICTURES |= {ord("\n"): ord("⏎"), ord("\r"): ord("⏎"), ord("\t"): ord("⇥"), 0x85: ord("⏎")}
PRINTED = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))  # bytes that byte-level pieces have as they are
BYTE_OF = {chr(byte): byte for byte in PRINTED}
BYTE_OF |= {chr(0x100 + at): byte for at, byte in enumerate(sorted({*range(0x100)} - {*PRINTED}))}
BYTE_NAMES = {0xDC00 + byte: f"<0x{byte:02X}>" for byte in range(0x80, 0x100)}  # "surrogateescape"
MARKS = ("Mn", "Mc", "Me")  # characters that sit on the one before them


def display_texts(
    text: str, offsets: Sequence[Span], spans: Sequence[Span], pieces: Sequence[str], special: Sequence[bool]
) -> tuple[str, ...]:
    """How each token is displayed: as the reader's own characters, or by its name where it stands for none.

    A character in several tokens, as Chinese in a byte-level tokenizer, says which of how many parts each is: 我 2/3.
    A token may end one character and begin the next: 我 3/3 喜 1/2.
    """
    owners: dict[int, tuple[int, ...]] = {}  # character -> the tokens that hold a part of it
    for index, (start, end) in enumerate(offsets):
        if not special[index]:
            owners |= {place: (*owners.get(place, ()), index) for place in range(start, end)}
    shown = []
    for index, ((start, end), piece, is_special) in enumerate(zip(spans, pieces, special, strict=True)):
        if is_special or end == start:
            shown.append("␣" if is_blank_piece(piece) and not is_special else piece)
        else:
            shown.append(own_characters(text, index, offsets[index], (start, end), owners))
    return tuple(shown)


def partly_bytes(piece: str) -> str:
    """A byte-level piece that ends or begins within a character: its bytes as SentencePiece names them, 我 as
    <0xE6><0x88><0x91>, and what characters are whole in it.
    """
    if not all(character in BYTE_OF for character in piece):
        return piece  # of another vocabulary, which has its own name for a byte
    characters = bytes(BYTE_OF[character] for character in piece).decode("utf-8", "surrogateescape")
    return visible(characters).translate(BYTE_NAMES)


def is_blank_piece(piece: str) -> bool:
    """Whether a piece of a vocabulary is a blank alone: SentencePiece and byte-level ones have a sign for it."""
    return piece in ("▁", "Ġ")


def own_characters(text: str, index: int, offset: Span, span: Span, owners: Mapping[int, tuple[int, ...]]) -> str:
    """The characters of one token, those that it shares with others marked by its part of them."""
    if all(len(owners[place]) == 1 for place in range(*offset)):
        return visible(text[slice(*span)])
    shown, shared = [], False
    for owner, run in groupby(range(*offset), key=owners.__getitem__):
        places = list(run)
        start = span[0] if places[0] == offset[0] else places[0]  # what was dropped beside the token is its own
        end = span[1] if places[-1] == offset[1] - 1 else places[-1] + 1
        mark = f" {owner.index(index) + 1}/{len(owner)}" if len(owner) > 1 else ""
        shared = shared or bool(mark)
        shown.append((visible(text[start:end]) + mark, text[start:end].isspace() and not mark))
    return " ".join(label for label, is_blank in shown if not (is_blank and shared))


def visible(characters: str) -> str:
    """The characters with every invisible one made visible, on one line, without the blanks around them."""
    if characters.isascii() and characters.isalnum():
        return characters
    if characters.isspace():
        return characters.replace(" ", "␣").replace("\u3000", "␣").translate(PICTURES)
    shown = characters.strip(" ").translate(PICTURES)
    if unicodedata.category(shown[0]) in MARKS:
        shown = "◌" + shown
    if all(unicodedata.category(character) in ("Cf", "Cn", "Co", "Zs", "Zl", "Zp") for character in shown):
        return " ".join(f"U+{ord(character):04X}" for character in shown)
    return shown
