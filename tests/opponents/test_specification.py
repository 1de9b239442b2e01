"""Opponent models against what their definitions say, in exact fractions."""

import json
import math
import threading
import time
from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from solver.best_response.greedy import greedy_arrangement
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.certificate import exploitability
from solver.equilibrium.solve import solve_equilibrium
from solver.errors import FileError, LimitReached, OpponentError
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.hand_table import hands_of
from solver.game.rules import Rules
from solver.opponents.specification import parse_opponent, parse_spec
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from solver.strategies.rounding import LARGEST_TOTAL
from solver.system.limits import Limits
from tests.support.brute_force import all_strengths, scores
from tests.support.command import write_mix
from tests.support.d1 import D1, FIXTURES
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.samples import RULE_SETS, random_deal
from tests.support.scalar_ranking import ranking_key

FEW = EXTREME_DEALS[1].deal  # 44 undominated partitions
EXPECTED = (
    "expected greedy, greedy-shuffled, random, undominated, level:K, quantal:LAMBDA, cognitive:TAU, equilibrium, "
    "fitted:PATH or file:PATH"
)


def place_chances(opponent):
    """Return for each place the exact chance of each strength."""
    mix = opponent.mix
    chances = []
    for place in mix.places:
        assert int(place.weights.sum()) == mix.total
        pairs = zip(place.strengths.tolist(), place.weights.tolist(), strict=True)
        chances.append({strength: Fraction(weight, mix.total) for strength, weight in pairs})
    return chances


def chances_of_vectors(vectors):
    """Return for each place the chance of each strength where all the vectors are equally likely."""
    return [
        {strength: Fraction(count, len(vectors)) for strength, count in sorted(Counter(column).items())}
        for column in np.asarray(vectors).T.tolist()
    ]


def laid_out(deal, rules=None):
    """Return every undominated partition of a deal in every order, as strength vectors."""
    strengths = undominated_partitions(deal, rules).strengths
    return strengths[:, list(permutations(range(deal.places)))].reshape(-1, deal.places)


# Single models.


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_greedy_always_plays_the_greedy_arrangement(rules):
    opponent = parse_opponent("greedy", D1, rules)
    assert opponent.strategies == MixedStrategy((greedy_arrangement(D1, rules),), (1,))
    assert place_chances(opponent) == [{strength: 1} for strength in greedy_arrangement(D1, rules).strengths(rules)]
    assert not opponent.sampled


def test_greedy_shuffled_plays_the_greedy_packets_in_all_orders_alike():
    opponent = parse_opponent("greedy-shuffled", D1)
    packets = greedy_arrangement(D1).packets
    assert {arrangement.packets for arrangement in opponent.strategies.arrangements} == set(permutations(packets))
    assert opponent.strategies.weights == (1,) * 120
    assert not opponent.sampled


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_random_has_every_hand_in_every_place_alike(rules):
    opponent = parse_opponent("random", D1, rules)
    counts = Counter(hands_of(D1, rules).strengths.tolist())
    expected = {strength: Fraction(count, 53_130) for strength, count in sorted(counts.items())}
    assert place_chances(opponent) == [expected] * 5
    assert (opponent.sampled, opponent.strategies) == (True, None)


def test_random_ranks_the_hands_as_the_scalar_definition():
    place = parse_opponent("random", D1).mix.places[2]
    counts = Counter(ranking_key(hand, "quintet", False) for hand in hands_of(D1).hands.tolist())
    assert place.weights.tolist() == [count for _, count in sorted(counts.items())]


@pytest.mark.parametrize("places", [1, 2, 3])
def test_random_is_every_arrangement_of_a_small_game_alike(places):
    deal = random_deal(places, np.random.default_rng([places, 41]), suits=3)
    assert place_chances(parse_opponent("random", deal)) == chances_of_vectors(all_strengths(deal, Rules()))


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_undominated_is_every_undominated_partition_in_every_order_alike(rules):
    opponent = parse_opponent("undominated", FEW, rules)
    vectors = laid_out(FEW, rules)
    assert place_chances(opponent) == chances_of_vectors(vectors)
    assert (opponent.sampled, opponent.strategies) == (False, None)
    rows = zip(map(tuple, opponent.mix.rows.tolist()), opponent.mix.row_weights.tolist(), strict=True)
    assert dict(rows) == Counter(map(tuple, vectors.tolist()))


