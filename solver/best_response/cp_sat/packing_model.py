"""The CP-SAT best response: pack cores into the cards so that every place gets the strength it is paid for.

The model does not lay out cards. Packets are chosen as cores, without saying where they lie; each place says what
strength it wants; and for every strength at least as many packets must reach it as places want it. Sorted by strength,
the packets then serve the places (`assign_cores`), and cards left over fill them up without making any weaker.

    maximise    what the places are paid for the thresholds they reach                    (`LevelModel`)
    subject to  sum over cores of their cards of rank r   <=  cards of rank r in play     for every rank
                flushes of suit s                         <=  1                           for every suit
                cores that promise t or more              >=  places that want t or more  for every threshold t

Every arrangement is a solution with its own value: each packet contains a minimal core of the same level. Conversely
every solution completes to packets that reach what its places want, so the optimum is that of the question.
"""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from ortools.sat.python import cp_model

from solver.best_response.cp_sat.answer import UNKNOWN, ModelAnswer, checked_answer, legal_hands
from solver.best_response.cp_sat.card_assignment import assign_cores, complete_packets
from solver.best_response.cp_sat.patterns import minimal_cores, rank_counts, whole_packets
from solver.best_response.cp_sat.search import SearchResult, search
from solver.best_response.cp_sat.threshold_objective import LevelModel
from solver.best_response.problem import ResponseProblem
from solver.errors import LimitReached
from solver.game.cards import SUITS
from solver.game.evaluator import evaluate_hands
from solver.system.limits import Limits


def solve_core_model(
    problem: ResponseProblem,
    *,
    hint: Sequence[Sequence[int]] | None = None,
    deadline: float | None = None,
    interrupt: threading.Event | None = None,
    seed: int = 0,
    log: Callable[[str], None] | None = None,
) -> ModelAnswer:
    """Return the best packets for the free places.

    Parameters
    ----------
    problem
        The question.
    hint
        Packets of card ids, one a free place, to start from. Whatever they are, the proven value is the same; what
        does not lay out the free cards is ignored.
    deadline
        Value of `time.monotonic` at which to stop with the best packets so far.
    interrupt
        Set by another thread to stop likewise.
    seed
        Seed of the search, at least 0.
    log
        Gets the lines of CP-SAT's log.

    Returns
    -------
    ModelAnswer
        `optimal` unless stopped.

    Raises
    ------
    InternalError
        If the answer does not have the value that the model claims.
    """
    limits = Limits(deadline, interrupt)
    try:
        core_model = CoreModel(problem, limits)
        if hint is not None:
            core_model.hint(hint)
        result = search(core_model.model, limits, relaxation=problem.objective != "win", seed=seed, log=log)
    except LimitReached:
        return UNKNOWN
    return core_model.answer(result)


