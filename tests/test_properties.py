"""What holds for every deal, opponent, rule set and objective, on examples that Hypothesis draws."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from solver.best_response import dynamic_program, enumeration
from solver.best_response.problem import ResponseProblem
from solver.best_response.result import Engine
from solver.best_response.solve import solve_best_response
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.certificate import GAME_VALUES, exploitability
from solver.equilibrium.matrix_game import solve_matrix_game
from solver.game.arrangement import Arrangement, score
from solver.game.cards import SUITS, card_id, rank_of, suit_of
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from solver.strategies.payoffs import value_against
from tests.support.brute_force import best_by_hand
from tests.support.formulations import SOLVERS
from tests.support.samples import RULE_SETS, random_arrangement, random_deal, random_mix
from tests.support.scoring import cards_in, figures, objective_value, place_chances
from tests.support.tried_inputs import tried

SMALL, REAL = st.integers(1, 4), st.just(5)
seeds = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Question:
    """What is the best arrangement of the mix's deal against the mix?"""

    mix: MixedStrategy
    rules: Rules
    objective: str

    @property
    def deal(self):
        return self.mix.deal

    @property
    def listed(self):
        """The mix as the plain referee takes it."""
        rows = zip(self.mix.arrangements, self.mix.weights, strict=True)
        return [(weight, row.packet_texts()) for row, weight in rows]

    def solved(self, engine="both", **options):
        return solve_best_response(self.deal, self.mix, self.objective, self.rules, engine, **options)


@st.composite
def questions(draw, places, largest_mix=8):
    # A seed rather than the cards themselves: arrangements have to be strong for questions to be hard.
    generator = np.random.default_rng(draw(seeds))
    count = draw(places)
    deal = random_deal(count, generator, draw(st.integers(2 if count < 4 else SUITS, SUITS)))
    mix = random_mix(deal, generator, draw(st.integers(1, largest_mix)), 10 ** draw(st.integers(0, 9)))
    return Question(mix, draw(st.sampled_from(RULE_SETS)), draw(st.sampled_from(OBJECTIVES)))


# Names.


def renamed(arrangement, suits, places):
    """Give every card another suit and every packet another place."""
    packets = [tuple(card_id(rank_of(c), suits[suit_of(c)]) for c in arrangement.packets[place]) for place in places]
    return Arrangement(tuple(packets))


@tried(60, 2000, question=questions(SMALL), suits=st.permutations(range(SUITS)), data=st.data())
def test_suits_places_and_rows_have_no_names(question, suits, data):
    places = data.draw(st.permutations(range(question.deal.places)))
    rows = data.draw(st.permutations(range(len(question.mix.weights))))
    assume(suits != list(range(SUITS)) or places != sorted(places) or rows != sorted(rows))
    mix = MixedStrategy(
        tuple(renamed(question.mix.arrangements[row], suits, places) for row in rows),
        tuple(question.mix.weights[row] for row in rows),
    )
    weights = question.rules.weights
    moved = replace(question.rules, weights=(*(weights[place] for place in places), *weights[len(places) :]))
    first, second = question.solved(), Question(mix, moved, question.objective).solved()
    assert first.status == second.status == "optimal"
    assert first.objective_value_exact == second.objective_value_exact


@tried(30, 1000, question=questions(SMALL), random=st.randoms(use_true_random=False))
def test_cards_have_no_order(question, random):
    def shuffled(cards):
        return tuple(random.sample(cards, len(cards)))

    rows = tuple(Arrangement(tuple(map(shuffled, row.packets))) for row in question.mix.arrangements)
    mix = replace(question.mix, arrangements=rows)
    for engine in tuple(Engine)[:2]:
        again = solve_best_response(
            Deal(shuffled(question.deal.cards)), mix, question.objective, question.rules, engine
        )
        first = question.solved(engine)
        assert (again.arrangement, again.bound_exact) == (first.arrangement, first.bound_exact)


# Values.


@tried(40, 1500, question=questions(SMALL))
def test_all_engines_agree(question):
    deal, mix, rules, objective = question.deal, question.mix, question.rules, question.objective
    problem = ResponseProblem.of(deal, mix.strength_mix(rules), objective, rules)
    answers = [solve(problem) for solve in SOLVERS]
    assert {answer.status for answer in answers} == {"optimal"}
    answers.append(enumeration.best_response(problem, undominated_partitions(deal, rules)))
    if objective != "win":
        answers.append(dynamic_program.best_response(problem))
    values = {Fraction(answer.value, problem.denominator) for answer in answers}
    if objective in GAME_VALUES:
        values.add(GAME_VALUES[objective] + exploitability(deal, mix, objective, rules))
    if deal.places < 3:
        values.add(best_by_hand(deal, mix, rules)[objective])
    assert len(values) == 1


