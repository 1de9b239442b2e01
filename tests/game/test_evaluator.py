"""The evaluator against a scalar definition, an independent evaluator, counting formulas and known faults."""

from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations
from math import comb

import numpy as np
import phevaluator
import pytest

from solver.errors import DealError
from solver.game.cards import PACK
from solver.game.evaluator import (
    CATEGORIES,
    RANK_WEIGHTS,
    categories_of,
    evaluate_hands,
    strength_count,
    tables_for,
)
from solver.game.rules import Rules
from tests.support import scalar_ranking
from tests.support.scalar_ranking import cards_of

FULL_PACK = range(52)
MODES = [(name, ace_low) for name in ("quintet", "quintet-text", "telesina") for ace_low in (False, True)]
ACE_LOW = Rules(ace_low=True)
LAYING_D1_ASIDE = "7s 7h 8d 9c Th Qd Ks"
SEVERAL_BLOCKS = 100_000

every_mode = pytest.mark.parametrize("mode", MODES, ids=lambda mode: f"{mode[0]}{'-ace-low' * mode[1]}")


@cache
def hands_from(cards):
    """Every hand of five different cards, ascending ids, as a C-ordered int64 array."""
    hands = np.fromiter(chain.from_iterable(combinations(cards, 5)), dtype=np.int64).reshape(-1, 5)
    hands.flags.writeable = False
    return hands


@cache
def kinds_of_the_full_pack():
    """One hand of each kind (five ranks, flush or not), and the kind of every hand of the 52-card pack."""
    hands = hands_from(FULL_PACK)
    ranks, suits = np.divmod(hands, 4)
    one_suit = (suits == suits[:, :1]).all(axis=1)
    codes = ranks @ 13 ** np.arange(5) * 2 + one_suit  # the ranks ascend, so that equal multisets get equal codes
    _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
    return hands[first], kinds.ravel()


def dense(values):
    """Number the values by size, 0 for the smallest: equal arrays of these mean equal order and equal ties."""
    numbers = {value: number for number, value in enumerate(sorted(set(values)))}
    return np.array([numbers[value] for value in values])


def assert_agree(hands, found, expected):
    wrong = np.flatnonzero(found != expected)
    shown = [f"{text_of(hands[i])}: {found[i]}, expected {expected[i]}" for i in wrong[:10]]
    assert not len(wrong), f"{len(wrong)} hands differ:\n" + "\n".join(shown)


def text_of(hand):
    ranks, suits = scalar_ranking.ranks_and_suits(hand)
    return " ".join(rank + suit for rank, suit in zip(ranks, suits, strict=True))


def strength_of(text, rules=None):
    return int(evaluate_hands([cards_of(text)], rules)[0])


def category_name(text, rules=None):
    return CATEGORIES[categories_of(strength_of(text, rules), rules)]


def test_every_hand_of_the_32_card_pack_ranks_as_in_the_scalar_definition():
    hands = hands_from(PACK)
    assert len(hands) == 201_376
    keys = [scalar_ranking.ranking_key(hand, "quintet", False) for hand in hands.tolist()]
    assert_agree(hands, dense(evaluate_hands(hands).tolist()), dense(keys))


@every_mode
def test_every_hand_of_the_52_card_pack_ranks_as_in_the_scalar_definition(mode):
    """The definition reads ranks and flush alone, so one hand of a kind speaks for all; all of them are evaluated.

    Strengths are promised to be dense over this pack, so they must be the very numbers, not only in the same order.
    """
    hands = hands_from(FULL_PACK)
    assert len(hands) == 2_598_960
    examples, kinds = kinds_of_the_full_pack()
    expected = dense([scalar_ranking.ranking_key(hand, *mode) for hand in examples.tolist()])
    assert_agree(hands, evaluate_hands(hands, Rules(*mode)), expected[kinds])
    assert strength_count(Rules(*mode)) == expected.max() + 1


@every_mode
def test_every_kind_of_hand_has_the_category_of_the_scalar_definition(mode):
    examples, _ = kinds_of_the_full_pack()
    rules = Rules(*mode)
    found = [CATEGORIES[category] for category in categories_of(evaluate_hands(examples, rules), rules)]
    assert found == [scalar_ranking.category_of(hand, *mode) for hand in examples.tolist()]


def test_every_hand_of_the_52_card_pack_ranks_as_in_a_published_evaluator():
    """The 32-card pack is part of it. The published ranks run from 1, the strongest, to 7,462."""
    hands = hands_from(FULL_PACK)
    published = np.fromiter((phevaluator.evaluate_cards(*hand) for hand in hands.tolist()), dtype=np.int64)
    assert_agree(hands, evaluate_hands(hands), 7462 - published)


