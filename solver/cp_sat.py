"""Running CP-SAT the one way this program does: one worker, no output of its own, stopped when told to."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ortools.sat.python import cp_model

from solver.errors import InternalError

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
    linearization_level: int,
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
    linearization_level
        How much of the model the linear relaxation gets: 1 or 2.
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
    parameters.num_workers = 1
    parameters.random_seed = seed % _LARGEST_SEED
    parameters.catch_sigint_signal = False
    parameters.log_to_stdout = False
    parameters.linearization_level = linearization_level
    # Both cost more than they save on models of a few hundred variables.
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
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
        raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}: {model.validate()}")
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
