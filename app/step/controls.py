"""What the bar and the side of the stepper let a person choose and switch, for the run on the page."""

from collections.abc import Sequence
from typing import Any

from attnviz_app.step.choices import Text, hidden_at, hideable, sites_of
from attnviz_app.step.query import LOOKS, Picked

from attnviz.core.site import Site
from attnviz.explanation import TABS
from attnviz.explanation.whatif import divides
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay


def controls(trace: Trace, untouched: Trace, now: Picked, say: Strings) -> dict[str, Any]:
    """What can be chosen and switched in the picture itself, and what is now."""
    record, switches = trace[now.site], now.switches
    return {
        "tab": now.tab,
        "tabs": list(TABS),
        "site": now.site,
        "sites": [{"key": key, "name": _site_name(key, now.tab, trace, say)} for key in sites_of(trace, now.tab)],
        "head": now.head,
        "heads": 1 if now.tab == "block" else record.n_heads,
        "tokens": _names(hideable(now, trace), trace, say),
        "can": _can(untouched, now),
        "whatif": {
            "causal": record.source.mask.causal,
            "scaling": switches.scaling,
            "temperature": switches.temperature,
            "positions": switches.positions,
            "silenced": [list(one) for one in switches.silenced],
            "hide": hidden_at(now, trace),
        },
        "isChanged": bool(switches.edits),
        "looks": [{"key": key, "name": say(f"look-{key}")} for key in LOOKS[now.tab]],
    }


def _can(untouched: Trace, now: Picked) -> list[str]:
    """The switches this model and this attention have."""
    record = untouched[now.site]
    if not isinstance(record.source, Replay):
        return []
    mask, site = record.source.mask, record.site
    is_free = site.kind == "self" and mask.allowed is None
    can = ["causal"] if is_free else []
    can += ["scaling", "temperature"] if divides(untouched) else ["temperature"]
    can += ["positions"] if "positions" in untouched.matrices.get(f"{site.stack}.embed", {}) else []
    can += [] if now.tab == "block" else ["silence"]  # a block has all heads, and none is chosen
    return [*can, "hide"]


def _names(hideables: Sequence[tuple[Text, int]], trace: Trace, say: Strings) -> list[str]:
    """The tokens that can be hidden; those of the target say so where the source's stand beside them."""
    has_both = len({text for text, _ in hideables}) > 1
    names = []
    for text, place in hideables:
        tokens = trace.tokens.target if text == "target" else trace.tokens.source
        assert tokens is not None
        name = tokens.name(place)
        names.append(say("stepping-hide-target", token=name) if has_both and text == "target" else name)
    return names


def _site_name(key: str, tab: str, trace: Trace, say: Strings) -> str:
    """Encoder 1, decoder 2, or decoder 2 on the source: counted from 1."""
    site = Site.parse(key)
    if len({Site.parse(other).stack for other in trace.records}) == 1:
        return say("stepping-site-layer", layer=site.layer + 1)
    kind = "cross" if site.kind == "cross" else site.stack
    return say(f"stepping-site-{kind}", layer=site.layer + 1)
