"""What is pointed at in the heads view, put inside the model; and the row it opens with where none is pinned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from attnviz.core.errors import InputError
from attnviz.core.tensor_checks import check_choice, check_index, check_token, index_in
from attnviz.trace.decoder_rows import written
from attnviz.views.heads.tokens import is_word
from attnviz.views.heads.weight_arrays import FULL_HEAD

if TYPE_CHECKING:
    from attnviz.core.site import Site
    from attnviz.trace.tokens import Tokens
    from attnviz.trace.trace import Trace


class Pick(NamedTuple):
    """What is pointed at, counted from 0; without token, key and released the view chooses a token."""

    layer: int
    head: int
    token: int | None = None  # the query whose row is pinned
    released: bool = False  # the person let go of every token: none is pinned, and none is chosen for them
    key: int | None = None  # the key whose column is pinned; of a pinned row its cell


def inside(selection: Pick | None, trace: Trace, sites: tuple[Site, ...]) -> Pick:
    """What is picked, refused where the model or its text has no such place; without one the last head of all."""
    n_queries, n_keys = len(trace.query_tokens(sites[0])), len(trace.key_tokens(sites[0]))
    if selection is None:
        return Pick(len(sites) - 1, trace[sites[0].key].n_heads - 1)
    pick = checked(selection)
    layer = index_in(pick.layer, len(sites))
    if layer is None:
        raise InputError(id="no-such-layer", layer=repr(pick.layer), last=str(len(sites) - 1))
    pick = pick._replace(
        layer=layer, head=trace[sites[layer].key].check_head(pick.head),
        token=None if pick.token is None else check_token(pick.token, n_queries, "token"),
        key=None if pick.key is None else check_token(pick.key, n_keys, "key"),
    )  # fmt: skip
    key = None if pick.token is None and n_keys > FULL_HEAD else pick.key  # columns travel whole, or not at all
    return pick._replace(key=key, released=pick.released and pick.token is None and key is None)


def checked(selection: Pick) -> Pick:
    """The same with ints of Python; a tuple of as many numbers is one too.

    Raises:
        InputError: it is no pick, or something in it is no whole number.
    """
    if not isinstance(selection, tuple) or not 2 <= len(selection) <= 5:
        raise InputError(id="no-pick", came=repr(selection))
    selection = Pick(*selection)
    check_choice("released", selection.released, (False, True))
    layer, head = check_index("layer", selection.layer), check_index("head", selection.head)
    token, key = (
        None if number is None else check_index("token", number) for number in (selection.token, selection.key)
    )
    return Pick(layer, head, token, bool(selection.released), key)


def telling_token(trace: Trace, site: Site, head: int) -> int:
    """The word whose row says most: its largest weight on another word, above what all tokens give that word."""
    return _telling(trace, site, head)[1]


def telling_head(trace: Trace, sites: Sequence[Site]) -> Pick:
    """The head of some attentions whose row says most so, and that row."""
    places = [(layer, head) for layer, site in enumerate(sites) for head in range(trace[site.key].n_heads)]
    said = {place: _telling(trace, sites[place[0]], place[1]) for place in places}
    best = max(places, key=lambda place: said[place][0])
    return Pick(*best, said[best][1])


def _telling(trace: Trace, site: Site, head: int) -> tuple[float, int]:
    """By how much the telling row of a head stands out, and which it is."""
    queries, keys = trace.query_tokens(site), trace.key_tokens(site)
    if site.kind == "cross":
        queries = written(trace) or queries
    words, others = _words(queries), _words(keys)
    if not words or not others or (queries is keys and len(words) < 2):
        return 0.0, min(1, len(queries) - 1)
    weights = trace[site.key].weights(head)  # [T_q, T_k]
    above = (weights - weights.mean(0))[words][:, others]  # [words, others]
    if queries is keys:
        above.fill_diagonal_(-1)
    return float(above.max()), words[int(above.argmax()) // len(others)]


def _words(tokens: Tokens) -> list[int]:
    """The tokens that are words the model knows."""
    return [at for at in range(len(tokens)) if is_word(tokens, at) and not tokens.unknown[at]]
