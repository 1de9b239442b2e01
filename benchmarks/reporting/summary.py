"""Median, 90th percentile and worst of what was measured, with unsolved items counted and never averaged away."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]

SOLVED, UNSOLVED, ABSENT = "solved", "unsolved", "absent"


@dataclass(frozen=True, slots=True)
class Summary:
    """What a set of measurements comes to.

    Parameters
    ----------
    count
        Items tried.
    median, p90, worst
        Nearest-rank percentiles of the seconds, an unsolved item counting as infinitely slow; nan without items.
    unsolved
        Items without a proven answer within the limit.
    """

    count: int
    median: float
    p90: float
    worst: float
    unsolved: int

    @classmethod
    def of(cls, seconds: Iterable[float]) -> "Summary":
        """Summarise seconds, `math.inf` for what was not solved."""
        ordered = sorted(seconds)
        unsolved = sum(math.isinf(value) for value in ordered)
        return cls(len(ordered), percentile(ordered, 50), percentile(ordered, 90), percentile(ordered, 100), unsolved)


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the smallest value that at least `percent` per cent of the ascending values do not exceed."""
    if not ordered:
        return math.nan
    return ordered[max(math.ceil(len(ordered) * percent / 100), 1) - 1]


def seconds_of(records: Iterable[Record], key: str = "seconds") -> list[float]:
    """Return the seconds of the records, infinity for the unsolved; absent contestants have none."""
    return [
        math.inf if record["status"] == UNSOLVED else record[key] for record in records if record["status"] != ABSENT
    ]


def grouped(records: Iterable[Record], key: Callable[[Record], Any]) -> dict[Any, list[Record]]:
    """Return the records by key, keys and records in the order in which they come."""
    groups: dict[Any, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups
