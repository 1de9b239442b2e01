"""The CP-SAT best response once more, by a model that lays out every card: the packing model's witness.

Each place takes one kind of packet: a rank multiset of five cards, or a flush with its cards. Nothing is left over and
no strength is rounded down; only the suits of packets that are no flush stay open.

    maximise    sum over p, t of gain[p, t] reach[p, t]                                       (`ThresholdObjective`)
    subject to  sum over k of take[p, k]              =  1                                     for every place p
                sum of take[p, k], k just reaching t  >=  reach[p, t] - reach[p, t + 1]        for every p, t
                sum over p, k of n[k, r] take[p, k]   =  c[r]                                  for every rank r
                sum over p, flushes k of suit s of take[p, k]  <=  1                           for every suit s

About five times as many variables as the packing model, and up to seconds where that takes hundredths: a reference.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from ortools.sat.python import cp_model

from solver.best_response.cp_sat.answer import checked_answer, legal_hands
from solver.best_response.cp_sat.card_assignment import complete_packets
from solver.best_response.cp_sat.patterns import rank_counts, whole_packets
from solver.best_response.cp_sat.search import SearchResult, maximise
from solver.best_response.cp_sat.threshold_objective import ThresholdObjective
from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.problem import ResponseProblem
from solver.errors import LimitReached
from solver.game.cards import SUITS
from solver.game.evaluator import evaluate_hands
from solver.strategies.objectives import Objective
from solver.system.limits import NO_LIMITS, Limits


def solve_exact_cover_model(
    problem: ResponseProblem,
    *,
    hint: Sequence[Sequence[int]] | None = None,
    limits: Limits = NO_LIMITS,
    seed: int = 0,
    log: Callable[[str], None] | None = None,
) -> EngineAnswer | None:
    """Return the best packets for the free places; all else is as in `packing_model.solve_packing_model`."""
    try:
        cover = ExactCoverModel(problem, limits)
        if hint is not None:
            cover.hint(hint)
        result = maximise(cover.model, limits, relaxation=problem.objective != Objective.WIN, seed=seed, log=log)
    except LimitReached:
        return None
    return cover.answer(result)


class ExactCoverModel:
    """The exact-cover model of one question.

    Parameters
    ----------
    problem
        The question.
    limits
        When to stop building.

    Attributes
    ----------
    model
        The CP-SAT model.
    objective
        What reaching a strength is worth.
    kinds
        The kinds of packets to choose from.
    takes
        Per place one boolean a kind.
    """

    def __init__(self, problem: ResponseProblem, limits: Limits) -> None:
        self._problem = problem
        self.kinds = whole_packets(problem.deal, problem.rules)
        self.objective = ThresholdObjective(problem, np.unique(self.kinds.strengths), limits)
        self.model = self.objective.model
        names = self.kinds.names()
        self.takes = [
            [self.model.new_bool_var(f"take[{place},{name}]") for name in names]
            for place in range(1, problem.places + 1)
        ]

        self._one_packet_per_place()
        self._packet_covers_threshold()
        self._every_card_is_used()
        self._one_flush_per_suit()

    def hint(self, packets: Sequence[Sequence[int]]) -> None:
        """Suggest packets to start from, unless they do not lay out the free cards."""
        hands = legal_hands(self._problem, packets)
        if hands is None:
            return
        self.objective.hint(evaluate_hands(hands, self._problem.rules))
        for takes, hand in zip(self.takes, hands, strict=True):
            kind = np.flatnonzero(self.kinds.inside(hand))[-1]
            for index, taken in enumerate(takes):
                self.model.add_hint(taken, bool(index == kind))

    def answer(self, result: SearchResult) -> EngineAnswer:
        """Return a solution as packets, with the value of the cards themselves."""
        values = result.values
        kinds = [next(kind for kind, taken in enumerate(row) if values[taken.index]) for row in self.takes]
        packets = complete_packets(self._problem.deal, self.kinds, kinds)
        return checked_answer(
            self._problem, packets, self.objective.value(values), self.objective.constant + result.bound
        )

    def _one_packet_per_place(self) -> None:
        for takes in self.takes:
            self.model.add_exactly_one(takes)

    def _packet_covers_threshold(self) -> None:
        """Let a place reach no higher threshold than its packet does."""
        zero = self.model.new_constant(0)
        for takes, steps, reaches in zip(self.takes, self.objective.thresholds, self.objective.reaches, strict=True):
            highest = np.searchsorted(steps, self.kinds.strengths, side="right")
            for number, (reached, surpassed) in enumerate(pairwise([*reaches, zero]), 1):
                taken = [takes[kind] for kind in np.flatnonzero(highest == number)]
                self.model.add(cp_model.LinearExpr.sum(taken) >= reached - surpassed)

    def _every_card_is_used(self) -> None:
        takes = [taken for row in self.takes for taken in row]
        for counts, available in zip(self.kinds.counts.T, rank_counts([self._problem.deal.cards])[0], strict=True):
            used = cp_model.LinearExpr.weighted_sum(takes, counts.tolist() * self._problem.places)
            self.model.add(used == int(available))

    def _one_flush_per_suit(self) -> None:
        for suit in range(SUITS):
            flushes = self.kinds.flushes_of_suit(suit)
            self.model.add_at_most_one(takes[kind] for takes in self.takes for kind in flushes)
