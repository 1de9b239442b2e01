"""Numbers for people: rounded, with the exact fraction beside them where it is short."""

from fractions import Fraction

_LONGEST_FRACTION = 15
_SMALLEST_SHOWN = 0.0001


def percent(probability: float | None) -> str:
    """Return a probability in per cent with one digit; 0 % and 100 % are kept for what is certain."""
    if probability is None:
        return "-"
    if probability in (0, 1):
        return f"{100 * probability:.0f}%"
    if probability < 0.0005:
        return "<0.1%"
    return ">99.9%" if probability >= 0.9995 else f"{100 * probability:.1f}%"


def figure(value: Fraction, *, exact: bool = True) -> str:
    """Return a figure for people: four digits after the point and, if wanted and short, the exact fraction."""
    if value.denominator == 1:
        return str(value)
    shown = f"{float(value):.4f}" if abs(value) >= _SMALLEST_SHOWN else f"{float(value):.1e}"
    return _with_fraction(shown, value) if exact else shown


def amount(value: Fraction, objective: str, *, exact: bool = True) -> str:
    """Return a figure of an objective: points, or for ``win`` a probability in per cent."""
    if objective != "win":
        return figure(value, exact=exact)
    if value.denominator == 1:
        return f"{100 * value}%"
    shown = f"{100 * float(value):.2f}%" if abs(value) >= _SMALLEST_SHOWN else f"{100 * float(value):.1e}%"
    return _with_fraction(shown, value) if exact else shown


def _with_fraction(shown: str, value: Fraction) -> str:
    fraction = str(value)
    return f"{shown} ({fraction})" if len(fraction) <= _LONGEST_FRACTION else shown
