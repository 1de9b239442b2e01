from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import ArrangementError, NotationError
from solver.game.arrangement import Arrangement, Score, referee, require_deal, score
from solver.game.cards import PACK
from solver.game.deal import Deal
from solver.game.notation import NOTATIONS, parse_cards
from solver.game.rules import Rules
from tests.support.d1 import D1, FALLING, FIXTURES, ROWS

random_arrangements = st.permutations(D1.cards).map(
    lambda cards: Arrangement(tuple(tuple(cards[start : start + 5]) for start in range(0, 25, 5)))
)


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("A", "B", (7, 7)),
        ("S", "B", (25, 0)),
        ("S", "A", (22, 3)),
        ("S", "G", (7, 18)),
        ("Y", "G", (12, 0)),
        ("X", "G", (18, 7)),
        ("P", "Q", (13, 12)),
        ("Q", "R", (7, 6)),
        ("R", "P", (8, 7)),
    ],
)
def test_scores_of_the_fixtures(first, second, points):
    assert score(FIXTURES[first], FIXTURES[second]).points == points
    assert score(FIXTURES[second], FIXTURES[first]).points == points[::-1]


def test_mean_points_of_the_fixtures_against_three_opponents():
    own = {name: sum(score(FIXTURES[name], FIXTURES[other]).points[0] for other in "ABG") for name in ("S", "X", "Y")}
    assert own == {"Y": 52, "X": 51, "S": 54}


def test_no_order_among_own_packets_is_required():
    strengths = FIXTURES["A"].strengths()
    assert list(strengths) != sorted(strengths)
    for order in permutations(range(5)):
        packets = tuple(FIXTURES["A"].packets[index] for index in order)
        assert Arrangement(packets).strengths() == tuple(strengths[index] for index in order)


@pytest.mark.parametrize("name", FIXTURES)
def test_an_arrangement_against_itself_is_a_drawn_match_of_five_tied_places(name):
    result = score(FIXTURES[name], FIXTURES[name])
    assert result.winners == (0, 0, 0, 0, 0)
    assert (result.points, result.tied, result.draw) == ((0, 0), 25, True)


def test_equal_hands_of_different_suits_tie():
    first = Arrangement((parse_cards("As Kh Qd Jc 9s"), parse_cards("Ah Kd Qc Js 9h")))
    second = Arrangement(first.packets[::-1])
    for result in (score(first, second), score(second, first)):
        assert (result.winners, result.points, result.draw) == ((0, 0), (0, 0), True)


def test_level_points_draw_the_match_although_places_were_won():
    result = score(FIXTURES["A"], FIXTURES["B"])
    assert result.winners == (1, 1, 0, 0, 2)
    assert (result.points, result.tied, result.draw) == ((7, 7), 11, True)
    assert not score(FIXTURES["S"], FIXTURES["B"]).draw


@pytest.mark.parametrize(("first", "second"), list(product(FIXTURES, repeat=2)))
def test_fixture_points_always_add_up_and_swap(first, second):
    check_points(score(FIXTURES[first], FIXTURES[second]), score(FIXTURES[second], FIXTURES[first]), 25)


@given(random_arrangements, random_arrangements, st.tuples(*[st.integers(1, 1000)] * 5))
def test_points_always_add_up_and_swap(first, second, weights):
    rules = Rules(weights=weights)
    check_points(score(first, second, rules), score(second, first, rules), sum(weights))


def check_points(result, swapped, total):
    assert all(type(points) is int for points in (*result.points, result.tied))
    assert sum(result.points) + result.tied == total
    assert swapped.points == result.points[::-1]
    assert swapped.tied == result.tied
    assert swapped.draw == result.draw == (result.points[0] == result.points[1])


@pytest.mark.parametrize("winners", list(product((0, 1, 2), repeat=5)))
def test_every_outcome_of_five_places(winners):
    result = Score((3, 4, 5, 6, 7), winners)
    expected = [sum(w for w, won in zip((3, 4, 5, 6, 7), winners, strict=True) if won == who) for who in (1, 2, 0)]
    assert [*result.points, result.tied] == expected
    signs = {0: (5, 5), 1: (6, 5), 2: (5, 6)}
    first, second = zip(*(signs[won] for won in winners), strict=True)
    assert referee(first, second, (3, 4, 5, 6, 7)) == result


def test_fewer_places_use_the_first_weights():
    assert referee([2, 1], [1, 1], (3, 4, 5, 6, 7)) == Score((3, 4), (1, 0))


@pytest.mark.parametrize(("name", "winner"), [("quintet", 1), ("quintet-text", 1), ("telesina", 2)])
def test_rules_decide_whether_a_full_house_beats_a_flush(name, winner):
    first = Arrangement((parse_cards("As Ah Ad Kh Kd"), parse_cards("Ac Qc Jc 9c 8c")))
    result = score(first, Arrangement(first.packets[::-1]), Rules(name))
    assert result.winners == (winner, 3 - winner)


