"""Cognitive hierarchy: players who think some steps ahead of others who think fewer.

Level 0 shuffles the greedy packets. Level k plays, all equally likely, the undominated strength vectors that are best
responses to what levels 0 to k-1 play together, weighted like a Poisson distribution: TAU**j / j! for level j. The
player is drawn from levels 0 to `LEVELS` with the same weights.

References
----------
C. F. Camerer, T.-H. Ho, J.-K. Chong: A cognitive hierarchy model of games. Quarterly Journal of Economics 119 (2004).
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from solver.best_response.enumeration import all_values
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import Partitions
from solver.game.arrangement import Arrangement
from solver.game.arrays import BoolArray, IntArray
from solver.game.rules import Rules
from solver.opponents.equal_chances import equally_likely
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.strategies.rounding import apportion, largest_total
from solver.system.limits import Limits

LEVELS = 10
"""The highest level of the ladder."""
_NEAR = 1e-9
"""Share of the largest value within which an arrangement's value is compared exactly: far more than rounding loses."""


def poisson_weights(tau: Fraction) -> list[Fraction]:
    """Return the weight of each level, in proportion to a Poisson distribution cut off above `LEVELS`."""
    terms = [tau**level / math.factorial(level) for level in range(LEVELS + 1)]
    whole = sum(terms)
    return [term / whole for term in terms]


def cognitive_levels(
    start: MixedStrategy, partitions: Partitions, tau: Fraction, objective: Objective, rules: Rules, limits: Limits
) -> list[MixedStrategy]:
    """Return what levels 0 to `LEVELS` play.

    Parameters
    ----------
    start
        Level 0.
    partitions
        The undominated partitions of the deal.
    tau
        Mean number of steps, above 0.
    objective
        What the players maximise; for ``points`` they maximise the margin.

    Raises
    ------
    LimitReached
        If the limits came first.
    """
    objective = Objective.WIN if objective == Objective.WIN else Objective.MARGIN
    weights = poisson_weights(tau)
    levels, values, units = [start], list[IntArray](), list[Fraction]()
    for level in range(LEVELS):
        limits.check(f"the opponent was not ready: level {level} of {LEVELS}")
        problem = ResponseProblem.of(partitions.deal, levels[-1].strength_mix(rules), objective, rules)
        values.append(all_values(problem, partitions))
        units.append(weights[level] / problem.denominator)
        levels.append(equally_likely(partitions, _maximisers(values, units)))
    return levels


def cognitive_player(levels: Sequence[MixedStrategy], tau: Fraction, rules: Rules) -> MixedStrategy:
    """Return the player who is drawn from the levels: exact where the total weight allows, else rounded."""
    chances = dict[Arrangement, Fraction]()
    for level, weight in zip(levels, poisson_weights(tau), strict=True):
        unit = weight / level.total
        for arrangement, share in zip(level.arrangements, level.weights, strict=True):
            chances[arrangement] = chances.get(arrangement, Fraction(0)) + unit * share
    denominator = math.lcm(*(chance.denominator for chance in chances.values()))
    weights = [int(chance * denominator) for chance in chances.values()]
    total = largest_total(rules.weights)
    if denominator > total:
        weights = apportion(weights, total)
    kept = [(arrangement, weight) for arrangement, weight in zip(chances, weights, strict=True) if weight]
    return MixedStrategy(tuple(arrangement for arrangement, _ in kept), tuple(weight for _, weight in kept))


def _maximisers(values: Sequence[IntArray], units: Sequence[Fraction]) -> BoolArray:
    """Return where the sum of `values[j] * units[j]` over j is largest, decided in exact fractions.

    Floating point only leaves out what is far below the largest.
    """
    rough = np.zeros(values[0].shape)
    for unit, table in zip(units, values, strict=True):
        rough += float(unit) * table
    near = np.argwhere(rough >= rough.max() - _NEAR * np.abs(rough).max())
    denominator = math.lcm(*(unit.denominator for unit in units))
    factors = [int(unit * denominator) for unit in units]
    at_near = [table[near[:, 0], near[:, 1]].tolist() for table in values]
    exact = [sum(f * v for f, v in zip(factors, column, strict=True)) for column in zip(*at_near, strict=True)]
    best = max(exact)
    mask = np.zeros(rough.shape, dtype=np.bool_)
    mask[tuple(near[[value == best for value in exact]].T)] = True
    return mask
