"""From words to X: ids, rows of the embedding table, the factor √D, positions. Each step is what the model did."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.core.site import Stack
from attnviz.explanation.matrices import ONE, Axis, Matrix, Reading, StepMatrix
from attnviz.explanation.model_steps.parts import add_step, features, norm_step, state, tokens_of
from attnviz.explanation.model_steps.table import BY_NAME
from attnviz.explanation.recompute import proved
from attnviz.trace.trace import Trace

WAVE = 10_000.0  # the longest wavelength of sinusoidal positions is 2π times this; Vaswani et al. 2017, section 3.5


def has_embedding(trace: Trace, stack: Stack) -> bool:
    """Whether this trace holds the table and X, so that the way from words to X can be shown."""
    return f"{stack}.embed" in trace.matrices and f"{stack}.embed" in trace.stream


def embedding_steps(trace: Trace, stack: Stack) -> tuple[StepMatrix, ...]:
    """The steps from words to X of one stack.

    Raises:
        StepError: this trace does not hold the embedding table.
    """
    own, point = trace.parameters(f"{stack}.embed"), f"{stack}.embed"
    scale = float(own["scale"])
    steps = [_tokens(trace, stack, own["table"])]
    if scale != 1.0:
        steps.append(_scaled(trace, steps[-1].written, scale))
    parts = [steps[-1].written]
    if "positions" in own:
        places = _sinusoid if bool(own["is_sinusoidal"]) else _learned
        steps.append(places(trace, stack, own["positions"]))
        parts.append(steps[-1].written)
    if "types" in own:  # every token of a text alone is of type 0
        kind = own["types"][:1].expand(len(parts[0].values), -1)  # [T, D]
        parts.append(Matrix(f"{point}.types", "type", kind, parts[0].rows, parts[0].columns))
    is_normed = "gain" in own
    if len(parts) > 1:
        total = torch.stack([part.values for part in parts]).sum(0) if is_normed else None  # [T, D]
        written = state(trace, stack, f"{point}.sum", "sum", total) if is_normed else state(trace, stack, point)
        steps.append(add_step(trace, "embed", "embed", written, parts))
    if is_normed:
        whole, normed = steps[-1].written, trace.stream[point]  # [T, D]
        steps.append(norm_step(trace, "embed-norm", whole, point, key=point, shown="X", written=normed))
    return tuple(steps)


def _tokens(trace: Trace, stack: Stack, table: Tensor) -> StepMatrix:
    """Each token's own row of the table, [V, D] -> [T, D]; of the table only the rows that were read."""
    rows = tokens_of(trace, stack)
    read = trace.tokens.target if rows.text == "target" else trace.tokens.source
    assert read is not None
    ids = Matrix(f"{stack}.ids", "ids", torch.tensor(read.ids, dtype=torch.float32)[:, None], rows, ONE)  # [T, 1]
    texts = dict(zip(read.ids, read.text, strict=True))
    return _looked_up(trace, "tokens", f"{stack}.tokens", "E", ids, table, texts)


def _learned(trace: Trace, stack: Stack, table: Tensor) -> StepMatrix:
    rows = tokens_of(trace, stack)
    places = Matrix(f"{stack}.places", "t", torch.arange(rows.size, dtype=torch.float32)[:, None], rows, ONE)  # [T, 1]
    return _looked_up(trace, "positions", f"{stack}.positions", "P", places, table, {})


def _looked_up(
    trace: Trace, name: str, key: str, shown: str, index: Matrix, table: Tensor, texts: dict[int, str]
) -> StepMatrix:
    numbers = [int(number) for number in index.values[:, 0]]
    ids = tuple(sorted(set(numbers)))
    columns = features(table.shape[-1])
    own = table[list(ids)]  # [rows read, D]
    lines = Axis("vocabulary", "V", len(ids), tuple(f"{number} {texts.get(number, '')}".strip() for number in ids))
    rows = Matrix(f"{key}.table", "table", own, lines, columns)
    written = Matrix(key, shown, table[numbers], index.rows, columns)  # [T, D]
    facts = {"size": float(len(table))}
    step = StepMatrix(BY_NAME[name], "embed", written, (Reading(index), Reading(rows)), ids=ids, facts=facts)
    return proved(step, trace.edits)


def _scaled(trace: Trace, tokens: Matrix, scale: float) -> StepMatrix:
    written = Matrix(f"{tokens.key}.scaled", "E·√D", tokens.values * scale, tokens.rows, tokens.columns)  # [T, D]
    step = StepMatrix(BY_NAME["scaled"], "embed", written, (Reading(tokens),), factors={"√D": scale})
    return proved(step, trace.edits)


def _sinusoid(trace: Trace, stack: Stack, table: Tensor) -> StepMatrix:
    rows, columns = tokens_of(trace, stack), features(table.shape[-1])
    written = Matrix(f"{stack}.positions", "P", table[: rows.size], rows, columns)  # [T, D]
    facts = {"base": WAVE, "width": float(columns.size), "offset": 0.0}
    return proved(StepMatrix(BY_NAME["sinusoid"], "embed", written, (), facts=facts), trace.edits)
