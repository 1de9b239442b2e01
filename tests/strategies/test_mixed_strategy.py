import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import ArrangementError, OpponentError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.samples import random_arrangement

D1 = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")
GENERATOR = np.random.default_rng(0)
FIRST, SECOND, THIRD = (random_arrangement(D1, GENERATOR) for _ in range(3))
OTHER_DEAL = random_arrangement(Deal.from_removed("7s 7h 8d 9c Th Qd As"), GENERATOR)
LIMIT = 2**53 // 25


class EveryTicket:
    """Stands for a random generator and draws the numbers 0, 1, 2, … in turn."""

    def __init__(self):
        self.next = 0

    def integers(self, limit):
        assert self.next < limit
        self.next += 1
        return self.next - 1


def records(*items):
    """Return strategies as JSON documents hold them, from (arrangement, other fields) pairs."""
    return [{"arrangement": arrangement.packet_texts(), **fields} for arrangement, fields in items]


def weighted(*weights):
    return records(*zip((FIRST, SECOND, THIRD), [{"weight": weight} for weight in weights], strict=False))


def probable(*probabilities):
    return records(*zip((FIRST, SECOND, THIRD), [{"probability": p} for p in probabilities], strict=False))


def test_weights_are_the_strategy():
    mix = MixedStrategy([FIRST, SECOND], [np.int64(3), 1])
    assert (mix.arrangements, mix.weights, mix.total) == ((FIRST, SECOND), (3, 1), 4)
    assert all(type(weight) is int for weight in mix.weights)
    assert mix.probabilities == (0.75, 0.25)
    assert mix.deal == D1
    assert MixedStrategy.pure(FIRST) == MixedStrategy((FIRST,), (1,))


@pytest.mark.parametrize(
    ("arrangements", "weights", "message"),
    [
        ((), (), "at least one arrangement"),
        ((FIRST,), (), "1 arrangements but 0 weights"),
        ((FIRST,), (1, 2), "1 arrangements but 2 weights"),
        ((FIRST, SECOND), (1, 0), "weight 0 of strategy 2"),
        ((FIRST,), (-3,), "weight -3 of strategy 1"),
        ((FIRST,), (1.0,), "weight 1.0 of strategy 1"),
        ((FIRST,), (True,), "weight True of strategy 1"),
    ],
)
def test_what_is_no_mix_is_refused(arrangements, weights, message):
    with pytest.raises(OpponentError, match=message):
        MixedStrategy(arrangements, weights)


def test_arrangements_of_two_deals_are_refused():
    with pytest.raises(ArrangementError, match="strategy 2"):
        MixedStrategy((FIRST, OTHER_DEAL), (1, 1))


def test_every_ticket_draws_its_arrangement():
    mix = MixedStrategy((FIRST, SECOND, THIRD), (3, 1, 6))
    tickets = EveryTicket()
    drawn = Counter(mix.draw(tickets) for _ in range(mix.total))
    assert drawn == {FIRST: 3, SECOND: 1, THIRD: 6}


def test_a_draw_follows_from_the_seed():
    mix = MixedStrategy((FIRST, SECOND, THIRD), (2**48, 2**48, 2**48))
    draws = [[mix.draw(generator) for _ in range(20)] for generator in map(np.random.default_rng, (1, 1, 2))]
    assert draws[0] == draws[1] != draws[2]
    assert set(draws[0]) == {FIRST, SECOND, THIRD}


def test_records_survive_json_unrounded():
    mix = MixedStrategy((FIRST, SECOND, THIRD), (1, 1, 1))
    document = json.loads(json.dumps(mix.records()))
    assert [record["probability"] for record in document] == [1 / 3] * 3
    assert MixedStrategy.from_records(document, D1) == mix


def test_weights_count_where_every_strategy_has_one_and_are_never_rescaled():
    document = weighted(LIMIT - 3, 1, 2)
    for record in document:
        record["probability"] = 0.1
    assert MixedStrategy.from_records(document, D1).weights == (LIMIT - 3, 1, 2)


def test_strategies_of_weight_zero_are_left_out():
    mix = MixedStrategy.from_records(weighted(0, 5, 0), D1)
    assert (mix.arrangements, mix.weights) == ((SECOND,), (5,))
    assert MixedStrategy.from_records(probable(0.25, 0, 0.75), D1).weights == (1, 3)


@pytest.mark.parametrize(
    ("probabilities", "shares"),
    [
        ((0.5, 0.5), (1, 1)),
        ((0.1, 0.2, 0.7), (1, 2, 7)),
        ((1,), (1,)),
        ((0.125, 0.875), (1, 7)),
        ((1e-9, 0.999999999), (1, 999999999)),
    ],
)
def test_short_decimals_that_add_up_become_exact_weights(probabilities, shares):
    mix = MixedStrategy.from_records(probable(*probabilities), D1)
    assert [Fraction(weight, mix.total) for weight in mix.weights] == [Fraction(s, sum(shares)) for s in shares]


def test_other_probabilities_are_rounded_to_the_largest_total():
    mix = MixedStrategy.from_records(probable(1 / 3, 1 / 3, 1 / 3), D1)
    assert mix.total == 2**48
    assert max(mix.weights) - min(mix.weights) <= 1
    heavy = Rules(weights=(1000,) * 5)
    assert MixedStrategy.from_records(probable(1 / 3, 1 / 3, 1 / 3), D1, heavy).total == 2**53 // 5000


