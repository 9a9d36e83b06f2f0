"""`attnviz figure`: a figure of a run as a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli import command
from attnviz.cli.command import MODEL, Answer
from attnviz.cli.runs import run_of

if TYPE_CHECKING:
    from attnviz.trace.trace import Trace

OF_ONE_HEAD = ("pattern", "arcs", "tokens", "why")
OF_HEADS = ("heads", "distance")
KINDS = (*OF_ONE_HEAD, *OF_HEADS, "head-map", "scatter", "wrote", "lens", "patching")


def add(commands: Any) -> None:
    one = command.add(
        commands, figure,
        'attnviz figure pattern minilm-l6 --text "The cat sat." --head 4.10 --out head.svg\n'
        'attnviz figure head-map minilm-l6 --text "The cat sat." --metric entropy --out heads.pdf\n'
        'attnviz figure wrote induction --text "a b c a b" --token c --out wrote.html\n'
        'attnviz figure patching induction --text "a b c a b" --other "a b d a b" --out patched.svg',
    )  # fmt: skip
    one.add_argument("kind", choices=KINDS, help="what it shows; docs/figures.md has a table")
    one.add_argument("model", metavar="source", help=f"{MODEL}; or a trace saved as FILE.safetensors")
    one.add_argument("--text", help="what a model reads; a saved trace has its own")
    one.add_argument("--target", help="the second text, for a model that translates one into another")
    one.add_argument(
        "--head", action="append", default=[], metavar="LAYER.HEAD",
        help="or SITE.HEAD, such as decoder.0.cross.3, which counts from 0; again for each head of `heads`, `distance`",
    )  # fmt: skip
    one.add_argument("--row", type=int, metavar="TOKEN", help="the token that looks: of arcs, tokens, why and wrote")
    one.add_argument("--key", type=int, metavar="TOKEN", help="the token that is looked at, of why")
    one.add_argument("--other", metavar="TEXT", help="whose run each head of --text is put into, of patching")
    one.add_argument("--token", help="the next token whose logit is taken apart, of wrote, or watched, of patching")
    one.add_argument("--metric", help="of head-map, and up of scatter: a column of av.head_metrics")
    one.add_argument("--against", help="the metric across, of scatter; the other token, of wrote and patching")
    one.add_argument("--count-from", type=int, choices=(0, 1), default=0, help="of layers, heads and tokens (0)")
    one.add_argument("--theme", choices=("light", "dark"), default="light")
    one.add_argument("--lang", choices=("en", "zh-CN", "zh-TW"), default="en")
    one.add_argument("--out", required=True, type=Path, metavar="FILE", help="ends in .svg, .pdf, .png, .html or .json")


def figure(asked: argparse.Namespace) -> Answer:
    """Draw a figure of a run for a paper: a head, all heads, or what a prediction is made of or depends on."""
    from attnviz import figures, options  # plotly and torch load here
    from attnviz.figures.save import check_ending

    kind = asked.kind
    needed = {"--head": kind in OF_ONE_HEAD + OF_HEADS, "--metric": kind in ("head-map", "scatter"),
              "--against": kind == "scatter", "--token": kind == "wrote", "--row": kind in ("tokens", "why"),
              "--key": kind == "why", "--other": kind == "patching"}  # fmt: skip
    missing = [name for name, is_needed in needed.items() if is_needed and getattr(asked, name[2:]) in (None, [])]
    if missing:
        asked.refuse(f"a figure `{kind}` needs {', '.join(missing)}")
    if kind in OF_ONE_HEAD and len(asked.head) > 1:
        asked.refuse(f"a figure `{kind}` is of one --head; `heads` shows several")
    if kind == "patching":
        if (asked.token is None) != (asked.against is None):
            asked.refuse("--token and --against are watched together: the logit of one minus that of the other")
        if asked.model.endswith(".safetensors"):
            asked.refuse(f"{asked.model} is a saved trace; a figure `patching` runs a model again")
    check_ending(asked.out)  # before a model is loaded for nothing
    options(count_from=asked.count_from)
    trace = run_of(asked)
    drawn = _drawn(asked, trace, [_head(asked, trace, word) for word in asked.head])
    figures.save(drawn, asked.out)
    title = drawn.layout.title.text
    return Answer({"file": str(asked.out), "model": trace.card.id, "title": title}, [f"{asked.out}: {title}"])


def _drawn(asked: argparse.Namespace, trace: Trace, heads: list[tuple[str, int]]) -> Any:
    import attnviz as av

    look: dict[str, Any] = {"theme": asked.theme, "lang": asked.lang}
    row, key = (_index(asked, name) for name in ("row", "key"))
    match asked.kind:
        case "pattern":
            return trace.figure(*heads[0], **look)
        case "arcs":
            return av.figures.arcs(trace, *heads[0], query=row, **look)
        case "tokens":
            return av.figures.tokens(trace, *heads[0], query=row, **look)
        case "heads":
            return av.figures.heads(trace, heads, **look)
        case "distance":
            return av.figures.distance(trace, heads, **look)
        case "head-map":
            return av.head_metrics(trace).figure(asked.metric, **look)
        case "scatter":
            return av.head_metrics(trace).figure(asked.metric, asked.against, **look)
        case "why":
            return av.why(trace, *heads[0], row, key).figure(**look)
        case "wrote":
            return av.wrote(trace, -1 if row is None else row, asked.token, asked.against).figure(**look)
        case "patching":
            watched = None if asked.token is None else (asked.token, asked.against)
            model = av.load(asked.model)
            return av.patch(model, asked.text, asked.other, metric=watched, target=asked.target).figure(**look)
        case _:
            return av.logit_lens(trace).figure(**look)


def _index(asked: argparse.Namespace, name: str) -> Any:
    """A token's number as code has it, from 0; None where none was given."""
    given = getattr(asked, name)
    if given == 0 and asked.count_from == 1:
        asked.refuse(f"--{name} 0: with --count-from 1 the first token is 1, and the last one -1")
    return given if given is None or given < 0 else given - asked.count_from


def _head(asked: argparse.Namespace, trace: Trace, word: str) -> tuple[str, int]:
    """LAYER.HEAD as `--count-from` counts, or SITE.HEAD as code does."""
    place, _, head = word.rpartition(".")
    if not (place and head.isdecimal()):
        asked.refuse(f"--head takes LAYER.HEAD, such as 4.10, or SITE.HEAD, such as encoder.4.self.10; got {word}")
    if not place.isdecimal():
        return place, int(head)
    layer = int(place) - asked.count_from
    sites = [site.key for site in trace.sites if site.layer == layer and site.kind == "self"]
    if len(sites) != 1:
        named = ", ".join(f"{site.key}.{head}" for site in trace.sites if site.layer == layer)
        layers = sorted({site.layer + asked.count_from for site in trace.sites})
        hint = f"say which: {named}" if named else f"expected a layer from {layers[0]} to {layers[-1]}"
        asked.refuse(f"--head {word}: {hint}")
    return sites[0], int(head) - asked.count_from
