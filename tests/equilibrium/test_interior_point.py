"""Steps along the central path: they end at an equilibrium, also where the game grows on the way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.equilibrium.interior_point import CentralPath, newton_directions

GAP = 1e-9
STEPS = 100
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
DEGENERATE = [[0, -1, 1, 1], [1, 0, -1, -1], [-1, 1, 0, -1], [-1, 1, 1, 0]]


def random_game(size, generator, values=None):
    """Return skew-symmetric payoffs from -1 to 1, or of some values only."""
    entries = generator.uniform(-1, 1, (size, size)) if values is None else generator.choice(values, (size, size))
    above = np.triu(entries, 1)
    return above - above.T


def path_of(payoffs):
    payoffs = np.array(payoffs, dtype=float)
    return CentralPath(payoffs, max(1.2 * float(payoffs.mean(axis=1).max()), 0.1))


def gap(path):
    """Return what the best strategy of the game gains against the mix."""
    return float((path.payoffs @ path.mix).max())


def walk(path, gap_wanted=GAP):
    """Step until nothing gains more than is wanted; a path that does not get there fails."""
    for _ in range(STEPS):
        if gap(path) <= gap_wanted:
            return
        path.step()
        assert (path.mix > 0).all()
        assert (path.slack > 0).all()
        assert path.mix.sum() == pytest.approx(1, abs=1e-12)
    pytest.fail(f"gap {gap(path)} after {STEPS} steps")


@given(st.integers(1, 60), st.integers(0, 10**6))
def test_a_random_game_is_closed(size, seed):
    path = path_of(random_game(size, np.random.default_rng(seed)))
    walk(path)


@given(st.integers(1, 60), st.integers(0, 10**6))
def test_a_game_of_wins_draws_and_losses_is_closed(size, seed):
    # Many equilibria and many strategies of equal worth, as in the game of matches won.
    path = path_of(random_game(size, np.random.default_rng(seed), [-1, 0, 1]))
    walk(path)


@pytest.mark.parametrize(
    ("payoffs", "mix"),
    [
        ([[0]], [1]),
        ([[0, -1], [1, 0]], [0, 1]),
        (ROCK_PAPER_SCISSORS, [1 / 3] * 3),
        (DEGENERATE, [1 / 3, 1 / 3, 0, 1 / 3]),
        # Any mix is an equilibrium: the path stays in the middle.
        (np.zeros((4, 4)), [1 / 4] * 4),
    ],
)
def test_known_games(payoffs, mix):
    path = path_of(payoffs)
    walk(path, 1e-12)
    assert path.mix == pytest.approx(mix, abs=1e-5)


def test_it_ends_at_the_middle_of_all_equilibria():
    # Strategies 0 and 1 are worth the same, so a third can be shared between them at will.
    payoffs = np.array(ROCK_PAPER_SCISSORS)[[0, 0, 1, 2]][:, [0, 0, 1, 2]]
    path = path_of(payoffs)
    walk(path, 1e-11)
    assert path.mix == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-6)


@given(st.integers(2, 40), st.integers(0, 10**6))
def test_the_mix_of_its_support_leaves_out_what_is_idle(size, seed):
    path = path_of(random_game(size, np.random.default_rng(seed)))
    walk(path, 1e-11)
    mix = path.support_mix
    assert mix.sum() == pytest.approx(1)
    assert (path.payoffs @ mix).max() <= 1e-8
    assert ((mix > 0) <= (path.mix > path.slack)).all()


@pytest.mark.parametrize("values", [None, [-1, 0, 1]])
@pytest.mark.parametrize("early", [0, 3, STEPS])
def test_a_game_that_grows_on_the_way_is_closed(early, values):
    generator = np.random.default_rng(8)
    for _ in range(10):
        payoffs = random_game(90, generator, values).astype(float)
        size = int(generator.integers(1, 20))
        path = path_of(payoffs[:size, :size])
        while size < 90:
            for _ in range(early):
                if gap(path) > GAP:
                    path.step()
            new = min(90, size + int(generator.integers(1, 12)))
            gains = payoffs[size:new, :size] @ path.mix
            path.extend(payoffs[:new, size:new], gains)
            size = new
            assert np.array_equal(path.payoffs, payoffs[:size, :size])
            assert (path.mix > 0).all()
            assert (path.slack > 0).all()
        walk(path)
        assert (payoffs @ path.mix).max() <= GAP


def test_new_strategies_disturb_no_gain_by_more_than_is_left_of_them():
    generator = np.random.default_rng(11)
    payoffs = random_game(60, generator).astype(float)
    path = path_of(payoffs[:40, :40])
    walk(path, 1e-6)
    before = payoffs[:, :40] @ path.mix
    left = max(before[40:].max(), path.mix @ path.slack)
    path.extend(payoffs[:, 40:], before[40:])
    assert np.abs(payoffs @ path.mix - before).max() <= 2 * left


def test_a_game_that_outgrows_its_store_keeps_its_payoffs():
    generator = np.random.default_rng(9)
    payoffs = random_game(700, generator).astype(float)
    path = path_of(payoffs[:5, :5])
    for start, end in ((5, 300), (300, 700)):
        path.extend(payoffs[:end, start:end], payoffs[start:end, :start] @ path.mix)
    assert np.array_equal(path.payoffs, payoffs)
    walk(path, 1e-6)


def test_the_same_game_takes_the_same_steps():
    payoffs = random_game(50, np.random.default_rng(10))
    paths = [path_of(payoffs) for _ in range(2)]
    for path in paths:
        walk(path)
    assert paths[0].mix.tobytes() == paths[1].mix.tobytes()
    assert paths[0].bound == paths[1].bound


@pytest.mark.parametrize("idle", [0, 23, 24, 60])
def test_directions_solve_the_system_without_what_idle_strategies_make_against_each_other(idle):
    generator = np.random.default_rng(idle)
    payoffs = random_game(100, generator)
    diagonal = generator.uniform(0.1, 50, 100)
    chosen = generator.permutation(100)[:idle]
    diagonal[chosen] = generator.uniform(500, 1e9, idle)
    sides = generator.normal(size=(100, 3))
    system = np.diag(diagonal) - payoffs
    if idle >= 24:
        system[np.ix_(chosen, chosen)] = np.diag(diagonal[chosen])
    expected = np.linalg.solve(system, sides)
    assert np.allclose(newton_directions(payoffs, diagonal, sides), expected, rtol=1e-9, atol=1e-12)
