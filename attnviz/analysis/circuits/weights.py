"""What heads do by their weights alone: which tokens they match, what they pass on, and who reads what they write.

Each matrix here is a derivative of the frozen run at its first token, where rotary positions do not turn anything: of a
query, key or value, or of the last states, by what was written before. So the gains of norms are in it, for any family;
their scales are not, since every score here is the same for a matrix and for any multiple of it.

Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits": QK and OV circuits, copying by
eigenvalues, composition between heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.frozen import Frozen
from attnviz.analysis.circuits.taken_apart import arriving, rerun_of, run_frozen
from attnviz.analysis.circuits.writers import Leaf
from attnviz.core.site import Site
from attnviz.trace.model import Model
from attnviz.trace.trace import Trace

ALL_PAIRS = 4096  # tokens that are searched for pairs
DRAWS = 8  # of random matrices for a baseline
TEXT = "a b c d e f g h"
NONE = float("nan")


@dataclass(frozen=True, eq=False)
class Circuits:
    """The scores of every head and every pair of heads."""

    # columns `site`, `head`; `copying` and `matching`, the sum of the eigenvalues of OV and QK over the tokens by the
    # sum of their sizes, from −1 to 1, NaN where what is read has no vocabulary or another one; `previous`, the share
    # of positions that fit the one before best, NaN where queries and keys are turned instead
    heads: pd.DataFrame
    # columns `from_site`, `from_head`, `site`, `head`, `via` (q, k or v), `score`, `baseline` of random matrices; and
    # `copying` of the way by values through both heads, where the score is above the baseline
    compositions: pd.DataFrame
    # table [V, d_model] and what a head makes of it [d_k, d_model], of its queries and of its keys
    reads: Mapping[tuple[str, int], tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]] = field(repr=False)

    def pairs(self, site: str, head: int, top: int = 10) -> pd.DataFrame:
        """The pairs of tokens that a head favours most: columns `query`, `key` (numbers of the vocabulary), `score`.

        Of a vocabulary over 4,096 tokens the first so many are searched.
        """
        q, k = (table[:ALL_PAIRS] @ own.mT for table, own in self.reads[site, head])  # [V, d_k] each
        n, scores = len(k), (q @ k.mT).flatten().topk(top)
        return pd.DataFrame(
            {"query": (scores.indices // n).tolist(), "key": (scores.indices % n).tolist(),
             "score": scores.values.tolist()}
        )  # fmt: skip


def circuits(model: Model, text: str | None = None) -> Circuits:
    """Score every head by its weights.

    Args:
        model: one that can be traced. text: any that it can read, for the shapes of a run; no number depends on it but
            for `previous`, which is over its positions.
    Raises:
        StepError: the model's run cannot be made again or followed.
    """
    own = getattr(model, "own_texts", None)
    trace = model.trace(text or (own(1)[0] if own is not None else TEXT))
    frozen, last = run_frozen(trace, logits=True)
    assert last is not None and frozen.states is not None
    read = {
        (key, head, letter): derivatives(frozen, values[key][0, head * values[key].shape[1] // record.n_heads, 0])
        for key, record in trace.records.items()
        for letter, values in (("q", frozen.queries), ("k", frozen.keys), ("v", frozen.values))
        for head in range(record.n_heads)
    }  # by the writer's place: [d_k, d_model]
    w_o = {leaf.site: heads_of(leaf, trace[leaf.site].n_heads) for leaf in frozen.leaves if leaf.w_o is not None}
    final = {} if frozen.w_u is None else derivatives(frozen, frozen.states[0, 0])  # [d_model, d_model] each
    positions, rows, reads, to_logits = positions_of(frozen), [], {}, {}
    for key, record in trace.records.items():
        for head in range(record.n_heads):
            q, k, v = (read[key, head, letter] for letter in "qkv")
            row = {"site": key, "head": head, "copying": NONE, "matching": NONE, "previous": NONE}
            q_table, k_table = table_of(trace, key, "q"), table_of(trace, key, "k")
            if q_table is not None and k_table is not None and "embedding" in q and "embedding" in k:
                reads[key, head] = (q_table, q["embedding"]), (k_table, k["embedding"])
                row["matching"] = positive_share(k["embedding"] @ k_table.mT @ (q_table @ q["embedding"].mT))
            if positions is not None and "position" in q and "position" in k:
                row["previous"] = previous_share(positions @ q["position"].mT, positions @ k["position"].mT)
            if frozen.w_u is not None and key in final:
                to_logits[key, head] = frozen.w_u @ (final[key] @ w_o[key][head].mT)  # [V, d_v]
                if k_table is not None and "embedding" in v:
                    row["copying"] = positive_share(v["embedding"] @ k_table.mT @ to_logits[key, head])
            rows.append(row)
    return Circuits(pd.DataFrame(rows), pd.DataFrame(list(compositions(trace, read, w_o, to_logits))), reads)


def table_of(trace: Trace, site: str, letter: str) -> Tensor | None:
    """The vectors of the tokens that a site's queries, or keys and values, are made of, numbered as those predicted.

    None where a source has a vocabulary of its own.
    """
    rerun, place = rerun_of(trace), Site.parse(site)
    is_of_source = place.stack == "encoder" or (place.kind == "cross" and letter != "q")
    table = rerun.source_table if trace.tokens.target is not None and is_of_source else rerun.table
    return None if table is None else table.detach().float()


def derivatives(frozen: Frozen, value: Tensor) -> dict[str, Tensor]:
    """d value / d what was written at the first token, by its place: "embedding", "position", the site of heads."""
    found = {}
    for leaf, (_, own) in zip(frozen.leaves, arriving(value, frozen.leaves, 0), strict=True):
        if own is not None and leaf.kind in ("embedding", "position", "head"):
            found[leaf.site or leaf.kind] = own.float()  # [n, d_model]
    return found


def heads_of(leaf: Leaf, n_heads: int) -> Tensor:
    """W_O of each head of a site: [H, d_v, d_model]."""
    assert leaf.w_o is not None and leaf.merged is not None
    with torch.no_grad():
        whole = leaf.w_o(torch.eye(leaf.merged.shape[-1], dtype=leaf.merged.dtype))  # [H·d_v, d_model]
    return whole.float().unflatten(0, (n_heads, -1))


def positions_of(frozen: Frozen) -> Tensor | None:
    """The vectors of the positions of the text [T, d_model]; None for models without them, such as rotary ones."""
    found = [leaf.value.detach() for leaf in frozen.leaves if leaf.kind == "position"]
    return found[0].reshape(-1, found[0].shape[-1]).float() if found else None


def positive_share(matrix: Tensor) -> float:
    """The sum of a matrix's eigenvalues by the sum of their sizes: 1 where all are positive, as of one that copies."""
    values = torch.linalg.eigvals(matrix.double())
    return float(values.real.sum() / values.abs().sum())


