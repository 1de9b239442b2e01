"""Zero-sum games with known solutions, and random ones held to the definition of optimal play."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from solver.equilibrium import matrix_game
from solver.equilibrium.highs_model import DUAL_SIMPLEX, PRIMAL_SIMPLEX
from solver.equilibrium.matrix_game import solve_matrix_game
from solver.errors import InternalError, PayoffError
from solver.game.arrangement import score
from solver.game.rules import Rules
from tests.support.d1 import FIXTURES

THIRD = 1 / 3
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
DEGENERATE = [[0, -1, 1, 1], [1, 0, -1, -1], [-1, 1, 0, -1], [-1, 1, 1, 0]]
WIDE, TALL = [[2, 0, 1], [0, 1, 3]], [[2, 0], [0, 1], [1, -1]]

# Payoffs, value, the only optimal row mix and column mix; None where there are several.
KNOWN = {
    "rock, paper, scissors": (ROCK_PAPER_SCISSORS, 0, [THIRD] * 3, [THIRD] * 3),
    "degenerate": (DEGENERATE, 0, [THIRD, THIRD, 0, THIRD], [THIRD, THIRD, 0, THIRD]),
    "wide": (WIDE, 2 / 3, [THIRD, 2 / 3], [THIRD, 2 / 3, 0]),
    "tall": (TALL, 2 / 3, [THIRD, 2 / 3, 0], [THIRD, 2 / 3]),
    "matching pennies": ([[1, -1], [-1, 1]], 0, [0.5, 0.5], [0.5, 0.5]),
    "saddle point": ([[4, 2, 5], [1, 0, 9], [3, 1, -7]], 2, [1, 0, 0], [0, 1, 0]),
    "negative value": ([[-3, -1], [-1, -2]], -5 / 3, [THIRD, 2 / 3], [THIRD, 2 / 3]),
    "one payoff": ([[-7]], -7, [1], [1]),
    "one row": ([[3, -1, 2]], -1, [1], [0, 1, 0]),
    "one column": ([[3], [-1], [5]], 5, [0, 0, 1], [1]),
    "all zero": (np.zeros((3, 2)), 0, None, None),
    "all the same": (np.full((2, 4), 0.1), 0.1, None, None),
    "doubled row and column": ([[1, -1, -1], [-1, 1, 1], [-1, 1, 1]], 0, None, None),
}


def matrix_of(names, payoff=lambda first, second: first - second):
    rows = [FIXTURES[name] for name in names]
    return np.array([[payoff(*score(first, second, Rules()).points) for second in rows] for first in rows])


def check_optimal(payoffs, solution, tolerance=1e-9):
    """Neither player gains by any pure deviation, and both mixes are clean probabilities."""
    payoffs = np.asarray(payoffs, dtype=float)
    slack = tolerance * max(float(np.ptp(payoffs)), float(np.abs(payoffs).max()))
    assert (payoffs @ solution.column).max() <= solution.value + slack
    assert (solution.row @ payoffs).min() >= solution.value - slack
    for mix, size in zip((solution.row, solution.column), payoffs.shape, strict=True):
        assert mix.shape == (size,)
        assert abs(mix.sum() - 1) < 1e-12
        assert all(weight == 0 or weight > 1e-13 for weight in mix)
        assert not np.signbit(mix).any()


@pytest.mark.parametrize("name", KNOWN)
def test_known_games(name):
    payoffs, value, row, column = KNOWN[name]
    solution = solve_matrix_game(payoffs)
    assert solution.value == pytest.approx(value, abs=1e-12)
    check_optimal(payoffs, solution)
    if row is not None:
        assert solution.row == pytest.approx(row, abs=1e-12)
        assert solution.column == pytest.approx(column, abs=1e-12)


def test_three_arrangements_that_beat_each_other_in_a_circle_are_played_equally():
    solution = solve_matrix_game(matrix_of("PQR", lambda first, second: np.sign(first - second)))
    for mix in (solution.row, solution.column):
        assert mix.tolist() == pytest.approx([THIRD] * 3, abs=1e-12)
    assert solution.value == pytest.approx(0, abs=1e-15)


def test_in_points_the_same_circle_is_a_circle_too():
    # P beats Q, Q beats R and R beats P by one point each.
    assert solve_matrix_game(matrix_of("PQR")).row == pytest.approx([THIRD] * 3, abs=1e-12)


def test_an_arrangement_that_beats_the_others_is_played_alone():
    solution = solve_matrix_game(matrix_of("ABS"))
    assert solution.row.tolist() == solution.column.tolist() == [0.0, 0.0, 1.0]
    assert solution.value == 0.0
    assert not np.signbit([solution.value, *solution.row, *solution.column]).any()


@pytest.mark.parametrize(
    ("payoffs", "words"),
    [
        ([[1, float("nan")]], "row 0, column 1"),
        ([[1, 2], [float("-inf"), 2]], "row 1, column 0"),
        ([], "at least one row"),
        ([[]], "at least one row"),
        (np.zeros((0, 3)), "at least one row"),
        (np.zeros((3, 0)), "at least one row"),
        ([1, 2, 3], "matrix"),
        (5, "matrix"),
        (np.zeros((2, 2, 2)), "matrix"),
        ([[1, 2], [3]], "equal length"),
        ([["1", "2"]], "real numbers"),
        ([[None, 1]], "real numbers"),
        ([[1j, 0]], "real numbers"),
    ],
)
def test_payoffs_that_no_game_has_are_refused(payoffs, words):
    with pytest.raises(PayoffError, match=words) as caught:
        solve_matrix_game(payoffs)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.int64, np.float32])
def test_narrow_payoffs_do_not_wrap(dtype):
    payoffs = (np.array([[127, 0], [0, 127]]) if dtype != np.bool_ else np.eye(2)).astype(dtype)
    assert solve_matrix_game(payoffs).value == pytest.approx(float(payoffs[0, 0]) / 2)


GAMES = arrays(
    np.int64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(-20, 20), fill=st.nothing()
)


@given(GAMES)
def test_no_pure_deviation_gains(payoffs):
    solution = solve_matrix_game(payoffs)
    check_optimal(payoffs, solution)
    assert solution.value == pytest.approx(float(solution.row @ payoffs @ solution.column), abs=1e-12)


@given(GAMES)
def test_with_the_seats_changed_the_value_changes_its_sign(payoffs):
    changed = solve_matrix_game(-payoffs.T)
    assert changed.value == pytest.approx(-solve_matrix_game(payoffs).value, abs=1e-8)
    check_optimal(-payoffs.T, changed)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize(("factor", "constant"), [(1, 17), (1, -1e6), (1e9, 0), (1e-9, 0), (1e-9, 1e-9), (1e300, 0)])
def test_units_and_constants_change_the_value_alone(name, factor, constant):
    payoffs, value, row, column = KNOWN[name]
    changed = np.asarray(payoffs, dtype=float) * factor + constant
    solution = solve_matrix_game(changed)
    size = np.abs(changed).max()
    assert abs(solution.value - (value * factor + constant)) <= 1e-9 * size
    if row is not None:
        assert solution.row == pytest.approx(row, abs=1e-8)
        assert solution.column == pytest.approx(column, abs=1e-8)


@given(GAMES)
def test_a_strategy_given_twice_changes_nothing(payoffs):
    twice = np.vstack([payoffs, payoffs])
    solution = solve_matrix_game(np.hstack([twice, twice]))
    assert solution.value == pytest.approx(solve_matrix_game(payoffs).value, abs=1e-8)


def test_the_value_is_that_of_an_independent_solver():
    nashpy = pytest.importorskip("nashpy")
    generator = np.random.default_rng(5)
    for _ in range(40):
        payoffs = generator.integers(-9, 10, generator.integers(1, 8, 2))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row, column = nashpy.Game(payoffs).linear_program()
        assert solve_matrix_game(payoffs).value == pytest.approx(row @ payoffs @ column, abs=1e-7)


def test_a_failed_solve_is_repeated_once_by_the_other_simplex(monkeypatch):
    honest, tried = matrix_game._optimal_mixes, []

    def fails_first(payoffs, simplex):
        tried.append(simplex)
        return None if len(tried) == 1 else honest(payoffs, simplex)

    monkeypatch.setattr(matrix_game, "_optimal_mixes", fails_first)
    assert solve_matrix_game(WIDE).value == pytest.approx(2 / 3)
    assert len(set(tried)) == 2


def test_a_game_that_cannot_be_solved_is_an_internal_error(monkeypatch):
    monkeypatch.setattr(matrix_game, "_optimal_mixes", lambda payoffs, simplex: None)
    with pytest.raises(InternalError, match="not solved"):
        solve_matrix_game(WIDE)


def test_mixes_that_do_not_prove_each_other_are_no_solution(monkeypatch):
    monkeypatch.setattr(matrix_game, "_cleaned", lambda weights: np.eye(len(weights))[0])
    with pytest.raises(InternalError):
        solve_matrix_game(WIDE)


@pytest.mark.parametrize("simplex", [DUAL_SIMPLEX, PRIMAL_SIMPLEX])
def test_either_simplex_solves_games(simplex):
    generator = np.random.default_rng(6)
    for _ in range(30):
        payoffs = generator.uniform(-1, 1, generator.integers(1, 30, 2))
        row, column = matrix_game._optimal_mixes(payoffs, simplex)
        assert (payoffs @ column).max() - (row @ payoffs).min() == pytest.approx(0, abs=1e-8)


def test_nothing_is_printed(capfd):
    solve_matrix_game(WIDE)
    assert capfd.readouterr() == ("", "")
