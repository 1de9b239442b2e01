from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from solver.best_response.grading import best_exchange, grade
from solver.errors import QuintetError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.notation import format_card
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from tests.support.brute_force import all_strengths, best_by_hand, scores
from tests.support.cases import best_response_cases
from tests.support.command import write_mix
from tests.support.d1 import FIXTURES, ROWS
from tests.support.in_process import answer_here, run_here
from tests.support.samples import SMALL_GAMES, random_arrangement, random_deal, random_mix

CASES = best_response_cases()


def mix_of(case):
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    return MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent))


def values_by_hand(arrangements, mix, rules, objective):
    """Return the figure of every arrangement as a fraction, by playing it against every row of the mix."""
    vectors = np.array([arrangement.strengths(rules) for arrangement in arrangements])
    sums, unit = scores(vectors, mix, rules)[objective]
    return [Fraction(total, unit) for total in sums.tolist()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_regret_is_the_best_value_minus_the_own_value_exactly(case):
    mix = mix_of(case)
    mine = random_arrangement(Deal.parse(case.cards), np.random.default_rng(1), case.rules)
    for objective in OBJECTIVES:
        graded = grade(mine, mix.strength_mix(case.rules), objective, case.rules)
        (own,) = values_by_hand([mine], mix, case.rules, objective)
        assert graded.objective_value_exact == own
        assert graded.best_value_exact == case.best[objective]
        assert graded.regret_exact == case.best[objective] - own
        assert graded.status == "optimal"


def exchanges_by_hand(arrangement):
    """Return every exchange with the arrangement that it leads to, packets first, written out card by card."""
    packets = arrangement.packet_texts()
    pairs = list(combinations(range(len(packets)), 2))
    found = []
    for first, second in pairs:
        order = list(packets)
        order[first], order[second] = order[second], order[first]
        found.append((("packets", first + 1, second + 1), order))
    for first, second in pairs:
        for mine, other in product(packets[first].split(), packets[second].split()):
            swap = {mine: other, other: mine}
            order = [" ".join(swap.get(card, card) for card in packet.split()) for packet in packets]
            found.append((("cards", mine, other), order))
    return found


def shown(exchange):
    if exchange.cards is None:
        return "packets", *(place + 1 for place in exchange.places)
    return "cards", *map(format_card, exchange.cards)


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case.id)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_exchange_is_the_best_of_all_260(case, objective):
    mix = mix_of(case)
    for seed in range(2):
        mine = random_arrangement(Deal.parse(case.cards), np.random.default_rng(seed), case.rules)
        tried = exchanges_by_hand(mine)
        assert len(tried) == 260
        changed = [Arrangement.of_texts(packets) for _, packets in tried]
        own, *values = values_by_hand([mine, *changed], mix, case.rules, objective)
        exchange = best_exchange(mine, mix.strength_mix(case.rules), objective, case.rules)
        best = values.index(max(values))
        if exchange is None:
            assert values[best] <= own
        else:
            assert exchange.gain == values[best] - own > 0
            assert shown(exchange) == tried[best][0]
            assert exchange.arrangement == changed[best]


def test_a_best_arrangement_has_no_regret_and_no_exchange():
    mix = MixedStrategy.pure(FIXTURES["B"]).strength_mix()
    graded = grade(grade(FIXTURES["A"], mix).best.arrangement, mix)
    assert graded.value.points == 25
    assert graded.regret_exact == 0
    assert graded.exchange is None


@pytest.mark.parametrize(("places", "suits", "rules"), SMALL_GAMES)
def test_the_best_answer_is_the_best_of_every_arrangement(places, suits, rules):
    generator = np.random.default_rng(places)
    deal = random_deal(places, generator, suits)
    mine = random_arrangement(deal, generator, rules)
    graded = grade(mine, random_mix(deal, generator, 5).strength_mix(rules), "points", rules)
    best = best_by_hand(deal, MixedStrategy.pure(mine), rules)
    assert graded.best_answer.value.margin == best["margin"]
    assert graded.best_answer.value.of("win") == best["win"]
    (answer,) = values_by_hand([graded.best_answer.arrangement], MixedStrategy.pure(mine), rules, "margin")
    assert answer == best["margin"]


@pytest.mark.parametrize(("places", "suits", "rules"), [game for game in SMALL_GAMES if game[0] < 3])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_regret_in_small_games_is_that_of_every_arrangement_played_out(places, suits, rules, objective):
    generator = np.random.default_rng(10 + places)
    deal = random_deal(places, generator, suits)
    mine, mix = random_arrangement(deal, generator, rules), random_mix(deal, generator, 5)
    (own,) = values_by_hand([mine], mix, rules, objective)
    sums, unit = scores(all_strengths(deal, rules), mix, rules)[objective]
    assert grade(mine, mix.strength_mix(rules), objective, rules).regret_exact == Fraction(int(sums.max()), unit) - own


def test_without_an_opponent_only_the_best_answer_is_told():
    graded = grade(FIXTURES["A"], None)
    assert (graded.value, graded.best, graded.regret_exact, graded.exchange) == (None, None, None, None)
    assert graded.status == "feasible"
    assert grade(FIXTURES["A"], None, interrupted=True).status == "interrupted"
    assert graded.best_answer.value.margin == 25


