"""From words to X: ids, rows of the embedding table, the factor √d_model, positions; each step as the model did it."""

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.core.site import Site, Stack
from attnviz.explanation.head_view import features
from attnviz.explanation.matrices import ONE, Axis, Matrix, RunStep
from attnviz.explanation.step_makers import norm_step, stack_tokens, state
from attnviz.trace.trace import Trace

WAVE = 10_000.0  # the longest wavelength of sinusoidal positions is 2π times this; Vaswani et al. 2017, section 3.5


def embedding_steps(trace: Trace, stack: Stack) -> tuple[RunStep, ...]:
    parameters, point = trace.parameters(f"{stack}.embed"), f"{stack}.embed"
    scale, is_normed = float(parameters["scale"]), "gain" in parameters
    steps = [_tokens(trace, stack, parameters["table"])]
    if scale != 1.0:
        steps.append(_scaled(steps[-1].result, scale))
    addends = [steps[-1].result]
    if "positions" in parameters:
        positions = _sinusoid if bool(parameters["is_sinusoidal"]) else _learned
        steps.append(positions(trace, stack, parameters["positions"]))
        addends.append(steps[-1].result)
    if "types" in parameters:  # every token of a single text is of type 0
        type_0 = parameters["types"][:1].expand(len(addends[0].values), -1)  # [T, d_model]
        addends.append(Matrix(f"{point}.types", "type", type_0, addends[0].rows, addends[0].columns))
    if len(addends) > 1:
        total = torch.stack([addend.values for addend in addends]).sum(0) if is_normed else None  # [T, d_model]
        result = state(trace, stack, f"{point}.sum", "sum", total) if is_normed else state(trace, stack, point)
        steps.append(RunStep.of("embed", result, *addends))
    if is_normed:
        whole, normed = steps[-1].result, trace.stream[point]  # [T, d_model]
        steps.append(norm_step(trace, "embed-norm", whole, point, key=point, shown="X", values=normed))
    elif len(addends) == 1:  # nothing is added: positions rotate q and k instead
        steps[-1] = replace(steps[-1], result=state(trace, stack, point))
    return tuple(steps)


def _tokens(trace: Trace, stack: Stack, table: Tensor) -> RunStep:
    """Each token's own row of the table: [V, d_model] -> [T, d_model]."""
    read, rows = trace.query_tokens(Site(stack, "self", 0)), stack_tokens(trace, stack)
    ids = Matrix(f"{stack}.ids", "ids", torch.tensor(read.ids, dtype=torch.float32)[:, None], rows, ONE)  # [T, 1]
    return _looked_up("tokens", f"{stack}.tokens", "E", ids, table, "V", dict(zip(read.ids, read.text, strict=True)))


def _learned(trace: Trace, stack: Stack, table: Tensor) -> RunStep:
    """The row of each position, of as many as a text may have tokens: [T_max, d_model] -> [T, d_model]."""
    rows = stack_tokens(trace, stack)
    ids = Matrix(f"{stack}.places", "t", torch.arange(rows.size, dtype=torch.float32)[:, None], rows, ONE)  # [T, 1]
    return _looked_up("positions", f"{stack}.positions", "P", ids, table, "T_max", {})


def _looked_up(
    name: str, key: str, shown: str, index: Matrix, table: Tensor, letter: str, texts: dict[int, str]
) -> RunStep:
    """Rows of a table; of the table, only the rows that were read are here."""
    numbers = [int(number) for number in index.values[:, 0]]
    ids = tuple(sorted(set(numbers)))
    columns = features(table.shape[-1])
    labels = tuple(f"{number} {texts.get(number, '')}".strip() for number in ids)
    entries = Axis("vocabulary", letter, len(ids), labels)
    used = Matrix(f"{key}.table", "table", table[list(ids)], entries, columns)  # [entries, d_model]
    result = Matrix(key, shown, table[numbers], index.rows, columns)  # [T, d_model]
    return RunStep.of(name, result, index, used, ids=ids, facts={"size": float(len(table))})


def _scaled(tokens: Matrix, scale: float) -> RunStep:
    # [T, d_model]
    result = Matrix(f"{tokens.key}.scaled", "E·√d_model", tokens.values * scale, tokens.rows, tokens.columns)
    return RunStep.of("scaled", result, tokens, factors={"√d_model": scale})


def _sinusoid(trace: Trace, stack: Stack, table: Tensor) -> RunStep:
    rows, columns = stack_tokens(trace, stack), features(table.shape[-1])
    result = Matrix(f"{stack}.positions", "P", table[: rows.size], rows, columns)  # [T, d_model]
    return RunStep.of("sinusoid", result, facts={"base": WAVE, "width": float(columns.size)})
