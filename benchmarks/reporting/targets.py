"""The targets that the program set itself, each with the figure that was measured, missed ones included."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.deals.response_questions import EQUILIBRIA, QUANTAL
from benchmarks.reporting.result_files import Run
from benchmarks.reporting.summary import ABSENT, Record, Summary, seconds_of
from benchmarks.reporting.tables import markdown_rows, number_text, seconds_text
from benchmarks.studies.best_response import CASES, ENUMERATION, PACKING
from benchmarks.studies.command_line import HELP, SOLVE, SOLVE_WIN, SOLVE_WIN_ENUMERATE
from solver.strategies.objectives import OBJECTIVES

HEADER = ("what", "target", "measured", "met")

Verdict = tuple[str, bool | None]
"""The figure, and whether it meets the target; None where there is nothing to meet."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    Parameters
    ----------
    what, limit
        What is measured and what it should be, in words.
    study
        The study whose records decide.
    evaluate
        Makes the verdict of these records.
    """

    what: str
    limit: str
    study: str
    evaluate: Callable[[list[Record]], Verdict]


def targets_table(runs: Mapping[str, Run]) -> str:
    """Return the table of all targets, each by the run that is given for each study."""
    rows = []
    for target in TARGETS:
        if target.study not in runs:
            rows.append((target.what, target.limit, "not measured", ""))
            continue
        figure, met = target.evaluate(runs[target.study].records[target.study])
        rows.append((target.what, target.limit, figure, "" if met is None else "yes" if met else "**no**"))
    return "\n".join(["## Targets", "", markdown_rows(HEADER, rows)])


def times(
    select: Callable[[Record], bool],
    median: float | None = None,
    p90: float | None = None,
    worst: float | None = None,
    key: str = "seconds",
) -> Callable[[list[Record]], Verdict]:
    """Return what evaluates the seconds of some records by those of their percentiles that have a limit."""

    def evaluate(records: list[Record]) -> Verdict:
        chosen = [record for record in records if select(record)]
        summary = Summary.of(seconds_of(chosen, key))
        given_up = max((record["limit"] for record in chosen if record.get("limit")), default=None)
        wanted = {"median": median, "p90": p90, "worst": worst}
        parts, met = [], True
        for name, limit in wanted.items():
            if limit is None:
                continue
            value = getattr(summary, name)
            parts.append(f"{name} {seconds_text(value, given_up)}")
            met = met and value <= limit
        if summary.unsolved:
            parts.append(f"{summary.unsolved} of {summary.count} unsolved")
        return ", ".join(parts) + f" (n = {summary.count})", met

    return evaluate


def _evaluator(records: list[Record]) -> Verdict:
    ours = [record for record in records if record["contestant"] == "quintet"]
    peers = [record for record in records if record["contestant"] != "quintet" and record["status"] != ABSENT]
    slowest = min(record["million_per_second"] for record in ours)
    figure = f"{number_text(slowest)} million/s"
    if not peers:
        return f"{figure}, all peers absent", slowest >= 50
    fastest = min(peers, key=lambda record: record["ours_over_it"])
    ratio = fastest["ours_over_it"]
    return f"{figure}, {number_text(ratio)} x {fastest['contestant']} {fastest['mode']}", slowest >= 50 and ratio >= 10


def _memory(records: list[Record]) -> Verdict:
    largest = max(records, key=lambda record: record["peak_mib"])
    figure = f"{largest['peak_mib']:,.0f} MiB ({largest['contestant']}, {largest['instance']})"
    return figure, largest["peak_mib"] <= 1024


def _scaling(records: list[Record]) -> Verdict:
    one, two = records
    figure = f"{two['speedup']:.2f} x, {number_text(one['seconds'])} s on one worker"
    return figure, two["speedup"] >= 1.8 and one["seconds"] >= 60


def command(name: str) -> Callable[[Record], bool]:
    """Return what selects the runs of one command on random deals."""
    return lambda record: record["contestant"] == f"quintet {name}" and record["group"] == "random-100"


def _win_proofs(records: list[Record]) -> Verdict:
    proofs = [record for record in records if by_packing(f"{EQUILIBRIA}, win")(record)]
    figures = zip(proofs, seconds_of(proofs), strict=True)
    parts = [f"{record['rows']}: {seconds_text(seconds, record['limit'])}" for record, seconds in figures]
    return ", ".join(sorted(parts, key=lambda part: int(part.partition(":")[0]))), None


def by_packing(*groups: str) -> Callable[[Record], bool]:
    """Return what selects the best responses by the packing model in some groups."""
    return lambda record: record["contestant"] == PACKING and record["group"] in groups


TARGETS: Sequence[Target] = (
    Target(
        "`evaluate_hands`, one core",
        "≥ 50 million hands/s, ≥ 10 x the fastest peer",
        "evaluator",
        _evaluator,
    ),
    Target(
        "undominated partitions, cold cache, 100 random deals",
        "median ≤ 0.15 s, worst ≤ 0.5 s",
        "partitions",
        times(lambda record: record["group"] == "random-100", median=0.15, worst=0.5),
    ),
    Target(
        "undominated partitions, cold cache, extreme deals",
        "worst ≤ 0.5 s",
        "partitions",
        times(lambda record: record["group"] == "extreme-8", worst=0.5),
    ),
    *(
        Target(
            f"CP-SAT best response, proven, {objective}, the cases",
            "median ≤ 0.15 s, p90 ≤ 0.5 s",
            "best_response",
            times(by_packing(f"{CASES}, {objective}"), median=0.15, p90=0.5),
        )
        for objective in OBJECTIVES
    ),
    *(
        Target(
            f"CP-SAT best response, proven, points and margin, {what}",
            "median ≤ 0.5 s, p90 ≤ 3 s",
            "best_response",
            times(by_packing(f"{what}, points", f"{what}, margin"), median=0.5, p90=3),
        )
        for what in (EQUILIBRIA, QUANTAL)
    ),
    Target("CP-SAT proof for `win` against equilibrium mixes", "reported, by support", "best_response", _win_proofs),
    Target(
        "enumeration best response, partitions known",
        "≤ 20 ms",
        "best_response",
        times(lambda record: record["contestant"] == ENUMERATION, median=0.02, worst=0.02),
    ),
    Target(
        "`margin` equilibrium, 100 random deals, partitions known, proven to 1e-9",
        "median ≤ 0.15 s, p90 ≤ 0.8 s, worst ≤ 3 s",
        "equilibrium",
        times(lambda record: record["group"] == "margin, random-100", median=0.15, p90=0.8, worst=3),
    ),
    Target(
        "`win` equilibrium, the same",
        "median ≤ 0.6 s, p90 ≤ 8 s, none unsolved in 180 s",
        "equilibrium",
        times(lambda record: record["group"] == "win, random-100", median=0.6, p90=8, worst=180),
    ),
    Target(
        "`quintet solve --objective win`, whole process",
        "median ≤ 6 s",
        "command_line",
        times(command(SOLVE_WIN), median=6),
    ),
    Target(
        "the same with `--engine enumerate`",
        "median ≤ 3 s",
        "command_line",
        times(command(SOLVE_WIN_ENUMERATE), median=3),
    ),
    Target("`quintet solve`, whole process", "median ≤ 2.5 s", "command_line", times(command(SOLVE), median=2.5)),
    Target("`quintet --help`", "≤ 0.2 s", "command_line", times(command(HELP), median=0.2, worst=0.2)),
    Target("peak memory of any command on any deal", "≤ 1 GiB", "command_line", _memory),
    Target("batch of at least 60 s on one worker", "2 workers ≥ 1.8 x 1 worker", "scaling", _scaling),
)
