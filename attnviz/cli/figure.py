"""`attnviz figure`: a figure of a run as a file."""

from __future__ import annotations

import argparse
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.cli import command
from attnviz.cli.command import MODEL, Answer
from attnviz.cli.runs import run_of

if TYPE_CHECKING:
    from attnviz.trace.trace import Trace

OF_ONE_HEAD = ("pattern", "arcs", "tokens", "why", "difference")
# Of each kind the options that it needs and those that it may have; every other one is refused.
USES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pattern": (("head",), ()),
    "arcs": (("head",), ("row",)),
    "tokens": (("head", "row"), ()),
    "why": (("head", "row", "key"), ()),
    "difference": (("head", "other"), ()),
    "heads": (("head",), ()),
    "distance": (("head",), ()),
    "head-map": (("metric",), ()),
    "scatter": (("metric", "against"), ()),
    "similarity": (("beside",), ()),
    "wrote": (("token",), ("row", "against")),
    "lens": ((), ("token",)),
    "patching": (("other",), ("token", "against", "what", "direction", "layers", "position")),
    "training": ((), ()),
}
WHAT = ("heads", "positions", "edges", "feed-forward", "residual")  # of `av.patch`
DIRECTION = ("denoising", "noising")
RUNS_AGAIN = ("difference", "patching")  # a model, for the second text


def add(commands: Any) -> None:
    one = command.add(
        commands, figure,
        'attnviz figure pattern minilm-l6 --text "The cat sat." --head 4.10 --out head.svg\n'
        'attnviz figure head-map minilm-l6 --text "The cat sat." --metric entropy --out heads.pdf\n'
        'attnviz figure wrote induction --text "a b c a b" --token c --out wrote.html\n'
        'attnviz figure patching induction --text "a b c a b" --other "a b d a b" --what residual --out patched.svg\n'
        'attnviz figure difference induction --text "a b c a b" --other "a b d a b" --head 1.1 --out difference.svg\n'
        'attnviz figure similarity minilm-l6 --beside reverse --text "a b c" --out alike.svg',
    )  # fmt: skip
    one.add_argument("kind", choices=tuple(USES), help="what it shows; docs/figures.md has a table")
    one.add_argument(
        "model", metavar="source",
        help=f"{MODEL}; or a trace saved as FILE.safetensors; of training, the folder that `attnviz train` wrote",
    )  # fmt: skip
    one.add_argument("--text", help="what a model reads; a saved trace has its own")
    one.add_argument("--target", help="the second text, for a model that translates one into another")
    one.add_argument(
        "--head", action="append", default=[], metavar="LAYER.HEAD",
        help="or SITE.HEAD, such as decoder.0.cross.3, which counts from 0; again for each head of `heads`, `distance`",
    )  # fmt: skip
    one.add_argument("--row", type=int, metavar="TOKEN", help="the token that looks: of arcs, tokens, why and wrote")
    one.add_argument("--key", type=int, metavar="TOKEN", help="the token that is looked at, of why")
    one.add_argument(
        "--other", metavar="TEXT", help="whose run each part of --text is put into, of patching; B, of difference"
    )
    one.add_argument("--beside", metavar="SOURCE", help="the model or saved trace that is B, of similarity")
    one.add_argument(
        "--token", help="the next token whose logit is taken apart, of wrote, or watched, of patching and lens"
    )
    one.add_argument("--metric", help="of head-map, and up of scatter: a column of av.head_metrics")
    one.add_argument("--against", help="the metric across, of scatter; the other token, of wrote and patching")
    one.add_argument("--what", choices=WHAT, help="of patching: what is put into the other run (heads)")
    one.add_argument("--direction", choices=DIRECTION, help="of patching: which run is put into which (denoising)")
    one.add_argument("--layers", type=int, nargs="+", metavar="LAYER", help="of patching: only parts in these")
    one.add_argument("--position", type=int, metavar="TOKEN", help="of patching: the row whose logits are watched")
    one.add_argument("--count-from", type=int, choices=(0, 1), default=0, help="of layers, heads and tokens (0)")
    one.add_argument("--theme", choices=("light", "dark"), default="light")
    one.add_argument("--lang", choices=("en", "zh-CN", "zh-TW"), default="en")
    one.add_argument("--out", required=True, type=Path, metavar="FILE", help="ends in .svg, .pdf, .png, .html or .json")


