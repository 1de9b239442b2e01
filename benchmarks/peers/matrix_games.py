"""Published solvers of zero-sum matrix games, each given the whole payoff matrix and called in its fastest way."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Solver = tuple[str, Callable[[FloatArray], Any], Callable[[Any], FloatArray]]
"""How it is called, in words; what it makes of the payoffs beforehand; and the mix it finds."""


def open_spiel() -> Solver:
    """OpenSpiel's double oracle, which grows a restricted game inside the matrix; its LP is ECOS through cvxpy."""
    pyspiel = import_module("pyspiel")
    double_oracle = import_module("open_spiel.python.algorithms.double_oracle")

    def prepare(payoffs: FloatArray) -> Any:
        return double_oracle.DoubleOracleSolver(pyspiel.create_matrix_game(payoffs, -payoffs), enforce_symmetry=True)

    def solve(solver: Any) -> FloatArray:
        # Symmetric, so that one response serves both players; the tolerance is what its LP solver can give.
        (mix, _), _, _ = solver.solve([[0], [0]], max_steps=1_000_000, tolerance=1e-6, verbose=False)
        return np.asarray(mix)

    return "DoubleOracleSolver, enforce_symmetry", prepare, solve


def nashpy() -> Solver:
    """Nashpy's linear program over the whole matrix: HiGHS through scipy."""
    game = import_module("nashpy").Game
    return "Game.linear_program", game, lambda prepared: np.asarray(prepared.linear_program()[0])


def gambit() -> Solver:
    """Gambit's linear program over the whole matrix, in floating point."""
    pygambit = import_module("pygambit")

    def prepare(payoffs: FloatArray) -> Any:
        return pygambit.Game.from_arrays(payoffs, -payoffs)

    def solve(game: Any) -> FloatArray:
        profile = pygambit.nash.lp_solve(game, rational=False).equilibria[0]
        player = next(iter(game.players))
        return np.array([float(profile[player][strategy]) for strategy in player.strategies])

    return "nash.lp_solve, rational=False", prepare, solve


PEERS: dict[str, Callable[[], Solver]] = {"OpenSpiel": open_spiel, "Nashpy": nashpy, "Gambit": gambit}