def previous_share(queries: Tensor, keys: Tensor) -> float:
    """How many positions fit the one before best, of all up to themselves: [T, d_k] each."""
    fits = (queries @ keys.mT).masked_fill(torch.ones(len(queries), len(keys)).triu(1).bool(), -torch.inf)  # [T, T]
    return float((fits[1:].argmax(-1) == torch.arange(len(queries) - 1)).float().mean())


def compositions(
    trace: Trace, read: Mapping[tuple[str, int, str], Mapping[str, Tensor]], w_o: Mapping[str, Tensor],
    to_logits: Mapping[tuple[str, int], Tensor],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """How much of what each head writes each later head reads: ‖A·B‖ / (‖A‖·‖B‖), of Frobenius' norm."""
    for (site, head, via), own in read.items():
        other = {"q": read[site, head, "k"], "k": read[site, head, "q"]}.get(via)
        behind = w_o[site][head] if other is None else other.get("embedding")  # [d_k, d_model]
        for sender in (key for key in own if key in w_o):
            table = table_of(trace, sender, via)  # [V, d_model]
            is_whole = via == "v" and table is not None and (site, head) in to_logits
            ahead = table.mT @ to_logits[site, head] @ own[sender] if is_whole and table is not None else None
            for index in range(trace[sender].n_heads):
                value = read[sender, index, "v"].get("embedding")  # [d_v, d_model]
                if behind is None or value is None:
                    continue
                writes = w_o[sender][index]  # [d_v, d_model]
                score, random = joined(behind, own[sender], writes, value), baseline(*behind.shape, len(value))
                copying = positive_share(value @ ahead @ writes.mT) if ahead is not None and score > random else NONE
                yield {"from_site": sender, "from_head": index, "site": site, "head": head, "via": via,
                       "score": score, "baseline": random, "copying": copying}  # fmt: skip


def joined(behind: Tensor, reads: Tensor, writes: Tensor, value: Tensor) -> float:
    """‖A·B‖ / (‖A‖·‖B‖) of A = behindᵀ·reads and B = writesᵀ·value, each given by two factors [d_k, d_model]."""
    a, b = behind @ behind.mT, value @ value.mT  # [d_k, d_k], [d_v, d_v]
    middle = reads @ writes.mT  # [d_k, d_v]
    both = torch.trace(middle.mT @ a @ middle @ b)
    return float((both / (torch.trace(a @ reads @ reads.mT) * torch.trace(writes @ writes.mT @ b))).clamp_min(0).sqrt())


@cache
def baseline(d_k: int, width: int, d_v: int) -> float:
    """The score of random matrices of such shapes, a mean of 8."""
    generator = torch.Generator().manual_seed(0)
    drawn = [[torch.randn(n, width, generator=generator) for n in (d_k, d_k, d_v, d_v)] for _ in range(DRAWS)]
    return sum(joined(*each) for each in drawn) / DRAWS
