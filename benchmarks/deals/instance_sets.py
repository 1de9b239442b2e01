"""The named sets of deals in `benchmarks/deals`, as `quintet batch --instances` reads them."""

import json
from dataclasses import dataclass
from typing import Any

from solver.batch.deal_sources import INSTANCES
from solver.game.deal import Deal
from solver.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Instance:
    """One deal of a set.

    Parameters
    ----------
    set, id
        Name of the set, and of the deal in it.
    deal, rules
        The deal, and the rule set under which it belongs to the set.
    partitions
        Number of undominated partitions, where the set tells it.
    """

    set: str
    id: str
    deal: Deal
    rules: Rules
    partitions: int | None


def instances(name: str, count: int | None = None) -> list[Instance]:
    """Return the first `count` deals of a set, or all of them."""
    lines = (INSTANCES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_instance(name, json.loads(line)) for line in lines[:count]]


def _instance(name: str, fields: dict[str, Any]) -> Instance:
    rules = Rules(fields.get("rules", "quintet"))
    return Instance(name, str(fields["id"]), Deal.parse(fields["cards"]), rules, fields.get("partitions"))
