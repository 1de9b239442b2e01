import threading
import time

import pytest
from ortools.sat.python import cp_model

from solver.best_response.cp_sat.search import maximise, require_sound_bound
from solver.errors import InternalError, LimitReached
from solver.system.limits import Limits


def knapsack(size=3, unit=1):
    """Return a model whose best two booleans of `size` are worth 2 * size - 1 units."""
    model = cp_model.CpModel()
    items = [model.new_bool_var("") for _ in range(size)]
    model.add(sum(items) <= 2)
    model.maximize(cp_model.LinearExpr.weighted_sum(items, [unit * (item + 1) for item in range(size)]))
    return model


@pytest.mark.parametrize("relaxation", [False, True])
def test_solution_and_bound_are_exact_integers(relaxation):
    unit = 2**55 + 1
    result = maximise(knapsack(unit=unit), Limits(), relaxation=relaxation)
    assert result.values == (0, 1, 1)
    assert result.bound == 5 * unit
    assert int(float(result.bound)) != result.bound


def test_a_model_without_solutions_is_an_error():
    model = knapsack()
    model.add_bool_or([])
    with pytest.raises(InternalError, match="INFEASIBLE"):
        maximise(model, Limits(), relaxation=True)


@pytest.mark.parametrize(("value", "bound", "optimal"), [(5, 4, False), (5, 4, True), (4, 5, True)])
def test_a_bound_that_does_not_fit_the_solution_is_an_error(value, bound, optimal):
    with pytest.raises(InternalError, match=f"worth {value} (optimal|feasible) and bounds it by {bound}"):
        require_sound_bound(value, bound, optimal)


def test_a_bound_that_fits_is_accepted():
    require_sound_bound(4, 5, False)
    require_sound_bound(5, 5, True)


def test_an_invalid_model_is_an_error():
    with pytest.raises(InternalError, match="MODEL_INVALID"):
        maximise(knapsack(unit=2**61), Limits(), relaxation=True)


def test_nothing_is_searched_after_the_deadline_or_an_interrupt():
    interrupt = threading.Event()
    interrupt.set()
    for limits in (Limits(deadline=time.monotonic()), Limits(interrupt=interrupt)):
        with pytest.raises(LimitReached):
            limits.check()
        with pytest.raises(LimitReached):
            maximise(knapsack(), limits, relaxation=True)


def test_limits_that_are_not_reached_do_not_stop():
    limits = Limits(time.monotonic() + 600, threading.Event())
    limits.check()
    assert maximise(knapsack(), limits, relaxation=True).bound == 5


def test_the_log_goes_to_the_callback_alone(capfd):
    lines = []
    maximise(knapsack(), Limits(), relaxation=True, log=lines.append)
    assert any("CP-SAT" in line for line in lines)
    maximise(knapsack(), Limits(), relaxation=True)
    assert capfd.readouterr() == ("", "")


def test_presolve_does_not_touch_large_objectives():
    """Its steps, of which moving the objective about is one, do not even appear in the log."""
    lines = []
    maximise(knapsack(unit=2**55), Limits(), relaxation=True, log=lines.append)
    assert "#Variables: 3" in "".join(lines)
    assert "PresolveToFixPoint" not in "".join(lines)


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1, 2**63])
def test_any_seed_will_do(seed):
    assert maximise(knapsack(), Limits(), relaxation=False, seed=seed).bound == 5


def test_no_thread_is_left_behind():
    before = threading.active_count()
    maximise(knapsack(), Limits(interrupt=threading.Event()), relaxation=True)
    assert threading.active_count() == before