def counts_by_formula(ranks, straights):
    """Hands in each category for a pack of four suits with so many ranks and so many kinds of straights."""
    no_pair = comb(ranks, 5) - straights
    return {
        "high card": no_pair * (4**5 - 4),
        "pair": ranks * comb(4, 2) * comb(ranks - 1, 3) * 4**3,
        "two pair": comb(ranks, 2) * comb(4, 2) ** 2 * (ranks - 2) * 4,
        "three of a kind": ranks * comb(4, 3) * comb(ranks - 1, 2) * 4**2,
        "straight": straights * (4**5 - 4),
        "flush": no_pair * 4,
        "full house": ranks * comb(4, 3) * (ranks - 1) * comb(4, 2),
        "four of a kind": ranks * (ranks - 1) * 4,
        "straight flush": straights * 4,
    }


@every_mode
@pytest.mark.parametrize(("pack", "ranks", "straights"), [(PACK, 8, 4), (FULL_PACK, 13, 10)], ids=["32", "52"])
def test_categories_hold_as_many_hands_as_the_counting_formulas_say(mode, pack, ranks, straights):
    rules = Rules(*mode)
    categories = categories_of(evaluate_hands(hands_from(pack), rules), rules)
    found = dict(zip(CATEGORIES, np.bincount(categories).tolist(), strict=True))
    assert found == counts_by_formula(ranks, straights + rules.low_ace_straight)


def test_known_numbers_of_classes_and_hands():
    assert len(np.unique(evaluate_hands(hands_from(PACK)))) == 840
    assert strength_count() == 7462
    counts = counts_by_formula(13, 10)
    assert (counts["high card"], counts["full house"], counts["straight flush"]) == (1_302_540, 3_744, 40)
    counts = counts_by_formula(8, 4)
    assert (counts["flush"], counts["full house"]) == (208, 1_344)  # the numbers of report B10


def test_the_order_of_the_five_cards_does_not_matter():
    hands = hands_from(PACK)
    strengths = evaluate_hands(hands)
    for order in permutations(range(5)):
        assert_agree(hands, evaluate_hands(hands[:, order]), strengths)


def test_suits_never_break_a_tie():
    hands = hands_from(PACK)
    strengths = evaluate_hands(hands)
    for suits in permutations(range(4)):
        assert_agree(hands, evaluate_hands(hands // 4 * 4 + np.array(suits)[hands % 4]), strengths)


def test_the_weights_of_the_places_do_not_matter():
    assert tables_for(Rules(weights=(1, 1, 1, 1, 1000))) is tables_for(Rules())


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i8", ">u2"])
def test_every_integer_type_gives_the_same_strengths(dtype):
    hands = hands_from(FULL_PACK)[-SEVERAL_BLOCKS:]
    strengths = evaluate_hands(hands.astype(dtype))
    assert strengths.dtype == np.int64
    assert_agree(hands, strengths, evaluate_hands(hands))


@pytest.mark.parametrize(
    "arranged",
    [
        lambda hands: np.asfortranarray(hands),
        lambda hands: np.repeat(hands, 2, axis=0)[::2],
        lambda hands: np.hstack([hands, hands])[:, 2:7][:, [3, 4, 0, 1, 2]],
        lambda hands: np.hstack([hands, hands])[:, ::2],
        lambda hands: hands[::-1][::-1, ::-1],
        lambda hands: hands.tolist(),
        lambda hands: [tuple(hand) for hand in hands.tolist()],
    ],
    ids=["Fortran", "rows strided", "columns picked", "columns strided", "reversed", "lists", "tuples"],
)
def test_every_memory_layout_gives_the_same_strengths(arranged):
    hands = hands_from(FULL_PACK)[-SEVERAL_BLOCKS:]
    assert_agree(hands, evaluate_hands(arranged(hands)), evaluate_hands(hands))


@pytest.mark.parametrize("size", [1, 2, 2**15 - 1, 2**15, 2**15 + 1, 2**16])
def test_strengths_do_not_depend_on_where_the_blocks_end(size):
    hands = hands_from(PACK)
    assert_agree(hands[:size], evaluate_hands(hands[:size]), evaluate_hands(hands)[:size])


@pytest.mark.parametrize("dtype", ["u1", "i8"])
def test_no_hands_have_no_strengths(dtype):
    strengths = evaluate_hands(np.empty((0, 5), dtype=dtype))
    assert strengths.shape == (0,)
    assert strengths.dtype == np.int64


def test_hands_are_left_as_they_were_and_the_strengths_belong_to_the_caller():
    hands = hands_from(PACK)[:10].copy()
    strengths = evaluate_hands(hands)
    strengths += 1
    assert np.array_equal(hands, hands_from(PACK)[:10])
    assert_agree(hands, evaluate_hands(hands), strengths - 1)


def test_the_rank_weights_tell_all_multisets_of_five_ranks_apart():
    multisets = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
    assert len(multisets) == 6175
    assert len({sum(RANK_WEIGHTS[rank] for rank in ranks) for ranks in multisets}) == 6175


@every_mode
def test_tables_hold_every_kind_of_hand_and_nothing_else(mode):
    tables = tables_for(Rules(*mode))
    assert np.count_nonzero(tables.plain >= 0) == 6175
    assert np.count_nonzero(tables.flush >= 0) == comb(13, 5)
    assert min(tables.plain.min(), tables.flush.min()) == -1


def test_tables_are_read_only_and_no_two_modes_share_memory():
    arrays = []
    for mode in MODES:
        tables = tables_for(Rules(*mode))
        arrays += [tables.plain, tables.flush, tables.categories]
    for table in arrays:
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0
    assert not any(np.shares_memory(first, second) for first, second in combinations(arrays, 2))


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ([0, 1, 2, 3, 4], r"shape \(n, 5\), not \(5,\)"),
        ([], r"shape \(n, 5\), not \(0,\)"),
        ([[0, 1, 2, 3]], r"shape \(n, 5\), not \(1, 4\)"),
        ([[0, 1, 2, 3, 4, 5]], r"shape \(n, 5\), not \(1, 6\)"),
        ([[[0, 1, 2, 3, 4]]], r"shape \(n, 5\), not \(1, 1, 5\)"),
        (7, r"shape \(n, 5\), not \(\)"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3]], r"shape \(n, 5\), not rows of different lengths"),
    ],
)
def test_hands_of_another_shape_are_refused(hands, message):
    with pytest.raises(DealError, match=message):
        evaluate_hands(hands)


