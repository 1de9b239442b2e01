"""One best-response question, as all engines are asked it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solver.errors import ArrangementError, OpponentError
from solver.game.arrays import IntArray
from solver.game.cards import PACKET_SIZE
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.notation import format_card
from solver.game.rules import Rules
from solver.strategies.objectives import Objective, require_objective
from solver.strategies.payoffs import place_values, row_margins
from solver.strategies.strength_mix import StrengthMix


@dataclass(frozen=True, eq=False)
class ResponseProblem:
    """Lay out the free cards in the free places for the largest value against a mix.

    All values are exact integers; `denominator` turns them into points (``points``, ``margin``) or a probability
    (``win``). What locked packets earn is in every value.

    Parameters
    ----------
    deal
        The 5n free cards.
    rules
        Rule set for the strengths.
    weights
        Points of the n free places, in place order.
    objective
        ``points``, ``margin`` or ``win``.
    mix
        The opponent in the n free places.
    earned
        Additive objectives: value already earned in locked places.
    row_offsets
        ``win``: shape (k,), int64: margin already made in locked places against each row of the mix.
    """

    deal: Deal
    rules: Rules
    weights: tuple[int, ...]
    objective: str
    mix: StrengthMix
    earned: int
    row_offsets: IntArray

    @classmethod
    def of(
        cls,
        deal: Deal,
        mix: StrengthMix,
        objective: str,
        rules: Rules | None = None,
        locked: Mapping[int, Sequence[int]] | None = None,
    ) -> "ResponseProblem":
        """Ask for the best response to a mix, with the packets of some places (0-based) fixed beforehand.

        Raises
        ------
        ArrangementError
            If a locked packet has not five cards of the deal, or two of them share a card, or all places are locked.
        OpponentError
            If the mix has another number of places than the deal has packets.
        """
        require_objective(objective)
        rules = rules or Rules()
        if len(mix.places) != deal.places:
            raise OpponentError(f"the mix has {len(mix.places)} places: expected {deal.places}")
        fixed = {place: tuple(packet) for place, packet in sorted((locked or {}).items())}
        free_cards = _cards_left(deal, fixed)
        free = [place for place in range(deal.places) if place not in fixed]
        weights = rules.weights[: deal.places]
        earned = 0
        row_offsets = np.zeros(len(mix.rows), dtype=np.int64)
        if fixed:
            strengths = evaluate_hands(np.array(list(fixed.values())), rules)
            for place, strength in zip(fixed, strengths, strict=True):
                if objective == Objective.WIN:
                    row_offsets += weights[place] * np.sign(strength - mix.rows[:, place])
                else:
                    earned += int(place_values(mix.places[place], weights[place], objective, strength))
        return cls(
            deal=Deal(free_cards),
            rules=rules,
            weights=tuple(weights[place] for place in free),
            objective=objective,
            mix=mix.at_places(free) if fixed else mix,
            earned=earned,
            row_offsets=row_offsets,
        )

    @property
    def places(self) -> int:
        """Number of free places, n."""
        return len(self.weights)

    @cached_property
    def denominator(self) -> int:
        """What an integer value is divided by: the weight of the mix, doubled for ``win`` where a draw counts half."""
        return 2 * self.mix.row_total if self.objective == Objective.WIN else self.mix.total

    def place_values(self, place: int, strengths: npt.ArrayLike) -> IntArray:
        """Return G for a free place (0-based) and strengths of any shape, in units of 1/`denominator`."""
        return place_values(self.mix.places[place], self.weights[place], self.objective, strengths)

    def evaluate(self, vectors: npt.ArrayLike) -> IntArray:
        """Return the integer value of each strength vector, shape (m, n) in place order, as shape (m,)."""
        rows = np.asarray(vectors, dtype=np.int64)
        if self.objective != Objective.WIN:
            parts = [self.place_values(place, rows[:, place]) for place in range(self.places)]
            totals: IntArray = np.sum(parts, axis=0, dtype=np.int64)
            return totals + self.earned
        values = np.empty(len(rows), dtype=np.int64)
        for index, row in enumerate(rows):
            margins = row_margins(row, self.mix.rows, self.weights) + self.row_offsets
            values[index] = self.mix.row_weights @ (np.sign(margins) + 1)
        return values


def require_locks(deal: Deal, locked: Mapping[int, Sequence[int]]) -> None:
    """Raise `ArrangementError` if locked packets, by place (0-based), cannot all be part of one arrangement."""
    _cards_left(deal, locked)


def _cards_left(deal: Deal, locked: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    left = set(deal.cards)
    for place, packet in locked.items():
        if not 0 <= place < deal.places:
            raise ArrangementError(f"place {place + 1} does not exist: expected 1 to {deal.places}")
        if len(packet) != PACKET_SIZE:
            raise ArrangementError(
                f"the packet locked in place {place + 1} has {len(packet)} cards: expected {PACKET_SIZE}"
            )
        for card in packet:
            if card not in left:
                reason = "is locked twice" if card in deal.cards else "is not in the deal"
                raise ArrangementError(f"{format_card(card)}, locked in place {place + 1}, {reason}")
            left.remove(card)
    if not left:
        raise ArrangementError("every place is locked: expected at least one that is free")
    return tuple(left)