@tried(10, 300, question=questions(REAL), engine=st.sampled_from(tuple(Engine)))
def test_reported_figures_are_those_of_the_plain_referee(question, engine):
    response = question.solved(engine)
    packets = response.arrangement.packet_texts()
    assert cards_in(packets) == set(question.deal.text().split())
    six = figures(packets, question.listed, question.rules)
    assert {name: getattr(response.value, name) for name in six} == six
    value = objective_value(six, question.objective)
    assert (response.status, response.objective_value_exact, response.bound_exact) == ("optimal", value, value)


@tried(
    10, 300, question=questions(REAL, largest_mix=40), engine=st.sampled_from(tuple(Engine)), limit=st.floats(0, 0.2)
)
def test_a_bound_holds_whenever_the_search_is_stopped(question, engine, limit):
    optimum = question.solved("enumerate").objective_value_exact
    response = question.solved(engine, time_limit=limit)
    assert response.objective_value_exact <= optimum <= response.bound_exact
    if response.status == "optimal":
        assert response.objective_value_exact == response.bound_exact
    else:
        assert response.status == "feasible"


# Two players.


def sides(deal, generator):
    """Return two mixes of a deal."""
    return [random_mix(deal, generator, int(generator.integers(1, 6))) for _ in range(2)]


def averages(mine, theirs, rules):
    """Return the six figures of one mix against another."""
    sums = Counter()
    for row, weight in zip(mine.arrangements, mine.weights, strict=True):
        value = value_against(row.strengths(rules), theirs.strength_mix(rules), rules.weights)
        for name in ("points", "opponent_points", "margin", "win", "draw", "loss"):
            sums[name] += Fraction(weight, mine.total) * getattr(value, name)
    return sums


@tried(60, 3000, places=st.integers(1, 5), rules=st.sampled_from(RULE_SETS), seed=seeds)
def test_swapped_players_swap_their_figures(places, rules, seed):
    generator = np.random.default_rng(seed)
    first, second = sides(random_deal(places, generator), generator)
    ours, theirs = averages(first, second, rules), averages(second, first, rules)
    assert (ours["points"], ours["opponent_points"]) == (theirs["opponent_points"], theirs["points"])
    assert (ours["win"], ours["draw"], ours["loss"]) == (theirs["loss"], theirs["draw"], theirs["win"])
    assert ours["margin"] == -theirs["margin"]
    for mine, other in product(first.arrangements, second.arrangements):
        result, swapped = score(mine, other, rules), score(other, mine, rules)
        assert (result.points, result.tied) == (swapped.points[::-1], swapped.tied)


@tried(60, 3000, rules=st.sampled_from(RULE_SETS), seed=seeds)
def test_own_points_others_and_those_of_tied_places_are_all_there_are(rules, seed):
    generator = np.random.default_rng(seed)
    deal = random_deal(5, generator)
    mine, mix = random_arrangement(deal, generator), random_mix(deal, generator, 4)
    value = value_against(mine.strengths(rules), mix.strength_mix(rules), rules.weights)
    chances = place_chances(mine.packet_texts(), Question(mix, rules, "points").listed, rules)
    tied = sum(weight * tie for weight, (_, tie, _) in zip(rules.weights, chances, strict=True))
    assert value.points + value.opponent_points + tied == sum(rules.weights)
    assert value.win + value.draw + value.loss == 1


# Restricted games.


def payoffs(rows, columns, rules, objective):
    """Return what the first player makes with each row against each column, by the referee."""
    points = [[score(row, column, rules).points for column in columns] for row in rows]
    margins = [[mine - theirs for mine, theirs in line] for line in points]
    return np.array(margins if objective == "margin" else np.sign(margins))


@tried(60, 3000, rules=st.sampled_from(RULE_SETS), objective=st.sampled_from(sorted(GAME_VALUES)), seed=seeds)
def test_one_more_arrangement_never_harms_who_may_play_it(rules, objective, seed):
    generator = np.random.default_rng(seed)
    deal = random_deal(int(generator.integers(2, 6)), generator)
    first, second, (extra, *_) = (
        [random_arrangement(deal, generator) for _ in range(generator.integers(1, 8))] for _ in range(3)
    )
    slack = 1e-8 * sum(rules.weights)

    def value(mine, theirs):
        return solve_matrix_game(payoffs(mine, theirs, rules, objective)).value

    before = value(first, second)
    assert value([*first, extra], second) >= before - slack
    assert value(first, [*second, extra]) <= before + slack
    assert value(second, first) == pytest.approx(-before, abs=slack)
    assert value(first, first) == pytest.approx(0, abs=slack)
