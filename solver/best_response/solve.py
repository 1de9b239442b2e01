"""The best arrangement against an opponent: choice of engine, proof, and the check of every answer."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Protocol

import numpy as np

from solver.best_response.cp_sat.packing_model import solve_packing_model
from solver.best_response.enumeration import best_vectors
from solver.best_response.greedy import greedy_arrangement
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import undominated_partitions
from solver.errors import InternalError, OpponentError, QuintetError
from solver.game.arrangement import Arrangement, require_deal
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.payoffs import Value, value_against
from solver.strategies.strength_mix import StrengthMix

ENGINES = ("cpsat", "enumerate", "both")

OPTIMAL, FEASIBLE, INTERRUPTED = "optimal", "feasible", "interrupted"

Packets = Sequence[Sequence[int]]
Locked = Mapping[int, Sequence[int]]


class HasMix(Protocol):
    """Anything that carries a `StrengthMix`, such as an opponent."""

    @property
    def mix(self) -> StrengthMix:
        """The mix as the engines see it."""
        ...


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the best arrangements by enumeration."""

    arrangement: Arrangement
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class BestResponse:
    """A checked answer to a best-response question.

    Parameters
    ----------
    deal, rules, objective, engine
        What was asked, and who answered.
    status
        ``optimal`` (proven), ``feasible`` or ``interrupted``.
    arrangement
        The best arrangement found.
    value
        Its six exact figures; None if the opponent was not ready in time.
    bound_exact
        Proven upper bound of the objective over all arrangements; None where `value` is.
    alternatives
        The best undominated strength vectors, if asked for, best first.
    locked
        Packets that were fixed, by place (0-based).
    """

    deal: Deal
    rules: Rules
    objective: str
    engine: str
    status: str
    arrangement: Arrangement
    value: Value | None
    bound_exact: Fraction | None
    alternatives: tuple[Alternative, ...] = ()
    locked: Locked = field(default_factory=dict)

    @property
    def objective_value_exact(self) -> Fraction | None:
        """The objective's figure of the arrangement: points, or a probability for ``win``."""
        return None if self.value is None else self.value.of(self.objective)

    @property
    def objective_value(self) -> float | None:
        """`objective_value_exact` as a float."""
        return None if self.objective_value_exact is None else float(self.objective_value_exact)

    @property
    def bound(self) -> float | None:
        """`bound_exact` as a float."""
        return None if self.bound_exact is None else float(self.bound_exact)


class DisagreementError(InternalError):
    """Two engines claim to have proven different values; the message is a report that can be filed."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """What an engine says: packets of the free places, integer value and bound, and whether they are proven equal."""

    packets: Packets
    value: int
    bound: int
    proven: bool


def solve_best_response(
    deal: Deal,
    mix: MixedStrategy | StrengthMix | HasMix,
    objective: str = "points",
    rules: Rules | None = None,
    engine: str = "cpsat",
    *,
    locked: Locked | None = None,
    top: int = 0,
    time_limit: float | None = None,
    seed: int = 0,
    interrupt: threading.Event | None = None,
    log: Callable[[str], None] | None = None,
) -> BestResponse:
    """Return the arrangement that maximises an objective against a mix, with its proof status.

    Parameters
    ----------
    deal
        The cards to lay out.
    mix
        The opponent: a `MixedStrategy`, or what `parse_opponent` returns.
    objective
        ``points``, ``margin`` or ``win``.
    rules
        `Rules()` if omitted.
    engine
        ``cpsat`` (the CP-SAT model), ``enumerate`` (search of the undominated partitions) or ``both``, which must
        agree.
    locked
        Packets of five card ids that are fixed, by place (0-based).
    top
        Number of best undominated strength vectors to list as `alternatives`.
    time_limit
        Seconds for everything, or None.
    seed
        Seed of the CP-SAT search; it never changes the value.
    interrupt
        Set by another thread to end the search early.
    log
        Receives the lines of the CP-SAT log.

    Raises
    ------
    QuintetError
        If an argument is out of range or the locked packets do not fit.
    DisagreementError
        If two engines prove different values.
    InternalError
        If an engine's claim does not survive the re-check.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    if engine not in ENGINES:
        raise QuintetError(f"unknown engine {engine!r}: expected one of {', '.join(ENGINES)}")
    if top < 0:
        raise QuintetError(f"the number of alternatives must be 0 or more, not {top}")
    if time_limit is not None and not time_limit >= 0:
        raise QuintetError(f"time limit {time_limit!r}: expected a number of at least 0")
    if seed < 0:
        raise QuintetError(f"seed must be 0 or more, not {seed}")
    rules = rules or Rules()
    strengths = _strength_mix(mix, deal, rules)
    locked = dict(locked or {})
    problem = ResponseProblem.of(deal, strengths, objective, rules, locked)
    alternatives: list[_Claim] = []
    by_model: list[_Claim] = []
    if engine in ("enumerate", "both") or top:
        partitions = undominated_partitions(problem.deal, rules)
        ranking = best_vectors(problem, partitions, max(top, 1), lambda: _stopped(deadline, interrupt))
        alternatives = [
            _Claim(answer.packets, answer.value, ranking.bound, answer.value == ranking.bound)
            for answer in ranking.answers
        ]
    if engine in ("cpsat", "both"):
        by_model = [_model_claim(problem, deadline, interrupt, seed, log)]
    everybody = [*by_model, *alternatives[:1]]
    _require_agreement(problem, everybody)
    claim = max(everybody, key=lambda each: each.value)
    claims = by_model if engine == "cpsat" else everybody
    proven = all(each.proven for each in claims)

    def checked(each: _Claim) -> tuple[Arrangement, Value]:
        try:
            arrangement = _with_locked(each.packets, locked, deal)
        except QuintetError as error:
            raise InternalError(f"an engine returned illegal packets: {error}") from None
        return arrangement, check_value(deal, rules, objective, strengths, arrangement, problem, each.value)

    arrangement, value = checked(claim)
    bound = Fraction(min(each.bound for each in claims), problem.denominator)
    if bound < value.of(objective) or (proven and bound != value.of(objective)):
        raise InternalError(f"the bound {bound} does not fit the value {value.of(objective)}")
    interrupted = _stopped(None, interrupt)
    return BestResponse(
        deal=deal,
        rules=rules,
        objective=objective,
        engine=engine,
        status=OPTIMAL if proven else INTERRUPTED if interrupted else FEASIBLE,
        arrangement=arrangement,
        value=value,
        bound_exact=bound,
        alternatives=tuple(Alternative(*checked(each)) for each in alternatives[:top]),
        locked=locked,
    )


