"""Zero-sum matrix games as linear programmes on HiGHS.

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

from solver.errors import InternalError, PayoffError

FloatArray = npt.NDArray[np.float64]

NOISE = 1e-12
"""Probabilities below this are rounding noise of the solver and become zero."""
_FEASIBILITY = 1e-10
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
    """
    matrix = _checked_payoffs(payoffs)
    low, high = float(matrix.min()), float(matrix.max())
    centre, scale = low / 2 + high / 2, high / 2 - low / 2
    # Moved and stretched to payoffs from -1 to 1, the game keeps its optimal mixes and every game the same tolerances.
    game = GrowingGame((matrix - centre) / (scale or 1.0))
    solution = game.solve()
    value = float(solution.row @ matrix @ solution.column)
    return MatrixGameSolution(min(max(value, low), high) + 0.0, solution.row, solution.column)


class _QuietHighs(highspy.Highs):
    """HiGHS that is silent from birth: setting up callbacks would print its banner on the standard output."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def enableCallbacks(self) -> None:  # noqa: N802
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


class GrowingGame:
    """The programme of a game that is solved again and again while strategies are added.

    HiGHS keeps its basis: after new columns it goes on with the primal simplex, after new rows with the dual.

    Parameters
    ----------
    payoffs
        Shape (m, n): the game at the start; entries of the size of 1.
    """

    def __init__(self, payoffs: FloatArray) -> None:
        self._payoffs = np.array(payoffs, dtype=np.float64)
        self._highs = _QuietHighs()
        options: dict[str, bool | int | float | str] = {
            "presolve": "off",
            "threads": 1,
            "primal_feasibility_tolerance": _FEASIBILITY,
            "dual_feasibility_tolerance": _FEASIBILITY,
            "small_matrix_value": 1e-12,
        }
        for option, setting in options.items():
            _require_ok(self._highs.setOptionValue(option, setting))
        infinity = highspy.kHighsInf
        _require_ok(self._highs.addCol(1.0, -infinity, infinity, 0, [], []))
        _require_ok(self._highs.addRow(1.0, 1.0, 0, [], []))
        columns = self._payoffs.shape[1]
        self._extend_columns(np.empty((0, columns)))
        self._extend_rows(self._payoffs)

    def add_columns(self, block: FloatArray) -> MatrixGameSolution:
        """Give the minimising player more strategies and solve; `block` has shape (rows so far, new columns)."""
        self._extend_columns(block)
        self._payoffs = np.hstack([self._payoffs, block])
        return self._solve("primal")

    def add_rows(self, block: FloatArray) -> MatrixGameSolution:
        """Give the maximising player more strategies and solve; `block` has shape (new rows, columns so far)."""
        self._extend_rows(block)
        self._payoffs = np.vstack([self._payoffs, block])
        return self._solve("dual")

    def solve(self) -> MatrixGameSolution:
        """Solve the game as it stands."""
        return self._solve("dual")

    def _extend_columns(self, block: FloatArray) -> None:
        rows, count = block.shape
        index = np.tile(np.arange(rows + 1, dtype=np.int32), count)
        entries = np.vstack([np.ones(count), -block]).T.ravel()
        starts = np.arange(count, dtype=np.int32) * (rows + 1)
        zeros, infinities = np.zeros(count), np.full(count, highspy.kHighsInf)
        _require_ok(self._highs.addCols(count, zeros, zeros, infinities, len(entries), starts, index, entries))

    def _extend_rows(self, block: FloatArray) -> None:
        count, columns = block.shape
        index = np.tile(np.arange(columns + 1, dtype=np.int32), count)
        entries = np.hstack([np.ones((count, 1)), -block]).ravel()
        starts = np.arange(count, dtype=np.int32) * (columns + 1)
        infinities = np.full(count, highspy.kHighsInf)
        _require_ok(self._highs.addRows(count, np.zeros(count), infinities, len(entries), starts, index, entries))

    def _solve(self, simplex: str) -> MatrixGameSolution:
        strategy = 1 if simplex == "dual" else 4
        _require_ok(self._highs.setOptionValue("simplex_strategy", strategy))
        solution = self._run()
        if solution is None:
            self._highs.clearSolver()
            solution = self._run()
        if solution is None:
            status = self._highs.modelStatusToString(self._highs.getModelStatus())
            raise InternalError(f"the matrix game was not solved, even from scratch: HiGHS says {status!r}")
        return solution

    def _run(self) -> MatrixGameSolution | None:
        """Solve once; None where HiGHS did not reach the optimum or its mixes do not prove each other."""
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        raw = self._highs.getSolution()
        row, column = _cleaned(raw.row_dual[1:]), _cleaned(raw.col_value[1:])
        if row is None or column is None:
            return None
        upper = float((self._payoffs @ column).max())
        lower = float((row @ self._payoffs).min())
        if upper - lower > _LARGEST_GAP:
            return None
        return MatrixGameSolution((lower + upper) / 2, row, column)


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


def _require_ok(status: highspy.HighsStatus) -> None:
    if status == highspy.HighsStatus.kError:
        raise InternalError("HiGHS refused a change of its model")
