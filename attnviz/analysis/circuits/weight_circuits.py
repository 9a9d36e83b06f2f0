"""What heads do by their weights alone: which tokens they match, what they pass on, and who reads what they write.

Each matrix here is a derivative of the frozen run at its first token, where rotary positions do not turn anything: of a
query, key or value, or of the last states, by what was written before. So the gains of norms are in it, for any family;
their scales are not, since every score here is the same for a matrix and for any multiple of it.

Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits": QK and OV circuits, copying by
eigenvalues, composition between heads.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_model
from attnviz.analysis.circuits.decomposition import arriving, run_frozen
from attnviz.analysis.circuits.frozen_run import Frozen, not_exact
from attnviz.analysis.circuits.score_ledger import product_of
from attnviz.analysis.circuits.writers import Leaf
from attnviz.core import ops
from attnviz.core.errors import AttnvizError, StepError
from attnviz.core.site import Site
from attnviz.trace.model_protocol import MakesTexts, Model
from attnviz.trace.rerun import rerun_of
from attnviz.trace.trace import Trace

DRAWS = 8  # of random matrices for a baseline
TEXT = "a b c d e f g h"
POSITIONS = 64  # tokens of the text whose positions are scored, where the model reads as many
NONE = float("nan")


@dataclass(frozen=True, eq=False)
class Circuits:
    """The scores of every head and every pair of heads."""

    # columns `site`, `head`; `copying` and `matching`: the sum of the eigenvalues of OV and QK over the vocabulary,
    # divided by the sum of their absolute values, from −1 to 1. NaN: `copying` where what a head reads is numbered by
    # another vocabulary than what is written, where it writes to no logit directly (encoders), or the logits are no
    # sum; `matching` where queries and keys are of two vocabularies (cross-attention).
    # `previous`: the share of positions whose query matches the key before it best; NaN where there are no vectors of
    # positions, and in cross-attention
    heads: pd.DataFrame
    # columns `from_site`, `from_head`, `site`, `head`, `via` (q, k or v), `score`, `baseline` of random matrices; and
    # `copying` of the path through the values of both heads, where the score is above the baseline
    compositions: pd.DataFrame


def circuits(model: Model, text: str | None = None) -> Circuits:
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
    Raises:
        StepError: the model's run cannot be made again or followed, or its scores are no product (DeBERTa).
    """
    check_model(model)
    trace = model.trace(text or (model.own_texts(1)[0] if isinstance(model, MakesTexts) else TEXT))
    frozen = followed(trace)
    positions = positions_of(trace if text else longest(model, trace))
    read = {
        (key, head, letter): derivatives(
            frozen, values[key][0, ops.kv_head(head, record.n_heads, values[key].shape[1]), 0]
        )
        for key, record in trace.records.items()
        for letter, values in (("q", frozen.queries), ("k", frozen.keys), ("v", frozen.values))
        for head in range(record.n_heads)
    }  # by the writer's place: [d_k, d_model]
    w_o = {leaf.site: heads_of(leaf, trace[leaf.site].n_heads) for leaf in frozen.leaves if leaf.w_o is not None}
    assert frozen.states is not None
    w_u = None if frozen.w_u is None else frozen.w_u.float()  # [V, d_model]
    final = {} if w_u is None else derivatives(frozen, frozen.states[0, 0])  # [d_model, d_model] each
    rows, to_logits = [], {}
    is_one = rerun_of(trace).has_one_vocabulary
    for key, record in trace.records.items():
        for head in range(record.n_heads):
            q, k, v = (read[key, head, letter] for letter in "qkv")
            row = {"site": key, "head": head, "copying": NONE, "matching": NONE, "previous": NONE}
            q_table, k_table = table_of(trace, key, "q"), table_of(trace, key, "k")
            is_alike = is_one or record.site.kind != "cross"  # queries and keys are of one vocabulary
            if is_alike and q_table is not None and k_table is not None and "embedding" in q and "embedding" in k:
                row["matching"] = positive_share(k["embedding"] @ k_table.mT @ (q_table @ q["embedding"].mT))
            if record.site.stack in positions and record.site.kind == "self" and "position" in q and "position" in k:
                own_positions = positions[record.site.stack]  # [T, d_model]
                row["previous"] = previous_share(own_positions @ q["position"].mT, own_positions @ k["position"].mT)
            if w_u is not None and key in final:
                to_logits[key, head] = w_u @ (final[key] @ w_o[key][head].mT)  # [V, d_v]
                if k_table is not None and "embedding" in v and (is_one or not is_of_source(record.site, "v")):
                    row["copying"] = positive_share(v["embedding"] @ k_table.mT @ to_logits[key, head])
            rows.append(row)
    return Circuits(pd.DataFrame(rows), pd.DataFrame(list(compositions(trace, read, w_o, to_logits))))


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


def table_of(trace: Trace, site: str, letter: str) -> Tensor | None:
    """The embedding table behind a site's queries, or its keys and values."""
    rerun = rerun_of(trace)
    has_two = trace.tokens.target is not None and is_of_source(Site.parse(site), letter)
    table = rerun.source_table if has_two else rerun.table
    return None if table is None else table.detach().float()


def is_of_source(site: Site, letter: str) -> bool:
    return site.stack == "encoder" or (site.kind == "cross" and letter != "q")


def derivatives(frozen: Frozen, value: Tensor) -> dict[str, Tensor]:
    """d value / d what was written at the first token: by "embedding", "position", or the site of heads."""
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
    found: dict[str, Tensor] = {}
    for stack in dict.fromkeys(site.stack for site in trace.sites):
        first = next(site for site in trace.sites if site.stack == stack)
        own = [leaf.value for leaf in run_frozen(trace, first.key)[0].leaves if leaf.kind == "position"]
        if own:
            found[stack] = own[-1].detach().reshape(-1, own[-1].shape[-1]).float()
    return found


def positive_share(matrix: Tensor) -> float:
    """The sum of the eigenvalues over the sum of their absolute values: 1 if all are positive, as in a copying head."""
    values = torch.linalg.eigvals(matrix.double())
    return float(values.real.sum() / values.abs().sum())


def previous_share(queries: Tensor, keys: Tensor) -> float:
    """The share of positions whose query matches the key before it best, of all keys up to its own: [T, d_k] each."""
    fits = (queries @ keys.mT).masked_fill(torch.ones(len(queries), len(keys)).triu(1).bool(), -torch.inf)  # [T, T]
    return float((fits[1:].argmax(-1) == torch.arange(len(queries) - 1)).float().mean())


def compositions(
    trace: Trace, read: Mapping[tuple[str, int, str], Mapping[str, Tensor]], w_o: Mapping[str, Tensor],
    to_logits: Mapping[tuple[str, int], Tensor],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """How much of what each head writes each later head reads: ‖A·B‖ / (‖A‖·‖B‖), Frobenius norms."""
    for (site, head, via), own in read.items():
        other = {"q": read[site, head, "k"], "k": read[site, head, "q"]}.get(via)
        behind = w_o[site][head] if other is None else other.get("embedding")  # [d_k, d_model]
        for sender in (key for key in own if key in w_o):
            table = table_of(trace, sender, via)  # [V, d_model]
            is_written = rerun_of(trace).has_one_vocabulary or not is_of_source(Site.parse(sender), via)
            is_whole = via == "v" and table is not None and is_written and (site, head) in to_logits
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
