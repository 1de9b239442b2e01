"""Batch runs that are killed, interrupted, or run out of disk, and go on: real signals to real processes."""

import itertools
import os
import signal
import subprocess

import numpy as np
import pytest

from solver.game.deal import random_deals
from tests.commands.test_batch import records
from tests.support.command import LONGEST, PROGRAM, environment, limited, quintet, started
from tests.support.processes import alive, children, kill, wait_until

DEALS = 40


def command(out, *options, number=DEALS, workers=2):
    return (
        *("batch", "--random", str(number), "--seed", "2", "--opponent", "greedy-shuffled", "--engine", "enumerate"),
        *("--workers", str(workers), "--output", str(out), *options),
    )


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def undisturbed(path, number=DEALS):
    run = quintet(*command(path, number=number))
    assert (run.code, run.err) == (0, f"quintet: {number} done, 0 failed\n")
    return path.read_bytes()


def survive(folder, whole, kills, number):
    """Kill the parent, a worker or both `kills` times at points spread over the run, going on each time.

    Returns how many of the kills hit between the first and the last record.
    """
    out = folder / "out.jsonl"
    generator = np.random.default_rng(kills)
    # Not in the last third: two quick workers could write all of that before they are noticed.
    points = sorted(generator.integers(1, 1 + 2 * number // 3, kills).tolist())
    between = 0
    victims = itertools.cycle(["parent", "worker", "both"])
    for point in points:
        before = out.read_bytes() if out.exists() else b""
        with started(*command(out, "--resume", number=number)) as process:
            wait_until(lambda wanted=point, run=process: lines(out) >= wanted or run.poll() is not None)
            workers = wait_until(lambda run=process: children(run.pid) or run.poll() is not None)
            between += 1 <= lines(out) < number
            victim = next(victims)
            if victim != "parent" and workers is not True:
                kill(workers[0], signal.SIGKILL)
            if victim == "worker":
                # The run goes on; end it a little later, so that the next kill finds one.
                seen = lines(out)
                wait_until(lambda seen=seen, run=process: lines(out) > seen or run.poll() is not None)
            kill(process.pid, signal.SIGKILL)
            process.wait()
            if workers is not True:
                wait_until(lambda pids=workers: not any(alive(pid) for pid in pids))
        content = out.read_bytes()
        assert content.startswith(before[: before.rindex(b"\n") + 1] if before else b""), "a record was lost"
        assert whole.startswith(content[: content.rindex(b"\n") + 1] if b"\n" in content else b"")
    run = quintet(*command(out, "--resume", number=number))
    assert (run.code, run.err) == (0, f"quintet: {number} done, 0 failed\n")
    assert out.read_bytes() == whole
    assert os.listdir(folder) == ["out.jsonl"]
    return between


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return undisturbed(tmp_path_factory.mktemp("undisturbed") / "out.jsonl")


def test_killed_four_times_and_gone_on_with(tmp_path, whole):
    assert survive(tmp_path, whole, kills=4, number=DEALS) == 4


@pytest.mark.slow
def test_killed_twenty_times_and_gone_on_with(tmp_path):
    (tmp_path / "undisturbed").mkdir()
    (tmp_path / "killed").mkdir()
    whole = undisturbed(tmp_path / "undisturbed" / "out.jsonl", number=200)
    assert survive(tmp_path / "killed", whole, kills=20, number=200) >= 15


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupt_is_one_line_leaves_no_process_and_goes_on(tmp_path, whole, number):
    out = tmp_path / "out.jsonl"
    with started(*command(out)) as process:
        wait_until(lambda: lines(out) >= 3)
        workers = children(process.pid)
        assert workers
        # As a terminal does: to the whole process group.
        os.killpg(process.pid, number)
        assert process.wait(LONGEST) == 130
        assert not any(alive(pid) for pid in workers)
        assert process.stdout.read() == b""
        assert process.stderr.read() == (
            b"quintet: interrupted; the records written so far are whole, and --resume goes on\n"
        )
    assert whole.startswith(out.read_bytes())
    assert 3 <= lines(out) < DEALS
    assert os.listdir(tmp_path) == ["out.jsonl"]
    if number == signal.SIGINT:
        assert quintet(*command(out, "--resume")).code == 0
        assert out.read_bytes() == whole


def test_an_interrupt_while_the_workers_start_is_one_line(tmp_path):
    with started(*command(tmp_path / "out.jsonl")) as process:
        workers = wait_until(lambda: children(process.pid))
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(LONGEST) == 130
        assert process.stderr.read().count(b"\n") == 1
        assert not any(alive(pid) for pid in workers)


@pytest.mark.parametrize(("deaths", "code"), [(1, 0), (2, 1)])
def test_a_dead_worker_costs_its_deal_one_retry_and_nothing_else(tmp_path, whole, deaths, code):
    """The worker of deal 2 of 6 kills itself, once or twice."""
    (tmp_path / "sitecustomize.py").write_text(
        f"""
import os, signal, sys
if "solver.batch.worker" in " ".join(sys.orig_argv):
    from solver.batch import record as batch_record
    answer = batch_record.RecordMaker.__call__
    def mortal(self, item):
        deaths = {str(tmp_path / "deaths")!r}
        if item.line == 2 and len(os.listdir(deaths)) < {deaths}:
            os.mkdir(os.path.join(deaths, str(os.getpid())))
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(self, item)
    batch_record.RecordMaker.__call__ = mortal
"""
    )
    (tmp_path / "deaths").mkdir()
    path = os.pathsep.join([str(tmp_path), os.path.dirname(PROGRAM[1])])
    out = tmp_path / "out.jsonl"
    run = quintet(*command(out, number=6), variables={"PYTHONPATH": path})
    failed = deaths - 1
    assert (run.code, run.err) == (code, f"quintet: {6 - failed} done, {failed} failed\n")
    assert len(os.listdir(tmp_path / "deaths")) == deaths
    found = records(out.read_bytes())
    assert [record["line"] for record in found] == [1, 2, 3, 4, 5, 6]
    assert [record["line"] for record in found if "error" in record] == [2][:failed]
    if failed:
        assert found[1]["error"] == "2 worker processes ended on it (signal 9)"
        assert quintet(*command(out, "--resume", number=6)).code == 0
    assert out.read_bytes() == b"".join(whole.splitlines(keepends=True)[:6])


def test_a_full_disk_is_one_line_and_the_run_goes_on(tmp_path, whole):
    """The limit on the size of a file falls into the middle of a record."""
    out = tmp_path / "out.jsonl"
    cut = whole.index(b"\n", len(whole) // 3) + 100

    run = quintet(*command(out), program=limited("RLIMIT_FSIZE", cut))
    assert (run.code, run.out) == (1, "")
    assert run.err == f"quintet: {out}: File too large; the records written so far are whole, and --resume goes on\n"
    assert out.read_bytes() == whole[: cut - 99]
    assert quintet(*command(out, "--resume")).code == 0
    assert out.read_bytes() == whole


@pytest.mark.slow
def test_a_small_full_file_system(tmp_path, whole):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here; the test above stands in for this one")
    try:
        out = disk / "out.jsonl"
        run = quintet(*command(out))
        assert (run.code, run.out) == (1, "")
        assert run.err.startswith(f"quintet: {out}: No space left on device; ")
        assert run.err.count("\n") == 1
        assert whole.startswith(out.read_bytes())
        assert 1 <= lines(out) < DEALS
        assert out.read_bytes().endswith(b"\n")
        again = quintet(*command(out, "--resume"))
        assert (again.code, again.err) == (1, run.err)
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        assert quintet(*command(out, "--resume")).code == 0
        assert out.read_bytes() == whole
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_full_disk_while_error_records_are_tried_again_changes_nothing(tmp_path):
    deals, out = tmp_path / "deals.txt", tmp_path / "out.jsonl"
    texts = [deal.text() for deal in random_deals(2, 4)]
    deals.write_text("\n".join(["bad", *texts[1:]]))
    arguments = ("batch", deals, "--opponent", "greedy", "--workers", "1", "--output", out)
    assert quintet(*arguments).code == 1
    before = out.read_bytes()
    deals.write_text("\n".join(texts))

    run = quintet(*arguments, "--resume", program=limited("RLIMIT_FSIZE", len(before)))
    assert run.code == 1
    assert run.err.startswith(f"quintet: {out}: File too large; ")
    assert out.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["deals.txt", "out.jsonl"]
    assert quintet(*arguments, "--resume").err == "quintet: 4 done, 0 failed\n"
    assert len(records(out.read_bytes())) == 4


def peak_memory(*arguments):
    """Run the command and return its code and its peak memory in bytes, of the largest of its processes."""
    code = (
        "import resource, subprocess, sys\n"
        "code = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode\n"
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    done = subprocess.run(
        [PROGRAM[0], "-c", code, *PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, env=environment(), check=True
    )
    status, peak = done.stdout.split()
    return int(status), int(peak) * 1024


def memory_of_a_run_and_a_resumed_one(folder, number, good):
    """Return the peaks of a run on `number` lines, `good` of them good, and of a run that tries its errors again."""
    deals, out = folder / f"deals-{number}", folder / f"out-{number}.jsonl"
    texts = iter([deal.text() for deal in random_deals(2, good)])
    with deals.open("w") as file:
        for line in range(number):
            file.write((next(texts) if line % (number // good) == 0 else f"7s bad line {line}") + "\n")
    arguments = ("batch", deals, "--opponent", "greedy", "--workers", "1", "--output", out)
    peaks = []
    for options in ([], ["--resume"]):
        code, peak = peak_memory(*arguments, *options)
        assert code == 1
        assert lines(out) == number
        peaks.append(peak)
    assert out.read_bytes().count(b"quintet.error/1") == number - good
    return peaks


@pytest.mark.parametrize(("number", "good"), [(10_000, 20), pytest.param(100_000, 100, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_number_of_deals(tmp_path, number, good):
    few = memory_of_a_run_and_a_resumed_one(tmp_path, 1_000, good)
    many = memory_of_a_run_and_a_resumed_one(tmp_path, number, good)
    for small, large in zip(few, many, strict=True):
        assert abs(large - small) < 20 * 2**20
