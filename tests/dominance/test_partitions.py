import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.dominance import partitions as partitions_module
from solver.dominance.partitions import undominated_partitions
from solver.errors import InternalError
from solver.game.arrangement import Arrangement
from solver.game.cards import SUITS, card_id, rank_of, suit_of
from solver.game.deal import Deal
from solver.game.evaluator import FLUSH, STRAIGHT, STRAIGHT_FLUSH, categories_of
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from tests.support.brute_force import all_strengths
from tests.support.cases import best_response_cases
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.feasibility import Feasibility
from tests.support.samples import RULE_SETS, SMALL_GAMES, random_deal

FEW_PARTITIONS = [case for case in best_response_cases() if case.undominated_partitions <= 20]
DEAL = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")


def undominated_by_hand(rows):
    """Return the Pareto-maximal rows in lexicographic order: nothing dominates a row but rows with a larger sum."""
    kept = []
    for row in sorted(set(map(tuple, rows.tolist())), key=sum, reverse=True):
        if not any(all(a >= b for a, b in zip(better, row, strict=True)) for better in kept):
            kept.append(row)
    return sorted(kept)


def require_antichain(strengths):
    for row in strengths:
        assert (strengths >= row).all(axis=1).sum() == 1


def require_real_cards(partitions):
    for index, row in enumerate(partitions.strengths.tolist()):
        arrangement = Arrangement(partitions.packets(index))
        assert arrangement.packets == partitions.packets(index)
        assert arrangement.deal == partitions.deal
        assert list(arrangement.strengths(partitions.rules)) == row


def raised(strengths, classes):
    """Return all rows with one component raised to the next class of the deal, those of the top class left out."""
    level = np.searchsorted(classes, strengths)
    rows = []
    for place in range(strengths.shape[1]):
        can_rise = level[:, place] + 1 < len(classes)
        higher = strengths[can_rise].copy()
        higher[:, place] = classes[level[can_rise, place] + 1]
        rows.append(higher)
    return np.concatenate(rows)


def edge_thresholds(strengths, classes, count, generator):
    """Return `count` thresholds on both sides of the edge of what the partitions reach.

    The components of two partitions are mixed and moved by up to two classes; then one component is set to the most
    that a partition leaves for it, and once more to the class above that.
    """
    half, places = count // 2, strengths.shape[1]
    first, second = strengths[generator.integers(len(strengths), size=(2, half))]
    level = np.searchsorted(classes, np.where(generator.random((half, places)) < 0.2, second, first))
    level += generator.integers(-2, 3, size=level.shape) * (generator.random(level.shape) < 0.3)
    below = classes[np.clip(level, 0, len(classes) - 1)]
    above = below.copy()
    for row, (free, others) in enumerate(zip(generator.integers(places, size=half), below.copy(), strict=True)):
        needed = np.sort(np.delete(others, free))
        covers = [(np.delete(strengths, place, axis=1) >= needed).all(axis=1) for place in range(places)]
        most = max(strengths[cover, place].max(initial=0) for place, cover in enumerate(covers))
        below[row, free] = most
        above[row, free] = classes[min(np.searchsorted(classes, most, side="right"), len(classes) - 1)]
    return np.concatenate((below, above))


def require_complete_and_sound(deal, rules, vectors, generator):
    """Compare with a search without dominance; return how many random thresholds could be filled and how many not."""
    partitions = undominated_partitions(deal, rules)
    program = Feasibility(deal, rules)
    classes = program.class_strengths
    assert program.fillable(partitions.strengths).all()
    assert not program.fillable(raised(partitions.strengths, classes)).any()
    require_antichain(partitions.strengths)
    require_real_cards(partitions)
    thresholds = edge_thresholds(partitions.strengths, classes, vectors, generator)
    needed = np.sort(thresholds, axis=1)
    covered = np.array([(partitions.strengths >= row).all(axis=1).any() for row in needed])
    assert (program.fillable(thresholds) == covered).all()
    return covered.sum(), (~covered).sum()


@pytest.mark.parametrize("case", best_response_cases(), ids=lambda case: case.id)
def test_known_counts(case):
    partitions = undominated_partitions(Deal.parse(case.cards), case.rules)
    assert len(partitions) == case.undominated_partitions
    require_real_cards(partitions)


@pytest.mark.parametrize("extreme", EXTREME_DEALS, ids=lambda extreme: extreme.name)
def test_known_counts_of_extreme_deals(extreme):
    partitions = undominated_partitions(extreme.deal, extreme.rules)
    assert len(partitions) == extreme.partitions
    require_antichain(partitions.strengths)
    require_real_cards(partitions)


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
@pytest.mark.parametrize("suits", [3, 4])
def test_complete_and_sound_with_four_packets(suits, rules):
    generator = np.random.default_rng(suits)
    filled, unfilled = require_complete_and_sound(random_deal(4, generator, suits), rules, 200, generator)
    assert filled
    assert unfilled


