"""The equilibrium of whole games: proven, held to games played out in full, and stopped in every way."""

import math
import threading
from fractions import Fraction

import numpy as np
import pytest

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium.certificate import GAME_VALUES, exploitability
from solver.equilibrium.double_oracle import best_orders
from solver.equilibrium.matrix_game import solve_matrix_game
from solver.equilibrium.pricing import MarginPricing, WinPricing
from solver.equilibrium.result import EquilibriumStatus
from solver.equilibrium.solve import default_tolerance, solve_equilibrium
from solver.errors import ArrangementError, PayoffError
from solver.game.deal import Deal, random_deals
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.brute_force import all_strengths, best_by_hand
from tests.support.d1 import D1, FIXTURES
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.samples import RULE_SETS, random_deal, random_mix

OBJECTIVES = tuple(GAME_VALUES)
FEW = EXTREME_DEALS[1].deal
"""44 undominated partitions: both objectives converge in a moment."""
BAR = Fraction(1, 10**9)


def check(found):
    """Hold a result to its own claims: an exact certificate, a history that falls, a sound mix."""
    assert found.exploitability_exact == exploitability(found.deal, found.strategies, found.objective, found.rules)
    assert found.exploitability_exact >= 0
    assert found.exploitability == float(found.exploitability_exact)
    assert found.iterations == len(found.history)
    assert all(later <= earlier for earlier, later in zip(found.history, found.history[1:], strict=False))
    assert found.strategies.deal == found.deal
    assert len(set(found.strategies.arrangements)) == len(found.strategies.arrangements)
    assert found.undominated_partitions == ArrangementTable.of(found.deal, found.rules).partition_count


def check_converged(found):
    check(found)
    assert found.status == EquilibriumStatus.CONVERGED
    assert found.exploitability_exact <= default_tolerance(found.objective, found.rules)


def as_bytes(found):
    return repr((found.strategies, found.exploitability_exact, found.iterations, found.status, found.history))


# Small games, played out in full.


def full_matrix(deal, rules, objective):
    vectors = all_strengths(deal, rules)
    margins = np.sign(vectors[:, None] - vectors) @ np.array(rules.weights[: deal.places])
    return margins if objective == "margin" else (np.sign(margins) + 1) / 2


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_two_packets_against_the_full_matrix(rules, objective):
    generator = np.random.default_rng(1)
    for suits in (2, 3, 4):
        deal = random_deal(2, generator, suits)
        payoffs = full_matrix(deal, rules, objective)
        value = float(GAME_VALUES[objective])
        assert solve_matrix_game(payoffs).value == pytest.approx(value, abs=1e-8 * sum(rules.weights[:2]))
        found = solve_equilibrium(deal, objective, rules)
        check_converged(found)
        row_of = {tuple(row): index for index, row in enumerate(all_strengths(deal, rules).tolist())}
        mix = np.zeros(len(payoffs))
        for arrangement, share in zip(found.strategies.arrangements, found.strategies.probabilities, strict=True):
            mix[row_of[arrangement.strengths(rules)]] += share
        assert (payoffs @ mix).max() <= value + 1e-9 * sum(rules.weights[:2])
        assert (mix @ payoffs).min() >= value - 1e-9 * sum(rules.weights[:2])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_packet_is_played_as_it_is(objective):
    found = solve_equilibrium(random_deal(1, np.random.default_rng(2)), objective)
    check_converged(found)
    assert (len(found.strategies.arrangements), found.exploitability_exact) == (1, 0)


def check_three_packets(rules, seed, suit_counts):
    generator = np.random.default_rng(seed)
    for suits in suit_counts:
        deal = random_deal(3, generator, suits)
        for objective, value in GAME_VALUES.items():
            found = solve_equilibrium(deal, objective, rules)
            check_converged(found)
            assert best_by_hand(deal, found.strategies, rules)[objective] - value == found.exploitability_exact


def test_three_packets_against_all_756756_arrangements():
    check_three_packets(Rules(), 3, [3])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_three_packets_of_all_rules_against_all_756756_arrangements(rules, seed):
    check_three_packets(rules, 10 + seed, [2, 3, 4])


# Real deals.


# In one of these deals new arrangements set the path back by four orders of magnitude shortly before the end.
@pytest.mark.parametrize("deal", [*random_deals(0, 3), EXTREME_DEALS[0].deal], ids=Deal.text)
def test_margin_converges(deal):
    check_converged(solve_equilibrium(deal))


@pytest.mark.parametrize("deal", [next(random_deals(0, 1)), EXTREME_DEALS[0].deal], ids=Deal.text)
def test_win_converges(deal):
    check_converged(solve_equilibrium(deal, "win"))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("deal", EXTREME_DEALS[2:4], ids=lambda extreme: extreme.name)
