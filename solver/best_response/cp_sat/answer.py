"""What a CP-SAT formulation answers, checked by code that knows nothing of the solver."""

from collections.abc import Sequence

import numpy as np

from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.problem import ResponseProblem
from solver.errors import InternalError
from solver.game.arrays import IntArray
from solver.game.cards import PACKET_SIZE
from solver.game.evaluator import evaluate_hands


def legal_hands(problem: ResponseProblem, packets: Sequence[Sequence[int]]) -> IntArray | None:
    """Return packets as hands in descending order, shape (n, 5), or None where they do not lay out the free cards."""
    cards = [card for packet in packets for card in packet]
    if len(cards) != len(problem.deal.cards) or set(cards) != set(problem.deal.cards):
        return None
    if any(len(packet) != PACKET_SIZE for packet in packets):
        return None
    return -np.sort(-np.array(packets, dtype=np.int64), axis=1)


def checked_answer(problem: ResponseProblem, packets: Sequence[Sequence[int]], claim: int, bound: int) -> EngineAnswer:
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
    return EngineAnswer(value, bound, tuple(map(tuple, hands.tolist())))
