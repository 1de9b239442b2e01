"""The table of figures in the README of the project, made from the newest full results.

python -m benchmarks.reporting.headline        writes it between its marker comments
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.deals.response_questions import EQUILIBRIA
from benchmarks.reporting.machine import ROOT
from benchmarks.reporting.result_files import Run, newest
from benchmarks.reporting.summary import ABSENT, SOLVED, Record, Summary, grouped, seconds_of
from benchmarks.reporting.tables import markdown_rows, number_text, seconds_text
from benchmarks.reporting.targets import TARGETS, by_packing, command
from benchmarks.studies.best_response import ENUMERATION, PACKING
from benchmarks.studies.command_line import SOLVE
from benchmarks.studies.equilibrium_peers import OURS, cell

README = ROOT / "README.md"
BEGIN, END = "<!-- benchmarks: begin -->\n", "<!-- benchmarks: end -->\n"
HEADER = ("what", "here", "beside")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what it says, of which study, and how its two cells come from the records."""

    what: str
    study: str
    here: Callable[[list[Record]], str]
    beside: Callable[[list[Record]], str] = lambda records: ""


def generated() -> str:
    """Return what should stand between the markers."""
    runs = newest()
    if not runs:
        return "No results yet: `python -m benchmarks.run` makes them.\n"
    rows = [
        (row.what, row.here(runs[row.study].records[row.study]), row.beside(runs[row.study].records[row.study]))
        for row in ROWS
        if row.study in runs
    ]
    return f"{markdown_rows(HEADER, rows)}\n{_source(runs)}\n"


def current(path: Path = README) -> str:
    """Return what stands between the markers."""
    return path.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def write(path: Path = README) -> None:
    """Put the table between the markers."""
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path}: expected the lines {BEGIN.strip()} and {END.strip()}")
    path.write_text(before + begin + generated() + end + after, encoding="utf-8")


def _source(runs: dict[str, Run]) -> str:
    """Return where the figures are from, and how many targets they meet."""
    parts = []
    for run in {run.name: run for run in runs.values()}.values():
        machine, date, commit = run.head["machine"], run.head["date"][:10], str(run.head["commit"])[:10]
        link = f"[{run.name}](benchmarks/results/{run.name}.md)"
        parts.append(f"{link}, {date}, {machine['cpu']}, {machine['cores']} cores, commit {commit}")
    verdicts = [each.evaluate(runs[each.study].records[each.study])[1] for each in TARGETS if each.study in runs]
    met = sum(verdict is True for verdict in verdicts)
    decided = sum(verdict is not None for verdict in verdicts)
    return (
        f"Measured by `python -m benchmarks.run`: {'; '.join(parts)}. {met} of {decided} targets are met; the "
        "tables name those that are missed."
    )


def times(select: Callable[[Record], bool]) -> Callable[[list[Record]], str]:
    """Return what writes median, p90 and worst seconds of the records that are selected."""

    def text(records: list[Record]) -> str:
        members = [record for record in records if select(record)]
        summary = Summary.of(seconds_of(members))
        limit = max((record["limit"] for record in members if record.get("limit")), default=None)
        parts = [f"{name} {seconds_text(getattr(summary, name), limit)}" for name in ("median", "p90", "worst")]
        if summary.unsolved:
            parts.append(f"{summary.unsolved} of {summary.count} unsolved")
        return ", ".join(parts)

    return text


def _evaluator(records: list[Record]) -> str:
    (ours, *_) = (record for record in records if record["contestant"] == "quintet")
    return f"{number_text(ours['million_per_second'])} million/s on one core"


def _evaluator_peers(records: list[Record]) -> str:
    (group, *_) = grouped(records, lambda record: record["group"]).values()
    peers = [record for record in group if record["contestant"] != "quintet" and record["status"] != ABSENT]
    return ", ".join(f"{record['contestant']} {number_text(record['million_per_second'])}" for record in peers)


def _unsolved_baseline(contestant: str) -> Callable[[list[Record]], str]:
    """Return what writes how many cases a slow contestant proves."""

    def text(records: list[Record]) -> str:
        members = [record for record in records if record["contestant"] == contestant]
        solved = sum(record["status"] == SOLVED for record in members)
        return f"{contestant}: {solved} of {len(members)} within {members[0]['limit']:g} s"

    return text


def _largest_peer_game(records: list[Record]) -> str:
    """Return what each solver took for the largest game of the study."""
    margin = [record for record in records if record["group"] == "margin"]
    largest = max(margin, key=lambda record: record["strategies"])
    same = [record for record in margin if record["instance"] == largest["instance"]]
    return ", ".join(f"{record['contestant']} {cell(record)}" for record in same if record["contestant"] != OURS)


def _our_game(records: list[Record]) -> str:
    margin = [record for record in records if record["group"] == "margin" and record["contestant"] == OURS]
    largest = max(margin, key=lambda record: record["strategies"])
    return seconds_text(largest["seconds"])


def _batch(records: list[Record]) -> str:
    two = records[-1]
    return f"{two['deals'] / two['seconds']:.2g} deals/s with two workers, {two['speedup']:.2f} x one worker"


ROWS: Sequence[Row] = (
    Row("five-card hands evaluated", "evaluator", _evaluator, _evaluator_peers),
    Row("undominated partitions", "partitions", times(lambda record: record["group"] == "random-100")),
    Row(
        "best response, `points`, CP-SAT, proven, ten cases",
        "formulations",
        times(lambda record: record["contestant"] == PACKING),
        _unsolved_baseline("CP-SAT, boolean per hand and place"),
    ),
    Row(
        "best response, `points` and `margin`, CP-SAT, proven, equilibrium mixes",
        "best_response",
        times(by_packing(f"{EQUILIBRIA}, points", f"{EQUILIBRIA}, margin")),
    ),
    Row(
        "best response, enumeration, partitions known",
        "best_response",
        times(lambda record: record["contestant"] == ENUMERATION),
    ),
    Row("`margin` equilibrium, proven", "equilibrium", times(lambda record: record["group"] == "margin, random-100")),
    Row("`win` equilibrium, proven", "equilibrium", times(lambda record: record["group"] == "win, random-100")),
    Row("`margin` equilibrium, largest game given to peers", "equilibrium_peers", _our_game, _largest_peer_game),
    Row("`quintet solve`, whole process", "command_line", times(command(SOLVE))),
    Row("`quintet batch`", "scaling", _batch),
)

if __name__ == "__main__":
    write()
