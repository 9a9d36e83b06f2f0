"""Comparisons as lines of a terminal: layers and heads counted from 0, as everywhere in exports."""

from attnviz.analysis.compare import Comparison, Difference, Similarity
from attnviz.text import signed

LEGEND = (
    "bits: mean Jensen-Shannon divergence of the rows; 0 for equal heads, 1 for those that never share a word.",
    "nearest: the head of the other side with the least. partner: in the pairing of least total, each head once.",
    "Alike means that two heads look at the same words, not that they do the same with them.",
)
MOST_CELLS = 8  # of a difference that are listed


def similarity_lines(pair: Similarity) -> list[str]:
    """The nearest head and the partner of every head, with how they came about above."""
    sides = f"{pair.card_a.name} (A, {len(pair.heads_a)} heads) and {pair.card_b.name} (B, {len(pair.heads_b)} heads)"
    how = "words" if pair.by_words else "tokens"
    texts = "1 text" if pair.n_sentences == 1 else f"{pair.n_sentences} texts"
    lines = [sides, f"{texts}, {pair.n_rows} rows that count, compared by {how}"]
    if pair.n_skipped:
        lines.append(f"{pair.n_skipped} texts left out: {pair.why_skipped}")
    matches = pair.matches()
    width = max(len(site) for site in (*matches["site"], *matches["nearest_site"]))
    for side, other in (("a", "B"), ("b", "A")):
        lines += [
            "",
            f"{side.upper() + ', site':<{width}} head   {'nearest in ' + other:<{width}} head   bits   partner",
        ]
        lines += [_match(row, width) for row in matches[matches["of"] == side].to_dict("records")]
    return [*lines, "", *LEGEND]


def comparison_lines(comparison: Comparison) -> list[str]:
    """The same over one text, or two of one model, with what of it could not be compared."""
    lines = similarity_lines(comparison.similarity)
    if comparison.is_of_two_texts:
        lines[1] = lines[1].replace("1 text", "2 texts of one model")
    for side, texts in zip("AB", comparison.units.left_out, strict=True):
        if texts:
            lines.insert(2, f"left out of {side}, which the other side has not: {' '.join(texts)}")
    return lines


def difference_lines(difference: Difference) -> list[str]:
    """One head beside another: how far apart, and the cells that differ most."""
    lines = [
        f"A {difference.head_a}, B {difference.head_b}",
        f"{difference.js:.4f} bits, cosine {difference.cosine:.4f}, correlation {difference.correlation:.4f}, "
        f"largest difference {difference.largest:.2e}",
        "",
    ]
    for row in difference.most(MOST_CELLS).to_dict("records"):
        lines.append(
            f"  {row['query_text']} → {row['key_text']}: A {100 * row['a']:.1f}%, B {100 * row['b']:.1f}%, "
            f"{signed(100 * row['difference'], 1)} points"
        )
    return lines


def _match(row: dict[str, object], width: int) -> str:
    partner = "–"
    if row["partner_js"] == row["partner_js"]:  # NaN where a head has none, the sides being unequal
        partner = f"{row['partner_site']} {row['partner_head']} ({row['partner_js']:.3f})"
    return (
        f"{row['site']:<{width}} {row['head']:>4}   {row['nearest_site']:<{width}} {row['nearest_head']:>4}  "
        f"{row['js']:.3f}   {partner}"
    )
