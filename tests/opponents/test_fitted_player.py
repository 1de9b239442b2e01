"""Players learnt from what they laid, and played again from the file."""

import json
from fractions import Fraction

import numpy as np
import pytest

from solver.dominance.orders import order_table
from solver.errors import OpponentError
from solver.game.deal import random_deals
from solver.game.rules import Rules
from solver.opponents.fitted_player import SCHEMA, FittedPlayer
from solver.opponents.order_habit import learn_habit, order_classes
from solver.opponents.player_components import COMPONENTS, NAMED, SPLITS, DealComponents, Observation
from solver.opponents.player_fit import UNITS, fit_player
from solver.opponents.specification import parse_opponent
from tests.support.extreme_deals import EXTREME_DEALS

FEW = EXTREME_DEALS[1].deal
RULES = Rules()
ORDERS = order_table(5)
COMPONENTS_OF_FEW = DealComponents(FEW, RULES)


def document(**changes):
    uniform = [{"order": (order + 1).tolist(), "weight": 1} for order in ORDERS]
    rules = {"name": "quintet", "ace_low": False, "weights": [3, 4, 5, 6, 7]}
    parts = [{"name": "split:greedy", "weight": 1}]
    return {"schema": SCHEMA, "rules": rules, "components": parts, "orders": uniform} | changes


def opponent(tmp_path, **changes):
    path = tmp_path / "player.json"
    path.write_text(json.dumps(document(**changes)))
    return parse_opponent(f"fitted:{path}", FEW, objective="margin")


def chances(opponent):
    mix = opponent.mix
    return [
        {s: Fraction(w, mix.total) for s, w in zip(place.strengths.tolist(), place.weights.tolist(), strict=True)}
        for place in mix.places
    ]


def require_alike(first, second):
    """Require equal chances place by place, up to what rounding to weights loses."""
    for mine, theirs in zip(chances(first), chances(second), strict=True):
        assert all(abs(mine.get(s, 0) - theirs.get(s, 0)) < Fraction(1, 10**10) for s in {*mine, *theirs})


@pytest.mark.parametrize("name", NAMED)
def test_a_player_of_one_named_model_is_that_model(tmp_path, name):
    found = opponent(tmp_path, components=[{"name": name, "weight": 3}])
    require_alike(found, parse_opponent(name, FEW, objective="margin"))


def test_the_greedy_split_in_any_order_is_greedy_shuffled(tmp_path):
    require_alike(opponent(tmp_path), parse_opponent("greedy-shuffled", FEW))


def test_a_habit_lays_the_orders_that_it_names(tmp_path):
    found = opponent(tmp_path, orders=[{"order": [1, 2, 3, 4, 5], "weight": 1}])
    greedy = parse_opponent("greedy", FEW).strategies.arrangements[0]
    assert all(len(place) == 1 for place in chances(found))
    assert found.draw(np.random.default_rng(0)).strengths() == tuple(sorted(greedy.strengths()))


def test_careless_arrangements_are_drawn_from_the_deal(tmp_path):
    found = opponent(tmp_path, components=[{"name": "split:careless", "weight": 1}])
    splits = {tuple(row) for row in COMPONENTS_OF_FEW.careless[0].tolist()}
    generator = np.random.default_rng(1)
    for _ in range(20):
        drawn = found.draw(generator)
        assert drawn.deal == FEW
        assert tuple(sorted(drawn.strengths())) in splits


@pytest.mark.parametrize("name", NAMED)
def test_the_chances_of_a_component_add_up_to_one(name):
    table = COMPONENTS_OF_FEW.named(name)
    assert table.shape == (len(COMPONENTS_OF_FEW.partitions), 120)
    assert table.sum() == pytest.approx(1)
    assert all(COMPONENTS_OF_FEW.split(split).sum() == pytest.approx(1) for split in SPLITS[:-1])


def test_tied_packets_share_their_orders():
    assert order_classes(np.array([2, 2, 5])).sum() == 2
    assert order_classes(np.array([2, 3, 5])).sum() == 1
    classes = np.array([order_classes(np.array([2, 2, 5]))])
    habit = learn_habit(classes, np.ones(1), np.full(6, 1 / 6))
    assert habit.sum() == pytest.approx(1)
    assert habit[classes[0]].min() > habit[~classes[0]].max()


def laid_by(spec, count, seed=3):
    generator = np.random.default_rng(seed)
    observations = []
    for deal in random_deals(seed=seed, count=count):
        laid = parse_opponent(spec, deal, objective="margin").draw(generator)
        observations.append(DealComponents(deal, RULES).observation(laid.strengths()))
    return observations


def test_a_player_is_found_among_the_models_and_alike_twice():
    seen = laid_by("level:1", 8)
    fit = fit_player(seen)
    assert COMPONENTS[int(fit.weights.argmax())] == "level:1"
    assert fit.weights[COMPONENTS.index("level:1")] > 0.75 * UNITS
    assert fit.weights.sum() == fit.habit.sum() == UNITS
    again = fit_player(seen)
    assert (again.weights == fit.weights).all()
    assert (again.spread == fit.spread).all()
    assert max(fit.compared, key=fit.compared.get) == "level:1"
    alone = fit_player(seen[:1])
    assert alone.log_likelihood is None
    assert alone.weights.sum() == UNITS


def test_what_no_component_lays_counts_in_the_likelihood_alone():
    nothing = Observation(np.zeros(len(NAMED)), np.zeros(len(SPLITS)), np.arange(120) == 0, False)
    with pytest.raises(OpponentError, match="nothing to fit"):
        fit_player([nothing])
    seen = laid_by("greedy", 2)
    assert nothing.outside
    assert (fit_player([*seen, nothing]).weights == fit_player(seen).weights).all()
    assert fit_player([*seen, nothing]).compared["greedy"] < fit_player(seen).compared["greedy"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"schema": "quintet.solve/1"}, "expected a file that `quintet fit` wrote"),
        ({"components": {}}, "expected `components` to be a list"),
        ({"components": [3]}, "expected `components` to be a list"),
        ({"components": []}, "all weights are 0"),
        ({"components": [{"name": "x", "weight": 1}]}, 'component "x" is not known'),
        ({"components": [{"name": ["x"], "weight": 1}]}, r'component \["x"\] is not known'),
        ({"components": [{"name": "greedy", "weight": 0.5}]}, "component greedy: expected `weight`"),
        ({"components": [{"name": "greedy", "weight": True}]}, "component greedy: expected `weight`"),
        ({"components": [{"name": "greedy", "weight": -1}]}, "component greedy: expected `weight`"),
        ({"components": [{"name": "greedy", "weight": 1}] * 2}, '`components` has "greedy" twice'),
        ({"orders": [{"order": [1, 2, 3, 4, 4], "weight": 1}]}, "expected the numbers 1 to 5, each once"),
        ({"orders": []}, "all weights are 0"),
        ({"rules": None}, "expected `rules`"),
        ({"rules": {"name": "x", "ace_low": False, "weights": [1, 1, 1, 1, 1]}}, "x"),
        ({"rules": {"name": "quintet", "ace_low": False, "weights": [1.0] * 5}}, "whole numbers"),
    ],
)
def test_a_file_of_another_form_is_refused(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        FittedPlayer.of_document(document(**changes))


def test_a_player_of_other_rules_is_refused(tmp_path):
    rules = {"name": "telesina", "ace_low": False, "weights": [3, 4, 5, 6, 7]}
    with pytest.raises(OpponentError, match="fitted under telesina"):
        opponent(tmp_path, rules=rules)
