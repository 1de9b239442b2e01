from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

import pytest

from solver.errors import DealError, NotationError
from solver.game.cards import card_id, rank_of
from solver.game.evaluator import CATEGORIES, categories_of, evaluate_hands
from solver.game.notation import parse_cards
from solver.game.rules import RULE_SETS, Rules
from solver.language.hand_names import LANGUAGES, category_name, describe_hand

ALL_RULES = [Rules(name, ace_low) for name in RULE_SETS for ace_low in (False, True)]
ENGLISH = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
MANY = tuple(name + ("es" if name == "six" else "s") for name in ENGLISH)
RUSSIAN_CATEGORIES = (
    "шанс",
    "пара",
    "две двойки (две пары)",
    "тройка",
    "стрит",
    "колер (масть)",
    "фул",
    "каре",
    "покер",
)


def described(text, lang="en", rules=None):
    return describe_hand(parse_cards(text), rules, lang)


@cache
def one_hand_of_each_kind():
    """One hand for each multiset of ranks, and a flush too where the five ranks differ."""
    hands = []
    for ranks in combinations_with_replacement(range(13), 5):
        if len(set(ranks)) == 5:
            hands.append(tuple(card_id(rank, 3) for rank in ranks))
        if len(set(ranks)) > 1:
            suits = [ranks[:index].count(rank) for index, rank in enumerate(ranks)]
            suits[-1] += len(set(ranks)) == 5
            hands.append(tuple(map(card_id, ranks, suits)))
    return tuple(hands)


def test_the_hands_of_these_tests_are_all_kinds():
    hands = one_hand_of_each_kind()
    assert len(hands) == len({tuple(sorted(hand)) for hand in hands}) == 7462
    assert all(len(set(hand)) == 5 for hand in hands)


@pytest.mark.parametrize(
    ("text", "english", "russian"),
    [
        ("As Kd Js 9h 8c", "high card, ace", "шанс, старший туз"),
        ("Qs Jd Ts 8h 7c", "high card, queen", "шанс, старшая дама"),
        ("Js Jh Qs Kh 9h", "pair of jacks", "пара валетов"),
        ("6s 6h Qs Kh 9h", "pair of sixes", "пара шестёрок"),
        ("As Ah 8s 8c Kd", "two pair, aces and eights", "две двойки (две пары), тузы и восьмёрки"),
        ("Qs Qh Qc 8c 9h", "three of a kind, queens", "тройка дам"),
        ("Ks Qh Jc Td 9h", "straight, king high", "стрит до короля"),
        ("As Kh Qc Jd Th", "straight, ace high", "стрит до туза"),
        ("As 2h 3c 4d 5h", "straight, five high", "стрит до пятёрки"),
        ("As Ks Qs 9s 8s", "flush, ace high", "колер (масть), старший туз"),
        ("9s 8s 5s 4s 2s", "flush, nine high", "колер (масть), старшая девятка"),
        ("Qs Qh Qc Js Jh", "full house, queens over jacks", "фул, три дамы и два валета"),
        ("Ts Th Ks Kh Kd", "full house, kings over tens", "фул, три короля и две десятки"),
        ("As Ah Ad Ac 8h", "four of a kind, aces", "каре тузов"),
        ("9s 9h 9d 9c Ah", "four of a kind, nines", "каре девяток"),
        ("8s 9s Ts Js Qs", "straight flush, queen high", "покер до дамы"),
        ("As 2s 3s 4s 5s", "straight flush, five high", "покер до пятёрки"),
        ("Tc Jc Qc Kc Ac", "royal flush", "покер до туза (флеш-рояль)"),
    ],
)
def test_players_names(text, english, russian):
    assert described(text) == english
    assert described(text, "ru") == russian


def test_the_ace_is_low_only_where_the_rules_say_so():
    for rules in ALL_RULES:
        low = rules.low_ace_straight
        assert described("As 7h 8d 9c Ts", rules=rules) == ("straight, ten high" if low else "high card, ace")
        assert described("As 7s 8s 9s Ts", "ru", rules) == ("покер до десятки" if low else "колер (масть), старший туз")


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: f"{rules.name}-{rules.ace_low}")
def test_descriptions_start_with_the_category_and_part_the_categories(rules):
    hands = one_hand_of_each_kind()
    categories = categories_of(evaluate_hands(hands, rules), rules).tolist()
    assert set(categories) == set(range(9))
    for lang in LANGUAGES:
        category_of = {}
        for hand, category in zip(hands, categories, strict=True):
            name = describe_hand(hand, rules, lang)
            assert name.startswith(category_name(category, lang)) or name == "royal flush"
            assert category_of.setdefault(name, category) == category
        assert category_of.get("royal flush", 8) == 8
        counts = Counter(category_of.values())
        # 13 ranks, 78 pairs of ranks, 156 ordered pairs; high cards and flushes from seven high up.
        assert counts == {0: 8, 1: 13, 2: 78, 3: 13, 4: 10, 5: 8, 6: 156, 7: 13, 8: 10}


def test_english_names_tell_the_ranks_that_count():
    for hand in one_hand_of_each_kind():
        counts = Counter(map(rank_of, hand)).most_common()
        shape = [count for _, count in counts]
        words = describe_hand(hand).replace(",", "").split()
        if shape in ([4, 1], [3, 1, 1], [2, 1, 1, 1]):
            assert words[-1] == MANY[counts[0][0]]
        elif shape == [3, 2]:
            assert (words[-3], words[-1]) == (MANY[counts[0][0]], MANY[counts[1][0]])
        elif shape == [2, 2, 1]:
            assert (words[-3], words[-1]) == tuple(MANY[rank] for rank in sorted((counts[0][0], counts[1][0]))[::-1])
        elif words[-1] == "high" and words[0] == "straight":
            top = ENGLISH.index(words[-2])
            assert {rank % 13 for rank in range(top - 4, top + 1)} == set(map(rank_of, hand))
        elif words != ["royal", "flush"]:
            assert ENGLISH[max(map(rank_of, hand))] in words


def test_the_order_of_the_cards_does_not_matter():
    assert described("9d Jc 8s Th Qh") == described("Qh Th 8s Jc 9d") == "straight, queen high"


def test_category_names():
    assert [category_name(category) for category in range(9)] == list(CATEGORIES)
    assert tuple(category_name(category, "ru") for category in range(9)) == RUSSIAN_CATEGORIES


def test_unknown_languages_and_hands_of_the_wrong_size_are_refused():
    with pytest.raises(NotationError, match="unknown language 'de': expected one of en, ru"):
        category_name(0, "de")
    with pytest.raises(NotationError, match="unknown language 'de': expected one of en, ru"):
        described("As Ks Qs Js Ts", "de")
    with pytest.raises(DealError, match="shape"):
        described("As Ks Qs Js")
