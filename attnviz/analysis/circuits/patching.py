"""What causes the difference between two sentences: activation patching, one part of the model at a time.

A head's attention weights show where it looks, not its effect. Here the run of one sentence (corrupt) continues with
one part's output from the run of the other (clean), or the other way round, and a number that differs is measured.

Source: activation patching, Vig et al. 2020, section 3; paths, Wang et al. 2022, section 3.1; the gradient's
approximation, Nanda 2023, "Attribution Patching".
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from time import perf_counter
from typing import Any, Literal, get_args

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_model
from attnviz.analysis.circuits.logits import told_apart
from attnviz.core.edit import Edit
from attnviz.core.errors import CaptureError, InputError, StepError
from attnviz.core.progress import OnProgress, told
from attnviz.core.recording import Recording
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_choice, check_token, whole_number
from attnviz.trace import display_mixin
from attnviz.trace.display_mixin import Tabled
from attnviz.trace.given import Readable
from attnviz.trace.model_protocol import Model
from attnviz.trace.rerun import Rerun, rerun_of, token_id
from attnviz.trace.run_facts import About, as_attrs
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.traceable import record_unchecked

What = Literal["heads", "positions", "edges", "feed-forward", "residual"]
Direction = Literal["denoising", "noising"]
HeadName = str | tuple[str | int, int]  # "23.3", "decoder.23.self.3" or (23, 3)
POINTS = {"feed-forward": "feed_forward", "residual": "in"}  # of a block, at one token at a time
# logits [n, V] at the position (states [n, T, d_model] without a vocabulary) -> [n]
Metric = Callable[[Tensor], Tensor]
Pair = tuple[int | str, int | str]  # tokens, by number or text
EACH = "each pair's own metric"  # the metric of pairs whose tokens differ
ALL = slice(None)
BATCH_TOKENS = 512  # tokens run at once


@dataclass(frozen=True, eq=False, repr=False)
class Patched(Tabled):
    """What happens to a number when parts of one run are put into the other."""

    what: What
    direction: Direction
    metric: str  # in words
    # the row whose prediction is watched; None for a sentence vector, for a class of a text, and where pairs differ
    position: int | None
    tokens: tuple[int, int] | None  # whose logits are watched, the first less the second; None for another metric
    texts: tuple[str, str] | None  # the same as they are shown
    clean: float
    corrupt: float
    # one row a part, the largest effect first: `kind` (head, position, edge, feed-forward, residual), `site`, `layer`,
    # `head` or `token`, of an edge the sender and `via` too; `value` of the metric, `effect` = value less that of the
    # run that is changed, `share` of what lies between the two runs, and `gradient`, the approximation. Of several
    # pairs their means, and `effect_sd`
    table: pd.DataFrame = field(repr=False)
    n_pairs: int = 1
    n_pairs_asked: int = 1  # more than `n_pairs` where the work was stopped
    n_asked: int = 0  # parts; more than those of the table where the work was stopped
    about: tuple[About, ...] = ()  # of the clean and the corrupt run of the first pair, `Trace.about`
    read: tuple[TokenPair, ...] = ()  # by the clean and the corrupt run, of one pair

    def __post_init__(self) -> None:
        """Say in the table what it is of, so that a figure of it can."""
        unit = "logits" if self.tokens is not None or self.metric == EACH else self.metric
        self.table.attrs |= {"patched": unit, "about": as_attrs(self.about), "texts": 2 * self.n_pairs}

    def frame(self) -> pd.DataFrame:
        """One row a part, the largest effect first: `table`."""
        return self.table

    def heading(self) -> str:
        of_all = f" of {self.n_pairs_asked}" * (self.n_pairs < self.n_pairs_asked)
        pairs = f" (means of {self.n_pairs}{of_all} pairs)" if self.n_pairs_asked > 1 else ""
        stopped = f"; stopped after {len(self.table)} of {self.n_asked} parts" * (len(self.table) < self.n_asked)
        numbers = f"clean {self.clean:.4g}, corrupt {self.corrupt:.4g}"
        return f"{self.what} patched, {self.direction}; {self.metric}: {numbers}{pairs}{stopped}"

    def figure(self, column: str = "effect", **options: Any) -> Any:
        """A column of the table as a plotly figure: `av.figures.patching`."""
        return display_mixin.figures().patching(self, column, **options)

    @property
    def rank_correlation(self) -> float:
        """Spearman's, of the gradient's approximation with the exact effects on this pair; NaN where there is none."""
        return float(self.table["effect"].rank().corr(self.table["gradient"].rank()))


@dataclass(frozen=True, eq=False)
class Put(Edit):
    """One value of a run replaced by that of another: all of it, of a head, or at one token."""

    name: str  # such as "decoder.0.self.context"
    value: Tensor  # [H, T, d], or [T, d_model] of a point of a block
    where: tuple[int | slice, ...] = ()  # which of its rows
    copy: int | None = None  # of the text in the batch; None for all
    label = "patched"

    @property
    def pattern(self) -> str:
        return self.name

    def change(self, name: str, value: Tensor) -> Tensor:
        """value: [copies, H, T, d], or [copies, T, d_model]."""
        value[(ALL if self.copy is None else self.copy, *self.where)] = self.value[self.where].to(value)
        return value


def patch(
    model: Model, clean: Readable | Sequence[Readable], corrupt: Readable | Sequence[Readable], what: What = "heads",
    metric: Metric | Pair | Sequence[Pair] | None = None, *, direction: Direction = "denoising",
    layers: Collection[int] | None = None, senders: Collection[HeadName] | None = None,
    receivers: Collection[HeadName] | None = None, target: Readable | None = None, position: int | None = None,
    on_progress: OnProgress | None = None,
) -> Patched:  # fmt: skip
    """Put each head of the clean run into the corrupt one, exactly, and watch a number.

    Ctrl+C ends it early and keeps what is done.

    >>> import attnviz as av
    >>> patched = av.patch(av.load("induction"), "a b c a b", "a b d a b")
    >>> patched.frame().iloc[0]["site"]  # of the head with the largest effect
    'decoder.1.self'

    Args:
        clean, corrupt: two texts of the same number of tokens; or a list of texts each, which are patched pair by pair
            and averaged.
        what: "heads"; "positions", all heads of an attention at one token; "feed-forward" and "residual", what a
            block's feed-forward makes and what a block reads, at one token; "edges", the path from one head to the
            queries, keys or values of another, with all other heads held fixed. Edges need 3/2 · heads² runs.
        metric: the number, or two tokens (number, or text as of `wrote`: "cat" is " cat" where there is one), classes
            or labels, whose logits are subtracted, or two for each pair of texts; if not given, those that the clean
            and the corrupt run predict at `position`, or for a model without a head the cosine of the mean last state
            with the clean run's.
        direction: "denoising" puts the clean run's parts into the corrupt run: what is enough for the answer;
            "noising" the corrupt run's into the clean one: what the answer needs.
        layers: only parts in these, counted from 0; of edges, those of the senders.
        senders, receivers: only these heads, such as "23.3" or (23, 3), layer and head; senders of heads and edges,
            receivers of edges.
        target: what the decoder reads in both runs; what the model writes for the clean text if not given.
        position: the row whose logits the metric reads, from 0, or from the end: -1 is the last; if not given, the last
            row where the two runs predict different tokens, or row 0 of an encoder-decoder.
        on_progress: called with the number of runs done and of all; it can stop the work by raising: KeyboardInterrupt
            keeps what is done. If not given, a line says both and about how long they take.
    Returns:
        a table with the exact effect of each part and the gradient's approximation, NaN of a metric without a gradient.
    Raises:
        InputError: an unknown `what`, a layer or a head that is not there, or texts of different numbers of tokens.
        StepError: the model's runs cannot be made again, or its blocks have no known points. CaptureError: edges of a
            model read from its operators.
    """
    check_model(model)
    check_choice("what", what, get_args(What))
    check_choice("direction", direction, get_args(Direction))
    if layers is not None and not isinstance(layers, Collection):
        raise InputError(id="several-layers", came=repr(layers))
    if receivers is not None and what != "edges":
        raise InputError(id="receivers-of-edges", what=repr(what))
    if senders is not None and what not in ("heads", "edges"):
        raise InputError(id="senders-of-heads", what=repr(what))
    asked = Asked(
        what, direction, None if layers is None else frozenset(layers), heads_named(senders), heads_named(receivers)
    )
    pairs = pairs_of(clean, corrupt, metric)
    patched: list[Patched] = []
    for number, (one, other, watched) in enumerate(pairs):
        so_far = "" if len(pairs) == 1 else f", pair {number + 1} of {len(pairs)}"
        try:
            done = patched_pair(model, one, other, watched, asked, target, position, on_progress, so_far)
        except KeyboardInterrupt:
            if not number:
                raise
            break
        if number and len(done.table) < done.n_asked:  # stopped within a pair: the whole ones are kept
            break
        patched.append(done)
        if len(done.table) < done.n_asked:
            break
    return replace(patched[0] if len(patched) == 1 else averaged(patched), n_pairs_asked=len(pairs))


@dataclass(frozen=True)
class Asked:
    """Which parts are patched, and from which run."""

    what: What
    direction: Direction
    layers: frozenset[int] | None
    senders: frozenset[tuple[str, int]] | None  # a site, or the layer in every stack
    receivers: frozenset[tuple[str, int]] | None

    def has(self, site: Site, head: int | None = None) -> bool:
        """Whether a part, or a head that sends, is asked for."""
        return (self.layers is None or site.layer in self.layers) and (head is None or is_of(site, head, self.senders))

    def check_there(self, trace: Trace) -> None:
        """Refuse a layer or a head that the model has not."""
        sites = [(record.site, record.n_heads) for record in trace.records.values()]
        layers = {site.layer for site, _ in sites}
        for layer in self.layers or ():
            if layer not in layers:
                raise InputError(
                    id="no-layer-to-patch", layer=repr(layer), first=str(min(layers)), last=str(max(layers))
                )
        for place, head in (*(self.senders or ()), *(self.receivers or ())):
            if not any(head < n and is_of(site, head, frozenset({(place, head)})) for site, n in sites):
                heads = max(n for _, n in sites)
                raise InputError(id="no-head-to-patch", head=f"{place}.{head}", layers=len(layers), heads=heads)


def is_of(site: Site, head: int, asked: frozenset[tuple[str, int]] | None) -> bool:
    return asked is None or (site.key, head) in asked or (str(site.layer), head) in asked


def heads_named(heads: Collection[HeadName] | None) -> frozenset[tuple[str, int]] | None:
    """The site or layer and the number of each head."""
    if heads is None:
        return None
    named = set()
    for head in heads:
        place, _, number = head.rpartition(".") if isinstance(head, str) else (*map(str, head[:1]), "", str(head[-1]))
        if not place or not number.isdecimal():
            raise InputError(id="no-head-name", head=repr(head))
        named.add((place, int(number)))
    return frozenset(named)


def pairs_of(clean: Any, corrupt: Any, metric: Any) -> list[tuple[Readable, Readable, Metric | Pair | None]]:
    """Each pair of texts, with its metric."""
    if not is_several(clean) and not is_several(corrupt):
        return [(clean, corrupt, metric)]
    if not (is_several(clean) and is_several(corrupt) and len(clean) == len(corrupt)):
        raise InputError(id="texts-not-paired")
    is_of_pairs = isinstance(metric, Sequence) and all(isinstance(pair, tuple | list) for pair in metric)
    if is_of_pairs and len(metric) != len(clean):
        raise InputError(id="metrics-not-paired", metrics=len(metric), texts=len(clean))
    return list(zip(clean, corrupt, metric if is_of_pairs else [metric] * len(clean), strict=True))


def is_several(given: Any) -> bool:
    """Whether these are several texts: not one text, the ids of one, or the messages of a chat."""
    if isinstance(given, Tensor):
        return given.ndim == 2
    is_list = isinstance(given, list | tuple) and len(given) > 0
    return is_list and not isinstance(given[0], Mapping) and whole_number(given[0]) is None


def patched_pair(
    model: Model, clean: Readable, corrupt: Readable, metric: Metric | Pair | None, asked: Asked,
    target: Readable | None, position: int | None, on_progress: OnProgress | None, so_far: str,
) -> Patched:  # fmt: skip
    first = model.trace(clean, target)
    both = first, model.trace(corrupt, None if first.tokens.target is None else first.tokens.target.given)
    check_tokens_of(*both)
    asked.check_there(first)
    runs = rerun_of(both[0]), rerun_of(both[1])
    watched = watch(both, runs, metric, position)
    changed, given = (1, 0) if asked.direction == "denoising" else (0, 1)
    kept, before = recorded(runs[given], asked.what), recorded(runs[changed], asked.what)
    if asked.what == "edges" and any(f"{key}.{letter}" not in before for key in both[1].records for letter in "qkv"):
        raise CaptureError(id="edges-of-operators", model=model.card.name)
    gradients = gradients_of(runs[changed], watched, asked.what)
    size = max(1, BATCH_TOKENS // max(len(tokens) for tokens in tokens_of(both[0])))
    n = n_parts(asked, both[0], kept)
    if n == 0:
        raise InputError(id="nothing-to-patch")
    rows: list[dict[str, Any]] = []
    with torch.inference_mode():
        goal = float(watched.value(runs[given].states(1))[0])
        started, alike = perf_counter(), min(size, n)  # as many at once as will be patched
        base = float(watched.value(runs[changed].states(alike))[0])
        seconds = n / alike * (perf_counter() - started)
        jobs = (
            edges(runs[changed], both[0], kept, before, size, asked)
            if asked.what == "edges" else parts(asked, both[0], kept)
        )  # fmt: skip
        with told(f"{asked.what}{so_far}, {n} runs, about {seconds:.0f} s", n, on_progress, seconds) as tell:
            try:
                for batch in batched(jobs, size):
                    with record_unchecked([replace(put, copy=i) for i, (_, put) in enumerate(batch)]):
                        measured = watched.value(runs[changed].states(len(batch)))  # [n]
                    for (row, put), value in zip(batch, measured.tolist(), strict=True):
                        rows.append(row | {"value": value, "gradient": approximation(put, before, gradients)})
                    tell(len(rows))
            except KeyboardInterrupt:
                if not rows:
                    raise
    table = pd.DataFrame(rows)
    table.insert(table.columns.get_loc("value") + 1, "effect", table["value"] - base)
    table.insert(table.columns.get_loc("effect") + 1, "share", table["effect"] / (goal - base or float("nan")))
    ends = (goal, base) if given == 0 else (base, goal)
    return Patched(
        asked.what, asked.direction, watched.label, watched.position, watched.tokens, watched.texts, *ends,
        largest_effect_first(table), n_asked=n, about=tuple(trace.about for trace in both),
        read=tuple(trace.tokens for trace in both),
    )  # fmt: skip


NUMBERS = ("value", "effect", "share", "gradient")


def largest_effect_first(table: pd.DataFrame) -> pd.DataFrame:
    return table.sort_values("effect", key=lambda effect: -effect.abs(), kind="stable", ignore_index=True)


def averaged(patched: Sequence[Patched]) -> Patched:
    """The mean over pairs of texts; a part that not every pair has is refused."""
    first, names = patched[0], [name for name in patched[0].table.columns if name not in NUMBERS]
    if len({len(one.table) for one in patched}) > 1:
        raise InputError(id="pairs-of-other-lengths", what=first.what)
    groups = pd.concat([one.table for one in patched]).groupby(names, sort=False, dropna=False)
    table = groups[list(NUMBERS)].mean().assign(effect_sd=groups["effect"].std()).reset_index()
    is_one, is_at_one = (len({getattr(one, name) for one in patched}) == 1 for name in ("tokens", "position"))
    metric = first.metric if is_at_one else re.sub(r", at token \d+$", "", first.metric)
    clean, corrupt = (sum(getattr(one, name) for one in patched) / len(patched) for name in ("clean", "corrupt"))
    return Patched(
        first.what, first.direction, metric if is_one else EACH,
        first.position if is_at_one else None,
        first.tokens if is_one else None, first.texts if is_one else None, clean, corrupt,
        largest_effect_first(table), len(patched), n_asked=first.n_asked, about=first.about,
    )  # fmt: skip


def tokens_of(trace: Trace) -> list[Tokens]:
    return [tokens for tokens in (trace.tokens.source, trace.tokens.target) if tokens is not None]


def check_tokens_of(clean: Trace, corrupt: Trace) -> None:
    """Each token needs one in its place, and one at least must differ."""
    one, other = ([tokens.ids for tokens in tokens_of(trace)] for trace in (clean, corrupt))
    if one == other:
        raise InputError(id="patch-same")
    if len(one[0]) != len(other[0]):
        raise InputError(id="patch-lengths", clean=len(one[0]), corrupt=len(other[0]))
    if len(one[-1]) != len(other[-1]):
        raise InputError(id="patch-target-lengths", clean=len(one[-1]), corrupt=len(other[-1]))


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
                    id="metric-without-tokens",
                    metric=repr(metric),
                    model=card.name,
                    predicts=both[0].predicts,
                    head=card.left_out,
                )
            return Watched("metric", None, lambda states: numbers(metric(states), len(states)))
        return Watched("cosine", None, lambda states: torch.cosine_similarity(states.mean(1), goal, dim=-1))
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
            raise InputError(id="metric-of-tokens", metric=repr(metric))
        a, b = (token_id(both[0], runs[0], token, len(ends[0])) for token in metric)

    def rows(states: Tensor) -> Tensor:
        return logits(states[:, at], ids[at].expand(len(states)))  # [n, V]

    if callable(metric):
        return Watched("metric", at, lambda states: numbers(metric(rows(states)), len(states)))
    exact = [runs[0].spellings(token)[0] for token in (a, b)]
    label = f"logit of {exact[0]!r} − logit of {exact[1]!r}, at token {at}"
    return Watched(label, at, lambda states: rows(states)[:, a] - rows(states)[:, b], (a, b), told_apart(runs[0], a, b))


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
            raise InputError(id="metric-of-classes", metric=repr(metric))
        a, b = (task.number(name) for name in metric)
    texts = task.told_apart(a, b)

    def value(states: Tensor) -> Tensor:
        rows = torch.stack([task.logits(state, ids)[at] for state in states])  # [n, classes]
        return rows[:, a] - rows[:, b]  # [n]

    where = "" if task.of == "classes" else f", at token {at}"
    label = f"logit of {texts[0]!r} − logit of {texts[1]!r}{where}"
    return Watched(label, None if task.of == "classes" else at, value, (a, b), texts)


def numbers(measured: object, n: int) -> Tensor:
    """What a person's metric gave, one number a run; anything else is refused."""
    if isinstance(measured, Tensor) and measured.shape == (n,):
        return measured
    came = str(list(measured.shape)) if isinstance(measured, Tensor) else type(measured).__name__
    raise InputError(id="metric-gave-tensor" if isinstance(measured, Tensor) else "metric-gave", came=came, n=str(n))


