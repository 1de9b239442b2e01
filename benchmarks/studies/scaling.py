"""A batch with one worker and with two: how much faster, and the same records.

Whole processes of `quintet batch`, the start of the workers included. The records have to be the same to the byte.
"""

import tempfile
from pathlib import Path

from benchmarks.reporting.figures import BarChart, Figure
from benchmarks.reporting.processes import run_quintet
from benchmarks.reporting.summary import Record
from benchmarks.reporting.tables import Table, number_text
from solver.system.cpu_count import available_cpus

TITLE = "Batch"
LESSON = "What a second worker is worth in a batch that keeps one worker busy for a minute or more."
SEED = 1
DEALS = {"tiny": 2, "quick": 10, "full": 300}
WORKERS = (1, 2)


def run(size: str) -> list[Record]:
    """Return one record a number of workers."""
    deals = DEALS[size]
    records: list[Record] = []
    outputs: list[bytes] = []
    for workers in WORKERS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "records.jsonl"
            finished = run_quintet(
                "batch", "--random", str(deals), "--seed", str(SEED), "--workers", str(workers), "--output", str(path)
            )
            outputs.append(path.read_bytes())
        if outputs[-1] != outputs[0] or outputs[0].count(b"\n") != deals:
            raise AssertionError(f"other records with {workers} workers than with {WORKERS[0]}")
        records.append(
            {
                "group": "quintet batch --task solve",
                "contestant": "one worker" if workers == 1 else f"{workers} workers",
                "deals": deals,
                "cores": available_cpus(),
                "status": "measured",
                "seconds": finished.seconds,
                "speedup": (records[0]["seconds"] if records else finished.seconds) / finished.seconds,
            }
        )
    return records


def tables(records: list[Record]) -> list[Table]:
    """Return seconds, deals a second and how many times as fast as one worker."""
    rows = tuple(
        (
            record["group"],
            str(record["deals"]),
            record["contestant"],
            number_text(record["seconds"]),
            number_text(record["deals"] / record["seconds"]),
            f"{record['speedup']:.2f}",
        )
        for record in records
    )
    return [Table("Whole batch", ("command", "deals", "by", "seconds", "deals/s", "speed-up"), rows)]


def figures(records: list[Record]) -> list[Figure]:
    """Return deals a second by task and workers."""
    return [
        BarChart(
            "batch-scaling",
            "quintet batch --task solve: throughput by number of workers",
            "deals a second",
            {record["contestant"]: record["deals"] / record["seconds"] for record in records},
        )
    ]
