"""The linear program of a mix, on one HiGHS model that is kept alive.

With the mix x over own arrangements i, costs c_i, and the other's arrangements j, who makes a_ji against i::

    minimise sum_i c_i x_i + penalty s   subject to   sum_i a_ji x_i - s <= risk,   sum_i x_i = 1,   x, s >= 0

Columns and rows come as they are needed: after new columns the primal simplex goes on, after new rows the dual one.
"""

from typing import NamedTuple

import highspy
import numpy as np

from solver.equilibrium.highs_model import DUAL_SIMPLEX, PRIMAL_SIMPLEX, new_highs, require_ok
from solver.errors import InternalError
from solver.game.arrays import FloatArray, IntArray


class Solved(NamedTuple):
    """An optimum of the program: mix over the columns, what exceeds the risk, multipliers of the rows, the value."""

    mix: FloatArray
    excess: float
    multipliers: FloatArray
    value: float


class MixProgram:
    """A program that grows.

    Parameters
    ----------
    risk, penalty
        As in the formula.
    """

    def __init__(self, risk: float, penalty: float) -> None:
        self._highs = new_highs(DUAL_SIMPLEX)
        self.columns = 0
        self.rows = 0
        self._risk = risk
        infinity = highspy.kHighsInf
        require_ok(self._highs.addCols(1, np.array([penalty]), np.zeros(1), np.full(1, infinity), 0, [], [], []))
        require_ok(self._highs.addRow(1.0, 1.0, 0, np.empty(0, np.int32), np.empty(0)))

    def add_columns(self, costs: FloatArray, payoffs: FloatArray) -> None:
        """Add k own arrangements; `payoffs` has shape (rows, k)."""
        count = len(costs)
        if not count:
            return
        block = np.vstack([np.ones((1, count)), payoffs]).T
        starts = np.arange(count, dtype=np.int32) * (self.rows + 1)
        index = np.tile(np.arange(self.rows + 1, dtype=np.int32), count)
        upper = np.full(count, highspy.kHighsInf)
        lower = np.zeros(count)
        require_ok(self._highs.addCols(count, costs, lower, upper, block.size, starts, index, block.ravel()))
        self.columns += count

    def add_rows(self, payoffs: FloatArray) -> None:
        """Add k arrangements of the other; `payoffs` has shape (k, columns)."""
        count = len(payoffs)
        if not count:
            return
        block = np.hstack([np.full((count, 1), -1.0), payoffs])
        starts = np.arange(count, dtype=np.int32) * (self.columns + 1)
        index = np.tile(np.arange(self.columns + 1, dtype=np.int32), count)
        upper = np.full(count, self._risk)
        lower = np.full(count, -highspy.kHighsInf)
        require_ok(self._highs.addRows(count, lower, upper, block.size, starts, index, block.ravel()))
        self.rows += count

    def use_only(self, columns: IntArray) -> None:
        """Let only these columns be played."""
        upper = np.zeros(self.columns)
        upper[columns] = highspy.kHighsInf
        index = np.arange(1, self.columns + 1, dtype=np.int32)
        require_ok(self._highs.changeColsBounds(self.columns, index, np.zeros(self.columns), upper))

    def solve(self, *, rows_are_new: bool) -> Solved:
        """Go on to the optimum.

        Raises
        ------
        InternalError
            If there is none, from the last basis nor from scratch.
        """
        for attempt in range(2):
            simplex = DUAL_SIMPLEX if rows_are_new != bool(attempt) else PRIMAL_SIMPLEX
            require_ok(self._highs.setOptionValue("simplex_strategy", simplex))
            if attempt:
                self._highs.clearSolver()
            self._highs.run()
            if self._highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
                solution = self._highs.getSolution()
                values = np.maximum(np.array(solution.col_value), 0.0)
                multipliers = np.maximum(-np.array(solution.row_dual[1:]), 0.0)
                mix = values[1:] / values[1:].sum()
                return Solved(mix, float(values[0]), multipliers, self._highs.getInfo().objective_function_value)
        raise InternalError("the program of a mix was not solved, from its last basis nor from scratch")
