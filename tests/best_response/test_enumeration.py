from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from solver.best_response import enumeration
from solver.best_response.enumeration import all_values, best_response, best_vectors
from solver.best_response.problem import ResponseProblem
from solver.dominance.orders import distinct_orders, order_table
from solver.dominance.partitions import Partitions, undominated_partitions
from solver.errors import DealError, RulesError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from solver.system.limits import Limits
from tests.support.brute_force import all_strengths, best_of_vectors, scores
from tests.support.cases import best_response_cases
from tests.support.samples import SMALL_GAMES, random_arrangement, random_deal, random_mix

DEAL = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")


def question(deal, mix, objective, rules=None, locked=None):
    """Return a problem with the undominated partitions of its free cards."""
    problem = ResponseProblem.of(deal, mix.strength_mix(rules), objective, rules, locked)
    return problem, undominated_partitions(problem.deal, rules)


def strengths_of(answer, problem):
    return Arrangement(answer.packets).strengths(problem.rules)


def require_honest(answer, problem):
    """Check that an answer's packets are the free cards, have its strengths and reach its value."""
    assert sorted(card for packet in answer.packets for card in packet) == sorted(problem.deal.cards)
    assert problem.evaluate([strengths_of(answer, problem)]).tolist() == [answer.value]


def best_figure(deal, mix, objective, rules=None, locked=None):
    problem, partitions = question(deal, mix, objective, rules, locked)
    answer = best_response(problem, partitions)
    require_honest(answer, problem)
    return Fraction(answer.value, problem.denominator)


@pytest.mark.parametrize("case", best_response_cases(), ids=lambda case: case.id)
def test_known_optima(case):
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    mix = MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent)).strength_mix(case.rules)
    deal = Deal.parse(case.cards)
    partitions = undominated_partitions(deal, case.rules)
    for objective in OBJECTIVES:
        problem = ResponseProblem.of(deal, mix, objective, case.rules)
        answer = best_response(problem, partitions)
        require_honest(answer, problem)
        assert Fraction(answer.value, problem.denominator) == case.best[objective]


@pytest.mark.parametrize(("places", "suits", "rules"), SMALL_GAMES)
def test_small_games_equal_brute_force(places, suits, rules):
    generator = np.random.default_rng([places, suits, 1])
    deal = random_deal(places, generator, suits)
    vectors = np.unique(all_strengths(deal, rules), axis=0)
    for size in (1, 3, 8):
        mix = random_mix(deal, generator, size)
        assert {objective: best_figure(deal, mix, objective, rules) for objective in OBJECTIVES} == best_of_vectors(
            vectors, mix, rules
        )


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(8))
def test_locked_packets_count_and_free_ones_are_optimal(seed, objective):
    generator = np.random.default_rng(seed)
    mix = random_mix(DEAL, generator, 4)
    mine = random_arrangement(DEAL, generator)
    free = sorted(generator.permutation(5)[:2].tolist())
    locked = {place: packet for place, packet in enumerate(mine.packets) if place not in free}
    rest = Deal(tuple(card for place in free for card in mine.packets[place]))
    vectors = np.tile(mine.strengths(), (252, 1))
    vectors[:, free] = all_strengths(rest, Rules())
    assert best_figure(DEAL, mix, objective, locked=locked) == best_of_vectors(vectors, mix, Rules())[objective]


@pytest.mark.parametrize("places", range(1, 6))
def test_orders_are_all_permutations_in_lexicographic_order(places):
    assert order_table(places).tolist() == [list(order) for order in permutations(range(places))]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_value_is_that_of_its_strength_vector(objective):
    generator = np.random.default_rng(5)
    mine = random_arrangement(DEAL, generator)
    for locked in ({}, {1: mine.packets[1]}):
        problem, partitions = question(DEAL, random_mix(DEAL, generator, 40), objective, locked=locked)
        values = all_values(problem, partitions)
        sample = generator.choice(len(partitions), 20)
        vectors = partitions.strengths[sample][:, order_table(problem.places)]
        expected = problem.evaluate(vectors.reshape(-1, problem.places)).reshape(len(sample), -1)
        assert values.dtype == np.int64
        assert (values[sample] == expected).all()


@pytest.mark.parametrize(("row_block", "margin_block"), [(1, 1), (7, 60), (40, 100_000)])
def test_blocks_do_not_change_the_values(monkeypatch, row_block, margin_block):
    generator = np.random.default_rng(2)
    deal = random_deal(3, generator)
    locked = {2: random_arrangement(deal, generator).packets[2]}
    problem, partitions = question(deal, random_mix(deal, generator, 40), "win", locked=locked)
    values = all_values(problem, partitions)
    monkeypatch.setattr(enumeration, "_ROW_BLOCK", row_block)
    monkeypatch.setattr(enumeration, "_MARGIN_BLOCK", margin_block)
    assert (all_values(problem, partitions) == values).all()