class CoreModel:
    """The packing model of one question.

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
    levels
        What places want and what that pays.
    cores
        The cores to choose from.
    chosen
        How often each core is used.
    supply
        Per threshold of `levels.all_thresholds` variables that add up to the number of packets that reach it.
    """

    def __init__(self, problem: ResponseProblem, limits: Limits) -> None:
        self._problem = problem
        attainable = np.unique(whole_packets(problem.deal, problem.rules).strengths)
        self.levels = LevelModel(problem, attainable, limits)
        self.model = self.levels.model
        self._thresholds = self.levels.all_thresholds
        self.cores = minimal_cores(problem.deal, problem.rules, self._thresholds)
        self._core_levels = np.searchsorted(self._thresholds, self.cores.strengths, side="right")
        self._available = rank_counts([problem.deal.cards])[0]
        self.chosen = self._core_variables()
        self.supply = [self._supply_variables() for _ in self._thresholds]

        self._ranks_are_not_used_up()
        self._each_suit_makes_one_flush_at_most()
        self._supply_is_told_in_order()
        self._supply_counts_cores()
        self._supply_meets_demand()

    def hint(self, packets: Sequence[Sequence[int]]) -> None:
        """Suggest packets to start from, unless they do not lay out the free cards."""
        hands = legal_hands(self._problem, packets)
        if hands is None:
            return
        strengths = evaluate_hands(hands, self._problem.rules)
        self.levels.hint(strengths)
        packet_levels = np.searchsorted(self._thresholds, strengths, side="right")
        used = np.zeros(len(self.cores), dtype=np.int64)
        for hand, level in zip(hands, packet_levels, strict=True):
            if level:
                used[np.flatnonzero(self.cores.inside(hand) & (self._core_levels == level))[0]] += 1
        for variable, count in zip(self.chosen, used.tolist(), strict=True):
            self.model.add_hint(variable, count)
        for level, supply in enumerate(self.supply, 1):
            count = int(np.sum(packet_levels >= level))
            counts = [count] if len(supply) == 1 else [count > packet for packet in range(len(supply))]
            for variable, suggestion in zip(supply, counts, strict=True):
                self.model.add_hint(variable, suggestion)

    def answer(self, result: SearchResult) -> ModelAnswer:
        """Return a solution as packets, with the value of the cards themselves."""
        values = result.values
        chosen = [core for core, variable in enumerate(self.chosen) for _ in range(values[variable.index])]
        assigned = assign_cores(self.cores, chosen, self.levels.demands(values))
        packets = complete_packets(self._problem.deal, self.cores, assigned)
        return checked_answer(self._problem, packets, self.levels.value(values), self.levels.constant + result.bound)

    def _core_variables(self) -> list[cp_model.IntVar]:
        """Return how often each core is used."""
        counts = self.cores.counts
        copies = np.where(counts > 0, self._available // np.maximum(counts, 1), self._problem.places).min(axis=1)
        copies[self.cores.rank_cores :] = 1
        return [self.model.new_int_var(0, most, "") for most in np.minimum(copies, self._problem.places).tolist()]

    def _supply_variables(self) -> list[cp_model.IntVar]:
        """Return variables that add up to a number of packets: one integer, or one boolean a packet.

        The booleans let clauses speak of each packet, which halves the time of proofs for `win`; in a linear relaxation
        they would be dead weight.
        """
        if self._problem.objective != "win":
            return [self.model.new_int_var(0, self._problem.places, "")]
        return [self.model.new_bool_var("") for _ in range(self._problem.places)]

    def _ranks_are_not_used_up(self) -> None:
        """No more cards of a rank in the cores than are in play."""
        for counts, available in zip(self.cores.counts.T, self._available.tolist(), strict=True):
            users = np.flatnonzero(counts).tolist()
            used = cp_model.LinearExpr.weighted_sum([self.chosen[core] for core in users], counts[users].tolist())
            self.model.add(used <= available)

    def _each_suit_makes_one_flush_at_most(self) -> None:
        """One flush at most a suit: its eight cards are too few for two, and flushes never share a card."""
        for suit in range(SUITS):
            self.model.add_at_most_one(self.chosen[core] for core in self.cores.flushes_of_suit(suit))

    def _supply_is_told_in_order(self) -> None:
        """Where the supply is booleans: the i-th says that i packets reach the threshold."""
        for supply in self.supply:
            for fewer, more in pairwise(supply):
                self.model.add_implication(more, fewer)
        if self._problem.objective == "win":
            for supply, higher in pairwise(self.supply):
                for reached, surpassed in zip(supply, higher, strict=True):
                    self.model.add_implication(surpassed, reached)

    def _supply_counts_cores(self) -> None:
        """Supply at a threshold: the supply at the next one and the cores that promise this one but not the next."""
        for level, supply in enumerate(self.supply, 1):
            cores = [self.chosen[core] for core in np.flatnonzero(self._core_levels == level)]
            higher = self.supply[level] if level < len(self.supply) else []
            self.model.add(cp_model.LinearExpr.sum(supply) == cp_model.LinearExpr.sum(cores + higher))

    def _supply_meets_demand(self) -> None:
        """For every threshold at least as many packets reach it as places want it."""
        for threshold, supply in zip(self._thresholds.tolist(), self.supply, strict=True):
            wanted = cp_model.LinearExpr.sum(self.levels.wants(threshold))
            self.model.add(wanted <= cp_model.LinearExpr.sum(supply))
