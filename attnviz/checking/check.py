"""`check_attention`: the stages in order, from "does it run" to "what does it leave behind"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter

from attnviz.checking.behaviour import left_behind, other_lengths, same_weights
from attnviz.checking.candidate import Candidate, candidate_of
from attnviz.checking.examination import Examination, MaskMeans, Seen, Understood, examine, other_widths
from attnviz.checking.forward import explained, first_answer, repeatable, without_answer
from attnviz.checking.further import further_probes
from attnviz.checking.gradients import gradients_flow
from attnviz.checking.layouts import layouts_of
from attnviz.checking.masking import causal_switch, mask_obeyed
from attnviz.checking.padding import padding_obeyed
from attnviz.checking.report import Finding, Report
from attnviz.checking.roles import parts_of
from attnviz.checking.shown import weights_in_training, weights_shown
from attnviz.core.errors import InputError


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

    A layer is copied and never touched, and one from torch.compile is checked as it was before; the copy gets fresh
    numbers in its matrices, ours gets the same ones, both get the same inputs. Where the outputs differ, each known
    mistake, and each pair of them, is made in ours: the one that gives your output within 1e-5 is what is wrong. It
    cannot stop code that never ends and prints nothing.

    Args:
        candidate: a torch module called as layer(x), layer(x, memory) or layer(query, key, value) with [B, T, D], whose
            matrices are found by their names (q_proj, Wq, to_q, c_attn, …); or a function f(q, k, v, mask=None) of
            [B, H, T, Dh]. It returns out, or out and weights [B, H, Tq, Tk], in any order or mapping.
        n_heads: H, where the layer does not say (as n_heads, num_heads, …).
        mask_means: what True in your mask means, "may look" (as here and in F.scaled_dot_product_attention) or "may not
            look" (as in nn.MultiheadAttention); or "added" for a float mask that is added to the scores. When left
            out, "may look" is expected of all but nn.MultiheadAttention, and "added" is accepted.
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
    _refuse(candidate, n_heads, mask_means, reference)
    name = type(candidate).__name__
    numberless = _without_numbers(candidate)
    if numberless is not None:
        return Report(name, "Not called.", (numberless,))
    copied = candidate_of(candidate, batch_first)
    if copied is None:
        sentence = (
            "The layer cannot be copied (copy.deepcopy), and the original is not to be touched, so nothing was run."
        )
        fix = "build a fresh one for the check: no tensors with a history, locks or files as attributes"
        return Report(name, "Not called.", (Finding("cannot-copy", sentence, fix),))
    if n_heads is not None and isinstance(copied.subject, nn.Module):
        _refuse_heads(copied.subject, n_heads)
    examination = examine(copied, n_heads, mask_means, is_causal)
    before = Seen()
    if reference is not None and isinstance(candidate, nn.Module):
        unread = _without_numbers(reference, "reference")
        before = same_weights(candidate, reference) if unread is None else Seen((unread,))
    if examination is None:
        return _report(copied, None, before + Seen((_no_matrices(copied),)))
    with torch.inference_mode(False), torch.enable_grad():  # gradients are compared wherever this is called
        seen, last = _examined(examination, n_heads)
    return _report(copied, last, before + seen)


def _examined(examination: Examination, n_heads: int | None) -> tuple[Seen, Understood | Examination]:
    examination, inputs, answer = first_answer(examination)
    turned = other_widths(examination, n_heads) if answer.problem == "raised" else None
    if turned is not None:
        turned, other_inputs, other_answer = first_answer(turned)
        if not other_answer.problem:
            examination, inputs, answer = turned, other_inputs, other_answer
    if answer.problem:
        return Seen((without_answer(examination, inputs, answer),)), examination
    examination, answer, seen, is_steady = repeatable(examination, inputs, answer)
    if not is_steady:
        return seen, examination
    understood, found = explained(examination, inputs, answer)
    # Dropout is told after the faults of the arithmetic: it hides them, and does not cause them.
    seen = replace(found + seen, checked=found.checked + seen.checked)
    if understood is None:
        return seen, examination
    return seen + _further(understood), understood


def _further(understood: Understood) -> Seen:
    """The stages that start from an explained output."""
    seen = Seen()
    if understood.has_mixed_axes:
        return Seen(unchecked=("masks, weights and gradients, until the axes are right",))
    seen += other_lengths(understood)
    seen += causal_switch(understood)
    masked, agreed = mask_obeyed(understood)
    if any(finding.id == "mask-raises" for finding in masked.findings):
        masked = padding_obeyed(understood) or masked
    seen += masked
    seen += weights_shown(understood)
    seen += weights_in_training(understood)
    seen += gradients_flow(understood)
    seen += left_behind(understood)
    return seen if seen.findings or understood.explanation.faults else seen + further_probes(understood, agreed)


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
    how = f"Called as {candidate.signature.said(candidate.is_function)}"
    examination = last.examination if isinstance(last, Understood) else last
    if examination is not None:
        how += " in " + str(examination.candidate.dtype).removeprefix("torch.")
    if isinstance(last, Understood) and last.explanation.reading.numbers is not None:
        reading = last.explanation.reading
        assert reading.layout is not None and reading.numbers is not None  # a layer has both
        head_width = reading.numbers.weight["q"].shape[0] // reading.numbers.n_heads
        names = dict.fromkeys(name.rpartition(".")[0] or name for name in reading.layout.names)
        how += f", {reading.numbers.n_heads} heads of width {head_width}, weights of {', '.join(names)}"
    return Report(candidate.name, how + ".", seen.findings, seen.notes, seen.checked, seen.unchecked)


def _refuse(
    candidate: object, n_heads: int | None, mask_means: str | None, reference: object
) -> None:  # fmt: skip
    came = type(candidate).__name__
    if isinstance(candidate, type):
        raise InputError(
            f"{candidate.__name__} is a class; expected a layer made from it. Pass {candidate.__name__}(…).",
            id="check-class", name=candidate.__name__,
        )  # fmt: skip
    if not callable(candidate):
        raise InputError(
            f"check_attention got {came}; expected a torch module or a function f(q, k, v, mask). Pass the layer.",
            id="check-not-callable", came=came,
        )  # fmt: skip
    if mask_means is not None and mask_means not in get_args(MaskMeans):
        raise InputError(
            f"mask_means is {mask_means!r}; expected 'may look', 'may not look' or 'added'. Say what True "
            "in your mask means.",
            id="check-mask-means", came=str(mask_means),
        )  # fmt: skip
    if reference is not None and not isinstance(reference, nn.Module):
        raise InputError(
            f"reference is {type(reference).__name__}; expected a torch module, whose weights can be read. Leave it "
            "out to compare with ours alone.",
            id="check-reference", came=type(reference).__name__,
        )  # fmt: skip
    if n_heads is not None and (not isinstance(n_heads, int) or n_heads < 1):
        raise InputError(
            f"n_heads is {n_heads}; expected a whole number of at least 1. Say how many heads your layer has.",
            id="check-heads", n=str(n_heads),
        )  # fmt: skip


def _refuse_heads(module: nn.Module, n_heads: int) -> None:
    layouts = layouts_of(module)
    width = layouts[0].n_heads * layouts[0].head_width if layouts else 0
    if width % n_heads:
        raise InputError(
            f"n_heads={n_heads} does not divide the {width} features of the queries; expected heads of equal width. "
            "Say how many heads your layer has.",
            id="check-heads-width", n=n_heads, width=width,
        )  # fmt: skip
