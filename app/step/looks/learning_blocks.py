"""What the closer look at learning shows, as blocks: a few numbers of W_Q through one step of gradient descent."""

from decimal import Decimal
from itertools import product

from attnviz_app.step.looks.token_slice import numbered

from attnviz.text import Strings
from attnviz.training.gradient_step import GradientStep
from attnviz.views.panel.blocks import Block, Fact, Facts, Map, Maps, Prose, Table

LISTED = 5  # numbers, those with the largest gradients
DECIMALS = (6, 7, 5, 8, 4)  # the first with which the arithmetic can be done again


def learning(made: GradientStep, name: str, say: Strings) -> tuple[Block, ...]:
    """One step, as arithmetic and as colours; `name` is what the matrix is called."""
    width = made.before.shape[1]
    places = [divmod(int(place), width) for place in made.gradient.abs().flatten().topk(LISTED).indices]
    rows = [
        (
            say("look-learning-place", row=row + 1, column=column + 1),
            *agreeing(float(made.before[row, column]), float(made.gradient[row, column]), made.rate),
        )
        for row, column in places
    ]
    columns = (name, *(say(f"look-learning-{part}") for part in ("before", "gradient", "change", "after")))
    limit = float(made.before.abs().max())
    return (
        Facts([
            Fact(
                say("look-learning-loss"), f"{made.loss:.4f} → {made.loss_after:.4f}",
                say("look-learning-loss-note", n=made.n),
            ),
        ]),
        Table(columns, rows, say("look-learning-title", name=name), marked=0),
        Prose(say("look-learning-how")),
        Maps([
            Map(
                title, values, numbered(len(values)), numbered(width), "signed", limit=most, marked=places[0],
                row_axis=say("look-learning-row"), column_axis=say("look-axis-column"),
            )
            for title, values, most in (
                (say("look-learning-map", name=name), made.before, limit),
                (say("look-learning-map-gradient"), made.gradient, float(made.gradient.abs().max()) or 1.0),
            )
        ]),
    )  # fmt: skip


def agreeing(number: float, gradient: float, rate: float) -> tuple[str, str, str, str]:
    """A number, its gradient, what is taken away and the new number: printed so that the printed ones recompute."""
    change, after = rate * gradient, number - rate * gradient
    for decimals, more in product(DECIMALS, range(3)):
        was, less, new = (Decimal(x).quantize(Decimal(1).scaleb(-decimals)) for x in (number, change, after))
        slope = Decimal(gradient).quantize(Decimal(1).scaleb(-decimals - more))
        if was - less == new and (Decimal(str(rate)) * slope).quantize(less) == less:
            break
    return written(was), written(slope), written(less), written(new)


def written(number: Decimal) -> str:
    return f"{number:f}".replace("-", "\N{MINUS SIGN}")
