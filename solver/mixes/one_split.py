"""The best mix that makes the packets one way, proven: a program for each undominated partition that may hold it."""

import numpy as np

from solver.game.arrays import IntArray
from solver.mixes.restricted import Candidate, RestrictedPrograms
from solver.system.limits import NO_LIMITS, Limits

_PRECISION = 1e-8


def best_of_one_partition(
    programs: RestrictedPrograms, start: IntArray, limits: Limits = NO_LIMITS
) -> tuple[Candidate, float]:
    """Return the best mix within one partition and a bound that no such mix is below.

    The multipliers of every program that is solved bound all partitions at once; the partition of the lowest bound
    comes next, until none is below the best mix.

    Parameters
    ----------
    programs
        The programs.
    start
        Arrangements of the other to begin with, such as the support of an equilibrium.
    limits
        When to stop before the proof.
    """
    game = programs.game
    orders = len(game.table.orders)
    count = game.table.partition_count
    programs.add_rows(start)
    even = np.full(len(start), 1 / len(start))
    bounds = programs.reduced(even).reshape(count, orders).min(axis=1) if len(start) else np.full(count, -np.inf)
    solved = np.zeros(count, dtype=bool)
    best: Candidate | None = None
    while best is None or not limits.reached:
        open_bounds = np.where(solved, np.inf, bounds)
        number = int(open_bounds.argmin())
        if best is not None and open_bounds[number] >= best.value - _PRECISION:
            break
        columns = number * orders + np.flatnonzero(game.table.distinct[number])
        found = programs.best_of(columns, np.inf if best is None else best.value)
        solved[number] = True
        bounds[number] = max(bounds[number], found.value)
        bounds = np.maximum(bounds, programs.reduced(found.multipliers).reshape(count, orders).min(axis=1))
        if found.exact and (best is None or found.value < best.value):
            best = found
    return best, float(min(best.value, np.where(solved, np.inf, bounds).min()))
