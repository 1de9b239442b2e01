"""The bound of a safe mix, recomputed in exact integers by code that does not know how the mix was found.

Let the other play arrangement j with multiplier y_j >= 0. A mix x that nobody takes more than R from gains at most::

    sum_i x_i gain_i + sum_j y_j (R - what j makes against x)  <=  max_i (gain_i + sum_j y_j payoff_ij) + R sum_j y_j

whatever the multipliers are, and no arrangement i does better than each of the undominated ones.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solver.best_response.enumeration import all_values
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import Partitions
from solver.game.arrays import IntArray
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.strategies.strength_mix import StrengthMix

_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class SafeProof:
    """What bounds the gain of every safe mix.

    Parameters
    ----------
    answers
        The other's arrangements, with the integer multipliers as weights; None if there are none.
    denominator
        What a multiplier is divided by.
    risk
        The exploitability that is allowed.
    """

    answers: MixedStrategy | None
    denominator: int
    risk: Fraction


def model_values(partitions: Partitions, model: StrengthMix, objective: str, rules: Rules) -> tuple[IntArray, int]:
    """Return what every undominated arrangement gains against a model, shape (m, n!), and what that is divided by."""
    problem = ResponseProblem.of(partitions.deal, model, objective, rules)
    return all_values(problem, partitions), problem.denominator


def proven_bound(
    proof: SafeProof, partitions: Partitions, model: StrengthMix, objective: str, rules: Rules
) -> Fraction:
    """Return the largest gain that any mix of the proof's risk can have, as far as the proof says."""
    gains, denominator = model_values(partitions, model, objective, rules)
    if proof.answers is None:
        return Fraction(int(gains.max()), denominator)
    total = proof.answers.total
    problem = ResponseProblem.of(partitions.deal, proof.answers.strength_mix(rules), objective, rules)
    made = all_values(problem, partitions)
    unit = 1
    if objective == Objective.WIN:
        # The values count a win twice and a draw once: less the total they are wins minus losses, half a match each.
        made, unit = made - total, 2
    sums = gains / denominator + made / (unit * proof.denominator)
    close = np.flatnonzero(sums.ravel() >= sums.max() - _SLACK * (1 + np.abs(sums).max()))
    best = max(
        Fraction(int(gains.flat[index]), denominator) + Fraction(int(made.flat[index]), unit * proof.denominator)
        for index in close.tolist()
    )
    return best + proof.risk * Fraction(total, proof.denominator)