def _stopped(deadline: float | None, interrupt: threading.Event | None) -> bool:
    return (interrupt is not None and interrupt.is_set()) or (deadline is not None and time.monotonic() >= deadline)


def quick_response(
    deal: Deal, objective: str, rules: Rules, engine: str, locked: Locked | None = None, *, interrupted: bool = False
) -> BestResponse:
    """Return the greedy arrangement as an answer without figures, for when the opponent was not ready in time."""
    fixed = dict(locked or {})
    used = {card for packet in fixed.values() for card in packet}
    left = tuple(card for card in deal.cards if card not in used)
    packets = greedy_arrangement(Deal(left), rules).packets if left else ()
    return BestResponse(
        deal=deal,
        rules=rules,
        objective=objective,
        engine=engine,
        status=INTERRUPTED if interrupted else FEASIBLE,
        arrangement=_with_locked(packets, fixed, deal),
        value=None,
        bound_exact=None,
        locked=fixed,
    )


def check_value(
    deal: Deal,
    rules: Rules,
    objective: str,
    mix: StrengthMix,
    arrangement: Arrangement,
    problem: ResponseProblem,
    claimed: int,
) -> Value:
    """Re-score an arrangement from its cards alone and return its figures.

    Raises
    ------
    InternalError
        If it does not lay out the deal, or the claimed integer value is not what it is worth.
    """
    try:
        require_deal(arrangement, deal)
    except QuintetError as error:
        raise InternalError(f"an engine returned an illegal arrangement: {error}") from None
    value = value_against(arrangement.strengths(rules), mix, rules.weights)
    if value.of(objective) != Fraction(claimed, problem.denominator):
        raise InternalError(
            f"an engine claims {Fraction(claimed, problem.denominator)} for {arrangement.text()}, "
            f"which is worth {value.of(objective)}"
        )
    return value


def _strength_mix(mix: MixedStrategy | StrengthMix | HasMix, deal: Deal, rules: Rules) -> StrengthMix:
    if isinstance(mix, MixedStrategy):
        require_deal(mix.arrangements[0], deal, "the opponent")
        return mix.strength_mix(rules)
    strengths = mix if isinstance(mix, StrengthMix) else getattr(mix, "mix", None)
    if not isinstance(strengths, StrengthMix):
        raise OpponentError(f"expected a MixedStrategy or an opponent from parse_opponent, not {type(mix).__name__}")
    return strengths


def _model_claim(
    problem: ResponseProblem,
    deadline: float | None,
    interrupt: threading.Event | None,
    seed: int,
    log: Callable[[str], None] | None,
) -> _Claim:
    hint = _greedy_claim(problem)
    answer = solve_packing_model(problem, hint=hint.packets, deadline=deadline, interrupt=interrupt, seed=seed, log=log)
    bound = hint.bound if answer.bound is None else min(answer.bound, hint.bound)
    if answer.packets is None or answer.value is None:
        return _Claim(hint.packets, hint.value, bound, bound == hint.value)
    return _Claim(answer.packets, answer.value, bound, answer.status == OPTIMAL)


def _greedy_claim(problem: ResponseProblem) -> _Claim:
    """Return the greedy packets in their best order, bounded by the best that each place could give by itself."""
    packets = greedy_arrangement(problem.deal, problem.rules).packets
    strengths = evaluate_hands(np.array(packets), problem.rules)
    orders = np.array(list(permutations(range(problem.places))))
    values = problem.evaluate(strengths[orders])
    best = int(np.argmax(values))
    strongest = np.full((1, problem.places), np.iinfo(np.int64).max)
    bound = int(problem.evaluate(strongest)[0])
    return _Claim([packets[index] for index in orders[best]], int(values[best]), bound, int(values[best]) == bound)


def _with_locked(packets: Packets, locked: Locked, deal: Deal) -> Arrangement:
    free = iter(packets)
    return Arrangement(tuple(tuple(locked[p] if p in locked else next(free)) for p in range(deal.places)))


def _require_agreement(problem: ResponseProblem, claims: Sequence[_Claim]) -> None:
    """Raise a report if two claims contradict each other: no value may lie above another's bound."""
    if max(claim.value for claim in claims) <= min(claim.bound for claim in claims):
        return
    lines = ["the engines disagree; please report this text"]
    lines.append(f"free cards: {problem.deal.text()}")
    lines.append(f"rules: {problem.rules}, free places worth {problem.weights}")
    lines.append(f"objective: {problem.objective}, in units of 1/{problem.denominator}")
    lines.append(f"opponent: {len(problem.mix.rows)} rows, strengths {problem.mix.rows[:5].tolist()} …")
    for claim in claims:
        cards = Arrangement(tuple(tuple(packet) for packet in claim.packets)).text()
        lines.append(f"value {claim.value}, bound {claim.bound}, proven {claim.proven}: {cards}")
    raise DisagreementError("\n".join(lines))