Job = tuple[dict[str, Any], Put]
Values = Mapping[str, Tensor]  # by name, such as "decoder.0.self.context": [H, T, d]


def parts(asked: Asked, trace: Trace, kept: Values) -> Iterator[Job]:
    """Every head; every token of every attention; or every token at a point of every block."""
    if asked.what in POINTS:
        for name, value in kept.items():
            stack, layer, _ = name.split(".")
            where = {"kind": asked.what, "site": f"{stack}.{layer}", "layer": int(layer)}
            if asked.layers is not None and int(layer) not in asked.layers:
                continue
            yield from ((where | {"token": at}, Put(name, value, (at,))) for at in range(len(value)))
        return
    for key, record in trace.records.items():
        value, site = kept[f"{key}.context"], record.site
        where = {"site": key, "layer": site.layer}
        if asked.what == "heads":
            heads = (head for head in range(record.n_heads) if asked.has(site, head))
            yield from (
                ({"kind": "head", **where, "head": head}, Put(f"{key}.context", value, (head,))) for head in heads
            )
        elif asked.has(site):
            for at in range(record.n_queries):
                yield {"kind": "position", **where, "token": at}, Put(f"{key}.context", value, (ALL, at))


def edges(
    run: Rerun, trace: Trace, kept: Values, before: Values, size: int, asked: Asked
) -> Iterator[Job]:  # fmt: skip
    """Path patching: what each later head reads when the sender alone has its output from the other run."""
    keys = list(trace.records)
    for batch in batched(iter(senders_of(asked, trace)), size):
        edits = [Put(f"{key}.context", before[f"{key}.context"]) for key in keys]
        edits += [Put(f"{key}.context", kept[f"{key}.context"], (head,), i) for i, (key, head) in enumerate(batch)]
        with record_unchecked(edits) as recording:
            run.states(len(batch))
        for copy, (key, head) in enumerate(batch):
            for site, other, letter in receivers(trace, key, asked):
                read = recording[f"{site}.{letter}"][copy]  # [H, T, d_k]
                row = {"kind": "edge", "from_site": key, "from_head": head, "site": site,
                       "layer": trace[site].site.layer, "head": other, "via": letter}  # fmt: skip
                yield row, Put(f"{site}.{letter}", read, (other,))


