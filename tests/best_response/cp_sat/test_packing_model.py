import os
import subprocess
import sys
import threading
import time
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from solver.best_response.cp_sat.answer import checked_answer
from solver.best_response.cp_sat.packing_model import PackingModel, solve_packing_model
from solver.best_response.cp_sat.patterns import Patterns, minimal_patterns
from solver.best_response.problem import ResponseProblem
from solver.errors import InternalError, LimitReached
from solver.game.arrangement import Arrangement
from solver.game.cards import SUITS
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from solver.strategies.strength_mix import StrengthMix
from solver.system.limits import Limits
from tests.support.brute_force import all_strengths, best_of_vectors
from tests.support.cases import best_response_cases
from tests.support.d1 import D1, FIXTURES
from tests.support.formulations import (
    SOLVERS,
    allows,
    case_problem,
    index_of_flush,
    index_of_ranks,
    problem_telling_apart,
    row_problem,
    unlimited,
)
from tests.support.samples import RULE_SETS, random_arrangement, random_deal, random_mix

CASES = {case.id: case for case in best_response_cases()}
PARTS = ("A", "KA", "QA", "KK", "KKA", "AA", "QQQ", "KKK", "AAA", "7c8cTcJcAc", "7d9dTdJdAd")
MODELS = {
    objective: unlimited(PackingModel, problem_telling_apart(D1, objective, PARTS)) for objective in ("margin", "win")
}


def chosen(**patterns):
    """Return a function that chooses patterns by their ranks or flush cards, as often as said, and no other."""

    def fixed(model):
        counts = np.zeros(len(model.patterns), dtype=np.int64)
        for name, count in patterns.items():
            is_flush = len(name) > 5
            counts[(index_of_flush if is_flush else index_of_ranks)(model.patterns, name)] = count
        return list(zip(model.chosen, counts.tolist(), strict=True))

    return fixed


def solved(problem, solve=solve_packing_model, **options):
    """Return the proven value as a fraction, after checking that the packets are the free cards and have it."""
    answer = solve(problem, **options)
    assert answer.status == "optimal"
    assert answer.value == answer.bound
    assert sorted(card for packet in answer.packets for card in packet) == sorted(problem.deal.cards)
    assert [len(packet) for packet in answer.packets] == [5] * problem.places
    assert problem.evaluate([evaluate_hands(np.array(answer.packets), problem.rules)]).tolist() == [answer.value]
    return Fraction(answer.value, problem.denominator)


# Rules of the model.


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_cores_use_no_more_cards_of_a_rank_than_there_are(objective):
    make = MODELS[objective]
    assert allows(make, chosen(AA=2))
    assert allows(make, chosen(AA=1, KKA=1, QA=1))
    assert not allows(make, chosen(AAA=1, AA=1))
    assert allows(make, chosen(KKK=1, A=1))
    assert not allows(make, chosen(KKK=1, KA=1))


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_flush_cards_count_among_the_ranks(objective):
    make = MODELS[objective]
    assert allows(make, chosen(KK=1, **{"7cTcQcKcAc": 1}))
    assert not allows(make, chosen(KKK=1, **{"7cTcQcKcAc": 1}))


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_a_suit_makes_one_flush_at_most(objective):
    make = MODELS[objective]
    assert allows(make, chosen(**{"7cTcQcKcAc": 1, "7d9dTdJdAd": 1}))
    assert not allows(make, chosen(**{"7cTcQcKcAc": 1, "7c8cTcJcAc": 1}))


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_supply_counts_the_patterns_that_guarantee_a_threshold(objective):
    """One pattern: its own threshold and those below have a supply of one, those above of none."""
    make = MODELS[objective]
    model = make()
    pattern = index_of_ranks(model.patterns, "KKK")
    own = model.objective.union.tolist().index(int(model.patterns.strengths[pattern]))
    for threshold, supply, possible in [
        (own, 1, True),
        (own, 0, False),
        (own, 2, False),
        (own - 1, 1, True),
        (own - 1, 0, False),
        (own + 1, 0, True),
        (own + 1, 1, False),
    ]:

        def fixed(model, threshold=threshold, supply=supply):
            variables = model.supply[threshold]
            counts = [supply] if len(variables) == 1 else [supply > packet for packet in range(len(variables))]
            return [*chosen(KKK=1)(model), *zip(variables, counts, strict=True)]

        assert allows(make, fixed) == possible