@pytest.mark.parametrize(
    ("hands", "dtype"),
    [
        (np.zeros((1, 5)), "float64"),
        (np.empty((0, 5)), "float64"),
        (np.zeros((1, 5), dtype=bool), "bool"),
        (np.zeros((1, 5), dtype="m8[s]"), "timedelta64"),
        (np.array([[0, 1, 2, 3, None]]), "object"),
        ([[0, 1, 2, 3, 2**70]], "object"),
        ([["As", "Ks", "Qs", "Js", "Ts"]], "<U2"),
    ],
)
def test_hands_of_another_type_are_refused(hands, dtype):
    with pytest.raises(DealError, match=f"integer card ids, not {dtype}"):
        evaluate_hands(hands)


@pytest.mark.parametrize("column", range(5))
@pytest.mark.parametrize(
    ("dtype", "foreign"),
    [
        ("i1", -1),
        ("i1", 127),
        ("i1", -128),
        ("u1", 52),
        ("u1", 255),
        ("i4", 2**31 - 1),
        ("i8", 52),
        ("i8", -1),
        ("i8", -52),
        ("i8", 2**32),
        ("i8", -(2**63)),
        ("u8", 2**63),
        ("u8", 2**64 - 1),
    ],
)
def test_ids_that_are_no_cards_are_refused_and_quoted(dtype, foreign, column):
    hands = hands_from(FULL_PACK)[:SEVERAL_BLOCKS].astype(dtype)
    hands[-2, column] = foreign
    with pytest.raises(DealError, match=f"^{foreign} is no card id: expected whole numbers from 0 to 51$"):
        evaluate_hands(hands)