def test_extreme_deals_converge(deal, objective):
    check_converged(solve_equilibrium(deal.deal, objective, deal.rules))


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("deal", list(random_deals(100, 100)), ids=Deal.text)
def test_a_hundred_deals_converge(deal, objective):
    check_converged(solve_equilibrium(deal, objective))


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("deal", EXTREME_DEALS, ids=lambda extreme: extreme.name)
def test_all_extreme_deals_converge(deal, objective):
    check_converged(solve_equilibrium(deal.deal, objective, deal.rules))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    "rules",
    [
        Rules("telesina"),
        Rules("quintet-text", ace_low=True),
        Rules(weights=(1000, 1, 1, 1, 1)),
        Rules(weights=(1000,) * 5),
        Rules(weights=(1, 1, 1, 1, 1)),
    ],
    ids=str,
)
def test_other_rules_and_weights_converge(rules, objective):
    check_converged(solve_equilibrium(FEW, objective, rules))


# Places that are worth the same make games with many more equilibria, the most degenerate there are.
@pytest.mark.parametrize("deal", list(random_deals(7, 3)), ids=Deal.text)
@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (1, 1, 1, 2, 2), (1000, 999, 998, 997, 996)], ids=str)
def test_places_of_equal_worth(weights, deal):
    check_converged(solve_equilibrium(deal, rules=Rules(weights=weights)))


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("deal", list(random_deals(8, 10)), ids=Deal.text)
@pytest.mark.parametrize("rules", [Rules(weights=(1, 1, 1, 2, 2)), Rules("quintet-text", weights=(1,) * 5)], ids=str)
def test_places_of_equal_worth_in_more_deals(rules, deal, objective):
    check_converged(solve_equilibrium(deal, objective, rules))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_deal_with_a_single_partition(objective):
    single = EXTREME_DEALS[-1]
    found = solve_equilibrium(single.deal, objective, single.rules)
    check_converged(found)
    assert found.undominated_partitions == 1
    packets = {frozenset(arrangement.packets) for arrangement in found.strategies.arrangements}
    assert len(packets) == 1


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_two_runs_give_the_same_bytes(objective):
    assert as_bytes(solve_equilibrium(FEW, objective)) == as_bytes(solve_equilibrium(FEW, objective))


def test_each_objective_has_its_own_equilibrium():
    margin = solve_equilibrium(FEW, "margin")
    assert exploitability(FEW, margin.strategies, "win") > Fraction(1, 100)


# Limits.


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    ("limits", "status"),
    [
        ({"max_iterations": 0}, EquilibriumStatus.ITERATION_LIMIT),
        ({"max_iterations": 4}, EquilibriumStatus.ITERATION_LIMIT),
        ({"time_limit": 0}, EquilibriumStatus.TIME_LIMIT),
    ],
)
def test_a_limit_leaves_a_proven_bound(limits, status, objective):
    found = solve_equilibrium(D1, objective, **limits)
    check(found)
    assert found.status == status
    assert found.exploitability_exact > BAR
    assert found.iterations == max(limits.get("max_iterations", 0), 1)


