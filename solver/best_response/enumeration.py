"""Exact best response by enumeration of the undominated partitions in all orders.

Nothing is lost: whatever the objective, an arrangement does no better than some order of an undominated partition
(see `partitions`).
"""

import numpy as np

from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.problem import ResponseProblem
from solver.dominance.orders import distinct_orders, order_table
from solver.dominance.partitions import Partitions
from solver.dominance.sign_tables import SignTables, mix_by_splits
from solver.errors import DealError, RulesError
from solver.game.arrays import IntArray
from solver.strategies.objectives import Objective
from solver.system.limits import NO_LIMITS, Limits

MANY_ROWS = 2_000
"""Rows of a mix above which whole splits are compared at once."""
_ROW_BLOCK = 1 << 10
"""Rows of the mix whose comparisons with all packets are held at once: some ten megabytes."""
_MARGIN_BLOCK = 1 << 17
"""Margins that are held at once: few enough to stay in a core's cache."""


def best_response(problem: ResponseProblem, partitions: Partitions) -> EngineAnswer:
    """Return the best arrangement; of equally good ones that of the first partition, in its first order."""
    values = all_values(problem, partitions)
    best = int(values.max())
    return EngineAnswer(best, best, _packets(partitions, int(values.argmax())))


def best_vectors(
    problem: ResponseProblem, partitions: Partitions, count: int, limits: Limits = NO_LIMITS
) -> tuple[EngineAnswer, ...]:
    """Return the `count` best arrangements with different strengths.

    Best first, equal values by partition and order; at least one, and fewer than `count` where there are fewer
    undominated strength vectors. All carry the same bound, the value of the first unless a limit came. Then those
    that are best against a part of the mix are returned, with the values that they have against all of it.
    """
    _require_fitting(problem, partitions)
    values, missing = _values(problem, partitions.strengths, limits)
    candidates = np.flatnonzero(distinct_orders(partitions.strengths))
    best = candidates[np.argsort(-values.ravel()[candidates], kind="stable")[:count]]
    found = values.ravel()[best]
    if missing:
        partition, order = np.divmod(best, values.shape[1])
        packet_in = order_table(problem.places)[order]
        found = problem.evaluate(np.take_along_axis(partitions.strengths[partition], packet_in, axis=1))
        ranked = np.argsort(-found, kind="stable")
        best, found = best[ranked], found[ranked]
    bound = int(values.max()) + missing
    return tuple(
        EngineAnswer(value, bound, _packets(partitions, index))
        for index, value in zip(best.tolist(), found.tolist(), strict=True)
    )


def all_values(problem: ResponseProblem, partitions: Partitions) -> IntArray:
    """Return the value of every partition in every one of the `orders`, shape (m, n!), int64.

    The unit is 1/`problem.denominator`; what locked packets earn is included.

    Raises
    ------
    DealError, RulesError
        If the partitions are not those of the problem's free cards under its rules.
    """
    _require_fitting(problem, partitions)
    return _values(problem, partitions.strengths)[0]


def _require_fitting(problem: ResponseProblem, partitions: Partitions) -> None:
    if partitions.deal != problem.deal:
        raise DealError("the partitions are not those of the free cards")
    if (partitions.rules.name, partitions.rules.ace_low) != (problem.rules.name, problem.rules.ace_low):
        raise RulesError("the partitions were found under other rules")


def _values(problem: ResponseProblem, strengths: IntArray, limits: Limits = NO_LIMITS) -> tuple[IntArray, int]:
    """Return the values, and how much more than that anything may be worth: 0 unless stopped."""
    if problem.objective == Objective.WIN and len(problem.mix.rows) > MANY_ROWS and not problem.row_offsets.any():
        return _win_values_by_splits(problem, strengths), 0
    if problem.objective == Objective.WIN:
        return win_values_by_rows(problem, strengths, limits)
    return _additive_values(problem, strengths), 0


def _additive_values(problem: ResponseProblem, strengths: IntArray) -> IntArray:
    table = order_table(problem.places)
    values = np.full((len(strengths), len(table)), problem.earned, dtype=np.int64)
    for place in range(problem.places):
        values += problem.place_values(place, strengths)[:, table[:, place]]
    return values


def win_values_by_rows(problem: ResponseProblem, strengths: IntArray, limits: Limits) -> tuple[IntArray, int]:
    """Return the values for ``win`` row by row, and by how much the rows not looked at in time may raise them.

    A value is the total weight of the rows, plus that of the beaten, minus that of the beating ones.

    Rows that were not compared before the stop count as tied; at best all are beaten, which adds their weight. The
    margin of an arrangement against a row is a sum of five numbers that depend on one packet each, at most 5000 in
    all. Weights are added up as float64 by a matrix product, which is exact: no sum is above 2**53.
    """
    mix, places = problem.mix, range(problem.places)
    levels, level_of = np.unique(strengths, return_inverse=True)
    vectors = level_of.reshape(strengths.shape)[:, order_table(problem.places)].reshape(-1, problem.places)
    values = np.full(len(vectors), mix.row_total, dtype=np.int64)
    for first in range(0, len(mix.rows), _ROW_BLOCK):
        if first and limits.reached:
            return values.reshape(len(strengths), -1), int(mix.row_weights[first:].sum())
        rows = slice(first, first + _ROW_BLOCK)
        weights = mix.row_weights[rows].astype(np.float64)
        shares = [
            (problem.weights[place] * np.sign(levels[:, None] - mix.rows[rows, place])).astype(np.int16)
            for place in places
        ]
        shares[0] += problem.row_offsets[rows].astype(np.int16)
        step = max(1, _MARGIN_BLOCK // len(weights))
        for start in range(0, len(vectors), step):
            block = vectors[start : start + step]
            margins = shares[0][block[:, 0]]
            for place in places[1:]:
                margins += shares[place][block[:, place]]
            values[start : start + step] += (np.sign(margins).astype(np.float64) @ weights).astype(np.int64)
    return values.reshape(len(strengths), -1), 0


def _win_values_by_splits(problem: ResponseProblem, strengths: IntArray) -> IntArray:
    """Return the values for ``win`` against a mix of very many rows, which lay few splits in many orders."""
    splits, weights = mix_by_splits(problem.mix.rows, problem.mix.row_weights)
    tables = SignTables(strengths, splits, np.array(problem.weights, dtype=np.int64))
    return problem.mix.row_total + tables.wins_less_losses(weights)


def _packets(partitions: Partitions, index: int) -> tuple[tuple[int, ...], ...]:
    """Return the packets of an arrangement, place by place, given partition times number of orders plus order."""
    table = order_table(partitions.strengths.shape[1])
    partition, order = divmod(index, len(table))
    packets = partitions.packets(partition)
    return tuple(packets[packet] for packet in table[order])
