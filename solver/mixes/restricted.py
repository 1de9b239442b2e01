"""The best mix of given arrangements: one program of which columns are switched on and off, rows generated.

The value is what is minimised: costs (minus the gain against the model, 0 without one) plus a penalty on every bit of
exploitability above the risk. Without a model the risk is 0 and the penalty 1, so that the value is the exploitability.
"""

from typing import NamedTuple

import numpy as np

from solver.game.arrays import FloatArray, IntArray
from solver.mixes.dual_program import DualProgram
from solver.mixes.game import MixGame

PENALTY = 1e3
_PRECISION = 1e-11
_ROW_BATCH = 5
_MOST_ROUNDS = 200


class Candidate(NamedTuple):
    """A mix of arrangements, its value (in shares of the largest payoff), and the multipliers that prove it.

    `exact` is False where the search was cut off because the value is certainly not below the one to beat.
    """

    indices: IntArray
    probabilities: FloatArray
    value: float
    multipliers: FloatArray
    exact: bool


class RestrictedPrograms:
    """Programs over sets of columns that share their rows.

    Parameters
    ----------
    game
        The game.
    costs
        Shape (m n!,), in shares of the largest payoff.
    risk, penalty
        Of the program, the risk in the same shares.
    """

    def __init__(self, game: MixGame, costs: FloatArray, risk: float, penalty: float) -> None:
        self.game = game
        self.costs = costs
        self.risk = risk
        self.penalty = penalty
        self.rows = np.empty(0, dtype=np.int64)
        self.solves = 0
        self._program = DualProgram(costs, risk, penalty)

    def best_of(self, columns: IntArray, to_beat: float = np.inf) -> Candidate:
        """Return the best mix of these arrangements, or give up once its value cannot be below `to_beat`."""
        game, scale = self.game, float(self.game.largest)
        self._program.switch_to(columns, self._payoffs)
        for _ in range(_MOST_ROUNDS):
            solved = self._program.solve()
            self.solves += 1
            mix = solved.mix
            if solved.value >= to_beat:
                return Candidate(columns, mix, solved.value, solved.multipliers, exact=False)
            made = game.sums(columns, mix) / scale
            new = game.best_of_partitions(made, _ROW_BATCH, self.risk + solved.excess + _PRECISION)
            new = new[~np.isin(new, self.rows)]
            if not len(new):
                break
            self.add_rows(new)
        played = mix > 1e-12
        return Candidate(columns[played], mix[played], solved.value, solved.multipliers, exact=True)

    def add_rows(self, new: IntArray) -> None:
        """Add arrangements of the other, of which none is known."""
        self.rows = np.concatenate([self.rows, new])
        self._program.add_rows(new, self._payoffs)

    def _payoffs(self, rows: IntArray, columns: IntArray) -> FloatArray:
        scaled: FloatArray = self.game.between(rows, columns) / self.game.largest
        return scaled

    def reduced(self, multipliers: FloatArray) -> FloatArray:
        """Return the value of every arrangement, shape (m n!,), against priced rows, smaller is better.

        No mix of some arrangements has a value below the least of theirs less what the risk is worth.
        """
        weighty = np.flatnonzero(multipliers > 0)
        # The other's rows make what the arrangement loses, and the game is antisymmetric.
        worth = self.game.sums(self.rows[weighty], multipliers[weighty] / self.game.largest, -self.costs)
        reduced: FloatArray = -worth - self.risk * multipliers.sum()
        return reduced
