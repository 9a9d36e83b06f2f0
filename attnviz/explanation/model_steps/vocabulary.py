"""The last steps of a decoder: how well each vector fits each word of the vocabulary, the probabilities, and which
words are left to be drawn from.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.explanation.matrices import ONE, Axis, Matrix, RunStep
from attnviz.explanation.model_steps.block import STATES
from attnviz.explanation.step_makers import product, product_step, state
from attnviz.explanation.steps import ALL_WORDS, TOP_K, TOP_P
from attnviz.trace.sampling import GREEDY, Sampling
from attnviz.trace.trace import Trace

RANKED, MOST_RANKED = 20, 256  # likeliest words of a row, as many as a trace has names for; rows that have them
LEADING = 12  # likeliest words after a text that come first: as many as a picture has beside each other
MOST_WORDS = 1024  # of a vocabulary that are here; softmax runs over all of them


def vocabulary_steps(trace: Trace, beside: Trace | None = None, sampling: Sampling = GREEDY) -> tuple[RunStep, ...]:
    """Logits, next-token probabilities and the choice of every row. Where the text goes on, the likeliest words after
    it come first, in order; then the words that are most probable in any row, also of the run beside this one. Of a
    large vocabulary, only those are here.
    """
    runs = [trace] if beside is None else [trace, beside]
    weight = trace.parameters("decoder.vocabulary")["w"].float().cpu()  # [V, d_model]
    read = _last_state(trace)
    cap = trace.parameters("decoder.vocabulary").get("softcap")
    products = [ops.project(_last_state(one).values, weight) for one in runs]  # [T, V] each
    whole, *others = [ops.cap_scores(one, None if cap is None else float(cap)) for one in products]  # [T, V] each
    shares = torch.softmax(torch.cat([whole, *others]), -1).amax(0)  # [V], the largest that any row gives
    order = shares.sort(descending=True, stable=True).indices  # [V]
    if trace.tokens.target is None:
        last = torch.softmax(torch.stack([whole[-1], *(one[-1] for one in others)]), -1).amax(0)  # [V]
        leading = last.topk(min(LEADING, len(last))).indices
        order = torch.cat([leading, order[~torch.isin(order, leading)]])  # [V]
    order = order[:MOST_WORDS]  # [words]
    columns = Axis("vocabulary", "V", len(weight), _names(runs, order.tolist()), count=len(order))
    logits = product("decoder.logits", "logits", read, weight[order], None, columns)  # [T, words]
    made = product_step("logits", logits, read, weight[order], None, "W_vocabulary")
    read, steps = logits, [made]
    if cap is not None:
        read = Matrix("decoder.capped", "capped", whole[:, order], logits.rows, columns)
        steps.append(RunStep.of("capped-logits", read, logits, facts={"cap": float(cap)}))
    if sampling.temperature != 1.0:
        whole = whole / sampling.temperature  # [T, V]
        tempered = Matrix("decoder.tempered", "tempered", whole[:, order], logits.rows, columns)
        steps.append(RunStep.of("tempered", tempered, read, factors={"1/temperature": 1 / sampling.temperature}))
        read = tempered
    steps.append(_shares("probabilities", read, whole, order))
    left = replace(sampling, temperature=1.0).filtered(whole)  # [T, V]
    kept = _kept(trace, read, whole, left, order, sampling)
    return (*steps, kept, _shares("choice", kept.result, left, order))


def _kept(trace: Trace, read: Matrix, whole: Tensor, left: Tensor, order: Tensor, sampling: Sampling) -> RunStep:
    """Which words are left of all [T, V]: beside them how many of each row, their probability together, and the
    likeliest words of each row in order, whether they are here or not.

    Args:
        whole: logits that are chosen from, [T, V]. left: the same, −∞ where a word is left out. order: [words].
    """
    is_left, shares = left != ops.NEVER, torch.softmax(whole.double(), -1)  # [T, V] each
    cut = Matrix("decoder.cut", "cut", torch.where(is_left, 0.0, ops.NEVER)[:, order], read.rows, read.columns, "mask")
    kept = Matrix("decoder.kept", "kept", left[:, order], read.rows, read.columns)
    extras = {
        "count": (is_left.sum(-1, keepdim=True).double(), read.rows, ONE),  # [T, 1]
        "together": ((shares * is_left).sum(-1, keepdim=True), read.rows, ONE),  # [T, 1]
    }
    n = min(RANKED, shares.shape[1]) if len(shares) <= MOST_RANKED else 0
    likeliest = shares.topk(n, dim=-1)  # [T, n]
    names = _names([trace], likeliest.indices.flatten().tolist())
    extras["ranked"] = (likeliest.values.reshape(1, -1), ONE, Axis("vocabulary", "R", len(names), names))  # [1, T·n]
    made = RunStep.of(
        "kept", kept, read, cut, facts={"ranked": float(n)},
        extras={name: Matrix(f"decoder.kept.{name}", name, *parts) for name, parts in extras.items()},
    )  # fmt: skip
    line = TOP_P if sampling.top_p is not None else TOP_K if sampling.top_k is not None else ALL_WORDS
    return replace(made, definition=replace(made.definition, line=line))


def _last_state(trace: Trace) -> Matrix:
    has_norm = "decoder.final_norm" in trace.matrices
    return state(trace, "decoder", "decoder.out", "norm" if has_norm else STATES["out"])


def _names(runs: Sequence[Trace], ids: list[int]) -> tuple[str, ...]:
    """The texts of these token ids as the traces know them; "#id" of the others."""
    known: dict[int, str] = {}
    for trace in runs:
        if (target := trace.tokens.target) is not None:
            known |= dict(zip(target.ids, target.text, strict=True))
        if (predicted := trace.predicted_tokens) is not None:
            for row, texts in zip(predicted.ids.tolist(), predicted.texts, strict=True):
                known |= dict(zip(row, texts, strict=True))
    return tuple(known.get(number, f"#{number}") for number in ids)


def _shares(name: str, read: Matrix, whole: Tensor, ids: Tensor) -> RunStep:
    """Softmax over all words [T, V], in float64: a sum of so many is not exact to 1e-5 in float32. `ids` [words] are
    here.
    """
    highest = whole.amax(-1, keepdim=True)  # [T, 1]
    exp = torch.exp(whole.double() - highest)  # [T, V]
    values = exp[:, ids] / exp.sum(-1, keepdim=True)  # [T, words]
    hidden = exp.index_fill(-1, ids, 0.0).sum(-1, keepdim=True)  # [T, 1]
    extras = {"highest": Matrix(f"{read.key}.highest", "highest", highest, read.rows, ONE)}
    rest = Matrix(f"{read.key}.rest", "rest", hidden, read.rows, ONE) if read.columns.n_hidden else None
    result = Matrix(f"decoder.{name}", name, values, read.rows, read.columns, "weights")
    return RunStep.of(name, result, read, extras=extras, rest=rest)