@given(st.lists(st.floats(1e-12, 1), min_size=3, max_size=3))
def test_rounding_moves_no_probability_by_a_whole_weight(parts):
    probabilities = [part / sum(parts) for part in parts]
    mix = MixedStrategy.from_records(probable(*probabilities), D1)
    for weight, probability in zip(mix.weights, probabilities, strict=True):
        assert abs(Fraction(weight, mix.total) - Fraction(probability)) < Fraction(2, 2**48)


@pytest.mark.parametrize("off", [Fraction(9, 10**10), Fraction(-9, 10**10)])
def test_probabilities_may_be_off_by_less_than_a_billionth(off):
    assert MixedStrategy.from_records(probable(0.5, float(Fraction(1, 2) + off)), D1).total == 2**48


@pytest.mark.parametrize("last", [0.500000002, 0.499999998, 0, 1])
def test_probabilities_that_do_not_add_up_are_refused(last):
    with pytest.raises(OpponentError, match="expected 1"):
        MixedStrategy.from_records(probable(0.5, last), D1)


def test_probabilities_of_numpy_are_floats_too():
    assert MixedStrategy.from_records(probable(np.float64(0.5), 0.5), D1).weights == (1, 1)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "list `strategies`"),
        ({}, "list `strategies`"),
        ([], "list `strategies`"),
        ("strategies", "list `strategies`"),
        ([7], "strategy 1: expected an object"),
        ([{"weight": 1}], "strategy 1: expected an object with `arrangement`"),
        ([{"arrangement": "As", "weight": 1}], "strategy 1: expected `arrangement` to be a list"),
        ([{"arrangement": [1, 2, 3, 4, 5], "weight": 1}], "strategy 1: expected `arrangement` to be a list"),
        ([{"arrangement": ["As"] * 5, "weight": 1}], "strategy 1: packet 1 has 1 cards"),
        ([{"arrangement": ["xx"] * 5, "weight": 1}], "strategy 1: packet 1: "),
        ([{"arrangement": FIRST.packet_texts()[:4], "weight": 1}], "strategy 1: expected 5 packets, not 4"),
        (records((FIRST, {"weight": 1}), (OTHER_DEAL, {"weight": 1})), "strategy 2: .*Ks.* not in the deal"),
        (weighted(1, -2), "strategy 2: weight -2"),
        (weighted(1, 1.5), "strategy 2: weight 1.5"),
        (weighted(True), "strategy 1: weight True"),
        (weighted("3"), "strategy 1: weight '3'"),
        (weighted(None), "strategy 1: weight None"),
        (weighted(0, 0), "all weights are 0"),
        (records((FIRST, {})), "strategy 1: probability None"),
        (records((FIRST, {"weight": 1}), (SECOND, {"probability": 1})), "strategy 1 has a weight where others"),
        (records((FIRST, {"probability": 1}), (SECOND, {"weight": 1})), "strategy 2 has a weight where others"),
        (probable(float("nan")), "strategy 1: probability nan"),
        (probable(0.5, float("inf")), "strategy 2: probability inf"),
        (probable(1.5, -0.5), "strategy 1: probability 1.5"),
        (probable("1"), "strategy 1: probability '1'"),
        (probable(True), "strategy 1: probability True"),
    ],
)
def test_records_of_another_form_are_refused(document, message):
    with pytest.raises(OpponentError, match=message):
        MixedStrategy.from_records(document, D1)


@pytest.mark.parametrize("total", [LIMIT + 1, 10**4299], ids=["limit + 1", "4,300 digits"])
def test_weights_beyond_exact_scores_are_refused_in_one_short_line(total):
    with pytest.raises(OpponentError, match=f"at most {LIMIT}") as caught:
        MixedStrategy.from_records(weighted(total), D1)
    assert len(str(caught.value)) < 120
    with pytest.raises(OpponentError, match=f"at most {LIMIT}"):
        MixedStrategy((FIRST,), (total,)).strength_mix()


def test_the_limit_depends_on_the_place_weights():
    light, heavy = Rules(weights=(1,) * 5), Rules(weights=(1000,) * 5)
    assert MixedStrategy((FIRST,), (2**53 // 5,)).strength_mix(light).total == 2**53 // 5
    with pytest.raises(OpponentError, match=f"at most {2**53 // 5000}"):
        MixedStrategy((FIRST,), (2**53 // 5,)).strength_mix(heavy)


@pytest.mark.parametrize("rules", [Rules(), Rules("telesina"), Rules("quintet-text")], ids=lambda rules: rules.name)
def test_a_strength_mix_has_the_strengths_of_the_arrangements(rules):
    swapped = Arrangement(FIRST.packets[1::-1] + FIRST.packets[2:])
    mix = MixedStrategy((FIRST, SECOND, swapped, FIRST), (1, 2, 3, 4)).strength_mix(rules)
    rows = {tuple(row): weight for row, weight in zip(mix.rows.tolist(), mix.row_weights.tolist(), strict=True)}
    assert rows == {FIRST.strengths(rules): 5, SECOND.strengths(rules): 2, swapped.strengths(rules): 3}
    assert (mix.total, mix.row_total, mix.sampled) == (10, 10, False)
    for place, distribution in enumerate(mix.places):
        expected = Counter()
        for row, weight in rows.items():
            expected[row[place]] += weight
        assert distribution.strengths.tolist() == sorted(expected)
        assert distribution.weights.tolist() == [expected[strength] for strength in sorted(expected)]
