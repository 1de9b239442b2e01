"""Few arrangements, or few partitions: forward selection, then exchanges, with an effort counted in programs solved.

A unit is what is counted: an arrangement, or a partition in all its orders. Which unit comes next is read from the
multipliers of the last program: the arrangement of the least reduced value promises most.
"""

import numpy as np

from solver.game.arrays import FloatArray, IntArray
from solver.mixes.restricted import Candidate, RestrictedPrograms
from solver.system.limits import NO_LIMITS, Limits

_TRIED = 8
_HARDEST = 96
_WEIGHTS = (0.08, 0.2, 0.35, 0.5)
_PROGRESS = 1e-9


class ExchangeSearch:
    """A search for the best few units.

    Parameters
    ----------
    programs
        The programs over sets of arrangements.
    most
        Largest number of units.
    by_partition
        Whether a unit is a partition and not an arrangement.
    allowed
        Shape (m n!,): the arrangements that may be played; all if None.
    effort
        Programs to solve.
    limits
        When to stop before.
    """

    def __init__(
        self,
        programs: RestrictedPrograms,
        most: int,
        *,
        by_partition: bool = False,
        allowed: IntArray | None = None,
        effort: int = 3000,
        limits: Limits = NO_LIMITS,
    ) -> None:
        table = programs.game.table
        self._programs = programs
        self._most = most
        self._orders = len(table.orders) if by_partition else 1
        self._distinct = table.distinct.ravel()
        self._barred = np.zeros(table.size, dtype=bool)
        if allowed is not None:
            self._barred[:] = True
            self._barred[allowed] = False
        self._effort = effort
        self._limits = limits
        self._generator = np.random.default_rng(0)

    def run(self, *starts: IntArray) -> Candidate:
        """Return the best mix found from one or several sets of arrangements to begin with, each of at least one."""
        effort = self._effort
        begun = self._programs.solves
        found: list[Candidate] = []
        for number, start in enumerate(starts, 1):
            # Half of the effort is for the starts, in equal parts.
            self._effort = begun + (effort - begun) * number // (2 * len(starts))
            found.append(self._improved(self._grown(self._thinned(np.unique(start // self._orders)))))
        self._effort = effort
        current = best = min(found, key=lambda each: each.value)
        while not self._spent:
            kept = self._units(current)
            drop = min(len(kept), 2 if self._most < 8 else 3)
            kept = self._generator.permutation(kept)[: max(1, len(kept) - drop)]
            tried = self._improved(self._grown(self._solved(kept), randomly=True))
            if tried.value < best.value - _PROGRESS:
                best = tried
            current = best
        return best

    @property
    def _spent(self) -> bool:
        return self._programs.solves >= self._effort or self._limits.reached

    def _thinned(self, units: IntArray) -> Candidate:
        """Return the mix of as many of these units as may be: the least likely ones are dropped one by one."""
        current = self._solved(units)
        while len(self._units(current)) > self._most:
            shares = np.bincount(current.indices // self._orders, current.probabilities)
            units = self._units(current)
            current = self._solved(units[units != units[shares[units].argmin()]])
        return current

    def _units(self, candidate: Candidate) -> IntArray:
        return np.unique(candidate.indices // self._orders)

    def _solved(self, units: IntArray, to_beat: float = np.inf) -> Candidate:
        if self._orders == 1:
            return self._programs.best_of(units, to_beat)
        columns = (units[:, None] * self._orders + np.arange(self._orders)).ravel()
        return self._programs.best_of(columns[self._distinct[columns]], to_beat)

    def _promising(self, current: Candidate, units: IntArray, count: int) -> IntArray:
        """Return the units outside that promise the least values."""
        reduced = self._promises(current)
        reduced[self._barred] = np.inf
        values = reduced.reshape(-1, self._orders).min(axis=1)
        values[units] = np.inf
        if self._orders == 1:
            values[~self._distinct] = np.inf
        count = min(count, len(values) - 1)
        if count < 1:
            return np.empty(0, dtype=np.int64)
        best = np.argpartition(values, count)[:count]
        best = best[np.isfinite(values[best])]
        ranked: IntArray = best[np.argsort(values[best], kind="stable")]
        return ranked

    def _promises(self, current: Candidate) -> FloatArray:
        """Return about what each arrangement, shape (m n!,), would make of a mix that it joined.

        For partitions the reduced values; for single arrangements the value of the better mix at some weights, against
        those of the other's arrangements that make most against the mix.
        """
        programs = self._programs
        if self._orders > 1:
            return programs.reduced(current.multipliers)
        game = programs.game
        made = game.between(programs.rows, current.indices) @ current.probabilities / game.largest
        hardest = np.argsort(-made, kind="stable")[:_HARDEST]
        columns = game.columns(programs.rows[hardest])
        cost = current.probabilities @ programs.costs[current.indices]
        least = np.full(game.table.size, np.inf)
        for weight in _WEIGHTS:
            load = np.full(game.table.size, -np.inf, dtype=np.float32)
            for row, old in zip(columns, made[hardest], strict=True):
                np.maximum(load, np.float32((1 - weight) * old) - np.float32(weight / game.largest) * row, out=load)
            excess = np.maximum(load - programs.risk, 0.0)
            values = (1 - weight) * cost + weight * programs.costs + programs.penalty * excess
            np.minimum(least, values, out=least)
        return least

    def _grown(self, current: Candidate, *, randomly: bool = False) -> Candidate:
        """Add one unit after the other while there is room."""
        while len(units := self._units(current)) < self._most and not self._limits.reached:
            promising = self._promising(current, units, _TRIED)
            if not len(promising):
                break
            if randomly:
                promising = self._generator.permutation(promising)[: _TRIED // 3]
            best = current
            for unit in promising:
                found = self._solved(np.append(units, unit), best.value - _PROGRESS)
                if found.exact and found.value < best.value - _PROGRESS:
                    best = found
            if best is current:
                break
            current = best
        return current

    def _improved(self, current: Candidate) -> Candidate:
        """Exchange one unit for a better one until none is better."""
        improving = True
        while improving and not self._spent:
            improving = False
            units = self._units(current)
            for unit in units:
                if self._spent:
                    break
                rest = units[units != unit]
                if not len(rest):
                    continue
                without = self._solved(rest)
                for other in self._promising(without, units, _TRIED):
                    found = self._solved(np.append(rest, other), current.value - _PROGRESS)
                    if found.exact and found.value < current.value - _PROGRESS:
                        current, improving = self._grown(found), True
                        break
                if improving:
                    break
        return current
