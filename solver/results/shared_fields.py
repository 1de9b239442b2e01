"""What documents have in common: the fields that each begins with, deals, and figures."""

import re
from fractions import Fraction
from typing import Any

from solver.errors import ResultError
from solver.game.deal import Deal
from solver.game.notation import format_cards
from solver.game.rules import Rules
from solver.strategies.payoffs import Value
from solver.system.environment import versions
from solver.system.json_document import Document


def header(command: str, deal: Deal | None, rules: Rules, objective: str | None, seed: int | None) -> Document:
    """Return the fields that every document begins with."""
    return {
        "schema": f"quintet.{command}/1",
        "deal": None if deal is None else deal_fields(deal),
        "rules": {"name": rules.name, "ace_low": rules.ace_low, "weights": list(rules.weights)},
        "objective": objective,
        "seed": seed,
        "versions": versions(),
    }


def deal_fields(deal: Deal) -> Document:
    """Return the cards in play and those laid aside."""
    return {"cards": deal.text(), "removed": format_cards(deal.removed)}


def value_fields(value: Value | None) -> Document | None:
    """Return the six figures as floats."""
    if value is None:
        return None
    names = ("points", "opponent_points", "margin", "win", "draw", "loss")
    return {name: float(getattr(value, name)) for name in names}


def figure_fields(name: str, figure: Fraction | None) -> Document:
    """Return a figure as a float and exactly."""
    return {name: None if figure is None else float(figure), f"{name}_exact": exact(figure)}


def exact(figure: Fraction | None) -> str | None:
    """Return an exact figure in lowest terms, such as ``229/10`` or ``18``."""
    return None if figure is None else str(figure)


def parse_exact(text: Any) -> Fraction:
    """Read an exact figure as documents write it: `Fraction` alone would work out ``1e999999999`` for hours.

    Raises
    ------
    ResultError
        If it is written in another way.
    """
    if not isinstance(text, str) or not re.fullmatch("-?[0-9]{1,400}(/[1-9][0-9]{0,400})?", text):
        raise ResultError(f"exact figure {text!r:.40}: expected a fraction in lowest terms as text")
    return Fraction(text)
