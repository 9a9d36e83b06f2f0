"""Formulas: of one step, in the names its matrices have in the picture; of a whole chain, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnviz.explanation.matrices import Chain, Matrix, Operand, RunStep

Part = dict[str, Any]
Named = Callable[["Matrix | Operand"], str]

CURVES = {"relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "silu": "SiLU"}


def own_formula(step: RunStep, named: Named) -> str:
    """The formula of this very step; empty where an edit replaced its result, for then no formula makes it.

    Args:
        named: what the picture calls a matrix.
    """
    if step.note:
        return ""
    if step.rule == "position" or step.name == "scaled":  # the table's own line has no names of matrices but symbols
        return step.definition.formula
    left, o = named(step.result), [named(reading) for reading in step.operands]
    match step.rule:
        case "product":
            right = "·".join(o) + (f" + {named(step.bias)}" if step.bias is not None else "")
        case "scale":
            right = _scaled(o[0], step.factors)
        case "add" | "mask":
            right = " + ".join(o)
        case "lookup":
            right = f"{o[1]}[{o[0]}]"
        case "norm row":
            mean, variance, gain, shift = (named(step.extras[part]) for part in ("mean", "variance", "gain", "shift"))
            right = f"({o[0]} − {mean})/√({variance} + ε)·{gain} + {shift}"
        case "rms row":
            right = f"{o[0]}/√(mean({o[0]}^2) + ε)·{named(step.extras['gain'])}"
        case "times":
            right = "·".join(o)
        case "rotate":
            return _rotation(step, named(step.extras["frequency"]))
        case "softmax row":
            right = f"softmax({o[0]})"
        case "activation":
            right = f"{CURVES[str(step.facts['curve'])]}({o[0]})"
        case "cap":
            right = f"c·tanh({o[0]}/c)"
        case "split":
            start = int(step.facts["first"])
            right = f"{o[0]}[:, {start + 1} … {start + step.result.columns.size}]"  # counted as on the screen
        case "concat":
            first, last = (_of_head(o[at], at % len(o) + 1) for at in (0, -1))
            right = f"[{first} … {last}]"
    return f"{left} = {right}"


def _rotation(step: RunStep, frequency: str) -> str:
    """What becomes of the two numbers a, b of pair i at position t."""
    magnitude = float(step.facts["magnitude"])
    turned = ("a·cos α − b·sin α", "a·sin α + b·cos α")
    first, second = turned if magnitude == 1.0 else (f"{magnitude:.4g}·({sum_})" for sum_ in turned)
    return f"a_rot = {first}; b_rot = {second}; α = t·{frequency}_i{_of_theta(step, frequency)}"


def _of_theta(step: RunStep, frequency: str) -> str:
    """Where the frequencies of a rotation come from; nothing where a what-if turns nothing. The stroke in the exponent
    is no fraction bar: its numbers would be too small to read.
    """
    if "theta" not in step.facts:
        return ""
    width = int(step.facts["width"])
    over = "d_k" if width == step.result.columns.size else str(width)
    is_less = " ≤ " if "table" in step.facts else " = "
    return f"; {frequency}_i{is_less}θ^(−2i∕{over}); θ = {float(step.facts['theta']):.10g}"


def _scaled(name: str, factors: Mapping[str, float]) -> str:
    """Its factors beside it, and those of one over something under it; by 1 it is what it was."""
    over = [symbol for symbol in factors if symbol != "1" and not symbol.startswith("1/")]
    under = [symbol.removeprefix("1/") for symbol in factors if symbol.startswith("1/")]
    divided = f"/({'·'.join(under)})" if len(under) > 1 else f"/{under[0]}" if under else ""
    return " · ".join([name + divided, *over])


def _of_head(name: str, number: int) -> str:
    return name if "_" in name else f"{name}_{number}"


def _part(text: str, *of: str) -> Part:
    """Some symbols, and the names of the steps that compute them."""
    return {"text": text, "of": of}


def whole_formula(chain: Chain) -> list[Part] | None:
    """softmax(Q·Kᵀ/√d_k + M)·V with this run's own factors and cap; None where the steps have only their own formulas.

    Source: Vaswani et al. 2017, equation 1.
    """
    if not {"raw", "weights", "context"} <= {step.name for step in chain.steps}:
        return None
    factors = chain["scores"].factors
    undivided = ("scores",) if "1" in factors else ()  # nothing stands for that step but what it leaves as it is
    q, k = ("Q_rot", "K_rotᵀ") if "q-rotated" in {step.name for step in chain.steps} else ("Q", "Kᵀ")
    scaled = [
        _part(q, "q", "q-norm", "q-rotated", "raw", *undivided),
        _part(k, "k", "k-norm", "k-rotated", "raw", *undivided),
    ]
    if "1/√d_k" in factors:
        scaled = [{"over": scaled, "under": [_part("√d_k", "scores")], "of": ()}]
    scaled += [_part(f"· {symbol}", "scores") for symbol in factors if symbol not in ("1/√d_k", "1")]
    if "capped" in {step.name for step in chain.steps}:
        squeezed: Part = {"over": scaled, "under": [_part("c", "capped")], "of": ()}
        scaled = [_part("c·tanh", "capped"), _part("(", "capped"), squeezed, _part(")", "capped")]
    return [
        _part("softmax", "weights"), _part("(", "weights"), *scaled, _part("+ M", "masked"), _part(")", "weights"),
        _part("V", "v", "context"),
    ]  # fmt: skip
