"""What the closer look at decoding shows, as blocks: one step of writing, its proposals, and whose keys are new."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz_app.blocks_of_heads import percent
from attnviz_app.drawn_part import MOST

from attnviz.core.tokens import Tokens
from attnviz.core.trace import Trace
from attnviz.lessons.decoding import Candidate, Written
from attnviz.text import Strings
from attnviz.text.numbers import figure
from attnviz.views.panel.blocks import Block, Chart, Curve, Fact, Facts, Table

SHOWN = 5  # proposals of a step
KNOWN = 20  # proposals that a trace keeps


def decoding(trace: Trace, steps: Sequence[Written], at: int, say: Strings) -> tuple[Block, ...]:
    """One step of writing, and all of them in a table.

    Args:
        steps: with every proposal that the trace keeps.
        at: the step, from 0.
    """
    tokens = trace.query_tokens(next(site for site in trace.sites if site.stack == "decoder"))
    now = steps[at]
    tables = [_proposed(now, tokens, say), _kept(tokens, now.new, now.reused, now.step, "look-decoding-own", say)]
    if now.new_source or now.reused_source:
        source = trace.tokens.source
        tables.append(_kept(source, now.new_source, now.reused_source, now.step, "look-decoding-source", say))
    return (_facts(trace, now, tokens, say), *tables, _without_cache(steps, say), _all_steps(steps, at, tokens, say))


def chosen(step: Written, tokens: Tokens) -> Candidate | None:
    """The token that came next, as it was proposed; None at the end, and where it was not among the proposals."""
    if step.chosen is None:
        return None
    return next((one for one in step.candidates if one.id == tokens.ids[step.chosen]), None)


def _facts(trace: Trace, now: Written, tokens: Tokens, say: Strings) -> Facts:
    following = "–" if now.chosen is None else tokens.text[now.chosen]
    layers = len({site.layer for site in trace.sites if site.stack == "decoder"})
    heads = trace[next(site for site in trace.sites if site.stack == "decoder")].n_heads
    return Facts([
        Fact(say("look-decoding-next"), following, _share_of_chosen(now, tokens, say)),
        Fact(say("look-decoding-new"), str(len(now.new) + len(now.new_source)),
             say("look-decoding-each", layers=layers, heads=heads)),
        Fact(say("look-decoding-reused"), str(len(now.reused) + len(now.reused_source)),
             say("look-decoding-waiting")),
    ])  # fmt: skip


def _share_of_chosen(step: Written, tokens: Tokens, say: Strings) -> str:
    if step.chosen is None:
        return say("look-decoding-end")
    found = chosen(step, tokens)
    if found is None:
        return say("look-decoding-unlikely", n=len(step.candidates))
    return say("look-decoding-probability", percent=percent(found.probability))


def _proposed(now: Written, tokens: Tokens, say: Strings) -> Table:
    """The likeliest, and the one that came next where it was likely enough to be kept."""
    found = chosen(now, tokens)
    ranked = list(enumerate(now.candidates, 1))
    drawn = [(rank, one) for rank, one in ranked if rank <= SHOWN or one is found]
    columns = (say("look-decoding-rank"), say("look-decoding-proposed"), say("look-decoding-share"))
    return Table(
        columns, [(str(rank), one.text, figure(one.probability)) for rank, one in drawn],
        say("look-decoding-after", token=tokens.name(now.step)),
        marked=next((at for at, (_, one) in enumerate(drawn) if one is found), None),
    )  # fmt: skip


def _kept(tokens: Tokens, new: Sequence[int], reused: Sequence[int], step: int, id: str, say: Strings) -> Table:
    """Whose keys and values are made in this step, and whose wait from an earlier one; the last 64 of them."""
    made, seen = set(new), sorted([*new, *reused])[-MOST:]
    is_own = id == "look-decoding-own"
    rows = [
        (tokens.name(at), say("look-decoding-made") if at in made
         else say("look-decoding-from", step=at + 1 if is_own else 1))
        for at in seen
    ]  # fmt: skip
    marked = next((at for at, token in enumerate(seen) if token in made), None) if is_own else None
    return Table((say("look-axis-token"), say("look-decoding-keys")), rows, say(id, n=step + 1), marked=marked)


def _without_cache(steps: Sequence[Written], say: Strings) -> Chart:
    """How many tokens' keys and values each step makes, and how many it would make if nothing were kept."""
    new = [len(step.new) + len(step.new_source) for step in steps]
    kept = [len(step.reused) + len(step.reused_source) for step in steps]
    return Chart(
        say("look-decoding-saved"), [step.step + 1.0 for step in steps],
        [
            Curve(say("look-decoding-with"), [float(it) for it in new]),
            Curve(say("look-decoding-without"), [float(a + b) for a, b in zip(new, kept, strict=True)]),
        ],
        say("look-decoding-step"), say("look-decoding-tokens"),
    )  # fmt: skip


def _all_steps(steps: Sequence[Written], at: int, tokens: Tokens, say: Strings) -> Table:
    first = max(0, min(at - MOST // 2, len(steps) - MOST))
    rows = []
    for step in steps[first : first + MOST]:
        best = step.candidates[0]
        following = "–" if step.chosen is None else tokens.name(step.chosen)
        rows.append((
            str(step.step + 1), tokens.name(step.step), f"{best.text} {percent(best.probability)}", following,
            str(len(step.new) + len(step.new_source)), str(len(step.reused) + len(step.reused_source)),
        ))  # fmt: skip
    columns = tuple(say(f"look-decoding-{it}") for it in ("step", "reads", "likeliest", "next", "new", "reused"))
    return Table(columns, rows, say("look-decoding-steps"), marked=at - first)