def test_quantal_of_nothing_is_undominated():
    first, second = (parse_opponent(spec, FEW, seed=5) for spec in ("quantal:0", "undominated"))
    assert place_chances(first) == place_chances(second)
    assert first.mix.rows.tolist() == second.mix.rows.tolist()
    assert first.mix.row_weights.tolist() == second.mix.row_weights.tolist()


@pytest.mark.parametrize("spec", ["quantal:0.1", "quantal:1", "quantal:10", "quantal:1e2", "quantal:1000"])
def test_quantal_gains_no_more_than_its_entropy_allows(spec):
    rationality = float(spec.partition(":")[2])
    opponent = parse_opponent(spec, FEW)
    assert opponent.mix.total == LARGEST_TOTAL
    vectors = laid_out(FEW)
    gains = Fraction(0)
    for place, weight in enumerate(Rules().weights):
        distribution = opponent.mix.places[place]
        below = np.concatenate([[0], np.cumsum(distribution.weights)])
        beaten = below[np.searchsorted(distribution.strengths, vectors[:, place], side="left")]
        above = opponent.mix.total - below[np.searchsorted(distribution.strengths, vectors[:, place], side="right")]
        gains = gains + weight * (beaten - above)
    best = Fraction(int(gains.max()), opponent.mix.total)
    assert 0 <= best <= Fraction(math.log(120 * 44) / rationality)


def test_made_weights_leave_room_for_large_place_weights():
    rules = Rules(weights=(1000, 1000, 1000, 1000, 1000))
    assert parse_opponent("quantal:0.01", FEW, rules).mix.total == 2**53 // 5000


@pytest.mark.parametrize(("objective", "played"), [("points", "margin"), ("margin", "margin"), ("win", "win")])
def test_equilibrium_is_that_of_the_objective_in_force(objective, played):
    deal = EXTREME_DEALS[0].deal
    opponent = parse_opponent("equilibrium", deal, objective=objective)
    assert opponent.strategies == solve_equilibrium(deal, played).strategies
    assert exploitability(deal, opponent.strategies, played) <= Fraction(1, 10**9)
    assert not opponent.sampled


# Levels.


def all_best_vectors(deal, rules, objective, mix):
    """Return all undominated strength vectors that do best against a mix, by playing every one of them."""
    vectors = laid_out(deal, rules)
    sums, _ = scores(vectors, mix, rules)[objective]
    return {tuple(vector) for vector in vectors[sums == sums.max()].tolist()}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rules", [RULE_SETS[0], RULE_SETS[2], RULE_SETS[5]], ids=str)
def test_each_level_plays_all_best_responses_to_the_level_below_alike(rules, objective):
    below = parse_opponent("level:0", FEW, rules, objective=objective).strategies
    assert below == parse_opponent("greedy-shuffled", FEW, rules).strategies
    for depth in (1, 2, 3):
        mix = parse_opponent(f"level:{depth}", FEW, rules, objective=objective).strategies
        vectors = [arrangement.strengths(rules) for arrangement in mix.arrangements]
        assert len(set(vectors)) == len(vectors)
        assert set(vectors) == all_best_vectors(FEW, rules, objective, below)
        assert mix.weights == (1,) * len(vectors)
        below = mix


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("places", [2, 3])
def test_level_one_of_a_small_game_is_best_among_all_arrangements(places, objective):
    deal = random_deal(places, np.random.default_rng([places, 42]))
    rules = Rules()
    level_0 = parse_opponent("level:0", deal, objective=objective).strategies
    level_1 = parse_opponent("level:1", deal, objective=objective).strategies
    vectors = all_strengths(deal, rules)
    sums, _ = scores(vectors, level_0, rules)[objective]
    best = {tuple(vector) for vector in vectors[sums == sums.max()].tolist()}
    undominated = {tuple(vector) for vector in laid_out(deal).tolist()}
    assert {arrangement.strengths() for arrangement in level_1.arrangements} == best & undominated


