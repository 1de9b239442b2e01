"""The frontier of mixes: what a little more risk, or one more arrangement, is worth."""

from fractions import Fraction

from solver.equilibrium.certificate import exploitability
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.mixes.question import MixLimits
from solver.mixes.result import Mix
from solver.mixes.solve import solve_mix
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.strength_mix import StrengthMix
from solver.system.limits import NO_LIMITS, Limits

MOST_ARRANGEMENTS = 12
_SHARES_OF_RISK = (0, 1, 2, 4, 7, 12, 20, 30, 45, 60, 80, 100)
"""Risks of the curve, in percent of what the best response risks: dense where the curve is steep."""


def risk_curve(
    deal: Deal,
    model: StrengthMix,
    best_response: MixedStrategy,
    objective: str,
    rules: Rules,
    limits: Limits = NO_LIMITS,
) -> tuple[Mix, ...]:
    """Return the best mix for each of twelve risks, from none to that of the best response itself."""
    whole = exploitability(deal, best_response, objective, rules)
    risks = [whole * Fraction(share, 100) for share in _SHARES_OF_RISK]
    return tuple(solve_mix(deal, model, MixLimits(risk=risk), objective, rules, limits=limits) for risk in risks)


def size_curve(deal: Deal, objective: str, rules: Rules, limits: Limits = NO_LIMITS) -> tuple[Mix, ...]:
    """Return the least exploitable mix found of at most 1 to 12 arrangements; it never gets worse."""
    points: list[Mix] = []
    for count in range(1, MOST_ARRANGEMENTS + 1):
        found = solve_mix(deal, None, MixLimits(at_most=count), objective, rules, limits=limits)
        if points and points[-1].exploitability < found.exploitability:
            found = points[-1].within(found)
        points.append(found)
    return tuple(points)
