"""What the closer looks at sizes show, as blocks: why scores are divided by √dₖ, what attention costs, what is kept."""

import functools
from collections.abc import Sequence

from attnviz.explanation.closer_looks.cache import LENGTHS as CACHE_LENGTHS
from attnviz.explanation.closer_looks.cache import CacheSizes
from attnviz.explanation.closer_looks.cost import LENGTHS, Cost, attention_cost, recurrent_cost
from attnviz.explanation.closer_looks.scaling import DRAWS, KEYS, WIDTHS, WidthRow, scaling_rows
from attnviz.text import Strings, figure
from attnviz.views.panel import Block, Chart, Curve, Fact, Facts, Prose, Table
from attnviz.views.stepper.chain_words import SYMBOLS

SEED = 0
RAW, SCALED = "q·k", "q·k ÷ √dₖ"  # symbols, the same in every language
MEASURED = ("spread", "largest", "gradient")
RAIL = {"q": "Q", "k": "K", "v": "V"} | SYMBOLS  # what steps are called over the picture; others have a message
UNITS = ("B", "kB", "MB", "GB", "TB")


def why_scale(width: int, say: Strings) -> tuple[Block, ...]:
    """Spread, largest weight and gradient at head widths from 4 to 512 and at a model's own, divided and not."""
    rows, widths = _rows(width), say("look-why-scale-width")
    x = [row.width for row in rows]
    names = [say(f"look-why-scale-{measure}") for measure in MEASURED]
    charts = []
    for what, name in zip(MEASURED, names, strict=True):
        raw, scaled = [getattr(row.raw, what) for row in rows], [getattr(row.scaled, what) for row in rows]
        curves = [Curve(RAW, raw), Curve(SCALED, scaled)]
        charts.append(Chart(name, x, curves, widths, log_x=True, log_y=what == "spread"))
    heads = [head for name in names for head in (name, say("look-why-scale-divided", name=name))]
    table = [
        [str(row.width), *(figure(getattr(made, measure)) for measure in MEASURED for made in (row.raw, row.scaled))]
        for row in rows
    ]
    drawn = Prose(say("look-why-scale-drawn", draws=DRAWS, keys=KEYS, seed=SEED))
    return *charts, drawn, Table([widths, *heads], table, say("look-why-scale-own", width=width), x.index(width))


@functools.cache
def _rows(width: int) -> tuple[WidthRow, ...]:
    """The usual widths, and a model's own; each width has the same draws on every page."""
    usual = scaling_rows(seed=SEED)
    mine = () if width in WIDTHS else scaling_rows((width,), seed=SEED)
    return tuple(sorted((*usual, *mine), key=lambda row: row.width))


def of_layer(
    n: int, d_model: int, n_heads: int, n_kv_heads: int, window: int | None, say: Strings
) -> tuple[Block, ...]:
    """Multiply-adds and bytes of one layer of a model's shape: at `n` tokens, and at every length."""
    who = [say("look-cost-attention"), say("look-cost-recurrent")]
    who += [] if window is None else [say("look-cost-windowed", window=window)]

    def costs(n: int) -> list[Cost]:
        whole, recurrent = attention_cost(n, d_model, n_heads, n_kv_heads), recurrent_cost(n, d_model)
        return [whole, recurrent, *([attention_cost(n, d_model, n_heads, n_kv_heads, window)] if window else [])]

    by_length, (attention, recurrent, *_) = [costs(n) for n in LENGTHS], costs(n)
    return (
        _here(attention, recurrent, say),
        _against_length(
            say("look-cost-products"), [[cost.multiply_adds for cost in one] for one in by_length], who, say
        ),
        _against_length(say("look-cost-bytes"), [[cost.n_bytes for cost in one] for one in by_length], who, say),
        Prose(say("look-cost-counted", width=d_model, heads=n_heads, keys=n_kv_heads)),
        *([] if window is None else [Prose(say("look-cost-window", window=window))]),
        _by_length(by_length, who, say),
    )


def _here(attention: Cost, recurrent: Cost, say: Strings) -> Facts:
    """The sentence on the page."""
    return Facts([
        Fact(say("look-cost-here"), figure(attention.n)),
        Fact(say("look-cost-products"), figure(attention.multiply_adds)),
        Fact(say("look-cost-bytes"), _bytes(attention.n_bytes)),
        Fact(
            say("look-cost-turns"), figure(attention.rows_in_turn), say("look-cost-against", n=recurrent.rows_in_turn)
        ),
        Fact(say("look-cost-path"), figure(attention.farthest), say("look-cost-against", n=recurrent.farthest)),
    ])  # fmt: skip


def _against_length(name: str, values: list[list[int]], who: Sequence[str], say: Strings) -> Chart:
    curves = [Curve(one, [pair[at] for pair in values]) for at, one in enumerate(who)]
    return Chart(name, LENGTHS, curves, say("look-cost-length"), log_x=True, log_y=True)


