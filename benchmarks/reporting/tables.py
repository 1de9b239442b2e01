"""Markdown tables of measurements."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.reporting.summary import ABSENT, Record, Summary, grouped, seconds_of

NUMBER = re.compile(r"(>? ?-?[0-9][0-9.,e-]*( m?s)?|absent|failed)?")
"""What stands in a column of numbers."""
SUMMARY_HEADER = ("n", "median", "p90", "worst", "unsolved")


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; numbers are already text."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """Return the table with its title as a bold line."""
        return f"**{self.title}**\n\n{markdown_rows(self.header, self.rows)}"


def markdown_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose numeric columns are aligned to the right."""
    rows = list(rows)
    numeric = [all(NUMBER.fullmatch(row[column]) for row in rows) for column in range(len(header))]
    lines = [f"| {' | '.join(header)} |", f"|{'|'.join('--:' if right else '---' for right in numeric)}|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def time_table(title: str, records: Iterable[Record], key: str = "seconds") -> Table:
    """Return the times of each contestant in each group, absent contestants said to be so."""
    rows = []
    for (group, contestant), members in grouped(
        records, lambda record: (record["group"], record["contestant"])
    ).items():
        if all(member["status"] == ABSENT for member in members):
            rows.append((group, contestant, *("",) * 4, ABSENT))
            continue
        limit = max((member["limit"] for member in members if member.get("limit")), default=None)
        rows.append((group, contestant, *summary_cells(Summary.of(seconds_of(members, key)), limit)))
    return Table(title, ("what", "by", *SUMMARY_HEADER), tuple(rows))


def summary_cells(summary: Summary, limit: float | None = None) -> tuple[str, ...]:
    """Return the cells under `SUMMARY_HEADER`."""
    times = (seconds_text(value, limit) for value in (summary.median, summary.p90, summary.worst))
    return (str(summary.count), *times, str(summary.unsolved))


def seconds_text(seconds: float, limit: float | None = None) -> str:
    """Return a time with three significant digits in ms or s; infinity is more than the limit."""
    if math.isnan(seconds):
        return ""
    if math.isinf(seconds):
        return "> limit" if limit is None else f"> {limit:g} s"
    return f"{number_text(seconds * 1000)} ms" if seconds < 1 else f"{number_text(seconds)} s"


def number_text(value: float) -> str:
    """Return a number with three significant digits, or all digits before the point."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"
