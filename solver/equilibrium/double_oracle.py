"""The equilibrium of a deal by the double oracle: a small game, grown by best responses until nothing gains.

Each round solves the game restricted to some undominated arrangements, prices all of them against its optimal mix, and
adds the best order of each of several partitions that gain. When nothing gains, the mix is an equilibrium of the whole
game; the game is symmetric, so one mix serves both players and the gain of a best response is the exploitability.

References
----------
H. B. McMahan, G. J. Gordon, A. Blum: Planning in the presence of cost functions controlled by an adversary. ICML 2003.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from solver.dominance.partitions import Partitions
from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium.certificate import certified_exploitability, require_zero_sum
from solver.equilibrium.interior_point import CentralPath
from solver.equilibrium.pricing import MarginPricing, Pricing, WinPricing
from solver.errors import PayoffError
from solver.game.arrangement import require_deal
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.rounding import apportion_probabilities, largest_total

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

STATUSES = CONVERGED, ITERATION_LIMIT, TIME_LIMIT, INTERRUPTED = (
    "converged",
    "iteration limit",
    "time limit",
    "interrupted",
)
WIN_TOLERANCE = 1e-9
"""Default tolerance for ``win``, in probability; for ``margin`` the same share of half the points of a deal."""
_RESPONSES = 8
"""Arrangements added a round, of as many partitions."""
_PATIENCE = 20
"""Rounds without a new arrangement or a better mix since the last one, after which floating point has no more to give.

The best mix of the run is no measure: a new arrangement may set the path back by orders of magnitude, and it takes
dozens of rounds to come down again."""


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a run after one round.

    Parameters
    ----------
    iteration
        Rounds done, 1 for the first.
    exploitability
        Of the best mix so far, in the unit of the objective, as floating-point pricing sees it.
    restricted_size
        Arrangements in the restricted game.
    """

    iteration: int
    exploitability: float
    restricted_size: int


@dataclass(frozen=True, slots=True, eq=False)
class Equilibrium:
    """A mix with its certificate.

    Parameters
    ----------
    deal, rules, objective
        What was asked.
    strategies
        The mix.
    exploitability_exact
        What a best response gains against exactly this mix, proven over all undominated arrangements: points for
        ``margin``, probability for ``win``.
    iterations
        Rounds of the double oracle.
    status
        ``converged`` if the exact exploitability is within the tolerance, else the limit that ended the run.
    partitions
        The undominated partitions of the deal.
    history
        Exploitability of the best mix so far after each round, never rising.
    """

    deal: Deal
    rules: Rules
    objective: str
    strategies: MixedStrategy
    exploitability_exact: Fraction
    iterations: int
    status: str
    partitions: Partitions
    history: tuple[float, ...]

    @property
    def undominated_partitions(self) -> int:
        """Number of undominated partitions of the deal."""
        return len(self.partitions)

    @property
    def exploitability(self) -> float:
        """The exact exploitability as a float."""
        return float(self.exploitability_exact)


