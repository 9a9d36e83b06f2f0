"""What the closer looks at the order of words show, as blocks: the table of positions, what shuffling does, and why of
two rotated tokens the distance alone counts.
"""

import math
from collections.abc import Mapping

from attnviz_app.step.looks.token_slice import MOST, TokenSlice, numbered, of_tokens, said, token_map
from torch import Tensor

from attnviz.core.site import Stack
from attnviz.explanation.closer_looks.distance import RotatedPair
from attnviz.explanation.closer_looks.residual_stream import cosines
from attnviz.explanation.closer_looks.shuffle import Shuffled
from attnviz.models.positions import sinusoidal_positions
from attnviz.text import Strings
from attnviz.text.numbers import figure, signed
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Chart, Curve, Dial, Dials, Fact, Facts, Map, Maps, Prose, Table

FAR = 63  # tokens apart, up to which a score is drawn by distance
WAVES = 4  # columns that are drawn as curves, spread over the width


def positions(trace: Trace, stack: Stack, say: Strings, *, name: str) -> tuple[Block, ...]:
    """The table of positions of one stack, as the model has it."""
    matrices = trace.matrices.get(f"{stack}.embed", {})
    if "positions" not in matrices:
        return (Prose(say("look-positions-none", model=name)),)
    is_waves = bool(matrices["is_sinusoidal"])
    tokens = trace.tokens.target if stack == "decoder" and trace.tokens.target is not None else trace.tokens.source
    enough = 2 * matrices["positions"].shape[1]  # of a narrow table more than the text has, for its waves to be seen
    drawn = matrices["positions"][: min(MOST, max(len(tokens), enough))].float()  # [P, d_model]
    rows = tuple(f"{at + 1} {tokens.text[at]}" if at < len(tokens) else str(at + 1) for at in range(len(drawn)))
    title = say("look-positions-waves" if is_waves else "look-positions-learned")
    table = _table(title, drawn, rows, say, limit=1.0 if is_waves else float(drawn.abs().max()))
    alike = Map(
        say("look-positions-alike"), cosines(drawn), rows, rows, "signed", limit=1.0,
        row_axis=say("look-positions-position"), column_axis=say("look-positions-position"),
    )  # fmt: skip
    blocks: list[Block] = [_facts(matrices, tokens, say), Maps([table, alike])]
    if is_waves:
        return (*blocks, _curves(drawn, say))
    waves = sinusoidal_positions(*drawn.shape)  # [P, d_model]
    return (*blocks, Maps([_table(say("look-positions-compare"), waves, rows, say, limit=1.0)]))


def _table(title: str, values: Tensor, rows: tuple[str, ...], say: Strings, *, limit: float) -> Map:
    return Map(
        title, values, rows, numbered(values.shape[1]), "signed", limit=limit or 1.0,
        row_axis=say("look-positions-position"), column_axis=say("look-axis-column"),
    )  # fmt: skip


def _facts(matrices: Mapping[str, Tensor], tokens: Tokens, say: Strings) -> Facts:
    rows = matrices["positions"][: len(tokens)].float()  # [T, d_model]
    words = matrices["table"][list(tokens.ids)].float() * float(matrices["scale"])  # [T, d_model]
    n, width = matrices["positions"].shape
    return Facts([
        Fact(say("look-positions-size"), f"{n} × {width}", say("look-positions-axes")),
        Fact(say("look-positions-length"), figure(float(rows.norm(dim=-1).mean())), say("look-positions-mean")),
        Fact(say("look-positions-token-length"), figure(float(words.norm(dim=-1).mean())), say("look-positions-mean")),
    ])  # fmt: skip


