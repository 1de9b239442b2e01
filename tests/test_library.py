"""The library as its users import it."""

import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import solver
from solver import (
    Arrangement,
    Deal,
    InternalError,
    MixedStrategy,
    QuintetError,
    Rules,
    errors,
    evaluate_hands,
    exploitability,
    parse_opponent,
    score,
    solve_best_response,
    solve_equilibrium,
    solve_matrix_game,
    undominated_partitions,
)
from solver.game.notation import parse_cards
from tests.support.command import ROOT
from tests.support.d1 import D1, FIXTURES, REMOVED, ROWS
from tests.support.extreme_deals import EXTREME_DEALS

PROMISED = {
    "Arrangement",
    "Deal",
    "MixedStrategy",
    "Rules",
    "evaluate_hands",
    "exploitability",
    "parse_opponent",
    "solve_best_response",
    "solve_equilibrium",
    "solve_matrix_game",
    "undominated_partitions",
}
FEW = EXTREME_DEALS[0].deal
MIX = parse_opponent("greedy-shuffled", FEW).strategies
NAN = float("nan")


def run_python(code):
    """Run code in a fresh interpreter and return what it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.split()


def test_the_example_of_the_readme():
    (example,) = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    status, value, *arrangement = run_python(example)
    assert status == "optimal"
    deal = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")
    mix = parse_opponent("greedy-shuffled", deal)
    assert Fraction(value) == solve_best_response(deal, mix, "margin", engine="enumerate").objective_value_exact
    assert arrangement[-2:] == ["converged", "True"]
    assert Arrangement.parse(" ".join(arrangement[:-2])).deal == deal


# What there is.


def test_everything_promised_is_exported():
    assert set(solver.__all__) >= PROMISED
    for name in solver.__all__:
        assert getattr(solver, name).__name__ == name
        assert name in dir(solver)
    assert solver.__version__.count(".") == 2


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'solver' has no attribute 'solve'"):
        _ = solver.solve


def test_the_lists_of_exports_agree():
    source = (ROOT / "solver" / "__init__.py").read_text(encoding="utf-8")
    for name in solver.__all__:
        assert f"from solver.{solver._HOMES[name]} import {name} as {name}\n" in source


def test_the_package_is_typed():
    assert Path(solver.__file__).with_name("py.typed").is_file()


def test_importing_the_package_loads_nothing_else():
    loaded = run_python("import solver, sys; print(*(m for m in sys.modules if m.startswith('solver')))")
    assert loaded == ["solver"]


def test_each_name_loads_what_it_needs():
    heavy = "print(*sorted({'numpy', 'ortools', 'highspy'} & set(sys.modules)))"
    assert run_python(f"import sys; from solver import Rules, QuintetError; {heavy}") == []
    assert run_python(f"import sys; from solver import evaluate_hands, Deal, undominated_partitions; {heavy}") == [
        "numpy"
    ]
    assert "ortools" not in run_python(f"import sys; from solver import solve_equilibrium; {heavy}")


def test_every_export_says_what_it_does():
    for name in PROMISED:
        assert getattr(solver, name).__doc__


# How it is used.


def test_the_example_of_a_newcomer_works():
    deal = Deal.from_removed(REMOVED)
    opponent = parse_opponent("greedy", deal)
    response = solve_best_response(deal, opponent)
    assert response.status == "optimal"
    assert response.arrangement.deal == deal == Deal.parse(deal.text())
    assert response.objective_value == float(response.objective_value_exact)
    mine = Arrangement.parse(response.arrangement.text())
    assert score(mine, opponent.strategies.arrangements[0]).points[0] == response.value.points


def test_rules_have_the_defaults_of_the_game():
    assert Rules() == Rules(name="quintet", ace_low=False, weights=(3, 4, 5, 6, 7))
    assert Rules("telesina", True).name == "telesina"


def test_hands_are_evaluated_under_the_default_rules():
    # Two of clubs is 0, ace of spades 51; suits in the order clubs, diamonds, hearts, spades.
    hands = np.array([[51, 47, 43, 39, 35], [0, 5, 10, 15, 20], [48, 49, 50, 51, 0]])
    strengths = evaluate_hands(hands)
    assert strengths.shape == (3,)
    assert strengths[0] == strengths.max()
    assert strengths.tolist() == evaluate_hands(hands, Rules()).tolist()


def test_partitions_have_strengths_that_ascend():
    strengths = undominated_partitions(D1).strengths
    assert strengths.shape == (355, 5)
    assert np.all(np.diff(strengths) >= 0)


def test_larger_is_stronger():
    # Report B15: the single best of the 53,130 hands of D1, and one of the 162 worst.
    best, worst = evaluate_hands(np.array([parse_cards("Tc Jc Qc Kc Ac"), parse_cards("Qs Td 9h 8h 7c")])).tolist()
    strengths = evaluate_hands(np.array(list(combinations(D1.cards, 5))))
    assert len(strengths) == 53_130
    assert len(np.unique(strengths)) == 749
    assert (strengths.max(), (strengths == best).sum()) == (best, 1)
    assert (strengths.min(), (strengths == worst).sum()) == (worst, 162)


def test_an_equilibrium_carries_its_certificate():
    found = solve_equilibrium(FEW)
    assert found.status == "converged"
    assert isinstance(found.exploitability_exact, Fraction)
    assert exploitability(FEW, found.strategies) == found.exploitability_exact <= Fraction(1, 10**9)
    response = solve_best_response(FEW, found.strategies, "margin", engine="enumerate")
    assert response.objective_value_exact == found.exploitability_exact


def test_any_zero_sum_matrix_is_solved():
    solution = solve_matrix_game([[2, 0, 1], [0, 1, 3]])
    assert solution.value == pytest.approx(2 / 3)
    assert solution.row == pytest.approx([1 / 3, 2 / 3])


@pytest.mark.parametrize("engine", ["cpsat", "enumerate", "both"])
def test_result_attributes_carry_the_names_of_the_json(engine):
    from solver.results.best_responses import SolveResult

    response = solve_best_response(FEW, MIX, engine=engine, top=2)
    document = SolveResult.of(response, ["greedy-shuffled"], None).document(0)
    for name in ("objective", "engine", "status", "objective_value", "bound"):
        assert document[name] == getattr(response, name)
    for name in ("objective_value_exact", "bound_exact"):
        assert document[name] == str(getattr(response, name))
    assert document["arrangement"] == response.arrangement.packet_texts()
    for name, figure in document["value"].items():
        assert figure == float(getattr(response.value, name))


# What a caller can get wrong.


def test_errors_are_one_family():
    family = {error for error in vars(errors).values() if isinstance(error, type) and issubclass(error, ValueError)}
    assert all(issubclass(error, QuintetError) for error in family)
    assert issubclass(QuintetError, ValueError)
    assert not issubclass(InternalError, ValueError)


HANDS = np.array([[51, 47, 43, 39, 35]])

BAD_CALLS = {
    "too few cards": lambda: Deal.parse("As Kd"),
    "a card twice": lambda: Deal.parse(D1.text().replace("7c", "A♠")),
    "no card": lambda: Deal.from_removed("7s 7h 8d 9c Th Qd Kx"),
    "a foreign card": lambda: Deal.from_removed("2s 7h 8d 9c Th Qd Ks"),
    "ids out of range": lambda: Deal(tuple(range(25))),
    "not enough ids": lambda: Deal(D1.cards[:24]),
    "no text": lambda: Deal.parse(None),
    "an unknown rule set": lambda: Rules("poker"),
    "four weights": lambda: Rules(weights=(3, 4, 5, 6)),
    "a weight of zero": lambda: Rules(weights=(0, 4, 5, 6, 7)),
    "a weight that is no whole number": lambda: Rules(weights=(3.5, 4, 5, 6, 7)),
    "weights that are none": lambda: Rules(weights=7),
    "an ace that is neither": lambda: Rules(ace_low="no"),
    "four packets": lambda: Arrangement.parse("AsKsQsJsTs | 7d7c7h8s8c | 9s9hTdTc8h | JhJdJcQhQc"),
    "a packet of six": lambda: Arrangement.parse(ROWS["A"].replace("As Ah", "As 7h Ah")),
    "no arrangements": lambda: MixedStrategy((), ()),
    "no weights": lambda: MixedStrategy((FIXTURES["A"],), ()),
    "a weight below one": lambda: MixedStrategy((FIXTURES["A"],), (0,)),
    "a weight that is a float": lambda: MixedStrategy((FIXTURES["A"],), (1.0,)),
    "a mix of two deals": lambda: MixedStrategy((FIXTURES["A"], MIX.arrangements[0]), (1, 1)),
    "hands of the wrong shape": lambda: evaluate_hands(HANDS.ravel()),
    "hands of four cards": lambda: evaluate_hands(HANDS[:, :4]),
    "hands of floats": lambda: evaluate_hands(HANDS.astype(float)),
    "hands out of range": lambda: evaluate_hands(HANDS + 1),
    "negative hands": lambda: evaluate_hands(HANDS - 36),
    "an unknown opponent": lambda: parse_opponent("me", D1),
    "no opponent": lambda: parse_opponent([], D1),
    "a missing file": lambda: parse_opponent("file:/nowhere/mix.json", D1),
    "no samples": lambda: parse_opponent("random", D1, samples=0),
    "a negative seed": lambda: parse_opponent("random", D1, seed=-1),
    "an unknown objective of an opponent": lambda: parse_opponent("level:1", D1, objective="fun"),
    "an unknown objective": lambda: solve_best_response(FEW, MIX, "fun"),
    "an unknown engine": lambda: solve_best_response(FEW, MIX, engine="guess"),
    "an opponent of another deal": lambda: solve_best_response(D1, MIX),
    "no mix": lambda: solve_best_response(FEW, None),
    "a negative limit": lambda: solve_best_response(FEW, MIX, time_limit=-1),
    "a limit that is no number": lambda: solve_best_response(FEW, MIX, time_limit=NAN),
    "an equilibrium of points": lambda: solve_equilibrium(FEW, "points"),
    "a negative tolerance": lambda: solve_equilibrium(FEW, tolerance=-1e-9),
    "a tolerance that is no number": lambda: solve_equilibrium(FEW, tolerance=NAN),
    "negative iterations": lambda: solve_equilibrium(FEW, max_iterations=-1),
    "a start of another deal": lambda: solve_equilibrium(D1, start=MIX),
    "exploitability of points": lambda: exploitability(FEW, MIX, "points"),
    "exploitability in another deal": lambda: exploitability(D1, MIX),
    "a matrix with a NaN": lambda: solve_matrix_game([[1, NAN]]),
    "a matrix without numbers": lambda: solve_matrix_game([]),
    "a matrix of words": lambda: solve_matrix_game([["one"]]),
}


@pytest.mark.parametrize("call", BAD_CALLS)
def test_bad_arguments_raise_a_quintet_error_of_one_line(call):
    with pytest.raises(QuintetError) as raised:
        BAD_CALLS[call]()
    assert str(raised.value)
    assert str(raised.value).isprintable()
