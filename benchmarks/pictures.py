"""Files of attention of a seeded model of GPT-2's size: megabytes, and memory. docs/peers.md has those of others."""

from attnviz import views
from benchmarks import gpt2size
from benchmarks.table import Row, bytes_in_proc

MB = 1e6
HEADS_TARGET, WIRE_TARGET, LAYER_TARGET, GROWTH_TARGET = 3.0, 1.5, 3.5, 300.0


def measure() -> list[Row]:
    model = gpt2size.ours()
    short, long = model.trace(gpt2size.text_of(128)), model.trace(gpt2size.text_of(512))
    before = _most_memory()
    view = views.heads(long)
    growth = _most_memory() - before
    return [
        Row("Heads as HTML, 12x12 heads, 128 tokens", len(views.heads(short).html()) / MB, HEADS_TARGET, "MB"),
        Row("Heads on the wire, 12x12 heads, 128 tokens", len(views.heads(short).payload) / MB, WIRE_TARGET, "MB"),
        Row("Heads as HTML, 12x12 heads, 512 tokens", len(view.html()) / MB, LAYER_TARGET, "MB"),
        Row("Heads, all at 512 tokens: memory grows", growth, GROWTH_TARGET, "MB"),
    ]


def _most_memory() -> float:
    return bytes_in_proc("self/status", "VmHWM") / MB
