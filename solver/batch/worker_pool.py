"""Processes that do jobs side by side, and outlast the death of any of them.

Each worker is a fresh interpreter (never a fork: native threads would not survive it) with one thread for its linear
algebra, in a session of its own, so that Ctrl-C reaches the parent alone. A job whose worker dies is done once more;
if that worker dies too, the job is given up, and nothing else is lost.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import connection
from typing import Generic, TypeVar

from solver.batch.worker import READY
from solver.errors import InternalError, StoppedError

Job = TypeVar("Job")
Result = TypeVar("Result")

ATTEMPTS = 2
"""Workers that may die on a job."""
WINDOW = 64
"""Jobs a worker that may be begun or wait for the result of an earlier one."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class WorkerPool(Generic[Job, Result]):
    """A pool of worker processes, started as they are needed.

    Parameters
    ----------
    function
        What is done with every job; it is sent to the workers, as jobs and results are: plain data.
    size
        Number of processes.
    given_up
        Makes the result of a job on which too many workers have died, from the job and one line on how.
    """

    def __init__(self, function: Callable[[Job], Result], size: int, given_up: Callable[[Job, str], Result]) -> None:
        self.window = WINDOW * size
        self._function = function
        self._size = size
        self._given_up = given_up
        self._workers: list[_Worker[Job]] = []
        self._bad_starts = 0

    def __enter__(self) -> "WorkerPool[Job, Result]":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.close()

    def has_room(self) -> bool:
        """Return whether a worker is idle or can be started."""
        return len(self._workers) < self._size or any(worker.job is None for worker in self._workers)

    def submit(self, ticket: int, job: Job) -> None:
        """Give a job to an idle worker, or to a new one."""
        for worker in [worker for worker in self._workers if worker.job is None]:
            try:
                worker.give(ticket, job)
            except OSError:
                # It died while it had nothing to do.
                self._workers.remove(worker)
                worker.close()
            else:
                return
        self._start(ticket, job)

    def finished(self, *, wait: bool) -> list[tuple[int, Result]]:
        """Return tickets and results that are new, after waiting for at least one if asked to.

        Raises
        ------
        StoppedError
            If workers die again and again before they begin to work.
        """
        while True:
            workers = {worker.connection: worker for worker in self._workers}
            ready = connection.wait(list(workers), None if wait else 0)
            results = [result for each in workers if each in ready for result in self._receive(workers[each])]
            if results or not wait:
                return results

    def _start(self, ticket: int, job: Job, attempt: int = 1) -> None:
        try:
            worker: _Worker[Job] = _Worker(attempt)
        except OSError as error:
            raise StoppedError(f"no worker process can be started: {error.strerror}") from None
        self._workers.append(worker)
        with contextlib.suppress(OSError):
            # If it is dead already, its socket says so when it is listened to.
            worker.connection.send(self._function)
            worker.give(ticket, job)

    def _receive(self, worker: "_Worker[Job]") -> list[tuple[int, Result]]:
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace_dead(worker)
        if message == READY:
            worker.ready, self._bad_starts = True, 0
            return []
        if worker.job is None:
            raise InternalError("a worker answered without being asked")
        ticket, _ = worker.job
        worker.job, worker.attempt = None, 1
        return [(ticket, message)]

    def _replace_dead(self, worker: "_Worker[Job]") -> list[tuple[int, Result]]:
        """Replace a dead worker, or give its job up."""
        self._workers.remove(worker)
        end = worker.close()
        if not worker.ready:
            self._bad_starts += 1
            if self._bad_starts > 2 * self._size + 1:
                raise StoppedError(f"worker processes end before they begin to work ({end})")
        if worker.job is None:
            return []
        ticket, job = worker.job
        if worker.attempt == ATTEMPTS:
            return [(ticket, self._given_up(job, f"{ATTEMPTS} worker processes ended on it ({end})"))]
        self._start(ticket, job, worker.attempt + 1)
        return []


class _Worker(Generic[Job]):
    """One process, the socket to it, and the job it has."""

    def __init__(self, attempt: int) -> None:
        self.connection, theirs = connection.Pipe()
        self.job: tuple[int, Job] | None = None
        self.attempt = attempt
        self.ready = False
        descriptor = theirs.fileno()
        path = [str(entry) for entry in sys.path]
        code = f"import sys; sys.path[:] = {path}; from solver.batch.worker import main; main({descriptor})"
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                # What native code may print must not get among the records.
                stdout=2,
                pass_fds=[descriptor],
                env={**os.environ, **_ONE_THREAD},
                start_new_session=True,
            )

    def give(self, ticket: int, job: Job) -> None:
        """Send a job."""
        self.job = ticket, job
        self.connection.send(job)

    def close(self) -> str:
        """End the process if it has not ended, and return how it ended."""
        self.connection.close()
        self.process.kill()
        code = self.process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"
