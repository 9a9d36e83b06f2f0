"""A number of every head of a part as a map: the weight at one cell, what each moves from there, and what each
adds to a word.
"""

import torch
from attnviz_app.heads.looks.head_names import map_of_heads
from attnviz_app.heads.looks.lead import Lead

from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import part_of, sites_of
from attnviz.views.panel.blocks import Maps


def weights(trace: Trace, site: Site, query: int, key: int, say: Strings) -> Maps:
    """What each head's row of one token gives one key."""
    sites, rows = sites_of(trace, part_of(site)), slice(query, query + 1)
    heads = range(trace[site].n_heads)
    given = torch.tensor([[float(trace[at].weights(head, rows)[0, key]) for head in heads] for at in sites])  # [L, H]
    named = {"query": trace.query_tokens(site).name(query), "key": trace.key_tokens(site).name(key)}
    return Maps([map_of_heads(say("heads-cell-map", **named), given, say, limit=1.0, leads=True, scale="share")])


def moved(trace: Trace, lead: Lead, site: Site, key: int, say: Strings) -> Maps:
    """What each head moved from one key into the lead of a word."""
    sites = sites_of(trace, part_of(site))
    rows, at = lead.sources[lead.sources["token"] == key], {place.key: layer for layer, place in enumerate(sites)}
    parts = torch.zeros(len(sites), trace[site].n_heads)  # [L, H]
    for row in rows[rows["site"].isin(at)].itertuples():
        parts[at[str(row.site)], int(row.head)] = float(row.value)
    words = {"key": trace.key_tokens(site).name(key), "token": lead.text, "other": lead.against_text}
    limit = max(float(parts.abs().max()), 1e-3)
    return Maps([map_of_heads(say("heads-moved-map", **words), parts, say, limit=limit, leads=True)])


def added(trace: Trace, lead: Lead, site: Site, say: Strings) -> Maps:
    """What each head added to the lead of a word."""
    sites = sites_of(trace, part_of(site))
    parts = torch.zeros(len(sites), trace[site].n_heads)  # [L, H]
    for writer, part in zip(lead.writers, lead.parts, strict=True):
        if writer.kind == "head" and (place := Site.parse(writer.site)) in sites:
            parts[sites.index(place), writer.head or 0] = part
    title = say("heads-wrote-map", token=lead.text, other=lead.against_text)
    return Maps([map_of_heads(title, parts, say, limit=max(float(parts.abs().max()), 1e-3), leads=True)])
