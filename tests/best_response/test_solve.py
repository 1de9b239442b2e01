"""The choice of engine, the proof, and the check that stands between an engine and the user."""

import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from solver.best_response import solve as module
from solver.best_response.cp_sat import packing_model
from solver.best_response.enumeration import MANY_ROWS, all_values
from solver.best_response.greedy import greedy_arrangement
from solver.best_response.problem import ResponseProblem
from solver.best_response.result import Engine
from solver.best_response.solve import DisagreementError, quick_response, solve_best_response
from solver.errors import ArrangementError, InternalError, OpponentError, PayoffError, QuintetError
from solver.game.rules import Rules
from solver.opponents.specification import parse_opponent
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from tests.support.brute_force import best_by_hand
from tests.support.d1 import D1, FIXTURES
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.samples import random_arrangement, random_deal, random_mix
from tests.support.scoring import figures

FEW = EXTREME_DEALS[6].deal  # where the best arrangements differ by objective and no packet is sure to win


def strong_mix(deal):
    """Return a mix of which nothing beats every part: the greedy packets in all orders, unevenly weighted."""
    mix = parse_opponent("greedy-shuffled", deal).strategies
    weights = np.random.default_rng(51).integers(1, 1000, size=len(mix.arrangements))
    return MixedStrategy(mix.arrangements, tuple(weights.tolist()))


MIX = strong_mix(FEW)
B = MixedStrategy.pure(FIXTURES["B"])


def stopped():
    interrupt = threading.Event()
    interrupt.set()
    return interrupt


# Answers.


@pytest.mark.parametrize("engine", tuple(Engine))
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("places", [1, 2, 3])
def test_small_games_are_solved_as_by_brute_force(places, objective, engine):
    generator = np.random.default_rng([places, 52])
    deal = random_deal(places, generator, suits=3)
    mix = random_mix(deal, generator, 5)
    response = solve_best_response(deal, mix, objective, engine=engine)
    best = best_by_hand(deal, mix, Rules())[objective]
    assert (response.status, response.objective_value_exact, response.bound_exact) == ("optimal", best, best)
    assert response.arrangement.deal == deal


@pytest.mark.parametrize("engine", tuple(Engine))
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_figures_are_those_of_the_printed_cards(objective, engine):
    response = solve_best_response(FEW, MIX, objective, engine=engine)
    listed = [(weight, a.packet_texts()) for a, weight in zip(MIX.arrangements, MIX.weights, strict=True)]
    six = figures(response.arrangement.packet_texts(), listed, Rules())
    assert {name: getattr(response.value, name) for name in six} == six
    assert response.status == "optimal"
    assert response.objective_value == float(response.objective_value_exact) == response.bound
    assert response.engine == ("cpsat" if engine == "auto" else engine)


def test_what_earlier_questions_were_changes_nothing():
    against_b, against_a = (solve_best_response(D1, MixedStrategy.pure(FIXTURES[name])) for name in "BA")
    again = solve_best_response(D1, B)
    assert against_b.objective_value_exact == again.objective_value_exact == 25
    assert against_b.arrangement == again.arrangement
    assert (
        against_a.objective_value_exact
        == solve_best_response(D1, MixedStrategy.pure(FIXTURES["A"]), engine="enumerate").objective_value_exact
    )


@pytest.mark.parametrize("seed", [0, 1, 2**31, 10**30])
def test_the_seed_changes_no_value(seed):
    assert solve_best_response(FEW, MIX, seed=seed).bound_exact == solve_best_response(FEW, MIX).bound_exact


def test_sampled_opponents_are_proven_for_their_sample():
    opponent = parse_opponent("random", FEW, samples=20)
    first, second = (solve_best_response(FEW, opponent, "win", engine=engine) for engine in ("cpsat", "enumerate"))
    assert first.status == second.status == "optimal"
    assert first.bound_exact == second.bound_exact
    assert (first.bound_exact * 40).denominator == 1


def test_auto_enumerates_where_the_model_would_be_slow():
    opponent = parse_opponent("quantal:1", FEW)
    assert len(opponent.mix.rows) > MANY_ROWS
    assert solve_best_response(FEW, opponent, "win").engine == "enumerate"
    assert solve_best_response(FEW, opponent, "margin").engine == "cpsat"
    assert solve_best_response(FEW, parse_opponent("greedy", FEW), "win").engine == "cpsat"


@pytest.mark.parametrize("engine", ["cpsat", "both"])
def test_too_many_rows_for_a_model_are_refused(monkeypatch, engine):
    monkeypatch.setattr(module, "MOST_ROWS", 5000)
    with pytest.raises(OpponentError, match=f"engine {engine}: the opponent plays 12120 different rows"):
        solve_best_response(FEW, parse_opponent("quantal:1", FEW), "win", engine=engine)


# Locked packets and alternatives.


