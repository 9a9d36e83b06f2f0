"""Draw the example of each function of av.figures that docs/figures.md shows, as `docs/figures/*.svg`.

    .venv/bin/python scripts/make_figures.py

Needs `pip install 'attnviz[figures]'` and a Chrome or Chromium.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attnviz as av
from attnviz.training.bundled_models import FOLDER as BUNDLED
from attnviz.training.head_formation import head_formation

if TYPE_CHECKING:
    import plotly.graph_objects as go

FOLDER = Path(__file__).parents[1] / "docs" / "figures"


def examples() -> dict[str, go.Figure]:
    """One small figure by function, each of a model that ships."""
    draw = av.figures
    model = av.load("induction")
    trace = model.trace("a b c a b")
    previous, induction = ("decoder.0.self", 0), ("decoder.1.self", 1)
    metrics = av.head_metrics(trace)
    encoder = av.head_metrics(av.load("minilm-l6").trace("The cat sat on the mat because it was tired."))
    comparison = av.compare(trace, model.trace("a b c a b", edits=av.ablate("0.0")))
    return {
        "pattern": draw.pattern(trace, *induction),
        "heads": draw.heads(trace, [previous, induction]),
        "arcs": draw.arcs(trace, *induction),
        "tokens": draw.tokens(trace, *induction, query=-1),
        "distance": draw.distance(trace, [previous, induction]),
        "head_map": draw.head_map(metrics, "entropy"),
        "scatter": draw.scatter(encoder, "entropy", "first"),
        "similarity": draw.similarity(comparison),
        "difference": draw.difference(comparison.difference(*induction)),
        "ledger": draw.ledger(av.wrote(trace, position=-1, token="c")),
        "lens": draw.lens(av.logit_lens(trace), trace),
        "patching": draw.patching(av.patch(model, "a b c a b", "a b d a b", "heads")),
        "training": draw.training(head_formation(BUNDLED / "induction", "a b c a b")),
        "curves": draw.curves(
            range(len(trace.tokens.source)),
            {f"head {head}": trace["decoder.1.self"].weights(head).max(-1).values.tolist() for head in (0, 1)},
            title="Largest weight of each row",
            x_title="row",
        ),
        "histogram": draw.histogram(
            encoder["first"], title="Heads of MiniLM-L6", x_title="weight on the first token", y_title="heads"
        ),
        "counts": draw.counts(
            encoder.groupby("layer")["first"].agg(lambda weight: int((weight > 0.5).sum())).rename("heads").to_frame(),
            title="Heads of MiniLM-L6 with most of their weight on the first token, by layer",
            out_of=[12],
            x_title="share of the heads of a layer",
        ),
    }


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, figure in examples().items():
        av.figures.save(figure.update_layout(width=figure.layout.width or 760), FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