def test_the_booleans_of_a_supply_come_true_in_order():
    def fixed(*booleans):
        return lambda model: [*chosen(KKK=1)(model), *zip(model.supply[0], booleans, strict=True)]

    assert allows(MODELS["win"], fixed(1, 0, 0, 0, 0))
    assert not allows(MODELS["win"], fixed(0, 1, 0, 0, 0))


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize(
    ("patterns", "wanted", "possible"),
    [
        ("KKK QQQ", "QQQ KKK - - -", True),
        ("KKK QQQ", "- KKK - - QQQ", True),
        ("KKK QQQ", "KKK KKK - - -", False),
        ("KKK QQQ", "QQQ QQQ - - -", True),
        ("KKK QQQ", "QQQ QQQ QQQ - -", False),
        ("QQQ", "- - - - KKK", False),
        ("KKK", "- - - - KKK", True),
    ],
)
def test_places_want_no_more_than_is_supplied(objective, patterns, wanted, possible):
    def fixed(model):
        strengths = {name: model.patterns.strengths[index_of_ranks(model.patterns, name)] for name in ("KKK", "QQQ")}
        wants = [
            (boolean, int(name != "-" and strengths[name] >= step))
            for name, steps, booleans in zip(
                wanted.split(), model.objective.thresholds, model.objective.reaches, strict=True
            )
            for step, boolean in zip(steps, booleans, strict=True)
        ]
        return [*chosen(**dict.fromkeys(patterns.split(), 1))(model), *wants]

    assert allows(MODELS[objective], fixed) == possible


# Values.


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_known_optima(case, objective):
    assert solved(case_problem(case, objective)) == case.best[objective]


SMALL_GAMES = [
    *((places, suits, rules) for places, suits, rules in product((1, 2), (2, 3, 4), RULE_SETS)),
    (3, 2, Rules()),
    (3, 4, Rules("quintet-text", True)),
    (3, 3, Rules("telesina")),
]


@pytest.mark.parametrize(("places", "suits", "rules"), SMALL_GAMES)
def test_small_games_equal_brute_force(places, suits, rules):
    generator = np.random.default_rng([places, suits])
    deal = random_deal(places, generator, suits)
    vectors = np.unique(all_strengths(deal, rules), axis=0)
    for size, largest in ((1, 1), (3, 20), (8, 2**40)):
        mix = random_mix(deal, generator, size, largest)
        best = best_of_vectors(vectors, mix, rules)
        for objective, solve in product(OBJECTIVES, SOLVERS):
            problem = ResponseProblem.of(deal, mix.strength_mix(rules), objective, rules)
            assert solved(problem, solve) == best[objective]


@pytest.mark.parametrize("rules", [Rules(weights=(1000, 1000, 1000, 1000, 1000)), Rules()], ids=str)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_largest_weights_are_exact_to_the_last_unit(objective, rules):
    """Mixes of the largest total weight, a unit apart."""
    generator = np.random.default_rng(3)
    deal = random_deal(2, generator)
    vectors = np.unique(all_strengths(deal, rules), axis=0)
    arrangements = random_mix(deal, generator, 6).arrangements
    total = 2**53 // sum(rules.weights)
    for shift in range(3):
        weights = [total // 3 - shift, total // 7 + shift, 1, total // 5, total // 9, 2]
        mix = MixedStrategy(arrangements, tuple(weights))
        best = best_of_vectors(vectors, mix, rules)[objective]
        for solve in SOLVERS:
            assert solved(ResponseProblem.of(deal, mix.strength_mix(rules), objective, rules), solve) == best


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_an_opponent_out_of_reach_leaves_nothing_to_optimise(objective, solve):
    deal = D1
    weakest, strongest = -1, 10**6
    points = sum(Rules().weights)
    lost = {"points": 0, "margin": -points, "win": 0}
    won = {"points": points, "margin": points, "win": 1}
    tied = {"points": 3, "margin": 3 - 22, "win": 0}
    assert solved(row_problem(deal, [strongest] * 5, objective), solve) == lost[objective]
    assert solved(row_problem(deal, [weakest] * 5, objective), solve) == won[objective]
    assert solved(row_problem(deal, [weakest, *[strongest] * 4], objective), solve) == tied[objective]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_packet_is_what_it_is(objective):
    deal = Deal(parse_cards("As Ks Qs Js 9s"))
    (flush,) = evaluate_hands([deal.cards])
    for row, best in (
        (flush, {"points": 0, "margin": 0, "win": Fraction(1, 2)}),
        (flush - 1, dict.fromkeys(OBJECTIVES, 3)),
    ):
        expected = min(best[objective], 1) if objective == "win" else best[objective]
        assert solved(row_problem(deal, [row], objective)) == expected


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(4))
def test_locked_packets_count(seed, objective):
    """The optimum with two packets locked is the best of the rest by hand, what they earn included."""
    generator = np.random.default_rng([seed, 21])
    deal = random_deal(4, generator)
    mix, mine = random_mix(deal, generator, 6), random_arrangement(deal, generator)
    locked = {place: mine.packets[place] for place in generator.permutation(4)[:2].tolist()}
    problem = ResponseProblem.of(deal, mix.strength_mix(), objective, None, locked)
    free = all_strengths(problem.deal, Rules())
    vectors = np.empty((len(free), 4), dtype=np.int64)
    vectors[:, [place for place in range(4) if place not in locked]] = free
    for place, packet in locked.items():
        vectors[:, place] = evaluate_hands([packet])
    assert solved(problem) == best_of_vectors(vectors, mix, Rules())[objective]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_d1_against_fixtures(objective):
    sweep = {"points": 25, "margin": 25, "win": 1}
    against_b = ResponseProblem.of(D1, MixedStrategy.pure(FIXTURES["B"]).strength_mix(), objective)
    assert solved(against_b) == sweep[objective]


