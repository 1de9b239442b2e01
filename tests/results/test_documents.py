"""Documents: what they hold, exactly and as floats, and how they are read back."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from solver.best_response.solve import quick_response, solve_best_response
from solver.equilibrium.double_oracle import solve_equilibrium
from solver.errors import FileError, ResultError
from solver.game.arrangement import score
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.opponents.specification import parse_opponent
from solver.results.documents import (
    deal_document,
    draw,
    equilibrium_document,
    exact,
    hand_document,
    packet_fields,
    read_equilibrium,
    score_document,
    solve_document,
    value_fields,
)
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.environment import timings
from solver.system.json_document import to_json
from tests.support.command import strict_json
from tests.support.d1 import D1, FIXTURES, REMOVED
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.scoring import place_chances

FEW = EXTREME_DEALS[0].deal
EXTREMES = MixedStrategy((FIXTURES["A"], FIXTURES["B"], FIXTURES["G"]), (1, 2, 4))


def plain(value):
    """Return whether a value and all it holds are of the types that JSON has, not those of NumPy."""
    if type(value) is dict:
        return all(type(key) is str and plain(part) for key, part in value.items())
    return (
        all(plain(part) for part in value)
        if type(value) is list
        else type(value) in (str, int, float, bool, type(None))
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_what_json_cannot_hold_is_an_error(number):
    with pytest.raises(ValueError, match="JSON"):
        to_json({"number": number})


def test_json_is_ascii_and_reads_back():
    document = {"text": "Т♥ \ud83c", "list": [1, None, True, 0.1]}
    assert to_json(document).isascii()
    assert strict_json(to_json(document)) == document
    assert "\n" not in to_json(document, indent=None)


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Fraction(458, 20), "229/10"),
        (Fraction(36, 2), "18"),
        (Fraction(0), "0"),
        (Fraction(-3, 6), "-1/2"),
        (None, None),
    ],
)
def test_exact_figures_are_in_lowest_terms(figure, text):
    assert exact(figure) == text


def test_a_value_has_six_figures():
    value = solve_best_response(D1, EXTREMES).value
    fields = value_fields(value)
    assert list(fields) == ["points", "opponent_points", "margin", "win", "draw", "loss"]
    assert fields["win"] + fields["draw"] + fields["loss"] == pytest.approx(1)
    assert fields["margin"] == float(value.points - value.opponent_points)
    assert value_fields(None) is None


def test_packets_carry_their_chances():
    mix = [(weight, a.packet_texts()) for a, weight in zip(EXTREMES.arrangements, EXTREMES.weights, strict=True)]
    fields = packet_fields(FIXTURES["Y"], Rules(), EXTREMES.strength_mix())
    chances = place_chances(FIXTURES["Y"].packet_texts(), mix, Rules())
    assert [(each["win"], each["tie"], each["loss"]) for each in fields] == [tuple(map(float, c)) for c in chances]
    assert [each["weight"] for each in fields] == [3, 4, 5, 6, 7]
    assert [each["category"] for each in fields] == [
        "two pair",
        "two pair",
        "full house",
        "straight flush",
        "straight flush",
    ]
    assert fields[4]["name"] == "royal flush"
    assert {each["win"] for each in packet_fields(FIXTURES["Y"], Rules(), None)} == {None}


@pytest.mark.parametrize("spec", ["greedy", "random", "equilibrium"])
def test_a_solution_is_plain_data(spec):
    opponent = parse_opponent(spec, FEW, samples=7)
    document = solve_document(solve_best_response(FEW, opponent, top=3), [spec], opponent, 5)
    assert plain(document)
    assert strict_json(to_json(document)) == document
    assert document["schema"] == "quintet.solve/1"
    assert document["seed"] == 5
    assert document["opponent"]["spec"] == [spec]
    assert document["opponent"]["sampled"] == (spec == "random")
    assert ("strategies" in document["opponent"]) == (spec != "random")
    assert ("samples" in document["opponent"]) == (spec == "random")
    assert len(document["alternatives"]) == 3
    assert document["deal"] == {"cards": FEW.text(), "removed": "Ac Kc Qc Jc Tc 9c 8c"}
    assert document["rules"] == {"name": "quintet", "ace_low": False, "weights": [3, 4, 5, 6, 7]}


def test_a_solution_without_an_opponent_has_no_figures():
    response = quick_response(FEW, "margin", Rules("telesina", weights=(1, 2, 3, 4, 5)), "cpsat")
    document = solve_document(response, ["quantal:1"], None, 0)
    empty = ("value", "objective_value", "objective_value_exact", "bound", "bound_exact")
    assert [document[name] for name in empty] == [None] * 5
    assert document["opponent"] == {"spec": ["quantal:1"], "sampled": None}
    assert document["status"] == "feasible"
    assert document["rules"] == {"name": "telesina", "ace_low": False, "weights": [1, 2, 3, 4, 5]}


def test_locked_packets_are_in_the_document_by_place():
    locked = {4: FIXTURES["A"].packets[0]}
    response = solve_best_response(D1, EXTREMES, locked=locked, engine="enumerate")
    assert solve_document(response, ["file:x"], None, 0)["locked"] == {"5": "As Ah Ad Ac 8h"}


def test_an_equilibrium_is_plain_data_and_reads_back(tmp_path):
    found = solve_equilibrium(FEW)
    document = equilibrium_document(found, 1e-9, 3)
    assert plain(document)
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
    document = equilibrium_document(solve_equilibrium(FEW, max_iterations=0), 1e-9, 0)
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


def test_a_score_holds_whole_numbers():
    document = score_document(FIXTURES["A"], FIXTURES["B"], score(FIXTURES["A"], FIXTURES["B"]), Rules())
    assert plain(document)
    assert document["points"] == [7, 7]
    assert document["tied"] == 11
    assert document["draw"] is True
    assert document["places"] == [
        {"weight": weight, "winner": winner} for weight, winner in zip((3, 4, 5, 6, 7), (1, 1, 0, 0, 2), strict=True)
    ]


def test_hands_come_strongest_first_and_ties_as_given():
    texts = ["9h Th Jh Qh Kd", "9s Ts Js Qs Kd", "As Ah Ad Ac 2c", "9c Tc Jc Qc Kh"]
    document = hand_document([parse_cards(text) for text in texts], Rules())
    assert plain(document)
    shown = [hand["cards"] for hand in document["hands"]]
    assert shown == ["As Ah Ad Ac 2c", "Kd Qh Jh Th 9h", "Kd Qs Js Ts 9s", "Kh Qc Jc Tc 9c"]
    strengths = [hand["strength"] for hand in document["hands"]]
    assert strengths[0] > strengths[1] == strengths[2] == strengths[3]
    assert document["deal"] is document["objective"] is document["seed"] is None


def test_a_dealt_line_names_its_seed():
    document = deal_document(7, D1, 3)
    assert document == {
        "schema": "quintet.deal/1",
        "id": 7,
        "cards": D1.text(),
        "removed": "Ks Qd Th 9c 8d 7s 7h",
        "seed": 3,
    }


def test_timings_are_numbers_and_a_name():
    fields = json.loads(to_json(timings(1.23456789)))
    assert fields["seconds"] == 1.234568
    assert fields["peak_memory_mib"] > 10
    assert isinstance(fields["cpu"], str)


def test_numpy_numbers_are_no_plain_data():
    assert not plain({"a": [np.float64(1)]})
    assert not plain((1,))
