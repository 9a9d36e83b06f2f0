"""A number inside a sentence, written alike in every language: decimal point, true minus, powers of ten with ×."""

import math

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def signed(value: float, decimals: int) -> str:
    """Write a difference with its sign: +0.4, −12.3; what rounds to 0 has none."""
    is_zero = not round(abs(value), decimals)
    return f"{abs(value):.{decimals}f}" if is_zero else f"{value:+.{decimals}f}".replace("-", "−")


def figure(value: float) -> str:
    """Write a real number for reading: 0.35, 12.5, −0.02, 4.2×10⁻⁷; NaN is an en dash.

    Args:
        value: any float; exact zero prints "0".
    Returns:
        At most three significant digits; a power of ten from 10⁵ up and, unless zero, below 10⁻³.
    """
    if math.isnan(value):
        return "–"
    sign = "−" if value < 0 else ""
    size = abs(value)
    if math.isinf(size):
        return sign + "∞"
    if size == 0:
        return "0"
    if 1e-3 <= size < 99_999.5:
        plain = f"{size:.3g}" if size < 999.5 else f"{size:.0f}"
        return sign + plain
    digits, power = f"{size:.1e}".split("e")
    return f"{sign}{digits}×10{str(int(power)).translate(_SUPERSCRIPTS)}"
