"""The best mix within limits on arrangements, partitions and shares, each by the method that suits its limits."""

from typing import NamedTuple

import numpy as np

from solver.errors import LimitReached
from solver.game.arrays import FloatArray, IntArray
from solver.mixes.exchange_search import ExchangeSearch
from solver.mixes.game import MixGame
from solver.mixes.one_split import best_of_one_partition
from solver.mixes.question import MixLimits
from solver.mixes.restricted import PENALTY, Candidate, RestrictedPrograms
from solver.mixes.share_search import best_shares
from solver.mixes.single_arrangements import losses
from solver.system.limits import NO_LIMITS, Limits

_EFFORT = 1500


class LimitedMix(NamedTuple):
    """A mix, with whole shares where they were asked for, and a bound on the value that holds, or None."""

    indices: IntArray
    probabilities: FloatArray
    shares: IntArray | None
    bound: float | None


def limited_mix(
    game: MixGame,
    support: IntArray,
    asked: MixLimits,
    gains: FloatArray | None = None,
    risk: float = 0.0,
    limits: Limits = NO_LIMITS,
) -> LimitedMix:
    """Return the best mix found within the limits.

    Parameters
    ----------
    game
        The game.
    support
        Arrangements that the other may answer with, to begin with.
    asked
        The limits; the risk in them is not looked at.
    gains
        Shape (m n!,): gains against the model, in whole numbers of payoff; without one the least exploitability.
    risk
        Largest payoff of anybody against the mix, in whole numbers of payoff; what is above costs much.
    limits
        When to stop before.
    """
    scale = float(game.largest)
    costs = np.zeros(game.table.size) if gains is None else -gains / scale
    penalty = 1.0 if gains is None else PENALTY
    programs = RestrictedPrograms(game, costs, risk / scale, penalty)
    first, value = _best_single(game, programs, limits)
    if asked.most_arrangements == 1:
        return LimitedMix(np.array([first]), np.ones(1), _whole(asked), value)
    bound = None
    start = np.array([first])
    # What a support has in common with the answers of the other is all that is needed to begin with.
    if asked.splits == 1:
        found, bound = best_of_one_partition(programs, support, limits)
        start = found.indices
    else:
        programs.add_rows(support)
        found = programs.best_of(start)
        if asked.splits is not None:
            search = ExchangeSearch(programs, asked.splits, by_partition=True, effort=_EFFORT // 5, limits=limits)
            found = search.run(start)
    most = asked.most_arrangements
    if most is not None and (len(found.indices) > most or asked.splits is None):
        found = _few(programs, found, [support, start], most, asked, limits)
    if asked.shares is None:
        alone = asked.at_most is None
        return LimitedMix(found.indices, found.probabilities, None, bound if alone else None)
    shared = best_shares(programs, found, asked, limits)
    return LimitedMix(shared.indices, shared.shares / asked.shares, shared.shares, None)


def _few(
    programs: RestrictedPrograms,
    found: Candidate,
    starts: list[IntArray],
    most: int,
    asked: MixLimits,
    limits: Limits,
) -> Candidate:
    """Return the best mix found of few arrangements, of the partitions of another mix where these are limited."""
    allowed = None
    if asked.splits is not None:
        orders = len(programs.game.table.orders)
        partitions = np.unique(found.indices // orders)
        allowed = (partitions[:, None] * orders + np.arange(orders)).ravel()
        starts = [found.indices]
    effort = programs.solves + _EFFORT
    return ExchangeSearch(programs, most, allowed=allowed, effort=effort, limits=limits).run(*starts)


def _best_single(game: MixGame, programs: RestrictedPrograms, limits: Limits) -> tuple[int, float]:
    """Return the best arrangement played alone, and its value."""
    try:
        most = losses(game, limits) / game.largest
    except LimitReached:
        most = np.zeros(game.table.size)
    values = programs.costs + programs.penalty * np.maximum(most - programs.risk, 0.0)
    best = int(values.argmin())
    return best, float(values[best])


def _whole(asked: MixLimits) -> IntArray | None:
    return None if asked.shares is None else np.array([asked.shares])
