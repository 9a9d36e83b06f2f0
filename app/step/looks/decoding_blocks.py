"""What the closer look at decoding shows, as blocks: one step of writing, its proposals, and whose keys are new."""

from collections.abc import Sequence

import pandas as pd
import torch
from attnviz_app.step.looks.head_blocks import percent
from attnviz_app.step.looks.token_slice import MOST, TokenSlice, of_tokens, said

from attnviz.explanation.head_view import HeadView
from attnviz.explanation.model_steps.decoding import Candidate, GenerationStep
from attnviz.text import Strings
from attnviz.text.numbers import figure
from attnviz.trace.decoder_rows import row_tokens
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Chart, Curve, Fact, Facts, Map, Maps, Prose, Table

SHOWN = 5  # proposals of a step
MADE, KEPT = 1.0, 0.5  # how a map says whose keys and values a step makes, and whose it finds kept


def decoding(trace: Trace, steps: Sequence[GenerationStep], at: int, say: Strings) -> tuple[Block, ...]:
    """One step of writing, and all of them in a table."""
    tokens = trace.query_tokens(next(site for site in trace.sites if site.stack == "decoder"))
    part = of_tokens(tokens, at - MOST // 2)
    return (
        _facts(trace, steps[at], tokens, say),
        _proposed(steps[at], tokens, say),
        _all_steps(steps, at, tokens, part, say),
        *said(say, part, of_tokens(trace.tokens.source)),
        Prose(say("look-decoding-states")),
        Maps(_kept(trace, steps, at, part, say)),
        _without_cache(steps, say),
    )


def chosen(step: GenerationStep, tokens: Tokens) -> Candidate | None:
    """The token that came next, as it was proposed; None at the end, and where it was not among the proposals."""
    if step.chosen is None:
        return None
    return next((one for one in step.candidates if one.id == tokens.ids[step.chosen]), None)


def _made(step: GenerationStep) -> int:
    """How many tokens' keys and values a step makes."""
    return len(step.new) + len(step.new_source)


def _reused(step: GenerationStep) -> int:
    return len(step.reused) + len(step.reused_source)


def _facts(trace: Trace, now: GenerationStep, tokens: Tokens, say: Strings) -> Facts:
    following = "–" if now.chosen is None else tokens.text[now.chosen]
    layers = len({site.layer for site in trace.sites if site.stack == "decoder"})
    heads = HeadView.of(trace, next(site for site in trace.sites if site.stack == "decoder")).n_heads_of("k")
    return Facts([
        Fact(say("look-decoding-next"), following, _share_of_chosen(now, tokens, say)),
        Fact(say("look-decoding-new"), str(_made(now)), say("look-decoding-each", layers=layers, heads=heads)),
        Fact(say("look-decoding-reused"), str(_reused(now)), say("look-decoding-waiting")),
    ])  # fmt: skip


def _share_of_chosen(step: GenerationStep, tokens: Tokens, say: Strings) -> str:
    if step.chosen is None:
        return say("look-decoding-end")
    drawn = chosen(step, tokens)
    if drawn is None:
        return say("look-decoding-unlikely", n=len(step.candidates))
    return say("look-decoding-probability", percent=percent(drawn.probability))


def _proposed(now: GenerationStep, tokens: Tokens, say: Strings) -> Table:
    """The likeliest, and the one that came next where it was likely enough to be kept."""
    taken = chosen(now, tokens)
    ranked = list(enumerate(now.candidates, 1))
    drawn = [(rank, one) for rank, one in ranked if rank <= SHOWN or one is taken]
    columns = (say("look-decoding-rank"), say("look-decoding-proposed"), say("look-decoding-share"))
    return Table(
        columns, [(str(rank), one.text, figure(one.probability)) for rank, one in drawn],
        say("look-decoding-after", token=tokens.name(now.step)),
        marked=next((at for at, (_, one) in enumerate(drawn) if one is taken), None),
    )  # fmt: skip


def _kept(trace: Trace, steps: Sequence[GenerationStep], at: int, part: TokenSlice, say: Strings) -> list[Map]:
    """Whose keys and values each step makes, and whose it finds kept: 1, ½, and 0 for those that are not there yet."""
    drawn = steps[part.cut]
    read = [(say("look-decoding-own"), part, [(step.new, step.reused) for step in drawn])]
    if any(step.new_source for step in steps):
        sides = [(step.new_source, step.reused_source) for step in drawn]
        read.append((say("look-decoding-source"), of_tokens(trace.tokens.source), sides))
    named = of_tokens(row_tokens(trace, "decoder"), part.first).names
    rows = tuple(f"{step.step + 1} {name}" for step, name in zip(drawn, named, strict=True))
    maps = []
    for title, columns, sides in read:
        states = torch.zeros(len(drawn), columns.total)  # [steps, T_k]
        for row, (new, kept) in enumerate(sides):
            states[row, list(new)] = MADE
            states[row, list(kept)] = KEPT
        marked = (at - part.first, columns.place(at) if columns is part else 0)
        maps.append(Map(
            title, states[:, columns.cut], rows, columns.names, "share", limit=1.0,
            row_axis=say("look-decoding-step"), column_axis=say("look-axis-token"),
            marked=None if marked[1] is None else (marked[0], marked[1]),
        ))  # fmt: skip
    return maps


def _without_cache(steps: Sequence[GenerationStep], say: Strings) -> Chart:
    """How many tokens' keys and values each step makes, and how many it would make if nothing were kept."""
    new = [_made(step) for step in steps]
    every = [_made(step) + _reused(step) for step in steps]
    return Chart(
        say("look-decoding-saved"), [step.step + 1 for step in steps],
        [Curve(say("look-decoding-with"), new), Curve(say("look-decoding-without"), every)],
        say("look-decoding-step"),
    )  # fmt: skip


def _all_steps(steps: Sequence[GenerationStep], at: int, tokens: Tokens, part: TokenSlice, say: Strings) -> Table:
    rows = []
    for name, step in zip(part.names, steps[part.cut], strict=True):
        best = step.candidates[0]
        rows.append((
            str(step.step + 1), name, f"{best.text} {percent(best.probability)}",
            "–" if step.chosen is None else tokens.name(step.chosen),
            str(_made(step)), str(_reused(step)),
        ))  # fmt: skip
    columns = tuple(say(f"look-decoding-{column}") for column in ("step", "reads", "likeliest", "next", "made", "kept"))
    return Table(columns, rows, say("look-decoding-steps"), marked=at - part.first)


def lens(trace: Trace, frame: pd.DataFrame, at: int, say: Strings) -> tuple[Block, ...]:
    """What the stream would predict before the first block and after each: of all as a picture, of one row with ranks.

    Args:
        frame: of `logit_lens`. at: the row, from 0; the last one there is if it is none.
    """
    points = _points(frame)
    by_point = frame[frame["rank"] == 1].set_index(["point", "position"])
    tokens = trace.query_tokens(next(site for site in trace.sites if site.stack == "decoder"))
    at = min(at, len(tokens) - 1)
    names = [say("look-after-block", n=n) if n else say("look-before-blocks") for n in range(len(points))]
    top = [by_point.loc[(point, at)] for point in points]
    final = {"token": tokens.name(at), "text": top[-1].text}
    chart = Chart(
        say("look-lens-chart", **final), range(len(points)),
        [Curve(f"“{top[-1].text}”", [float(one.final_probability) for one in top])], say("look-blocks-passed"),
    )  # fmt: skip
    rank = say("look-lens-rank", text=top[-1].text)
    columns = (say("look-lens-point"), say("look-lens-first"), rank, say("look-decoding-share"))
    ranks = [(name, f"{one.text} {percent(one.probability)}", str(int(one.final_rank)), percent(one.final_probability))
             for name, one in zip(names, top, strict=True)]  # fmt: skip
    ranked = Table(columns, ranks, say("look-lens-ranks", **final))
    return *lens_map(trace, frame, at, say), chart, ranked, Prose(say("look-lens-honest"))


def lens_map(trace: Trace, frame: pd.DataFrame, at: int | None, say: Strings) -> tuple[Block, ...]:
    """The likeliest word before the first block and after each, of each token: blocks by tokens.

    Args:
        frame: of `logit_lens`. at: the token that is marked, and drawn of a long text, from 0; None is the last.
    """
    points, best = _points(frame), frame[frame["rank"] == 1]
    tokens = trace.tokens.target or trace.tokens.source
    named = row_tokens(trace, "decoder") if trace.tokens.target is not None else tokens
    at = len(named) - 1 if at is None else at
    part = of_tokens(named, at - MOST // 2)
    words, shares = (
        best.pivot(index="point", columns="position", values=of).loc[points] for of in ("text", "probability")
    )
    return (*said(say, part), Maps([Map(
        say("look-lens-table"), torch.tensor(shares.to_numpy())[:, part.cut], [str(n) for n in range(len(points))],
        part.names, "share", limit=1.0, row_axis=say("look-blocks-passed"), column_axis=say("look-axis-token"),
        leads="token", first=part.first, texts=words.iloc[:, part.cut].to_numpy().tolist(),
        marked=(len(points) - 1, at - part.first),
    )]))  # fmt: skip


def _points(frame: pd.DataFrame) -> list[str]:
    """The stream as each block read it, and as the last one left it."""
    return [*(point for point in frame["point"].unique() if point.endswith(".in")), frame["point"].iloc[-1]]
