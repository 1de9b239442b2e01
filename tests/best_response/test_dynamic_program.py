from fractions import Fraction

import numpy as np
import pytest

from solver.best_response import dynamic_program
from solver.best_response.problem import ResponseProblem
from solver.errors import InternalError, PayoffError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.hand_table import hands_of
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.brute_force import all_strengths, best_of_vectors
from tests.support.cases import best_response_cases
from tests.support.samples import RULE_SETS, SMALL_GAMES, random_arrangement, random_deal, random_mix

ADDITIVE = ("points", "margin")
DEAL = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")
FLUSH_RICH = Deal.from_removed("7c 8c 9c Tc Jc Qc Kc")


def best_figure(deal, mix, objective, rules=None, locked=None):
    """Return the program's optimum, after checking that its cards are the free ones and reach it."""
    problem = ResponseProblem.of(deal, mix.strength_mix(rules), objective, rules, locked)
    answer = dynamic_program.best_response(problem)
    assert sorted(card for packet in answer.packets for card in packet) == sorted(problem.deal.cards)
    assert [len(packet) for packet in answer.packets] == [5] * problem.places
    strengths = evaluate_hands(np.array(answer.packets), rules)
    assert problem.evaluate([strengths]).tolist() == [answer.value]
    return Fraction(answer.value, problem.denominator)


def case_solves():
    """Every row with both objectives; half of them, in turn, only in the slow suite."""
    for index, case in enumerate(best_response_cases()):
        for turn, objective in enumerate(ADDITIVE):
            marks = [] if (index + turn) % 2 else [pytest.mark.slow]
            yield pytest.param(case, objective, id=f"{case.id}-{objective}", marks=marks)


@pytest.mark.parametrize(("case", "objective"), list(case_solves()))
def test_known_optima(case, objective):
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    mix = MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent)).strength_mix(case.rules)
    problem = ResponseProblem.of(Deal.parse(case.cards), mix, objective, case.rules)
    assert Fraction(dynamic_program.best_value(problem), problem.denominator) == case.best[objective]


@pytest.mark.parametrize(("places", "suits", "rules"), SMALL_GAMES)
def test_small_games_equal_brute_force(places, suits, rules):
    generator = np.random.default_rng([places, suits])
    deal = random_deal(places, generator, suits)
    vectors = np.unique(all_strengths(deal, rules), axis=0)
    for size in (1, 3, 8):
        mix = random_mix(deal, generator, size)
        best = best_of_vectors(vectors, mix, rules)
        for objective in ADDITIVE:
            assert best_figure(deal, mix, objective, rules) == best[objective]


@pytest.mark.parametrize("objective", ADDITIVE)
@pytest.mark.parametrize("seed", range(6))
def test_locked_packets_earn_and_free_ones_are_optimal(seed, objective):
    generator = np.random.default_rng(seed)
    deal = [DEAL, FLUSH_RICH][seed % 2]
    mix = random_mix(deal, generator, 4)
    mine = random_arrangement(deal, generator)
    free = sorted(generator.permutation(5)[:2].tolist())
    locked = {place: packet for place, packet in enumerate(mine.packets) if place not in free}
    rest = Deal(tuple(card for place in free for card in mine.packets[place]))
    vectors = np.tile(mine.strengths(), (252, 1))
    vectors[:, free] = all_strengths(rest, Rules())
    assert best_figure(deal, mix, objective, locked=locked) == best_of_vectors(vectors, mix, Rules())[objective]


@pytest.mark.parametrize("objective", ADDITIVE)
def test_no_other_arrangement_does_better(objective):
    generator = np.random.default_rng(7)
    mix = random_mix(FLUSH_RICH, generator, 5)
    problem = ResponseProblem.of(FLUSH_RICH, mix.strength_mix(), objective)
    others = [random_arrangement(FLUSH_RICH, generator).strengths() for _ in range(300)]
    assert problem.evaluate(others).max() <= dynamic_program.best_value(problem)


def test_five_cards_of_one_suit_are_a_flush_although_their_ranks_alone_are_less():
    deal = Deal((51, 43, 35, 31, 23))  # As Qs Ts 9s 7s
    mix = MixedStrategy.pure(Arrangement((deal.cards,)))
    assert best_figure(deal, mix, "points") == 0
    assert best_figure(deal, mix, "margin") == 0