@pytest.mark.parametrize("engine", tuple(Engine))
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_locked_packets_stay_and_the_rest_is_best(objective, engine):
    mine = random_arrangement(FEW, np.random.default_rng(53))
    locked = {1: mine.packets[1], 4: mine.packets[4]}
    response = solve_best_response(FEW, MIX, objective, engine=engine, locked=locked)
    assert response.arrangement.packets[1] == mine.packets[1]
    assert response.arrangement.packets[4] == mine.packets[4]
    assert response.status == "optimal"
    free = solve_best_response(FEW, MIX, objective, engine="enumerate")
    assert response.bound_exact <= free.bound_exact
    # Locking what the best arrangement has anyway costs nothing.
    same = solve_best_response(FEW, MIX, objective, engine=engine, locked={0: free.arrangement.packets[0]})
    assert same.bound_exact == free.bound_exact


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_alternatives_fall_from_the_optimum_and_are_all_different(objective):
    response = solve_best_response(FEW, MIX, objective, top=25)
    values = [alternative.value.of(objective) for alternative in response.alternatives]
    assert len(values) == 25
    assert values == sorted(values, reverse=True)
    assert values[0] == response.bound_exact
    vectors = {alternative.arrangement.strengths() for alternative in response.alternatives}
    assert len(vectors) == 25


def test_there_are_as_many_alternatives_as_undominated_vectors():
    deal = EXTREME_DEALS[2].deal
    mix = random_mix(deal, np.random.default_rng(54), 3)
    response = solve_best_response(deal, mix, top=100_000)
    vectors = {alternative.arrangement.strengths() for alternative in response.alternatives}
    assert len(vectors) == len(response.alternatives) < 3 * 120


# Limits.


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_time_gives_the_greedy_packets_in_their_best_order(objective):
    response = solve_best_response(FEW, MIX, objective, time_limit=0)
    assert response.status == "feasible"
    packets = greedy_arrangement(FEW).packets
    assert set(response.arrangement.packets) == set(packets)
    optimum = solve_best_response(FEW, MIX, objective, engine="enumerate").bound_exact
    assert response.objective_value_exact <= optimum <= response.bound_exact


def test_an_interrupt_gives_what_there_is():
    response = solve_best_response(FEW, MIX, interrupt=stopped())
    assert response.status == "interrupted"
    assert response.objective_value_exact <= response.bound_exact


def test_both_engines_must_prove_the_value():
    response = solve_best_response(FEW, MIX, engine="both", time_limit=0)
    assert response.status == "feasible"
    assert response.objective_value_exact == response.bound_exact  # the enumeration was not stopped


def test_alternatives_are_not_better_than_an_answer_that_was_stopped():
    response = solve_best_response(FEW, MIX, top=3, time_limit=0)
    assert response.status == "feasible"
    assert response.arrangement == response.alternatives[0].arrangement


def test_enumeration_knows_no_limit():
    assert solve_best_response(FEW, MIX, engine="enumerate", time_limit=0, interrupt=stopped()).status == "optimal"


def test_a_quick_response_has_no_figures():
    locked = {2: FIXTURES["A"].packets[2]}
    response = quick_response(D1, "points", Rules(), "cpsat", locked)
    assert (response.status, response.value, response.objective_value, response.bound) == ("feasible", None, None, None)
    assert response.arrangement.deal == D1
    assert response.arrangement.packets[2] == locked[2]
    assert quick_response(D1, "points", Rules(), "cpsat").arrangement == greedy_arrangement(D1)
    assert quick_response(D1, "points", Rules(), "cpsat", interrupted=True).status == "interrupted"


# What a caller can get wrong.


@pytest.mark.parametrize(
    ("arguments", "error", "complaint"),
    [
        ({"engine": "guess"}, QuintetError, "unknown engine 'guess': expected one of auto, cpsat, enumerate, both"),
        ({"objective": "fun"}, PayoffError, "unknown objective 'fun'"),
        ({"top": -1}, QuintetError, "alternatives must be 0 or more, not -1"),
        ({"time_limit": -0.5}, QuintetError, "time limit -0.5"),
        ({"time_limit": float("nan")}, QuintetError, "time limit nan"),
        ({"seed": -1}, QuintetError, "seed must be 0 or more, not -1"),
        ({"mix": None}, OpponentError, "not NoneType"),
        ({"mix": "greedy"}, OpponentError, "not str"),
        ({"mix": B}, ArrangementError, "the opponent uses"),
        ({"locked": {5: FEW.cards[:5]}}, ArrangementError, "place 6 does not exist"),
        ({"locked": {0: FEW.cards[:4]}}, ArrangementError, "has 4 cards: expected 5"),
        ({"locked": {0: FEW.cards[:5], 1: FEW.cards[4:9]}}, ArrangementError, "is locked twice"),
        ({"locked": {0: FEW.removed[:5]}}, ArrangementError, "is not in the deal"),
        ({"locked": {p: FEW.cards[5 * p : 5 * p + 5] for p in range(5)}}, ArrangementError, "every place is locked"),
    ],
)
def test_bad_arguments_are_named(arguments, error, complaint):
    with pytest.raises(error) as raised:
        solve_best_response(**{"deal": FEW, "mix": MIX, **arguments})
    assert complaint in str(raised.value)


