"""All five-card hands of a deal with their strengths."""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

import numpy as np

from solver.game.arrays import IntArray
from solver.game.cards import PACKET_SIZE
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules


@dataclass(frozen=True, eq=False)
class HandTable:
    """The hands that can be made of a deal's cards, 53,130 for 25 cards.

    Parameters
    ----------
    hands
        Shape (h, 5), int64: card ids, in the order of `itertools.combinations` over the deal's canonical cards.
    strengths
        Shape (h,), int64: values of `evaluate_hands`.
    """

    hands: IntArray
    strengths: IntArray

    @cached_property
    def class_strengths(self) -> IntArray:
        """Shape (c,): the strengths that occur, ascending; 749 or so for 25 cards."""
        return np.unique(self.strengths)


def hands_of(deal: Deal, rules: Rules | None = None) -> HandTable:
    """Return the table of all five-card hands of the deal."""
    hands = np.array(deal.cards, dtype=np.int64)[_choices(len(deal.cards))]
    return HandTable(hands, evaluate_hands(hands, rules))


@cache
def _choices(size: int) -> IntArray:
    """Shape (C(size, 5), 5): all ways to pick five positions out of `size`."""
    choices = np.array(list(combinations(range(size), PACKET_SIZE)), dtype=np.int64)
    choices.flags.writeable = False
    return choices