def _by_length(by_length: list[list[Cost]], who: Sequence[str], say: Strings) -> Table:
    measures = [say(f"look-cost-{measure}") for measure in ("products", "bytes", "turns", "path")]
    heads = [say("look-cost-of", what=what, who=one) for what in measures for one in who]
    rows = [
        [
            f"{costs[0].n:,}", *(figure(one.multiply_adds) for one in costs), *(_bytes(one.n_bytes) for one in costs),
            *(f"{cost.rows_in_turn:,}" for cost in costs), *(f"{cost.farthest:,}" for cost in costs),
        ]
        for costs in by_length
    ]  # fmt: skip
    return Table([say("look-cost-length"), *heads], rows, title=say("look-cost-by-length"))


def by_step(cost: Cost, step: str, say: Strings) -> Table:
    """Step by step; `step` is the one on the page."""
    rows = [[_on_rail(name, say), figure(n.multiply_adds), _bytes(n.n_bytes)] for name, n in cost.steps.items()]
    total = [say("look-cost-total"), figure(cost.multiply_adds), _bytes(cost.n_bytes)]
    heads = [say("look-cost-step"), say("look-cost-products"), say("look-cost-bytes")]
    marked = list(cost.steps).index(step) if step in cost.steps else None
    return Table(heads, [*rows, total], title=say("look-cost-by-step", n=cost.n), marked=marked)


def _on_rail(step: str, say: Strings) -> str:
    """What a step is called over the picture: QKᵀ, × V, Output; scores by their title, as the factor may be another."""
    return RAIL.get(step) or say("stepper-title-scores" if step == "scores" else f"stepper-stop-{step}")


def cache_lengths(longest: int | None) -> tuple[int, ...]:
    """How many tokens a cache is counted for, up to as many as the model reads; None = no such limit."""
    return CACHE_LENGTHS if longest is None else (*(n for n in CACHE_LENGTHS if n < longest), longest)


def cache(sizes: CacheSizes, n: int, lengths: Sequence[int], say: Strings) -> tuple[Block, ...]:
    """What a token after n others computes and reads, and the bytes of the cache with and without groups.

    Args:
        lengths: of `cache_lengths`.
    """
    one = say("look-cache-numbers", layers=sizes.n_layers, heads=sizes.n_kv_heads, width=sizes.width)
    facts = [
        Fact(say("look-cache-adds"), f"{sizes.n_layers * sizes.numbers_a_layer:,}", one),
        Fact(say("look-cache-reads"), f"{sizes.numbers(n):,}", _read(sizes, n, say)),
        Fact(say("look-cache-bytes"), _bytes(sizes.n_bytes(n)), say("look-cache-each", n=sizes.number)),
    ]
    whole = sizes.ungrouped
    if whole != sizes:
        note = say("look-cache-times", times=figure(sizes.n_heads / sizes.n_kv_heads), heads=sizes.n_heads)
        facts.append(Fact(say("look-cache-ungrouped"), _bytes(whole.n_bytes(n)), note))
    return Facts(facts), *_windows(sizes, say), _one_more(sizes, n, say), *_cache_by_length(sizes, lengths, say)


def _read(sizes: CacheSizes, n: int, say: Strings) -> str:
    """Whose keys and values: of all tokens, or of fewer in the layers whose window has been reached."""
    fewest, cut = min(sizes.kept(n)), sum(kept < n for kept in sizes.kept(n))
    if not cut:
        return say("look-cache-of", n=n)
    return say("look-cache-of-window", n=n, kept=fewest, layers=cut, all=sizes.n_layers)


def _windows(sizes: CacheSizes, say: Strings) -> tuple[Block, ...]:
    """In which layers a token sees only so many."""
    windows = [window for window in sizes.windows if window is not None]
    if not windows:
        return ()
    return (Prose(say("look-cache-window", layers=len(windows), all=sizes.n_layers, window=min(windows))),)


def _one_more(sizes: CacheSizes, n: int, say: Strings) -> Table:
    kept, anew = sizes.steps(n), sizes.steps_anew(n)
    rows = [[_on_rail(step, say), f"{kept[step]:,}", f"{anew[step]:,}"] for step in kept]
    total = [say("look-cost-total"), *(f"{sum(counted.values()):,}" for counted in (kept, anew))]
    heads = [say("look-cost-step"), say("look-cache-with"), say("look-cache-without")]
    return Table(heads, [*rows, total], title=say("look-cache-one-more", n=n))


def _cache_by_length(sizes: CacheSizes, lengths: Sequence[int], say: Strings) -> tuple[Block, ...]:
    whole = sizes.ungrouped
    grouped = say("look-cache-grouped", heads=sizes.n_kv_heads) if whole != sizes else say("look-cache-this")
    named = [(grouped, sizes), *([(say("look-cache-own", heads=whole.n_heads), whole)] if whole != sizes else [])]
    curves = [Curve(name, [one.n_bytes(n) for n in lengths]) for name, one in named]
    rows = [[f"{n:,}", *(_bytes(one.n_bytes(n)) for _, one in named)] for n in lengths]
    title, length = say("look-cache-by-length"), say("look-cost-length")
    chart = Chart(title, lengths, curves, length, log_x=True, log_y=True)
    return chart, Table([length, *(name for name, _ in named)], rows, title=title)


def _bytes(n: int) -> str:
    """4,100,000 -> 4.1 MB."""
    size, at = float(n), 0
    while size >= 999.5 and at < len(UNITS) - 1:
        size, at = size / 1000, at + 1
    return f"{figure(size)} {UNITS[at]}"