def test_complete_and_sound_where_two_equal_straights_stand_in_the_middle():
    deal = Deal(parse_cards("AsAdAc KsKhKdKc QdQc JhJc TsTh 9s9h9d 8s8c 7h7c"))
    partitions = undominated_partitions(deal)
    equal = partitions.strengths[:, 1] == partitions.strengths[:, 2]
    assert (categories_of(partitions.strengths[equal, 1]) == STRAIGHT).any()
    require_complete_and_sound(deal, Rules(), 4000, np.random.default_rng(0))


@pytest.mark.parametrize("case", FEW_PARTITIONS, ids=lambda case: case.id)
def test_complete_and_sound_on_deals_with_few_partitions(case):
    generator = np.random.default_rng(1)
    filled, unfilled = require_complete_and_sound(Deal.parse(case.cards), case.rules, 200, generator)
    assert filled
    assert unfilled


@pytest.mark.slow
@pytest.mark.parametrize("extreme", EXTREME_DEALS, ids=lambda extreme: extreme.name)
def test_complete_and_sound_on_extreme_deals(extreme):
    for rules in dict.fromkeys((extreme.rules, *RULE_SETS[:5])):
        generator = np.random.default_rng(2)
        filled, unfilled = require_complete_and_sound(extreme.deal, rules, 1000, generator)
        assert filled
        assert unfilled


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_complete_and_sound_on_random_deals(rules, seed):
    generator = np.random.default_rng(seed)
    filled, unfilled = require_complete_and_sound(Deal.random(generator), rules, 1000, generator)
    assert filled
    assert unfilled


@pytest.mark.parametrize(("places", "suits", "rules"), SMALL_GAMES)
def test_small_games_equal_brute_force(places, suits, rules):
    generator = np.random.default_rng([places, suits])
    for _ in range(4 - places):
        deal = random_deal(places, generator, suits)
        partitions = undominated_partitions(deal, rules)
        expected = undominated_by_hand(np.sort(all_strengths(deal, rules), axis=1))
        assert list(map(tuple, partitions.strengths.tolist())) == expected
        require_real_cards(partitions)


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
@given(cards=st.permutations([*parse_cards("7s 8s 9s Ts Js Qs Ks As 7h 8h 9h Th Jh Qh Kh Ah")]))
def test_two_packets_of_two_suits_equal_brute_force(rules, cards):
    deal = Deal(tuple(cards[:10]))
    expected = undominated_by_hand(np.sort(all_strengths(deal, rules), axis=1))
    assert list(map(tuple, undominated_partitions(deal, rules).strengths.tolist())) == expected


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_five_cards_of_one_suit_are_a_flush_whether_wanted_or_not(rules):
    for cards, category in (("7s 8s 9s Js Qs", FLUSH), ("8s 9s Ts Js Qs", STRAIGHT_FLUSH)):
        partitions = undominated_partitions(Deal(parse_cards(cards)), rules)
        assert categories_of(partitions.strengths, rules).tolist() == [[category]]


def test_a_partition_that_is_stronger_in_cards_than_counted_is_refused(monkeypatch):
    # Unpruned, the five spades are also there as the high card that their ranks alone would be.
    monkeypatch.setattr(partitions_module, "undominated", lambda rows: np.arange(len(rows)))
    with pytest.raises(InternalError, match="strengths"):
        undominated_partitions(Deal(parse_cards("7s 8s 9s Js Qs")))


def test_a_partition_that_has_a_card_twice_is_refused(monkeypatch):
    lay_out = partitions_module._Packets.lay_out

    def with_a_card_twice(packets, partitions):
        hands = lay_out(packets, partitions)
        hands[-1, 0, 0] = hands[-1, 0, 1]
        return hands

    monkeypatch.setattr(partitions_module._Packets, "lay_out", with_a_card_twice)
    with pytest.raises(InternalError, match="every card"):
        undominated_partitions(DEAL)


def test_rows_are_sorted_and_read_only():
    partitions = undominated_partitions(DEAL)
    rows = partitions.strengths.tolist()
    assert all(row == sorted(row) for row in rows)
    assert rows == sorted(rows)
    assert len(partitions) == len(rows)
    assert partitions.strengths.dtype == np.int64
    for array in (partitions.strengths, partitions.hands):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


def test_names_of_suits_do_not_matter():
    expected = undominated_partitions(DEAL).strengths
    for shift in range(1, SUITS):
        relabelled = Deal(tuple(card_id(rank_of(card), (suit_of(card) + shift) % SUITS) for card in DEAL.cards))
        assert (undominated_partitions(relabelled).strengths == expected).all()


def test_rule_sets_do_not_leak_into_each_other_and_weights_do_not_matter():
    before = {rules: undominated_partitions(DEAL, rules).strengths for rules in RULE_SETS}
    for rules in reversed(RULE_SETS):
        assert (undominated_partitions(DEAL, rules).strengths == before[rules]).all()
    assert (before[Rules()] == before[RULE_SETS[-1]]).all()
    assert before[Rules()].shape != before[Rules("telesina")].shape
