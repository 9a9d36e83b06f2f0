"""A model's proofs as lines for a shell: what it is, which way its attention is read, and how far off it was."""

from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace

BACKENDS = {
    "interface": "transformers' attention interface; memory grows in proportion to the text",
    "operators": "the operators of its own code; memory grows with the square of the text",
}
TEXT = "The cat sat on the mat because it was tired."


def check_lines(model: Model, trace: Trace) -> tuple[str, ...]:
    """The report of a model and of one run of it, a line each.

    Args:
        model: loaded, so its probe held.
        trace: a run of it, so that held too.
    """
    card, proof = trace.card, trace.verified
    backend = getattr(getattr(model, "backend", None), "name", "")
    kinds = sorted({f"{site.stack} {site.kind}" for site in trace.sites})
    lines = [f"model         {card.name} {card.revision}".rstrip(), f"family        {card.family}"]
    lines.append(f"read by       {BACKENDS.get(backend, 'its own recording: it is built on attnviz.attend')}")
    lines.append(f"attention     {card.n_layers} layers x {card.n_heads} heads ({', '.join(kinds)})")
    if card.layers_without_attention:
        without = ", ".join(str(layer) for layer in card.layers_without_attention)
        lines.append(f"without       layers {without} (counted from 0) have no attention matrix")
    if card.quantised:
        lines.append(f"weights       dequantised from {', '.join(card.quantised)}")
    if card.tokenizer_rebuilt:
        lines.append("tokenizer     rebuilt from the file")
    if card.probe_difference is not None:
        lines.append(f"at load       weights differ from eager ones by at most {card.probe_difference:.1e}")
    if proof is not None:
        lines.append(
            f"this run      weights x V differ from the kernel's by at most {proof.difference:.1e} "
            f"({proof.rows} rows of {len(trace.sites)} sites; {proof.tolerance:.0e} is rounding)"
        )
    heads = {"tokens": "top 20 of its vocabulary", "classes": "classes of the text", "labels": "a label for each token",
             "span": "where a span starts and ends"}  # fmt: skip
    predicts = heads[trace.prediction.of] if trace.prediction else f"none: {card.why_no_predictions}"
    lines.append(f"predictions   {predicts}")
    return (*lines, "verified")
