"""Compact and compressed output: what a run has written stays, wherever it was ended."""

import gzip
import json
import os
import signal

import numpy as np
import pytest

from solver.batch.record import ERROR_SCHEMA
from solver.errors import BatchError, StoppedError
from solver.system import record_file
from solver.system.record_file import read_records
from tests.commands.test_batch import records
from tests.support.batch_doubles import DEALS, Question, run_batch
from tests.support.command import quintet, started
from tests.support.in_process import answer_here, run_here
from tests.support.processes import children, kill, wait_until

ENTRIES = [*DEALS[:3], "bad", *DEALS[3:]]
HEADER = {"schema": "quintet.equilibrium_compact_header/1", "seed": 1}
QUICK = ("batch", "--sample", "5", "--task", "equilibrium", "--max-iterations", "2", "--compact", "--workers", "1")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(record_file, "BLOCK", 3)


@pytest.mark.parametrize("header", [None, HEADER], ids=["", "header"])
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_run_goes_on_from_every_cut(tmp_path, name, header):
    path = tmp_path / name
    run_batch(path, ENTRIES, Question(), header=header)
    whole = path.read_bytes()
    lines = gzip.decompress(whole) if name.endswith(".gz") else whole
    assert lines.count(b"\n") == len(ENTRIES) + (header is not None)
    step = 1 if name.endswith(".gz") else 50
    for length in range(0, len(whole), step):
        path.write_bytes(whole[:length])
        question = Question()
        counts = run_batch(path, ENTRIES, question, resume=True, header=header)
        assert path.read_bytes() == whole, length
        assert (counts.done, counts.failed) == (6, 1)
    assert len(question.asked) <= 3, "whole blocks are not done again"


def test_blocks_are_gzip_members_of_three_lines(tmp_path):
    path = tmp_path / "out.gz"
    run_batch(path, ENTRIES, Question(), header=HEADER)
    numbers = {}
    for record in read_records(str(path)):
        numbers.setdefault(record.end, []).append(record.number)
    assert list(numbers.values()) == [[1, 2, 3], [4, 5, 6], [7, 8]]


def test_errors_in_a_compressed_file_are_tried_again(tmp_path):
    path = tmp_path / "out.gz"
    run_batch(path, DEALS, Question(refused=set(DEALS[1:3])), header=HEADER)
    assert gzip.decompress(path.read_bytes()).count(ERROR_SCHEMA.encode()) == 2
    question = Question()
    assert run_batch(path, DEALS, question, resume=True, header=HEADER).done == len(DEALS)
    assert set(question.asked) == set(DEALS[1:3])
    run_batch(tmp_path / "undisturbed.gz", DEALS, Question(), header=HEADER)
    assert path.read_bytes() == (tmp_path / "undisturbed.gz").read_bytes()


class Interrupted(Question):
    def document_of(self, deal):
        if deal == DEALS[5]:
            raise KeyboardInterrupt
        return super().document_of(deal)


def test_an_interrupt_keeps_the_records_of_a_block_that_is_not_full(tmp_path):
    path = tmp_path / "out.gz"
    with pytest.raises(KeyboardInterrupt):
        run_batch(path, DEALS, Interrupted())
    kept = gzip.decompress(path.read_bytes()).count(b"\n")
    assert kept % 3
    run_batch(path, DEALS, Question(), resume=True)
    run_batch(tmp_path / "undisturbed", DEALS, Question())
    assert gzip.decompress(path.read_bytes()) == (tmp_path / "undisturbed").read_bytes()


def test_a_block_that_does_not_fit_on_the_disk_is_taken_back(tmp_path, monkeypatch):
    path = tmp_path / "out.gz"
    run_batch(path, DEALS[:3], Question())
    before = path.read_bytes()
    write = os.write

    def full(descriptor, content):
        write(descriptor, bytes(content[:5]))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoppedError, match="No space left"):
        run_batch(path, DEALS, Question(), resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("first", "then", "complaint"),
    [
        (None, HEADER, "line 1: was written without --compact"),
        (HEADER, None, "line 1: was written with --compact"),
        (HEADER, {**HEADER, "seed": 2}, "line 1: was written with seed 1, and this run has 2"),
        ({**HEADER, "versions": {"numpy": "1"}}, {**HEADER, "versions": {"numpy": "2"}}, "versions: .* numpy '1'"),
    ],
)
def test_another_header_is_refused(tmp_path, first, then, complaint):
    path = tmp_path / "out.gz"
    run_batch(path, DEALS, Question(), header=first)
    before = path.read_bytes()
    with pytest.raises(BatchError, match=complaint):
        run_batch(path, DEALS, Question(), resume=True, header=then)
    assert path.read_bytes() == before


