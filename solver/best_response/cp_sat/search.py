"""Running CP-SAT the one way this program does: one worker, no output of its own, stopped when told to."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ortools.sat.python import cp_model

from solver.errors import InternalError, LimitReached
from solver.system.limits import Limits

_PARAMETERS = {
    "num_workers": 1,
    "catch_sigint_signal": False,
    "log_to_stdout": False,
    # Presolve finds nothing to remove here, and large numbers are not safe in it: it can spread the coefficients of the
    # objective over other variables until they add up past 64 bits, and then calls the model invalid; and coefficients
    # of an enforced row wrap where they add up past 32 bits (google/or-tools issue 5293).
    "cp_model_presolve": False,
    # All four cost more than they save on models of some hundred variables that are solved in some hundredths.
    "cp_model_probing_level": 0,
    "use_sat_inprocessing": False,
    "add_lp_constraints_lazily": False,
    "cut_level": 0,
}
_LARGEST_SEED = 2**31 - 1
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What CP-SAT found for a model that maximises.

    Parameters
    ----------
    values
        Value of each variable by its index.
    bound
        Exact integer upper bound on the objective, without a constant part.
    """

    values: tuple[int, ...]
    bound: int


def maximise(
    model: cp_model.CpModel,
    limits: Limits,
    *,
    relaxation: bool,
    seed: int = 0,
    log: Callable[[str], None] | None = None,
) -> SearchResult:
    """Maximise a model with an integer objective.

    The bound is the solver's own integer, not the double that it reports: optima are proven to the last unit.

    Parameters
    ----------
    model
        The model; that it has no solution is an error.
    limits
        When to stop with the best solution so far.
    relaxation
        Whether to bound the objective by a linear relaxation of the whole model. It pays where the objective is a sum
        over places; where it counts rows of a mix, clauses alone prove faster.
    seed
        Seed of the search, at least 0.
    log
        Gets the lines of the solver's log, which goes nowhere else.

    Raises
    ------
    LimitReached
        If there is no solution when a limit is reached.
    InternalError
        If CP-SAT calls the model invalid or infeasible, or its bound does not fit its solution.
    """
    solver = cp_model.CpSolver()
    for name, value in _PARAMETERS.items():
        setattr(solver.parameters, name, value)
    solver.parameters.linearization_level = 2 if relaxation else 0
    solver.parameters.random_seed = seed % _LARGEST_SEED
    if log is not None:
        solver.parameters.log_search_progress = True
        solver.log_callback = log
    limits.check()
    if limits.deadline is not None:
        solver.parameters.max_time_in_seconds = max(0.0, limits.deadline - time.monotonic())
    with _stopped_by(limits.interrupt, solver):
        status = solver.solve(model)
    if status == cp_model.UNKNOWN:
        raise LimitReached("no solution in time")
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}: {solver.solution_info()}")
    response = solver.response_proto
    # CP-SAT minimises: the objective of a maximisation is stored negated.
    result = SearchResult(tuple(response.solution), -int(response.inner_objective_lower_bound))
    objective = model.proto.objective
    value = -sum(c * result.values[v] for c, v in zip(objective.coeffs, objective.vars, strict=True))
    require_sound_bound(value, result.bound, status == cp_model.OPTIMAL)
    return result


def require_sound_bound(value: int, bound: int, optimal: bool) -> None:
    """Raise `InternalError` if a solution exceeds its bound, or is called optimal without reaching it."""
    if value > bound or (optimal and value != bound):
        claim = "optimal" if optimal else "feasible"
        raise InternalError(f"CP-SAT calls a solution worth {value} {claim} and bounds it by {bound}")


@contextmanager
def _stopped_by(interrupt: threading.Event | None, solver: cp_model.CpSolver) -> Iterator[None]:
    """Stop the search while the event is set; again and again, for a call before the search begins is lost."""
    if interrupt is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_POLL_SECONDS):
            if interrupt.is_set():
                solver.stop_search()

    watcher = threading.Thread(target=watch, name="cp-sat-interrupt", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
