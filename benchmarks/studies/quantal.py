"""Time to find the logit quantal response equilibrium of a deal once its undominated partitions are known.

Each answer is checked by its definition, with sums of its own: in the logarithm of its probability every arrangement
has to stand as high as LAMBDA times its expected margin says.
"""

from time import perf_counter

import numpy as np
import numpy.typing as npt

from benchmarks.deals.instance_sets import Instance, instances
from benchmarks.reporting.figures import Cactus, Figure
from benchmarks.reporting.summary import SOLVED, Record, grouped
from benchmarks.reporting.tables import Table, time_table
from solver.dominance.orders import order_table
from solver.dominance.partitions import Partitions, undominated_partitions
from solver.equilibrium.quantal_response import solve_quantal_response

TITLE = "Quantal response"
LESSON = "What a modelled human opponent costs, by how sharply it plays."
LAMBDAS = (0.1, 1.0, 10.0, 100.0)
RANDOM_DEALS = {"tiny": 1, "quick": 10, "full": 50}
LARGEST_DEVIATION = 1e-8
"""In points: ten times what the solver promises, for the check adds up in floating point too."""


def run(size: str) -> list[Record]:
    """Return one record a deal and LAMBDA."""
    deals = instances("random-100", RANDOM_DEALS[size]) + instances("extreme-8", 1 if size == "tiny" else None)
    return [record for deal in deals for record in _measured(deal)]


def _measured(instance: Instance) -> list[Record]:
    partitions = undominated_partitions(instance.deal, instance.rules)
    records = []
    for rationality in LAMBDAS:
        start = perf_counter()
        probabilities = solve_quantal_response(partitions, rationality, instance.rules.weights)
        seconds = perf_counter() - start
        deviation = _deviation(partitions, probabilities, rationality, instance.rules.weights)
        if not deviation <= LARGEST_DEVIATION:
            raise AssertionError(f"{instance.id}: LAMBDA {rationality} is {deviation} points from its fixed point")
        records.append(
            {
                "group": f"LAMBDA {rationality:g}, {instance.set}",
                "contestant": "quantal_response",
                "instance": instance.id,
                "status": SOLVED,
                "seconds": seconds,
                "partitions": len(partitions),
                "deviation": deviation,
            }
        )
    return records


def _deviation(
    partitions: Partitions, probabilities: npt.NDArray[np.float64], rationality: float, weights: tuple[int, ...]
) -> float:
    """Return the largest distance, in points, between a margin and what the logarithm of its probability says."""
    strengths = partitions.strengths[:, order_table(len(weights))].reshape(-1, len(weights))
    played = probabilities.ravel()
    margins = np.zeros(len(strengths))
    for column, weight in zip(strengths.T, weights, strict=True):
        levels, level = np.unique(column, return_inverse=True)
        density = np.bincount(level.ravel(), played, len(levels))
        up_to = np.cumsum(density)
        margins += weight * (2 * up_to - density - up_to[-1])[level.ravel()]
    likely = played > np.finfo(np.float64).tiny
    differences = np.log(played[likely]) / rationality - margins[likely]
    return float(differences.max() - differences.min()) / 2


def tables(records: list[Record]) -> list[Table]:
    """Return the times by LAMBDA and set."""
    return [
        time_table("Time once the partitions are known", sorted(records, key=lambda record: record["group"].split()[2]))
    ]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot with one line a LAMBDA."""
    series = grouped(records, lambda record: record["group"].split(",")[0])
    return [
        Cactus(
            "quantal-times",
            "Quantal response, partitions known",
            {name: [record["seconds"] for record in members] for name, members in series.items()},
        )
    ]
