from itertools import product

import numpy as np
import pytest

from solver.best_response.cp_sat.card_assignment import assign_patterns, complete_packets
from solver.best_response.cp_sat.patterns import Patterns, minimal_patterns, rank_counts, whole_packets
from solver.errors import InternalError
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.hand_table import hands_of
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from tests.support.d1 import D1
from tests.support.formulations import index_of_flush, index_of_ranks
from tests.support.samples import RULE_SETS, random_deal

LONG_SUIT = Deal.from_removed("7c 8c 9c Tc Jc Qc Kc")
FEW_RANKS = Deal.from_removed("7c 7d 7h 7s 8c 8d 8h")
SMALL_DEALS = [random_deal(3, np.random.default_rng(suits), suits) for suits in (2, 3, 4)]
TABLES = [(LONG_SUIT, Rules()), *product(SMALL_DEALS, RULE_SETS[:5])]


def thresholds_of(strengths, count, seed=0):
    """Return some of the strengths, ascending."""
    return np.sort(np.random.default_rng(seed).choice(np.unique(strengths), count, replace=False))


def hands_inside(patterns, table):
    """Return which hands contain which patterns, shape (hands, patterns)."""
    counts = rank_counts(table.hands)
    inside = np.ones((len(table.hands), len(patterns)), dtype=bool)
    for rank in range(8):
        inside &= counts[:, rank, np.newaxis] >= patterns.counts[:, rank]
    codes = {tuple(hand): index for index, hand in enumerate(table.hands.tolist())}
    inside[:, patterns.rank_patterns :] = False
    for pattern in range(patterns.rank_patterns, len(patterns)):
        inside[codes[patterns.flush_cards(pattern)], pattern] = True
    return inside


@pytest.mark.parametrize(("deal", "rules"), TABLES)
def test_hands_contain_a_core_of_their_level_and_none_above_it(deal, rules):
    table = hands_of(deal, rules)
    thresholds = thresholds_of(table.strengths, 40)
    patterns = minimal_patterns(deal, rules, thresholds)
    steps = np.searchsorted(thresholds, patterns.strengths, side="right")
    highest = np.where(hands_inside(patterns, table), steps, 0).max(axis=1)
    assert (highest == np.searchsorted(thresholds, table.strengths, side="right")).all()


@pytest.mark.parametrize(("deal", "rules"), TABLES)
def test_no_hand_is_weaker_than_a_core_in_it(deal, rules):
    table = hands_of(deal, rules)
    patterns = minimal_patterns(deal, rules, np.unique(table.strengths))
    promised = np.where(hands_inside(patterns, table), patterns.strengths, -1).max(axis=1)
    assert (promised <= table.strengths).all()


@pytest.mark.parametrize(("deal", "rules"), TABLES)
def test_no_core_holds_another_of_its_level(deal, rules):
    thresholds = thresholds_of(whole_packets(deal, rules).strengths, 30, seed=1)
    patterns = minimal_patterns(deal, rules, thresholds)
    steps = np.searchsorted(thresholds, patterns.strengths, side="right")
    assert steps.min() > 0
    for pattern in range(patterns.rank_patterns):
        holders = np.all(patterns.counts >= patterns.counts[pattern], axis=1)
        assert np.flatnonzero(holders & (steps == steps[pattern])).tolist() == [pattern]


def test_a_part_promises_its_weakest_completion():
    (aces_over_kings,) = evaluate_hands([parse_cards("As Ah Ks Kh 7c")])
    patterns = minimal_patterns(D1, Rules(), np.array([aces_over_kings]))
    assert patterns.strengths[index_of_ranks(patterns, "KKAA")] == aces_over_kings
    (trip_sevens,) = evaluate_hands([parse_cards("7s 7h 7d 8c 9c")])
    weakest_trips = minimal_patterns(Deal.from_removed("Ac Ad Ah As Kc Kd Kh"), Rules(), np.array([trip_sevens]))
    assert "777" in {"".join(np.repeat(list("789TJQKA"), row)) for row in weakest_trips.counts}


