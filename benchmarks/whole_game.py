"""The whole game: what a run of `quintet batch --all` came to, as tables that can be kept and as a few figures.

``python -m benchmarks.whole_game margin.jsonl.gz`` reads compact records, as far as they are written, and makes
``benchmarks/results/whole-game-margin``: compressed tables of 10,000 rows, a row a deal, and ``run.json``, which says
what they were made with, and the SHA-256 of the output. ``--verify N`` checks N records, drawn at random, again.
"""

import argparse
import csv
import gzip
import hashlib
import io
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.reporting.machine import describe_machine
from benchmarks.reporting.result_files import RESULTS
from solver.batch.canonical_deals import CANONICAL_DEALS
from solver.results.compact_equilibria import HEADER_SCHEMA, full_document
from solver.system.json_document import Document
from solver.system.record_file import WrittenRecord, read_records
from solver.verification.verify import verify_document

PART = 10_000
"""Rows of a table."""
COLUMNS = ("line", "removed", "multiplicity", "partitions", "support", "iterations", "exploitability", "status")
PER_PROOF = 120.0
"""Seconds for the proofs of one record."""


@dataclass(frozen=True, slots=True)
class Row:
    """A deal and what was found for it.

    Parameters
    ----------
    line
        Of the input, from 1.
    removed
        The seven cards laid aside.
    multiplicity
        Deals that differ from it by the names of the suits, itself included.
    partitions, support, iterations
        Undominated partitions, arrangements that are played, rounds of the double oracle.
    exploitability
        Exact, in points or in probability.
    status
        ``converged`` or why not.
    """

    line: int
    removed: str
    multiplicity: int
    partitions: int
    support: int
    iterations: int
    exploitability: Fraction
    status: str

    @classmethod
    def of(cls, record: Document) -> "Row":
        """Read a compact record."""
        return cls(
            record["line"],
            record["removed"],
            record["multiplicity"],
            record["undominated_partitions"],
            len(record["arrangements"]),
            record["iterations"],
            Fraction(record["exploitability_exact"]),
            record["status"],
        )

    def fields(self) -> tuple[int | str, ...]:
        """Return the entries of `COLUMNS`."""
        numbers = (self.multiplicity, self.partitions, self.support, self.iterations)
        return (self.line, self.removed, *numbers, str(self.exploitability), self.status)


class Output:
    """The output of a run, read once from its beginning.

    Attributes
    ----------
    header
        Its first record.
    sha256
        Of the uncompressed lines that have been read so far.
    """

    def __init__(self, path: str) -> None:
        self._records = read_records(path)
        self.sha256 = hashlib.sha256()
        self.header: Document = self._digested(next(self._records)).document
        if self.header["schema"] != HEADER_SCHEMA:
            raise SystemExit(f"{path}: expected compact records, with their header first")

    def rows(self) -> Iterator[Row]:
        """Yield the row of every record; a record without an equilibrium ends the program."""
        for record in self._records:
            if "error" in self._digested(record).document:
                raise SystemExit(f"line {record.number}: an error record; go on with --resume first")
            yield Row.of(record.document)

    def _digested(self, record: WrittenRecord) -> WrittenRecord:
        self.sha256.update(record.line.encode() + b"\n")
        return record


def write_parts(rows: Iterator[Row], folder: Path, size: int = PART) -> Iterator[tuple[Document, list[Row]]]:
    """Write tables of `size` rows, and yield what `run.json` says of each, with its rows."""
    while part := [row for _, row in zip(range(size), rows, strict=False)]:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([COLUMNS, *(row.fields() for row in part)])
        content = text.getvalue().encode("ascii")
        path = folder / f"deals-{part[0].line:06}.csv.gz"
        path.write_bytes(gzip.compress(content, 9, mtime=0))
        yield {"file": path.name, "rows": len(part), "sha256": hashlib.sha256(content).hexdigest()}, part


def spread(values: Sequence[float]) -> Document:
    """Return mean, median, 90th percentile (nearest rank) and largest value."""
    numbers = np.sort(np.array(values, dtype=float))
    median, p90 = (float(numbers[int(np.ceil(share * len(numbers))) - 1]) for share in (0.5, 0.9))
    return {"mean": float(numbers.mean()), "median": median, "p90": p90, "worst": float(numbers[-1])}


def figures(rows: Sequence[Row]) -> Document:
    """Return what all rows come to; each canonical deal counts once."""
    names = ("partitions", "support", "iterations", "exploitability")
    open_deals = [row.line for row in rows if row.status != "converged"]
    return {
        "records": len(rows),
        "complete": len(rows) == CANONICAL_DEALS,
        "deals": sum(row.multiplicity for row in rows),
        "status": dict(sorted(Counter(row.status for row in rows).items())),
        "not_converged": open_deals,
        **{name: spread([float(getattr(row, name)) for row in rows]) for name in names},
    }


def verified(path: str, number: int, seed: int, records: int) -> Document:
    """Check records drawn at random with engines other than the one that made them."""
    drawn = set(np.random.default_rng(seed).choice(records, min(number, records), replace=False).tolist())
    failed, claims = [], 0
    header: Document | None = None
    for index, record in enumerate(read_records(path), -1):
        if header is None:
            header = record.document
        elif index in drawn:
            checks = verify_document(full_document(header, record.document), time_limit=PER_PROOF)
            claims += len(checks)
            failed += [f"line {record.document['line']}: {check.name}" for check in checks if not check.holds]
    return {"records": len(drawn), "seed": seed, "claims": claims, "do_not_hold": failed}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write tables and `run.json`, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="compact records of `quintet batch --all`, compressed or not")
    parser.add_argument("--folder", type=Path, help="where to; by default benchmarks/results/whole-game-OBJECTIVE")
    parser.add_argument("--commit", help="that the run was made with")
    parser.add_argument("--workers", help="processes, and how the machine was shared, in words")
    parser.add_argument("--hours", type=float, help="of wall time")
    parser.add_argument("--cpu-hours", type=float, help="of all workers")
    parser.add_argument("--load", type=float, help="mean load of the machine")
    parser.add_argument("--verify", type=int, default=0, metavar="N", help="check N records again")
    parser.add_argument("--seed", type=int, default=0, help="of the records that are checked")
    options = parser.parse_args(arguments)
    output = Output(options.output)
    folder = options.folder or RESULTS / f"whole-game-{output.header['objective']}"
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    parts: list[Document] = []
    for part, part_rows in write_parts(output.rows(), folder):
        parts.append(part)
        rows += part_rows
    settings = ("objective", "rules", "seed", "tolerance", "limits", "versions")
    run: dict[str, Any] = {
        **{name: output.header[name] for name in settings},
        "commit": options.commit,
        "machine": {name: value for name, value in describe_machine().items() if name != "load"},
        "workers": options.workers,
        "hours": options.hours,
        "cpu_hours": options.cpu_hours,
        "load": options.load,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        **figures(rows),
        "output": {"lines": len(rows) + 1, "sha256": output.sha256.hexdigest()},
        "verified": verified(options.output, options.verify, options.seed, len(rows)) if options.verify else None,
        "parts": parts,
    }
    (folder / "run.json").write_text(json.dumps(run, indent=2) + "\n", encoding="ascii")
    print(json.dumps({name: value for name, value in run.items() if name != "parts"}, indent=2))


if __name__ == "__main__":
    main()
