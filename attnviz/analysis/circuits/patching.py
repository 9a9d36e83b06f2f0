"""Which heads cause the difference between two sentences: activation patching, one head at a time.

A head's attention weights show where it looks, not its effect. Here the run of one sentence (corrupt) continues with
one head's output from the run of the other (clean), and a number that differs between the two is measured.

Source: activation patching, Vig et al. 2020, section 3; paths, Wang et al. 2022, section 3.1; the gradient's
approximation, Nanda 2023, "Attribution Patching".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, get_args

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_model
from attnviz.analysis.circuits.logits import token_id, told_apart
from attnviz.core.edit import Edit
from attnviz.core.errors import CaptureError, InputError
from attnviz.core.tensor_checks import check_choice, check_token
from attnviz.trace import display_mixin
from attnviz.trace.model_protocol import Model
from attnviz.trace.rerun import Rerun, rerun_of
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.traceable import record_unchecked

What = Literal["heads", "positions", "edges"]
# logits [n, V] at the position (states [n, T, d_model] without a vocabulary) -> [n]
Metric = Callable[[Tensor], Tensor]
Progress = Callable[[int, int], None]
Pair = tuple[int | str, int | str]  # tokens, by number or text
ALL = slice(None)
BATCH_TOKENS = 512  # tokens run at once


@dataclass(frozen=True, eq=False)
class Patched:
    """What happens to a number when parts of the clean run are put into the corrupt one."""

    what: What
    metric: str  # in words
    position: int | None  # the row whose prediction is watched; None for a sentence vector, and for a class of a text
    tokens: tuple[int, int] | None  # whose logits are watched, the first less the second; None for another metric
    texts: tuple[str, str] | None  # the same as they are shown
    clean: float
    corrupt: float
    # one row a part, the largest effect first: `site` and `head`, `position` or a sender and `via`; `value` of the
    # metric, `effect` = value − corrupt, `share` = effect / (clean − corrupt), and `gradient`, the approximation
    table: pd.DataFrame = field(repr=False)

    def figure(self, column: str = "effect", **options: Any) -> Any:
        """A column of the table as a plotly figure: `av.figures.patching`."""
        return display_mixin.figures().patching(self, column, **options)

    @property
    def rank_correlation(self) -> float:
        """Spearman's, of the gradient's approximation with the exact effects on this pair; NaN where there is none."""
        return float(self.table["effect"].rank().corr(self.table["gradient"].rank()))


@dataclass(frozen=True, eq=False)
class Put:
    """One value of a run replaced in one copy of the text: of a head, and at one token if that is given."""

    name: str  # such as "decoder.0.self.context"
    value: Tensor  # [H, T, d]
    head: int | slice
    position: slice


def patch(
    model: Model, clean: str, corrupt: str, what: What = "heads", metric: Metric | Pair | None = None, *,
    target: str | None = None, position: int | None = None, on_progress: Progress | None = None,
) -> Patched:  # fmt: skip
    """Put each head of the clean run into the corrupt one, exactly, and watch a number.

    >>> import attnviz as av
    >>> patched = av.patch(av.load("induction"), "a b c a b", "a b d a b")
    >>> patched.table.iloc[0]["site"]  # of the head with the largest effect
    'decoder.1.self'

    Args:
        clean, corrupt: two texts of the same number of tokens.
        what: "heads"; "positions", all heads of an attention at one token; "edges", the path from one head to the
            queries, keys or values of another, with all other heads held fixed. Edges need 3/2 · heads² runs.
        metric: the number, or two tokens (number, or text as of `wrote`: "cat" is " cat" where there is one), classes
            or labels, whose logits are subtracted; if not given, those that the clean and the corrupt run predict at
            `position`, or for a model without a head the cosine of the mean last state with the clean run's.
        target: what the decoder reads in both runs; what the model writes for the clean text if not given.
        position: the row whose logits the metric reads, from 0, or from the end: -1 is the last; if not given, the last
            row where the two runs predict different tokens, or row 0 of an encoder-decoder.
        on_progress: called with the number of runs done and of all; it can stop the work by raising.
    Returns:
        a table with the exact effect of each part and the gradient's approximation, NaN of a metric without a gradient.
    Raises:
        InputError: an unknown `what`, or texts of different numbers of tokens.
        StepError: the model's runs cannot be made again. CaptureError: edges of a model read from its operators.
    """
    check_model(model)
    check_choice("what", what, get_args(What))
    first = model.trace(clean, target)
    both = first, model.trace(corrupt, None if first.tokens.target is None else first.tokens.target.source)
    check_tokens_of(*both)
    runs = rerun_of(both[0]), rerun_of(both[1])
    watched = watch(both, runs, metric, position)
    kept, before = recorded(runs[0]), recorded(runs[1])
    if what == "edges" and any(f"{key}.{letter}" not in before for key in both[1].records for letter in "qkv"):
        raise CaptureError(
            f"The attention of {model.card.name} is read from its operators, so queries, keys and values cannot be "
            'exchanged one by one. Take "heads" or "positions".'
        )
    gradients = gradients_of(runs[1], watched)
    with torch.inference_mode():
        goal, base = (float(watched.value(run.states(1))[0]) for run in runs)
        size = max(1, BATCH_TOKENS // max(len(own) for own in tokens_of(both[0])))
        jobs = edges(runs[1], both[0], kept, before, size) if what == "edges" else parts(what, both[0], kept)
        n = n_edges(both[0]) if what == "edges" else sum(
            it.n_heads if what == "heads" else it.n_queries for it in both[0].records.values()
        )  # fmt: skip
        rows = []
        for batch in batched(jobs, size):
            with record_unchecked(edits_of([put for _, put in batch])):
                found = watched.value(runs[1].states(len(batch)))  # [n]
            for (row, put), value in zip(batch, found.tolist(), strict=True):
                rows.append(row | {"value": value, "gradient": approximation(put, before, gradients)})
            if on_progress is not None:
                on_progress(len(rows), n)
    table = pd.DataFrame(rows)
    table.insert(table.columns.get_loc("value") + 1, "effect", table["value"] - base)
    table.insert(table.columns.get_loc("effect") + 1, "share", table["effect"] / (goal - base or float("nan")))
    table = table.sort_values("effect", key=lambda effect: -effect.abs(), kind="stable", ignore_index=True)
    return Patched(what, watched.label, watched.position, watched.tokens, watched.texts, goal, base, table)


def tokens_of(trace: Trace) -> list[Tokens]:
    return [own for own in (trace.tokens.source, trace.tokens.target) if own is not None]


def check_tokens_of(clean: Trace, corrupt: Trace) -> None:
    """Each token needs one in its place, and one at least must differ."""
    own, other = ([it.ids for it in tokens_of(trace)] for trace in (clean, corrupt))
    if own == other:
        raise InputError(id="patch-same")
    if len(own[0]) != len(other[0]):
        raise InputError(id="patch-lengths", clean=len(own[0]), corrupt=len(other[0]))
    if len(own[-1]) != len(other[-1]):
        raise InputError(
            in_code=f"The decoder reads {len(own[-1])} and {len(other[-1])} tokens, since what it wrote for the "
            f"first text is "
            "not read back as the same tokens. Give both runs what it should read: target=…",
            id="patch-target-lengths", clean=len(own[-1]), corrupt=len(other[-1]),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Watched:
    label: str
    position: int | None
    value: Callable[[Tensor], Tensor]  # last hidden states [n, T, d_model] -> [n]
    tokens: tuple[int, int] | None = None
    texts: tuple[str, str] | None = None


def watch(
    both: tuple[Trace, Trace], runs: tuple[Rerun, Rerun], metric: Metric | Pair | None, position: int | None
) -> Watched:
    """The given metric, or one that tells the two sentences apart."""
    logits = runs[1].logits
    with torch.inference_mode():
        states = [run.states(1) for run in runs]  # [1, T, d_model] each
    if logits is None and runs[1].task is not None and not callable(metric):
        return watch_classes(both, runs, states, metric, position)
    if logits is None:
        goal = states[0].mean(1).clone()  # [1, d_model]
        if metric is not None:
            if not callable(metric):
                card = both[0].card
                raise InputError(
                    f"metric={metric!r}, and {card.name} predicts no tokens: {both[0].why_no_tokens}. Expected a "
                    "function."
                )
            return Watched("metric", None, lambda found: numbers(metric(found), len(found)))
        return Watched("cosine", None, lambda found: torch.cosine_similarity(found.mean(1), goal, dim=-1))
    ids = torch.tensor((both[1].tokens.target or both[1].tokens.source).ids, device=states[0].device)  # [T]
    if position is None:
        with torch.inference_mode():
            tops = [logits(state[0], ids).argmax(-1) for state in states]  # [T] each
        differ = (tops[0] != tops[1]).nonzero()
        # behind the first such row a decoder reads what the run of the corrupt text would not have written
        which = -1 if both[1].tokens.target is None else 0
        position = int(differ[which]) if len(differ) else len(ids) - 1
    at = check_token(position, len(ids))
    with torch.inference_mode():
        ends = [logits(state[0, at : at + 1], ids[at : at + 1])[0] for state in states]  # [V] each
    one, other = (row.topk(2).indices.tolist() for row in ends)
    a, b = one[0], other[0] if other[0] != one[0] else other[1]
    if metric is not None and not callable(metric):
        if not isinstance(metric, tuple | list) or len(metric) != 2:
            raise InputError(f"metric={metric!r}. Expected a function, or two tokens, whose logits are subtracted.")
        a, b = (token_id(both[0], runs[0], token, len(ends[0])) for token in metric)

    def rows(found: Tensor) -> Tensor:
        return logits(found[:, at], ids[at].expand(len(found)))  # [n, V]

    if callable(metric):
        return Watched("metric", at, lambda found: numbers(metric(rows(found)), len(found)))
    exact = [runs[0].spellings(token)[0] for token in (a, b)]
    label = f"logit of {exact[0]!r} − logit of {exact[1]!r}, at token {at}"
    return Watched(label, at, lambda found: rows(found)[:, a] - rows(found)[:, b], (a, b), told_apart(runs[0], a, b))


def watch_classes(
    both: tuple[Trace, Trace], runs: tuple[Rerun, Rerun], states: Sequence[Tensor], metric: Pair | None,
    position: int | None,
) -> Watched:  # fmt: skip
    """Two classes or labels, the first less the second: those that the two runs give, or those of `metric`.

    Args:
        states: the last ones of both runs, [1, T, d_model] each.
        position: of the labels; the last row where the two runs give different ones if not given. None of classes.
    """
    task = runs[1].task
    assert task is not None
    ids = torch.tensor(both[1].tokens.source.ids, device=states[0].device)  # [T]
    with torch.inference_mode():
        ends = [task.logits(state[0], ids) for state in states]  # [R, n] each
    if task.of == "classes":
        at = 0
    elif position is not None:
        at = check_token(position, len(ids))
    else:
        differ = (ends[0].argmax(-1) != ends[1].argmax(-1)).nonzero()
        at = int(differ[-1]) if len(differ) else len(ids) - 1
    one, other = (row[at].topk(2).indices.tolist() for row in ends)
    a, b = one[0], other[0] if other[0] != one[0] else other[1]
    if metric is not None:
        if not isinstance(metric, tuple | list) or len(metric) != 2:
            raise InputError(f"metric={metric!r}. Expected a function, or two classes, whose logits are subtracted.")
        a, b = (task.number(name) for name in metric)
    texts = task.told_apart(a, b)

    def value(found: Tensor) -> Tensor:
        rows = torch.stack([task.logits(state, ids)[at] for state in found])  # [n, classes]
        return rows[:, a] - rows[:, b]  # [n]

    where = "" if task.of == "classes" else f", at token {at}"
    label = f"logit of {texts[0]!r} − logit of {texts[1]!r}{where}"
    return Watched(label, None if task.of == "classes" else at, value, (a, b), texts)


def numbers(found: object, n: int) -> Tensor:
    """What a person's metric gave, one number a run; anything else is refused."""
    if isinstance(found, Tensor) and found.shape == (n,):
        return found
    got = f"a tensor {list(found.shape)}" if isinstance(found, Tensor) else type(found).__name__
    raise InputError(
        f"metric gave {got}. Expected a tensor [{n}], one number for each row of the logits [{n}, V] (without a "
        f"vocabulary of the states [{n}, T, d_model])."
    )