def test_a_part_that_only_strong_cards_can_complete_promises_more():
    deal = Deal(parse_cards("As Ah Ad Ac Ks Kh Kd Kc Qs Qh"))
    (weakest,) = evaluate_hands([parse_cards("As Ks Kh Qs Qh")])
    patterns = minimal_patterns(deal, Rules(), np.array([weakest]))
    # Whatever is added to nothing at all: three ranks are too few for less than two pair.
    assert patterns.counts.tolist() == [[0] * 8]
    assert patterns.strengths.tolist() == [weakest]


def test_whole_packets_are_the_hands_of_the_deal_up_to_suits():
    for deal in (D1, LONG_SUIT, FEW_RANKS):
        table = hands_of(deal, Rules())
        kinds = whole_packets(deal, Rules())
        assert (kinds.counts.sum(axis=1) == 5).all()
        multisets = {tuple(row) for row in kinds.counts[: kinds.rank_patterns].tolist()}
        assert len(multisets) == kinds.rank_patterns
        assert multisets == {tuple(row) for row in rank_counts(table.hands).tolist()}
        suited = (table.hands % 4 == table.hands[:, :1] % 4).all(axis=1)
        assert sorted(map(tuple, kinds.flushes.tolist())) == sorted(map(tuple, table.hands[suited].tolist()))


def test_a_hand_contains_its_own_flush_and_no_other():
    kinds = whole_packets(D1, Rules())
    hand = np.array(sorted(parse_cards("7c 8c Tc Qc Ac"), reverse=True))
    inside = np.flatnonzero(kinds.inside(hand)).tolist()
    assert inside == [index_of_ranks(kinds, "78TQA"), index_of_flush(kinds, "7c 8c Tc Qc Ac")]


def test_flushes_are_found_by_their_suit():
    kinds = whole_packets(LONG_SUIT, Rules())
    assert kinds.flushes_of_suit(0) == []
    for suit in (1, 2, 3):
        cards = [kinds.flush_cards(pattern) for pattern in kinds.flushes_of_suit(suit)]
        assert len(set(cards)) == 56
        assert {card % 4 for hand in cards for card in hand} == {suit}
    assert kinds.flush_cards(0) == ()


def ladder(*strengths):
    return Patterns(
        np.zeros((len(strengths), 8), dtype=np.int64), np.array(strengths), np.zeros((0, 5), dtype=np.int64)
    )


def test_the_strongest_core_goes_where_most_is_demanded():
    patterns = ladder(30, 10, 20)
    assert assign_patterns(patterns, [0, 1, 2], [15, 30, 5]) == [2, 0, 1]
    assert assign_patterns(patterns, [1, 0], [-1, 10, -1, 25]) == [None, 1, None, 0]
    assert assign_patterns(patterns, [2, 2, 0], [20, 20]) == [0, 2]


def test_a_demand_without_a_core_is_an_error():
    patterns = ladder(30, 10, 20)
    with pytest.raises(InternalError, match="strength 25 in place 2"):
        assign_patterns(patterns, [0, 2], [28, 25])
    with pytest.raises(InternalError, match="strength 1 in place 1"):
        assign_patterns(patterns, [], [1])


def test_packets_contain_their_cores_and_lay_out_the_deal():
    kinds = whole_packets(D1, Rules())
    flush = index_of_flush(kinds, "7c 8c Tc Qc Ac")
    trips = index_of_ranks(kinds, "9JJKK")
    packets = complete_packets(D1, kinds, [None, flush, trips, None, None])
    assert sorted(card for packet in packets for card in packet) == sorted(D1.cards)
    assert [len(packet) for packet in packets] == [5] * 5
    assert sorted(packets[1]) == sorted(parse_cards("7c 8c Tc Qc Ac"))
    assert rank_counts([packets[2]])[0].tolist() == kinds.counts[trips].tolist()


def test_cores_that_need_too_many_cards_are_an_error():
    kinds = whole_packets(D1, Rules())
    aces = index_of_ranks(kinds, "7AAAA")
    with pytest.raises(InternalError, match="more cards of rank"):
        complete_packets(D1, kinds, [aces, aces, None, None, None])
