from collections import Counter
from fractions import Fraction

import pytest

from solver.equilibrium.solve import solve_equilibrium
from solver.errors import FileError, ResultError
from solver.game.rules import Rules
from solver.opponents.specification import parse_opponent
from solver.results.equilibria import EquilibriumResult, draw, read_equilibrium
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.json_document import to_json
from tests.support.command import strict_json
from tests.support.d1 import D1, FIXTURES, REMOVED
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.plain_data import is_plain

FEW = EXTREME_DEALS[0].deal
EXTREMES = MixedStrategy((FIXTURES["A"], FIXTURES["B"], FIXTURES["G"]), (1, 2, 4))


def test_an_equilibrium_is_plain_data_and_reads_back(tmp_path):
    found = solve_equilibrium(FEW)
    document = EquilibriumResult(found, 3).document(1e-9)
    assert is_plain(document)
    assert strict_json(to_json(document)) == document
    assert document["total_weight"] == sum(record["weight"] for record in document["strategies"])
    for record in document["strategies"]:
        assert record["probability"] == record["weight"] / document["total_weight"] > 0
    assert document["exploitability"] == float(Fraction(document["exploitability_exact"]))
    path = tmp_path / "mix.json"
    path.write_text(to_json(document))
    assert read_equilibrium(str(path), FEW, Rules(), "margin") == found.strategies
    assert parse_opponent(f"file:{path}", FEW).strategies == found.strategies


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("schema", "quintet.solve/1", "its schema is another"),
        ("objective", "win", "its objective is another"),
        ("rules", {"name": "telesina"}, "its rules is another"),
        ("deal", {"cards": D1.text(), "removed": REMOVED}, "its deal is another"),
        ("strategies", [], "expected a list"),
        ("strategies", [{"arrangement": ["As"], "weight": 1}], "strategy 1: "),
    ],
)
def test_a_file_that_is_no_equilibrium_of_the_game_is_refused_by_name(tmp_path, field, value, complaint):
    document = EquilibriumResult(solve_equilibrium(FEW, max_iterations=0), 0).document(1e-9)
    path = tmp_path / "mix.json"
    path.write_text(to_json(document | {field: value}))
    with pytest.raises(ResultError, match=rf"mix\.json: .*{complaint}"):
        read_equilibrium(str(path), FEW, Rules(), "margin")


@pytest.mark.parametrize("content", ["[]", "3", '"text"', "null"])
def test_a_file_without_an_object_is_refused(tmp_path, content):
    path = tmp_path / "mix.json"
    path.write_text(content)
    with pytest.raises(ResultError, match=r"mix\.json: not a saved equilibrium"):
        read_equilibrium(str(path), FEW, Rules(), "margin")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FileError):
        read_equilibrium(str(tmp_path / "none"), FEW, Rules(), "margin")


def test_every_strategy_is_drawn_as_often_as_it_should():
    drawn = Counter(draw(EXTREMES, seed) for seed in range(7000))
    assert set(drawn) == set(EXTREMES.arrangements)
    for arrangement, weight in zip(EXTREMES.arrangements, EXTREMES.weights, strict=True):
        assert drawn[arrangement] == pytest.approx(1000 * weight, rel=0.1)
    assert draw(EXTREMES, 11) == draw(EXTREMES, 11)
