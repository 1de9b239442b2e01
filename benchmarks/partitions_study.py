"""Time to find all undominated partitions, and how many there are, on random and on extreme deals.

Every deal is met with a cold cache: what was kept for its rank counts is given up first; only the strength tables of
the evaluator are there. Each answer is checked before its time counts: no row may dominate another, and where the
number of partitions is known it has to be that number.

    python -m benchmarks.partitions_study [--quick]
"""

import resource
import sys
from time import perf_counter, process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from solver.deal import Deal
from solver.partitions import Partitions, undominated_partitions
from solver.rank_splits import forget_rank_splits
from solver.rules import RULE_SETS, Rules
from tests.extreme_deals import EXTREME_DEALS

SEED = 0
PERCENTILES = {"least": 0, "median": 50, "p90": 90, "most": 100}


def run(quick: bool) -> list[dict[str, Any]]:
    """Return one record a deal: set, name, rule set, partitions, wall and CPU seconds cold, wall seconds warm."""
    generator = np.random.default_rng(SEED)
    deals = [("random", str(number), Deal.random(generator), Rules(), None) for number in range(10 if quick else 100)]
    deals += [("extreme", deal.name, deal.deal, deal.rules, deal.partitions) for deal in EXTREME_DEALS]
    for name in RULE_SETS:
        undominated_partitions(Deal(tuple(range(20, 25))), Rules(name))
    with threadpool_limits(1):
        return [measured(*deal) for deal in deals]


def measured(family: str, name: str, deal: Deal, rules: Rules, known: int | None) -> dict[str, Any]:
    """Find the partitions of one deal twice, cold and warm, and check them."""
    forget_rank_splits()
    wall, cpu = perf_counter(), process_time()
    partitions = undominated_partitions(deal, rules)
    wall, cpu = perf_counter() - wall, process_time() - cpu
    warm = perf_counter()
    undominated_partitions(deal, rules)
    warm = perf_counter() - warm
    check(partitions, known)
    return {
        "set": family,
        "name": name,
        "rules": rules.name,
        "deal": deal.text(),
        "partitions": len(partitions),
        "seconds": wall,
        "cpu_seconds": cpu,
        "warm_seconds": warm,
    }


def check(partitions: Partitions, known: int | None) -> None:
    strengths = partitions.strengths
    if known is not None and len(partitions) != known:
        raise AssertionError(f"{len(partitions)} undominated partitions instead of {known}: {partitions.deal.text()}")
    for row in strengths:
        if (strengths >= row).all(axis=1).sum() != 1:
            raise AssertionError(f"one partition dominates another: {partitions.deal.text()}")


def report(records: list[dict[str, Any]]) -> None:
    for family in ("random", "extreme"):
        members = [record for record in records if record["set"] == family]
        print(f"{len(members)} {family} deals" + "".join(f"{name:>10}" for name in PERCENTILES))
        for label, key, scale in (
            ("partitions", "partitions", 1),
            ("cold, ms", "seconds", 1000),
            ("cold, CPU ms", "cpu_seconds", 1000),
            ("warm, ms", "warm_seconds", 1000),
        ):
            values: npt.NDArray[np.float64] = np.array([record[key] for record in members]) * scale
            print(f"  {label:<16}" + "".join(f"{np.percentile(values, at):10.0f}" for at in PERCENTILES.values()))
    for record in records:
        if record["set"] == "extreme":
            print(f"  {record['name']:<32}{record['partitions']:6} partitions{1000 * record['seconds']:6.0f} ms")
    print(f"peak memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    report(run("--quick" in sys.argv))
