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

from solver.apportionment import apportion_probabilities, largest_total
from solver.arrangement import require_deal
from solver.arrangement_table import ArrangementTable
from solver.certificate import certified_exploitability, require_zero_sum
from solver.deal import Deal
from solver.errors import PayoffError
from solver.matrix_game import GrowingGame
from solver.mixed_strategy import MixedStrategy
from solver.pricing import MarginPricing, Pricing, WinPricing
from solver.rules import Rules

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
_RESPONSES = 4
"""Best responses added a round."""


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
    undominated_partitions
        Number of undominated partitions of the deal.
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
    undominated_partitions: int
    history: tuple[float, ...]

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
    seed: int = 0,
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
    seed
        Part of the signature of all solvers; the run is deterministic without it.

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
    with threadpool_limits(limits=1, user_api="blas"):
        table = ArrangementTable.of(deal, rules)
        run = _Run(table, _Limits(deadline, max_iterations, interrupt), callback)
        status, strategies, exact = _solve(run, table, deal, objective, rules, tolerance, start)
    return Equilibrium(
        deal=deal,
        rules=rules,
        objective=objective,
        strategies=strategies,
        exploitability_exact=exact,
        iterations=run.iterations,
        status=status,
        undominated_partitions=table.partition_count,
        history=tuple(run.history),
    )


def default_tolerance(objective: str, rules: Rules) -> float:
    """Return the exploitability that counts as none: 1e-9 of a match, or of the points at the default weights."""
    return WIN_TOLERANCE if objective == "win" else WIN_TOLERANCE * sum(rules.weights) / 25


def _solve(
    run: "_Run",
    table: ArrangementTable,
    deal: Deal,
    objective: str,
    rules: Rules,
    tolerance: float,
    start: MixedStrategy | None,
) -> tuple[str, MixedStrategy, Fraction]:
    def certified(mix: MixedStrategy) -> Fraction:
        return certified_exploitability(table.partitions, mix.strength_mix(rules), objective, rules)

    best = None
    if start is not None:
        best = (start, certified(start))
        if best[1] <= tolerance:
            return CONVERGED, *best
        support = table.indices_of(start)
    else:
        support = np.array([int(table.classes.sum(axis=1).argmax()) * len(table.orders)])
    margin = MarginPricing(table)
    pricing: Pricing = margin
    if objective == "win":
        pricing = WinPricing(table)
        if start is None:
            indices, mix, _ = run.grow(margin, support, 1e-6)
            support = indices[mix > 0]
    target = tolerance / pricing.unit / 2
    while True:
        indices, mix, status = run.grow(pricing, support, target)
        weights = apportion_probabilities(mix, largest_total(rules.weights))
        strategies = MixedStrategy(
            tuple(table.arrangement(index) for index in indices[weights > 0].tolist()),
            tuple(weights[weights > 0].tolist()),
        )
        exact = certified(strategies)
        if best is None or exact < best[1]:
            best = (strategies, exact)
        if best[1] <= tolerance:
            return CONVERGED, *best
        if status != CONVERGED:
            return status, *best
        target /= 4
        support = indices


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


class _Run:
    """Rounds of the double oracle with what they have in common: limits, progress, history."""

    def __init__(self, table: ArrangementTable, limits: _Limits, callback: Callable[[Progress], None] | None) -> None:
        self._table = table
        self._limits = limits
        self._callback = callback
        self.iterations = 0
        self.history: list[float] = []

    def grow(self, pricing: Pricing, support: IntArray, target: float) -> tuple[IntArray, FloatArray, str]:
        """Enlarge the game restricted to `support` until no arrangement gains more than `target`.

        Returns
        -------
        tuple
            Indices and probabilities of the best mix seen, and the status.
        """
        support = support.copy()
        game = GrowingGame(pricing.payoffs(support, support))
        mix = game.solve().column
        best, best_gain = (support, mix), np.inf
        while True:
            gains = pricing.gains(support, mix)
            largest = max(float(gains.max()), 0.0)
            if largest < best_gain:
                best, best_gain = (support, mix), largest
            self.iterations += 1
            self.history.append(best_gain * pricing.unit)
            if self._callback is not None:
                self._callback(Progress(self.iterations, self.history[-1], len(support)))
            if largest <= target:
                return *best, CONVERGED
            status = self._limits.reached(self.iterations)
            new = best_orders(gains, _RESPONSES, target)
            new = new[~np.isin(new, support)]
            if status is not None or not len(new):
                return *best, status or ITERATION_LIMIT
            game.add_columns(pricing.payoffs(support, new))
            support = np.concatenate([support, new])
            mix = game.add_rows(pricing.payoffs(new, support)).column


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
