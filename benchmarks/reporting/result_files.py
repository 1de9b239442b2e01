"""Raw results: JSON lines, one file a run, never overwritten.

The first line says what was run where (`kind` is ``run``); every other line is one measurement (`kind` is ``record``)
or tells that a study ended (`kind` is ``study``: how long it took, or the error that ended it).
"""

import datetime
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.reporting.machine import commit, describe_machine, versions
from benchmarks.reporting.summary import Record

_OLD_NAMES = {
    "CP-SAT, packing of cores": "CP-SAT, packing",
    "HiGHS, packing of cores": "HiGHS, packing",
    "dynamic programme": "dynamic program",
}
"""What contestants are called by now, by what earlier runs called them."""
RESULTS = Path(__file__).resolve().parents[1] / "results"


@dataclass(frozen=True, slots=True)
class Run:
    """One result file.

    Parameters
    ----------
    path
        Where it is.
    head
        Its first line: label, date, size, machine, versions, commit.
    records
        The measurements of each study that ended well.
    studies
        The closing line of each study.
    """

    path: Path
    head: dict[str, Any]
    records: dict[str, list[Record]]
    studies: dict[str, dict[str, Any]]

    @property
    def name(self) -> str:
        """Date and label."""
        return self.path.stem


def new_file(label: str, size: str, folder: Path = RESULTS) -> Path:
    """Start a result file named by today's date and the label, with a number where that name is taken."""
    date = datetime.datetime.now(datetime.UTC)
    head = {
        "kind": "run",
        "label": label,
        "date": date.isoformat(timespec="seconds"),
        "size": size,
        "machine": describe_machine(),
        "versions": versions(),
        **commit(),
    }
    folder.mkdir(exist_ok=True)
    number = 1
    while True:
        path = folder / f"{date:%Y-%m-%d}-{label}{f'-{number}' if number > 1 else ''}.jsonl"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(_line(head))
        except FileExistsError:
            number += 1
        else:
            return path


def append(path: Path, study: str, records: Iterable[Record], end: dict[str, Any]) -> None:
    """Add the measurements of a study and how it ended."""
    with path.open("a", encoding="utf-8") as file:
        for record in records:
            file.write(_line({"kind": "record", "study": study, **record}))
        file.write(_line({"kind": "study", "study": study, **end}))


def read(path: Path) -> Run:
    """Read a result file."""
    head, *lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    ends = {line["study"]: line for line in lines if line["kind"] == "study"}
    records: dict[str, list[Record]] = {name: [] for name, end in ends.items() if "error" not in end}
    for line in lines:
        if line["kind"] == "record" and line["study"] in records:
            line["contestant"] = _OLD_NAMES.get(line["contestant"], line["contestant"])
            records[line["study"]].append(line)
    return Run(path, head, records, ends)


def newest(size: str = "full", folder: Path = RESULTS) -> dict[str, Run]:
    """Return for each study the newest run of that size that holds it."""
    runs = [read(path) for path in sorted(folder.glob("*.jsonl"))]
    runs = sorted((run for run in runs if run.head["size"] == size), key=lambda run: run.head["date"])
    return {study: run for run in runs for study in run.records}


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, allow_nan=False) + "\n"
