"""`attnviz compare`: the heads of two models, or of two saved traces. It computes nothing itself."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import Answer, fetching, measuring, records


def add(commands: Any) -> None:
    one = command.add(
        commands, compare,
        "attnviz compare minilm-l6 reverse --sentences 20\n"
        'attnviz compare minilm-l6 reverse --text "a b c" --pair encoder.2.self 3 encoder.1.self 0',
    )  # fmt: skip
    one.add_argument("a", help="a model's name or folder, or a trace saved as FILE.safetensors")
    one.add_argument("b", help="the same")
    one.add_argument("--text", help="compare on this one text; over sentences that both read if not given")
    one.add_argument("--pair", nargs="+", metavar="SITE HEAD", help="two heads on the text: A's and, if another, B's")
    one.add_argument("--sentences", type=int, default=50, metavar="N", help="how many sentences (50)")
    one.add_argument("--language", choices=("en", "zh"), help="of the sentences; the first that both read if not given")
    one.add_argument("--file", type=Path, metavar="SENTENCES.txt", help="your own: at most 500, one a line")
    one.add_argument("--csv", action="store_true", help="all pairs of heads, as CSV")
    one.add_argument("--seconds", type=float, default=600.0, help="end after so long with what was measured (600)")


def compare(asked: argparse.Namespace) -> Answer:
    """Compare every head of one model with every head of another."""
    from attnviz.analysis.compare import common_sentences, similarity
    from attnviz.analysis.compare import compare as laid_over
    from attnviz.analysis.heads.sentences import MOST_LINES, read_list
    from attnviz.export import compare_table as table
    from attnviz.export.csv_text import csv_text
    from attnviz.trace.trace import Trace

    if not 1 <= asked.sentences <= MOST_LINES:
        asked.refuse(f"--sentences takes a number from 1 to {MOST_LINES}; got {asked.sentences}")
    if "untrained:" in (asked.a[:10], asked.b[:10]):
        asked.refuse("untrained: models are compared on the dashboard's Compare page, not here")
    pair = None if asked.pair is None else _heads_of_pair(asked)
    sentences = None if asked.file is None else read_list(asked.file)
    a, b = (load() for load in [_side(name) for name in (asked.a, asked.b)])  # both names are read first
    traced = [side for side in (a, b) if isinstance(side, Trace)]
    if not traced and asked.text is None:
        if pair is not None:
            asked.refuse("--pair compares two heads on one text: give --text")
        sentences = sentences or common_sentences(a, b, asked.sentences, asked.language)
        result = similarity(a, b, sentences, max_seconds=asked.seconds, on_progress=measuring(f"{asked.a}, {asked.b}"))
        lines = [csv_text(result.frame()).rstrip()] if asked.csv else table.similarity_lines(result)
        return Answer({"a": asked.a, "b": asked.b, "pairs": records(result.frame())}, lines)
    text = traced[0].tokens.source.source if asked.text is None else asked.text
    runs = [side if isinstance(side, Trace) else side.trace(text) for side in (a, b)]
    together = laid_over(*runs)
    if pair is not None:
        (site_a, head_a), (site_b, head_b) = pair
        apart = together.difference(site_a, head_a, site_b, head_b)
        data = {"js": apart.js, "cosine": apart.cosine, "correlation": apart.correlation}
        return Answer({"a": pair[0], "b": pair[1], **data}, table.difference_lines(apart))
    lines = [csv_text(together.heads).rstrip()] if asked.csv else table.comparison_lines(together)
    return Answer({"a": asked.a, "b": asked.b, "pairs": records(together.heads)}, lines)


def _side(name: str) -> Callable[[], Any]:
    """What loads a model, or a trace that was saved in a file; a name that is not known is refused at once."""
    from attnviz.catalog import loader, placement
    from attnviz.trace.trace import Trace

    if Path(name).suffix == ".safetensors":
        return lambda: Trace.load(name)
    return loader(name, placement(None, None), fetching(name))


def _heads_of_pair(asked: argparse.Namespace) -> list[tuple[str, int]]:
    """SITE HEAD, the same in both, or SITE HEAD SITE HEAD."""
    words = asked.pair if len(asked.pair) == 4 else asked.pair * 2
    if len(words) != 4 or not (words[1].isdecimal() and words[3].isdecimal()):
        asked.refuse(f"--pair takes SITE HEAD, or A's and then B's, such as encoder.2.self 9; got {asked.pair}")
    return [(words[0], int(words[1])), (words[2], int(words[3]))]
