"""What the texts of options say, and what is refused there."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import click

from solver.commands.arguments import read_locks


def at_least_zero(text: str) -> float:
    """Return a finite number of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise click.BadParameter(f"{text!r} is not a number of at least 0")
    return value


def exact_amount(text: str) -> Fraction:
    """Return a number of at least 0 exactly as its decimal digits say."""
    try:
        value = Fraction(Decimal(text))
    except (ArithmeticError, ValueError, OverflowError):
        value = Fraction(-1)
    if not 0 <= value <= 10**6:
        raise click.BadParameter(f"{text!r} is not a number from 0 to 1000000")
    return value


def place_weights(text: str | tuple[int, ...]) -> tuple[int, ...]:
    """Return the weights; their number and size are checked by `Rules`."""
    if isinstance(text, tuple):
        return text
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        message = f"{text!r} is not five whole numbers with commas between them, such as 3,4,5,6,7"
        raise click.BadParameter(message) from None


def zero_sum_objective(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse `points`, which is no zero-sum objective and has no equilibrium of this kind."""
    if value == "points":
        raise click.BadParameter("'points' has no equilibrium of this kind: expected margin or win")
    return value


def known_specs(context: click.Context, parameter: click.Parameter, specs: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what is no opponent model."""
    if context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.DEFAULT:
        return specs
    from solver.opponents.specification import parse_spec

    for spec in specs:
        parse_spec(spec)
    return specs


def locked_packets(
    context: click.Context, parameter: click.Parameter, locks: Sequence[str]
) -> dict[int, tuple[int, ...]]:
    """Return the locked packets by place (0-based)."""
    return read_locks(locks)