Job = tuple[dict[str, Any], Put]
Values = Mapping[str, Tensor]  # by name, such as "decoder.0.self.context": [H, T, d]


def parts(what: What, trace: Trace, kept: Values) -> Iterator[Job]:
    """Every head, or every token of every attention."""
    for key, own in trace.records.items():
        value = kept[f"{key}.context"]
        if what == "heads":
            yield from (({"site": key, "head": h}, Put(f"{key}.context", value, h, ALL)) for h in range(own.n_heads))
        else:
            for at in range(own.n_queries):
                yield {"site": key, "position": at}, Put(f"{key}.context", value, ALL, slice(at, at + 1))


def edges(run: Rerun, trace: Trace, clean: Values, before: Values, size: int) -> Iterator[Job]:
    """Path patching: what each later head reads when the sender alone has its clean output."""
    keys = list(trace.records)
    senders = [(key, head) for key in keys[:-1] for head in range(trace[key].n_heads)]
    for batch in batched(iter(senders), size):
        held = [Put(f"{key}.context", before[f"{key}.context"], ALL, ALL) for key in keys]
        changes = [[*held, Put(f"{key}.context", clean[f"{key}.context"], head, ALL)] for key, head in batch]
        with record_unchecked(edits_of(*zip(*changes, strict=True))) as found:
            run.states(len(batch))
        for copy, (key, head) in enumerate(batch):
            for site, other, letter in receivers(trace, key):
                read = found[f"{site}.{letter}"][copy]  # [H, T, d_k]
                row = {"from_site": key, "from_head": head, "site": site, "head": other, "via": letter}
                yield row, Put(f"{site}.{letter}", read, other, ALL)