def test_an_unknown_objective_is_refused():
    mix = MixedStrategy.pure(FIXTURES["B"]).strength_mix()
    with pytest.raises(QuintetError, match="unknown objective 'glory'"):
        grade(FIXTURES["A"], mix, "glory", Rules())


def test_the_command_tells_all_figures_of_a_known_match(tmp_path):
    path = write_mix(tmp_path / "greedy.json", MixedStrategy.pure(FIXTURES["G"]))
    options = ("--opponent", f"file:{path}", "--objective", "margin")
    document = answer_here("grade", ROWS["X"], *options)
    assert document["schema"] == "quintet.grade/1"
    assert document["status"] == "optimal"
    assert document["arrangement"] == FIXTURES["X"].packet_texts()
    assert document["value"] == {"points": 18, "opponent_points": 7, "margin": 11, "win": 1, "draw": 0, "loss": 0}
    assert (document["objective_value"], document["objective_value_exact"]) == (11, "11")
    assert Fraction(document["best_value_exact"]) - 11 == Fraction(document["regret_exact"]) > 0
    assert [packet["win"] for packet in document["packets"]] == [1, 1, 1, 1, 0]
    assert [packet["loss"] for packet in document["packets"]] == [0, 0, 0, 0, 1]
    assert document["best_answer"]["margin"] == int(document["best_answer"]["margin_exact"])
    best = answer_here("grade", *document["best_arrangement"], *options)
    assert (best["regret_exact"], best["exchange"]) == ("0", None)


def test_the_exchange_in_the_document_leads_where_it_says(tmp_path):
    path = write_mix(tmp_path / "mix.json", MixedStrategy((FIXTURES["Y"], FIXTURES["B"]), (1, 2)))
    options = ("--opponent", f"file:{path}")
    first = answer_here("grade", ROWS["A"], *options)
    exchange = first["exchange"]
    second = answer_here("grade", *exchange["arrangement"], *options)
    gain = Fraction(second["objective_value_exact"]) - Fraction(first["objective_value_exact"])
    assert gain == Fraction(exchange["gain_exact"]) > 0
    assert exchange["gain"] == float(gain)
    named = dict(exchanges_by_hand(FIXTURES["A"]))[exchange["kind"], exchange["first"], exchange["second"]]
    assert Arrangement.of_texts(named) == Arrangement.of_texts(exchange["arrangement"])


def test_the_best_answer_is_worth_its_margin():
    document = answer_here("grade", ROWS["A"], "--opponent", "greedy")
    answer = "|".join(document["best_answer"]["arrangement"])
    first, second = answer_here("score", answer, ROWS["A"])["points"]
    assert first - second == document["best_answer"]["margin"] == 25


@pytest.mark.parametrize(
    "arguments",
    [
        [ROWS["B"]],
        ROWS["B"].split(" | "),
        ROWS["B"].replace("|", "/").split(),
        [ROWS["B"].replace(" | ", "\n")],
        [ROWS["B"].replace("T", "10").lower()],
    ],
    ids=["one argument", "a packet each", "a card each", "a line each", "lower case"],
)
def test_every_way_to_write_the_arrangement_is_read(arguments):
    document = answer_here("grade", *arguments, "--opponent", "greedy")
    assert document["arrangement"] == FIXTURES["B"].packet_texts()


def test_standard_input_is_read_for_a_dash_only():
    written = answer_here("grade", "-", "--opponent", "greedy", stdin=ROWS["B"].replace(" | ", "\r\n"))
    assert written == answer_here("grade", ROWS["B"], "--opponent", "greedy", stdin="nonsense")


def test_a_saved_mix_is_an_opponent(tmp_path):
    path = write_mix(tmp_path / "mix.json", MixedStrategy((FIXTURES["A"], FIXTURES["B"], FIXTURES["G"]), (1, 1, 1)))
    document = answer_here("grade", ROWS["Y"], "--opponent", f"file:{path}")
    assert document["objective_value_exact"] == "52/3"  # 18, 22 and 12
    assert answer_here("grade", ROWS["X"], "--opponent", f"file:{path}")["objective_value_exact"] == "17"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (ROWS["A"].replace(" | ", " "), "expected 5 packets"),
        (ROWS["A"].replace("Ac 8h |", "Ac |", 1), "packet 1 has 4 cards"),
        (ROWS["A"].replace("8h", "9h", 1), "9h given twice, in packets 1 and 4"),
        (ROWS["A"].replace("8h", "1h", 1), "packet 1, card 5, '1h'"),
        (ROWS["A"].replace("8h", "2h", 1), "2h"),
    ],
)
def test_what_is_no_arrangement_is_refused_in_one_line(text, complaint):
    run = run_here("grade", text)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert complaint in run.err


def test_the_deal_is_whatever_25_cards_are_laid_out():
    document = answer_here("grade", ROWS["A"].replace("8h", "8d", 1), "--opponent", "greedy")
    assert document["deal"]["removed"] == "Ks Qd Th 9c 8h 7s 7h"


def test_a_limit_that_leaves_no_opponent_is_no_failure():
    run = run_here("grade", ROWS["A"], "--time-limit", "0", "--json")
    assert (run.code, run.err.count("\n")) == (0, 1)
    document = run.document
    assert document["status"] == "feasible"
    for name in ("value", "objective_value", "best_value", "best_arrangement", "regret_exact", "exchange"):
        assert document[name] is None
    assert [packet["win"] for packet in document["packets"]] == [None] * 5
    assert document["best_answer"]["margin"] == 25
