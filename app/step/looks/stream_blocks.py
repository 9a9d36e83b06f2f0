"""What the closer looks at the residual stream show, as blocks: how alike tokens become, and where norms stand."""

from collections.abc import Callable, Sequence

from attnviz_app.step.looks.token_slice import of_tokens, said, token_map

from attnviz.core.site import Stack
from attnviz.explanation.closer_looks.norm_order import Ordered
from attnviz.explanation.closer_looks.residual_stream import TokenSimilarity, row_lengths
from attnviz.explanation.model_steps.block import Block as Layer
from attnviz.text import Strings
from attnviz.text.numbers import figure
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Chart, Curve, Fact, Facts, Maps, Prose, Table

USUAL_ORDERS = ("post", "pre")
ALL_POINTS = 3  # of a stack with so few points of its stream, all are drawn


def likeness(
    cosines: TokenSimilarity, tokens: Tokens, named: Tokens, first: int, second: int, say: Strings, *, block: int,
    start: int = 0,
) -> tuple[Block, ...]:  # fmt: skip
    """The cosine of two tokens from block to block, and that of all pairs before the first block and after others.

    Args:
        named: the same tokens as the rows of a map are called.
        block: the last of those whose output is drawn, counted from 1. In short stacks, earlier blocks are drawn too.
    """
    drawn = range(block + 1) if len(cosines.points) <= ALL_POINTS else (0, block)
    pair, part = cosines.pair(first, second), of_tokens(tokens, start)
    name = say("look-likeness-pair", first=tokens.name(first), second=tokens.name(second))
    maps = [
        token_map(
            point_name(cosines.points[at], say), cosines.cosines[at], of_tokens(named, start), part, say, "signed",
            axes=("token", "token"), marked=(first, second),
        )
        for at in drawn
    ]  # fmt: skip
    return (
        Facts([Fact(point_name(cosines.points[at], say), figure(pair[at]), name) for at in drawn]),
        Chart(
            say("look-likeness-chart"), range(len(pair)),
            [Curve(name, pair), Curve(say("look-likeness-mean"), cosines.means)],
            say("look-blocks-passed"),
        ),
        *said(say, part),
        Maps(maps),
    )  # fmt: skip


def norm_order(trace: Trace, stack: Stack, layer: int, say: Strings, *, name: str) -> tuple[Block, ...]:
    """Where the norms of this model stand, and how long its vectors grow.

    Raises:
        StepError: this trace holds no stream of that stack.
    """
    return (*_which(Layer(trace, stack, layer), say, name=name), *_here(trace, stack, say))


def _which(layer: Layer, say: Strings, *, name: str) -> tuple[Block, ...]:
    order = _order(layer)
    orders = [*USUAL_ORDERS, *([order] if order and order not in USUAL_ORDERS else [])]
    rules = [(say(f"look-norm-order-{norm}"), say(f"look-norm-order-{norm}-rule")) for norm in orders]
    columns = (say("look-norm-order-norm"), say("look-norm-order-rule"))
    if order is None:
        return (Table(columns, rules), Prose(say("look-norm-order-unknown", model=name)))
    at = orders.index(order)
    return (Table(columns, rules, marked=at), Prose(say("look-norm-order-is", model=name, norm=rules[at][0])))


def _order(layer: Layer) -> str | None:
    """Where the norms of a block stand; None where the trace does not hold them."""
    if f"{layer.key}.self_norm" not in layer.trace.matrices:
        return None
    if f"{layer.key}.self_norm_after" in layer.trace.matrices:
        return "both"
    return "parallel" if layer.is_parallel else "pre" if layer.is_pre("self") else "post"


def _here(trace: Trace, stack: Stack, say: Strings) -> tuple[Block, ...]:
    lengths = row_lengths(trace, stack)
    part = of_tokens(row_tokens(trace, stack))
    rows = [
        (token, *(figure(float(length)) for length in lengths.lengths[:, at])) for at, token in enumerate(part.names)
    ]
    return (
        Chart(
            say("look-norm-order-here"), range(len(lengths.points)),
            [Curve(say("look-norm-order-mean"), lengths.means)], say("look-blocks-passed"),
        ),
        *said(say, part),
        Table(
            (say("look-axis-token"), *(point_name(point, say) for point in lengths.points)), rows,
            say("look-norm-order-tokens"),
        ),
    )  # fmt: skip


def both_orders(compared: Sequence[Ordered], say: Strings, *, seed: int) -> tuple[Block, ...]:
    """The same words through both, untrained."""
    x = range(len(compared[0].lengths))

    def chart(what: str, numbers: Callable[[Ordered], Sequence[float]], *, log_y: bool = False) -> Chart:
        curves = [Curve(say(f"look-norm-order-{one.norm}"), numbers(one)) for one in compared]
        return Chart(say(what), x, curves, say("look-blocks-passed"), log_y=log_y)

    return (
        Prose(say("look-norm-order-untrained", n=len(x) - 1, seed=seed)),
        chart("look-norm-order-lengths", lambda one: one.lengths),
        chart("look-norm-order-gradients", lambda one: one.gradients, log_y=True),
    )


def point_name(point: str, say: Strings) -> str:
    """A point of the stream: before the first block, or after one, counted from 1."""
    layer = point.split(".")[1]
    return say("look-before-blocks") if layer == "embed" else say("look-after-block", n=int(layer) + 1)
