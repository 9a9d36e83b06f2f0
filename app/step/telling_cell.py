"""The cell that a picture begins at while the person has picked none. Knows no Streamlit."""

import torch
from attnviz_app.step.choices import WEIGHTS, opening, telling_pick
from attnviz_app.step.query import ALL_HEADS, Picked

from attnviz.trace.trace import Trace
from attnviz.views import At

SEEN = 0.01  # a smaller change of a weight is not seen: weights are printed with two decimals


def telling_cell(trace: Trace, untouched: Trace, now: Picked, attention: str = "") -> At:
    """Of a changed run the cell whose weight changes most; else, and where no weight changes, one that tells much.

    Args:
        now: fitted to the trace; a step that it names stays.
        attention: the one on the screen; "" is the site, and in a decoder's block its cross-attention.
    """
    cross = now.site.replace(".self", ".cross")
    site = attention or (cross if now.tab == "decoder" and cross in trace.records else now.site)
    changed = None if trace is untouched else _most_changed(trace, untouched, now, site)
    return changed or now.at or _telling(trace, now, site)


def _most_changed(trace: Trace, untouched: Trace, now: Picked, site: str) -> At | None:
    """None where no change of a weight is seen."""
    given = now.at or At(now.matrix)
    step, _, number = given.step.partition(".")
    heads = [now.head]
    if now.tab in ALL_HEADS:  # each has a step of its own
        heads = [int(number or 1) - 1] if step else list(range(trace[site].n_heads))
    changes = torch.stack([(trace[site].weights(head) - untouched[site].weights(head)).abs() for head in heads])
    if float(changes.max()) < SEEN:
        return None
    head, row, key = (int(index) for index in torch.unravel_index(changes.argmax(), changes.shape))
    if step:
        return given._replace(row=row, key=key)
    first = WEIGHTS["cross"] if ".cross" in site and now.tab == "decoder" else WEIGHTS["self"]
    return At(first if heads[head] == 0 or now.tab not in ALL_HEADS else f"{first}.{heads[head] + 1}", row, key)


def _telling(trace: Trace, now: Picked, site: str) -> At:
    """A word and the other word it gives the largest weight above what all words give it; the word is that of
    `telling_pick` where the head is; a link may say either. A tab that opens on a chosen head opens on its weights.
    """
    record = trace[site]
    is_chosen = site != now.site and (now.site, now.head) == opening(trace, now.tab) and now.head > 0
    tokens, keys = trace.query_tokens(record.site), trace.key_tokens(record.site)
    rows = [i for i in range(len(tokens)) if not tokens.special[i]] or [0]
    columns = [j for j in range(len(keys)) if not keys.special[j]] or [0]
    pick = telling_pick(trace)
    if pick is not None and pick.token is not None and (record.site.layer, now.head) == pick[:2]:
        rows = [pick.token]
    if now.row is not None and now.row < len(tokens):
        rows = [now.row]
    if now.key is not None and now.key < len(keys):
        columns = [now.key]
    weights = record.weights(now.head)  # [T_q, T_k]
    above = (weights - weights.mean(0))[rows][:, columns]  # [rows, columns]
    place = int(above.argmax())
    step = now.matrix or (WEIGHTS["cross"] if is_chosen else "")
    return At(step, rows[place // len(columns)], columns[place % len(columns)], 0)
