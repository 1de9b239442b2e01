"""How much a best response gains against a mix: recomputed from scratch in exact integers.

Nothing here knows how the mix was found. Every undominated arrangement is tried, and no arrangement does better than
each of them (see `solver.dominance.partitions`), so the largest gain is that of a best response among all arrangements.
The game is symmetric: its value is known (0 for ``margin``, 1/2 for ``win``), and what a best response makes beyond it
is the exploitability of the mix.
"""

from fractions import Fraction

from solver.best_response.enumeration import all_values
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import Partitions, undominated_partitions
from solver.errors import InternalError, PayoffError
from solver.game.arrangement import require_deal
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.strength_mix import StrengthMix

GAME_VALUES = {"margin": Fraction(0), "win": Fraction(1, 2)}
"""What either player of the symmetric game can make sure of, by zero-sum objective."""


def require_zero_sum(objective: str) -> str:
    """Return the objective, or raise `PayoffError` if it makes no zero-sum game."""
    if objective not in GAME_VALUES:
        raise PayoffError(f"objective {objective!r:.40} has no equilibrium here: expected margin or win")
    return objective


def exploitability(deal: Deal, mix: MixedStrategy, objective: str = "margin", rules: Rules | None = None) -> Fraction:
    """Return what a best response gains against a mix beyond the value of the game.

    Parameters
    ----------
    deal
        The cards that both players hold.
    mix
        A strategy for this deal; total weight times sum of the place weights is at most 2**53.
    objective
        ``margin``: the gain is in points. ``win``: it is in probability of winning, a draw counting half.
    rules
        Rule set; the default one if omitted.

    Returns
    -------
    Fraction
        Exact, at least 0; 0 for an equilibrium strategy.

    Raises
    ------
    PayoffError
        If the objective is neither ``margin`` nor ``win``.
    ArrangementError
        If the mix lays out other cards than the deal's.
    OpponentError
        If the weights are too large for exact 64-bit sums.
    """
    require_zero_sum(objective)
    rules = rules or Rules()
    require_deal(mix.arrangements[0], deal, "the mix")
    return certified_exploitability(undominated_partitions(deal, rules), mix.strength_mix(rules), objective, rules)


def certified_exploitability(partitions: Partitions, mix: StrengthMix, objective: str, rules: Rules) -> Fraction:
    """Return the exploitability of a mix where the undominated partitions of the deal are known."""
    problem = ResponseProblem.of(partitions.deal, mix, objective, rules)
    best = Fraction(int(all_values(problem, partitions).max()), problem.denominator)
    gain = best - GAME_VALUES[objective]
    if gain < 0:
        raise InternalError(f"a best response is {-gain} below the mix itself")
    return gain
