"""`check_attention`: the stages in order, from "does it run" to "what does it leave behind"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter

from attnviz.checking.call.axis_order import BATCH_FIRST
from attnviz.checking.call.candidate import Candidate
from attnviz.checking.call.isolation import one_thread
from attnviz.checking.call.mask_format import MaskMeans
from attnviz.checking.call.preparation import candidate_of
from attnviz.checking.call.refusals import refuse, refuse_heads
from attnviz.checking.find.examination import Examination, Seen, Understood, examine, other_widths
from attnviz.checking.find.explanation import explained
from attnviz.checking.find.norms import explained_without_norms
from attnviz.checking.find.search import Reading
from attnviz.checking.find.unexplained import parameters_changed
from attnviz.checking.probe.behaviour import same_weights
from attnviz.checking.probe.first_call import first_answer, repeatable, without_answer
from attnviz.checking.probe.table import every_stage
from attnviz.checking.read.layouts import not_joined
from attnviz.checking.read.parameter_roles import attentions_in, parts_of, spelled
from attnviz.checking.report import Finding, Report


def check_attention(
    candidate: Callable[..., Any],
    *,
    n_heads: int | None = None,
    mask_means: MaskMeans | None = None,
    is_causal: bool | None = None,
    batch_first: bool | None = None,
    reference: nn.Module | None = None,
) -> Report:
    """Run your attention against ours with the same weights and say what is wrong, first fault first.

        report = av.check_attention(your_layer)
        print(report)                               # what is wrong, measured, and how to mend it
        assert report.ok                            # in a test; `assert report` is the same

    A layer is copied and never touched, and one from torch.compile is checked as it was before; the copy gets fresh
    numbers in its matrices, ours gets the same ones, both get the same inputs. Where the outputs differ, each known
    mistake is made in ours, alone and up to four together: what gives your output within 1e-5 is what is wrong. Rotary
    positions, ALiBi and windows of neighbours are known and no fault. A second text that may be left out is tried too;
    norms inside are taken out, and the report says so. What was not tried stands last in the report. It cannot stop
    code that never ends and prints nothing.

    Args:
        candidate: a torch module called as layer(x), layer(x, memory) or layer(query, key, value) with [B, T, D], whose
            matrices are found by their names (q_proj, Wq, to_q, c_attn, …); or a function f(q, k, v, mask=None) of
            [B, H, T, Dh], or f(q, k, v, n_heads) of [B, T, D]. Arguments are known by their names, in any order. It
            returns out, or out and weights [B, H, Tq, Tk], in any order or mapping.
        n_heads: H, where the layer does not say (as n_heads, num_heads, …).
        mask_means: what True in your mask means, "may look" (as here and in F.scaled_dot_product_attention) or "may not
            look" (as in nn.MultiheadAttention); or "added" for a float mask that is added to the scores. When left
            out, "may look" is expected of all but nn.MultiheadAttention, "added" is accepted, and either way is
            accepted of a key_padding_mask. A mask may be [query, key], have a text's and a head's axis too, be [batch,
            key], or the lengths of the texts (valid_lens, lengths, …).
        is_causal: whether no token may see what comes after it, without a mask being passed. Either way is accepted
            when left out, and noted.
        batch_first: False for a layer that takes [T, B, D]; when left out, what layer.batch_first says, or True.
        reference: a layer that yours is compared with somewhere else; whether both hold the same weights is said first.
    Returns:
        a Report: `report.ok`, `report.findings` with measured numbers and a fix each, `print(report)`.
    Raises:
        InputError: candidate is no module or function (or a class: pass an instance), reference is no module, n_heads
            is not positive or does not divide the width of the queries, or mask_means is none of the three.
    Source: "Attention Is All You Need" (2017), section 3.2, for what is right.
    """
    candidate, reference = _uncompiled(candidate), _uncompiled(reference)
    refuse(candidate, n_heads, mask_means, reference)
    numberless = _without_numbers(candidate)
    copied = None if numberless else candidate_of(candidate, batch_first)
    if copied is None:
        return Report(type(candidate).__name__, "Not called.", (numberless or _not_copied(),))
    if n_heads is not None and isinstance(copied.subject, nn.Module):
        refuse_heads(copied.subject, n_heads)
    before = _beside(candidate, reference)
    has_several = isinstance(copied.subject, nn.Module) and len(attentions_in(copied.subject)) > 1
    examination = None if has_several else examine(copied, n_heads, mask_means, is_causal)
    if examination is None:
        return _report(copied, None, before + Seen((_no_matrices(copied),)))
    # Gradients are compared wherever this is called.
    with torch.inference_mode(False), torch.enable_grad(), one_thread():
        seen, last = _examined(examination, n_heads)
    return _report(copied, last, before + seen)


def _not_copied() -> Finding:
    sentence = "The layer cannot be copied (copy.deepcopy), and the original is not to be touched, so nothing was run."
    return Finding("cannot-copy", sentence, "build a fresh one for the check: no locks, files or threads as attributes")


def _beside(candidate: object, reference: nn.Module | None) -> Seen:
    """Whether a reference holds the same weights, where one was given."""
    if reference is None or not isinstance(candidate, nn.Module):
        return Seen()
    unread = _without_numbers(reference, "reference")
    return same_weights(candidate, reference) if unread is None else Seen((unread,))


def _examined(examination: Examination, n_heads: int | None) -> tuple[Seen, Understood | Examination]:
    examination, inputs, answer = first_answer(examination)
    for turned in other_widths(examination, n_heads) if answer.problem == "raised" else ():
        turned, other_inputs, other_answer = first_answer(turned)
        if not other_answer.problem:
            examination, inputs, answer = turned, other_inputs, other_answer
            break
    if answer.problem:
        return Seen((without_answer(examination, inputs, answer),)), examination
    examination, answer, seen, is_steady = repeatable(examination, inputs, answer)
    if not is_steady:
        return seen, examination
    understood, found = explained(examination, inputs, answer)
    is_steady = not parameters_changed(answer)  # else what is normalised may be the matrices themselves
    bare = explained_without_norms(examination, inputs) if understood is None and is_steady else None
    understood, found = bare or (understood, found)
    # Dropout is told after the faults of the arithmetic: it hides them, and does not cause them.
    seen = replace(found + seen, checked=found.checked + seen.checked)
    if understood is None:
        return seen, examination
    return seen + every_stage(understood), understood


def _uncompiled(layer: Any) -> Any:
    """The layer inside torch.compile(layer), whose signature and names say what it is."""
    inside = getattr(layer, "_orig_mod", None)
    return inside if isinstance(layer, nn.Module) and isinstance(inside, nn.Module) else layer


def _without_numbers(candidate: object, what: str = "layer") -> Finding | None:
    """What to say of a layer whose matrices hold nothing yet, so that it cannot be run."""
    parameters = list(candidate.parameters()) if isinstance(candidate, nn.Module) else []
    if any(isinstance(parameter, UninitializedParameter) for parameter in parameters):
        sentence = f"The {what} has matrices whose size is not known yet (nn.LazyLinear), so it was not run."
        return Finding("lazy", sentence, "call it once on an input of the right width, then check it")
    if any(parameter.is_meta for parameter in parameters):
        sentence = f"The {what} is on the meta device: it has shapes and holds no numbers, so it was not run."
        return Finding("no-numbers", sentence, 'build it on a device with memory, or layer.to_empty(device="cpu")')
    return None


def _no_matrices(candidate: Candidate) -> Finding:
    names = list(candidate.parameters())
    assert isinstance(candidate.subject, nn.Module)  # a function needs no matrices
    inside = attentions_in(candidate.subject)
    if len(inside) > 1:
        more = f" and {len(inside) - 4} more" if len(inside) > 4 else ""
        sentence = (
            f"It holds {len(inside)} attention layers ({', '.join(inside[:4])}{more}), and one is checked at a time."
        )
        return Finding("several-attentions", sentence, f"check_attention({spelled(inside[0])})")
    unjoined = not_joined(candidate.subject)
    if unjoined:
        fix = "torch.cat of every head on the last axis, then W_O: nn.Linear(H * d_head, d_model)"
        return Finding("cannot-compare", f"{unjoined} So there is no verdict.", fix)
    several = "One matrix each for q, k, v and out was not found"
    what = several if parts_of(candidate.subject) else "No matrices for q, k and v were found"
    listed = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
    return Finding(
        "cannot-compare",
        f"{what} among its {len(names)} parameters ({listed}). Without the same weights "
        "in both, comparing says nothing, so there is no verdict.",
        "name them q_proj, k_proj, v_proj and out_proj, or check the function inside: check_attention(f)",
    )


def _report(candidate: Candidate, last: Understood | Examination | None, seen: Seen) -> Report:
    examination = last.examination if isinstance(last, Understood) else last
    candidate = candidate if examination is None else examination.candidate
    how = f"Called as {candidate.signature.said(candidate.is_function)}"
    if examination is not None:
        how += f" in {str(candidate.dtype).removeprefix('torch.')}"
        how += "" if candidate.arrangement is BATCH_FIRST else f" with {candidate.arrangement.said}"
    if isinstance(last, Understood):
        how += _read(last.explanation.reading)
    return Report(candidate.name, how + ".", seen.findings, seen.notes, seen.checked, seen.unchecked)


def _read(reading: Reading) -> str:
    """How the layer's weights were read: ", 3 heads of width 8, weights of w_q, …"."""
    if reading.numbers is None:
        return ""
    n_heads = reading.numbers.n_heads
    said = f", {n_heads} head{'s' if n_heads > 1 else ''} of width {reading.numbers.head_width}"
    names = dict.fromkeys(name.rpartition(".")[0] or name for name in reading.layout.names) if reading.layout else ()
    return said + (f", weights of {', '.join(names)}" if names else "")