def solve_equilibrium(
    deal: Deal,
    objective: str = "margin",
    rules: Rules | None = None,
    *,
    tolerance: float | None = None,
    max_iterations: int | None = None,
    time_limit: float | None = None,
    start: MixedStrategy | None = None,
    callback: Callable[[Progress], None] | None = None,
    interrupt: threading.Event | None = None,
) -> Equilibrium:
    """Find the equilibrium of a deal and prove how far from exact it is.

    Parameters
    ----------
    deal
        The cards that both players hold; 5n of them make the game with n places.
    objective
        ``margin`` or ``win``.
    rules
        Rule set; the default one if omitted.
    tolerance
        Largest exploitability to stop at, in points or in probability; by default 1e-9 for ``win``, and 1e-9 times
        sum of the weights / 25 for ``margin``.
    max_iterations, time_limit
        Rounds, and seconds for everything; the undominated partitions and one certificate are always finished.
    start
        A mix to go on from, such as that of a saved run.
    callback
        Called after every round.
    interrupt
        Ends the run soon after it is set, with the best mix so far.

    Returns
    -------
    Equilibrium
        Status ``converged`` only if the exact exploitability is at most the tolerance.

    Raises
    ------
    PayoffError
        If the objective is neither ``margin`` nor ``win``, or a limit is negative or not a number.
    ArrangementError
        If `start` lays out other cards.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    require_zero_sum(objective)
    rules = rules or Rules()
    for name, limit in (("tolerance", tolerance), ("max_iterations", max_iterations), ("time_limit", time_limit)):
        if limit is not None and not limit >= 0:
            raise PayoffError(f"{name} {limit!r}: expected a number of at least 0")
    if tolerance is None:
        tolerance = default_tolerance(objective, rules)
    if start is not None:
        require_deal(start.arrangements[0], deal, "the mix to start from")
    # One thread: several would add up in an order that differs from run to run.
    with threadpool_limits(limits=1, user_api="blas"):
        table = ArrangementTable.of(deal, rules)

        def result(mix: MixedStrategy, exact: Fraction, status: str, history: list[float]) -> Equilibrium:
            if exact <= tolerance:
                status = CONVERGED
            return Equilibrium(
                deal, rules, objective, mix, exact, len(history), status, table.partitions, tuple(history)
            )

        best: tuple[MixedStrategy, Fraction] | None = None
        if start is not None:
            best = start, certified_exploitability(table.partitions, start.strength_mix(rules), objective, rules)
            if best[1] <= tolerance:
                return result(*best, CONVERGED, [])
        pricing = WinPricing(table) if objective == "win" else MarginPricing(table)
        limits = _Limits(deadline, max_iterations, interrupt)
        oracle = _DoubleOracle(pricing, _start(table, start), table.distinct, limits, callback)
        target = tolerance / pricing.unit / 2
        while True:
            indices, probabilities, status = oracle.run(target)
            mix = _rounded(table, indices, probabilities)
            exact = certified_exploitability(table.partitions, mix.strength_mix(rules), objective, rules)
            if best is None or exact < best[1]:
                best = mix, exact
            elif status == CONVERGED:
                # A finer target no longer helps: what is left is the rounding to whole weights.
                status = ITERATION_LIMIT
            if best[1] <= tolerance or status != CONVERGED:
                return result(*best, status, oracle.history)
            target /= 4


def _start(table: ArrangementTable, mix: MixedStrategy | None) -> IntArray:
    """Return the arrangements of the first restricted game: those of a mix, or the strongest partition in order."""
    known = table.indices_of(mix) if mix is not None else np.empty(0, dtype=np.int64)
    strongest = int(table.classes.sum(axis=1).argmax())
    return known if len(known) else np.array([strongest * len(table.orders)])


def _rounded(table: ArrangementTable, indices: IntArray, probabilities: FloatArray) -> MixedStrategy:
    """Return the mix with integer weights, the likeliest arrangement first, without those whose weight rounds to 0."""
    weights = apportion_probabilities(probabilities, largest_total(table.rules.weights))
    played = np.lexsort((indices, -weights))[: np.count_nonzero(weights)]
    return MixedStrategy(
        tuple(table.arrangement(index) for index in indices[played].tolist()), tuple(weights[played].tolist())
    )


def default_tolerance(objective: str, rules: Rules) -> float:
    """Return the exploitability that counts as none: 1e-9 of a match, or of the points at the default weights."""
    return WIN_TOLERANCE if objective == "win" else WIN_TOLERANCE * sum(rules.weights) / 25


@dataclass(frozen=True, slots=True)
class _Limits:
    """When to stop, whatever has been reached."""

    deadline: float | None
    max_iterations: int | None
    interrupt: threading.Event | None

    def reached(self, iterations: int) -> str | None:
        """Return the status of a run that has to stop now, else None."""
        if self.interrupt is not None and self.interrupt.is_set():
            return INTERRUPTED
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return TIME_LIMIT
        if self.max_iterations is not None and iterations >= self.max_iterations:
            return ITERATION_LIMIT
        return None


class _DoubleOracle:
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
        distinct: npt.NDArray[np.bool_],
        limits: _Limits,
        callback: Callable[[Progress], None] | None,
    ) -> None:
        self._pricing = pricing
        self._limits = limits
        self._callback = callback
        self._fresh = distinct.copy()
        self._fresh.ravel()[start] = False
        payoffs = pricing.extend(start)
        uniform = np.full(len(start), 1 / len(start))
        self._path = CentralPath(payoffs, max(1.2 * float(pricing.gains(uniform).max()), 0.1))
        self._best: tuple[IntArray, FloatArray] = (start, uniform)
        self._best_gain = np.inf
        self.history: list[float] = []

    def run(self, target: float) -> tuple[IntArray, FloatArray, str]:
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
                    return self._pricing.support, mix, CONVERGED
            status = self._limits.reached(len(self.history))
            if status is not None:
                return *self._best, status
            # While constraints of the restricted game are violated, its own arrangements may gain most in their
            # partitions. Further orders of those partitions would make the game several times larger without need;
            # they are looked at only when nothing else is left.
            known = gains if idle < _PATIENCE // 4 else np.where(self._fresh, gains, -np.inf)
            new = best_orders(known, _RESPONSES, max(self._path.bound, target))
            new = new[self._fresh.ravel()[new]]
            if len(new):
                idle, lowest = 0, np.inf
                self._fresh.ravel()[new] = False
                self._path.extend(self._pricing.extend(new), gains.ravel()[new])
            if idle > _PATIENCE:
                return *self._best, ITERATION_LIMIT
            self._path.step()

    def _record(self, gains: FloatArray, mix: FloatArray) -> float:
        """Keep the mix if it is the best so far, report the round, and return what a best response gains."""
        gain = max(float(gains.max()), 0.0)
        if gain < self._best_gain:
            self._best, self._best_gain = (self._pricing.support, mix), gain
        self.history.append(self._best_gain * self._pricing.unit)
        if self._callback is not None:
            self._callback(Progress(len(self.history), self.history[-1], len(mix)))
        return gain


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
