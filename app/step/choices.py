"""What can be chosen and switched in a run on the Step through page, and what each choice makes of what is picked."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from attnviz_app.serving.examples import pick_of
from attnviz_app.step.query import UNCHANGED, Picked, read_draw, site_of, switch_words

from attnviz.core.errors import AttnvizError, InputError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import index_in
from attnviz.explanation import TABS, block_switches
from attnviz.explanation.whatif import UNSWITCHED, ScoreSwitches, Switches, divides
from attnviz.trace.decoder_rows import continues
from attnviz.trace.edits import TEMPERATURES
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay
from attnviz.views import At, Pick, standout
from attnviz.views.heads.attention_parts import parts_of

MOST = 10**6
TEMPERATURE_DIGITS = 2
SHOWN_TOKENS = 64  # of a long text at a time
# Tabs that go through whole blocks, and the stack that a model of one stack must have for it.
WHOLE_BLOCKS = {"block": ("encoder", "decoder"), "decoder": ("decoder",)}
WEIGHTS = {"self": "weights", "cross": "weights.2"}  # the softmax steps of a decoder's block, by its attentions

# Block and head of each shipped translator whose cross-attention has the lowest alignment error; a test measures it.
ALIGNING = {"translate-en-zh": ("decoder.1.self", 5), "translate-zh-en": ("decoder.1.self", 1)}

DRAWS = ("k1", "k5", "k50", "p0.5", "p0.9", "all")  # which tokens can be written next, in the words of a link
HEATS = ("0.5", "0.7", "1", "1.5", "2")  # what logits are divided by before

ROTATIONS = ("own", "none", "100", "10000", "1000000")  # the model's own, none, or θ

OF_SCORES = {"causal", "scaling", "temperature", "hide", "isEverywhere"}  # asks that are of one head, or of all

Text = Literal["source", "target"]
Hideable = tuple[tuple[Text, int], ...]  # tokens that can be hidden


def asked(picked: Picked, asks: Mapping[str, object] | None, trace: Trace) -> Picked:
    """What a view asked for; null puts the what-ifs back, and what cannot be read is not taken over.

    Args:
        asks: {tab} with a site where another block is meant, {site, head, first_token, first_feature}, or one of the
            switches; any of them wrong. `attention` is the one on the screen, a decoder's block has two, and `ofHead`
            its head there; `isEverywhere` says whether a switch of scores is meant for all heads.
        trace: the run on the screen, whose site a head and a hidden token belong to.
    """
    if asks is None:
        return replace(picked, switches=UNCHANGED)
    site = str(asks.get("site"))
    site = site if site in trace.records else ""
    match asks:
        case {"tab": str(tab)} if tab in TABS:
            at = None
            if not site:
                on_screen = _on_screen(picked, asks, trace)
                site = of_tab(on_screen, trace, tab) or ""
                has_both = tab == "decoder" and site.replace(".self", ".cross") in trace.records
                if site and picked.at:  # the same attention, and the same tokens
                    at = picked.at._replace(step=WEIGHTS[Site.parse(on_screen).kind] if has_both else "", feature=0)
            there = replace(picked, tab=tab, site=site, head=picked.head if site else 0, at=at, columns="")
            return replace(there, matrix="", row=None, key=None)
        case {"site": _} if site:
            return replace(picked, site=site, head=min(picked.head, trace[site].n_heads - 1))
        case {"head": int(number)} if 0 <= number < MOST:
            return replace(picked, head=int(number))
        case {"first_token": int(number)} if 0 <= number < MOST:
            return replace(picked, first_token=int(number))
        case {"first_feature": int(number)} if 0 <= number < MOST:
            return replace(picked, first_feature=int(number))
        case {"draw": str(word)} if word in DRAWS:
            return replace(picked, sampling=read_draw(word, picked.sampling))
        case {"heat": str(word)} if word in HEATS:
            return replace(picked, sampling=read_draw(f"t{word}", picked.sampling))
    return replace(picked, switches=_switched(picked, asks, trace))


def _switched(picked: Picked, asks: Mapping[str, object], trace: Trace) -> Switches:
    now = picked.switches
    match asks:
        case {"positions": bool(is_on)}:
            return replace(now, positions=is_on)
        case {"gate": bool(is_on)}:
            return replace(now, gate=is_on)
        case {"swaps": bool(is_on)}:
            return replace(now, swaps_groups=is_on)
        case {"rotation": str(theta)} if theta in ROTATIONS:
            return replace(now, rotation=theta != "none", theta=float(theta) if theta.isdigit() else None)
        case {"silence": (bool() | "all") as wanted}:
            site, head = head_of(picked, asks, trace)
            heads = range(trace[site].n_heads) if wanted == "all" else (head,)
            those = tuple((site, head) for head in heads)
            others = tuple(one for one in now.silenced if one not in those)
            return replace(now, silenced=(*others, *those) if wanted else others)
    is_everywhere = asks.get("isEverywhere", now.is_of_all)
    if not isinstance(is_everywhere, bool) or not OF_SCORES & asks.keys():
        return now
    place = head_of(picked, asks, trace)
    moved = _moved(now, place, trace, is_everywhere=is_everywhere)
    to_hide = hideable(picked, trace)
    if is_everywhere:
        return _of_all(moved, to_hide, asks, trace[picked.site].source.mask.causal)
    return _of_head(moved, place, to_hide, asks, trace)


def head_of(picked: Picked, asks: Mapping[str, object], trace: Trace) -> tuple[str, int]:
    """The attention and the head that a what-if of one head is of: those on the screen."""
    site = _on_screen(picked, asks, trace)
    n = trace[site].n_heads
    of_view = index_in(asks.get("ofHead"), n, from_end=False)
    return site, min(picked.head, n - 1) if of_view is None else of_view


def _moved(now: Switches, place: tuple[str, int], trace: Trace, *, is_everywhere: bool) -> Switches:
    """What is changed of scores in all heads, or in one head alone: this one, where it was changed in all."""
    site, head = place
    if is_everywhere and now.heads:
        own = now.of_head(site, head)
        if own == UNSWITCHED:
            site, _, own = now.heads[-1]
        is_target = own.hidden is not None and text_of_keys(site, trace) == "target"
        of_all = vars(replace(own, hidden=None) if is_target else own)
        return replace(now, **of_all, hidden_target=own.hidden if is_target else None, heads=())
    if not is_everywhere and now.is_of_all:
        own = replace(now.of_scores, hidden=now.hidden_target if text_of_keys(site, trace) == "target" else now.hidden)
        own = replace(own, causal=None) if Site.parse(site).kind == "cross" else own
        return replace(now, **vars(UNSWITCHED), hidden_target=None, heads=((site, head, own),))
    return now


def text_of_keys(site: str, trace: Trace) -> Text:
    """Whose tokens the keys of an attention are."""
    return "target" if trace.key_tokens(Site.parse(site)) is trace.tokens.target else "source"


def _of_all(now: Switches, to_hide: Hideable, asks: Mapping[str, object], is_causal: bool) -> Switches:
    """With what is asked of scores, in all heads."""
    match asks:
        case {"hide": None}:
            return replace(now, hidden=None, hidden_target=None)
        case {"hide": int(at)} if 0 <= at < len(to_hide):
            text, place = to_hide[at]
            is_target = text == "target"
            return replace(now, hidden=None if is_target else place, hidden_target=place if is_target else None)
    return replace(now, **vars(_with_scores(now.of_scores, asks, is_causal)))


def _of_head(
    now: Switches, place: tuple[str, int], to_hide: Hideable, asks: Mapping[str, object], trace: Trace
) -> Switches:
    """With what is asked of scores, in one head, which can hide one of its own keys alone."""
    site, head = place
    own = now.of_head(site, head)
    match asks:
        case {"hide": None}:
            own = replace(own, hidden=None)
        case {"hide": int(at)} if 0 <= at < len(to_hide) and to_hide[at][0] == text_of_keys(site, trace):
            own = replace(own, hidden=to_hide[at][1])
        case _:
            own = _with_scores(own, asks, trace[site].source.mask.causal)
    others = tuple(one for one in now.heads if one[:2] != (site, head))
    return replace(now, heads=others if own == UNSWITCHED else (*others, (site, head, own)))


def _with_scores(own: ScoreSwitches, asks: Mapping[str, object], is_causal: bool) -> ScoreSwitches:
    match asks:
        case {"causal": bool(causal)}:
            return replace(own, causal=None if causal is is_causal else causal)
        case {"scaling": bool(is_on)}:
            return replace(own, scaling=is_on)
        case {"temperature": (int() | float()) as value} if TEMPERATURES[0] <= value <= TEMPERATURES[1]:
            return replace(own, temperature=round(float(value), TEMPERATURE_DIGITS))
    return own


def _on_screen(picked: Picked, asks: Mapping[str, object], trace: Trace) -> str:
    """The attention that a view says is on the screen, where that is one of the block that is picked."""
    site = str(asks.get("attention"))
    is_there = site in trace.records and site.rpartition(".")[0] == picked.site.rpartition(".")[0]
    return site if is_there else picked.site


def fitted(picked: Picked, trace: Trace) -> Picked:
    """Keep site, head and switches inside a trace; a tab that it has no attention for starts at its first.

    Args:
        trace: an untouched run, whose own masks say what a switch would change.
    """
    site, head = (picked.site, picked.head) if picked.site else opening(trace, picked.tab)
    if site.startswith("."):
        site = site_of(parts_of(trace)[0], int(site.strip(".")))
    site = of_tab(site, trace, picked.tab) or sites_of(trace, picked.tab)[0]
    head = min(head, trace[site].n_heads - 1)
    now, is_divided = picked.switches, divides(trace)
    silenced = tuple(place for place in now.silenced if trace.has_head(*place))
    hidden = index_in(now.hidden, len(trace.tokens.source), from_end=False)
    target = index_in(now.hidden_target, len(trace.tokens.target or ()), from_end=False)
    scaling = now.scaling or not is_divided
    causal = now.causal if now.causal is not None and _changes_mask(now.causal, trace) else None
    is_rotated = block_switches.is_rotated(trace)
    switches = replace(
        now, causal=causal, scaling=scaling, silenced=silenced, hidden=hidden, hidden_target=target, heads=(),
        rotation=now.rotation or not is_rotated, theta=now.theta if is_rotated else None,
        swaps_groups=now.swaps_groups and block_switches.is_grouped(trace),
        gate=now.gate or not block_switches.is_gated(trace),
    )  # fmt: skip
    if not switches.is_of_all:
        switches = replace(switches, heads=tuple(_heads_of(now, trace, is_divided=is_divided)))
    return replace(picked, site=site, head=head, switches=switches)


def _heads_of(now: Switches, trace: Trace, *, is_divided: bool) -> Iterator[tuple[str, int, ScoreSwitches]]:
    """What is changed of single heads, as far as a trace has them and is another run for it."""
    for site, head, own in now.heads:
        if not trace.has_head(site, head):
            continue
        source = trace[site].source
        if not isinstance(source, Replay):
            continue
        can_be = Site.parse(site).kind == "self" and source.mask.causal is not own.causal
        fit = replace(
            own, causal=own.causal if can_be else None, scaling=own.scaling or not is_divided,
            hidden=index_in(own.hidden, trace[site].n_keys, from_end=False),
        )  # fmt: skip
        if fit != UNSWITCHED:
            yield site, head, fit


def opening(trace: Trace, tab: str) -> tuple[str, int]:
    """The site and the head that a tab opens on: for the decoder of a shipped translator, a head that aligns; else the
    one of `telling_pick`, if there is one.
    """
    sites = sites_of(trace, tab)
    aligned = next((place for name, place in ALIGNING.items() if trace.card.id.startswith(name)), None)
    if tab == "decoder" and aligned is not None:
        return aligned
    pick = telling_pick(trace)
    return (sites[0], 0) if pick is None else (sites[pick.layer], pick.head)


def telling_pick(trace: Trace) -> Pick | None:
    """The head and the token that show what an example is about; of other texts of a model that continues them, those
    that stand out.
    """
    if len(parts_of(trace)) > 1 or trace.card.id.startswith("untrained"):
        return None
    measured = pick_of(trace.card.id, trace.tokens.source.source)
    return measured or (standout(trace) if continues(trace) else None)


def held(picked: Picked, trace: Trace) -> Picked:
    """Move the part of a long text so that the picked row is in it, and the picked column where no part was chosen."""
    at, site = picked.at or At(), trace[picked.site].site
    n_rows, n_keys = len(trace.query_tokens(site)), len(trace.key_tokens(site))
    row, key, first = min(at.row, n_rows - 1), min(at.key, n_keys - 1), picked.first_token
    if n_rows > SHOWN_TOKENS:
        first = _holding(first, row)
    if n_keys > SHOWN_TOKENS and not picked.first_token:
        moved = _holding(first, key)
        first = moved if n_rows <= SHOWN_TOKENS or moved <= row < moved + SHOWN_TOKENS else first
    return replace(picked, first_token=first)


def _holding(first: int, place: int) -> int:
    """The first token of a part that holds a place, as near to `first` as can be."""
    return min(place, max(first, place - SHOWN_TOKENS + 1))


def _changes_mask(causal: bool, trace: Trace) -> bool:
    """Whether some attention of this model looks ahead where it should not, or the other way round."""
    sources = [trace[site].source for site in trace.sites if site.kind == "self"]
    return any(not isinstance(source, Replay) or source.mask.causal is not causal for source in sources)


def why_dropped(asked_for: Switches, kept: Switches, model: str) -> AttnvizError | None:
    """Why some of the switches are not those of a run; None where all are.

    Args:
        model: the name that is said.
    """
    if not asked_for.scaling and kept.scaling:
        return InputError(id="not-divided", model=model)
    remaining = switch_words(kept).split("~")
    named = ", ".join(word for word in switch_words(asked_for).split("~") if word not in remaining)
    if not named:
        return None
    return InputError(id="switch-left-out", switch=named)


def hideable(picked: Picked, trace: Trace) -> Hideable:
    """The tokens that can be hidden, in the order they are offered: of each text that the attentions on the screen look
    at, and of one where a token is hidden now, so that this can be seen and undone. `picked` fits the trace.
    """
    here, now = trace[picked.site].site, picked.switches
    is_whole = picked.tab in WHOLE_BLOCKS  # every attention of the block is on the screen
    block = [site for site in trace.sites if (site.stack, site.layer) == (here.stack, here.layer)]
    looked_at = [trace.key_tokens(site) for site in (block if is_whole else [here])]
    places: list[tuple[Text, int]] = []
    for text, tokens, hidden in (
        ("source", trace.tokens.source, now.hidden), ("target", trace.tokens.target, now.hidden_target),
    ):  # fmt: skip
        if tokens is not None and (hidden is not None or any(tokens is read for read in looked_at)):
            places += [(text, place) for place in range(len(tokens))]  # type: ignore[misc]
    return tuple(places)


def hidden_at(picked: Picked, trace: Trace) -> tuple[int, ...]:
    """Which of the tokens that can be hidden are; a link may hide one of each text."""
    return places_of(hideable(picked, trace), source=picked.switches.hidden, target=picked.switches.hidden_target)


def places_of(to_hide: Hideable, **hidden: int | None) -> tuple[int, ...]:
    """Where those that are hidden, by their text, stand among the tokens that can be."""
    return tuple(at for at, (text, place) in enumerate(to_hide) if hidden.get(text) == place)


def of_tab(site: str, trace: Trace, tab: str) -> str | None:
    """The attention that stands for one on a tab: of a whole block its self-attention; None where the tab has none."""
    sites = sites_of(trace, tab)
    return next((key for key in (site, site.replace(".cross", ".self")) if key in sites), None)


def sites_of(trace: Trace, tab: str) -> tuple[str, ...]:
    """The attentions a tab can be about, by their keys; of a block the self-attention stands for it."""
    self_sites = [site for site in trace.sites if site.kind == "self" and (tab == "block" or site.stack == "decoder")]
    return tuple(site.key for site in (self_sites if self_sites and tab in WHOLE_BLOCKS else trace.sites))