def test_win_is_exact_at_the_largest_weights():
    generator = np.random.default_rng(4)
    rules = Rules(weights=(1, 1, 1, 1, 1))
    deal = random_deal(2, generator)
    mix = random_mix(deal, generator, 9)
    weights = (2**53 // 5 - 9 * 8 // 2, *range(1, 9))
    mix = MixedStrategy(mix.arrangements, weights)
    problem, partitions = question(deal, mix, "win", rules)
    vectors = partitions.strengths[:, order_table(2)].reshape(-1, 2)
    assert all_values(problem, partitions).ravel().tolist() == scores(vectors, mix, rules)["win"][0].tolist()


@pytest.mark.parametrize("places", range(2, 6))
def test_distinct_orders_are_the_first_of_their_strength_vectors(places):
    patterns = np.array(list(product((0, 1), repeat=places - 1)))
    strengths = np.concatenate((np.zeros((len(patterns), 1), dtype=np.int64), patterns.cumsum(axis=1)), axis=1)
    for row, distinct in zip(strengths, distinct_orders(strengths), strict=True):
        vectors = [tuple(vector) for vector in row[order_table(places)].tolist()]
        assert distinct.tolist() == [vector not in vectors[:index] for index, vector in enumerate(vectors)]


@pytest.mark.parametrize("rules", [Rules(), Rules("quintet-text")], ids=lambda rules: rules.name)
def test_best_vectors_are_the_best_undominated_ones_once_each(rules):
    generator = np.random.default_rng(9)
    deal = random_deal(3, generator)
    mix = random_mix(deal, generator, 5)
    vectors = np.unique(all_strengths(deal, rules), axis=0)
    a, b, c = vectors.T.copy()
    undominated = [v for v in vectors if ((a >= v[0]) & (b >= v[1]) & (c >= v[2])).sum() == 1]
    for objective, (sums, _) in scores(np.array(undominated), mix, rules).items():
        problem, partitions = question(deal, mix, objective, rules)
        for count in (1, 7, len(undominated) + 5):
            answers = best_vectors(problem, partitions, count)
            assert [answer.value for answer in answers] == sorted(sums.tolist(), reverse=True)[:count]
            assert len({strengths_of(answer, problem) for answer in answers}) == len(answers)
            for answer in answers[::10]:
                require_honest(answer, problem)
                assert sorted(strengths_of(answer, problem)) in partitions.strengths.tolist()
        found = {strengths_of(answer, problem) for answer in answers}
        assert found == {tuple(vector.tolist()) for vector in undominated}


def test_packets_that_tie_give_each_vector_once():
    deal = Deal(parse_cards("As Ks Qs Js 9s Ah Kh Qh Jh 9h"))
    problem, partitions = question(deal, random_mix(deal, np.random.default_rng(0), 2), "points")
    tied = (partitions.strengths[:, 0] == partitions.strengths[:, 1]).sum()
    assert tied > 0
    assert len(best_vectors(problem, partitions, 1000)) == 2 * len(partitions) - tied


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_of_equal_values_the_lowest_index_comes_first(objective):
    problem, partitions = question(DEAL, random_mix(DEAL, np.random.default_rng(1), 2), objective)
    values = all_values(problem, partitions)
    assert (values == values.max()).sum() > 1
    partition, order = divmod(int(np.flatnonzero(values == values.max())[0]), 120)
    expected = tuple(partitions.strengths[partition][order_table(5)[order]].tolist())
    assert strengths_of(best_response(problem, partitions), problem) == expected
    answers = best_vectors(problem, partitions, 500)
    assert answers[0] == best_response(problem, partitions)
    table = [tuple(order) for order in order_table(5).tolist()]
    ranks = []
    for answer in answers:
        strengths = strengths_of(answer, problem)
        partition = partitions.strengths.tolist().index(sorted(strengths))
        packets = partitions.packets(partition)
        order = tuple(packets.index(packet) for packet in answer.packets)
        ranks.append((-answer.value, partition, table.index(order)))
    assert ranks == sorted(ranks)


def test_partitions_of_another_game_are_refused():
    problem, partitions = question(DEAL, random_mix(DEAL, np.random.default_rng(1), 1), "points")
    with pytest.raises(DealError, match="not those of the free cards"):
        all_values(problem, replace(partitions, deal=Deal(DEAL.cards[:5])))
    with pytest.raises(RulesError, match="other rules"):
        all_values(problem, replace(partitions, rules=Rules(ace_low=True)))
    assert all_values(problem, replace(partitions, rules=Rules(weights=(1, 1, 1, 1, 1)))).shape == (
        len(partitions),
        120,
    )


def test_a_deleted_partition_is_missed():
    """The answer depends on the whole set: without the partition that holds the optimum the value falls."""
    case = best_response_cases()[20]
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    mix = MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent))
    problem, partitions = question(Deal.parse(case.cards), mix, "margin", case.rules)
    values = all_values(problem, partitions)
    reach = values.max(axis=1) == values.max()
    rest = Partitions(partitions.deal, partitions.rules, partitions.strengths[~reach], partitions.hands[~reach])
    assert best_response(problem, rest).value < best_response(problem, partitions).value


class StopsWhenAsked:
    """Limits that are reached when they are asked for the given time."""

    def __init__(self, calls):
        self.calls = calls

    @property
    def reached(self):
        self.calls -= 1
        assert self.calls >= 0, "asked again after saying so"
        return self.calls == 0


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_stopped_search_bounds_what_it_has_not_seen(monkeypatch, calls):
    """After some blocks of rows the best so far have their true values, and the optimum is within the bound."""
    monkeypatch.setattr(enumeration, "_ROW_BLOCK", 4)
    problem, partitions = question(DEAL, random_mix(DEAL, np.random.default_rng(5), 16), "win")
    assert len(problem.mix.rows) == 16
    optimum = best_response(problem, partitions).value
    ranking = best_vectors(problem, partitions, 20, StopsWhenAsked(calls))
    for answer in ranking:
        require_honest(answer, problem)
    values = [answer.value for answer in ranking]
    assert values == sorted(values, reverse=True)
    assert values[0] <= optimum <= ranking[0].bound
    assert ranking[0].bound - optimum <= 2 * problem.mix.row_weights[4 * calls :].sum()
    assert best_vectors(problem, partitions, 20, Limits.within(600)) == best_vectors(problem, partitions, 20)
