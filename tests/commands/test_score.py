"""`quintet score`, the referee, as a user runs it."""

from itertools import product

import pytest

from solver.game.rules import Rules
from tests.support.command import answered, quintet
from tests.support.d1 import FIXTURES, ROWS
from tests.support.in_process import answer_here, run_here
from tests.support.scoring import points, results

TEXTS = {name: arrangement.text() for name, arrangement in FIXTURES.items()}


def test_the_referee_shows_every_place_and_the_result():
    # Report B36: places to A, to A, tied, tied, to B; 3 + 4 against 7.
    run = quintet("score", ROWS["A"], ROWS["B"])
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert [line.split()[-1] for line in lines[1:6]] == ["first", "first", "tie", "tie", "second"]
    assert "First 7, second 7, tied places 11" in lines
    assert "The match is drawn" in lines


def test_the_document_holds_whole_numbers_and_truth_values():
    # Reports B12 and B85: quads in the place of 3 points are legal, and NumPy's numbers are plain ones.
    document = answered("score", ROWS["A"], ROWS["B"])
    assert document["points"] == [7, 7]
    assert document["tied"] == 11
    assert document["draw"] is True
    assert [place["winner"] for place in document["places"]] == [1, 1, 0, 0, 2]
    assert [place["weight"] for place in document["places"]] == [3, 4, 5, 6, 7]
    assert document["first"] == FIXTURES["A"].packet_texts()
    assert document["second"] == FIXTURES["B"].packet_texts()
    assert "np." not in quintet("score", ROWS["A"], ROWS["B"]).out


@pytest.mark.parametrize(("first", "second"), list(product(TEXTS, repeat=2)))
def test_points_and_tied_places_add_up_in_either_order(first, second):
    # Reports B13 and B39.
    document = answer_here("score", TEXTS[first], TEXTS[second])
    swapped = answer_here("score", TEXTS[second], TEXTS[first])
    packets = [FIXTURES[name].packet_texts() for name in (first, second)]
    assert document["points"] == list(points(*packets, Rules()))
    assert document["points"] == swapped["points"][::-1]
    assert sum(document["points"]) + document["tied"] == 25
    assert [place["winner"] for place in document["places"]] == [
        {1: 1, 0: 0, -1: 2}[r] for r in results(*packets, Rules())
    ]
    assert document["draw"] == (document["points"][0] == document["points"][1])
    if first == second:
        assert (document["points"], document["tied"], document["draw"]) == ([0, 0], 25, True)


@pytest.mark.parametrize("rules", [Rules(weights=(1000, 1, 1, 1, 1)), Rules("quintet-text"), Rules("telesina", True)])
def test_rules_and_weights_decide(rules):
    options = ["--rules", rules.name, "--weights", ",".join(map(str, rules.weights))]
    options += ["--ace-low"] if rules.ace_low else []
    for first, second in ("AB", "SB", "YG", "XG", "QR"):
        document = answer_here("score", TEXTS[first], TEXTS[second], *options)
        packets = [FIXTURES[name].packet_texts() for name in (first, second)]
        assert document["points"] == list(points(*packets, rules))
        assert sum(document["points"]) + document["tied"] == sum(rules.weights)


@pytest.mark.parametrize("notation", ["letters", "symbols", "russian"])
def test_arrangements_are_read_as_they_are_shown(notation):
    # Report B35.
    shown = [FIXTURES[name].text(notation) for name in "AB"]
    assert answer_here("score", *shown)["points"] == [7, 7]
    table = run_here("score", *shown, "--notation", notation).out.splitlines()[1:6]
    for line, packets in zip(table, zip(*(text.split(" | ") for text in shown), strict=True), strict=True):
        for packet in packets:
            assert packet in line


@pytest.mark.parametrize("separator", ["|", "/", "\n", " |\r\n"])
def test_packets_are_separated_in_many_ways(separator):
    assert answer_here("score", separator.join(ROWS["A"].split(" | ")), ROWS["B"])["points"] == [7, 7]


def test_an_arrangement_comes_from_standard_input():
    assert answered("score", "-", ROWS["B"], stdin=ROWS["S"])["points"] == [25, 0]


def test_the_result_speaks_russian():
    out = run_here("score", ROWS["X"], ROWS["G"], "--lang", "ru").out
    assert "Первый 18, второй 7" in out
    assert "Матч выиграл первый" in out


def test_quiet_leaves_the_result_alone():
    assert run_here("score", ROWS["X"], ROWS["G"], "--quiet").out.splitlines() == [
        "First 18, second 7, tied places 0",
        "The first player wins the match",
    ]
