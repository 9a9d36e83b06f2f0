"""What each head's values move: the very token that it attends to (copying), or the next in an order (succession).

A head is given all of its weight on one token: value times W_O, then the model's last norm and its vocabulary. Where it
attends to is not looked at.

Sources: Wang et al. 2022, section 3.1: the copy score of name movers, from the stream behind the first block at the
names of prompts, and the negative copy score. Gould et al. 2023, section 3: the succession score, from what the first
feed-forward layer makes of a token's embedding.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.analysis.circuits.decomposition import run_frozen
from attnviz.analysis.heads.metrics import OF_VALUES, REASONS
from attnviz.core.edit import Edit
from attnviz.core.errors import AttnvizError, StepError
from attnviz.trace.given import Ids
from attnviz.trace.model_protocol import HasTokenizer, Model
from attnviz.trace.rerun import rerun_of
from attnviz.trace.trace import Trace

NAMES = (
    "Mary", "John", "Tom", "James", "Anna", "Paul", "Sarah", "Peter", "David", "Emma", "Mark", "Alice", "Jack", "Kate",
    "Robert", "Laura", "Daniel", "Lisa", "Michael", "Jane", "Richard", "Helen", "George", "Susan", "Henry", "Julia",
    "Simon", "Rachel", "Frank", "Maria", "Adam", "Martin",
)  # fmt: skip
PROMPT = "When {} and {} went to the store, {} gave a drink to"
TOP = 5  # logits
LEAST = 8  # names that a score needs
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Monday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December", "January",
)  # fmt: skip
SEQUENCES = (
    DAYS, MONTHS, tuple(day[:3] for day in DAYS[:-1]), tuple(month[:3] for month in MONTHS[:-1]),
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
     "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
    ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), tuple(map(str, range(1, 201))),
)  # fmt: skip


def moved_columns(model: Model, frame: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
    """The scores of every head of a table; NaN, with the reason, of a model that does not continue English text."""
    scores: dict[str, Tensor] = {}
    if "en" in model.card.languages:
        try:
            scores = dict(zip(("copying", "negative_copying"), copy_scores(model), strict=True))
            scores["succession"] = succession_scores(model)
        except AttnvizError:  # a model of another family, or of the encoders
            pass
    names = [metric.name for metric in OF_VALUES]
    reasons: dict[str, str] = frame.attrs["reasons"]
    for name in names:
        if name not in scores or bool(scores[name].isnan().all()):
            reasons |= {f"{site} {name}": REASONS["no-logits"] for site in frame["site"].unique()}
    nothing = torch.full((len(frame),), float("nan"))
    return {name: scores.get(name, nothing).double().numpy() for name in names}


def copy_scores(model: Model) -> tuple[Tensor, Tensor]:
    """The copy score and the negative copy score of every head, [heads of all sites] each.

    Of a name at which the prompt's first block has run: whether it is among the 5 highest logits of what the head
    writes, as a share of the names; and whether it is among the 5 lowest.
    """
    pairs = list(zip(NAMES[::2], NAMES[1::2], strict=True))
    states, ids = [], []
    for trace, pair in zip(
        model.traces([PROMPT.format(one, other, other) for one, other in pairs]), pairs, strict=True
    ):
        words = [text.strip() for text in trace.tokens.source.text]
        for place in (words.index(name) for name in pair if name in words):  # of one token
            states.append(_stream(trace, "decoder.0.out")[place])  # [d_model]
            ids.append(trace.tokens.source.ids[place])
    if len(ids) < LEAST:
        raise StepError(id="no-moved-values")
    w_u, high, low = _vocabulary(model, ids[0]), [], []
    asked = torch.tensor(ids, device=w_u.device)
    for written in _written(model, torch.stack(states), ids):  # [N, d_model] of each head
        logits = written @ w_u.mT  # [N, V]
        asked_logits = logits.gather(-1, asked[:, None])  # [N, 1]
        high.append(((logits > asked_logits).sum(-1) < TOP).float().mean())
        low.append(((logits < asked_logits).sum(-1) < TOP).float().mean())
    return torch.stack(high).cpu(), torch.stack(low).cpu()


def succession_scores(model: Model) -> Tensor:
    """The succession score of every head, [heads of all sites].

    Of each token with a successor, how often the successor has the highest logit of all tokens of its sequence.
    """
    sequences = [[_one_token(model, word) for word in words] for words in SEQUENCES]
    ids = [token for sequence in sequences for token in sequence if token is not None]
    made: list[Tensor] = []

    def kept(_: str, value: Tensor) -> None:
        made.append(value[0].clone())  # [N, d_model]

    nothing = Edit("decoder.0.self.out", lambda _, value: torch.zeros_like(value), "no attention in the first block")
    model.trace(Ids(tuple(ids)), edits=[nothing, Edit("decoder.0.feed_forward", kept, "looked at")])
    w_u, scores = _vocabulary(model, ids[0]), []
    for written in _written(model, made[-1], ids):  # [N, d_model] of each head
        rows, right = iter(written), []
        for sequence in sequences:
            among = [token for token in dict.fromkeys(sequence) if token is not None]
            for token, successor in zip(sequence, [*sequence[1:], None], strict=True):
                row = None if token is None else next(rows)  # [d_model]
                if row is not None and successor is not None:
                    right.append(among[int((w_u[among] @ row).argmax())] == successor)
        scores.append(sum(right) / max(len(right), 1))
    return torch.tensor(scores)


def _written(model: Model, states: Tensor, ids: list[int]) -> Iterator[Tensor]:
    """What each head writes where its block reads these states, behind the last norm: [N, d_model] by site and head."""
    put = Edit("decoder.*.in", lambda _, value: states.to(value)[None], "every block reads the same states")
    trace = model.trace(Ids(tuple(ids)), edits=[put])
    norm = rerun_of(trace, takes_edited=True).norm
    if norm is None:
        raise StepError(id="no-moved-values")
    for record in trace.records.values():
        values = record.source.values(slice(0, record.n_heads)).float()  # [H, N, d_v]
        w_o = record.known_w_o.float().unflatten(-1, (record.n_heads, -1)).permute(1, 2, 0)  # [H, d_v, d_model]
        with torch.inference_mode():
            yield from norm(values @ w_o).float()  # [H, N, d_model]


def _vocabulary(model: Model, id: int) -> Tensor:
    """What the last states are multiplied by, [V, d_model]; refused where logits are no such product."""
    frozen, _ = run_frozen(model.trace(Ids((id,))), logits=True)
    if frozen.w_u is None:
        raise StepError(id="no-moved-values")
    return frozen.w_u.detach().float()


def _stream(trace: Trace, point: str) -> Tensor:
    """The residual stream at a point, [T, d_model]; refused of another model than a decoder alone."""
    if point not in trace.stream or trace.tokens.target is not None:
        raise StepError(id="no-moved-values")
    return trace.stream[point]


def _one_token(model: Model, word: str) -> int | None:
    """The token of a word within a text; None where it is several."""
    if not isinstance(model, HasTokenizer):
        raise StepError(id="no-moved-values")
    tokens = model.tokenizer.tokens(f"a {word}")
    ids = [id for id, special in zip(tokens.ids, tokens.special, strict=True) if not special]
    return ids[1] if len(ids) == 2 else None