def figure(asked: argparse.Namespace) -> Answer:
    """Draw a figure of a run for a paper: a head, all heads, or what a prediction is made of or depends on."""
    from attnviz import figures, options  # plotly and torch load here
    from attnviz.figures.save import check_ending

    kind = asked.kind
    needed, taken = USES[kind]
    given = {name for uses in USES.values() for name in (*uses[0], *uses[1]) if getattr(asked, name) not in (None, [])}
    missing = [f"--{name}" for name in needed if name not in given]
    if missing:
        asked.refuse(f"a figure `{kind}` needs {', '.join(missing)}")
    unused = sorted(f"--{name}" for name in given.difference(needed, taken))
    if unused:
        asked.refuse(f"a figure `{kind}` takes no {', '.join(unused)}")
    if kind in OF_ONE_HEAD and len(asked.head) > 1:
        asked.refuse(f"a figure `{kind}` is of one --head; `heads` shows several")
    if kind == "patching" and (asked.token is None) != (asked.against is None):
        asked.refuse("--token and --against are watched together: the logit of one minus that of the other")
    if kind in RUNS_AGAIN and asked.model.endswith(".safetensors"):
        asked.refuse(f"{asked.model} is a saved trace; a figure `{kind}` runs a model again")
    check_ending(asked.out)  # before a model is loaded for nothing
    options(count_from=asked.count_from)
    if kind == "training":
        drawn, name = _training(asked), asked.model
    else:
        trace = run_of(asked)
        drawn, name = _drawn(asked, trace, [_head(asked, trace, word) for word in asked.head]), trace.card.id
    figures.save(drawn, asked.out)
    title = unescape(drawn.layout.title.text.replace("<br>", " "))
    return Answer({"file": str(asked.out), "model": name, "title": title}, [f"{asked.out}: {title}"])


def _training(asked: argparse.Namespace) -> Any:
    from attnviz.training.bundled_models import FOLDER
    from attnviz.training.head_formation import head_formation

    if asked.text is None:
        asked.refuse("a figure `training` needs --text, in the words of its task")
    shipped = FOLDER / Path(asked.model).name
    folder = shipped if asked.model == shipped.name and shipped.is_dir() else asked.model
    return head_formation(folder, asked.text).figure(theme=asked.theme, lang=asked.lang)


def _drawn(asked: argparse.Namespace, trace: Trace, heads: list[tuple[str, int]]) -> Any:
    import attnviz as av

    look: dict[str, Any] = {"theme": asked.theme, "lang": asked.lang}
    row, key, position = (_index(asked, name) for name in ("row", "key", "position"))
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
            chosen = {name: getattr(asked, name) for name in ("what", "direction") if getattr(asked, name) is not None}
            layers = None if asked.layers is None else [_layer(asked, layer) for layer in asked.layers]
            return av.patch(
                av.load(asked.model), asked.text, asked.other, metric=watched, layers=layers, target=asked.target,
                position=position, **chosen,
            ).figure(**look)  # fmt: skip
        case "difference":
            other = av.load(asked.model).trace(asked.other, target=asked.target)
            return av.compare(trace, other).difference(*heads[0]).figure(**look)
        case "similarity":
            is_saved = asked.beside.endswith(".safetensors")
            beside = av.Trace.load(asked.beside) if is_saved else av.load(asked.beside).trace(trace.tokens.source.given)
            return av.compare(trace, beside).figure(**look)
        case _:
            return av.logit_lens(trace, token=asked.token).figure(**look)


def _index(asked: argparse.Namespace, name: str) -> Any:
    """A token's number as code has it, from 0; None where none was given."""
    given = getattr(asked, name)
    if given == 0 and asked.count_from == 1:
        asked.refuse(f"--{name} 0: with --count-from 1 the first token is 1, and the last one -1")
    return given if given is None or given < 0 else given - asked.count_from


def _layer(asked: argparse.Namespace, layer: int) -> int:
    """A layer's number as code has it, from 0."""
    if layer < asked.count_from:
        asked.refuse(f"--layers {layer}: the first layer is {asked.count_from}")
    return layer - asked.count_from


def _head(asked: argparse.Namespace, trace: Trace, word: str) -> tuple[str, int]:
    """LAYER.HEAD as `--count-from` counts, or SITE.HEAD as code does."""
    place, _, head = word.rpartition(".")
    if not (place and head.isdecimal()):
        asked.refuse(f"--head takes LAYER.HEAD, such as 4.10, or SITE.HEAD, such as encoder.4.self.10; got {word}")
    if not place.isdecimal():
        return place, int(head)
    if head == "0" and asked.count_from == 1:
        asked.refuse(f"--head {word}: with --count-from 1 the first head of a layer is 1")
    layer = int(place) - asked.count_from
    sites = [site.key for site in trace.sites if site.layer == layer and site.kind == "self"]
    if len(sites) != 1:
        named = ", ".join(f"{site.key}.{head}" for site in trace.sites if site.layer == layer)
        layers = sorted({site.layer + asked.count_from for site in trace.sites})
        hint = f"say which: {named}" if named else f"expected a layer from {layers[0]} to {layers[-1]}"
        asked.refuse(f"--head {word}: {hint}")
    return sites[0], int(head) - asked.count_from
