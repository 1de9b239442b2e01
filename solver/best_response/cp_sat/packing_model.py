"""The CP-SAT packing model of a best response: pack patterns into the cards so that places reach their thresholds.

The model does not lay out cards. Packets are chosen as patterns, without saying where they lie; each place says what
strength it wants; and for every threshold at least as many packets must reach it as places want it. Sorted by strength,
the packets then serve the places (`assign_patterns`), and cards left over fill them up without making any weaker.

    maximise    sum over p, t of gain[p, t] reach[p, t]                                   (`ThresholdObjective`)
    subject to  sum over k of n[k, r] use[k]       <=  c[r]                               for every rank r
                sum over flushes k of suit s of use[k]  <=  1                             for every suit s
                supply[t]                           =  supply[t + 1] + sum of use[k], k guaranteeing t but not t + 1
                supply[t]                          >=  sum over p of [p wants t or more]  for every threshold t

Every arrangement is a solution with its own value: each packet contains a minimal pattern of the same threshold.
Conversely every solution completes to packets that reach what its places want, so the optimum is that of the question.
docs/best_response.md has the proof, with the same symbols.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from ortools.sat.python import cp_model

from solver.best_response.cp_sat.answer import checked_answer, legal_hands
from solver.best_response.cp_sat.card_assignment import assign_patterns, complete_packets
from solver.best_response.cp_sat.patterns import minimal_patterns, rank_counts, whole_packets
from solver.best_response.cp_sat.search import SearchResult, maximise
from solver.best_response.cp_sat.threshold_objective import ThresholdObjective
from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.problem import ResponseProblem
from solver.errors import LimitReached
from solver.game.cards import SUITS
from solver.game.evaluator import evaluate_hands
from solver.strategies.objectives import Objective
from solver.system.limits import NO_LIMITS, Limits


def solve_packing_model(
    problem: ResponseProblem,
    *,
    hint: Sequence[Sequence[int]] | None = None,
    limits: Limits = NO_LIMITS,
    seed: int = 0,
    log: Callable[[str], None] | None = None,
) -> EngineAnswer | None:
    """Return the best packets for the free places.

    Parameters
    ----------
    problem
        The question.
    hint
        Packets of card ids, one a free place, to start from. Whatever they are, the proven value is the same; what
        does not lay out the free cards is ignored.
    limits
        When to stop with the best packets so far.
    seed
        Seed of the search, at least 0.
    log
        Gets the lines of CP-SAT's log.

    Returns
    -------
    EngineAnswer or None
        Optimal unless stopped; None if stopped before the first packets.

    Raises
    ------
    InternalError
        If the answer does not have the value that the model claims.
    """
    try:
        packing = PackingModel(problem, limits)
        if hint is not None:
            packing.hint(hint)
        result = maximise(packing.model, limits, relaxation=problem.objective != Objective.WIN, seed=seed, log=log)
    except LimitReached:
        return None
    return packing.answer(result)


class PackingModel:
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
    objective
        What places want and what that is worth.
    patterns
        The patterns to choose from.
    chosen
        How often each pattern is used.
    supply
        Per threshold of `objective.union` variables that add up to the number of packets that reach it.
    """

    def __init__(self, problem: ResponseProblem, limits: Limits) -> None:
        self._problem = problem
        attainable = np.unique(whole_packets(problem.deal, problem.rules).strengths)
        self.objective = ThresholdObjective(problem, attainable, limits)
        self.model = self.objective.model
        self._thresholds = self.objective.union
        self.patterns = minimal_patterns(problem.deal, problem.rules, self._thresholds)
        self._reached = np.searchsorted(self._thresholds, self.patterns.strengths, side="right")
        self._available = rank_counts([problem.deal.cards])[0]
        self.chosen = self._use_variables()
        self.supply = [self._supply_variables(threshold) for threshold in self._thresholds.tolist()]

        # The rules, in the order of docs/best_response.md.
        self._rank_capacity()
        self._one_flush_per_suit()
        self._supply_is_monotone()
        self._supply_definition()
        self._supply_covers_demand()

    def hint(self, packets: Sequence[Sequence[int]]) -> None:
        """Suggest packets to start from, unless they do not lay out the free cards."""
        hands = legal_hands(self._problem, packets)
        if hands is None:
            return
        strengths = evaluate_hands(hands, self._problem.rules)
        self.objective.hint(strengths)
        reached = np.searchsorted(self._thresholds, strengths, side="right")
        used = np.zeros(len(self.patterns), dtype=np.int64)
        for hand, threshold in zip(hands, reached, strict=True):
            if threshold:
                used[np.flatnonzero(self.patterns.inside(hand) & (self._reached == threshold))[0]] += 1
        for variable, count in zip(self.chosen, used.tolist(), strict=True):
            self.model.add_hint(variable, count)
        for threshold, supply in enumerate(self.supply, 1):
            count = int(np.sum(reached >= threshold))
            counts = [count] if len(supply) == 1 else [count > packet for packet in range(len(supply))]
            for variable, suggestion in zip(supply, counts, strict=True):
                self.model.add_hint(variable, suggestion)

    def answer(self, result: SearchResult) -> EngineAnswer:
        """Return a solution as packets, with the value of the cards themselves."""
        values = result.values
        chosen = [pattern for pattern, variable in enumerate(self.chosen) for _ in range(values[variable.index])]
        assigned = assign_patterns(self.patterns, chosen, self.objective.demands(values))
        packets = complete_packets(self._problem.deal, self.patterns, assigned)
        return checked_answer(
            self._problem, packets, self.objective.value(values), self.objective.constant + result.bound
        )

    def _use_variables(self) -> list[cp_model.IntVar]:
        """Return how often each pattern is used."""
        counts = self.patterns.counts
        copies = np.where(counts > 0, self._available // np.maximum(counts, 1), self._problem.places).min(axis=1)
        copies[self.patterns.rank_patterns :] = 1
        most = np.minimum(copies, self._problem.places).tolist()
        return [
            self.model.new_int_var(0, m, f"use[{name}]") for m, name in zip(most, self.patterns.names(), strict=True)
        ]

    def _supply_variables(self, threshold: int) -> list[cp_model.IntVar]:
        """Return variables that add up to a number of packets: one integer, or one boolean a packet.

        The booleans let clauses speak of each packet, which halves the time of proofs for `win`; in a linear relaxation
        they would be dead weight.
        """
        if self._problem.objective != Objective.WIN:
            return [self.model.new_int_var(0, self._problem.places, f"supply[{threshold}]")]
        return [self.model.new_bool_var(f"supply[{threshold},{count}]") for count in range(1, self._problem.places + 1)]

    def _rank_capacity(self) -> None:
        """No more cards of a rank in the patterns than are in play."""
        for counts, available in zip(self.patterns.counts.T, self._available.tolist(), strict=True):
            users = np.flatnonzero(counts).tolist()
            used = cp_model.LinearExpr.weighted_sum([self.chosen[pattern] for pattern in users], counts[users].tolist())
            self.model.add(used <= available)

    def _one_flush_per_suit(self) -> None:
        """One flush at most a suit: its eight cards are too few for two, and flushes never share a card."""
        for suit in range(SUITS):
            self.model.add_at_most_one(self.chosen[pattern] for pattern in self.patterns.flushes_of_suit(suit))

    def _supply_is_monotone(self) -> None:
        """Where the supply is booleans: the i-th says that i packets reach the threshold."""
        for supply in self.supply:
            for fewer, more in pairwise(supply):
                self.model.add_implication(more, fewer)
        if self._problem.objective == Objective.WIN:
            for supply, higher in pairwise(self.supply):
                for reached, surpassed in zip(supply, higher, strict=True):
                    self.model.add_implication(surpassed, reached)

    def _supply_definition(self) -> None:
        """Count what reaches a threshold: what reaches the next one, and the patterns that guarantee this one alone."""
        for number, supply in enumerate(self.supply, 1):
            patterns = [self.chosen[pattern] for pattern in np.flatnonzero(self._reached == number)]
            higher = self.supply[number] if number < len(self.supply) else []
            self.model.add(cp_model.LinearExpr.sum(supply) == cp_model.LinearExpr.sum(patterns + higher))

    def _supply_covers_demand(self) -> None:
        """For every threshold at least as many packets reach it as places want it."""
        for threshold, supply in zip(self._thresholds.tolist(), self.supply, strict=True):
            wanted = cp_model.LinearExpr.sum(self.objective.wants(threshold))
            self.model.add(wanted <= cp_model.LinearExpr.sum(supply))
