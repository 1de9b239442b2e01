"""Grading an arrangement: what it is worth, what the best would be, what it gives away, and how to mend it."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from solver.best_response.engine_answer import Status
from solver.best_response.problem import ResponseProblem
from solver.best_response.result import BestResponse
from solver.best_response.solve import solve_best_response
from solver.errors import InternalError
from solver.game.arrangement import Arrangement
from solver.game.cards import PACKET_SIZE
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.payoffs import Value, value_against
from solver.strategies.strength_mix import StrengthMix

Packets = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two cards of different packets, or two whole packets, that change places.

    Parameters
    ----------
    places
        The two places (0-based), the lower one first.
    cards
        The card id that leaves each of the places; None where whole packets change.
    gain
        What the objective gains, in points or in probability; positive.
    arrangement
        The arrangement after the exchange.
    """

    places: tuple[int, int]
    cards: tuple[int, int] | None
    gain: Fraction
    arrangement: Arrangement


@dataclass(frozen=True, slots=True, eq=False)
class Grade:
    """What is said of an arrangement; all that depends on an opponent is None where there was none in time.

    Parameters
    ----------
    rules, objective
        What was asked.
    status
        ``optimal`` where the figures are there, and proven, else ``feasible`` or ``interrupted``.
    arrangement
        The arrangement that is graded.
    value
        Its six exact figures against the opponent.
    best
        The best arrangement against the opponent, proven.
    best_answer
        The arrangement that makes the largest margin against this one, if this one is always played. It also wins the
        match if any arrangement does, for that takes no more than a margin above 0.
    exchange
        The single exchange of two cards or two packets that gains most, or None if none gains.
    """

    rules: Rules
    objective: str
    status: str
    arrangement: Arrangement
    value: Value | None
    best: BestResponse | None
    best_answer: BestResponse
    exchange: Exchange | None

    @property
    def objective_value_exact(self) -> Fraction | None:
        """The objective's figure of the arrangement: points, or a probability for ``win``."""
        return None if self.value is None else self.value.of(self.objective)

    @property
    def best_value_exact(self) -> Fraction | None:
        """The largest figure that any arrangement reaches."""
        return None if self.best is None else self.best.objective_value_exact

    @property
    def regret_exact(self) -> Fraction | None:
        """What the arrangement gives away: best value minus own value, at least 0."""
        if self.best_value_exact is None or self.objective_value_exact is None:
            return None
        return self.best_value_exact - self.objective_value_exact


def grade(
    arrangement: Arrangement,
    mix: StrengthMix | None,
    objective: str = "points",
    rules: Rules | None = None,
    *,
    interrupted: bool = False,
) -> Grade:
    """Grade an arrangement against an opponent; all best responses are exact, by enumeration.

    Parameters
    ----------
    arrangement
        What to grade.
    mix
        The opponent, or None where it was not ready in time: then only the best answer is found.
    objective
        ``points``, ``margin`` or ``win``.
    rules
        `Rules()` if omitted.
    interrupted
        Whether it was an interrupt that left no opponent.

    Raises
    ------
    QuintetError
        If the objective is unknown or the mix has another number of places.
    InternalError
        If the arrangement is worth more than the proven best.
    """
    rules = rules or Rules()
    deal = arrangement.deal
    best_answer = solve_best_response(deal, MixedStrategy.pure(arrangement), "margin", rules, "enumerate")
    if mix is None:
        status = Status.INTERRUPTED if interrupted else Status.FEASIBLE
        return Grade(rules, objective, status, arrangement, None, None, best_answer, None)
    graded = Grade(
        rules=rules,
        objective=objective,
        status=Status.OPTIMAL,
        arrangement=arrangement,
        value=value_against(arrangement.strengths(rules), mix, rules.weights),
        best=solve_best_response(deal, mix, objective, rules, "enumerate"),
        best_answer=best_answer,
        exchange=best_exchange(arrangement, mix, objective, rules),
    )
    if graded.regret_exact is None or graded.regret_exact < 0:
        raise InternalError(f"{arrangement.text()} is worth more than the proven best")
    return graded


def best_exchange(arrangement: Arrangement, mix: StrengthMix, objective: str, rules: Rules) -> Exchange | None:
    """Return the exchange of two packets, or of two cards of different packets, that gains most; None if none gains.

    Of equals the first counts: packets before cards, then by place, then by card in canonical order.
    """
    problem = ResponseProblem.of(arrangement.deal, mix, objective, rules)
    exchanges = list(_exchanges(arrangement.packets))
    layouts = np.array([arrangement.packets, *(packets for _, _, packets in exchanges)], dtype=np.int64)
    strengths = evaluate_hands(layouts.reshape(-1, PACKET_SIZE), rules).reshape(layouts.shape[:2])
    values = problem.evaluate(strengths)
    best = int(values.argmax())  # the arrangement itself stands first and so keeps every tie
    if best == 0:
        return None
    places, cards, packets = exchanges[best - 1]
    mended = Arrangement(packets)
    gain = Fraction(int(values[best] - values[0]), problem.denominator)
    before, after = (value_against(each.strengths(rules), mix, rules.weights) for each in (arrangement, mended))
    if after.of(objective) - before.of(objective) != gain:
        raise InternalError(f"the exchange that leads to {mended.text()} does not gain {gain}")
    return Exchange(places, cards, gain, mended)


def _exchanges(packets: Packets) -> Iterator[tuple[tuple[int, int], tuple[int, int] | None, Packets]]:
    """Yield places, cards (None for whole packets) and the packets afterwards: for five packets 10 + 250 exchanges."""
    pairs = list(combinations(range(len(packets)), 2))
    for first, second in pairs:
        changed = list(packets)
        changed[first], changed[second] = packets[second], packets[first]
        yield (first, second), None, tuple(changed)
    for first, second in pairs:
        for mine, other in product(packets[first], packets[second]):
            changed = list(packets)
            changed[first] = tuple(other if card == mine else card for card in packets[first])
            changed[second] = tuple(mine if card == other else card for card in packets[second])
            yield (first, second), (mine, other), tuple(changed)