def test_a_second_question_is_answered_as_the_first_was_never_asked():
    problems = [ResponseProblem.of(D1, MixedStrategy.pure(FIXTURES[name]).strength_mix(), "points") for name in "AB"]
    hint = FIXTURES["S"].packets
    alone = solve_packing_model(problems[0], hint=hint)
    solve_packing_model(problems[1], hint=hint)
    assert solve_packing_model(problems[0], hint=hint) == alone


# Relabelling.


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("case_id", ["H12", "HS02", "HX04"])
def test_relabelled_suits_and_places_change_no_value(case_id, objective):
    case = CASES[case_id]
    for suits, places in zip(
        list(permutations(range(SUITS)))[5::6], list(permutations(range(5)))[23::24], strict=False
    ):
        packets = [Arrangement.of_texts(texts).packets for _, texts in case.opponent]
        moved = [
            Arrangement(
                tuple(tuple(card - card % SUITS + suits[card % SUITS] for card in row[place]) for place in places)
            )
            for row in packets
        ]
        rules = Rules(case.rules.name, case.rules.ace_low, tuple(case.rules.weights[place] for place in places))
        mix = MixedStrategy(tuple(moved[::-1]), tuple(weight for weight, _ in case.opponent)[::-1])
        assert solved(ResponseProblem.of(mix.deal, mix.strength_mix(rules), objective, rules)) == case.best[objective]


# Hints.


def hints_of(deal):
    """Yield hints by name: legal ones from good to bad, and all kinds of illegal ones."""
    cards = deal.cards
    in_order = [cards[start : start + 5] for start in range(0, 25, 5)]
    yield "weak", in_order
    yield "weak, unsorted lists", [list(packet[::-1]) for packet in in_order[::-1]]
    yield "empty", []
    yield "empty packets", [()] * 5
    yield "four packets", in_order[:4]
    yield "uneven packets", [cards[:4], cards[4:10], *in_order[2:]]
    yield "a card twice", [in_order[0], in_order[0], *in_order[2:]]
    yield "foreign cards", [[0, 1, 2, 3, 4], *in_order[1:]]
    yield "ids beyond the pack", [[-1, 99, 10**9, 5, 6], *in_order[1:]]


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_hint_changes_the_value(objective, solve):
    case = CASES["HS00"]
    problem = case_problem(case, objective)
    best = solve(problem).packets
    names = []
    for name, hint in [("best", best), *hints_of(problem.deal)]:
        assert solved(problem, solve, hint=hint) == case.best[objective], name
        names.append(name)
    assert len(names) == 10


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("case_id", ["HS04", "HX00", "H22"])
def test_a_legal_hint_is_a_solution_worth_its_value(case_id, objective):
    """Every variable is hinted, and with all of them fixed the model claims exactly what the packets are worth."""
    problem = case_problem(CASES[case_id], objective)
    generator = np.random.default_rng(8)
    for _ in range(5):
        packets = random_arrangement(problem.deal, generator).packets
        model = unlimited(PackingModel, problem)()
        model.hint(packets)
        hinted = model.model.proto.solution_hint
        constants = 2 if objective == "win" else 0
        assert len(hinted.vars) == len(set(hinted.vars)) == len(model.model.proto.variables) - constants

        def fixed(model, packets=packets):
            model.hint(packets)
            hinted = model.model.proto.solution_hint
            return [
                (model.model.get_int_var_from_proto_index(v), h)
                for v, h in zip(hinted.vars, hinted.values, strict=True)
            ]

        assert allows(unlimited(PackingModel, problem), fixed)
        values = [0] * len(model.model.proto.variables)
        for variable, value in zip(hinted.vars, hinted.values, strict=True):
            values[variable] = value
        strengths = evaluate_hands(np.array(packets), problem.rules)
        assert model.objective.value(values) == problem.evaluate([strengths])[0]


