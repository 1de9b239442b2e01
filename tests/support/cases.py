"""The deals with known exact optima, and the rules and mixes that their rows describe."""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from solver.game.rules import Rules

DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True)
class Case:
    """One row of best_response.jsonl."""

    id: str
    cards: str
    rules: Rules
    opponent: tuple[tuple[int, tuple[str, ...]], ...]
    strength_classes: int
    undominated_partitions: int
    best: dict[str, Fraction]


@cache
def best_response_cases() -> tuple[Case, ...]:
    lines = (DATA / "best_response.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_case(json.loads(line)) for line in lines)


def _case(row: dict) -> Case:
    rules = row["rules"]
    poker = "quintet" if rules["kickers"] else "quintet-text"
    name = "telesina" if rules.get("telesina", False) else poker
    return Case(
        id=row["id"],
        cards=row["cards"],
        rules=Rules(name, rules["ace_low_straight"], tuple(rules["weights"])),
        opponent=tuple((item["weight"], tuple(item["arrangement"])) for item in row["opponent"]),
        strength_classes=row["strength_classes"],
        undominated_partitions=row["undominated_partitions"],
        best={objective: Fraction(value) for objective, value in row["best"].items()},
    )