def test_level_one_of_a_deal_is_a_brute_force_best_response():
    mix = parse_opponent("level:1", D1).strategies
    level_0 = parse_opponent("greedy-shuffled", D1).strategies
    expected = all_best_vectors(D1, Rules(), "points", level_0)
    assert {arrangement.strengths() for arrangement in mix.arrangements} == expected


# Mixes of models.


def mixed_chances(specs, deal, **options):
    """Return the place chances of a mix of models, added up from the models alone."""
    parts = [spec.partition(":") for spec in specs]
    whole = sum(int(weight) for weight, _, _ in parts)
    sums = [Counter() for _ in range(deal.places)]
    for weight, _, spec in parts:
        for place, chances in enumerate(place_chances(parse_opponent(spec, deal, **options))):
            for strength, chance in chances.items():
                sums[place][strength] += Fraction(int(weight), whole) * chance
    return [dict(sorted(total.items())) for total in sums]


@pytest.mark.parametrize(
    "specs",
    [
        ["2:greedy", "1:greedy-shuffled"],
        ["3:greedy", "5:random"],
        ["1:undominated", "1:random", "7:greedy"],
        ["1:level:1", "4:greedy"],
        ["999999999:greedy", "1:greedy-shuffled"],
    ],
)
def test_a_mix_of_models_is_exact(specs):
    assert place_chances(parse_opponent(specs, FEW)) == mixed_chances(specs, FEW)


def test_a_mix_that_can_be_listed_is_listed():
    opponent = parse_opponent(["2:greedy", "1:greedy-shuffled"], FEW)
    chances = Counter()
    for arrangement, weight in zip(opponent.strategies.arrangements, opponent.strategies.weights, strict=True):
        chances[arrangement] += Fraction(weight, opponent.strategies.total)
    greedy = greedy_arrangement(FEW)
    assert chances.pop(greedy) == Fraction(2, 3) + Fraction(1, 360)
    assert set(chances.values()) == {Fraction(1, 360)}
    assert len(chances) == 119


def test_a_mix_with_files_is_weighed_by_hand(tmp_path):
    first = write_mix(tmp_path / "first.json", MixedStrategy((FIXTURES["A"], FIXTURES["B"]), (1, 2)))
    second = write_mix(tmp_path / "second.json", MixedStrategy((FIXTURES["G"],), (10,)))
    opponent = parse_opponent([f"3:file:{first}", f"1:file:{second}"], D1)
    mix = opponent.strategies
    chances = {a: Fraction(w, mix.total) for a, w in zip(mix.arrangements, mix.weights, strict=True)}
    quarter = Fraction(1, 4)
    assert chances == {FIXTURES["A"]: quarter, FIXTURES["B"]: 2 * quarter, FIXTURES["G"]: quarter}


def test_a_mix_with_a_large_denominator_is_rounded_to_one_total():
    specs = ["2:quantal:1", "1:greedy"]
    opponent = parse_opponent(specs, FEW)
    assert opponent.mix.total == LARGEST_TOTAL
    for rounded, exact in zip(place_chances(opponent), mixed_chances(specs, FEW), strict=True):
        for strength in exact:
            assert abs(rounded.get(strength, 0) - exact[strength]) < Fraction(1, LARGEST_TOTAL)


def test_the_sampled_part_of_a_mix_keeps_its_share():
    opponent = parse_opponent(["3:greedy", "1:random"], FEW, samples=50)
    assert opponent.sampled
    greedy = list(greedy_arrangement(FEW).strengths())
    (index,) = [row for row, strengths in enumerate(opponent.mix.rows.tolist()) if strengths == greedy]
    assert Fraction(int(opponent.mix.row_weights[index]), opponent.mix.row_total) == Fraction(3, 4)
    assert opponent.mix.row_total == 200


def test_a_weight_before_a_single_model_changes_nothing():
    assert parse_opponent("7:greedy", FEW).strategies == parse_opponent("greedy", FEW).strategies


# Samples.


@pytest.mark.parametrize("spec", ["undominated", "quantal:1"])
def test_only_random_depends_on_the_seed(spec):
    first, other = (parse_opponent(spec, FEW, samples=300, seed=seed) for seed in (3, 4))
    assert not first.sampled
    assert first.mix.rows.tolist() == other.mix.rows.tolist()
    assert first.mix.row_weights.tolist() == other.mix.row_weights.tolist()
    assert first.mix.row_total == first.mix.total


