"""Time to an equilibrium with a proven exploitability of 1e-9, by margin and by win.

Every exploitability is recomputed from the mix before its time counts. What the rank counts of a deal need is computed
beforehand, so that the clock runs from the known partitions, but for joining them with the flushes.
"""

from time import perf_counter

from benchmarks.deals.instance_sets import Instance, instances
from benchmarks.reporting.figures import Cactus, Figure, Histogram, Scatter
from benchmarks.reporting.summary import SOLVED, UNSOLVED, Record, Summary, grouped, seconds_of
from benchmarks.reporting.tables import Table, time_table
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.certificate import exploitability
from solver.equilibrium.solve import default_tolerance, solve_equilibrium

TITLE = "Equilibrium"
LESSON = "How long until a mix is found and proven that nobody can beat, by margin and by win."
OBJECTIVES = ("margin", "win")
SIZES = {
    "tiny": {"random-100": (1, 60.0), "extreme-8": (1, 60.0)},
    "quick": {"random-100": (10, 10.0), "extreme-8": (1, 10.0)},
    "full": {"random-100": (100, 180.0), "extreme-8": (8, 60.0)},
}
"""Deals of each set, and seconds for each equilibrium."""


def run(size: str) -> list[Record]:
    """Return one record a deal and objective."""
    return [
        _measured(deal, objective, limit)
        for name, (count, limit) in SIZES[size].items()
        for deal in instances(name, count)
        for objective in OBJECTIVES
    ]


def _measured(instance: Instance, objective: str, limit: float) -> Record:
    undominated_partitions(instance.deal, instance.rules)
    start = perf_counter()
    equilibrium = solve_equilibrium(instance.deal, objective, instance.rules, time_limit=limit)
    seconds = perf_counter() - start
    exact = exploitability(instance.deal, equilibrium.strategies, objective, instance.rules)
    solved = equilibrium.status == "converged"
    if exact != equilibrium.exploitability_exact or (solved and exact > default_tolerance(objective, instance.rules)):
        raise AssertionError(f"{instance.id}, {objective}: {equilibrium.status} at {float(exact)}")
    return {
        "group": f"{objective}, {instance.set}",
        "contestant": "solve_equilibrium",
        "instance": instance.id,
        "objective": objective,
        "status": SOLVED if solved else UNSOLVED,
        "seconds": seconds,
        "limit": limit,
        "exploitability": float(exact),
        "iterations": equilibrium.iterations,
        "support": len(equilibrium.strategies.arrangements),
        "partitions": equilibrium.undominated_partitions,
    }


def tables(records: list[Record]) -> list[Table]:
    """Return times, then rounds and sizes of the mixes."""
    ordered = sorted(records, key=lambda record: OBJECTIVES.index(record["objective"]))
    rows = []
    for group, members in grouped(ordered, lambda record: record["group"]).items():
        for what in ("iterations", "support"):
            sizes = Summary.of(member[what] for member in members)
            rows.append((group, what, str(sizes.count), *map(str, (sizes.median, sizes.p90, sizes.worst))))
        worst = max(member["exploitability"] for member in members)
        rows.append((group, "exploitability", str(len(members)), "", "", f"{worst:.1e}"))
    return [
        time_table("Time to a proven exploitability of 1e-9, partitions known", ordered),
        Table("What it takes", ("deals", "figure", "n", "median", "p90", "most"), tuple(rows)),
    ]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot, and seconds and their number by the size of the mixes."""
    times, supports, sizes = {}, {}, {}
    for objective, members in grouped(records, lambda record: record["objective"]).items():
        times[objective] = seconds_of(members)
        solved = [member for member in members if member["status"] == SOLVED]
        supports[objective] = [(member["support"], member["seconds"]) for member in solved]
        sizes[objective] = [member["support"] for member in solved]
    return [
        Cactus("equilibrium-times", "Equilibrium, proven to 1e-9", times),
        Scatter(
            "equilibrium-support",
            "Equilibrium: seconds by the size of the mix",
            "arrangements in the mix",
            "seconds",
            supports,
            logarithmic_x=True,
            logarithmic_y=True,
        ),
        Histogram("equilibrium-sizes", "How large the mixes are", "arrangements in the mix", sizes, logarithmic=True),
    ]
