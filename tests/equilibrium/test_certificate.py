"""The certificate of exploitability against games played out in full."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from solver.dominance.partitions import Partitions, undominated_partitions
from solver.equilibrium.certificate import GAME_VALUES, certified_exploitability, exploitability
from solver.errors import ArrangementError, InternalError, OpponentError, PayoffError
from solver.game.arrangement import Arrangement, score
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.brute_force import all_strengths, best_by_hand, layouts
from tests.support.d1 import D1, FIXTURES
from tests.support.samples import RULE_SETS, random_arrangement, random_deal, random_mix
from tests.support.scoring import figures


def all_arrangements(deal):
    cards = np.array(deal.cards)
    return [Arrangement(tuple(map(tuple, cards[layout].tolist()))) for layout in layouts(deal.places)]


def referee_matrix(deal, rules, objective):
    """Return what each of the 252 arrangements of two packets makes against each, by the referee."""
    arrangements = all_arrangements(deal)
    strengths = np.array([arrangement.strengths(rules) for arrangement in arrangements])
    signs = np.sign(strengths[:, None] - strengths)
    margins = signs @ np.array(rules.weights[: deal.places])
    return arrangements, (margins if objective == "margin" else (np.sign(margins) + 1))


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_two_packets_against_the_full_matrix(objective, rules):
    generator = np.random.default_rng(1)
    unit = 1 if objective == "margin" else 2
    for suits in (2, 3, 4):
        deal = random_deal(2, generator, suits)
        arrangements, payoffs = referee_matrix(deal, rules, objective)
        for size in (1, 3, 252):
            chosen = generator.choice(252, size, replace=False)
            weights = generator.integers(1, 1000, size)
            mix = MixedStrategy(tuple(arrangements[index] for index in chosen), tuple(weights.tolist()))
            best = Fraction(int((payoffs[:, chosen] @ weights).max()), unit * mix.total)
            gain = exploitability(deal, mix, objective, rules)
            assert gain == best - GAME_VALUES[objective]
            assert gain >= 0


def test_every_pure_strategy_of_two_packets():
    deal = random_deal(2, np.random.default_rng(2))
    for objective in GAME_VALUES:
        unit = 1 if objective == "margin" else 2
        arrangements, payoffs = referee_matrix(deal, Rules(), objective)
        gains = [exploitability(deal, MixedStrategy.pure(arrangement), objective) for arrangement in arrangements]
        assert gains == [Fraction(int(best), unit) - GAME_VALUES[objective] for best in payoffs.max(axis=0)]
        assert min(gains) >= 0 < max(gains)


def test_the_matrix_of_the_full_game_is_the_referees():
    generator = np.random.default_rng(3)
    deal = random_deal(2, generator)
    arrangements, margins = referee_matrix(deal, Rules(), "margin")
    for first, second in generator.integers(0, 252, (200, 2)):
        made, lost = score(arrangements[first], arrangements[second], Rules()).points
        assert margins[first, second] == made - lost


@pytest.mark.parametrize("rules", [RULE_SETS[0], RULE_SETS[4], RULE_SETS[5]], ids=str)
def test_three_packets_against_all_756756_arrangements(rules):
    generator = np.random.default_rng(4)
    deal = random_deal(3, generator)
    for size in (1, 4):
        mix = random_mix(deal, generator, size)
        best = best_by_hand(deal, mix, rules)
        for objective, value in GAME_VALUES.items():
            assert exploitability(deal, mix, objective, rules) == best[objective] - value


def test_one_packet_cannot_be_exploited():
    deal = random_deal(1, np.random.default_rng(5))
    for objective in GAME_VALUES:
        assert exploitability(deal, MixedStrategy.pure(Arrangement((deal.cards,))), objective) == 0


# B72: payoffs of +1 for a match won and -1 for one lost, in the game of three arrangements that beat each other.


def against_all(names, weights):
    """Return the best gain of one of P, Q, R against a mix of them, in payoffs of +1 and -1."""
    values = {"P": 0, "Q": 0, "R": 0}
    for mine, (name, weight) in product(values, zip(names, weights, strict=True)):
        made, lost = score(FIXTURES[mine], FIXTURES[name], Rules()).points
        values[mine] += Fraction(weight * ((made > lost) - (made < lost)), sum(weights))
    return max(values.values())


def test_played_equally_a_circle_gains_nothing_and_each_alone_loses_to_the_next():
    assert against_all("PQR", (1, 1, 1)) == 0
    assert against_all("P", (1,)) == 1
    assert score(FIXTURES["R"], FIXTURES["P"], Rules()).points == (8, 7)


def test_against_one_arrangement_a_sure_win_is_half_a_match_too_much():
    assert exploitability(D1, MixedStrategy.pure(FIXTURES["P"]), "win") == Fraction(1, 2)


@pytest.mark.parametrize("objective", GAME_VALUES)
def test_it_is_what_the_referee_grants_the_best_of_many(objective):
    generator = np.random.default_rng(6)
    mix = MixedStrategy(tuple(FIXTURES[name] for name in "PQRSG"), (3, 1, 4, 1, 5))
    gain = exploitability(D1, mix, objective)
    rows = [
        (weight, arrangement.packet_texts()) for arrangement, weight in zip(mix.arrangements, mix.weights, strict=True)
    ]
    rivals = [*FIXTURES.values(), *(random_arrangement(D1, generator) for _ in range(100))]
    made = [figures(rival.packet_texts(), rows, Rules())[objective] for rival in rivals]
    assert max(made) - GAME_VALUES[objective] <= gain


@pytest.mark.parametrize("objective", GAME_VALUES)
def test_it_does_not_depend_on_the_scale_of_the_weights(objective):
    mix = MixedStrategy((FIXTURES["P"], FIXTURES["S"]), (2, 3))
    large = MixedStrategy(mix.arrangements, (2 << 46, 3 << 46))
    assert exploitability(D1, mix, objective) == exploitability(D1, large, objective)


# Errors.


def test_points_make_no_zero_sum_game():
    for objective in ("points", "Margin", ""):
        with pytest.raises(PayoffError, match="expected margin or win"):
            exploitability(D1, MixedStrategy.pure(FIXTURES["S"]), objective)


def test_a_mix_of_another_deal_is_refused():
    other = Deal.from_removed("7s 7h 8d 9c Th Qd As")
    with pytest.raises(ArrangementError, match="the mix"):
        exploitability(other, MixedStrategy.pure(FIXTURES["S"]))


def test_weights_beyond_exact_sums_are_refused():
    largest = 2**53 // 25
    assert exploitability(D1, MixedStrategy((FIXTURES["S"],), (largest,))) >= 0
    with pytest.raises(OpponentError, match="too much"):
        exploitability(D1, MixedStrategy((FIXTURES["S"],), (largest + 1,)))


# The certificate is as good as the list of partitions it tries.


def test_without_the_partition_of_the_best_answer_the_gain_is_smaller():
    partitions = undominated_partitions(D1, Rules())
    mix = MixedStrategy.pure(FIXTURES["S"]).strength_mix()
    true = certified_exploitability(partitions, mix, "margin", Rules())
    gains = []
    for kept in range(len(partitions)):
        alone = replace(partitions, strengths=partitions.strengths[[kept]], hands=partitions.hands[[kept]])
        gains.append(_gain(alone, mix))
    assert max(gains) == true
    others = np.flatnonzero(np.array(gains) < true)
    best_left = replace(partitions, strengths=partitions.strengths[others], hands=partitions.hands[others])
    assert certified_exploitability(best_left, mix, "margin", Rules()) < true


def _gain(partitions, mix):
    """Return the certified gain, -1 where the certificate refuses it as negative."""
    try:
        return certified_exploitability(partitions, mix, "margin", Rules())
    except InternalError:
        return Fraction(-1)


@pytest.mark.parametrize("objective", GAME_VALUES)
def test_a_best_answer_worse_than_the_mix_itself_is_an_internal_error(objective):
    rules = Rules()
    deal = random_deal(2, np.random.default_rng(7))
    strengths = np.sort(all_strengths(deal, rules), axis=1)
    hands = np.array(deal.cards)[layouts(2)]
    strong = undominated_partitions(deal, rules)
    below = (strengths < strong.strengths[-1]).all(axis=1)
    weak = int(np.flatnonzero(below)[0])
    order = np.argsort(all_strengths(deal, rules)[weak])
    alone = Partitions(deal, rules, strengths[[weak]], hands[weak][order][None])
    # Both orders, so that either order of the weak packets loses on average.
    packets = strong.packets(len(strong) - 1)
    mix = MixedStrategy((Arrangement(packets), Arrangement(packets[::-1])), (1, 1)).strength_mix(rules)
    assert certified_exploitability(strong, mix, objective, rules) >= 0
    with pytest.raises(InternalError, match="below the mix itself"):
        certified_exploitability(alone, mix, objective, rules)
