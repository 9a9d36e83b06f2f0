"""What the closer looks of the tab Multi-head show, as blocks: two heads, torch's own layer, a gradient.

The numbers come from attnviz.analysis and attnviz.explanation; nothing is computed here but shares of them.
"""

from attnviz_app.step.looks.token_slice import TokenSlice, numbered, of_tokens, said, token_map
from torch import Tensor

from attnviz.core import ops
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import PROJECTIONS
from attnviz.explanation.closer_looks.gradients import CellGradient
from attnviz.explanation.closer_looks.torch_layer import TorchCheck
from attnviz.explanation.closer_looks.two_heads import HeadDifference, head_difference, head_differences
from attnviz.explanation.head_view import HeadView
from attnviz.text import Strings, signed
from attnviz.text.numbers import figure
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Fact, Facts, Map, Maps, Prose, Table

# What a cell is derived by beside Q, K and V, and what is called the size of its gradient.
BY = {"x": "look-gradient-by-x", "x_key": "look-gradient-by-x-key"}
SIZE = {"x": "look-gradient-size-x", "x_key": "look-gradient-size-x-key", "v": "look-gradient-size-v"}
FLOAT_STEP = 2.0**-23  # the relative distance of two neighbouring float32 numbers


def farthest_head(record: AttentionRecord, head: int) -> int:
    return int(head_differences(record)[head].argmax())


def two_heads(
    trace: Trace, site: str | Site, first: int, second: int, say: Strings, *, start: int = 0
) -> tuple[Block, ...]:
    record = trace[site]
    queries, keys = row_tokens(trace, record.site.stack), trace.key_tokens(record.site)
    rows, columns = of_tokens(queries, start), of_tokens(keys, start)
    difference = head_difference(record, first, second)
    maps = [
        token_map(say("look-two-heads-head", n=head + 1), record.weights(head), rows, columns, say)
        for head in (first, second)
    ]
    title = say("look-two-heads-difference", first=first + 1, second=second + 1)
    maps.append(token_map(title, difference.difference, rows, columns, say, "signed", marked=difference.farthest))
    return (
        _how_far(queries, keys, difference, say),
        *said(say, rows, columns),
        Maps(maps),
        _row_by_row(rows, keys, record, difference, say),
        Prose(say("look-two-heads-table")),
        Maps([_every_two(record, (first, second), say)]),
    )


def _how_far(queries: Tokens, keys: Tokens, difference: HeadDifference, say: Strings) -> Facts:
    row, column = difference.farthest
    alike = int(difference.same_choice.sum())
    return Facts([
        Fact(say("look-two-heads-moved"), percent(difference.mean_moved), say("look-two-heads-moved-note")),
        Fact(
            say("look-two-heads-same"), say("look-two-heads-same-of", alike=alike, n=len(queries)),
            say("look-two-heads-same-note"),
        ),
        Fact(
            say("look-two-heads-farthest"), signed(float(difference.difference[row, column]), 2),
            f"{say('look-axis-query')} {queries.name(row)} · {say('look-axis-key')} {keys.name(column)}",
        ),
    ])  # fmt: skip


def _row_by_row(
    rows: TokenSlice, keys: Tokens, record: AttentionRecord, difference: HeadDifference, say: Strings
) -> Table:
    weights = [record.weights(head) for head in (difference.first, difference.second)]  # [T_q, T_k] each
    shares = [(name, *(_most(of_head[row], keys) for of_head in weights), percent(float(difference.moved[row])))
              for row, name in enumerate(rows.names, rows.first)]  # fmt: skip
    most = (say("look-two-heads-most", n=head + 1) for head in (difference.first, difference.second))
    columns = (say("look-axis-query"), *most, say("look-two-heads-moved"))
    return Table(columns, shares, say("look-two-heads-rows"), marked=int(difference.moved[rows.cut].argmax()))


def _most(weights: Tensor, keys: Tokens) -> str:
    key = int(weights.argmax())
    return f"{keys.name(key)} {percent(float(weights[key]))}" if bool(weights.any()) else "–"  # may look at nothing


