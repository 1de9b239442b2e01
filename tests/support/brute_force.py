"""Games of two and three packets played out in full: every arrangement against every row of a mix.

Slow and plain on purpose. It shares the evaluator with the engines and nothing else: no payoffs, no best-response
question, no dominance.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy


@cache
def layouts(places: int) -> np.ndarray:
    """Return all ways to lay 5n cards in n places, shape (ways, n, 5): positions of cards, 252 or 756,756 ways."""
    if places == 1:
        return np.arange(5).reshape(1, 1, 5)
    cards = np.arange(5 * places)
    firsts = np.array(list(combinations(cards, 5)))
    rests = np.array([np.setdiff1d(cards, first) for first in firsts])
    later = rests[:, layouts(places - 1)]
    firsts = np.broadcast_to(firsts[:, None, None], (*later.shape[:2], 1, 5))
    return np.concatenate((firsts, later), axis=2).reshape(-1, places, 5)


def all_strengths(deal: Deal, rules: Rules) -> np.ndarray:
    """Return the strength vector of every arrangement of a deal, shape (arrangements, n)."""
    hands = np.array(deal.cards)[layouts(deal.places)]
    return evaluate_hands(hands.reshape(-1, 5), rules).reshape(-1, deal.places)


def best_by_hand(deal: Deal, mix: MixedStrategy, rules: Rules) -> dict[str, Fraction]:
    """Return the best figure over all arrangements of the deal, by objective."""
    return best_of_vectors(all_strengths(deal, rules), mix, rules)


def best_of_vectors(vectors: np.ndarray, mix: MixedStrategy, rules: Rules) -> dict[str, Fraction]:
    """Return the best figure over the strength vectors given, by objective."""
    return {
        objective: Fraction(int(sums.max()), units) for objective, (sums, units) in scores(vectors, mix, rules).items()
    }


def scores(vectors: np.ndarray, mix: MixedStrategy, rules: Rules) -> dict[str, tuple[np.ndarray, int]]:
    """Return every vector's integer figure and its unit, by objective."""
    points, lost, doubled_wins = (np.zeros(len(vectors), dtype=np.int64) for _ in range(3))
    for arrangement, weight in zip(mix.arrangements, mix.weights, strict=True):
        mine, theirs = np.zeros(len(vectors), dtype=np.int64), np.zeros(len(vectors), dtype=np.int64)
        for place, strength in enumerate(arrangement.strengths(rules)):
            mine += rules.weights[place] * (vectors[:, place] > strength)
            theirs += rules.weights[place] * (vectors[:, place] < strength)
        points += weight * mine
        lost += weight * theirs
        doubled_wins += weight * (2 * (mine > theirs) + (mine == theirs))
    return {"points": (points, mix.total), "margin": (points - lost, mix.total), "win": (doubled_wins, 2 * mix.total)}
