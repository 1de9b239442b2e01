"""Zero-sum matrix games as linear programs on HiGHS.

The row player receives ``payoffs[i, j]`` and maximises, the column player pays it and minimises. With the column mix q
and the value v as variables::

    minimise v   subject to   v - sum_j payoffs[i, j] q_j >= 0   for every row i,    sum_j q_j = 1,    q >= 0

The dual prices of the rows are the row mix. Unlike the textbook form that divides by the value, this one has no trouble
with values of zero or below.
"""

from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from solver.equilibrium.highs_model import DUAL_SIMPLEX, PRIMAL_SIMPLEX, new_highs, require_ok
from solver.errors import InternalError, PayoffError
from solver.game.arrays import FloatArray

NOISE = 1e-12
"""Probabilities below this are rounding noise of the solver and become zero."""
_LARGEST_GAP = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class MatrixGameSolution:
    """Optimal mixes of both players.

    Parameters
    ----------
    value
        What the row player gets and the column player pays, on average.
    row
        Shape (m,), probabilities of the maximising player; zero exactly outside the support.
    column
        Shape (n,), probabilities of the minimising player.
    """

    value: float
    row: FloatArray
    column: FloatArray


def solve_matrix_game(payoffs: npt.ArrayLike) -> MatrixGameSolution:
    """Solve any zero-sum game given by its matrix.

    Parameters
    ----------
    payoffs
        Shape (m, n), finite numbers, neither side empty: what the column player pays to the row player.

    Returns
    -------
    MatrixGameSolution
        Where several mixes are optimal, one of them.

    Raises
    ------
    PayoffError
        If `payoffs` is not a matrix of finite real numbers with a row and a column.

    Examples
    --------
    >>> solution = solve_matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> solution.row.round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    matrix = _checked_payoffs(payoffs)
    low, high = float(matrix.min()), float(matrix.max())
    centre, scale = low / 2 + high / 2, high / 2 - low / 2
    # Moved and stretched to payoffs from -1 to 1, the game keeps its optimal mixes and every game the same tolerances.
    scaled = (matrix - centre) / (scale or 1.0)
    mixes = _optimal_mixes(scaled, DUAL_SIMPLEX) or _optimal_mixes(scaled, PRIMAL_SIMPLEX)
    if mixes is None:
        raise InternalError("the matrix game was not solved, by the dual simplex nor by the primal")
    row, column = mixes
    value = float(row @ matrix @ column)
    return MatrixGameSolution(min(max(value, low), high) + 0.0, row, column)


def _optimal_mixes(payoffs: FloatArray, simplex: int) -> tuple[FloatArray, FloatArray] | None:
    """Return the mixes of both players, None where HiGHS has no optimum or its mixes do not prove each other."""
    rows, columns = payoffs.shape
    highs = new_highs(simplex)
    infinity = highspy.kHighsInf
    # Columns: v, then q. Rows: the sum of q, then one for each row of the game.
    costs = np.concatenate([[1.0], np.zeros(columns)])
    lower = np.concatenate([[-infinity], np.zeros(columns)])
    require_ok(highs.addCols(columns + 1, costs, lower, np.full(columns + 1, infinity), 0, [], [], []))
    system = np.hstack([np.ones((rows + 1, 1)), np.vstack([np.ones((1, columns)), -payoffs])])
    system[0, 0] = 0.0
    sides = np.concatenate([[1.0], np.zeros(rows)])
    limits = np.concatenate([[1.0], np.full(rows, infinity)])
    starts = np.arange(rows + 1, dtype=np.int32) * (columns + 1)
    index = np.tile(np.arange(columns + 1, dtype=np.int32), rows + 1)
    require_ok(highs.addRows(rows + 1, sides, limits, system.size, starts, index, system.ravel()))
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    solution = highs.getSolution()
    row, column = _cleaned(solution.row_dual[1:]), _cleaned(solution.col_value[1:])
    if row is None or column is None or (payoffs @ column).max() - (row @ payoffs).min() > _LARGEST_GAP:
        return None
    return row, column


def _checked_payoffs(payoffs: npt.ArrayLike) -> FloatArray:
    try:
        given = np.asarray(payoffs)
    except ValueError:
        raise PayoffError("payoffs must be a matrix: expected rows of equal length") from None
    if given.ndim != 2 or not given.size:
        raise PayoffError(f"payoffs of shape {given.shape}: expected a matrix with at least one row and one column")
    if given.dtype.kind not in "biuf":
        raise PayoffError(f"payoffs of type {given.dtype}: expected real numbers")
    matrix = given.astype(np.float64)
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0].tolist()
        raise PayoffError(f"payoff {matrix[row, column]} in row {row}, column {column}: expected a finite number")
    return matrix


def _cleaned(weights: list[float]) -> FloatArray | None:
    """Return the weights as probabilities without noise, None if they are none."""
    array = np.array(weights)
    array[array < NOISE] = 0.0
    total = array.sum()
    return array / total if np.isfinite(total) and total > 0.5 else None
