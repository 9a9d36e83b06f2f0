"""What heads do by their weights alone: which tokens they match, what they pass on, and who reads what they write.

Each matrix here is a derivative of the frozen run at its first token, where rotary positions do not turn anything: of a
query, key or value, or of the last states, by what was written before. So the gains of norms are in it, for any family;
their scales are not, since every score here is the same for a matrix and for any multiple of it.

Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits": QK and OV circuits, copying by
eigenvalues, composition between heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any, Literal

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_model
from attnviz.analysis.circuits.decomposition import gradients, run_frozen
from attnviz.analysis.circuits.frozen_run import Frozen, not_exact
from attnviz.analysis.circuits.score_ledger import product_of
from attnviz.analysis.circuits.writers import Leaf
from attnviz.analysis.heads.aggregate import HeadTable
from attnviz.core import ops
from attnviz.core.errors import AttnvizError, InputError, LimitError, StepError
from attnviz.core.progress import OnProgress, told
from attnviz.core.site import Site
from attnviz.trace.display_mixin import Tabled
from attnviz.trace.given import Readable
from attnviz.trace.model_protocol import MakesTexts, Model, ReadsIds
from attnviz.trace.rerun import rerun_of
from attnviz.trace.run_facts import as_attrs
from attnviz.trace.trace import Trace

TRUSTED = 0.05  # of the time that the work may take, from which what is done says how long the rest takes
DRAWS = 8  # of random matrices for a baseline
TEXT = "a b c d e f g h"
POSITIONS = 64  # tokens of the text whose positions are scored, where the model reads as many
NONE = float("nan")

Table = Literal["own", "source", "out"]  # of the tokens that are read or written, of a source text, of the logits
Read = Mapping[tuple[str, int, str], Mapping[str, Tensor]]  # by site, head and q, k or v: `derivatives`, [d_k, d_model]


@dataclass(frozen=True, eq=False, repr=False)
class Circuits(Tabled):
    """The scores of every head and every pair of heads."""

    # columns `kind` (head), `site`, `layer`, `head`; `copying` and `matching`: the sum of the eigenvalues of OV and QK
    # over the vocabulary, divided by the sum of their absolute values, from −1 to 1. NaN: `copying` where what a head
    # reads is numbered by another vocabulary than what is written, where it writes to no logit directly (encoders), or
    # the logits are no sum; `matching` where queries and keys are of two vocabularies (cross-attention).
    # `previous`: the share of positions whose query matches the key before it best; NaN where there are no vectors of
    # positions, and in cross-attention
    heads: HeadTable
    # columns `from_site`, `from_head`, `site`, `head`, `via` (q, k or v), `score`, `baseline` of random matrices; and
    # `copying` of the path through the values of both heads, where the score is above the baseline
    compositions: pd.DataFrame

    def frame(self) -> pd.DataFrame:
        """The scores of every head: `heads`."""
        return self.heads

    def figure(self, column: str, against: str | None = None, **options: Any) -> Any:
        """A score as a plotly figure of layers by heads, `av.figures.head_map`; two against each other, `scatter`."""
        return self.heads.figure(column, against, **options)

    def heading(self) -> str:
        return f"{len(self.heads)} heads by their weights, and {len(self.compositions)} pairs in `compositions`"


def circuits(
    model: Model, text: Readable | None = None, *, most_seconds: float | None = None,
    on_progress: OnProgress | None = None,
) -> Circuits:  # fmt: skip
    """Score every head by its weights.

    `previous` needs vectors of the positions: it is NaN where positions turn queries and keys (rotary) or are added to
    the scores (T5, ALiBi). `copying` needs logits that are a sum: it is NaN for masked models (BERT). Scores of a model
    in half precision are those of its rounded weights; `copying` and `matching` move by less than 0.01.

    >>> import attnviz as av
    >>> heads = av.circuits(av.load("induction")).heads
    >>> heads.loc[heads["copying"].idxmax(), "site"]
    'decoder.1.self'

    Args:
        text: any that the model can read. Only `previous`, which is over its positions, depends on it; if not given,
            one of up to 64 tokens.
        most_seconds: how long it may take. If the part that is done says that the whole takes longer, it is refused
            with that time; if not given, there is no bound.
        on_progress: called with how much of the work is done and how much there is, in steps of about equal time; an
            exception that it raises ends the work. If not given, a line is drawn that says how long is left.
    Raises:
        LimitError: it would take longer than `most_seconds`.
        StepError: the model's run cannot be made again or followed, or its scores are no product (DeBERTa).
    """
    check_model(model)
    trace, long = runs_of(model, text)
    frozen, positions = followed(trace), positions_of(long)
    if most_seconds is not None and not most_seconds > 0:
        raise InputError(id="bad-most-seconds", came=repr(most_seconds))
    costs = costs_of(trace)
    total = 2 * sum(costs[key] * record.n_heads for key, record in trace.records.items())
    with told("circuits", total, on_progress) as line:
        tell = bounded(line, total, most_seconds)
        read = read_by_heads(trace, frozen, costs, tell)
        w_o = {leaf.site: heads_of(leaf, trace[leaf.site].n_heads) for leaf in frozen.leaves if leaf.w_o is not None}
        assert frozen.states is not None
        w_u = None if frozen.w_u is None else frozen.w_u.float()  # [V, d_model]
        tables = Vocabularies.of(trace, w_u)
        final = {} if w_u is None else derivatives(frozen, frozen.states[0, 0])  # [d_model, d_model] each
        rows, ahead = [], {}
        for key, record in trace.records.items():
            matched = tables.product(table_of(key, "k"), table_of(key, "q"))  # [d_model, d_model]
            copied = tables.product(table_of(key, "v"), "out")
            own_positions = positions.get(record.site.stack)  # [T, d_model]
            for head in range(record.n_heads):
                q, k, v = (read[key, head, letter] for letter in "qkv")
                row = {
                    "kind": "head",
                    "site": key,
                    "layer": record.site.layer,
                    "head": head,
                    "copying": NONE,
                    "matching": NONE,
                    "previous": NONE,
                }
                if matched is not None and "embedding" in q and "embedding" in k:
                    row["matching"] = positive_share(k["embedding"] @ matched @ q["embedding"].mT)
                if own_positions is not None and record.site.kind == "self" and "position" in q and "position" in k:
                    row["previous"] = previous_share(own_positions @ q["position"].mT, own_positions @ k["position"].mT)
                if key in final:
                    ahead[key, head] = final[key] @ w_o[key][head].mT  # [d_model, d_v], on the way to W_U
                    if copied is not None and "embedding" in v:
                        row["copying"] = positive_share(v["embedding"] @ copied @ ahead[key, head])
                rows.append(row)
        joins = list(compositions(trace, read, w_o, tables, ahead, costs, tell))
    heads = HeadTable(rows)
    about = (model.card.name, "", ()) if text is None else trace.about
    heads.attrs |= {"circuits": ["copying", "matching", "previous"], "about": as_attrs([about])}
    return Circuits(heads, pd.DataFrame(joins))


def costs_of(trace: Trace) -> dict[str, int]:
    """How much work a head of each site is: what it reads is followed through all that stands before it."""
    return {key: at + 1 for at, key in enumerate(trace.records)}


def bounded(tell: Callable[[int], None], total: int, most_seconds: float | None) -> Callable[[int], None]:
    """Tells how much is done, and refuses the rest once the whole would take longer than it may."""
    began = monotonic()

    def told_of(done: int) -> None:
        passed = monotonic() - began
        whole = passed * total / max(done, 1)
        if most_seconds is not None and done < total and passed >= TRUSTED * most_seconds and whole > most_seconds:
            raise LimitError(id="circuits-too-long", seconds=round(whole), most=f"{most_seconds:g}")
        tell(done)

    return told_of


def followed(trace: Trace) -> Frozen:
    """The whole run, with its logits where these are a sum; refused where scores are not q·k."""
    for key in trace.records:
        product_of(trace, key)
    try:
        frozen, _ = run_frozen(trace, logits=True)
    except StepError as error:
        if error.id != "not-exact":
            raise
        frozen, _ = run_frozen(trace)  # an activation before the vocabulary (BERT)
    for key in trace.records:
        if not all(key in values for values in (frozen.queries, frozen.keys, frozen.values)):
            raise not_exact(key)
    return frozen


@dataclass(frozen=True, eq=False)
class Vocabularies:
    """The tables of a model's vocabulary, [V, d_model] each, and their products, which take long."""

    tables: Mapping[Table, Tensor | None]
    is_one: bool  # whether tokens are numbered alike in all of them
    _products: dict[tuple[Table, Table], Tensor] = field(default_factory=dict)

    @classmethod
    def of(cls, trace: Trace, w_u: Tensor | None) -> Vocabularies:
        rerun = rerun_of(trace)
        given = {"own": rerun.table, "source": rerun.source_table, "out": w_u}
        if trace.tokens.target is None:
            given["source"] = rerun.table
        tables = {name: None if table is None else table.detach().float() for name, table in given.items()}
        return cls(tables, rerun.has_one_vocabulary)  # type: ignore[arg-type]

    def product(self, one: Table, other: Table) -> Tensor | None:
        """Σ over the tokens of one table by another: [d_model, d_model]; None where one is missing, or numbers its
        tokens otherwise.
        """
        a, b = self.tables[one], self.tables[other]
        if a is None or b is None or not (self.is_one or (one == "source") == (other == "source")):
            return None
        if (one, other) not in self._products:
            self._products[one, other] = a.mT @ b
        return self._products[one, other]