@pytest.fixture(scope="module")
def compact(tmp_path_factory):
    path = tmp_path_factory.mktemp("compact") / "out.jsonl"
    assert run_here(*QUICK, "--output", path).code == 0
    return path.read_bytes()


def test_a_compact_run_as_a_user_sees_it(tmp_path, compact):
    header, *found = records(compact)
    assert (header["rules"]["name"], header["rules"]["weights"]) == ("quintet", [3, 4, 5, 6, 7])
    assert [record["line"] for record in found] == [1, 2, 3, 4, 5]
    assert {record["status"] for record in found} == {"iteration limit"}
    full = records(run_here(*(option for option in QUICK if option != "--compact")).out)
    assert [record["multiplicity"] for record in found] == [record["multiplicity"] for record in full]
    for name in ("out.jsonl", "out.jsonl.gz"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(compact) if name.endswith(".gz") else compact)
        summary = answer_here("batch", path, "--summary")
        assert (summary["done"], summary["status"]) == (5, {"iteration limit": 5})
        assert summary["exploitability"]["worst"] == max(record["exploitability"] for record in full)
        again = run_here(*QUICK, "--output", path, "--resume")
        assert (again.code, again.err) == (0, "quintet: 5 done, 0 failed\n")
    path = tmp_path / "two.jsonl"
    path.write_bytes(b"".join(compact.splitlines(keepends=True)[:3]))
    document = answer_here("verify", path)
    assert {check["name"].split(":")[0] for check in document["checks"]} == {"line 2", "line 3"}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--objective", "win"], "line 1: was written with objective 'margin'"),
        (["--tolerance", "0.1"], "line 1: was written with tolerance"),
        (["--weights", "1,2,3,4,5"], "line 1, rules: was written with weights"),
        (["--timings"], "line 2: was written with timings False"),
    ],
)
def test_other_settings_and_deals_are_refused(tmp_path, compact, options, complaint):
    path = tmp_path / "out.jsonl"
    path.write_bytes(compact)
    run = run_here(*QUICK, *options, "--output", path, "--resume")
    assert (run.code, path.read_bytes()) == (2, compact)
    assert complaint in run.err


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [("removed", "7s 7h 7d 7c 8s 8h 8d", "laid aside, not"), ("multiplicity", 1, "multiplicity 1, not 24")],
)
def test_records_of_other_deals_are_refused(tmp_path, compact, name, value, complaint):
    path = tmp_path / "out.jsonl"
    header, first, *rest = compact.decode().splitlines()
    path.write_text("\n".join([header, json.dumps({**json.loads(first), name: value}), *rest]) + "\n")
    run = run_here(*QUICK, "--output", path, "--resume")
    assert run.code == 2
    assert complaint in run.err
    assert "line 2: was written" in run.err


def test_compact_is_for_equilibria():
    run = run_here("batch", "--sample", "2", "--compact")
    assert (run.code, run.err) == (2, "quintet batch: --compact does not go with --task solve\n")
    for number in ("0", "156249"):
        assert run_here("batch", "--sample", number).code == 2


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--compact"]], ids=["full", "compact"])
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_killed_three_times_and_gone_on_with(tmp_path, name, options):
    """300 deals, SIGKILL to parent and workers at three points, another number of workers: the same bytes."""
    command = ["batch", "--sample", "300", "--task", "equilibrium", *options, "--output"]
    assert quintet(*command, tmp_path / name, "--workers", "1").code == 0
    whole = (tmp_path / name).read_bytes()
    out = tmp_path / f"killed-{name}"
    for least in sorted(np.random.default_rng(3).integers(len(whole) // 10, 7 * len(whole) // 10, 3).tolist()):
        with started(*command, out, "--workers", "2", "--resume") as process:
            wait_until(lambda least=least: out.exists() and out.stat().st_size >= least, 300)
            victims = [process.pid, *children(process.pid)]
            for pid in victims:
                kill(pid, signal.SIGKILL)
            process.wait()
        assert len(out.read_bytes()) < len(whole)
    assert quintet(*command, out, "--workers", "2", "--resume").code == 0
    assert out.read_bytes() == whole