def _curves(drawn: Tensor, say: Strings) -> Chart:
    places, width = drawn.shape
    chosen = sorted({at * width // WAVES // 2 * 2 for at in range(min(WAVES, width))})
    return Chart(
        say("look-positions-curves"), range(1, places + 1),
        [Curve(say("look-positions-column", n=at + 1), drawn[:, at].tolist()) for at in chosen],
        say("look-positions-position"),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------- shuffling


def shuffle(
    without: Shuffled, positioned: Shuffled, head: int, say: Strings, *, seed: int, start: int = 0
) -> tuple[Block, ...]:
    """What another order of the words changes without positions, and what with them."""
    both = ((say("look-shuffle-without"), without), (say("look-shuffle-with"), positioned))
    tokens, site = without.base.tokens.source, without.base.sites[0]
    results = {True: say("look-shuffle-same"), False: say("look-shuffle-other")}
    rows = [(name, figure(ran.weights), figure(ran.stream), results[ran.is_same]) for name, ran in both]
    columns = ("", say("look-shuffle-weights"), say("look-shuffle-stream"), say("look-shuffle-result"))
    part = of_tokens(tokens, start)
    words = (("look-shuffle-base", range(len(tokens))), ("look-shuffle-seed", without.order))
    read = [(say(id, seed=seed), " ".join(tokens.text[at] for at in order)) for id, order in words]
    return (
        Table(("", say("look-shuffle-words")), read),
        Table(columns, rows),
        *([Prose(say("look-shuffle-causal"))] if without.base[site].source.mask.causal else []),
        *said(say, part),
        Prose(say("look-shuffle-maps", head=head + 1)),
        *(Maps(_maps(name, ran, head, part, say)) for name, ran in both),
    )


def _maps(name: str, ran: Shuffled, head: int, part: TokenSlice, say: Strings) -> list[Map]:
    """The first layer's weights over the words in order, over the shuffled words put back, and what differs."""
    site = ran.base.sites[0]
    back = sorted(range(len(ran.order)), key=ran.order.__getitem__)  # where each word of the text stands in the other
    base, other = ran.base[site].weights(head), ran.shuffled[site].weights(head)[back][:, back]  # [T, T] each
    return [
        token_map(name, base, part, part, say),
        token_map(say("look-shuffle-back"), other, part, part, say),
        token_map(say("look-shuffle-difference"), other - base, part, part, say, "signed"),
    ]


# ------------------------------------------------------------------------------------------------------- distance


def distance(
    pair: RotatedPair, score: float, names: tuple[str, str], scale: Mapping[str, float], say: Strings, *, moved: int,
    apart: int, most: int,
) -> tuple[Block, ...]:  # fmt: skip
    """The score of two rotated tokens when both are moved, and when only the query is.

    Args:
        score: their score in the run. names: the query's token and the key's.
        scale: what q·k is multiplied by, of `scale_factors`.
        moved: by how many positions both are moved. apart: the distance that the query then has from the key.
        most: how far both can be moved.
    """
    key = pair.key + moved
    at = (key + apart, key)  # positions of the query and the key
    adds, arrows = pair.of_pairs(*at).tolist(), _angles(pair, *at)  # P each
    drawn = zip(arrows, adds, strict=True)
    return (
        _scores(pair, score, at, names, scale, say, most=most),
        Dials(
            say("look-distance-pairs"), (("q", f"q {names[0]}"), ("k", f"k {names[1]}")),
            [Dial(str(index), angles, signed(add, 3)) for index, (angles, add) in enumerate(drawn)],
        ),
        _by_distance(pair, apart, say),
        _pairs(pair, arrows, adds, say),
    )  # fmt: skip


def _angles(pair: RotatedPair, query: int, key: int) -> list[tuple[float, float]]:
    """Where the arrows of q and k of each pair point, in radians."""
    both = pair.turned(pair.q, query), pair.turned(pair.k, key)  # [P, 2] each
    first, second = ([math.atan2(b, a) for a, b in vector.tolist()] for vector in both)
    return list(zip(first, second, strict=True))


def _scores(
    pair: RotatedPair, score: float, at: tuple[int, int], names: tuple[str, str], scale: Mapping[str, float],
    say: Strings, *, most: int,
) -> Facts:  # fmt: skip
    """Positions count from 0, as in the angle's formula."""
    query, key = names
    return Facts([
        Fact(
            say("look-distance-score"), f"{pair.score(*at):.3f}".replace("-", "−"),
            say("look-distance-places", query=query, m=at[0], key=key, n=at[1]),
        ),
        Fact(
            say("look-distance-own"), f"{score:.3f}".replace("-", "−"),
            say("look-distance-places", query=query, m=pair.query, key=key, n=pair.key),
        ),
        Fact(say("look-distance-scale"), f"× {figure(pair.scale)}", " · ".join(map(_symbol, scale))),
        Fact(say("look-distance-stays", most=most), figure(pair.spread(most)), say("look-distance-rounding")),
    ])  # fmt: skip


def _symbol(factor: str) -> str:
    """1/√d_k as it is written: 1/√dₖ."""
    return factor.replace("_k", "ₖ")


def _by_distance(pair: RotatedPair, apart: int, say: Strings) -> Chart:
    tokens = range(min(0, apart), max(FAR, apart) + 1)
    scores = [pair.score(pair.key + far, pair.key) for far in tokens]
    return Chart(
        say("look-distance-chart"), tokens, [Curve(say("look-distance-score"), scores)], say("look-distance-tokens"),
        marked=tokens.index(apart),
    )  # fmt: skip


def _pairs(pair: RotatedPair, arrows: list[tuple[float, float]], adds: list[float], say: Strings) -> Table:
    """A pair is called by its i, from 0, as in θ^(−2i/d_k) and over the arrows; its numbers count from 1."""
    lengths = (pair.q.norm(dim=-1) * pair.k.norm(dim=-1)).tolist()  # P, |q| · |k|
    numbers = [say("look-distance-pair", a=a + 1, b=b + 1) for a, b in pair.columns]
    of_pairs = zip(numbers, pair.frequencies.tolist(), lengths, arrows, adds, strict=True)
    rows = [
        (
            str(index), columns, _degrees(frequency), figure(length), _degrees(math.remainder(q - k, math.tau)),
            signed(add, 3),
        )
        for index, (columns, frequency, length, (q, k), add) in enumerate(of_pairs)
    ]  # fmt: skip
    names = ("index", "numbers", "each-token", "lengths", "between", "adds")
    columns = tuple(say(f"look-distance-{name}") for name in names)
    return Table(columns, rows, say("look-distance-table"), bars=adds)


def _degrees(angle: float) -> str:
    return f"{figure(math.degrees(angle))}°"