@given(random_arrangements, st.sampled_from(NOTATIONS))
def test_text_parses_back(arrangement, notation):
    assert Arrangement.parse(arrangement.text(notation)) == arrangement
    assert Arrangement.of_texts(arrangement.packet_texts(notation)) == arrangement
    assert Arrangement.parse("\n".join(arrangement.packet_texts(notation))) == arrangement
    assert Arrangement.parse(arrangement.text(notation).replace("|", "/")) == arrangement
    assert arrangement.deal == D1


def test_cards_of_a_packet_are_kept_in_canonical_order():
    assert FIXTURES["G"].packet_texts() == [
        "Kh Jh 9d 8h 7d",
        "Kd Qh 9h 8c 7c",
        "As Ah Ad Jd Td",
        "Qs Js Ts 9s 8s",
        "Ac Kc Qc Jc Tc",
    ]


def test_the_order_of_packets_matters_and_that_of_their_cards_does_not():
    packets = FIXTURES["A"].packets
    assert Arrangement(packets[::-1]) != FIXTURES["A"]
    assert Arrangement(tuple(packet[::-1] for packet in packets)) == FIXTURES["A"]


@pytest.mark.parametrize("places", range(1, 5))
def test_smaller_games_have_arrangements_too(places):
    arrangement = Arrangement(FIXTURES["S"].packets[:places])
    assert arrangement.deal.places == places
    assert arrangement.strengths() == FIXTURES["S"].strengths()[:places]


@pytest.mark.parametrize(
    ("packets", "message"),
    [
        ((), "expected 5 packets, not 0"),
        (tuple(tuple(PACK[start : start + 5]) for start in range(0, 30, 5)), "expected 5 packets, not 6"),
        (((51, 50, 49, 48),), "packet 1 has 4 cards: expected 5"),
        ((tuple(PACK[:5]), tuple(PACK[5:11])), "packet 2 has 6 cards: expected 5"),
        (((51, 50, 49, 48, 51),), "As given twice, in packets 1 and 1"),
        (((51, 50, 49, 48, 47), (46, 45, 44, 43, 50)), "Ah given twice, in packets 1 and 2"),
        ((("As", "Ks", "Qs", "Js", "Ts"),), "made of card ids"),
        ("As Ks Qs Js Ts", "made of card ids"),
        (((51.0, 50, 49, 48, 47),), "made of card ids"),
        ((51, 50, 49, 48, 47), "made of card ids"),
        (((51, 50, 49, 48, 0),), "2c, is not in the 32-card pack"),
        (((51, 50, 49, 48, 77),), "77, is not in the 32-card pack"),
    ],
)
def test_what_is_no_arrangement_is_refused(packets, message):
    with pytest.raises(ArrangementError, match=message):
        Arrangement(packets)


@pytest.mark.parametrize(("text", "count"), [("As", 1), ("As | Kd", 2), (ROWS["A"] + " | 7s", 6)])
def test_a_text_of_other_than_five_packets_is_refused(text, count):
    with pytest.raises(ArrangementError, match=f"expected 5 packets .* not {count}"):
        Arrangement.parse(text)


def test_a_list_of_other_than_five_packets_is_refused():
    with pytest.raises(ArrangementError, match="expected 5 packets, not 4"):
        Arrangement.of_texts(FALLING[:4])


@pytest.mark.parametrize("packet", ["As Ah Ad Ac 1h", "", "xx"])
def test_a_packet_that_is_no_text_of_cards_is_named(packet):
    with pytest.raises(ArrangementError, match="packet 5: "):
        Arrangement.of_texts((*FALLING[1:], packet))


def test_a_text_without_cards_is_an_error_of_notation():
    with pytest.raises(NotationError):
        Arrangement.parse(" | ")


def test_a_card_of_another_deal_is_named():
    other = Deal.from_removed("7s 7h 8d 9c Th Qd As")
    with pytest.raises(ArrangementError, match="the answer uses As, which is not in the deal"):
        require_deal(FIXTURES["A"], other, "the answer")
    with pytest.raises(ArrangementError, match="the second arrangement uses As"):
        score(Arrangement.parse(ROWS["A"].replace("As", "Ks")), FIXTURES["A"])


def test_a_card_left_out_is_named():
    with pytest.raises(ArrangementError, match="the arrangement leaves out As"):
        require_deal(Arrangement(FIXTURES["S"].packets[:4]), D1)


def test_fixtures_are_of_one_deal():
    for arrangement in FIXTURES.values():
        require_deal(arrangement, D1)


def test_strengths_are_ints_of_the_rule_set():
    strengths = FIXTURES["G"].strengths(Rules("telesina"))
    assert all(type(strength) is int for strength in strengths)
    assert np.argsort(strengths).tolist() == [0, 1, 2, 3, 4]
