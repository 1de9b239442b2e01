"""Deals at the edges of what 25 of the 32 cards can be, with their numbers of undominated partitions."""

from dataclasses import dataclass

from solver.game.deal import Deal
from solver.game.rules import Rules
from tests.support.cases import best_response_cases


@dataclass(frozen=True)
class ExtremeDeal:
    name: str
    deal: Deal
    rules: Rules
    partitions: int


def _removed(name, cards, partitions, rules=None):
    return ExtremeDeal(name, Deal.from_removed(cards), rules or Rules(), partitions)


def _case(name, case_id):
    case = next(case for case in best_response_cases() if case.id == case_id)
    return ExtremeDeal(name, Deal.parse(case.cards), case.rules, case.undominated_partitions)


EXTREME_DEALS = (
    _removed("three whole suits and a seven", "8c 9c Tc Jc Qc Kc Ac", 10),
    _removed("three whole suits and an ace", "7c 8c 9c Tc Jc Qc Kc", 44),
    _removed("no sevens and one eight", "7c 7d 7h 7s 8c 8d 8h", 3),
    _removed("no aces and one king", "Ac Ad Ah As Kc Kd Kh", 3),
    _removed("three of each of seven ranks", "7c 8d 9h Ts Jc Qd Kh", 1741),
    _case("many partitions", "HS07"),
    _case("few partitions", "H16"),
    _removed("a single partition", "8s Jc Jd Jh Qh Qs Kd", 1, Rules("quintet-text")),
)
