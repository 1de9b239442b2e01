"""Whole processes of the command line: time from start to exit, and peak memory.

Answers are asserted: a `solve` has to be proven optimal, and CP-SAT and enumeration have to name the same exact value.
The first process, which fills the caches of the file system, is not counted.
"""

import json
from typing import Any

from benchmarks.deals.instance_sets import Instance, instances
from benchmarks.reporting.figures import BarChart, Figure
from benchmarks.reporting.processes import Finished, run_quintet
from benchmarks.reporting.summary import SOLVED, UNSOLVED, Record, Summary, grouped, seconds_of
from benchmarks.reporting.tables import Table, number_text, time_table

TITLE = "Command line"
LESSON = "What a user waits for, from the start of the process to its end, and how much memory that takes."
HELP, SOLVE, SOLVE_WIN, SOLVE_WIN_ENUMERATE = (
    "--help",
    "solve",
    "solve --objective win",
    "solve --objective win --engine enumerate",
)
SOLVES = (SOLVE, "solve --engine enumerate", SOLVE_WIN, SOLVE_WIN_ENUMERATE)
EQUILIBRIUM, EQUILIBRIUM_WIN = "equilibrium", "equilibrium --objective win"
LARGE_DEALS = ("three of each of seven ranks", "many partitions")
SIZES = {"tiny": (1, 1, 0, 1.0), "quick": (3, 2, 1, 10.0), "full": (20, 15, 8, 60.0)}
"""Runs of --help, deals of `solve` and of `equilibrium`, seconds for the equilibrium of a large deal."""


def run(size: str) -> list[Record]:
    """Return one record a process."""
    helps, solves, equilibria, limit = SIZES[size]
    run_quintet(HELP)
    records = [_record(HELP, str(number), run_quintet(HELP)) for number in range(helps)]
    deals = instances("random-100", max(solves, equilibria))
    for deal in deals[:solves]:
        records += _solve(deal)
    for command in (EQUILIBRIUM, EQUILIBRIUM_WIN):
        records += [_equilibrium(command, deal, limit) for deal in deals[:equilibria]]
    if size != "tiny":
        for deal in instances("extreme-8"):
            if deal.id in LARGE_DEALS:
                records += [{**record, "group": "large deals"} for record in _solve(deal)]
                records += [
                    {**_equilibrium(command, deal, limit), "group": "large deals"}
                    for command in (EQUILIBRIUM, EQUILIBRIUM_WIN)
                ]
    return records


def _solve(deal: Instance) -> list[Record]:
    """Solve a deal in all ways, and check that the engines agree."""
    records: list[Record] = []
    values: dict[str, str] = {}
    for command in SOLVES:
        finished = run_quintet(*command.split(), "--json", deal.deal.text())
        document = json.loads(finished.output)
        if document["status"] != "optimal":
            raise AssertionError(f"{command}, deal {deal.id}: {document['status']}")
        known = values.setdefault(document["objective"], document["objective_value_exact"])
        if document["objective_value_exact"] != known:
            raise AssertionError(f"{command}, deal {deal.id}: {document['objective_value_exact']}, not {known}")
        records.append(_record(command, deal.id, finished))
    return records


def _equilibrium(command: str, deal: Instance, limit: float) -> Record:
    finished = run_quintet(*command.split(), "--json", "--time-limit", str(limit), deal.deal.text())
    document = json.loads(finished.output)
    solved = document["status"] == "converged"
    if solved and not document["exploitability"] <= document["tolerance"]:
        raise AssertionError(f"{command}, deal {deal.id}: converged at {document['exploitability']}")
    return {**_record(command, deal.id, finished), "status": SOLVED if solved else UNSOLVED, "limit": limit}


def _record(command: str, instance: str, finished: Finished) -> dict[str, Any]:
    return {
        "group": "random-100",
        "contestant": f"quintet {command}",
        "instance": instance,
        "status": SOLVED,
        "seconds": finished.seconds,
        "cpu_seconds": finished.cpu_seconds,
        "peak_mib": finished.peak_mib,
    }


def tables(records: list[Record]) -> list[Table]:
    """Return times and memory by command."""
    memory = []
    for (group, command), members in grouped(records, lambda record: (record["group"], record["contestant"])).items():
        peaks = Summary.of(record["peak_mib"] for record in members)
        memory.append((group, command, str(peaks.count), *(number_text(peak) for peak in (peaks.median, peaks.worst))))
    return [
        time_table("Whole process, seconds by the clock", records),
        Table("Peak memory of the process, MiB", ("deals", "command", "n", "median", "worst"), tuple(memory)),
    ]


def figures(records: list[Record]) -> list[Figure]:
    """Return the median times of the random deals as a bar chart."""
    commands = grouped(
        (record for record in records if record["group"] == "random-100"), lambda record: record["contestant"]
    )
    medians = {name: Summary.of(seconds_of(members)).median for name, members in commands.items()}
    return [
        BarChart(
            "command-line-times",
            "Whole process, median over random deals",
            "seconds from start to exit",
            {name: median for name, median in medians.items() if median < float("inf")},
        )
    ]