def senders_of(asked: Asked, trace: Trace) -> list[tuple[str, int]]:
    heads = ((key, head) for key in list(trace.records)[:-1] for head in range(trace[key].n_heads))
    return [(key, head) for key, head in heads if asked.has(trace[key].site, head)]


def receivers(trace: Trace, sender: str, asked: Asked) -> Iterator[tuple[str, int, str]]:
    """The heads that can read what a head wrote, and by what: queries, keys or values."""
    keys = list(trace.records)
    for site in keys[keys.index(sender) + 1 :]:
        for head in range(trace[site].n_heads):
            if is_of(trace[site].site, head, asked.receivers):
                yield from ((site, head, letter) for letter in "qkv")


def n_parts(asked: Asked, trace: Trace, kept: Values) -> int:
    if asked.what == "edges":
        each = {key: len(list(receivers(trace, key, asked))) for key in trace.records}
        return sum(each[key] for key, _ in senders_of(asked, trace))
    return sum(1 for _ in parts(asked, trace, kept))


def batched(jobs: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(jobs, size)):
        yield batch


NAMES = ("context", "q", "k", "v")


def recorded(run: Rerun, what: What) -> Values:
    """Contexts, queries, keys and values of a run on the explicit kernel, each [H, T, d]; or what the blocks have at a
    point, [T, d_model].
    """
    heard = Edit(f"*.{POINTS.get(what, 'context')}", lambda name, value: value, "heard")
    with torch.inference_mode(), record_unchecked([heard]) as recording:
        run.states(1)
    if what in POINTS:
        return points_of(recording, what)
    return {f"{place}.{name}": recording[f"{place}.{name}"][0]
            for place in recording.places for name in NAMES if f"{place}.{name}" in recording}  # fmt: skip