def test_weights_up_to_the_limit_stay_exact():
    generator = np.random.default_rng(3)
    deal = random_deal(2, generator)
    mix = random_mix(deal, generator, 6, largest_weight=2**53 // 25 // 6)
    best = best_of_vectors(all_strengths(deal, Rules()), mix, Rules())
    assert mix.total > 2**45
    assert [best_figure(deal, mix, objective) for objective in ADDITIVE] == [best["points"], best["margin"]]


def test_win_is_refused():
    problem = ResponseProblem.of(DEAL, random_mix(DEAL, np.random.default_rng(0), 1).strength_mix(), "win")
    with pytest.raises(PayoffError, match="no sum over places"):
        dynamic_program.best_response(problem)


def test_a_value_that_the_cards_do_not_reach_is_an_internal_error(monkeypatch):
    real = dynamic_program.packet_strengths

    def too_strong(states, rules):
        plain, flush = real(states, rules)
        return plain + 1000, flush

    deal = random_deal(2, np.random.default_rng(1))
    problem = ResponseProblem.of(deal, random_mix(deal, np.random.default_rng(1), 9).strength_mix(), "points")
    monkeypatch.setattr(dynamic_program, "packet_strengths", too_strong)
    with pytest.raises(InternalError, match="its cards are worth"):
        dynamic_program.best_response(problem)


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_every_hand_has_the_strength_of_its_ranks_and_suits(rules):
    table = hands_of(FLUSH_RICH, rules)
    states = dynamic_program.RankStates(FLUSH_RICH)
    plain, flush = dynamic_program.packet_strengths(states, rules)
    row_of = {tuple(counts): row for row, counts in enumerate(states.counts[1].tolist())}
    rows = np.array([row_of[tuple(np.bincount(hand // 4 - 5, minlength=8))] for hand in table.hands])
    suited = (table.hands % 4 == table.hands[:, :1] % 4).all(axis=1)
    assert (np.where(suited, flush[rows], plain[rows]) == table.strengths).all()
    assert set(rows.tolist()) == set(range(len(plain)))
    # What the argument for exactness rests on: a flush is never weaker than its ranks as no flush.
    different = states.counts[1].max(axis=1) == 1
    assert (flush[different] > plain[different]).all()
    assert (flush[~different] == -1).all()


@pytest.mark.parametrize("deal", [DEAL, FLUSH_RICH, Deal(DEAL.cards[:15]), Deal(DEAL.cards[::5])], ids=Deal.text)
def test_flushes_by_suit_are_those_of_the_hand_table(deal):
    states = dynamic_program.RankStates(deal)
    listed = {
        (suit, tuple(states.counts[1][row]))
        for suit, rows in enumerate(dynamic_program.flushes_by_suit(deal, states))
        for row in rows
    }
    hands = [hand for hand in hands_of(deal).hands if len(set((hand % 4).tolist())) == 1]
    assert listed == {(int(hand[0]) % 4, tuple(np.bincount(hand // 4 - 5, minlength=8))) for hand in hands}
    assert len(hands) == sum(map(len, dynamic_program.flushes_by_suit(deal, states)))


@pytest.mark.parametrize("deal", [DEAL, Deal(DEAL.cards[:10])], ids=Deal.text)
def test_additions_and_removals_add_up(deal):
    states = dynamic_program.RankStates(deal)
    held = states.counts[-1][0]
    for taken in range(deal.places):
        packets = [0, len(states.codes[1]) // 2, len(states.codes[1]) - 1]
        for packet in packets:
            sources, targets = states.additions(taken, packet)
            sums = states.counts[taken] + states.counts[1][packet]
            assert sources.tolist() == np.flatnonzero((sums <= held).all(axis=1)).tolist()
            assert (states.counts[taken + 1][targets] == sums[sources]).all()
        row = len(states.codes[taken + 1]) // 2
        inside, left = states.removals(taken + 1, row)
        differences = states.counts[taken + 1][row] - states.counts[1]
        assert inside.tolist() == np.flatnonzero((differences >= 0).all(axis=1)).tolist()
        assert (states.counts[taken][left] == differences[inside]).all()
