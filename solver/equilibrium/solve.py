"""The equilibrium of a deal, with a certificate in exact integers."""

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium.certificate import certified_exploitability, require_zero_sum
from solver.equilibrium.double_oracle import DoubleOracle
from solver.equilibrium.pricing import MarginPricing, WinPricing
from solver.equilibrium.result import Equilibrium, EquilibriumStatus, Progress
from solver.errors import PayoffError
from solver.game.arrangement import require_deal
from solver.game.arrays import FloatArray, IntArray
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.strategies.rounding import apportion_probabilities, largest_total
from solver.system.limits import Limits

WIN_TOLERANCE = 1e-9
"""Default tolerance for ``win``, in probability; for ``margin`` the same share of half the points of a deal."""


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
    limits = Limits.within(time_limit, interrupt)
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
        best = None if start is None else _Certified.of(start, table, objective)
        if best is not None and best.exploitability <= tolerance:
            mix, exact, status, history = *best, EquilibriumStatus.CONVERGED, []
        else:
            pricing = WinPricing(table) if objective == Objective.WIN else MarginPricing(table)
            oracle = DoubleOracle(pricing, _start(table, start), table.distinct, limits, max_iterations, callback)
            mix, exact, status = _refined(oracle, table, objective, tolerance, best)
            history = oracle.history
    if exact <= tolerance:
        status = EquilibriumStatus.CONVERGED
    return Equilibrium(deal, rules, objective, mix, exact, len(history), status, table.partitions, tuple(history))


class _Certified(NamedTuple):
    """A mix and what a best response gains against exactly it."""

    mix: MixedStrategy
    exploitability: Fraction

    @classmethod
    def of(cls, mix: MixedStrategy, table: ArrangementTable, objective: str) -> "_Certified":
        """Prove the exploitability of a mix."""
        rules = table.rules
        return cls(mix, certified_exploitability(table.partitions, mix.strength_mix(rules), objective, rules))


def _refined(
    oracle: DoubleOracle, table: ArrangementTable, objective: str, tolerance: float, best: _Certified | None
) -> tuple[MixedStrategy, Fraction, EquilibriumStatus]:
    """Run the oracle to ever finer targets until a certificate is within the tolerance, or a limit ends it."""
    target = tolerance / oracle.unit / 2
    while True:
        indices, probabilities, status = oracle.run(target)
        found = _Certified.of(_rounded(table, indices, probabilities), table, objective)
        if best is None or found.exploitability < best.exploitability:
            best = found
        elif status == EquilibriumStatus.CONVERGED:
            # A finer target no longer helps: what is left is the rounding to whole weights.
            status = EquilibriumStatus.STALLED
        if best.exploitability <= tolerance or status != EquilibriumStatus.CONVERGED:
            return *best, status
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
    return WIN_TOLERANCE if objective == Objective.WIN else WIN_TOLERANCE * sum(rules.weights) / 25
