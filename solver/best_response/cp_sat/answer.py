"""What a CP-SAT formulation answers, checked by code that knows nothing of the solver."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.best_response.problem import ResponseProblem
from solver.errors import InternalError
from solver.game.cards import PACKET_SIZE
from solver.game.evaluator import evaluate_hands

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The best packets that a formulation found and what it proved about them.

    Parameters
    ----------
    status
        ``optimal`` (proven), ``feasible`` (packets found, a better answer not excluded) or ``unknown`` (stopped
        before the first packets).
    value
        Value of `packets` in units of 1/`denominator` of the problem; None where there are none.
    bound
        Proven: no packets are worth more; in the same unit, None where there are no packets.
    packets
        Card ids, one packet a free place in place order, each in descending order; None where there are none.
    """

    status: str
    value: int | None = None
    bound: int | None = None
    packets: tuple[tuple[int, ...], ...] | None = None


UNKNOWN = ModelAnswer("unknown")


def legal_hands(problem: ResponseProblem, packets: Sequence[Sequence[int]]) -> IntArray | None:
    """Return packets as hands in descending order, shape (n, 5), or None where they do not lay out the free cards."""
    cards = [card for packet in packets for card in packet]
    if len(cards) != len(problem.deal.cards) or set(cards) != set(problem.deal.cards):
        return None
    if any(len(packet) != PACKET_SIZE for packet in packets):
        return None
    return -np.sort(-np.array(packets, dtype=np.int64), axis=1)


def checked_answer(problem: ResponseProblem, packets: Sequence[Sequence[int]], claim: int, bound: int) -> ModelAnswer:
    """Return packets as an answer with their true value, read off the cards.

    That value may exceed what the formulation claimed, because the cards that fill a packet up can make it stronger.

    Raises
    ------
    InternalError
        If the packets do not lay out the free cards, or are worth less than `claim` or more than `bound`.
    """
    hands = legal_hands(problem, packets)
    if hands is None:
        raise InternalError(f"the model's packets {packets} do not lay out the cards {problem.deal.cards}")
    value = int(problem.evaluate(evaluate_hands(hands, problem.rules)[np.newaxis])[0])
    if not claim <= value <= bound:
        raise InternalError(f"the model claims {claim} to {bound} for packets that are worth {value}")
    status = "optimal" if value == bound else "feasible"
    return ModelAnswer(status, value, bound, tuple(map(tuple, hands.tolist())))
