"""The same jobs on a Dask cluster, which notices dead workers itself and gives their jobs to others."""

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from threadpoolctl import threadpool_limits

from solver.errors import BatchError, StoppedError
from solver.system.environment import versions

Job = TypeVar("Job")
Result = TypeVar("Result")

IN_FLIGHT = 1024
"""Jobs that the cluster is given at once, whatever its size; as many may wait for an earlier one."""
_TIMEOUT = 20
"""Seconds in which a scheduler has to answer, and to have a worker."""
_one_at_a_time = threading.Lock()


class DaskPool(Generic[Job, Result]):
    """A Dask cluster as a pool of workers.

    Parameters
    ----------
    address
        Of the scheduler, such as ``tcp://127.0.0.1:8786``.
    function
        What is done with every job.
    given_up
        Makes the result of a job that the cluster has given up because its workers died, from the job and one line.

    Raises
    ------
    BatchError
        On entering: if Dask is not installed, or a worker of the cluster has other versions than this process.
    StoppedError
        On entering: if there is no scheduler at the address, or no worker. Later: if the scheduler is gone.
    """

    def __init__(self, address: str, function: Callable[[Job], Result], given_up: Callable[[Job, str], Result]) -> None:
        self.window = IN_FLIGHT
        self._address = address
        self._function = function
        self._given_up = given_up
        self._jobs: dict[int, tuple[Job, Any]] = {}
        self._ended: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._to_retry: list[tuple[int, Job]] = []
        self._alone: int | None = None

    def __enter__(self) -> "DaskPool[Job, Result]":
        try:
            import distributed
        except ImportError:
            raise BatchError("--dask needs the dask extra: pip install 'quintet[dask]'") from None
        for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
            # They would tell, with tracebacks, what is said in one line below.
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            self._client = distributed.Client(self._address, timeout=_TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise StoppedError(f"no Dask scheduler at {self._address}: {_one_line(error)}") from None
        try:
            self._require_same_versions()
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def has_room(self) -> bool:
        """Return whether the cluster is given more jobs; not while a job is to be retried alone, or is."""
        return len(self._jobs) < IN_FLIGHT and not self._to_retry and self._alone is None

    def submit(self, ticket: int, job: Job) -> None:
        """Give a job to the cluster."""
        future = self._client.submit(_do, self._function, job, pure=False)
        self._jobs[ticket] = job, future
        future.add_done_callback(lambda _: self._ended.put(ticket))

    def finished(self, *, wait: bool) -> list[tuple[int, Result]]:
        """Return tickets and results that are new, after waiting for at least one if asked to.

        Raises
        ------
        StoppedError
            If the scheduler is gone.
        """
        results: list[tuple[int, Result]] = []
        while not self._ended.empty() or (wait and not results):
            if self._to_retry and not self._jobs:
                self._alone, job = self._to_retry.pop(0)
                self.submit(self._alone, job)
            results.extend(self._result(self._ended.get()))
        return results

    def _result(self, ticket: int) -> list[tuple[int, Result]]:
        """Return the ticket and the result of a job that has ended, or nothing if it is to be retried alone.

        Dask gives up all jobs that a worker held when it died. Such a job is tried once more with nothing else on the
        cluster: if a worker dies again, it is this job that ends it.
        """
        from distributed import KilledWorker

        job, future = self._jobs.pop(ticket)
        was_alone, self._alone = self._alone == ticket, None
        try:
            return [(ticket, future.result())]
        except KilledWorker:
            if was_alone:
                return [(ticket, self._given_up(job, "the Dask workers that began it have ended"))]
            self._to_retry.append((ticket, job))
            return []
        except Exception as error:
            reason = _one_line(error)
            raise StoppedError(f"the Dask scheduler at {self._address} is gone, or failed: {reason}") from None

    def _require_same_versions(self) -> None:
        """Make sure that there is a worker, and that every one computes with the same versions as this process."""
        try:
            self._client.wait_for_workers(1, timeout=_TIMEOUT)
            found = self._client.run(versions)
        except TimeoutError:
            raise StoppedError(f"no worker has come to the Dask scheduler at {self._address}") from None
        except Exception as error:
            raise StoppedError(f"a Dask worker cannot run quintet: {_one_line(error)}") from None
        for worker, there in sorted(found.items()):
            for name, version in versions().items():
                if there.get(name) != version:
                    raise BatchError(f"Dask worker {worker} has {name} {there.get(name)}, this process {version}")


def _do(function: Callable[[Job], Result], job: Job) -> Result:
    """Do a job in a Dask worker: one at a time whatever its number of threads, each with one thread."""
    with _one_at_a_time, threadpool_limits(1):
        return function(job)


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]