def test_a_mix_of_listed_models_is_listed():
    opponent = parse_opponent(["2:quantal:1", "1:undominated"], FEW)
    assert not opponent.sampled
    assert opponent.mix.row_total == opponent.mix.total == LARGEST_TOTAL


def test_samples_are_drawn_by_the_seed():
    first, again, other = (parse_opponent("random", FEW, samples=300, seed=seed) for seed in (3, 3, 4))
    assert first.mix.row_total == other.mix.row_total == 300
    assert first.mix.rows.tolist() == again.mix.rows.tolist()
    assert first.mix.row_weights.tolist() == again.mix.row_weights.tolist()
    assert first.mix.rows.tolist() != other.mix.rows.tolist()
    assert place_chances(first) == place_chances(other)


def test_models_of_one_mix_are_sampled_apart():
    opponent = parse_opponent(["1:random", "1:random"], FEW, samples=100)
    assert len(opponent.mix.rows) > 150


@pytest.mark.parametrize("spec", ["random", "1:random"])
def test_a_large_sample_is_spread_as_the_model(spec):
    opponent = parse_opponent(spec, FEW, samples=10_000, seed=1)
    mix = opponent.mix
    for place, chances in enumerate(place_chances(opponent)):
        sampled = Counter()
        for row, weight in zip(mix.rows.tolist(), mix.row_weights.tolist(), strict=True):
            sampled[row[place]] += weight / mix.row_total
        # Half the sum of differences; with 10,000 draws of some hundred strengths a few per cent.
        distance = sum(abs(sampled[strength] - chance) for strength, chance in chances.items()) / 2
        assert distance < 0.12
        assert set(sampled) <= set(chances)


def test_every_sampled_row_can_be_laid_out():
    deal = random_deal(2, np.random.default_rng(43))
    attainable = {tuple(vector) for vector in all_strengths(deal, Rules()).tolist()}
    rows = parse_opponent("random", deal, samples=2000).mix.rows
    assert {tuple(row) for row in rows.tolist()} <= attainable


# Files.


def test_probabilities_of_a_file_become_exact_weights(tmp_path):
    strategies = [
        {"arrangement": FIXTURES["A"].packet_texts(), "probability": 0.25},
        {"arrangement": FIXTURES["B"].packet_texts(), "probability": 0.75},
    ]
    path = tmp_path / "mix.json"
    path.write_text(json.dumps({"strategies": strategies}), encoding="utf-8")
    mix = parse_opponent(f"file:{path}", D1).strategies
    assert [Fraction(weight, mix.total) for weight in mix.weights] == [Fraction(1, 4), Fraction(3, 4)]


