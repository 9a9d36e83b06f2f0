"""`attnviz heads`: what every head of a model does, over a set of sentences."""

import argparse
from pathlib import Path
from typing import Any

from attnviz.cli import command
from attnviz.cli.command import MODEL, Answer, fetching, measuring, records


def add(commands: Any) -> None:
    one = command.add(
        commands, heads, "attnviz heads minilm-l6 --csv\nattnviz heads minilm-l6 --excites encoder.2.self 9"
    )
    one.add_argument("model", help=MODEL)
    one.add_argument("--language", choices=("en", "zh"), help="the bundled sentences; the model's own if not given")
    one.add_argument("--file", type=Path, metavar="SENTENCES.txt", help="a list of your own: at most 500, one a line")
    one.add_argument("--csv", action="store_true", help="every metric, with its spread, as CSV")
    one.add_argument("--excites", nargs=2, metavar=("SITE", "HEAD"), help="the sentences that excite one head most")
    one.add_argument("--seconds", type=float, default=600.0, help="end after so long with what was measured (600)")


def heads(asked: argparse.Namespace) -> Answer:
    """Measure what every head of a model does, over a set of sentences."""
    from attnviz import load  # torch and transformers load here
    from attnviz.analysis.heads.sentences import read_list
    from attnviz.analysis.heads.survey import excited_by, survey
    from attnviz.analysis.heads.survey_cache import shipped_survey
    from attnviz.export.csv_text import csv_text
    from attnviz.export.heads_table import excited_lines, heads_lines
    from attnviz.export.passport import TEXT
    from attnviz.trace.model_protocol import MakesTexts

    if asked.excites is not None and not asked.excites[1].isdecimal():
        asked.refuse(f"--excites takes a site and the number of a head, such as encoder.2.self 9; got {asked.excites}")
    sentences = None if asked.file is None else read_list(asked.file)  # before a model is fetched for nothing
    model = load(asked.model, on_progress=fetching(asked.model))
    if asked.excites is not None:
        site, head = asked.excites[0], int(asked.excites[1])
        text = model.own_texts(1)[0] if isinstance(model, MakesTexts) else TEXT
        model.trace(text)[site].check_head(head)  # before all are measured
    made = shipped_survey(model, asked.language) if sentences is None else None
    made = made or survey(
        model, sentences, language=asked.language, max_seconds=asked.seconds, on_progress=measuring(asked.model)
    )
    if asked.excites is None:
        lines = [csv_text(made.heads).rstrip()] if asked.csv else heads_lines(made)
        return Answer({"model": made.card.id, "sentences": len(made.sentences), "heads": records(made.heads)}, lines)
    excited = excited_by(made, site, head, n=10)
    row = made.heads[(made.heads["site"] == site) & (made.heads["head"] == head)].iloc[0]
    lines = excited_lines(site, head, row["kind_of_head"], excited)
    data = [{"value": each.value, "sentence": each.sentence} for each in excited]
    return Answer({"site": site, "head": head, "kind": row["kind_of_head"], "sentences": data}, lines)
