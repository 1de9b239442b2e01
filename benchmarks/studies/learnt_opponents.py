"""How well players are learnt from 20, 50 and 200 recorded deals, and what that earns on fresh deals.

    python -m benchmarks.studies.learnt_opponents [--learn 200] [--fresh 200] [--output FILE]

For every true player and number of deals: the mean total variation between his play and the fitted player's on fresh
deals, and the share closed of the gap between what the answers to ``quantal:1`` and to himself earn from him, by
margin.
"""

import argparse
import json
from collections.abc import Callable

import numpy as np

from solver.dominance.orders import order_table
from solver.game.deal import Deal
from solver.game.evaluator import categories_of
from solver.game.rules import Rules
from solver.opponents.fitted_player import FittedPlayer
from solver.opponents.player_components import COMPONENTS, DealComponents
from solver.opponents.player_fit import fit_player

Player = Callable[[DealComponents], np.ndarray]
ORDERS = order_table(5)
STRONGEST_LAST = (ORDERS[:, 4] == 4) / 24
SIZES = (20, 50, 200)
FULL_HOUSE = 6


def _named(name: str) -> Player:
    return lambda components: components.named(name)


def _greedy_strongest_last(components: DealComponents) -> np.ndarray:
    return components.split("split:greedy")[:, None] * STRONGEST_LAST


def _mixture(components: DealComponents) -> np.ndarray:
    return (components.named("quantal:3") + _greedy_strongest_last(components)) / 2


def _balanced(components: DealComponents) -> np.ndarray:
    """Outside the family: the strongest weakest packet; the strongest of all in place 4 if a full house or better."""
    strengths = components.partitions.strengths
    chances = np.zeros((len(strengths), len(ORDERS)))
    row = max(range(len(strengths)), key=lambda index: tuple(strengths[index]))
    strong = categories_of(strengths[row][-1:], components.rules)[0] >= FULL_HOUSE
    chances[row, ORDERS.tolist().index([0, 1, 2, 4, 3] if strong else [0, 1, 2, 3, 4])] = 1.0
    return chances


NAMED = ("greedy", "greedy-shuffled", "level:1", "level:2", "level:3", "cognitive:1.5")
PLAYERS: dict[str, Player] = {
    **{name: _named(name) for name in (*NAMED, "quantal:0.5", "quantal:3", "undominated")},
    "greedy split, strongest last": _greedy_strongest_last,
    "half quantal:3, half that": _mixture,
    "balanced (outside)": _balanced,
}


def deals(count: int, seed: int) -> list[Deal]:
    """Return random deals."""
    generator = np.random.default_rng(seed)
    return [Deal(tuple(sorted((20 + generator.permutation(32)[:25]).tolist()))) for _ in range(count)]


def observed(count: int) -> dict[str, list]:
    """Return what each player lays on as many deals, as observations."""
    generator = np.random.default_rng(11)
    seen: dict[str, list] = {name: [] for name in PLAYERS}
    for deal in deals(count, 1):
        components = DealComponents(deal, Rules())
        for name, player in PLAYERS.items():
            chances = player(components)
            ends = np.cumsum(chances)
            index = int(np.searchsorted(ends, generator.random() * ends[-1], side="right"))
            row, order = divmod(index, len(ORDERS))
            strengths = components.partitions.strengths[row][ORDERS[order]]
            seen[name].append(components.observation(tuple(strengths.tolist())))
    return seen


def margins(components: DealComponents, partitions: np.ndarray, slips: np.ndarray) -> np.ndarray:
    """Return the expected margin of every undominated arrangement, (m, n!), against chances of splits in orders."""
    own = components.partitions.strengths
    strengths = np.concatenate([own, components.careless[0]]) if len(slips) else own
    chances = np.concatenate([partitions, slips])
    values = np.zeros((len(own), len(ORDERS)))
    for place, weight in enumerate(components.rules.weights):
        laid = np.stack([chances[:, ORDERS[:, place] == packet].sum(axis=1) for packet in range(5)], axis=1)
        order = np.argsort(strengths.ravel(), kind="stable")
        ends = np.concatenate([[0.0], np.cumsum(laid.ravel()[order])])
        ascending = strengths.ravel()[order]
        below, upto = (ends[np.searchsorted(ascending, own, side=side)] for side in ("left", "right"))
        values += (weight * (below + upto - ends[-1]))[:, ORDERS[:, place]]
    return values


def outcomes(components: DealComponents, chances: np.ndarray) -> np.ndarray:
    """Return chances of strength vectors: of the orders of tied packets, the first has what all have."""
    merged = chances.copy()
    for row in np.flatnonzero((np.diff(components.partitions.strengths) == 0).any(axis=1)):
        vectors = components.partitions.strengths[row][ORDERS]
        _, first, inverse = np.unique(vectors, axis=0, return_index=True, return_inverse=True)
        merged[row] = 0
        np.add.at(merged[row], first[inverse.ravel()], chances[row])
    return merged


def study(learn: int, fresh: int) -> list[dict]:
    """Return a record a player and size."""
    seen = observed(learn)
    sizes = [size for size in SIZES if size <= learn]
    fits = {(name, size): fit_player(seen[name][:size]) for name in PLAYERS for size in sizes}
    fitted = {key: FittedPlayer(fit.weights, fit.habit, Rules()) for key, fit in fits.items()}
    sums = {key: np.zeros(4) for key in fits}
    nothing = np.zeros((0, len(ORDERS)))
    for deal in deals(fresh, 2):
        components = DealComponents(deal, Rules())
        plain = int(margins(components, components.named("quantal:1"), nothing).argmax())
        for name, player in PLAYERS.items():
            true = player(components)
            earned = margins(components, true, nothing)
            for size in sizes:
                partitions, slips = fitted[name, size].chances(components)
                answer = int(margins(components, partitions, slips).argmax())
                apart = np.abs(outcomes(components, partitions) - outcomes(components, true)).sum() + slips.sum()
                sums[name, size] += earned.ravel()[plain], earned.ravel()[answer], earned.max(), apart / 2
    records = []
    for (name, size), (plain, answer, best, apart) in sums.items():
        fit = fits[name, size]
        records.append(
            {
                "player": name,
                "deals": size,
                "baseline": plain / fresh,
                "earned": answer / fresh,
                "best": best / fresh,
                "closed": (answer - plain) / (best - plain),
                "variation": apart / fresh,
                "log_likelihood": fit.log_likelihood,
                "weights": {
                    component: int(weight) / 1e6
                    for component, weight in zip(COMPONENTS, fit.weights, strict=True)
                    if weight
                },
            }
        )
    return records


def main() -> None:
    """Run the study and write a line a record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learn", type=int, default=200)
    parser.add_argument("--fresh", type=int, default=200)
    parser.add_argument("--output")
    options = parser.parse_args()
    records = study(options.learn, options.fresh)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
    for record in records:
        print(
            f"{record['player']:30} {record['deals']:4} closed {record['closed']:7.1%} "
            f"variation {record['variation']:.3f} gap {record['best'] - record['baseline']:.2f}"
        )
    for size in SIZES:
        closed = [record["closed"] for record in records if record["deals"] == size]
        if closed:
            print(f"{size} deals: mean {np.mean(closed):.1%}, worst {min(closed):.1%}")


if __name__ == "__main__":
    main()
