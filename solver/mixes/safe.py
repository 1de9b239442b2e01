"""Safe mixes: the linear program over all undominated arrangements, columns and rows generated."""

from dataclasses import dataclass

import numpy as np

from solver.game.arrays import FloatArray, IntArray
from solver.mixes.game import MixGame
from solver.mixes.program import MixProgram
from solver.system.limits import NO_LIMITS, Limits

_PENALTY = 1e4
_BATCH = 10
_MOST_ROUNDS = 2000


@dataclass(frozen=True, slots=True, eq=False)
class FoundMix:
    """A mix in floating point, with the multipliers that bound it.

    Parameters
    ----------
    indices, probabilities
        The mix.
    rows, multipliers
        The other's arrangements and what each of them costs, in value per whole number of payoff.
    finished
        Whether the search ended by itself.
    """

    indices: IntArray
    probabilities: FloatArray
    rows: IntArray
    multipliers: FloatArray
    finished: bool


def safe_mix(
    game: MixGame,
    gains: FloatArray,
    risk: float,
    start: IntArray,
    *,
    precision: float = 2e-8,
    limits: Limits = NO_LIMITS,
) -> FoundMix:
    """Return the mix of the largest gain among those whose payoff against any arrangement keeps to a risk.

    Parameters
    ----------
    game
        The game.
    gains
        Shape (m n!,): what every arrangement gains against the model, in whole numbers of payoff.
    risk
        Largest payoff of anybody against the mix, in the same unit.
    start
        Arrangements of which a mix keeps the risk, such as the support of an equilibrium.
    precision
        Gap, in shares of the largest payoff, at which to stop.
    limits
        When to stop before.
    """
    scale = float(game.largest)
    costs = -gains / scale
    columns = rows = start
    best = int(gains.argmax())
    if best not in columns:
        columns = np.append(columns, best)
    program = MixProgram(risk / scale, _PENALTY)
    program.add_columns(costs[columns], np.empty((0, len(columns))))
    program.add_rows(game.between(rows, columns) / scale)
    solved = program.solve(rows_are_new=True)
    finished = False
    for _ in range(_MOST_ROUNDS):
        # Columns first: what they promise is the bound.
        worth = game.sums(rows, solved.multipliers, -costs * scale) / scale
        bound = worth.max() + risk / scale * solved.multipliers.sum()
        new = _new(game, worth, columns, worth[columns].max() + precision / 4)
        if len(new):
            program.add_columns(costs[new], game.between(rows, new) / scale)
            columns = np.concatenate([columns, new])
            solved = program.solve(rows_are_new=False)
        made = game.sums(columns, solved.mix) / scale
        excess = float(made.max()) - risk / scale
        gap = bound + solved.value
        if (excess < 1e-12 or excess < 1e-2 * risk / scale * precision) and gap < precision:
            finished = True
            break
        more = _new(game, made, rows, risk / scale + solved.excess + 1e-12)
        if not len(more) and not len(new):
            finished = True
            break
        if limits.reached:
            break
        if len(more):
            program.add_rows(game.between(more, columns) / scale)
            rows = np.concatenate([rows, more])
            solved = program.solve(rows_are_new=True)
    played = np.flatnonzero(solved.mix > 1e-13)
    padded = np.zeros(len(rows))
    padded[: len(solved.multipliers)] = solved.multipliers
    weighty = np.flatnonzero(padded > 1e-12)
    return FoundMix(columns[played], solved.mix[played], rows[weighty], padded[weighty], finished)


def _new(game: MixGame, values: FloatArray, known: IntArray, above: float) -> IntArray:
    best = game.best_of_partitions(values, _BATCH, above)
    return best[~np.isin(best, known)]