def test_more_rounds_are_never_worse():
    gains = [solve_equilibrium(D1, max_iterations=count).exploitability_exact for count in (1, 5, 15, 30)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < gains[0]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_it_stops_at_its_tolerance_and_sooner_at_a_wider_one(objective):
    rounds = []
    for tolerance in (0.1, 1e-3, 1e-6):
        found = solve_equilibrium(FEW, objective, tolerance=tolerance)
        check(found)
        assert found.status == EquilibriumStatus.CONVERGED
        assert found.exploitability_exact <= tolerance
        rounds.append(found.iterations)
    assert rounds == sorted(set(rounds))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_tolerance_at_all_ends_too(objective):
    found = solve_equilibrium(FEW, objective, tolerance=0)
    check(found)
    assert (found.status == EquilibriumStatus.CONVERGED) == (found.exploitability_exact == 0)
    assert found.exploitability_exact < Fraction(1, 10**11)


def test_the_default_tolerance_is_a_share_of_the_points():
    assert default_tolerance("win", Rules(weights=(1000,) * 5)) == 1e-9
    assert default_tolerance("margin", Rules()) == 1e-9
    assert default_tolerance("margin", Rules(weights=(1000,) * 5)) == pytest.approx(2e-7)


def test_an_interrupt_ends_it_with_what_it_has():
    interrupt = threading.Event()

    def stop(progress):
        if progress.iteration == 3:
            interrupt.set()

    found = solve_equilibrium(D1, callback=stop, interrupt=interrupt)
    check(found)
    assert (found.status, found.iterations) == (EquilibriumStatus.INTERRUPTED, 3)
    assert found.exploitability_exact > BAR


def test_an_interrupt_before_the_start_still_gives_a_bound():
    interrupt = threading.Event()
    interrupt.set()
    found = solve_equilibrium(D1, "win", interrupt=interrupt)
    check(found)
    assert found.status == EquilibriumStatus.INTERRUPTED


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_round_is_told(objective):
    told = []
    found = solve_equilibrium(FEW, objective, callback=told.append)
    assert [progress.iteration for progress in told] == list(range(1, found.iterations + 1))
    assert tuple(progress.exploitability for progress in told) == found.history
    sizes = [progress.restricted_size for progress in told]
    assert sizes == sorted(sizes)
    assert sizes[-1] >= len(found.strategies.arrangements)


@pytest.mark.parametrize("limit", ["tolerance", "max_iterations", "time_limit"])
@pytest.mark.parametrize("number", [-1, math.nan])
def test_limits_that_are_none_are_refused(limit, number):
    with pytest.raises(PayoffError, match=limit):
        solve_equilibrium(FEW, **{limit: number})


def test_points_have_no_equilibrium_here():
    with pytest.raises(PayoffError, match="expected margin or win"):
        solve_equilibrium(FEW, "points")


# Going on.


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_stopped_run_is_gone_on_from(objective):
    stopped = solve_equilibrium(FEW, objective, max_iterations=3)
    assert stopped.status == EquilibriumStatus.ITERATION_LIMIT
    check_converged(solve_equilibrium(FEW, objective, start=stopped.strategies))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_converged_run_is_kept_as_it_is(objective):
    found = solve_equilibrium(FEW, objective)
    again = solve_equilibrium(FEW, objective, start=found.strategies, max_iterations=0, time_limit=0)
    assert again.strategies == found.strategies
    assert again.exploitability_exact == found.exploitability_exact
    assert (again.status, again.iterations, again.history) == (EquilibriumStatus.CONVERGED, 0, ())


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_going_on_never_loses_ground(objective):
    start = random_mix(FEW, np.random.default_rng(5), 5)
    gains = [exploitability(FEW, start, objective)]
    for _ in range(4):
        found = solve_equilibrium(FEW, objective, max_iterations=1, start=start)
        check(found)
        start = found.strategies
        gains.append(found.exploitability_exact)
    assert gains == sorted(gains, reverse=True)


def test_a_start_of_dominated_arrangements_alone_is_a_start():
    check_converged(solve_equilibrium(D1, start=MixedStrategy.pure(FIXTURES["X"])))


def test_a_start_of_another_deal_is_refused():
    with pytest.raises(ArrangementError, match="the mix to start from"):
        solve_equilibrium(FEW, start=MixedStrategy.pure(FIXTURES["S"]))


# What the rounds are made of.


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_pricing_is_the_full_matrix(objective, rules):
    generator = np.random.default_rng(6)
    table = ArrangementTable.of(random_deal(3, generator), rules)
    vectors = table.class_strengths[table.rows(np.arange(table.size))]
    margins = np.sign(vectors[:, None] - vectors) @ table.place_weights
    payoffs = margins / table.place_weights.sum() if objective == "margin" else np.sign(margins)
    pricing = (MarginPricing if objective == "margin" else WinPricing)(table)
    indices = generator.integers(0, table.size, 40)
    restricted = np.zeros((0, 0))
    for new in (indices[:1], indices[1:20], indices[20:]):
        block = pricing.extend(new)
        known = pricing.support
        assert np.allclose(block, payoffs[known[:, None], new], atol=1e-12)
        restricted = np.block(
            [[restricted, block[: len(restricted)]], [-block[: len(restricted)].T, block[len(restricted) :]]]
        )
    assert np.allclose(restricted, payoffs[indices[:, None], indices], atol=1e-12)
    mix = generator.dirichlet(np.ones(len(indices)))
    gains = pricing.gains(mix)
    assert gains.shape == (table.partition_count, len(table.orders))
    assert np.allclose(gains.ravel(), payoffs[:, indices] @ mix, atol=1e-5)


def test_an_arrangement_is_found_again_by_its_index():
    table = ArrangementTable.of(D1, Rules())
    indices = np.flatnonzero(table.distinct.ravel())[:: table.size // 37]
    mix = MixedStrategy(tuple(table.arrangement(index) for index in indices.tolist()), (1,) * len(indices))
    assert table.indices_of(mix).tolist() == indices.tolist()
    strengths = [arrangement.strengths(Rules()) for arrangement in mix.arrangements]
    assert np.array_equal(table.class_strengths[table.rows(indices)], strengths)


def test_best_orders_takes_one_order_a_partition_and_the_lower_index_of_equals():
    gains = np.array([[1.0, 5.0, 5.0], [7.0, 0.0, 2.0], [5.0, 1.0, 0.0], [0.5, 0.2, 0.1]])
    assert best_orders(gains, 8, 0.5).tolist() == [3, 1, 6]
    assert best_orders(gains, 2, 0.5).tolist() == [3, 1]
    assert best_orders(gains, 8, 7).tolist() == []
