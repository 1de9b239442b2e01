"""A batch with one worker and with two: how much faster, and the same records.

Whole processes of `quintet batch`, the start of the workers included. The records have to be the same to the byte.
"""

import tempfile
from pathlib import Path

from benchmarks.figures import BarChart, Figure
from benchmarks.processes import run_quintet
from benchmarks.summary import Record
from benchmarks.tables import Table, number_text
from solver.cpu_count import available_cpus

TITLE = "Batch"
LESSON = "What a second worker is worth in a batch that keeps one worker busy for a minute or more."
SEED = 1
TASKS = {"solve": ("--task", "solve"), "equilibrium, margin": ("--task", "equilibrium")}
DEALS = {
    "tiny": {"solve": 2},
    "quick": {"solve": 16},
    "full": {"solve": 200, "equilibrium, margin": 300},
}
WORKERS = (1, 2)


def run(size: str) -> list[Record]:
    """Return one record a task and number of workers."""
    records: list[Record] = []
    for task, deals in DEALS[size].items():
        outputs: list[bytes] = []
        one_worker = 0.0
        for workers in WORKERS:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "records.jsonl"
                finished = run_quintet(
                    "batch", *TASKS[task], "--random", str(deals), "--seed", str(SEED), "--workers", str(workers),
                    "--output", str(path), "--quiet",
                )  # fmt: skip
                outputs.append(path.read_bytes())
            if outputs[-1] != outputs[0] or outputs[0].count(b"\n") != deals:
                raise AssertionError(f"{task}: other records with {workers} workers than with {WORKERS[0]}")
            one_worker = one_worker or finished.seconds
            records.append(
                {
                    "group": task,
                    "contestant": "one worker" if workers == 1 else f"{workers} workers",
                    "workers": workers,
                    "deals": deals,
                    "cores": available_cpus(),
                    "status": "measured",
                    "seconds": finished.seconds,
                    "speedup": one_worker / finished.seconds,
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
    return [Table("Whole batch", ("task", "deals", "by", "seconds", "deals/s", "speed-up"), rows)]


def figures(records: list[Record]) -> list[Figure]:
    """Return deals a second by task and workers."""
    return [
        BarChart(
            "batch-scaling",
            "Batch throughput by number of workers",
            "deals a second",
            {f"{record['group']}, {record['contestant']}": record["deals"] / record["seconds"] for record in records},
        )
    ]
