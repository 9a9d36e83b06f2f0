"""Ablation: what a head's output does to what the model predicts, which its weights do not tell.

A head is silenced, held at its mean, or loses one edge, and the model runs on. The baseline is the same change to other
heads, chosen by a seed. Source: silencing Michel et al. 2019, section 2.2; mean ablation Wang et al. 2022, section 3.1;
cutting an edge (attention knockout) Geva et al. 2023, section 4.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from attnviz.core.errors import InputError, StepError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_token
from attnviz.trace.edits import HeadEdit, Nothing
from attnviz.trace.model_protocol import Model
from attnviz.trace.run_facts import Prediction
from attnviz.trace.trace import Trace

OTHERS = 5  # heads of the baseline
LIKELIEST = 5  # tokens of a run that are listed


@dataclass(frozen=True)
class Listed:
    """One of the likeliest tokens of the changed run."""

    text: str
    before: float  # its probability in the original run
    after: float
    is_bound: bool  # the original run kept 20 tokens without it, and `before` is an upper bound
    is_new: bool  # it is not among the likeliest of the original run


@dataclass(frozen=True)
class Effect:
    edit: HeadEdit
    before: float  # the top token's probability; 1, the cosine of the sentence embedding with itself
    after: float  # the same token's probability; the cosine with the original embedding
    is_bound: bool = False  # the token is not among the 20 that are kept, and `after` is an upper bound
    likeliest: tuple[Listed, ...] = ()  # of the changed run, where it predicts

    @property
    def head(self) -> int:
        assert self.edit.head is not None  # one head's effect is measured
        return self.edit.head

    @property
    def points(self) -> float:
        """The change in percentage points: negative where the token became less likely."""
        return 100 * (self.after - self.before)


@dataclass(frozen=True)
class Effects:
    """The effect of one head beside those of other heads."""

    measure: Literal["probability", "cosine"]
    position: int | None  # of the prediction, from 0; None for the sentence embedding
    token: str | None  # the top token of the original run
    chosen: Effect
    others: tuple[Effect, ...]  # the same change to other heads


def effect(
    model: Model, trace: Trace, edit: HeadEdit, *, position: int | None = None, seed: int = 0, others: int = OTHERS
) -> Effects:
    """Measure the effect of a change to a head, and of the same change to other heads.

    Args:
        model: the model that made `trace`.
        trace: a run without edits; its target text, if any, is used again.
        edit: what to do to which head.
        position: of the prediction to compare, from 0; the last if not given. For a masked model give the position of
            the masked token.
        seed: chooses the other heads.
        others: how many, of the same kind of attention (self or cross, encoder or decoder) if there are so many.
    Returns:
        the change of the top token's probability; for a model that predicts nothing, the cosine of the mean last
        hidden state with that of the original run. Both runs use the explicit kernel.
    Raises:
        InputError: there is no such head or token, the trace was edited, or the model has one head.
        StepError: the edge is the only one of its row, or the model gives nothing to compare.
        CaptureError, UnsupportedModel: the model cannot be changed so; the message says why.
    """
    if trace.edits:
        raise InputError(id="what-if-of-edited")
    edit = _placed(trace, edit)
    base = _run(model, trace, Nothing())
    at = _position(base, position)
    rest = [_effect(model, base, other, at) for other in _others(trace, edit, seed, others)]
    return _effects(base, at, _effect(model, base, edit, at), rest)


def every_effect(
    model: Model,
    trace: Trace,
    sites: Sequence[Site],
    *,
    position: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Effects:
    """Silence each head of some attentions, one at a time; the five that `effect` draws first are the baseline.

    As of `effect`, but `others` are all heads, site by site, and `chosen` is the head of the baseline with the largest
    effect. `on_progress` is called with the number of heads silenced and of all.
    """
    heads = [HeadEdit(site.key, head) for site in sites for head in range(trace[site].n_heads)]
    base = _run(model, trace, Nothing())
    at = _position(base, position)
    each = []
    for n, edit in enumerate(heads):
        if on_progress is not None:
            on_progress(n, len(heads))
        each.append(_effect(model, base, edit, at))
    of_head = {(one.edit.site, one.head): one for one in each}
    drawn = [of_head[place.key, head] for place, head in _drawn(trace, sites[0], 0)[0] if (place.key, head) in of_head]
    return _effects(base, at, max(drawn[:OTHERS], key=lambda one: abs(one.points)), each)


def _effects(base: Trace, at: int | None, chosen: Effect, others: Sequence[Effect]) -> Effects:
    token = None if at is None or base.prediction is None else base.prediction.texts[at][0]
    return Effects("cosine" if at is None else "probability", at, token, chosen, tuple(others))


def _placed(trace: Trace, edit: HeadEdit) -> HeadEdit:
    """The edit with its head and tokens counted from 0; refused where there are none such, or no such edge."""
    record = trace[edit.site]
    edit = replace(edit, head=record.check_head(edit.head))
    if edit.how != "edge":
        return edit
    query, key = check_token(edit.query, record.n_queries, "query"), check_token(edit.key, record.n_keys, "key")
    masked = record.masked(edit.head, slice(query, query + 1))[0]  # [T_k]
    visible = torch.isfinite(masked).nonzero().flatten().tolist()
    if key not in visible:
        raise InputError(id="no-such-edge", query=str(query), key=str(key), site=edit.site)
    if len(visible) == 1:
        raise StepError(id="only-edge", query=str(query), key=str(key))
    return replace(edit, query=query, key=key)


def _others(trace: Trace, edit: HeadEdit, seed: int, n: int) -> list[HeadEdit]:
    """The same change to other heads: of the same kind of attention first, then of any."""
    alike, rest = _drawn(trace, Site.parse(edit.site), seed)
    heads = alike if edit.how == "edge" else [*alike, *rest]  # other sites have other tokens
    others = [(site.key, head) for site, head in heads if (site.key, head) != (edit.site, edit.head)]
    if not others and not rest:
        raise InputError(id="one-head", model=trace.card.name)
    return [replace(edit, site=site, head=head) for site, head in others[:n]]


def _drawn(trace: Trace, like: Site, seed: int) -> tuple[list[tuple[Site, int]], list[tuple[Site, int]]]:
    """All heads in the order in which a seed draws them: those of one kind of attention, and the others."""
    heads = [(site, head) for site in trace.sites for head in range(trace[site].n_heads)]
    alike = [(site, head) for site, head in heads if (site.stack, site.kind) == (like.stack, like.kind)]
    rest = [place for place in heads if place not in alike]
    draw = random.Random(seed)
    return draw.sample(alike, len(alike)), draw.sample(rest, len(rest))


def _run(model: Model, trace: Trace, edit: HeadEdit | Nothing) -> Trace:
    target = None if trace.tokens.target is None else trace.tokens.target.given
    return model.trace(trace.tokens.source.given, target, [edit])


def _effect(model: Model, base: Trace, edit: HeadEdit, at: int | None) -> Effect:
    changed = _run(model, base, edit)
    if at is None:
        return Effect(edit, 1.0, float(torch.cosine_similarity(embedding(base), embedding(changed), dim=0)))
    assert base.prediction is not None and changed.prediction is not None
    token = int(base.prediction.ids[at, 0])
    after, is_bound = probability(changed.prediction, at, token)
    return Effect(edit, float(base.prediction.probabilities[at, 0]), after, is_bound, _likeliest(base, changed, at))


def _likeliest(base: Trace, changed: Trace, at: int) -> tuple[Listed, ...]:
    """The likeliest tokens after the change, each with what it had before."""
    assert base.prediction is not None and changed.prediction is not None
    known = base.prediction.ids[at, :LIKELIEST].tolist()
    ids, shares = (of[at, :LIKELIEST].tolist() for of in (changed.prediction.ids, changed.prediction.probabilities))
    texts = changed.prediction.texts[at][:LIKELIEST]
    return tuple(
        Listed(text, before, share, is_bound, token not in known)
        for token, text, share in zip(ids, texts, shares, strict=True)
        for before, is_bound in [probability(base.prediction, at, token)]
    )


def probability(prediction: Prediction, position: int, token: int) -> tuple[float, bool]:
    """A token's probability at a position, and whether that is only an upper bound, the token not being kept."""
    places = (prediction.ids[position] == token).nonzero()
    if len(places):
        return float(prediction.probabilities[position, int(places[0])]), False
    left = 1 - float(prediction.probabilities[position].sum())
    return max(0.0, min(left, float(prediction.probabilities[position].min()))), True


def embedding(trace: Trace) -> Tensor:
    """The sentence embedding: the mean over tokens of the last hidden states, float64 [d_model].

    Source: mean pooling, Reimers and Gurevych 2019, section 3.
    """
    stack = "decoder" if any(site.stack == "decoder" for site in trace.sites) else "encoder"
    parts = [point.split(".") for point in trace.stream]
    layers = [int(part[1]) for part in parts if part[0] == stack and part[-1] == "out" and part[1].isdecimal()]
    if not layers:
        raise StepError(id="nothing-to-compare", model=trace.card.name)
    return trace.stream[f"{stack}.{max(layers)}.out"].double().mean(0)  # [d_model]


def _position(base: Trace, position: int | None) -> int | None:
    if base.prediction is None:
        embedding(base)  # raises if there is nothing to compare
        return None
    n = len(base.prediction.ids)
    return n - 1 if position is None else check_token(position, n)
