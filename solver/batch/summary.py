"""What an output file of a batch says as a whole."""

from array import array
from collections import Counter
from typing import Any

import numpy as np

from solver.batch.resume import is_failed
from solver.errors import BatchError
from solver.results.compact_equilibria import HEADER_SCHEMA, RECORD_SCHEMA, claimed_exploitability
from solver.system.json_document import Document
from solver.system.record_file import read_records

SMALLER_IS_WORSE = {"objective_value": True, "exploitability": False, "iterations": False, "seconds": False}
"""The figures that are summed up where records have them, and on which side of them the worst lies."""
LARGEST_FIGURE = 2**53
"""More than any run takes or any result is worth; what is larger, and NaN, comes from no batch."""


def summary_document(path: str) -> Document:
    """Return counts by status, and the median, the 90th percentile and the worst of the figures.

    Percentiles are interpolated between the nearest two records, as NumPy does. The last line of a run that is still
    going on, or that was cut off, does not count.

    Raises
    ------
    FileError
        If the file cannot be read.
    BatchError
        If a line is no record, with its number.
    """
    failed = 0
    status: Counter[str] = Counter()
    # Numbers only: a file may hold more records than memory does.
    figures = {name: array("d") for name in SMALLER_IS_WORSE}
    for record in read_records(path):
        if is_failed(record):
            failed += 1
            continue
        if record.number == 1 and record.document.get("schema") == HEADER_SCHEMA:
            continue
        document = record.document
        found = {name: _figure(document, name) for name in figures}
        if not _is_status(document.get("status")) or not all(map(_is_figure, found.values())):
            raise BatchError(f"{path}, line {record.number}: is no record of a batch")
        status[document["status"]] += 1
        for name, value in found.items():
            if value is not None:
                figures[name].append(value)
    return {
        "schema": "quintet.summary/1",
        "done": status.total(),
        "failed": failed,
        "status": dict(sorted(status.items())),
        **{name: _spread(values, SMALLER_IS_WORSE[name]) for name, values in figures.items() if values},
    }


def _figure(document: Document, name: str) -> Any:
    if name == "exploitability" and document.get("schema") == RECORD_SCHEMA:
        return claimed_exploitability(document)
    fields: Any = document.get("timings") if name == "seconds" else document
    return fields.get(name) if isinstance(fields, dict) else None


def _is_figure(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_FIGURE


def _is_status(value: Any) -> bool:
    # It is written to the terminal, which must not take it for an escape code.
    return isinstance(value, str) and value.isprintable()


def _spread(values: "array[float]", smaller_is_worse: bool) -> Document:
    numbers = np.frombuffer(values)
    median, p90 = (float(figure) for figure in np.percentile(numbers, (50, 90)))
    worst = numbers.min() if smaller_is_worse else numbers.max()
    return {"median": median, "p90": p90, "worst": float(worst), "records": len(numbers)}
