"""Batch runs on a real Dask cluster: a scheduler and two worker processes on loopback."""

import json
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.command import LONGEST, ROOT, environment, quintet, started
from tests.processes import kill, wait_until

pytestmark = pytest.mark.cluster
pytest.importorskip("distributed")

NUMBER = 30
QUESTION = ("--random", str(NUMBER), "--seed", "2", "--opponent", "greedy-shuffled", "--engine", "enumerate")


@contextmanager
def cluster(folder, workers=2):
    """Start a scheduler and workers; yields the address and the processes, scheduler first."""
    processes = []

    def start(module, *arguments):
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"],
                cwd=ROOT,
                env=environment({"PYTHONPATH": str(ROOT)}),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    description = folder / "scheduler.json"
    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(description))
        wait_until(description.exists)
        address = json.loads(description.read_text())["address"]
        for _ in range(workers):
            start("dask_worker", address, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder))
        if workers:
            wait_for_workers(address, workers)
        yield address, processes
    finally:
        for process in processes:
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
