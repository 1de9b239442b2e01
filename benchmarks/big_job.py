"""What a batch over all canonical deals will take, from the records of a sample that was run with --timings.

``python -m benchmarks.big_job margin.jsonl win.jsonl`` prints the tables of docs/batch.md: seconds a deal, and days by
number of cores, with memory and the size of the output.
"""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEALS = 156_248
CORES = (2, 8, 32, 128)


@dataclass(frozen=True, slots=True)
class Sample:
    """Records of a sample of deals.

    Parameters
    ----------
    name
        What was asked.
    seconds
        Wall time of each deal in one worker, ascending.
    unsolved
        Deals that reached a limit.
    record_bytes
        Mean length of a record.
    memory_mib
        Largest peak memory of a worker.
    """

    name: str
    seconds: tuple[float, ...]
    unsolved: int
    record_bytes: float
    memory_mib: float

    @classmethod
    def of(cls, path: Path) -> "Sample":
        """Read the output of a batch that was run with --timings."""
        lines = path.read_bytes().splitlines(keepends=True)
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        return cls(
            name=f"{records[0]['schema'].split('.')[1].split('/')[0]}, {records[0]['objective']}",
            seconds=tuple(sorted(record["timings"]["seconds"] for record in records)),
            unsolved=sum(record["status"] not in ("optimal", "converged") for record in records),
            record_bytes=sum(map(len, lines)) / len(lines),
            memory_mib=max(record["timings"]["peak_memory_mib"] for record in records),
        )

    @property
    def mean(self) -> float:
        """Mean seconds a deal."""
        return sum(self.seconds) / len(self.seconds)

    def percentile(self, share: float) -> float:
        """Return the seconds that this share of the deals does not exceed (nearest rank)."""
        return self.seconds[max(0, math.ceil(share * len(self.seconds)) - 1)]

    def hours(self, cores: int) -> float:
        """Hours for all canonical deals: the mean counts, as workers are handed deals one by one."""
        return DEALS * self.mean / cores / 3600


def report(samples: Sequence[Sample]) -> str:
    """Return the two tables in Markdown."""
    lines = [
        "| task | sample | median s | mean s | p99 s | worst s | not closed | record | worker | output |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {each.name} | {len(each.seconds)} | {each.percentile(0.5):.2f} | {each.mean:.2f} "
        f"| {each.percentile(0.99):.1f} | {each.seconds[-1]:.1f} | {each.unsolved} | {each.record_bytes / 1000:.1f} kB "
        f"| {each.memory_mib:.0f} MiB | {DEALS * each.record_bytes / 1e9:.1f} GB |"
        for each in samples
    ]
    lines += ["", f"| cores | {' | '.join(each.name for each in samples)} | both | memory |"]
    lines += ["|---" * (len(samples) + 3) + "|"]
    for cores in CORES:
        hours = [each.hours(cores) for each in samples]
        memory = cores * max(each.memory_mib for each in samples) / 1024
        cells = " | ".join(_duration(figure) for figure in [*hours, sum(hours)])
        lines.append(f"| {cores} | {cells} | {memory:.1f} GiB |")
    return "\n".join(lines)


def _duration(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.0f} min"


if __name__ == "__main__":
    print(report([Sample.of(Path(path)) for path in sys.argv[1:]]))
