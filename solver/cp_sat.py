"""Running CP-SAT the one way this program does: one worker, no output of its own, stopped when told to."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ortools.sat.python import cp_model

from solver.errors import InternalError

_PARAMETERS = {
    "num_workers": 1,
    "catch_sigint_signal": False,
    "log_to_stdout": False,
    # Presolve finds nothing to remove here, and large objectives are not safe in it: it can move their coefficients to
    # other variables until they add up past 64 bits, and then calls the model invalid.
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


def search(
    model: cp_model.CpModel,
    *,
    relaxation: bool,
    deadline: float | None = None,
    interrupt: threading.Event | None = None,
    seed: int = 0,
    log: Callable[[str], None] | None = None,
) -> SearchResult | None:
    """Maximise a model with an integer objective, or return None where nothing is found in time.

    The bound is the solver's own integer, not the double that it reports: optima are proven to the last unit.

    Parameters
    ----------
    model
        The model. Any assignment that it allows must be acceptable: that it has none is an error.
    relaxation
        Whether to bound the objective by a linear relaxation of the whole model. It pays where the objective is a sum
        over places; where it counts rows of a mix, clauses alone prove faster.
    deadline
        Value of `time.monotonic` at which to stop.
    interrupt
        Set by another thread to stop the search soon.
    seed
        Seed of the search, at least 0.
    log
        Gets the lines of the solver's log, which goes nowhere else.

    Raises
    ------
    InternalError
        If CP-SAT calls the model invalid or infeasible.
    """
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.random_seed = seed % _LARGEST_SEED
    parameters.linearization_level = 2 if relaxation else 0
    for name, value in _PARAMETERS.items():
        setattr(parameters, name, value)
    if log is not None:
        parameters.log_search_progress = True
        solver.log_callback = log
    if deadline is not None:
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            return None
        parameters.max_time_in_seconds = seconds
    if interrupt is not None and interrupt.is_set():
        return None
    with _stopped_by(interrupt, solver):
        status = solver.solve(model)
    if status == cp_model.UNKNOWN:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}: {solver.solution_info()}")
    response = solver.response_proto
    # CP-SAT minimises: the objective of a maximisation is stored negated.
    return SearchResult(tuple(response.solution), -int(response.inner_objective_lower_bound))


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
