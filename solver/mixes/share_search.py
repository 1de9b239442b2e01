"""Mixes whose probabilities are multiples of 1/N: local search over whole shares, one share moved at a time."""

from typing import NamedTuple

import numpy as np

from solver.game.arrays import BoolArray, FloatArray, IntArray
from solver.mixes.question import MixLimits
from solver.mixes.restricted import Candidate, RestrictedPrograms
from solver.strategies.rounding import apportion_probabilities
from solver.system.limits import NO_LIMITS, Limits

_HARDEST = 128
_TRIED = 6
_MOST_SWEEPS = 60
_PROGRESS = 1e-9


class Shares(NamedTuple):
    """Arrangements, their whole shares, and the value of the mix."""

    indices: IntArray
    shares: IntArray
    value: float


def best_shares(programs: RestrictedPrograms, start: Candidate, asked: MixLimits, limits: Limits = NO_LIMITS) -> Shares:
    """Return a mix of whole shares that no move of one share, of those tried, improves."""
    total = asked.shares or 1
    weights = apportion_probabilities(start.probabilities, total)
    current = _valued(programs, start.indices[weights > 0], weights[weights > 0])
    for _ in range(_MOST_SWEEPS):
        better = None if limits.reached else _moved(programs, current, asked)
        if better is None:
            break
        current = better
    return current


def _valued(programs: RestrictedPrograms, indices: IntArray, shares: IntArray) -> Shares:
    """Return the mix with its value against everybody, whose best answers join the rows."""
    game = programs.game
    mix = shares / shares.sum()
    made = game.sums(indices, mix) / game.largest
    hardest = game.best_of_partitions(made, 3, -np.inf)
    programs.add_rows(hardest[~np.isin(hardest, programs.rows)])
    excess = max(0.0, float(made.max()) - programs.risk)
    return Shares(indices, shares, float(mix @ programs.costs[indices]) + programs.penalty * excess)


def _moved(programs: RestrictedPrograms, current: Shares, asked: MixLimits) -> Shares | None:
    """Return the mix after the best move of one share, None where no move that was tried improves it."""
    game, total = programs.game, int(current.shares.sum())
    made = game.between(programs.rows, current.indices) @ current.shares / (total * game.largest)
    hardest = np.argsort(-made, kind="stable")[:_HARDEST]
    columns = game.columns(programs.rows[hardest])
    moves: list[tuple[float, int, int]] = []
    for place, index in enumerate(current.indices.tolist()):
        rest = made[hardest] - game.between(programs.rows[hardest], np.array([index]))[:, 0] / (total * game.largest)
        values = _values_of_targets(programs, current, index, rest, columns, total)
        values[~_allowed(programs, current, place, asked)] = np.inf
        values[index] = np.inf
        count = min(_TRIED, len(values) - 1)
        best = np.argpartition(values, count)[:count]
        moves += [(float(values[target]), place, target) for target in best.tolist()]
    for value, place, target in sorted(moves)[: 4 * _TRIED]:
        if value >= current.value - _PROGRESS:
            break
        shares = dict(zip(current.indices.tolist(), current.shares.tolist(), strict=True))
        shares[int(current.indices[place])] -= 1
        shares[target] = shares.get(target, 0) + 1
        kept = {index: count for index, count in shares.items() if count}
        found = _valued(programs, np.array(list(kept)), np.array(list(kept.values())))
        if found.value < current.value - _PROGRESS:
            return found
    return None


def _values_of_targets(
    programs: RestrictedPrograms, current: Shares, index: int, rest: FloatArray, columns: IntArray, total: int
) -> FloatArray:
    """Return the value of moving a share from one arrangement to each, shape (m n!,), against some rows."""
    step = np.float32(1 / (total * programs.game.largest))
    load = np.full(programs.game.table.size, -np.inf, dtype=np.float32)
    for row, old in zip(columns, rest.astype(np.float32), strict=True):
        np.maximum(load, old - step * row, out=load)
    cost = float(current.shares @ programs.costs[current.indices]) - programs.costs[index]
    values: FloatArray = (cost + programs.costs) / total
    return values + programs.penalty * np.maximum(load.astype(np.float64) - programs.risk, 0.0)


def _allowed(programs: RestrictedPrograms, current: Shares, place: int, asked: MixLimits) -> BoolArray:
    """Return, as a mask of shape (m n!,), where a share may go that leaves an arrangement."""
    table = programs.game.table
    allowed = table.distinct.ravel().copy()
    stay = current.shares - (np.arange(len(current.shares)) == place) > 0
    if asked.at_most is not None and np.count_nonzero(stay) >= asked.at_most:
        mask = np.zeros(table.size, dtype=bool)
        mask[current.indices[stay]] = True
        allowed &= mask
    used = np.unique(current.indices[stay] // len(table.orders))
    if asked.splits is not None and len(used) >= asked.splits:
        mask = np.zeros((table.partition_count, len(table.orders)), dtype=bool)
        mask[used] = True
        allowed &= mask.ravel()
    return allowed
