"""The formulas of the Heads page, in TeX: Streamlit sets them, with MathML for those who listen."""

from __future__ import annotations

LAYER = r"\bar A_l = \tfrac12 \cdot \tfrac1H \sum_h W_{l,h} + \tfrac12 \cdot I"
ALL = r"R = \bar A_L \cdots \bar A_1"
CROSS = r"R = R_{\mathrm{decoder}} \cdot \bar C \cdot R_{\mathrm{encoder}}"
OVER = r"\tilde R_{ij} = \frac{R_{ij} / E_{ij}}{\sum_k R_{ik} / E_{ik}}"


def rollout_formulas(part: str, *, has_baseline: bool) -> tuple[str, ...]:
    """Those of a part's rollout, in the order they are used.

    Args:
        has_baseline: whether what the mask alone gives is divided out.
    """
    whole = (CROSS,) if part == "cross" else ()
    return (*whole, LAYER, ALL, *((OVER,) if has_baseline else ()))
