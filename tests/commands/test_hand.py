"""`quintet hand`, as a user runs it."""

from itertools import pairwise, permutations

import pytest

from solver.game.evaluator import CATEGORIES
from tests.support.command import answered, quintet
from tests.support.in_process import answer_here, run_here
from tests.support.scalar_ranking import cards_of, category_of, ranking_key


def test_hands_are_evaluated_strongest_first_with_ties_shown():
    run = quintet("hand", "As Kh Qd Jc 9s", "8s 8h 8d 8c Ks", "Ah Kd Qc Js 9h")
    assert (run.code, run.err) == (0, "")
    heading, *lines = run.out.splitlines()
    assert heading.split() == ["No.", "Packet", "Category", "Hand", "Strength"]
    assert [line.split()[0] for line in lines] == ["1", "2=", "2="]
    assert "Ks 8s 8h 8d 8c" in lines[0]
    assert "four of a kind, eights" in lines[0]
    assert "As Kh Qd Jc 9s" in lines[1]


def test_the_document_holds_numbers_of_one_direction():
    document = answered("hand", "Tc Jc Qc Kc Ac", "Qs Td 9h 8h 7c", "2c 3c 4c 5c Ac")
    assert document["schema"] == "quintet.hand/1"
    assert [hand["cards"] for hand in document["hands"]] == ["Ac Kc Qc Jc Tc", "Ac 5c 4c 3c 2c", "Qs Td 9h 8h 7c"]
    assert [hand["category"] for hand in document["hands"]] == ["straight flush", "straight flush", "high card"]
    assert document["hands"][0]["name"] == "royal flush"
    strengths = [hand["strength"] for hand in document["hands"]]
    assert all(type(strength) is int for strength in strengths)
    assert strengths == sorted(strengths, reverse=True)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("as KD tH 10C jd", "As Kd Jd Th Tc"),  # B32
        ("10♥️ A♠︎ Kh\u00a09c 9d", "As Kh Th 9d 9c"),  # B26
        ("Т♥ T♥ К♠ K♦ 9с", None),  # the Latin c is meant
        ("Т♥ T♥ К♠ K♦ 9c", "Ah Ks Kd Th 9c"),  # B24
        ("10h10s9dTcAs", "As Ts Th Tc 9d"),  # B23
        ("\ufeffAs,Kd;Qh\r\nJc\t9s", "As Kd Qh Jc 9s"),
        ("Тп Кч Дб Вт 10п", "As Kh Qd Jc Ts"),
        ("A♤ K♡ Q♢ J♧ T♤", "As Kh Qd Jc Ts"),
    ],
)
def test_cards_are_read_in_every_notation(text, cards):
    run = run_here("hand", text, "--json")
    if cards is None:
        assert run.code == 2
    else:
        assert run.document["hands"][0]["cards"] == cards


def test_the_order_of_the_cards_changes_nothing():
    # Report B17: all 120 orders at once.
    orders = [" ".join(order) for order in permutations(["9d", "Jc", "8s", "Th", "Qh"])]
    document = answered("hand", *orders)
    assert len(document["hands"]) == 120
    assert {(hand["cards"], hand["name"]) for hand in document["hands"]} == {("Qh Jc Th 9d 8s", "straight, queen high")}
    assert len({hand["strength"] for hand in document["hands"]}) == 1


@pytest.mark.parametrize("options", [[], ["--ace-low"], ["--rules", "quintet-text"], ["--rules", "telesina"]])
def test_the_rules_decide(options):
    hands = ["As 7h 8d 9c Ts", "7s 7h 8d 9c Js", "7s 7h 7d 8c 8d", "As Ks Qs Js 9s", "Ah Ad Kc Ks 7d", "Ac As Kh Kd 9d"]
    rules = options[1] if "--rules" in options else "quintet"
    ace_low = "--ace-low" in options
    document = answer_here("hand", *hands, *options)
    keys = [ranking_key(cards_of(hand["cards"]), rules, ace_low) for hand in document["hands"]]
    assert keys == sorted(keys, reverse=True)
    for hand in document["hands"]:
        assert hand["category"] == category_of(cards_of(hand["cards"]), rules, ace_low)
    ties = [first == second for first, second in pairwise(keys)]
    strengths = [hand["strength"] for hand in document["hands"]]
    assert [first == second for first, second in pairwise(strengths)] == ties


def test_every_category_has_a_name_in_both_languages():
    hands = [
        "As Kh Qd Jc 9s",
        "As Ah Qd Jc 9s",
        "As Ah Qd Qc 9s",
        "As Ah Ad Jc 9s",
        "As Kh Qd Jc Ts",
        "As Ks Qs Js 9s",
        "As Ah Ad Jc Js",
        "As Ah Ad Ac 9s",
        "Ks Qs Js Ts 9s",
    ]
    document = answer_here("hand", *hands)
    assert [hand["category"] for hand in reversed(document["hands"])] == list(CATEGORIES)
    russian = run_here("hand", *hands, "--lang", "ru", "--notation", "russian").out
    for name in ("шанс", "пара", "две двойки", "тройка", "стрит", "колер", "фул", "каре", "покер"):
        assert name in russian
    assert "Тп" in russian


def test_a_hand_comes_from_standard_input():
    assert answered("hand", "-", stdin="A♠ K♠ Q♠ J♠ T♠\r\n")["hands"][0]["name"] == "royal flush"


@pytest.mark.parametrize("notation", ["letters", "symbols", "russian"])
def test_what_is_shown_reads_back(notation):
    shown = run_here("hand", "As Kh Qd Jc Ts", "--notation", notation).out.splitlines()[1].split()[1:6]
    assert answer_here("hand", *[" ".join(shown)])["hands"][0]["cards"] == "As Kh Qd Jc Ts"
