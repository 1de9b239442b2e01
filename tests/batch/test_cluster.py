"""Batch runs on a real Dask cluster: a scheduler and two worker processes on loopback."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.support.command import LONGEST, ROOT, environment, quintet, started
from tests.support.processes import kill, wait_until

pytestmark = pytest.mark.cluster
pytest.importorskip("distributed")

NUMBER = 30
QUESTION = ("--random", str(NUMBER), "--seed", "2", "--opponent", "greedy-shuffled", "--engine", "enumerate")


@contextmanager
def cluster(folder, workers=2, nanny=False, startup=""):
    """Start a scheduler and workers, which may have a startup file; yields the address and the processes.

    A nanny starts a worker again that has died.
    """
    (folder / "sitecustomize.py").write_text(startup)
    processes = []

    def start(module, *arguments):
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"],
                cwd=ROOT,
                env=environment({"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    description = folder / "scheduler.json"
    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(description))
        wait_until(lambda: description.exists() and description.read_text())
        address = json.loads(description.read_text())["address"]
        for _ in range(workers):
            guard = "--nanny" if nanny else "--no-nanny"
            start("dask_worker", address, guard, "--nthreads", "1", "--local-directory", str(folder))
        wait_for_workers(address, workers)
        yield address, processes
    finally:
        for process in processes:
            # The worker of a nanny notices and ends.
            kill(process.pid, signal.SIGKILL)
            process.wait()


def wait_for_workers(address, number):
    code = f"from distributed import Client; Client({address!r}).wait_for_workers({number}, timeout=60)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """The bytes of a run on this machine."""
    out = tmp_path_factory.mktemp("local") / "out.jsonl"
    assert quintet("batch", *QUESTION, "--output", out).code == 0
    return out.read_bytes()


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_the_cluster_writes_what_this_machine_writes(tmp_path, local):
    with cluster(tmp_path) as (address, _):
        run = quintet("batch", *QUESTION, "--dask", address)
        assert (run.code, run.err) == (0, f"quintet: {NUMBER} done, 0 failed\n")
        assert run.out.encode() == local
        bad = tmp_path / "deals.txt"
        bad.write_text("bad\n")
        assert quintet("batch", bad, "--dask", address).err == "quintet: 0 done, 1 failed\n"


def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path, local):
    out = tmp_path / "out.jsonl"
    with (
        cluster(tmp_path) as (address, (_, first, _)),
        started("batch", *QUESTION, "--dask", address, "--output", str(out)) as run,
    ):
        wait_until(lambda: lines(out) >= 3)
        first.kill()
        at_death = lines(out)
        assert run.wait(LONGEST) == 0
        assert run.stderr.read() == f"quintet: {NUMBER} done, 0 failed\n".encode()
    assert 3 <= at_death < NUMBER
    assert out.read_bytes() == local


def test_a_scheduler_that_goes_is_one_line_and_the_written_records_stay(tmp_path, local):
    out = tmp_path / "out.jsonl"
    with (
        cluster(tmp_path) as (address, (scheduler, *_)),
        started("batch", *QUESTION, "--dask", address, "--output", str(out)) as run,
    ):
        wait_until(lambda: lines(out) >= 3)
        scheduler.kill()
        assert run.wait(LONGEST) == 1
        message = run.stderr.read().decode()
    assert re.fullmatch(rf"quintet: the Dask scheduler at {address} is gone.*--resume goes on\n", message)
    assert 3 <= lines(out) < NUMBER
    assert local.startswith(out.read_bytes())
    assert quintet("batch", *QUESTION, "--output", out, "--resume").code == 0
    assert out.read_bytes() == local


def test_ctrl_c_ends_the_run_and_leaves_the_cluster(tmp_path, local):
    out = tmp_path / "out.jsonl"
    with cluster(tmp_path) as (address, processes):
        with started("batch", *QUESTION, "--dask", address, "--output", str(out)) as run:
            wait_until(lambda: lines(out) >= 3)
            run.send_signal(signal.SIGINT)
            assert run.wait(LONGEST) == 130
            assert run.stderr.read().count(b"\n") == 1
        assert all(process.poll() is None for process in processes)
        assert local.startswith(out.read_bytes())
        assert quintet("batch", *QUESTION, "--dask", address, "--output", out, "--resume").code == 0
    assert out.read_bytes() == local


def test_an_address_without_a_scheduler_is_one_line():
    run = quintet("batch", *QUESTION, "--dask", "tcp://127.0.0.1:1")
    assert (run.code, run.out) == (1, "")
    assert re.fullmatch(r"quintet: no Dask scheduler at tcp://127\.0\.0\.1:1: .*\n", run.err)


def test_a_deal_that_kills_every_worker_is_given_up_and_nothing_else(tmp_path):
    startup = """
import os, signal, sys
from solver.batch import record as batch_record
answer = batch_record.RecordMaker.__call__
def mortal(self, item):
    if item.line == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(self, item)
batch_record.RecordMaker.__call__ = mortal
"""
    with cluster(tmp_path, nanny=True, startup=startup) as (address, _):
        run = quintet("batch", "--random", 4, "--opponent", "greedy", "--dask", address)
    assert (run.code, run.err) == (1, "quintet: 3 done, 1 failed\n")
    records = [json.loads(line) for line in run.out.splitlines()]
    assert [record["schema"] for record in records].count("quintet.error/1") == 1
    assert records[1]["error"] == "the Dask workers that began it have ended"


def test_a_worker_with_other_versions_is_refused(tmp_path):
    with cluster(tmp_path, startup="import solver; solver.__version__ = '0.0.0'") as (address, _):
        run = quintet("batch", *QUESTION, "--dask", address)
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(r"quintet: Dask worker \S+ has quintet 0\.0\.0, this process \S+\n", run.err)
