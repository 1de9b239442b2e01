"""The best arrangement against an opponent: choice of engine, proof, and the check of every answer."""

import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Protocol

import numpy as np

from solver.best_response.engine_answer import EngineAnswer, Status
from solver.best_response.enumeration import MANY_ROWS, best_vectors
from solver.best_response.greedy import greedy_arrangement
from solver.best_response.problem import ResponseProblem
from solver.best_response.result import Alternative, BestResponse, Engine, Locked
from solver.dominance.partitions import undominated_partitions
from solver.errors import InternalError, OpponentError, QuintetError
from solver.game.arrangement import Arrangement, require_deal
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective, require_objective
from solver.strategies.payoffs import Value, value_against
from solver.strategies.strength_mix import StrengthMix
from solver.system.limits import Limits

Packets = Sequence[Sequence[int]]

MOST_ROWS = 50_000
"""Rows of a mix that a CP-SAT model is built for."""


class HasMix(Protocol):
    """Anything that carries a `StrengthMix`, such as an opponent."""

    @property
    def mix(self) -> StrengthMix:
        """The mix as the engines see it."""
        ...


class DisagreementError(InternalError):
    """Two engines claim to have proven different values; the message is a report that can be filed."""


def solve_best_response(
    deal: Deal,
    mix: MixedStrategy | StrengthMix | HasMix,
    objective: str = "points",
    rules: Rules | None = None,
    engine: str = "auto",
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
        ``cpsat`` (the CP-SAT model), ``enumerate`` (search of the undominated partitions), ``both``, which must agree,
        or ``auto``: enumeration for ``win`` against more than `MANY_ROWS` rows, else CP-SAT.
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
    limits = Limits.within(time_limit, interrupt)
    _require_arguments(engine, top, time_limit, seed)
    rules = rules or Rules()
    strengths = _strength_mix(mix, deal, rules)
    locked = dict(locked or {})
    problem = ResponseProblem.of(deal, strengths, objective, rules, locked)
    engine = _chosen_engine(engine, problem)
    listed: tuple[EngineAnswer, ...] = ()
    if engine != Engine.CPSAT or top:
        listed = best_vectors(problem, undominated_partitions(problem.deal, rules), max(top, 1), limits)
    modelled = () if engine == Engine.ENUMERATE else (_by_model(problem, limits, seed, log),)
    _require_agreement(problem, [*modelled, *listed[:1]])

    def checked(answer: EngineAnswer) -> tuple[Arrangement, Value]:
        return _checked(answer, deal, rules, problem, strengths, locked)

    arrangement, value = checked(max((*modelled, *listed[:1]), key=lambda answer: answer.value))
    asked = modelled if engine == Engine.CPSAT else (*modelled, *listed[:1])
    bound, proven = _proof(asked, value.of(objective), problem.denominator)
    return BestResponse(
        deal=deal,
        rules=rules,
        objective=Objective(objective),
        engine=engine,
        status=Status.OPTIMAL if proven else Status.INTERRUPTED if limits.interrupted else Status.FEASIBLE,
        arrangement=arrangement,
        value=value,
        bound_exact=bound,
        alternatives=tuple(Alternative(*checked(answer)) for answer in listed[:top]),
        locked=locked,
    )


def _require_arguments(engine: str, top: int, time_limit: float | None, seed: int) -> None:
    if engine not in tuple(Engine):
        raise QuintetError(f"unknown engine {engine!r}: expected one of {', '.join(Engine)}")
    if top < 0:
        raise QuintetError(f"the number of alternatives must be 0 or more, not {top}")
    if time_limit is not None and not time_limit >= 0:
        raise QuintetError(f"time limit {time_limit!r}: expected a number of at least 0")
    if seed < 0:
        raise QuintetError(f"seed must be 0 or more, not {seed}")


def _chosen_engine(engine: str, problem: ResponseProblem) -> Engine:
    """Return who shall answer.

    Raises
    ------
    OpponentError
        If CP-SAT is asked by name about more rows than it can take.
    """
    rows = len(problem.mix.rows) if problem.objective == Objective.WIN else 0
    if engine == Engine.AUTO:
        return Engine.ENUMERATE if rows > MANY_ROWS else Engine.CPSAT
    if engine != Engine.ENUMERATE and rows > MOST_ROWS:
        raise OpponentError(
            f"engine {engine}: the opponent plays {rows} different rows of strengths, CP-SAT takes up to {MOST_ROWS} "
            "for win: expected --engine enumerate"
        )
    return Engine(engine)


def _checked(
    answer: EngineAnswer, deal: Deal, rules: Rules, problem: ResponseProblem, mix: StrengthMix, locked: Locked
) -> tuple[Arrangement, Value]:
    """Return an engine's packets as an arrangement with its figures, scored again from the cards alone."""
    try:
        arrangement = _with_locked(answer.packets, locked, deal)
    except QuintetError as error:
        raise InternalError(f"an engine returned illegal packets: {error}") from None
    return arrangement, check_value(deal, rules, problem.objective, mix, arrangement, problem, answer.value)


def _proof(answers: Sequence[EngineAnswer], value: Fraction, denominator: int) -> tuple[Fraction, bool]:
    """Return what no arrangement exceeds, and whether every engine asked has proven its answer."""
    bound = Fraction(min(answer.bound for answer in answers), denominator)
    proven = all(answer.status == Status.OPTIMAL for answer in answers)
    if bound < value or (proven and bound != value):
        raise InternalError(f"the bound {bound} does not fit the value {value}")
    return bound, proven


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
        objective=require_objective(objective),
        engine=Engine.CPSAT if engine == Engine.AUTO and objective != Objective.WIN else Engine(engine),
        status=Status.INTERRUPTED if interrupted else Status.FEASIBLE,
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


def _by_model(problem: ResponseProblem, limits: Limits, seed: int, log: Callable[[str], None] | None) -> EngineAnswer:
    """Ask CP-SAT, starting from the greedy packets, which stand in where it finds none in time."""
    # Loading OR-Tools takes a quarter of a second: only who asks CP-SAT waits for it.
    from solver.best_response.cp_sat.packing_model import solve_packing_model

    hint = _greedy_answer(problem)
    answer = solve_packing_model(problem, hint=hint.packets, limits=limits, seed=seed, log=log)
    if answer is None:
        return hint
    return EngineAnswer(answer.value, min(answer.bound, hint.bound), answer.packets)


def _greedy_answer(problem: ResponseProblem) -> EngineAnswer:
    """Return the greedy packets in their best order, bounded by the best that each place could give by itself."""
    packets = greedy_arrangement(problem.deal, problem.rules).packets
    strengths = evaluate_hands(np.array(packets), problem.rules)
    orders = np.array(list(permutations(range(problem.places))))
    values = problem.evaluate(strengths[orders])
    best = int(np.argmax(values))
    strongest = np.full((1, problem.places), np.iinfo(np.int64).max)
    bound = int(problem.evaluate(strongest)[0])
    return EngineAnswer(int(values[best]), bound, tuple(packets[index] for index in orders[best]))


def _with_locked(packets: Packets, locked: Locked, deal: Deal) -> Arrangement:
    free = iter(packets)
    return Arrangement(tuple(tuple(locked[p] if p in locked else next(free)) for p in range(deal.places)))


def _require_agreement(problem: ResponseProblem, answers: Sequence[EngineAnswer]) -> None:
    """Raise a report if two answers contradict each other: no value may lie above another's bound."""
    if max(answer.value for answer in answers) <= min(answer.bound for answer in answers):
        return
    lines = ["the engines disagree; please report this text"]
    lines.append(f"free cards: {problem.deal.text()}")
    lines.append(f"rules: {problem.rules}, free places worth {problem.weights}")
    lines.append(f"objective: {problem.objective}, in units of 1/{problem.denominator}")
    lines.append(f"opponent: {len(problem.mix.rows)} rows, strengths {problem.mix.rows[:5].tolist()} …")
    for answer in answers:
        cards = Arrangement(answer.packets).text()
        lines.append(f"value {answer.value}, bound {answer.bound}, {answer.status}: {cards}")
    raise DisagreementError("\n".join(lines))
