"""From words to X: ids, rows of the embedding table, the factor √d_model, positions; each step as the model did it."""

import torch
from torch import Tensor

from attnviz.core.site import Stack
from attnviz.explanation.cell_rules import checked
from attnviz.explanation.head_view import features
from attnviz.explanation.matrices import ONE, Axis, Matrix, Operand, RunStep
from attnviz.explanation.model_steps.step_makers import add_step, norm_step, stack_tokens, state
from attnviz.explanation.steps import BY_NAME
from attnviz.trace.trace import Trace

WAVE = 10_000.0  # the longest wavelength of sinusoidal positions is 2π times this; Vaswani et al. 2017, section 3.5


def has_embedding(trace: Trace, stack: Stack) -> bool:
    """Whether this trace holds the table and X, so that the way from words to X can be shown."""
    return f"{stack}.embed" in trace.matrices and f"{stack}.embed" in trace.stream


def embedding_steps(trace: Trace, stack: Stack) -> tuple[RunStep, ...]:
    own, point = trace.parameters(f"{stack}.embed"), f"{stack}.embed"
    scale, is_normed = float(own["scale"]), "gain" in own
    steps = [_tokens(trace, stack, own["table"])]
    if scale != 1.0:
        steps.append(_scaled(trace, steps[-1].result, scale))
    addends = [steps[-1].result]
    if "positions" in own:
        positions = _sinusoid if bool(own["is_sinusoidal"]) else _learned
        steps.append(positions(trace, stack, own["positions"]))
        addends.append(steps[-1].result)
    if "types" in own:  # every token of a single text is of type 0
        type_0 = own["types"][:1].expand(len(addends[0].values), -1)  # [T, d_model]
        addends.append(Matrix(f"{point}.types", "type", type_0, addends[0].rows, addends[0].columns))
    if len(addends) > 1:
        total = torch.stack([addend.values for addend in addends]).sum(0) if is_normed else None  # [T, d_model]
        result = state(trace, stack, f"{point}.sum", "sum", total) if is_normed else state(trace, stack, point)
        steps.append(add_step(trace, "embed", result, addends))
    if is_normed:
        whole, normed = steps[-1].result, trace.stream[point]  # [T, d_model]
        steps.append(norm_step(trace, "embed-norm", whole, point, key=point, shown="X", values=normed))
    return tuple(steps)


def _tokens(trace: Trace, stack: Stack, table: Tensor) -> RunStep:
    """Each token's own row of the table: [V, d_model] -> [T, d_model]."""
    rows = stack_tokens(trace, stack)
    read = trace.tokens.target if rows.text == "target" else trace.tokens.source
    assert read is not None
    ids = Matrix(f"{stack}.ids", "ids", torch.tensor(read.ids, dtype=torch.float32)[:, None], rows, ONE)  # [T, 1]
    texts = dict(zip(read.ids, read.text, strict=True))
    return _looked_up(trace, "tokens", f"{stack}.tokens", "E", ids, table, texts)


def _learned(trace: Trace, stack: Stack, table: Tensor) -> RunStep:
    rows = stack_tokens(trace, stack)
    ids = Matrix(f"{stack}.places", "t", torch.arange(rows.size, dtype=torch.float32)[:, None], rows, ONE)  # [T, 1]
    return _looked_up(trace, "positions", f"{stack}.positions", "P", ids, table, {})


def _looked_up(
    trace: Trace, name: str, key: str, shown: str, index: Matrix, table: Tensor, texts: dict[int, str]
) -> RunStep:
    """Rows of a table; of the table, only the rows that were read are here."""
    numbers = [int(number) for number in index.values[:, 0]]
    ids = tuple(sorted(set(numbers)))
    columns = features(table.shape[-1])
    entries = Axis("vocabulary", "V", len(ids), tuple(f"{number} {texts.get(number, '')}".strip() for number in ids))
    own = Matrix(f"{key}.table", "table", table[list(ids)], entries, columns)  # [entries, d_model]
    result = Matrix(key, shown, table[numbers], index.rows, columns)  # [T, d_model]
    facts = {"size": float(len(table))}
    step = RunStep(BY_NAME[name], result, (Operand(index), Operand(own)), ids=ids, facts=facts)
    return checked(step, trace)


def _scaled(trace: Trace, tokens: Matrix, scale: float) -> RunStep:
    # [T, d_model]
    result = Matrix(f"{tokens.key}.scaled", "E·√d_model", tokens.values * scale, tokens.rows, tokens.columns)
    step = RunStep(BY_NAME["scaled"], result, (Operand(tokens),), factors={"√d_model": scale})
    return checked(step, trace)


def _sinusoid(trace: Trace, stack: Stack, table: Tensor) -> RunStep:
    rows, columns = stack_tokens(trace, stack), features(table.shape[-1])
    result = Matrix(f"{stack}.positions", "P", table[: rows.size], rows, columns)  # [T, d_model]
    facts = {"base": WAVE, "width": float(columns.size)}
    return checked(RunStep(BY_NAME["sinusoid"], result, facts=facts), trace)