# Limits.


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_nothing_is_known_where_the_limit_comes_first(objective, solve):
    problem = case_problem(CASES["H00"], objective)
    interrupt = threading.Event()
    interrupt.set()
    for limits in (Limits(time.monotonic()), Limits(interrupt=interrupt), Limits(-1.0)):
        assert solve(problem, limits=limits) is None


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(("case_id", "objective"), [("HX09", "margin"), ("HX11", "win")])
def test_a_deadline_leaves_a_sound_answer(case_id, objective, solve):
    case = CASES[case_id]
    problem = case_problem(case, objective)
    statuses = set()
    for seconds in (0.001, 0.01, 0.03, 0.1, 0.2):
        answer = solve(problem, limits=Limits.within(seconds))
        statuses.add(answer and answer.status)
        if answer is not None:
            strengths = evaluate_hands(np.array(answer.packets), problem.rules)
            assert problem.evaluate([strengths])[0] == answer.value
            assert answer.value <= case.best[objective] * problem.denominator <= answer.bound
    assert None in statuses


def test_a_deadline_stops_the_building_of_a_large_model():
    rows = evaluate_hands(np.random.default_rng(0).permuted(np.tile(D1.cards, (50_000, 1)), axis=1)[:, :5])
    rows = np.random.default_rng(1).choice(rows, (100_000, 5))
    mix = StrengthMix.of_rows(rows, np.ones(len(rows), dtype=np.int64))
    problem = ResponseProblem.of(D1, mix, "win")
    with pytest.raises(LimitReached):
        PackingModel(problem, Limits(deadline=time.monotonic() + 0.2))


def test_an_interrupt_during_the_search_leaves_the_best_so_far():
    """The first solution in the log sets the event; the proof takes longer than the event takes to be noticed."""
    case = CASES["HX11"]
    problem = case_problem(case, "win")
    interrupt = threading.Event()

    def log(line):
        if "#1 " in line:
            interrupt.set()

    answer = solve_packing_model(problem, limits=Limits(interrupt=interrupt), log=log)
    assert interrupt.is_set()
    assert answer.status == "feasible"
    assert answer.value <= case.best["win"] * problem.denominator <= answer.bound


# Reproducibility.


def test_the_same_question_and_seed_give_the_same_packets():
    problem = case_problem(CASES["HS03"], "margin")
    answers = [solve_packing_model(problem, seed=seed) for seed in (0, 0, 7, 7)]
    assert answers[0] == answers[1]
    assert answers[2] == answers[3]
    assert answers[0].value == answers[2].value


def test_the_hash_seed_of_the_process_plays_no_part():
    program = (
        "from tests.support.formulations import case_problem; from tests.support.cases import best_response_cases\n"
        "from solver.best_response.cp_sat.packing_model import solve_packing_model\n"
        "print(solve_packing_model(case_problem(best_response_cases()[20], 'points')))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    (output,) = outputs
    assert b"EngineAnswer" in output


# The check of every answer.


def test_an_answer_that_does_not_hold_is_an_error():
    problem = ResponseProblem.of(D1, MixedStrategy.pure(FIXTURES["B"]).strength_mix(), "points")
    packets = FIXTURES["A"].packets
    assert checked_answer(problem, packets, 7, 25).status == "feasible"
    assert checked_answer(problem, packets, 3, 7).status == "optimal"
    assert checked_answer(problem, packets, 3, 7).value == 7
    with pytest.raises(InternalError, match="claims 8 to 25 for packets that are worth 7"):
        checked_answer(problem, packets, 8, 25)
    with pytest.raises(InternalError, match="claims 0 to 6 for packets that are worth 7"):
        checked_answer(problem, packets, 0, 6)
    with pytest.raises(InternalError, match="do not lay out"):
        checked_answer(problem, [packets[0]] * 5, 0, 25)


def test_a_formulation_that_overrates_a_core_is_found_out(monkeypatch):
    def overrated(deal, rules, thresholds):
        patterns = minimal_patterns(deal, rules, thresholds)
        return Patterns(patterns.counts, np.full_like(patterns.strengths, thresholds[-1]), patterns.flushes)

    monkeypatch.setattr("solver.best_response.cp_sat.packing_model.minimal_patterns", overrated)
    with pytest.raises(InternalError, match="the model claims"):
        solve_packing_model(case_problem(CASES["HS00"], "margin"))