def _every_two(record: AttentionRecord, pair: tuple[int, int], say: Strings) -> Map:
    heads = [str(head + 1) for head in range(record.n_heads)]
    return Map(
        say("look-two-heads-all"), head_differences(record), heads, heads, "share", limit=1.0, marked=pair,
        row_axis=say("look-axis-head"), column_axis=say("look-axis-head"),
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------- torch's own layer


def torch_check(trace: Trace, site: str | Site, check: TorchCheck, say: Strings) -> tuple[Block, ...]:
    """The largest differences from torch.nn.MultiheadAttention, and what they are relative to."""
    record = trace[site]
    made = (
        (say("look-torch-check-out"), check.out, float(record.out().abs().max())),
        (say("look-torch-check-weights"), check.weights, float(record.weights().max())),
        (say("look-torch-check-gradients"), check.gradients, check.largest_gradient),
    )
    rows = [(name, figure(far), figure(largest), figure(far / largest)) for name, far, largest in made if largest]
    columns = ("", *(say(f"look-torch-check-{part}") for part in ("difference", "largest", "relative")))
    size = f"{record.n_heads} × {record.n_queries} × {record.n_keys}"
    return (
        Facts([
            Fact(say("look-torch-check-worst"), figure(max(far / largest for _, far, largest in made if largest)),
                 say("look-torch-check-worst-note", step=FLOAT_STEP)),
            Fact(say("look-torch-check-size"), size, say("look-torch-check-axes")),
        ]),
        Table(columns, rows),
        Prose(say("look-torch-check-how")),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------- a gradient


def gradient(
    trace: Trace, site: str | Site, of_cell: CellGradient, say: Strings, *, query: int, feature: int, head: int,
    is_out: bool, start: int = 0,
) -> tuple[Block, ...]:  # fmt: skip
    """The derivative of one output cell by Q, K and V of one head, and by X.

    Args:
        query, feature: the cell. head: whose q, k and v are shown.
        is_out: whether the cell is of the output of all heads; else of this head's context.
    """
    record = trace[site]
    queries, keys = row_tokens(trace, record.site.stack), trace.key_tokens(record.site)
    by = _of_head(of_cell, record, head)
    maps = []
    for name, values in by.items():
        rows = of_tokens(queries if name in ("q", "x") or record.site.kind == "self" else keys, start)
        title = _by(HeadView.of(trace, site, head), name, say)
        maps.append(Map(
            title, values[rows.cut], rows.names, numbered(values.shape[1]), "signed",
            limit=float(values.abs().max()) or 1.0, row_axis=say("look-axis-token"),
            column_axis=say("look-axis-column"),
        ))  # fmt: skip
    what = say("look-gradient-out") if is_out else say("look-gradient-context", head=head + 1)
    fact = Fact(what, figure(of_cell.value), say("look-gradient-cell", token=queries.name(query), n=feature + 1))
    return (
        Facts([fact]),
        *said(say, of_tokens(queries, start), of_tokens(keys, start)),
        Maps(maps),
        *([Prose(say("look-gradient-no-x"))] if "x" not in of_cell.maps else []),
        _by_token(by, record, of_tokens(keys, start), say, query=query, head=head, is_out=is_out),
    )


def _by(view: HeadView, name: str, say: Strings) -> str:
    """What a map is the derivative by; Q, K and V by the names and heads that they have in the steps."""
    if name in BY:
        return say(BY[name])
    letter = next(projection for projection in PROJECTIONS if projection == name)
    return say("look-gradient-by", name=view.of_head(letter).name, head=view.head_of(letter) + 1)


def _of_head(of_cell: CellGradient, record: AttentionRecord, head: int) -> dict[str, Tensor]:
    """Q, K and V of one head, and X where it is known: [T, d_k] and [T, d_model]."""
    shared = of_cell.maps["k"].shape[0]  # several heads may share one key head
    group = ops.kv_head(head, record.n_heads, shared)
    maps = {"q": of_cell.maps["q"][head], "k": of_cell.maps["k"][group], "v": of_cell.maps["v"][group]}
    return maps | {name: of_cell.maps[name] for name in BY if name in of_cell.maps}


def _by_token(
    by: dict[str, Tensor], record: AttentionRecord, keys: TokenSlice, say: Strings, *, query: int, head: int,
    is_out: bool,
) -> Table:  # fmt: skip
    """What a small change of a token's vector would change, beside the weight it has: they are not the same."""
    name = next(name for name in ("x_key", "x", "v") if name in by)
    sizes = by[name].norm(dim=-1)[keys.cut]  # [T_k]
    is_mean = is_out and name != "v"  # X reaches the output through every head
    weights = record.weights(rows=slice(query, query + 1))[:, 0, keys.cut]  # [H, T_k]
    shares = weights.mean(0) if is_mean else weights[head]  # [T_k]
    rows = [(token, percent(float(share)), figure(float(size)))
            for token, share, size in zip(keys.names, shares, sizes, strict=True)]  # fmt: skip
    weight = say("look-gradient-mean-weight") if is_mean else say("look-gradient-weight", head=head + 1)
    columns = (say("look-axis-token"), weight, say(SIZE[name]))
    return Table(columns, rows, say("look-gradient-tokens"), marked=int(sizes.argmax()))


def percent(share: float) -> str:
    """A share in whole percents: what would round to none and is not is "<1%"."""
    if share > 0.005:
        return f"{share:.0%}"
    return "<1%" if share > 0 else "0%"