def receivers(trace: Trace, sender: str) -> Iterator[tuple[str, int, str]]:
    """The heads that can read what a head wrote, and by what: queries, keys or values."""
    keys = list(trace.records)
    for site in keys[keys.index(sender) + 1 :]:
        for head in range(trace[site].n_heads):
            yield from ((site, head, letter) for letter in "qkv")


def n_edges(trace: Trace) -> int:
    return sum(own.n_heads * len(list(receivers(trace, key))) for key, own in trace.records.items())


def edits_of(*layers: Sequence[Put]) -> list[Edit]:
    """Edits that put these values into a run: of each layer one value into each copy of the text, in order."""
    names = sorted({put.name for layer in layers for put in layer})

    def change(name: str, value: Tensor) -> Tensor:
        for layer in layers:
            for copy, put in enumerate(layer):
                if put.name == name:
                    value[copy, put.head, put.position] = put.value[put.head, put.position].to(value)
        return value

    return [Edit(name, change, "patched") for name in names]


def batched(jobs: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(jobs, size)):
        yield batch


NAMES = ("context", "q", "k", "v")


def recorded(run: Rerun) -> Values:
    """Contexts, queries, keys and values of a run on the explicit kernel, each [H, T, d]."""
    heard = Edit("*.context", lambda name, value: value, "heard")
    with torch.inference_mode(), record_unchecked([heard]) as found:
        run.states(1)
    return {f"{place}.{name}": found[f"{place}.{name}"][0]
            for place in found.places for name in NAMES if f"{place}.{name}" in found}  # fmt: skip


def gradients_of(run: Rerun, watched: Watched) -> Values:
    """d number / d value, by the same names; values that no gradient reaches are left out."""
    heard: dict[str, Tensor] = {}

    def hear(name: str, value: Tensor) -> Tensor:  # a copy, so that it is on the way in any model
        heard[name] = value.clone() if value.requires_grad else value.detach().requires_grad_()
        return heard[name]

    edits = [Edit(f"*.{name}", hear, "heard") for name in NAMES]
    with torch.inference_mode(False), torch.enable_grad():
        with record_unchecked(edits):
            number = watched.value(run.states(1))[0]
        if not number.requires_grad:
            return {}
        found = torch.autograd.grad(number, list(heard.values()), allow_unused=True)
    return {name: own[0] for name, own in zip(heard, found, strict=True) if own is not None}


def approximation(put: Put, before: Values, gradients: Values) -> float:
    """The change times the gradient: what the number would do if the model were linear."""
    if put.name not in gradients:
        return float("nan")
    own = put.head, put.position
    return float(((put.value[own] - before[put.name][own]) * gradients[put.name][own]).sum())
