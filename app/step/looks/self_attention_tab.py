"""Closer looks of self-attention: why scores are divided by √dₖ, and what attention costs."""

from functools import cache

import streamlit as st
from attnviz_app.step.looks.look import Look

from attnviz.explanation.closer_looks.cost import LENGTHS, Cost, attention_cost, recurrent_cost
from attnviz.explanation.closer_looks.scaling import DRAWS, KEYS, WIDTHS, WidthRow, scaling_rows
from attnviz.text import Strings, figure
from attnviz.views.panel import Block, Chart, Curve, Fact, Facts, Prose, Table
from attnviz.views.stepper.chain_words import matrix_name

SEED = 0
RAW, SCALED = "q·k", "q·k ÷ √dₖ"  # symbols, the same in every language
MEASURED = ("spread", "largest", "gradient")
LETTERS = {"q": "Q", "k": "K", "v": "V"}  # steps that are called by a letter; the others have a name
UNITS = ("B", "kB", "MB", "GB", "TB")
USUAL_LENGTH = 1_000


def show_why_scale(look: Look) -> None:
    """Spread, largest weight and gradient at head widths from 4 to 512, with and without the division."""
    say, own = look.say, _width(look)
    rows = _rows(own)
    names = [say(f"look-why-scale-{it}") for it in MEASURED]
    charts = [_against_width(it, name, rows, say) for it, name in zip(MEASURED, names, strict=True)]
    heads = [head for name in names for head in (name, say("look-why-scale-divided", name=name))]
    table = [
        [str(row.width), *(figure(getattr(made, it)) for it in MEASURED for made in (row.raw, row.scaled))]
        for row in rows
    ]
    title, marked = say("look-why-scale-own", width=own), [row.width for row in rows].index(own)
    drawn = Prose(say("look-why-scale-drawn", draws=DRAWS, keys=KEYS, seed=SEED))
    look.draw([*charts, drawn, Table([say("look-why-scale-width"), *heads], table, title, marked)])


def show_cost(look: Look) -> None:
    """Multiply-adds and bytes of one layer of this model's shape: by number of tokens, and step by step."""
    say, n_heads = look.say, look.trace[look.now.site].n_heads
    d_model = n_heads * _width(look)
    pairs = [(attention_cost(n, d_model, n_heads), recurrent_cost(n, d_model)) for n in LENGTHS]
    who = (say("look-cost-attention"), say("look-cost-recurrent"))
    products, memory = say("look-cost-products"), say("look-cost-bytes")
    blocks: list[Block] = [
        _here(look, d_model, n_heads),
        _against_length(products, [[cost.multiply_adds for cost in pair] for pair in pairs], who, say),
        _against_length(memory, [[cost.n_bytes for cost in pair] for pair in pairs], who, say),
        Prose(say("look-cost-counted", width=d_model, heads=n_heads)),
        _by_length(pairs, who, say),
    ]
    look.draw(blocks)
    label = "look-cost-length"
    n = st.select_slider(say(label), LENGTHS, USUAL_LENGTH, key=label, format_func="{:,}".format, width=420)
    by_step = _by_step(attention_cost(n, d_model, n_heads), look)
    look.draw([by_step], panel="steps", title=by_step.title)


@cache
def _rows(own: int) -> tuple[WidthRow, ...]:
    """The usual widths, and the one of the heads on the page; each width has the same draws on every page."""
    usual = scaling_rows(seed=SEED)
    mine = () if own in WIDTHS else scaling_rows((own,), seed=SEED)
    return tuple(sorted((*usual, *mine), key=lambda row: row.width))


def _width(look: Look) -> int:
    """d_k of the heads on the page."""
    return int(look.trace[look.now.site].source.v.shape[-1])


def _against_width(measured: str, name: str, rows: tuple[WidthRow, ...], say: Strings) -> Chart:
    curves = [
        Curve(RAW, [getattr(row.raw, measured) for row in rows]),
        Curve(SCALED, [getattr(row.scaled, measured) for row in rows]),
    ]
    x, x_title = [row.width for row in rows], say("look-why-scale-width")
    return Chart(name, x, curves, x_title, log_x=True, log_y=measured == "spread")


def _against_length(name: str, values: list[list[int]], who: tuple[str, str], say: Strings) -> Chart:
    curves = [Curve(one, [pair[at] for pair in values]) for at, one in enumerate(who)]
    return Chart(name, LENGTHS, curves, say("look-cost-length"), log_x=True, log_y=True)


def _here(look: Look, d_model: int, n_heads: int) -> Facts:
    """The sentence on the page."""
    say, n = look.say, len(look.trace.query_tokens(look.site))
    cost, recurrent = attention_cost(n, d_model, n_heads), recurrent_cost(n, d_model)
    return Facts([
        Fact(say("look-cost-here"), figure(n)),
        Fact(say("look-cost-products"), figure(cost.multiply_adds)),
        Fact(say("look-cost-bytes"), _bytes(cost.n_bytes)),
        Fact(say("look-cost-turns"), figure(cost.rows_in_turn), say("look-cost-against", n=recurrent.rows_in_turn)),
        Fact(say("look-cost-path"), figure(cost.farthest), say("look-cost-against", n=recurrent.farthest)),
    ])  # fmt: skip


def _by_length(pairs: list[tuple[Cost, Cost]], who: tuple[str, str], say: Strings) -> Table:
    measures = [say(f"look-cost-{it}") for it in ("products", "bytes", "turns", "path")]
    heads = [say("look-cost-of", what=what, who=one) for what in measures for one in who]
    rows = [
        [
            f"{a.n:,}", figure(a.multiply_adds), figure(b.multiply_adds), _bytes(a.n_bytes), _bytes(b.n_bytes),
            f"{a.rows_in_turn:,}", f"{b.rows_in_turn:,}", f"{a.farthest:,}", f"{b.farthest:,}",
        ]
        for a, b in pairs
    ]  # fmt: skip
    return Table([say("look-cost-length"), *heads], rows, title=say("look-cost-by-length"))


def _by_step(cost: Cost, look: Look) -> Table:
    say = look.say
    step = look.now.at.step.split(".")[0] if look.now.at else ""
    rows = [
        [LETTERS.get(name) or matrix_name(name, say.language), figure(it.multiply_adds), _bytes(it.n_bytes)]
        for name, it in cost.steps.items()
    ]
    total = [say("look-cost-total"), figure(cost.multiply_adds), _bytes(cost.n_bytes)]
    heads = [say("look-cost-step"), say("look-cost-products"), say("look-cost-bytes")]
    marked = list(cost.steps).index(step) if step in cost.steps else None
    return Table(heads, [*rows, total], title=say("look-cost-by-step", n=cost.n), marked=marked)


def _bytes(n: int) -> str:
    """4,100,000 -> 4.1 MB."""
    size, at = float(n), 0
    while size >= 999.5 and at < len(UNITS) - 1:
        size, at = size / 1000, at + 1
    return f"{figure(size)} {UNITS[at]}"
