"""The double oracle: a small game, grown by best responses until nothing gains.

Each round solves the game restricted to some undominated arrangements, prices all of them against its optimal mix, and
adds the best order of each of several partitions that gain. When nothing gains, the mix is an equilibrium of the whole
game; the game is symmetric, so one mix serves both players and the gain of a best response is the exploitability.

References
----------
H. B. McMahan, G. J. Gordon, A. Blum: Planning in the presence of cost functions controlled by an adversary. ICML 2003.
"""

from collections.abc import Callable

import numpy as np

from solver.equilibrium.interior_point import CentralPath
from solver.equilibrium.pricing import Pricing
from solver.equilibrium.result import EquilibriumStatus, Progress
from solver.game.arrays import BoolArray, FloatArray, IntArray
from solver.system.limits import Limits

_RESPONSES = 8
"""Arrangements added a round, of as many partitions."""
_SIZE_PER_RESPONSE = 24
"""A larger restricted game takes one more a round for so many that it has: its rounds are dear."""
_PATIENCE = 20
"""Rounds without a new arrangement or a better mix since the last one, after which floating point has no more to give.

The best mix of the run is no measure: a new arrangement may set the path back by orders of magnitude, and it takes
dozens of rounds to come down again."""


class DoubleOracle:
    """The rounds of one run.

    Parameters
    ----------
    pricing
        The game, with nothing in its restricted game yet.
    start
        Indices of the arrangements that the restricted game starts with.
    distinct
        Shape (m, n!): which arrangements may come into it.
    """

    def __init__(
        self,
        pricing: Pricing,
        start: IntArray,
        distinct: BoolArray,
        limits: Limits,
        max_iterations: int | None,
        callback: Callable[[Progress], None] | None,
    ) -> None:
        self._pricing = pricing
        self._limits = limits
        self._max_iterations = max_iterations
        self._callback = callback
        self._fresh = distinct.copy()
        self._fresh.ravel()[start] = False
        payoffs = pricing.extend(start)
        uniform = np.full(len(start), 1 / len(start))
        self._path = CentralPath(payoffs, max(1.2 * float(pricing.gains(uniform).max()), 0.1))
        self._best: tuple[IntArray, FloatArray] = (start, uniform)
        self._best_gain = np.inf
        self.history: list[float] = []

    def run(self, target: float) -> tuple[IntArray, FloatArray, EquilibriumStatus]:
        """Do rounds until no arrangement gains more than `target` (scaled) against the mix.

        Returns
        -------
        tuple
            Indices and probabilities of the best mix so far, and the status.
        """
        idle, lowest = 0, np.inf
        while True:
            gains = self._pricing.gains(self._path.mix)
            gain = self._record(gains, self._path.mix)
            idle, lowest = (0, gain) if gain < lowest else (idle + 1, lowest)
            if self._best_gain <= target:
                mix = self._path.support_mix
                support_gains = self._pricing.gains(mix)
                if support_gains.max() <= target:
                    return self._pricing.support, mix, EquilibriumStatus.CONVERGED
            status = self._stopped()
            if status is not None:
                return *self._best, status
            # While constraints of the restricted game are violated, its own arrangements may gain most in their
            # partitions. Further orders of those partitions would make the game several times larger without need;
            # they are looked at only when nothing else is left.
            known = gains if idle < _PATIENCE // 4 else np.where(self._fresh, gains, -np.inf)
            responses = max(_RESPONSES, len(self._pricing.support) // _SIZE_PER_RESPONSE)
            new = best_orders(known, responses, max(self._path.bound, target))
            new = new[self._fresh.ravel()[new]]
            if len(new):
                idle, lowest = 0, np.inf
                self._fresh.ravel()[new] = False
                self._path.extend(self._pricing.extend(new), gains.ravel()[new])
            if idle > _PATIENCE:
                return *self._best, EquilibriumStatus.STALLED
            self._path.step()

    @property
    def unit(self) -> float:
        """Points or probability that a scaled gain of 1 stands for."""
        return self._pricing.unit

    def _record(self, gains: FloatArray, mix: FloatArray) -> float:
        """Keep the mix if it is the best so far, report the round, and return what a best response gains."""
        gain = max(float(gains.max()), 0.0)
        if gain < self._best_gain:
            self._best, self._best_gain = (self._pricing.support, mix), gain
        self.history.append(self._best_gain * self._pricing.unit)
        if self._callback is not None:
            self._callback(Progress(len(self.history), self.history[-1], len(mix)))
        return gain

    def _stopped(self) -> EquilibriumStatus | None:
        """Return the status of a run that has to stop now, else None."""
        if self._limits.interrupted:
            return EquilibriumStatus.INTERRUPTED
        if self._limits.expired:
            return EquilibriumStatus.TIME_LIMIT
        if self._max_iterations is not None and len(self.history) >= self._max_iterations:
            return EquilibriumStatus.ITERATION_LIMIT
        return None


def best_orders(gains: FloatArray, count: int, above: float) -> IntArray:
    """Return the best order of each of the `count` partitions that gain most, if they gain more than `above`.

    Arrangements are named by their index; ties go to the lower one.
    """
    orders = gains.argmax(axis=1)
    best = np.take_along_axis(gains, orders[:, None], axis=1)[:, 0]
    chosen = np.argsort(-best, kind="stable")[:count]
    chosen = chosen[best[chosen] > above]
    indices: IntArray = chosen * gains.shape[1] + orders[chosen]
    return indices
