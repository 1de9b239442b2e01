from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import DealError, NotationError
from solver.game.cards import FULL_PACK, PACK, card_id, rank_of, suit_of
from solver.game.deal import Deal, random_deals
from solver.game.notation import NOTATIONS, parse_cards

D1 = "7d 7c 8s 8h 8c 9s 9h 9d Ts Td Tc Js Jh Jd Jc Qs Qh Qc Kh Kd Kc As Ah Ad Ac"
D1_REMOVED = "7s 7h 8d 9c Th Qd Ks"

removed_cards = st.sets(st.sampled_from(PACK), min_size=7, max_size=7)
deals = removed_cards.map(Deal.without)


def test_the_pack_has_32_different_cards_seven_to_ace():
    assert len(set(PACK)) == 32
    assert {rank_of(card) for card in PACK} == set(range(5, 13))
    assert {suit_of(card) for card in PACK} == {0, 1, 2, 3}


def test_ids_and_their_ranks_and_suits_agree():
    assert [card_id(rank_of(card), suit_of(card)) for card in FULL_PACK] == list(range(52))
    assert [card_id(0, 0), card_id(5, 0), card_id(12, 3)] == [0, PACK[0], PACK[-1]]


def test_a_deal_and_what_is_laid_aside_say_the_same():
    assert Deal.parse(D1) == Deal.from_removed(D1_REMOVED)
    assert Deal.parse(D1).removed == parse_cards("Ks Qd Th 9c 8d 7s 7h")


@given(removed_cards)
def test_the_pack_parts_into_deal_and_removed(removed):
    deal = Deal.without(removed)
    assert sorted((*deal.cards, *deal.removed)) == list(PACK)
    assert set(deal.removed) == removed
    assert deal.places == 5


@given(deals, st.randoms(use_true_random=False), st.sampled_from(NOTATIONS))
def test_cards_in_any_order_and_notation_are_the_same_deal(deal, random, notation):
    cards = list(deal.cards)
    random.shuffle(cards)
    assert Deal(tuple(cards)) == deal
    assert hash(Deal(tuple(cards))) == hash(deal)
    assert Deal.parse(deal.text(notation)) == deal


def test_text_is_canonical_highest_rank_first_suits_s_h_d_c():
    assert Deal.parse(D1).text() == "As Ah Ad Ac Kh Kd Kc Qs Qh Qc Js Jh Jd Jc Ts Td Tc 9s 9h 9d 8s 8h 8c 7d 7c"


@pytest.mark.parametrize("places", range(1, 6))
def test_five_cards_for_each_place(places):
    assert Deal(tuple(PACK[: 5 * places])).places == places


@pytest.mark.parametrize("count", [0, 1, 4, 6, 24, 26, 30, 32])
def test_other_numbers_of_cards_are_refused(count):
    with pytest.raises(DealError, match=f"not {count}$"):
        Deal(tuple(PACK[:count]))


@pytest.mark.parametrize("cards", [(51, 51, 50, 49, 48), (51, 50, 49, 48, 50)])
def test_a_card_given_twice_is_refused(cards):
    with pytest.raises(DealError, match=r"A[sh] given twice"):
        Deal(cards)


def test_a_repeated_card_is_named_with_both_places():
    with pytest.raises(DealError, match="As given twice, places 22 and 25"):
        Deal.parse(D1[:-2] + "A♠")


@pytest.mark.parametrize(("card", "name"), [(0, "2c"), (19, "6s"), (52, "52"), (-1, "-1")])
def test_a_card_outside_the_pack_is_named_with_its_place(card, name):
    with pytest.raises(DealError, match=rf"card 2, {name}, is not in the 32-card pack"):
        Deal((PACK[0], card, *PACK[1:4]))


@pytest.mark.parametrize("cards", [("As", "Ks", "Qs", "Js", "Ts"), (51.0, 50, 49, 48, 47), "AsKs", None, 51])
def test_a_deal_of_anything_but_ids_is_refused(cards):
    with pytest.raises(DealError, match="card ids"):
        Deal(cards)


def test_ids_of_numpy_are_ids():
    assert Deal(np.array(PACK[:5])) == Deal(tuple(PACK[:5]))


def test_a_foreign_card_of_a_text_is_named_with_its_place():
    with pytest.raises(DealError, match="card 3, 6s, is not in the 32-card pack"):
        Deal.parse(D1.replace("8s", "6s"))


@pytest.mark.parametrize(("text", "count"), [("", 0), ("As", 1), (D1[:-3], 24), (D1 + " 7s", 26)])
def test_a_wrong_number_of_cards_in_play_is_refused(text, count):
    with pytest.raises(DealError, match=f"expected 25 cards, the cards in play, not {count}"):
        Deal.parse(text)


@pytest.mark.parametrize(("text", "count"), [("", 0), (D1_REMOVED[:-3], 6), (D1_REMOVED + " As", 8)])
def test_a_wrong_number_of_removed_cards_is_refused(text, count):
    with pytest.raises(DealError, match=f"expected 7 cards, the cards laid aside, not {count}"):
        Deal.from_removed(text)


def test_what_is_no_card_is_an_error_of_notation():
    with pytest.raises(NotationError):
        Deal.parse("1h " + D1)


@pytest.mark.parametrize("removed", [(), (20, 20), tuple(PACK[:6]), (0, 1, 2, 3, 4, 5, 6)])
def test_laying_aside_anything_but_seven_cards_of_the_pack_is_refused(removed):
    with pytest.raises(DealError):
        Deal.without(removed)


def test_random_deals_follow_from_the_seed_alone():
    first = list(random_deals(1, 8))
    assert list(random_deals(1, 3)) == first[:3]
    assert len(set(first)) == 8
    assert list(random_deals(2, 8)) != first


def test_random_deals_lay_every_card_aside_equally_often():
    counts = np.zeros(52, dtype=np.int64)
    for deal in random_deals(0, 4000):
        counts[list(deal.removed)] += 1
    expected, deviation = 4000 * 7 / 32, (4000 * 7 / 32 * 25 / 32) ** 0.5
    assert np.abs(counts[list(PACK)] - expected).max() < 5 * deviation


@given(deals)
def test_canonical_form_is_one_and_the_same_for_all_names_of_the_suits(deal):
    renamed = [
        Deal(tuple(card_id(rank_of(card), names[suit_of(card)]) for card in deal.cards))
        for names in permutations(range(4))
    ]
    assert deal.canonical() in renamed
    assert {other.canonical() for other in renamed} == {deal.canonical()}


@given(deals)
def test_canonical_suits_fall_from_spades_to_clubs(deal):
    sets = [
        sum(1 << rank_of(card) for card in deal.canonical().cards if suit_of(card) == suit) for suit in (3, 2, 1, 0)
    ]
    assert sets == sorted(sets, reverse=True)
