"""The search for `hard-20`: the deals whose `win` equilibrium takes longest.

Among the first 2,000 deals of seed 2, the 200 with most undominated partitions are solved, each with a time limit of 60
seconds; the twenty slowest are kept, those without a solution first. Partitions are cheap to count and a large game is
seldom an easy one, so the search wastes little time on deals that are solved at once.

    python -m benchmarks.deals.hard_search
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.reporting.processes import run_quintet
from solver.batch.deal_sources import INSTANCES
from solver.dominance.partitions import undominated_partitions
from solver.game.deal import Deal, random_deals

SEED = 2
DEALS, CANDIDATES, KEPT = 2000, 200, 20
TIME_LIMIT = 60


def search(deals: int = DEALS, candidates: int = CANDIDATES, kept: int = KEPT) -> list[dict[str, Any]]:
    """Return the lines of the set, slowest first."""
    dealt = list(enumerate(random_deals(SEED, deals), 1))
    largest = sorted(dealt, key=lambda pair: (-len(undominated_partitions(pair[1])), pair[0]))[:candidates]
    records = _solved([{"id": f"{SEED}-{number}", "cards": deal.text()} for number, deal in largest])
    records.sort(key=lambda record: (record["status"] == "converged", -record["timings"]["seconds"]))
    return [_line(record) for record in records[:kept]]


def _solved(deals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "deals.jsonl", Path(folder) / "records.jsonl"
        source.write_text("".join(json.dumps(deal) + "\n" for deal in deals), encoding="utf-8")
        run_quintet(
            "batch", str(source), "--task", "equilibrium", "--objective", "win", "--time-limit", str(TIME_LIMIT),
            "--timings", "--quiet", "--output", str(output),
        )  # fmt: skip
        return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


def _line(record: dict[str, Any]) -> dict[str, Any]:
    deal = Deal.parse(record["deal"]["cards"])
    return {
        "id": record["id"],
        "cards": deal.text(),
        "removed": record["deal"]["removed"],
        "partitions": record["undominated_partitions"],
        "support": len(record["strategies"]),
        "iterations": record["iterations"],
        "status": record["status"],
        "seconds": round(record["timings"]["seconds"], 1),
    }


def main() -> None:
    """Write the set."""
    text = "".join(json.dumps(line) + "\n" for line in search())
    (INSTANCES / f"hard-{KEPT}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