@pytest.mark.parametrize(
    ("stronger", "weaker", "rules"),
    [
        pytest.param("Jc Jd 7c 7d 8h", "Ts Th 8s 8c Ah", Rules(), id="B01"),
        pytest.param("8s 8h 8d 8c Ks", "As Ah Ad Ks Kh", Rules(), id="B03"),
        pytest.param("7s 7h 8d 9c Ts", "8s 9h Td Jc As", ACE_LOW, id="B05-on"),
        pytest.param("7s 7h 8d 9c Ts", "8s 9h Td Jc As", Rules(), id="B05-off"),
        pytest.param("7s 7h 8d 9c Js", "As 7h 8d 9c Ts", Rules(), id="B07-off"),
        pytest.param("As 7h 8d 9c Ts", "7s 7h 8d 9c Js", ACE_LOW, id="B07-on"),
        pytest.param("As Ks Qs 9s 8s", "Ah Kh Qh 9h 7h", Rules(), id="B09"),
        pytest.param("7s 7h 7d 8c 8d", "As Ks Qs Js 9s", Rules(), id="B10"),
        pytest.param("As Ks Qs Js 9s", "7s 7h 7d 8c 8d", Rules("telesina"), id="B10-telesina"),
        pytest.param("2s 3h 4d 5c As", "As 7h 8d 9c Ts", ACE_LOW, id="ace-low-below-the-wheel"),
        pytest.param("As 7h 8d 9c Ts", "As Ah Ad Kc Qs", Rules("telesina"), id="telesina-low-straight"),
        pytest.param("Jc Jd 7c 7d Ah", "Jh Js 7h 7s Kd", Rules(), id="fifth-card"),
    ],
)
def test_the_stronger_hand_wins(stronger, weaker, rules):
    assert strength_of(stronger, rules) > strength_of(weaker, rules)


@pytest.mark.parametrize(
    ("first", "second", "rules"),
    [
        pytest.param("As Ks Qs 9s 8s", "Ah Kh Qh 9h 8h", Rules(), id="B09"),
        pytest.param("As Kh Qd Jc 9s", "Ah Kd Qc Js 9h", Rules(), id="B13"),
        pytest.param("Jc Jd 7c 7d Ah", "Jh Js 7h 7s Kd", Rules("quintet-text"), id="text-fifth-card"),
        pytest.param("8s 8h 8d 8c Ks", "8s 8h 8d 8c 7s", Rules("quintet-text"), id="text-quads"),
        pytest.param("8s 8h 8d Kc Ks", "8s 8h 8c 7c 7s", Rules("quintet-text"), id="text-full-house"),
        pytest.param("8s 8h 8d Ac Ks", "8s 8h 8c 9c 7s", Rules("quintet-text"), id="text-trips"),
    ],
)
def test_tied_hands_have_equal_strengths(first, second, rules):
    assert strength_of(first, rules) == strength_of(second, rules)


def test_b05_an_ace_beside_four_in_a_row_is_no_straight_unless_they_start_at_the_seven():
    assert category_name("8s 9h Td Jc As") == category_name("8s 9h Td Jc As", ACE_LOW) == "high card"


def test_b07_one_mode_leaves_no_trace_in_another():
    hands = hands_from(PACK)
    before = [evaluate_hands(hands, Rules(*mode)) for mode in MODES]
    after = [evaluate_hands(hands, Rules(*mode)) for mode in reversed(MODES)][::-1]
    assert all(np.array_equal(first, second) for first, second in zip(before, after, strict=True))
    assert category_name("As 7h 8d 9c Ts", ACE_LOW) == "straight"
    assert category_name("As 7h 8d 9c Ts") == "high card"


def test_b15_larger_is_stronger_and_deal_d1_has_one_best_hand_and_162_worst_ones():
    deal = sorted(set(PACK) - set(cards_of(LAYING_D1_ASIDE)))
    strengths = evaluate_hands(hands_from(tuple(deal)))
    assert len(strengths) == 53_130
    assert strength_of("Tc Jc Qc Kc Ac") == strengths.max()
    assert np.count_nonzero(strengths == strengths.max()) == 1
    assert strength_of("Qs Td 9h 8h 7c") == strengths.min()
    assert np.count_nonzero(strengths == strengths.min()) == 162


def test_b17_a_straight_is_found_in_every_order_of_its_cards():
    orders = np.array(list(permutations(cards_of("9d Jc 8s Th Qh"))))
    strengths = evaluate_hands(orders)
    assert len(orders) == 120
    assert set(strengths.tolist()) == {strength_of("8c 9c Tc Jh Qd")}
    assert category_name("9d Jc 8s Th Qh") == "straight"


def test_b20_narrow_ids_of_deal_d1_do_not_wrap():
    """Run under the oldest and the newest NumPy; the exhaustive tests above pin every number in both."""
    deal = np.array(sorted(set(PACK) - set(cards_of(LAYING_D1_ASIDE))), dtype=np.uint8)
    hands = np.array(list(combinations(deal, 5)))
    assert hands.dtype == np.uint8
    strengths = evaluate_hands(hands)
    assert_agree(hands, strengths, evaluate_hands(hands.astype(np.int64)))
    assert strengths.dtype == categories_of(strengths).dtype == np.int64
