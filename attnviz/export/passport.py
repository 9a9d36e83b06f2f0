"""A model's passport: what was proved of how its attention is read, as data, as lines for a shell and as a page."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from html import escape
from typing import Any

from attnviz.core.errors import AttnvizError
from attnviz.core.version import installed_version
from attnviz.trace.model_protocol import HashesWeights, Model
from attnviz.trace.trace import Trace

Passport = dict[str, Any]

BACKENDS = {
    "interface": "transformers' attention interface; memory grows in proportion to the text",
    "operators": "the operators of its own code; memory grows with the square of the text",
}
OWN = "its own recording: it is built on attnviz.attend"
PREDICTS = {"tokens": "top 20 of its vocabulary", "classes": "classes of the text", "labels": "a label for each token",
            "span": "where a span starts and ends"}  # fmt: skip
TEXT = "The cat sat on the mat because it was tired."
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}td,th{padding:.2rem 1rem .2rem 0;text-align:left;vertical-align:top}"
    "td{overflow-wrap:anywhere;font-variant-numeric:tabular-nums}"
)


def passport(model: Model, trace: Trace) -> Passport:
    """What is known and proved of a model that was loaded, so that its probe held, and of one run, which held too.

    Returns:
        values for JSON: `at_load`, the largest difference from eager weights; `run.sites`, at each site the largest
        difference from the kernel, as a share of its largest value.
    """
    card, proof = trace.card, trace.verified
    backend = getattr(getattr(model, "backend", None), "name", "")
    proved = None if proof is None else {
        "tokens": len(trace.tokens.source), "difference": proof.difference, "tolerance": proof.tolerance,
        "rows": proof.rows, "sites": dict(proof.sites),
    }  # fmt: skip
    predicts = PREDICTS[trace.prediction.of] if trace.prediction else None
    refused = [f"layer {layer} has no attention matrix" for layer in card.layers_without_attention]
    left_out = card.left_out and f"its own head ({card.left_out}) was left out and only its attention is read"
    refused += [] if predicts else [f"predictions: {left_out or 'it has no language-model head'}"]
    return {
        "model": card.id, "name": card.name, "family": card.family, "revision": card.revision,
        "weights_sha256": model.weights_sha256 if isinstance(model, HashesWeights) else None,
        "parameters": card.parameters, "licence": card.licence, "source": card.source,
        "read_by": BACKENDS.get(backend, OWN), "layers": card.n_layers, "heads": card.n_heads,
        "kinds": sorted({f"{site.stack} {site.kind}" for site in trace.sites}),
        "layers_without_attention": list(card.layers_without_attention), "quantised": list(card.quantised),
        "tokenizer_rebuilt": card.tokenizer_rebuilt,
        "at_load": card.probe_difference, "run": proved, "predicts": predicts, "refused": refused,
        "versions": versions(), "verified": True,
    }  # fmt: skip


def refusal(model: str, error: AttnvizError) -> Passport:
    """The passport of a model that cannot be read truly."""
    return {"model": model, "verified": False, "error": str(error), "id": error.id, "versions": versions()}


def versions() -> dict[str, str]:
    """What these figures were measured with."""
    packages = {name: installed_version(name) for name in ("attnviz", "torch", "transformers")}
    return packages | {"python": platform.python_version(), "processor": platform.machine()}


def lines(said: Passport) -> tuple[str, ...]:
    """A passport for a shell, a line each."""
    return tuple(f"{name:<14}{text}".rstrip() for name, text in _rows(said))


def page(said: Passport) -> str:
    """A passport as a page of its own, without a script."""
    title = f"{said.get('name') or said['model']}: {'verified' if said['verified'] else 'refused'}"
    facts = [*_rows(said), *((name, f"{version}") for name, version in said["versions"].items())]
    tables = [("", facts), ("Weights × V against the kernel, by site", [
        (site, f"{difference:.1e}") for site, difference in ((said.get("run") or {}).get("sites") or {}).items()
    ])]  # fmt: skip
    body = "".join(f"<h2>{escape(heading)}</h2>{_table(rows)}" for heading, rows in tables if rows)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"<h1>{escape(title)}</h1>{body}</html>\n"
    )


def _rows(said: Passport) -> Iterator[tuple[str, str]]:
    if not said["verified"]:
        yield "model", said["model"]
        yield "refused", said["error"]
        return
    yield "model", f"{said['name']} {said['revision']}"
    yield "family", said["family"]
    yield "read by", said["read_by"]
    yield "attention", f"{said['layers']} layers x {said['heads']} heads ({', '.join(said['kinds'])})"
    if without := said["layers_without_attention"]:
        yield "without", f"layers {', '.join(map(str, without))} (counted from 0) have no attention matrix"
    if said["quantised"]:
        yield "weights", f"dequantised from {', '.join(said['quantised'])}"
    if said["tokenizer_rebuilt"]:
        yield "tokenizer", "rebuilt from the file"
    if said["at_load"] is not None:
        yield "at load", f"weights differ from eager ones by at most {said['at_load']:.1e}"
    if run := said["run"]:
        proved = f"({run['rows']} rows of {len(run['sites'])} sites; {run['tolerance']:.0e} is rounding)"
        yield "this run", f"weights x V differ from the kernel's by at most {run['difference']:.1e} {proved}"
    none = next((reason for reason in said["refused"] if reason.startswith("predictions: ")), "")
    yield "predictions", said["predicts"] or f"none: {none.removeprefix('predictions: ')}"
    if said["weights_sha256"]:
        yield "sha256", said["weights_sha256"]
    yield "verified", ""


def _table(rows: list[tuple[str, str]]) -> str:
    cells = (f"<tr><th scope=row>{escape(name)}<td>{escape(text)}" for name, text in rows)
    return f"<table>{''.join(cells)}</table>"
