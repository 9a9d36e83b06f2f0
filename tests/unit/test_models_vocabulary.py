"""Word and character vocabularies, in English and Chinese."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest
import torch

import attnviz
from attnviz.core.errors import EmptyText, InputError
from attnviz.models import BERT, PAPER, Encoder, TransformerConfig, Vocabulary, padded
from attnviz.models.reading import AROUND, ENCODER, lines_of_code

TEXTS = ("The cat sat, the cat didn't run.", "我喜欢读书，读书很好。")


def test_the_most_frequent_words_come_first_after_the_special_ones() -> None:
    words = Vocabulary.build(["b a a", "a b c"])
    assert words.entries == ("<pad>", "<unk>", "<start>", "<end>", "a", "b", "c")
    assert words.encode("a c") == (4, 6)


def test_words_are_letters_marks_and_single_chinese_characters() -> None:
    words = Vocabulary.build(TEXTS)
    assert words.tokens(TEXTS[0]).text == ("The", "cat", "sat", ",", "the", "cat", "didn't", "run", ".")
    assert words.tokens(TEXTS[1]).text == ("我", "喜", "欢", "读", "书", "，", "读", "书", "很", "好", "。")


@pytest.mark.parametrize("level", ["word", "character"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_from_its_numbers(level: str, text: str) -> None:
    vocabulary = Vocabulary.build(TEXTS, level)  # type: ignore[arg-type]
    assert vocabulary.decode(vocabulary.encode(text, is_framed=True)) == text


def test_characters_come_back_exactly_spaces_and_all() -> None:
    text = "  a  b\n(c) "
    vocabulary = Vocabulary.build([text], "character")
    assert vocabulary.decode(vocabulary.encode(text)) == text


def test_unknown_words_are_marked_and_shown_as_they_were_typed() -> None:
    tokens = Vocabulary.build(["the cat"]).tokens("the dog")
    assert tokens.text == ("the", "dog")
    assert tokens.ids == (4, 1)
    assert tokens.unknown == (False, True)
    assert tokens.pieces == ("the", "<unk>")


def test_every_token_knows_its_place_in_the_text_and_its_word() -> None:
    text = "ab, c"
    words = Vocabulary.build([text]).tokens(text, is_framed=True)
    assert words.text == ("<start>", "ab", ",", "c", "<end>")
    assert words.spans == ((0, 0), (0, 2), (2, 3), (4, 5), (5, 5))
    assert words.words == (-1, 0, 1, 2, -1)
    assert words.special == (True, False, False, False, True)
    letters = Vocabulary.build([text], "character").tokens(text)
    assert letters.words == (0, 0, 1, -1, 2)


def test_size_and_frequency_can_be_bounded() -> None:
    assert Vocabulary.build(["a a a b b c"], max_size=6).entries[4:] == ("a", "b")
    assert Vocabulary.build(["a a a b b c"], min_count=2).entries[4:] == ("a", "b")
    assert len(Vocabulary.build(["a b"], max_size=2)) == 4


def test_short_texts_are_filled_up_with_padding() -> None:
    ids, is_token = padded([(5, 6, 7), (8,)])
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert is_token.tolist() == [[True, True, True], [True, False, False]]
    assert ids.dtype == torch.int64


def test_what_is_no_text_and_no_token_is_refused() -> None:
    words = Vocabulary.build(["a"])
    with pytest.raises(EmptyText, match="no token in the text; expected at least one"):
        words.tokens("  ")
    with pytest.raises(EmptyText, match="The texts hold no token"):
        Vocabulary.build(["", " "])
    with pytest.raises(InputError, match="Token 5 is not in this vocabulary; expected 0 to 4"):
        words.decode([4, 5])
    with pytest.raises(EmptyText, match="A text without tokens came"):
        padded([(1,), ()])


def test_a_vocabulary_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"The entries begin with \('a', 'b'\)"):
        Vocabulary(("a", "b"), "word")
    with pytest.raises(InputError, match="'a' is in the vocabulary twice"):
        Vocabulary(("<pad>", "<unk>", "<start>", "<end>", "a", "a"), "word")


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="level is 'char'; expected one of 'word', 'character'"):
        Vocabulary.build(["a b"], level="char")  # type: ignore[arg-type]


SOURCE = '''"""What it is for,
in two lines."""

# why
x = 1


def f():
    """Says so."""
    return x  # one
'''


def test_lines_are_counted_without_blanks_comments_and_docstrings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "counted_by_hand.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    import counted_by_hand

    assert lines_of_code(counted_by_hand) == 3
    assert 300 < lines_of_code(*ENCODER) < 900


def test_the_files_named_for_an_encoder_are_those_that_run() -> None:
    ran: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        ran.add(frame.f_code.co_filename)

    config = TransformerConfig(vocab_size=9, d_model=8, n_heads=2, n_layers=1, d_ff=8, embedding=BERT)
    sinusoidal = TransformerConfig(**{**config.__dict__, "norm": "pre", "embedding": PAPER})
    sys.setprofile(note)
    try:
        for each in (config, sinusoidal):
            Encoder(each).eval()(torch.ones(1, 3, dtype=torch.long), is_token=torch.ones(1, 3, dtype=torch.bool))
    finally:
        sys.setprofile(None)
    ours = str(Path(attnviz.__file__).parent)
    named = {module.__file__ for module in (*ENCODER, *AROUND)}
    assert {name for name in ran if name.startswith(ours)} == named
