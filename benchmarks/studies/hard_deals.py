"""`win` equilibria on the hardest deals known, by a batch with a time limit of 60 seconds a deal.

The exploitability that each record claims is computed again from its strategies.
"""

import json
import tempfile
from fractions import Fraction
from pathlib import Path

from benchmarks.deals.instance_sets import instances
from benchmarks.reporting.figures import Cactus, Figure, Scatter
from benchmarks.reporting.processes import run_quintet
from benchmarks.reporting.summary import SOLVED, UNSOLVED, Record, seconds_of
from benchmarks.reporting.tables import Table, seconds_text, time_table
from solver.equilibrium.certificate import exploitability
from solver.game.deal import Deal
from solver.strategies.mixed_strategy import MixedStrategy

TITLE = "Hard deals"
LESSON = "How the slowest `win` equilibria fare, and what is left of them at the limit."
SET, TIME_LIMIT = "hard-20", 60.0
SIZES = {"tiny": ("extreme-8", 1, 60.0), "quick": (SET, 2, 10.0), "full": (SET, 20, TIME_LIMIT)}
"""Set, its first deals, and seconds for each."""


def run(size: str) -> list[Record]:
    """Return one record a deal."""
    name, count, limit = SIZES[size]
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "deals.jsonl", Path(folder) / "records.jsonl"
        lines = [json.dumps({"id": deal.id, "cards": deal.deal.text()}) for deal in instances(name, count)]
        source.write_text("\n".join(lines), encoding="utf-8")
        run_quintet(
            "batch", str(source), "--task", "equilibrium", "--objective", "win", "--time-limit", str(limit),
            "--timings", "--quiet", "--output", str(output),
        )  # fmt: skip
        documents = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    records: list[Record] = []
    for document in documents:
        deal = Deal.parse(document["deal"]["cards"])
        mix = MixedStrategy.from_records(document["strategies"], deal)
        exact = exploitability(deal, mix, "win")
        if exact != Fraction(document["exploitability_exact"]):
            raise AssertionError(
                f"deal {document['id']}: exploitability {exact}, not {document['exploitability_exact']}"
            )
        records.append(
            {
                "group": name,
                "contestant": "quintet batch --task equilibrium --objective win",
                "instance": str(document["id"]),
                "status": SOLVED if document["status"] == "converged" else UNSOLVED,
                "seconds": document["timings"]["seconds"],
                "limit": limit,
                "partitions": document["undominated_partitions"],
                "support": len(document["strategies"]),
                "exploitability": float(exact),
            }
        )
    return records


def tables(records: list[Record]) -> list[Table]:
    """Return the times, and the deals one by one."""
    deals = tuple(
        (
            record["instance"],
            f"{record['partitions']:,}",
            str(record["support"]),
            seconds_text(record["seconds"]) if record["status"] == SOLVED else f"> {record['limit']:g} s",
            f"{record['exploitability']:.1e}" if record["exploitability"] else "0",
        )
        for record in records
    )
    header = ("deal", "partitions", "support", "seconds", "exploitability")
    return [time_table("`win` equilibrium, partitions included", records), Table("Deals", header, deals)]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot, and seconds by the number of arrangements in the mix."""
    solved = [(record["support"], record["seconds"]) for record in records if record["status"] == SOLVED]
    cactus = Cactus("hard-deals-times", "`win` equilibrium on hard deals", {SET: seconds_of(records)})
    if not solved:
        return [cactus]
    title = "Hard deals: seconds by the size of the mix"
    return [cactus, Scatter("hard-deals-support", title, "arrangements in the mix", "seconds", {"solved": solved})]
