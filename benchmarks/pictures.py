"""Files of attention beside BertViz's and CircuitsVis's, of one seeded model of GPT-2's size: megabytes, and memory.

`make bench-peers` runs it where those two are installed; alone it measures ours.
"""

import time
from collections.abc import Callable
from functools import partial

from torch import Tensor

from attnviz import views
from attnviz.trace.trace import Trace
from benchmarks import gpt2size
from benchmarks.table import Row, bytes_in_proc, not_measured

MB = 1e6
HEADS_TARGET, WIRE_TARGET, LAYER_TARGET, GROWTH_TARGET = 3.0, 1.5, 3.5, 300.0


def measure() -> list[Row]:
    model = gpt2size.ours()
    short, long = model.trace(gpt2size.text_of(128)), model.trace(gpt2size.text_of(512))
    before = _most_memory()
    view = views.heads(long)
    growth = _most_memory() - before
    rows = [
        Row("Heads as HTML, 12x12 heads, 128 tokens", len(views.heads(short).html()) / MB, HEADS_TARGET, "MB"),
        Row("Heads on the wire, 12x12 heads, 128 tokens", len(views.heads(short).payload) / MB, WIRE_TARGET, "MB"),
        Row("Heads as HTML, 12x12 heads, 512 tokens", len(view.html()) / MB, LAYER_TARGET, "MB", "BertViz: one layer"),
        Row("Heads, all at 512 tokens: memory grows", growth, GROWTH_TARGET, "MB"),
    ]
    for name, made in (("BertViz", bertviz), ("CircuitsVis", circuitsvis)):
        try:
            rows += made(short, long)
        except Exception as error:  # a peer in another version, or none
            rows.append(not_measured(name, "MB", error))
    return rows


def bertviz(short: Trace, long: Trace) -> list[Row]:
    from bertviz import head_view, model_view

    every, layer = (partial(view, html_action="return") for view in (model_view, head_view))
    return [
        _row("BertViz model_view, 12x12 heads, 128 tokens", lambda: every(_attention(short), _tokens(short)).data),
        _row("BertViz head_view, one layer, 512 tokens", lambda: layer(_attention(long, 1), _tokens(long)).data),
    ]


def circuitsvis(short: Trace, long: Trace) -> list[Row]:
    from circuitsvis.attention import attention_patterns

    def layer(trace: Trace) -> str:
        return str(attention_patterns(tokens=_tokens(trace), attention=_attention(trace, 1)[0][0]))

    return [
        _row("CircuitsVis, one layer, 128 tokens", lambda: layer(short)),
        _row("CircuitsVis, one layer, 512 tokens", lambda: layer(long)),
    ]


def _row(claim: str, made: Callable[[], str]) -> Row:
    before, start = _most_memory(), time.perf_counter()
    size = len(made()) / MB
    note = f"{time.perf_counter() - start:.1f} s, memory grows {max(0, _most_memory() - before):.0f} MB"
    return Row(claim, size, None, "MB", note)


def _attention(trace: Trace, n_layers: int | None = None) -> list[Tensor]:
    """Their format: [1, H, T, T] for each layer."""
    return [trace[site].weights()[None] for site in trace.sites[:n_layers]]


def _tokens(trace: Trace) -> list[str]:
    return list(trace.tokens.source.text)


def _most_memory() -> float:
    return bytes_in_proc("self/status", "VmHWM") / MB