# Engines that err: nothing of it may reach the user.


def tampered(monkeypatch, name, change):
    """Let a function that `best_response` uses return something else than it should."""
    home = packing_model if name == "solve_packing_model" else module
    honest = getattr(home, name)
    monkeypatch.setattr(home, name, lambda *args, **options: change(honest(*args, **options)))


def swapped(packets):
    """Exchange two cards of the first packet with two of the second."""
    first, second, *others = (tuple(packet) for packet in packets)
    return ((*first[:3], *second[3:]), (*second[:3], *first[3:]), *others)


MODEL_FAULTS = {
    "value too high": lambda answer: replace(answer, value=answer.value + 1, bound=answer.bound + 1),
    "value too low": lambda answer: replace(answer, value=answer.value - 1),
    "bound too low": lambda answer: replace(answer, bound=answer.bound - 1),
    "cards exchanged": lambda answer: replace(answer, packets=swapped(answer.packets)),
    "packets exchanged": lambda answer: replace(answer, packets=(*answer.packets[1:], answer.packets[0])),
    "a card twice": lambda answer: replace(answer, packets=(answer.packets[0], *answer.packets[:4])),
    "a packet short": lambda answer: replace(answer, packets=(answer.packets[0][:4], *answer.packets[1:])),
}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("fault", MODEL_FAULTS)
def test_no_fault_of_the_model_gets_through(monkeypatch, fault, objective):
    tampered(monkeypatch, "solve_packing_model", MODEL_FAULTS[fault])
    with pytest.raises(InternalError):
        solve_best_response(FEW, MIX, objective)


def with_first(change):
    """Return a change of a ranking by a change of its first answer."""
    return lambda ranking: (change(ranking[0]), *ranking[1:])


ENUMERATION_FAULTS = {
    "value too high": with_first(lambda answer: replace(answer, value=answer.value + 1)),
    "value too low": with_first(lambda answer: replace(answer, value=answer.value - 1)),
    "bound too low": with_first(lambda answer: replace(answer, bound=answer.bound - 1)),
    "cards exchanged": with_first(lambda answer: replace(answer, packets=swapped(answer.packets))),
    "packets exchanged": with_first(lambda answer: replace(answer, packets=(*answer.packets[1:], answer.packets[0]))),
}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("fault", ENUMERATION_FAULTS)
def test_no_fault_of_the_enumeration_gets_through(monkeypatch, fault, objective):
    tampered(monkeypatch, "best_vectors", ENUMERATION_FAULTS[fault])
    with pytest.raises(InternalError):
        solve_best_response(FEW, MIX, objective, engine="enumerate")


def test_no_fault_of_an_alternative_gets_through(monkeypatch):
    def last_value_off_by_one(ranking):
        *others, last = ranking
        return (*others, replace(last, value=last.value - 1))

    tampered(monkeypatch, "best_vectors", last_value_off_by_one)
    with pytest.raises(InternalError):
        solve_best_response(FEW, MIX, top=7)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("engine", tuple(Engine))
def test_no_changed_weight_gets_through(monkeypatch, engine, objective):
    class Tampered(ResponseProblem):
        @classmethod
        def of(cls, deal, mix, *arguments):
            changed = MixedStrategy(MIX.arrangements, (MIX.weights[0] + 1, *MIX.weights[1:]))
            return ResponseProblem.of(deal, changed.strength_mix(), *arguments)

    monkeypatch.setattr(module, "ResponseProblem", Tampered)
    with pytest.raises(InternalError):
        solve_best_response(FEW, MIX, objective, engine=engine)


def without_the_best(partitions, objective):
    """Delete every partition that reaches the optimum."""
    problem = ResponseProblem.of(FEW, MIX.strength_mix(), objective)
    values = all_values(problem, partitions)
    reached = (values == values.max()).any(axis=1)
    strengths, hands = (array[~reached] for array in (partitions.strengths, partitions.hands))
    return replace(partitions, strengths=strengths, hands=hands)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_deleted_partition_makes_the_engines_disagree(monkeypatch, objective):
    tampered(monkeypatch, "undominated_partitions", lambda partitions: without_the_best(partitions, objective))
    optimum = solve_best_response(FEW, MIX, objective).objective_value_exact
    assert solve_best_response(FEW, MIX, objective, engine="enumerate").objective_value_exact < optimum
    with pytest.raises(DisagreementError) as raised:
        solve_best_response(FEW, MIX, objective, engine="both")
    report = str(raised.value)
    assert "the engines disagree" in report
    assert FEW.text() in report
    assert report.count("optimal: ") == 2
    # The list of alternatives comes from the enumeration, so it is held against the model as well.
    with pytest.raises(DisagreementError):
        solve_best_response(FEW, MIX, objective, top=1)


def test_figures_are_fractions_in_lowest_terms():
    response = solve_best_response(FEW, MIX)
    assert isinstance(response.bound_exact, Fraction)
    assert MIX.total % response.bound_exact.denominator == 0
