"""The tables of kinds and metrics as the page prints them: from the modules that decide, so they cannot differ."""

from __future__ import annotations

from html import escape

from attnviz_app.heads.sections.table import glyph_svg

from attnviz.analysis.heads.kinds import TABLE, Kind
from attnviz.analysis.heads.metrics import METRICS, Metric
from attnviz.text import Strings
from attnviz.views.heads.columns import title_of

OF_KINDS = ("heads-column-kind", "heads-kinds-metric", "heads-kinds-least", "heads-kinds-says")
OF_METRICS = (
    "heads-metrics-metric", "heads-metrics-formula", "heads-metrics-unit", "heads-metrics-says", "heads-metrics-source",
)  # fmt: skip


def about_html(say: Strings, *, is_dark: bool) -> str:
    """Both tables, each under its sentence."""
    kinds = "".join(_kind(kind, say, is_dark=is_dark) for kind in TABLE)
    metrics = "".join(_metric(metric, say) for metric in METRICS)
    return (
        f'<p class="av-note">{escape(say("heads-kinds-order"))}</p>{_table(OF_KINDS, kinds, say)}'
        f'<p class="av-note">{escape(say("heads-metrics-how"))}</p>{_table(OF_METRICS, metrics, say)}'
    )


def _table(headings: tuple[str, ...], rows: str, say: Strings) -> str:
    head = "".join(f'<th scope="col">{escape(say(id))}</th>' for id in headings)
    table = f'<table class="av-rows"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="av-scroll" tabindex="0">{table}</div>'


def _kind(kind: Kind, say: Strings, *, is_dark: bool) -> str:
    glyph = glyph_svg(kind, kind.dark if is_dark else kind.light)
    metric = escape(title_of(kind.metric, say)) if kind.metric else "–"
    least = f"{kind.threshold:g}" if kind.metric else "–"
    says = escape(say(kind.says, **kind.numbers))
    return (
        f'<tr><th scope="row"><span class="av-kind">{glyph}{escape(say(kind.title))}</span></th><td>{metric}</td>'
        f"<td>{least}</td><td>{says}</td></tr>"
    )


def _metric(metric: Metric, say: Strings) -> str:
    return (
        f'<tr><th scope="row">{escape(say(metric.title))}</th><td lang="en"><code>{escape(metric.formula)}</code></td>'
        f"<td>{escape(say(f'heads-unit-{metric.unit}'))}</td><td>{escape(say(metric.says))}</td>"
        f'<td lang="en">{escape(metric.source)}</td></tr>'
    )
