"""Time to find all undominated partitions, and how many there are, on random and on extreme deals.

Every deal is met with a cold cache: what was kept for its rank counts is given up first; only the strength tables of
the evaluator are there. Each answer is checked before its time counts: no row may dominate another, and where the
number of partitions is known it has to be that number.
"""

from time import perf_counter, process_time

from benchmarks.deals.instance_sets import Instance, instances
from benchmarks.reporting.figures import Cactus, Figure, Histogram
from benchmarks.reporting.summary import SOLVED, Record, grouped
from benchmarks.reporting.tables import Table, seconds_text, time_table
from solver.dominance.partitions import Partitions, undominated_partitions
from solver.dominance.rank_splits import forget_rank_splits
from solver.game.deal import Deal
from solver.game.rules import RULE_SETS, Rules

TITLE = "Undominated partitions"
LESSON = "How long the reduction of 5e12 partitions to the few that matter takes, and how many are left."
RANDOM_DEALS = {"tiny": 2, "quick": 20, "full": 100}


def run(size: str) -> list[Record]:
    """Return one record a deal: partitions, wall and CPU seconds cold, wall seconds warm."""
    for name in RULE_SETS:
        undominated_partitions(Deal(tuple(range(20, 25))), Rules(name))
    deals = instances("random-100", RANDOM_DEALS[size]) + instances("extreme-8", 2 if size == "tiny" else None)
    return [_measured(deal) for deal in deals]


def _measured(instance: Instance) -> Record:
    """Find the partitions of one deal twice, cold and warm, and check them."""
    forget_rank_splits()
    wall, cpu = perf_counter(), process_time()
    partitions = undominated_partitions(instance.deal, instance.rules)
    wall, cpu = perf_counter() - wall, process_time() - cpu
    warm = perf_counter()
    undominated_partitions(instance.deal, instance.rules)
    warm = perf_counter() - warm
    _check(partitions, instance.partitions)
    return {
        "group": instance.set,
        "contestant": "undominated_partitions, cold",
        "instance": instance.id,
        "status": SOLVED,
        "seconds": wall,
        "cpu_seconds": cpu,
        "warm_seconds": warm,
        "partitions": len(partitions),
    }


def _check(partitions: Partitions, known: int | None) -> None:
    strengths = partitions.strengths
    if known is not None and len(partitions) != known:
        raise AssertionError(f"{len(partitions)} undominated partitions instead of {known}: {partitions.deal.text()}")
    for row in strengths:
        if (strengths >= row).all(axis=1).sum() != 1:
            raise AssertionError(f"one partition dominates another: {partitions.deal.text()}")


def tables(records: list[Record]) -> list[Table]:
    """Return times, counts, and the extreme deals one by one."""
    counts = []
    for group, members in grouped(records, lambda record: record["group"]).items():
        values = sorted(member["partitions"] for member in members)
        middle, p90 = values[(len(values) - 1) // 2], values[-(-9 * len(values) // 10) - 1]
        counts.append((group, str(len(values)), *(f"{value:,}" for value in (values[0], middle, p90, values[-1]))))
    extreme = tuple(
        (
            record["instance"],
            f"{record['partitions']:,}",
            *(seconds_text(record[key]) for key in ("seconds", "warm_seconds")),
        )
        for record in records
        if record["group"] == "extreme-8"
    )
    return [
        time_table("Time with a cold cache", records),
        time_table(
            "Time where the splits of the rank counts are kept from another deal",
            [
                {**record, "contestant": "undominated_partitions, warm", "seconds": record["warm_seconds"]}
                for record in records
            ],
        ),
        Table("Number of undominated partitions", ("deals", "n", "least", "median", "p90", "most"), tuple(counts)),
        Table("Extreme deals", ("deal", "partitions", "cold", "warm"), extreme),
    ]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot of the times and a histogram of the counts."""
    sets = grouped(records, lambda record: record["group"])
    return [
        Cactus(
            "partitions-times",
            "Undominated partitions, cold cache",
            {name: [record["seconds"] for record in members] for name, members in sets.items()},
        ),
        Histogram(
            "partitions-counts",
            "How many partitions of a deal are undominated",
            "undominated partitions",
            {name: [record["partitions"] for record in members] for name, members in sets.items()},
            logarithmic=True,
        ),
    ]
