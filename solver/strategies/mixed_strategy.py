"""Mixed strategies: arrangements of one deal with integer weights, and their JSON form."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from solver.errors import InternalError, OpponentError, QuintetError
from solver.game.arrangement import Arrangement, require_deal
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules
from solver.strategies.rounding import LARGEST_SCORE, apportion, largest_total
from solver.strategies.strength_mix import StrengthMix

PROBABILITY_SLACK = Fraction(1, 10**9)
"""How far the probabilities of a file may be from adding up to 1."""


@dataclass(frozen=True, slots=True)
class MixedStrategy:
    """Arrangements of one deal, each played with probability weight / total weight.

    Parameters
    ----------
    arrangements
        At least one arrangement, all of the same cards.
    weights
        One positive integer an arrangement. They are the strategy: everything computed about it is exact.

    Raises
    ------
    OpponentError
        If there is no arrangement, a weight is missing, not a whole number or below 1.
    ArrangementError
        If the arrangements lay out different cards.
    """

    arrangements: tuple[Arrangement, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        arrangements, weights = tuple(self.arrangements), tuple(self.weights)
        if not arrangements:
            raise OpponentError("a mixed strategy needs at least one arrangement")
        if len(arrangements) != len(weights):
            raise OpponentError(f"{len(arrangements)} arrangements but {len(weights)} weights: expected one each")
        for index, weight in enumerate(weights, 1):
            if isinstance(weight, bool) or not isinstance(weight, int | np.integer) or weight < 1:
                raise OpponentError(f"weight {weight!r} of strategy {index}: expected a whole number of at least 1")
        deal = arrangements[0].deal
        for index, arrangement in enumerate(arrangements[1:], 2):
            require_deal(arrangement, deal, f"strategy {index}")
        object.__setattr__(self, "arrangements", arrangements)
        object.__setattr__(self, "weights", tuple(int(weight) for weight in weights))

    @classmethod
    def pure(cls, arrangement: Arrangement) -> "MixedStrategy":
        """Return the strategy that always plays one arrangement."""
        return cls((arrangement,), (1,))

    @property
    def deal(self) -> Deal:
        """The deal that is laid out."""
        return self.arrangements[0].deal

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(self.weights)

    @property
    def probabilities(self) -> tuple[float, ...]:
        """Each weight over the total, correctly rounded."""
        total = self.total
        return tuple(weight / total for weight in self.weights)

    def strength_mix(self, rules: Rules | None = None) -> StrengthMix:
        """Return the strategy as strengths, the form in which the engines take an opponent.

        Raises
        ------
        OpponentError
            If total weight times the sum of the place weights is above 2**53, where exactness would end.
        """
        rules = rules or Rules()
        require_exact_total(self.total, rules)
        hands = np.array([arrangement.packets for arrangement in self.arrangements], dtype=np.int64)
        strengths = evaluate_hands(hands.reshape(-1, hands.shape[2]), rules).reshape(hands.shape[:2])
        return StrengthMix.of_rows(strengths, np.array(self.weights, dtype=np.int64))

    def draw(self, generator: np.random.Generator) -> Arrangement:
        """Draw one arrangement with the probabilities of the mix."""
        ticket = int(generator.integers(self.total))
        for arrangement, weight in zip(self.arrangements, self.weights, strict=True):
            if ticket < weight:
                return arrangement
            ticket -= weight
        raise InternalError("the drawn ticket lies above the total weight")

    def records(self) -> list[dict[str, Any]]:
        """Return the strategies as plain data: `arrangement`, `weight`, `probability`."""
        return [
            {"arrangement": arrangement.packet_texts(), "weight": weight, "probability": probability}
            for arrangement, weight, probability in zip(
                self.arrangements, self.weights, self.probabilities, strict=True
            )
        ]

    @classmethod
    def from_records(cls, records: Any, deal: Deal, rules: Rules | None = None) -> "MixedStrategy":
        """Read the strategies of a JSON document (its `strategies` list).

        Integer weights count where every strategy has one, and are never rescaled. Probabilities become weights:
        exactly where they are short decimals that add up to 1, else by largest remainder.

        Raises
        ------
        OpponentError
            If the records have another form; the message names the strategy by number.
        """
        if not isinstance(records, list) or not records:
            raise OpponentError("expected a list `strategies` with at least one strategy")
        arrangements = [_arrangement_of(record, index, deal) for index, record in enumerate(records, 1)]
        if all("weight" in record for record in records):
            weights = [_weight_of(record["weight"], index) for index, record in enumerate(records, 1)]
        else:
            weights = _weights_of_probabilities(records, rules or Rules())
        kept = [(arrangement, weight) for arrangement, weight in zip(arrangements, weights, strict=True) if weight]
        if not kept:
            raise OpponentError("all weights are 0: expected at least one strategy that is played")
        require_exact_total(sum(weights), rules or Rules())
        return cls(tuple(arrangement for arrangement, _ in kept), tuple(weight for _, weight in kept))


def require_exact_total(total: int, rules: Rules) -> None:
    """Raise `OpponentError` if scores against a mix of this total weight would leave the exact range."""
    points = sum(rules.weights)
    if total * points > LARGEST_SCORE:
        raise OpponentError(
            f"the weights add up to too much: expected at most {LARGEST_SCORE // points}, "
            f"as the place weights add up to {points}"
        )


def _arrangement_of(record: Any, index: int, deal: Deal) -> Arrangement:
    if not isinstance(record, Mapping) or "arrangement" not in record:
        raise OpponentError(f"strategy {index}: expected an object with `arrangement`")
    packets = record["arrangement"]
    if not isinstance(packets, list) or not all(isinstance(packet, str) for packet in packets):
        raise OpponentError(f"strategy {index}: expected `arrangement` to be a list of five packet strings")
    try:
        arrangement = Arrangement.of_texts(packets)
        require_deal(arrangement, deal)
    except QuintetError as error:
        raise OpponentError(f"strategy {index}: {error}") from None
    return arrangement


def _weight_of(weight: Any, index: int) -> int:
    if isinstance(weight, bool) or not isinstance(weight, int) or weight < 0:
        raise OpponentError(f"strategy {index}: weight {weight!r:.40} is not a whole number of at least 0")
    return weight


def _weights_of_probabilities(records: Sequence[Mapping[str, Any]], rules: Rules) -> list[int]:
    probabilities: list[Fraction] = []
    for index, record in enumerate(records, 1):
        if "weight" in record:
            raise OpponentError(
                f"strategy {index} has a weight where others have none: expected weights or probabilities"
            )
        value = record.get("probability")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise OpponentError(f"strategy {index}: probability {value!r:.40} is not a number from 0 to 1")
        probabilities.append(Fraction(Decimal(repr(float(value)))))
    whole = sum(probabilities, Fraction(0))
    if abs(whole - 1) > PROBABILITY_SLACK:
        raise OpponentError(f"the probabilities add up to {float(whole)!r}: expected 1")
    denominator = math.lcm(*(probability.denominator for probability in probabilities))
    shares = [int(probability * denominator) for probability in probabilities]
    if whole == 1 and denominator <= largest_total(rules.weights):
        return shares
    return apportion(shares, largest_total(rules.weights))