def table_of(site: str, letter: str) -> Table:
    """The embedding table behind a site's queries, or its keys and values."""
    return "source" if is_of_source(Site.parse(site), letter) else "own"


def is_of_source(site: Site, letter: str) -> bool:
    return site.stack == "encoder" or (site.kind == "cross" and letter != "q")


def read_by_heads(trace: Trace, frozen: Frozen, costs: Mapping[str, int], tell: Callable[[int], None]) -> Read:
    """The derivatives of every head's query, key and value; heads that share keys and values share theirs."""
    read: dict[tuple[str, int, str], Mapping[str, Tensor]] = {}
    n = 0
    for key, record in trace.records.items():
        for letter, values in (("q", frozen.queries), ("k", frozen.keys), ("v", frozen.values)):
            of_heads = values[key][0, :, 0]  # [H or G, d_k]
            # keys and values of G heads, which a run with edits repeats
            n_distinct = len(of_heads) if letter == "q" else min(len(of_heads), len(record.source.v))
            groups = [
                derivatives(frozen, of_heads[head]) for head in range(0, len(of_heads), len(of_heads) // n_distinct)
            ]
            for head in range(record.n_heads):
                read[key, head, letter] = groups[ops.kv_head(head, record.n_heads, n_distinct)]
        n += costs[key] * record.n_heads
        tell(n)
    return read


def derivatives(frozen: Frozen, value: Tensor) -> dict[str, Tensor]:
    """d value / d what was written at the first token: by "embedding", "position", or the site of heads.

    Writers between which no norm stands have one derivative, which is then one tensor.
    """
    leaves = [leaf for leaf in frozen.leaves if leaf.kind in ("embedding", "position", "head") and leaf.value.ndim > 1]
    rows: list[list[Tensor]] = [[] for _ in leaves]
    for grads in gradients(value, leaves):
        for kept, part in zip(rows, grads, strict=True):
            kept += [] if part is None else [part.reshape(len(part), -1, part.shape[-1])[:, 0].float()]  # [r, d_model]
    made: dict[str, Tensor] = {}
    for leaf, kept in zip(leaves, rows, strict=True):
        if kept:
            one = torch.cat(kept)  # [n, d_model]
            made[leaf.site or leaf.kind] = next((matrix for matrix in made.values() if torch.equal(matrix, one)), one)
    return made


def heads_of(leaf: Leaf, n_heads: int) -> Tensor:
    """W_O of each head of a site: [H, d_v, d_model]."""
    assert leaf.w_o is not None and leaf.merged is not None
    with torch.no_grad():
        whole = leaf.w_o(torch.eye(leaf.merged.shape[-1], dtype=leaf.merged.dtype))  # [H·d_v, d_model]
    return whole.float().unflatten(0, (n_heads, -1))


def runs_of(model: Model, text: Readable | None) -> tuple[Trace, Trace]:
    """A run of a model, and one whose positions are looked at: of up to 64 tokens where no text was given."""
    if text is not None:
        trace = model.trace(text)
        return trace, trace
    if isinstance(model, ReadsIds):
        few, many = model.some_ids(len(TEXT.split())), model.some_ids(POSITIONS)
        reads_target = model.reads_target
        return model.trace(few, few if reads_target else None), model.trace(many, many if reads_target else None)
    trace = model.trace(model.own_texts(1)[0] if isinstance(model, MakesTexts) else TEXT)
    return trace, longest(model, trace)


def longest(model: Model, trace: Trace) -> Trace:
    """The run of a text of up to 64 tokens: over a few positions a random head finds the one before by chance."""
    words = trace.tokens.source.source.split() * POSITIONS
    for n in (POSITIONS, POSITIONS // 2, POSITIONS // 4, POSITIONS // 8):
        text = " ".join(words[:n])
        with suppress(AttnvizError):  # longer than its positions
            return model.trace(text, None if trace.tokens.target is None else text)
    return trace


def positions_of(trace: Trace) -> dict[str, Tensor]:
    """The vectors of the positions of a text [T, d_model] by stack; none where there are none, as in rotary ones."""
    by_stack: dict[str, Tensor] = {}
    for stack in dict.fromkeys(site.stack for site in trace.sites):
        first = next(site for site in trace.sites if site.stack == stack)
        added = [leaf.value for leaf in run_frozen(trace, first.key)[0].leaves if leaf.kind == "position"]
        if added:
            by_stack[stack] = added[-1].detach().reshape(-1, added[-1].shape[-1]).float()
    return by_stack


def positive_share(matrix: Tensor) -> float:
    """The sum of the eigenvalues over the sum of their absolute values: 1 if all are positive, as in a copying head."""
    values = torch.linalg.eigvals(matrix.double())
    return float(values.real.sum() / values.abs().sum())


def previous_share(queries: Tensor, keys: Tensor) -> float:
    """The share of positions whose query matches the key before it best, of all keys up to its own: [T, d_k] each."""
    fits = (queries @ keys.mT).masked_fill(torch.ones(len(queries), len(keys)).triu(1).bool(), -torch.inf)  # [T, T]
    return float((fits[1:].argmax(-1) == torch.arange(len(queries) - 1)).float().mean())


@dataclass(frozen=True, eq=False)
class Senders:
    """Heads whose outputs are read by one and the same matrix."""

    heads: list[tuple[str, int]]
    w_o: Tensor  # [S, d_v, d_model]
    values: Tensor  # [S, d_v, d_model], what each reads of the embedding
    gram: Tensor  # [S, d_v, d_v], of the values
    size: Tensor  # [S], ‖w_oᵀ·value‖²

    @classmethod
    def of(cls, heads: list[tuple[str, int]], w_o: Mapping[str, Tensor], read: Read) -> Senders:
        writes = torch.stack([w_o[site][head] for site, head in heads])
        values = torch.stack([read[site, head, "v"]["embedding"] for site, head in heads])
        gram = values @ values.mT
        return cls(heads, writes, values, gram, ((writes @ writes.mT) * gram).sum((-2, -1)))


def compositions(
    trace: Trace, read: Read, w_o: Mapping[str, Tensor], tables: Vocabularies,
    ahead: Mapping[tuple[str, int], Tensor], costs: Mapping[str, int], tell: Callable[[int], None],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """How much of what each head writes each later head reads: ‖A·B‖ / (‖A‖·‖B‖), Frobenius norms.

    `ahead` is d last state / d what a head writes, through its W_O: [d_model, d_v].
    """
    known: dict[tuple[str, ...], Senders] = {}
    n = sum(costs[site] for site, _, via in read if via == "v")  # what is done when all are read
    for (site, head, via), matrices in read.items():
        other = {"q": read[site, head, "k"], "k": read[site, head, "q"]}.get(via)
        behind = w_o[site][head] if other is None else other.get("embedding")  # [d_k, d_model]
        n += costs[site] if via == "v" else 0
        if behind is None:
            continue
        for sites in alike(matrices, [key for key in matrices if key in w_o and "embedding" in read[key, 0, "v"]], via):
            if sites not in known:
                known[sites] = Senders.of([(key, at) for key in sites for at in range(trace[key].n_heads)], w_o, read)
            senders, reads = known[sites], matrices[sites[0]]
            middle = (senders.w_o @ reads.mT).mT  # [S, d_k, d_v]
            scores = composed(behind, reads, middle, senders)  # [S]
            random = baseline(*behind.shape, senders.w_o.shape[1])
            copying = dict.fromkeys(range(len(scores)), NONE)
            copied = tables.product(table_of(sites[0], "v"), "out")  # [d_model, d_model]
            if via == "v" and copied is not None and (site, head) in ahead:
                some = (scores > random).nonzero().flatten()
                paths = senders.values[some] @ (copied @ ahead[site, head]) @ middle[some]  # [s, d_v, d_v]
                copying |= dict(zip(some.tolist(), map(positive_share, paths), strict=True))
            for at, ((sender, index), score) in enumerate(zip(senders.heads, scores.tolist(), strict=True)):
                yield {"from_site": sender, "from_head": index, "site": site, "head": head, "via": via,
                       "score": score, "baseline": random, "copying": copying[at]}  # fmt: skip
        tell(n)


def alike(matrices: Mapping[str, Tensor], sites: Sequence[str], via: str) -> list[tuple[str, ...]]:
    """The sites that are read by one and the same matrix, and belong to one vocabulary."""
    groups: dict[tuple[int, Table], tuple[str, ...]] = {}
    for site in sites:
        key = id(matrices[site]), table_of(site, via)
        groups[key] = (*groups.get(key, ()), site)
    return list(groups.values())


def composed(behind: Tensor, reads: Tensor, middle: Tensor, senders: Senders) -> Tensor:
    """‖A·B‖ / (‖A‖·‖B‖) of A = behindᵀ·reads and B = w_oᵀ·value of each sender: [S].

    `behind` and `reads` are [d_k, d_model], `middle` = reads · w_oᵀ [S, d_k, d_v].
    """
    a = behind @ behind.mT  # [d_k, d_k]
    both = ((a @ middle) * (middle @ senders.gram)).sum((-2, -1))  # [S]
    return (both / ((a * (reads @ reads.mT)).sum() * senders.size)).clamp_min(0).sqrt()


@cache
def baseline(d_k: int, width: int, d_v: int) -> float:
    """The score of random matrices of such shapes, a mean of 8."""
    generator = torch.Generator().manual_seed(0)
    drawn = []
    for _ in range(DRAWS):
        behind, reads, writes, values = (torch.randn(n, width, generator=generator) for n in (d_k, d_k, d_v, d_v))
        gram = values @ values.mT
        one = Senders([], writes[None], values[None], gram[None], ((writes @ writes.mT) * gram).sum()[None])
        drawn.append(float(composed(behind, reads, (reads @ writes.mT)[None], one)))
    return sum(drawn) / DRAWS
