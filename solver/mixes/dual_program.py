"""The linear program of a mix of few arrangements, as its dual: a basis has as many rows as the mix arrangements.

With multipliers y of the other's arrangements j and the value z of a mix without them::

    maximise z - risk sum_j y_j   subject to   z - sum_j a_ji y_j <= c_i   for every own i,
                                               sum_j y_j <= penalty,   y >= 0
"""

from collections.abc import Callable

import highspy
import numpy as np

from solver.equilibrium.highs_model import DUAL_SIMPLEX, PRIMAL_SIMPLEX, new_highs, require_ok
from solver.errors import InternalError
from solver.game.arrays import FloatArray, IntArray
from solver.mixes.program import Solved

Payoffs = Callable[[IntArray, IntArray], FloatArray]
"""What rows make against columns, scaled, shape (rows, columns)."""


class DualProgram:
    """One model; the own arrangements change, those of the other grow.

    Parameters
    ----------
    costs
        Shape (m n!,), of every arrangement.
    risk, penalty
        As in the formula.
    """

    def __init__(self, costs: FloatArray, risk: float, penalty: float) -> None:
        self._costs = costs
        self._risk = risk
        self._penalty = penalty
        self._rows = np.empty(0, dtype=np.int64)
        self._columns = np.empty(0, dtype=np.int64)
        self._highs = new_highs(PRIMAL_SIMPLEX)
        self._columns_are_new = False
        infinity = highspy.kHighsInf
        require_ok(self._highs.addCol(-1.0, -infinity, infinity, 0, np.empty(0, np.int32), np.empty(0)))
        require_ok(self._highs.addRow(-infinity, penalty, 0, np.empty(0, np.int32), np.empty(0)))

    def add_rows(self, new: IntArray, payoffs: Payoffs) -> None:
        """Add arrangements of the other."""
        count, size = len(new), 1 + len(self._columns)
        if not count:
            return
        block = np.hstack([np.ones((count, 1)), -payoffs(new, self._columns)])
        starts = np.arange(count, dtype=np.int32) * size
        index = np.tile(np.arange(size, dtype=np.int32), count)
        costs, upper = np.full(count, self._risk), np.full(count, highspy.kHighsInf)
        require_ok(self._highs.addCols(count, costs, np.zeros(count), upper, block.size, starts, index, block.ravel()))
        self._rows = np.concatenate([self._rows, new])
        self._columns_are_new = False

    def switch_to(self, columns: IntArray, payoffs: Payoffs) -> None:
        """Let exactly these own arrangements be played."""
        kept = np.isin(self._columns, columns)
        gone = np.flatnonzero(~kept) + 1
        if len(gone):
            require_ok(self._highs.deleteRows(len(gone), gone.astype(np.int32)))
        self._columns = self._columns[kept]
        new = columns[~np.isin(columns, self._columns)]
        count, size = len(new), 1 + len(self._rows)
        if count:
            block = np.hstack([np.ones((count, 1)), -payoffs(self._rows, new).T])
            starts = np.arange(count, dtype=np.int32) * size
            index = np.tile(np.arange(size, dtype=np.int32), count)
            lower = np.full(count, -highspy.kHighsInf)
            upper = self._costs[new]
            require_ok(self._highs.addRows(count, lower, upper, block.size, starts, index, block.ravel()))
        self._columns = np.concatenate([self._columns, new])
        order = {index: place for place, index in enumerate(self._columns.tolist())}
        self._asked = np.array([order[index] for index in columns.tolist()])
        self._columns_are_new = True

    def solve(self) -> Solved:
        """Return the optimum; the mix is in the order of the last switch.

        Raises
        ------
        InternalError
            If there is none, from the last basis nor from scratch.
        """
        simplex = DUAL_SIMPLEX if self._columns_are_new else PRIMAL_SIMPLEX
        for attempt in range(2):
            require_ok(self._highs.setOptionValue("simplex_strategy", simplex))
            if attempt:
                self._highs.clearSolver()
            self._highs.run()
            if self._highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
                solution = self._highs.getSolution()
                prices = np.maximum(-np.array(solution.row_dual), 0.0)
                multipliers = np.maximum(np.array(solution.col_value[1:]), 0.0)
                mix = prices[1:][self._asked]
                value = -float(self._highs.getInfo().objective_function_value)
                return Solved(mix / mix.sum(), float(prices[0]), multipliers, value)
            simplex = PRIMAL_SIMPLEX
        raise InternalError("the program of a mix was not solved, from its last basis nor from scratch")
