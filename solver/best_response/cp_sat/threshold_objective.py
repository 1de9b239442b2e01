"""The half of a CP-SAT model that both formulations share: what reaching a strength in a place is worth.

No objective falls when a packet gets stronger, and each changes only at certain strengths, the thresholds of a place.
The packet of a place is described by booleans, one a threshold: reach[p, t] says that it is at least as strong as
threshold t of place p. The large numbers, the weights of the mix, appear in the objective alone.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from ortools.sat.python import cp_model

from solver.best_response.problem import ResponseProblem
from solver.game.arrays import IntArray
from solver.strategies.objectives import Objective
from solver.strategies.payoffs import row_margins
from solver.system.limits import Limits


class ThresholdObjective:
    """Booleans for the thresholds of each place, and the objective on them.

    Parameters
    ----------
    problem
        The question.
    attainable
        Shape (a,), int64, ascending: the strengths that packets of the free cards can have.
    limits
        When to stop building: a mix may have any number of rows.

    Attributes
    ----------
    model
        The CP-SAT model; what can be reached is left to the formulation, which adds the packets.
    thresholds
        Per place the attainable strengths, ascending, at which the objective can change, without the weakest of all.
    reaches
        Per place one boolean a threshold.
    row_results
        For ``win``: boolean, row of the mix and margin, 0 or 1, that it claims against the row.
    constant
        What an arrangement is worth in any case, beside what the objective of `model` counts.
    """

    def __init__(self, problem: ResponseProblem, attainable: IntArray, limits: Limits) -> None:
        self._problem = problem
        self._attainable = attainable
        self.model = cp_model.CpModel()
        self.constant = problem.earned
        self._terms: list[tuple[cp_model.IntVar, int]] = []
        self.row_results: list[tuple[cp_model.IntVar, int, int]] = []
        additive = problem.objective != Objective.WIN
        self.thresholds = self._value_steps() if additive else self._mix_strengths()
        self.reaches = [
            [self.model.new_bool_var(f"reach[{place},{step}]") for step in steps.tolist()]
            for place, steps in enumerate(self.thresholds, 1)
        ]

        self._thresholds_are_monotone()
        if additive:
            self._add_place_values()
        else:
            self._add_row_results(limits)
        self._maximise()

    @property
    def union(self) -> IntArray:
        """The thresholds of all places, ascending."""
        return np.unique(np.concatenate(self.thresholds))

    def wants(self, strength: int) -> list[cp_model.IntVar]:
        """Return the booleans by which places want this strength at least, at most one a place."""
        firsts = [int(np.searchsorted(steps, strength)) for steps in self.thresholds]
        return [booleans[first] for booleans, first in zip(self.reaches, firsts, strict=True) if first < len(booleans)]

    def demands(self, values: Sequence[int]) -> list[int]:
        """Return the strength that a solution wants in each place, -1 where it wants none."""
        counts = [sum(values[boolean.index] for boolean in booleans) for booleans in self.reaches]
        return [int(steps[count - 1]) if count else -1 for steps, count in zip(self.thresholds, counts, strict=True)]

    def value(self, values: Sequence[int]) -> int:
        """Return the value that a solution claims."""
        return self.constant + sum(gain for boolean, gain in self._terms if values[boolean.index])

    def hint(self, strengths: IntArray) -> None:
        """Suggest packets of these strengths, shape (n,) in place order."""
        for steps, booleans, strength in zip(self.thresholds, self.reaches, strengths, strict=True):
            for boolean, reached in zip(booleans, (strength >= steps).tolist(), strict=True):
                self.model.add_hint(boolean, reached)
        problem = self._problem
        margins = row_margins(strengths, problem.mix.rows, problem.weights) + problem.row_offsets
        for boolean, row, margin in self.row_results:
            self.model.add_hint(boolean, bool(margins[row] >= margin))

    def _value_steps(self) -> list[IntArray]:
        """Return the strengths at which G rises."""
        values = [self._problem.place_values(place, self._attainable) for place in range(self._problem.places)]
        return [self._attainable[1:][np.diff(row) > 0] for row in values]

    def _mix_strengths(self) -> list[IntArray]:
        """Return what ties with a strength of the mix and what just beats it."""
        steps = []
        for column in self._problem.mix.rows.T:
            ties = np.searchsorted(self._attainable, column, side="left")
            beats = np.searchsorted(self._attainable, column, side="right")
            indices = np.unique(np.concatenate([ties, beats]))
            steps.append(self._attainable[indices[(indices > 0) & (indices < len(self._attainable))]])
        return steps

    def _thresholds_are_monotone(self) -> None:
        for booleans in self.reaches:
            for lower, higher in pairwise(booleans):
                self.model.add_implication(higher, lower)

    def _add_place_values(self) -> None:
        """Count what G rises by at each threshold.

        The rises of a place add up to the range of G there, so all coefficients together stay below 2**54, far from
        the 2**62 that CP-SAT can take.
        """
        for place, steps in enumerate(self.thresholds):
            values = self._problem.place_values(place, np.concatenate([self._attainable[:1], steps]))
            self.constant += int(values[0])
            self._terms += zip(self.reaches[place], np.diff(values).tolist(), strict=True)

    def _add_row_results(self, limits: Limits) -> None:
        """Count the weight of a row for not losing to it and again for beating it, so that a draw counts one half.

        In a place of weight w the margin is w * (ties or beats + beats - 1).
        """
        problem = self._problem
        ties_or_beats, beats = self._row_literals("left"), self._row_literals("right")
        offsets = (sum(problem.weights) - problem.row_offsets).tolist()
        for row, weight in enumerate(problem.mix.row_weights.tolist()):
            limits.check()
            total = cp_model.LinearExpr.weighted_sum(ties_or_beats[row] + beats[row], list(problem.weights * 2))
            for margin in (0, 1):
                reached = self.model.new_bool_var(f"{'beat' if margin else 'hold'}[{row}]")
                self.model.add(total >= margin + offsets[row]).only_enforce_if(reached)
                self.row_results.append((reached, row, margin))
                self._terms.append((reached, weight))

    def _row_literals(self, side: Literal["left", "right"]) -> list[list[cp_model.IntVar]]:
        """Return for each row and place what ties with it or beats it (``left``), or what beats it (``right``)."""
        always, never = self.model.new_constant(1), self.model.new_constant(0)
        columns = []
        for column, steps, booleans in zip(self._problem.mix.rows.T, self.thresholds, self.reaches, strict=True):
            literals = [always, *booleans, never]
            granted = np.searchsorted(self._attainable, column, side=side) == 0
            positions = np.where(granted, 0, 1 + np.searchsorted(steps, column, side=side))
            columns.append([literals[position] for position in positions.tolist()])
        return [list(row) for row in zip(*columns, strict=True)]

    def _maximise(self) -> None:
        booleans, gains = [boolean for boolean, _ in self._terms], [gain for _, gain in self._terms]
        self.model.maximize(cp_model.LinearExpr.weighted_sum(booleans, gains))
