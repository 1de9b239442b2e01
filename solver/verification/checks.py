"""What saved results claim, and the check of each claim with engines other than the one that made the result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Any

from solver.best_response.cp_sat.packing_model import solve_packing_model
from solver.best_response.dynamic_program import best_value
from solver.best_response.engine_answer import Status
from solver.best_response.enumeration import best_vectors, win_values_by_rows
from solver.best_response.problem import ResponseProblem, require_locks
from solver.best_response.result import Engine
from solver.best_response.solve import MOST_ROWS
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.certificate import GAME_VALUES, exploitability
from solver.equilibrium.result import EquilibriumStatus
from solver.equilibrium.solve import default_tolerance
from solver.errors import ResultError
from solver.game.arrangement import Arrangement, require_deal
from solver.game.deal import Deal
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.opponents.specification import Opponent, parse_opponent, parse_spec
from solver.results.equilibria import draw
from solver.results.opponents import opponent_fields
from solver.results.packets import packet_fields, packets_of
from solver.results.shared_fields import deal_fields, exact, parse_exact, value_fields
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.strategies.payoffs import value_against
from solver.system.json_document import Document
from solver.system.limits import Limits

NOT_PROVEN = "not refuted, not proven"
_LONGEST_FRACTION = 20

_REBUILT_MODELS = ("greedy", "greedy-shuffled", "level")
_SOLVE_STATUSES = (Status.OPTIMAL, Status.FEASIBLE, Status.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Check:
    """One claim of a document and whether it holds.

    Parameters
    ----------
    name, holds, detail
        Which, whether, and what it says or what is wrong.
    line
        Which record of a batch makes the claim, or None.
    """

    name: str
    holds: bool
    detail: str
    line: int | None = None

    @property
    def answer(self) -> str:
        """``yes``, ``NO``, or ``open`` for what was not refuted either."""
        return "yes" if self.holds else "open" if self.detail == NOT_PROVEN else "NO"


@dataclass(frozen=True, slots=True)
class Claim:
    """A document with what it says it is about."""

    document: Document
    deal: Deal
    rules: Rules
    objective: str
    seed: int
    limits: Limits

    @classmethod
    def of(cls, document: Document, limits: Limits) -> "Claim":
        """Read what a document is about.

        Raises
        ------
        QuintetError, LookupError, TypeError, ValueError, AttributeError
            If a field is missing or has the wrong form, as from the checks.
        """
        rules, seed = document["rules"], document["seed"]
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ResultError(f"seed {seed!r:.40}: expected a whole number of at least 0")
        return cls(
            document=document,
            deal=Deal.parse(document["deal"]["cards"]),
            rules=Rules(rules["name"], rules["ace_low"], tuple(rules["weights"])),
            objective=document["objective"],
            seed=seed,
            limits=limits,
        )

    def same(self, name: str, expected: Any) -> Check:
        """Compare a field with what it must be."""
        difference = _first_difference(self.document[name], expected, name)
        if difference is not None:
            return Check(name, False, difference)
        return Check(name, True, "as recomputed" if isinstance(expected, dict | list) else str(expected)[:80])


def _first_difference(claimed: Any, expected: Any, name: str) -> str | None:
    """Return where two JSON values differ first and how, or None."""
    if isinstance(claimed, dict) and isinstance(expected, dict) and claimed.keys() == expected.keys():
        parts = [(claimed[key], expected[key], f"{name}.{key}") for key in expected]
    elif isinstance(claimed, list) and isinstance(expected, list) and len(claimed) == len(expected):
        parts = [(*pair, f"{name}[{index}]") for index, pair in enumerate(zip(claimed, expected, strict=True))]
    elif claimed == expected and isinstance(claimed, bool) == isinstance(expected, bool):
        return None
    else:
        return f"{name}: claimed {_excerpt(claimed, expected)}, is {_excerpt(expected, claimed)}"
    return next((found for part in parts if (found := _first_difference(*part)) is not None), None)


def _excerpt(value: Any, other: Any, length: int = 60) -> str:
    """Return a value as text, or the part of a long one where it begins to differ from another."""
    text = repr(value)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, repr(other), strict=False)))
    if len(text) <= length or common < length // 2:
        return text[:length]
    return f"…{text[common - length // 4 :][: length - 1]}"


def solve_checks(claim: Claim) -> Iterator[Check]:
    """Check a result of `solve` claim by claim, and prove its optimum again."""
    document, deal, rules = claim.document, claim.deal, claim.rules
    yield claim.same("deal", deal_fields(deal))
    if document["engine"] not in tuple(Engine):
        yield Check("engine", False, f"{document['engine']!r:.40} is none of {', '.join(tuple(Engine))}")
    arrangement = Arrangement.of_texts(document["arrangement"])
    require_deal(arrangement, deal)
    locked = {int(place) - 1: parse_cards(cards) for place, cards in document["locked"].items()}
    for place, packet in locked.items():
        if set(arrangement.packets[place]) != set(packet):
            yield Check("locked", False, f"the packet of place {place + 1} is not the locked one")
    require_locks(deal, locked)
    yield Check("arrangement", True, "25 cards of the deal, each once")
    if document["value"] is None:
        yield from _unanswered_checks(claim, arrangement)
        return
    yield _known_status(document["status"], _SOLVE_STATUSES)
    opponent = _opponent(claim)
    yield claim.same("opponent", opponent_fields(document["opponent"]["spec"], opponent))
    if opponent.strategies is not None and [_model(spec) for spec in opponent.spec] == ["equilibrium"]:
        objective = Objective.WIN if claim.objective == Objective.WIN else Objective.MARGIN
        gain, tolerance = (
            exploitability(deal, opponent.strategies, objective, rules),
            default_tolerance(objective, rules),
        )
        yield Check("opponent", bool(gain <= tolerance), f"exploitability {float(gain):.3g}, tolerance {tolerance:.3g}")
    yield claim.same("packets", packet_fields(packets_of(arrangement, rules, opponent.mix)))
    value = value_against(arrangement.strengths(rules), opponent.mix, rules.weights)
    yield claim.same("value", value_fields(value))
    mine = value.of(claim.objective)
    yield claim.same("objective_value", float(mine))
    yield claim.same("objective_value_exact", exact(mine))
    problem = ResponseProblem.of(deal, opponent.mix, claim.objective, rules, locked)
    bound = parse_exact(document["bound_exact"])
    yield claim.same("bound", float(bound))
    partitions = undominated_partitions(problem.deal, rules)
    count = len(document["alternatives"])
    ranked = best_vectors(problem, partitions, max(count, 1))
    optimum = Fraction(ranked[0].value, problem.denominator)
    if document["status"] == Status.OPTIMAL:
        yield _equal("optimum", "objective_value_exact", mine, optimum)
        yield _equal("bound", "bound_exact", bound, optimum)
    else:
        holds = mine <= optimum <= bound
        yield Check("bound", holds, " <= ".join(map(_short if holds else str, (mine, optimum, bound))))
    yield from _proofs(claim, problem, ranked[0].value)
    if count:
        yield _alternatives_check(claim, opponent, [Fraction(each.value, problem.denominator) for each in ranked])


def _unanswered_checks(claim: Claim, arrangement: Arrangement) -> Iterator[Check]:
    """Check a document whose opponent was not ready: it claims nothing that depends on one."""
    yield claim.same("packets", packet_fields(packets_of(arrangement, claim.rules, None)))
    for name in ("objective_value", "objective_value_exact", "bound", "bound_exact"):
        yield claim.same(name, None)
    yield claim.same("alternatives", [])
    yield _known_status(claim.document["status"], (Status.FEASIBLE, Status.INTERRUPTED))


def _known_status(status: Any, known: Sequence[str]) -> Check:
    holds = status in known
    return Check("status", holds, str(status) if holds else f"{status!r:.40} is none of {', '.join(known)}")


def _opponent(claim: Claim) -> Opponent:
    """Return the opponent as the document lists it; what it does not list, or what is cheap to make, is made anew."""
    fields, rules = claim.document["opponent"], claim.rules
    specs = tuple(fields["spec"])
    for spec in specs:
        parse_spec(spec)
    if "strategies" in fields and not {_model(spec) for spec in specs} <= set(_REBUILT_MODELS):
        mix = MixedStrategy.from_records(fields["strategies"], claim.deal, rules)
        return Opponent(specs, mix.strength_mix(rules), mix)
    return parse_opponent(
        specs,
        claim.deal,
        rules,
        objective=claim.objective,
        samples=fields.get("samples", 1),
        seed=claim.seed,
        limits=claim.limits,
    )


def _model(spec: str) -> str:
    """Return the name of the model in ``[W:]NAME[:PARAMETER]``."""
    return spec.strip().lstrip("0123456789:").partition(":")[0]


def _alternatives_check(claim: Claim, opponent: Opponent, expected: list[Fraction]) -> Check:
    seen = set()
    for number, (record, figure) in enumerate(zip(claim.document["alternatives"], expected, strict=True), 1):
        arrangement = Arrangement.of_texts(record["arrangement"])
        require_deal(arrangement, claim.deal)
        strengths = arrangement.strengths(claim.rules)
        value = value_against(strengths, opponent.mix, claim.rules.weights)
        if value.of(claim.objective) != figure:
            detail = f"number {number} is worth {value.of(claim.objective)}, expected {figure}"
            return Check("alternatives", False, detail)
        fields = {
            "objective_value_exact": exact(figure),
            "objective_value": float(figure),
            "value": value_fields(value),
        }
        difference = _first_difference(record, {"arrangement": record["arrangement"], **fields}, f"number {number}")
        if difference is not None:
            return Check("alternatives", False, difference)
        if strengths in seen:
            return Check("alternatives", False, f"number {number} repeats the strengths of another")
        seen.add(strengths)
    return Check("alternatives", True, f"the {len(expected)} best strength vectors, all different")


def equilibrium_checks(claim: Claim) -> Iterator[Check]:
    """Check a result of `equilibrium` claim by claim, and prove again what a best response gains."""
    document, deal, rules = claim.document, claim.deal, claim.rules
    yield claim.same("deal", deal_fields(deal))
    mix = MixedStrategy.from_records(document["strategies"], deal, rules)
    yield claim.same("strategies", mix.records())
    yield claim.same("total_weight", mix.total)
    yield claim.same("undominated_partitions", len(undominated_partitions(deal, rules)))
    gain = exploitability(deal, mix, claim.objective, rules)
    yield claim.same("exploitability_exact", exact(gain))
    yield claim.same("exploitability", float(gain))
    yield _known_status(document["status"], tuple(EquilibriumStatus))
    if document["status"] == EquilibriumStatus.CONVERGED:
        tolerance = document["tolerance"]
        yield Check("converged", bool(gain <= tolerance), f"{float(gain):.3g}, tolerance {tolerance:.3g}")
    rounds = document["iterations"]
    counted = isinstance(rounds, int) and not isinstance(rounds, bool) and rounds >= 0
    yield Check("iterations", counted, f"{rounds!r:.40}")
    yield claim.same("play", draw(mix, claim.seed).packet_texts())
    problem = ResponseProblem.of(deal, mix.strength_mix(rules), claim.objective, rules)
    best = (gain + GAME_VALUES[claim.objective]) * problem.denominator
    yield from _proofs(claim, problem, int(best))


def _proofs(claim: Claim, problem: ResponseProblem, optimum: int) -> Iterator[Check]:
    """Prove the value of a best response again: without dominance where the objective allows it, and by CP-SAT."""
    if problem.objective != Objective.WIN:
        value = best_value(problem)
        yield Check("dynamic program", value == optimum, _worth(value, optimum, problem))
    elif len(problem.mix.rows) > MOST_ROWS:
        partitions = undominated_partitions(problem.deal, problem.rules)
        values, missing = win_values_by_rows(problem, partitions.strengths, claim.limits)
        value = int(values.max())
        detail = NOT_PROVEN if missing else _worth(value, optimum, problem)
        yield Check("row by row", value == optimum and not missing, detail)
        return
    answer = solve_packing_model(problem, limits=claim.limits)
    if answer is None or answer.status != Status.OPTIMAL:
        yield Check("CP-SAT", False, NOT_PROVEN)
    else:
        yield Check("CP-SAT", answer.value == optimum, _worth(answer.value, optimum, problem))


def _worth(value: int, optimum: int, problem: ResponseProblem) -> str:
    exact, expected = (Fraction(each, problem.denominator) for each in (value, optimum))
    return f"best response worth {_short(exact) if exact == expected else f'{exact}, not {expected}'}"


def _equal(name: str, field: str, claimed: Fraction, optimum: Fraction) -> Check:
    equal = claimed == optimum
    detail = f"is the optimum, {_short(optimum)}" if equal else f"is {claimed}, the optimum {optimum}"
    return Check(name, equal, f"{field} {detail}")


def _short(value: Fraction) -> str:
    """Return a figure for a person to read: exactly if that is short."""
    exact = str(value)
    return exact if len(exact) <= _LONGEST_FRACTION else f"{float(value):.6g}"
