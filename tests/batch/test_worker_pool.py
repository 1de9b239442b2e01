"""The pool of worker processes: real processes, real SIGKILL."""

import signal
import subprocess
import sys

import pytest

from solver.batch.worker_pool import WorkerPool
from solver.errors import StoppedError
from tests.support import pool_jobs
from tests.support.command import ROOT
from tests.support.processes import alive, wait_until


def given_up(job, reason):
    return ("given up", job, reason)


def results(function, jobs, size, lost=given_up):
    """Return the results of all jobs by ticket, and the pool's workers' process ids."""
    found = {}
    coming = list(enumerate(jobs))
    with WorkerPool(function, size, lost) as pool:
        while len(found) < len(jobs):
            while coming and pool.has_room():
                pool.submit(*coming.pop(0))
            found.update(pool.finished(wait=True))
        assert len(pool._workers) <= size
    assert all(not alive(worker.process.pid) for worker in pool._workers), "no process is left"
    return [found[ticket] for ticket in range(len(jobs))]


@pytest.mark.parametrize("size", [1, 3])
def test_every_job_is_done_once(size):
    assert results(pool_jobs.square, range(20), size) == [number * number for number in range(20)]


def test_no_more_workers_than_jobs_are_started():
    with WorkerPool(pool_jobs.square, 50, given_up) as pool:
        pool.submit(0, 3)
        assert pool.finished(wait=True) == [(0, 9)]
        pool.submit(1, 4)
        assert pool.finished(wait=True) == [(1, 16)]
        assert len(pool._workers) == 1


def test_a_worker_has_one_thread_no_input_and_a_session_of_its_own(capfd):
    (found,) = results(pool_jobs.surroundings, [0], 1)
    assert found["threads"] == ["1", "1", "1"]
    assert found["input"] == ""
    assert found["own session"], "Ctrl-C at the terminal is for the parent alone"
    out, err = capfd.readouterr()
    assert (out, err) == ("", "what native code may print\n")


@pytest.mark.parametrize("size", [1, 2])
def test_a_job_whose_worker_dies_is_done_once_more(tmp_path, size):
    jobs = [(number, tmp_path / str(number), number == 2) for number in range(6)]
    assert results(pool_jobs.die, jobs, size) == list(range(6))


@pytest.mark.parametrize("size", [1, 2])
def test_a_job_that_kills_two_workers_is_given_up_and_nothing_else(tmp_path, size):
    jobs = [(number, tmp_path / str(number), 2 * (number == 2)) for number in range(6)]
    expected = [*range(6)]
    expected[2] = ("given up", jobs[2], "2 worker processes ended on it (signal 9)")
    assert results(pool_jobs.die, jobs, size) == expected
    assert (tmp_path / "2").read_text() == "xx"


def test_every_job_may_kill_a_worker(tmp_path):
    jobs = [(number, tmp_path / str(number), 1) for number in range(5)]
    assert results(pool_jobs.die, jobs, 2) == list(range(5))


def test_a_worker_that_dies_idle_costs_nothing():
    with WorkerPool(pool_jobs.square, 1, given_up) as pool:
        for number in range(3):
            pool.submit(number, number)
            assert pool.finished(wait=True) == [(number, number * number)]
            process = pool._workers[0].process
            process.kill()
            process.wait()
        pool.submit(9, 9)
        assert pool.finished(wait=True) == [(9, 81)]
        process = pool._workers[0].process
        process.kill()
        process.wait()
        assert pool.finished(wait=False) == []
        assert pool._workers == [], "a look is enough to see that it is dead"


def test_a_worker_killed_at_birth_costs_its_job_one_retry():
    with WorkerPool(pool_jobs.square, 1, given_up) as pool:
        pool.submit(0, 3)
        pool._workers[0].process.kill()
        assert pool.finished(wait=True) == [(0, 9)]


def test_workers_that_never_begin_stop_the_run(capfd):
    with pytest.raises(StoppedError, match=r"end before they begin to work \(exit code 3\)"):
        results(pool_jobs.Unloadable(), range(20), 2)
    assert capfd.readouterr().err == ""


def test_workers_end_in_the_midst_of_their_jobs_when_the_parent_is_killed():
    code = (
        "import time\n"
        "from solver.batch.worker_pool import WorkerPool\n"
        "from tests.support import pool_jobs\n"
        "with WorkerPool(pool_jobs.sleep_long, 2, print) as pool:\n"
        "    pool.submit(0, 0)\n"
        "    pool.submit(1, 1)\n"
        "    while not all(worker.ready for worker in pool._workers):\n"
        "        pool.finished(wait=False)\n"
        "    print(*(worker.process.pid for worker in pool._workers), flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT) as parent:
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(workers) == 2
        assert all(alive(pid) for pid in workers)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    wait_until(lambda: not any(alive(pid) for pid in workers))


def test_a_program_that_is_gone_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(StoppedError, match="no worker process can be started: No such file or directory"):
        results(pool_jobs.square, [3], 1)
