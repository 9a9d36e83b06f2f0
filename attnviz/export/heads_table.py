"""The heads of a model as lines of a terminal: layers and heads counted from 0, as everywhere in exports."""

import math

from attnviz.analysis.heads.survey import Excited, Survey, pattern_of

# Column of the table, its heading, and its digits after the point.
SHOWN = (
    ("first", "sink", 2), ("previous", "prev", 2), ("next", "next", 2), ("same_token_repeated", "same", 2),
    ("induction_repeated", "induct", 2), ("copying", "copy", 2), ("delimiter_over", "delim", 2),
    ("one_word", "1word", 2), ("entropy", "bits", 2), ("distance", "dist", 1), ("variability", "vary", 2),
)  # fmt: skip
LEGEND = (
    "sink, prev, next: share of the weight on the first, previous and next token. same, induct: on repeated random",
    "tokens, the share on the same token and on what followed it. copy: how often a name is among the 5 tokens raised",
    "most. delim: the share on punctuation, less an even row's. 1word: the largest mean weight on one word. bits:",
    "entropy. dist: tokens. vary: change from text to text. ±: deviation of the kind's own metric.",
    "A kind describes a pattern, not a purpose; docs/heads.md has every formula and threshold.",
)


def heads_lines(survey: Survey) -> list[str]:
    """The table of all heads, with how it came about above it and how many are of each kind below."""
    title = f"{survey.card.name}: {len(survey.heads)} heads over {len(survey.sentences)} sentences"
    if len(survey.sentences) < survey.n_asked:
        title += f" of {survey.n_asked} (time ran out)"
    title += f", {100 * survey.unknown_share:.1f}% of the tokens unknown"
    width = max(len(site) for site in survey.heads["site"])
    headings = "".join(f"{heading:>7}" for _, heading, _ in SHOWN)
    lines = [title, "", f"{'site':<{width}} head  {'kind':<10}{'±':>6}{headings}"]
    for row in survey.heads.to_dict("records"):
        numbers = "".join(_number(row[column], digits) for column, _, digits in SHOWN)
        column, _ = pattern_of(row["kind_of_head"])
        spread = _number(row.get(f"{column}_sd", math.nan), 2)[1:]
        lines.append(f"{row['site']:<{width}} {row['head']:>4}  {row['kind_of_head']:<10}{spread}{numbers}")
    counts = ", ".join(f"{name} {n}" for name, n in survey.counts.items() if n)
    return [*lines, "", f"Kinds: {counts}.", *LEGEND]


def excited_lines(site: str, head: int, kind: str, sentences: tuple[Excited, ...]) -> list[str]:
    """The sentences that excite one head most, and what that means for a head of its kind."""
    column, is_least = pattern_of(kind)
    meaning = "1 − the first token's share of the weight" if is_least else f"{column} of the sentence"
    lines = [f"{site} head {head}, {kind}: the sentences that excite it most, by {meaning}"]
    return lines + [f"  {each.value:.2f}  {each.sentence}" for each in sentences]


def _number(value: float, digits: int) -> str:
    if math.isnan(value):
        return f"{'–':>7}"
    return f"{value:>7.{digits}f}".replace("-", "−")