def test_weights_of_a_file_are_never_rescaled(tmp_path):
    mix = MixedStrategy((FIXTURES["A"], FIXTURES["B"]), (2**53 // 25 - 10, 10))
    assert parse_opponent(f"file:{write_mix(tmp_path / 'mix.json', mix)}", D1).strategies == mix


@pytest.mark.parametrize("content", ["[]", '"text"', "{}", '{"strategies": []}', '{"strategies": {"a": 1}}'])
def test_a_file_without_strategies_is_refused_by_name(tmp_path, content):
    path = tmp_path / "mix.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(OpponentError, match=r"mix\.json: expected a"):
        parse_opponent(f"file:{path}", D1)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"none\.json: No such file"):
        parse_opponent(f"file:{tmp_path / 'none.json'}", D1)


# What cannot be read, and what is not ready in time.


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("", "cannot be read"),
        ("nobody", "is not known"),
        ("Greedy", "cannot be read"),
        ("greedy:1", "greedy takes nothing after a colon"),
        ("random:", "random takes nothing after a colon"),
        ("0:greedy", "expected a whole number from 1 to 999999999"),
        ("-1:greedy", "expected a whole number from 1 to 999999999"),
        ("1.5:greedy", "expected a whole number from 1 to 999999999"),
        (":greedy", "expected a whole number from 1 to 999999999"),
        ("9999999999:greedy", "expected a whole number from 1 to 999999999"),
        ("2:", "cannot be read"),
        ("cognitive", "expected a number above 0 and up to 10"),
        ("cognitive:0", "expected a number above 0 and up to 10"),
        ("cognitive:10.1", "expected a number above 0 and up to 10"),
        ("cognitive:1e0", "expected a number above 0 and up to 10"),
        ("cognitive:1_0", "expected a number above 0 and up to 10"),
        ("cognitive:nan", "expected a number above 0 and up to 10"),
        ("level", "expected a whole number from 0 to 20"),
        ("level:", "expected a whole number from 0 to 20"),
        ("level:21", "expected a whole number from 0 to 20"),
        ("level:-1", "expected a whole number from 0 to 20"),
        ("level:1.5", "expected a whole number from 0 to 20"),
        ("level:x", "expected a whole number from 0 to 20"),
        ("quantal", "expected a number from 0 to 1000"),
        ("quantal:x", "expected a number from 0 to 1000"),
        ("quantal:nan", "expected a number from 0 to 1000"),
        ("quantal:inf", "expected a number from 0 to 1000"),
        ("quantal:-0.5", "expected a number from 0 to 1000"),
        ("quantal:1000.1", "expected a number from 0 to 1000"),
        ("fitted", "expected fitted:PATH"),
        ("file", "expected file:PATH"),
        ("file:", "expected file:PATH"),
    ],
)
def test_a_specification_that_cannot_be_read_is_quoted(spec, complaint):
    with pytest.raises(OpponentError) as raised:
        parse_spec(spec)
    assert repr(spec) in str(raised.value)
    assert complaint in str(raised.value)


def test_the_models_are_listed_where_none_is_meant():
    for spec in ("", "nobody"):
        with pytest.raises(OpponentError) as raised:
            parse_opponent(spec, D1)
        assert EXPECTED in str(raised.value)
    with pytest.raises(OpponentError, match="no opponent given"):
        parse_opponent([], D1)


@pytest.mark.parametrize("options", [{"samples": 0}, {"samples": 50_001}, {"seed": -1}])
def test_numbers_out_of_range_are_refused(options):
    with pytest.raises(OpponentError, match="must be"):
        parse_opponent("random", D1, **options)


@pytest.mark.parametrize("spec", ["quantal:1", "level:1", "cognitive:1.5", "equilibrium"])
def test_a_model_that_is_not_ready_in_time_says_so(spec):
    with pytest.raises(LimitReached, match="not ready"):
        parse_opponent(spec, D1, limits=Limits(time.monotonic()))


@pytest.mark.parametrize("spec", ["quantal:1", "level:1", "cognitive:1.5", "equilibrium"])
def test_a_model_that_is_interrupted_says_so(spec):
    interrupt = threading.Event()
    interrupt.set()
    with pytest.raises(LimitReached, match="not ready"):
        parse_opponent(spec, D1, limits=Limits(interrupt=interrupt))


@pytest.mark.parametrize("spec", ["greedy", "greedy-shuffled", "level:0", "random", "undominated", "quantal:0"])
def test_what_is_made_at_once_needs_no_time(spec):
    assert parse_opponent(spec, FEW, limits=Limits(time.monotonic())).mix.total > 0


def test_relabelled_suits_change_no_chance():
    # Suits to the right by one: spades become clubs.
    relabelled = Deal(tuple(card - card % 4 + (card % 4 + 1) % 4 for card in FEW.cards))
    for spec in ("greedy", "greedy-shuffled", "random", "undominated", "quantal:1", "level:2", "cognitive:1.5"):
        first, second = (place_chances(parse_opponent(spec, deal)) for deal in (FEW, relabelled))
        assert [set(chances) for chances in first] == [set(chances) for chances in second]
        for here, there in zip(first, second, strict=True):
            for strength, chance in here.items():
                assert float(there[strength]) == pytest.approx(float(chance), abs=1e-9)


def test_strengths_are_those_of_the_rule_set():
    for rules in RULE_SETS[:5]:
        rows = parse_opponent("undominated", FEW, rules, samples=20).mix.rows
        attainable = set(evaluate_hands(hands_of(FEW).hands, rules).tolist())
        assert set(rows.ravel().tolist()) <= attainable
