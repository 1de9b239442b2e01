"""What every single arrangement can lose, partition against partition.

How two partitions compare, whatever their orders, is the table of signs of their packets: entry (k, i) says which of
packet k of one and packet i of the other is stronger. Few such tables exist, and for each of them the results of all
orders against all orders are one small matrix.
"""

import numpy as np

from solver.game.arrays import IntArray
from solver.mixes.game import MixGame
from solver.strategies.objectives import Objective
from solver.system.limits import NO_LIMITS, Limits


def losses(game: MixGame, limits: Limits = NO_LIMITS) -> IntArray:
    """Return the most that anybody makes against each arrangement played alone, shape (m n!,), whole numbers.

    Raises
    ------
    LimitReached
        If the limits came first.
    """
    table = game.table
    classes, orders = table.classes, table.orders
    known: dict[bytes, IntArray] = {}
    most = np.empty((len(classes), len(orders)), dtype=np.int64)
    for number, own in enumerate(classes):
        limits.check("the least exploitable single arrangement")
        signs = np.sign(classes[:, :, None] - own).astype(np.int8)
        tables = np.unique(signs.reshape(len(classes), -1), axis=0)
        worst = []
        for flat in tables:
            key = flat.tobytes()
            if key not in known:
                known[key] = _most_against(game, flat.reshape(table.places, table.places).astype(np.int64))
            worst.append(known[key])
        most[number] = np.max(worst, axis=0)
    return most.ravel()


def _most_against(game: MixGame, signs: IntArray) -> IntArray:
    """Return the best that any order of one partition makes against each order of the other, shape (n!,)."""
    orders = game.table.orders
    made = np.zeros((len(orders), len(orders)), dtype=np.int64)
    for place, weight in enumerate(game.table.place_weights.tolist()):
        made += weight * signs[orders[:, None, place], orders[None, :, place]]
    best: IntArray = made.max(axis=0)
    return best if game.objective == Objective.MARGIN else np.sign(best)