def points_of(recording: Recording, what: What) -> Values:
    """The values at one point of every block."""
    point = POINTS[what]
    named = [name for name in recording if name.count(".") == 2 and name.endswith(f".{point}")]
    if not named:
        raise StepError(id="points-not-known", what=what)
    return {name: recording[name][0] for name in named}  # [T, d_model] each


def gradients_of(run: Rerun, watched: Watched, what: What) -> Values:
    """d number / d value, by the same names; values that no gradient reaches are left out."""
    heard: dict[str, Tensor] = {}

    def hear(name: str, value: Tensor) -> Tensor:  # a copy, so that it is on the way in any model
        heard[name] = value.clone() if value.requires_grad else value.detach().requires_grad_()
        return heard[name]

    edits = [Edit(f"*.{name}", hear, "heard") for name in ([POINTS[what]] if what in POINTS else NAMES)]
    with torch.inference_mode(False), torch.enable_grad():
        with record_unchecked(edits):
            number = watched.value(run.states(1))[0]
        if not number.requires_grad:
            return {}
        gradients = torch.autograd.grad(number, list(heard.values()), allow_unused=True)
    return {name: gradient[0] for name, gradient in zip(heard, gradients, strict=True) if gradient is not None}


def approximation(put: Put, before: Values, gradients: Values) -> float:
    """The change times the gradient: what the number would do if the model were linear."""
    if put.name not in gradients:
        return float("nan")
    rows = put.where
    return float(((put.value[rows] - before[put.name][rows]) * gradients[put.name][rows]).sum())
