"""Batch runs with an instant question: order, bounded memory, and going on after whatever happened to the output."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import nullcontext

import pytest

from solver.batch.dask_pool import DaskPool
from solver.batch.deal_sources import Item
from solver.batch.ordering import ordered_records
from solver.batch.record import Record, RecordMaker
from solver.batch.resume import retried
from solver.batch.run import Batch, BatchCounts
from solver.errors import BatchError, InternalError, LimitReached, StoppedError
from solver.system.file_lock import locked
from tests.support.batch_doubles import DEALS, BackwardPool, Items, Question, run_batch
from tests.support.command import ROOT, environment, strict_json

ENTRIES = [*DEALS[:2], "bad", *DEALS[2:]]


@pytest.fixture
def no_sync(monkeypatch):
    """Spare the disk where many files are written."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def whole(tmp_path):
    """The bytes of an undisturbed run."""
    path = tmp_path / "undisturbed"
    run_batch(path, ENTRIES, Question())
    return path.read_bytes()


def fresh(tmp_path, content):
    path = tmp_path / "out.jsonl"
    path.write_bytes(content)
    return path


def test_records_come_in_input_order_one_a_line(whole):
    records = [strict_json(line) for line in whole.decode("ascii").splitlines()]
    assert [record["line"] for record in records] == [record["id"] for record in records] == list(range(1, 8))
    assert [list(record)[:3] for record in records] == [["schema", "id", "line"]] * 7
    assert [record.get("deal", {}).get("cards") for record in records] == [
        None if isinstance(entry, str) else entry.text() for entry in ENTRIES
    ]
    assert records[2] == {"schema": "quintet.error/1", "id": 3, "line": 3, "error": "bad"}


def test_the_counts_are_of_results_and_error_records(tmp_path):
    assert run_batch(tmp_path / "out", ENTRIES, Question(refused={DEALS[5]})) == BatchCounts(done=5, failed=2)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (LimitReached("too late"), "too late"),
        (InternalError("it does not add up"), "internal error: it does not add up"),
        (MemoryError(), "out of memory"),
        (KeyError("x"), "internal error: KeyError: 'x'"),
    ],
)
def test_whatever_goes_wrong_with_a_deal_makes_one_error_record(monkeypatch, error, text):
    def fail(self, deal):
        raise error

    monkeypatch.setattr(Question, "document_of", fail)
    record = RecordMaker(Question())(Item(7, "seven", DEALS[0]))
    assert record.failed
    assert json.loads(record.line) == {"schema": "quintet.error/1", "id": "seven", "line": 7, "error": text}


def test_timings_are_there_when_asked_for():
    assert "timings" not in json.loads(RecordMaker(Question())(Item(1, 1, DEALS[0])).line)
    timings = json.loads(RecordMaker(Question(), timed=True)(Item(1, 1, DEALS[0])).line)["timings"]
    assert timings["seconds"] >= 0


def test_no_more_than_the_window_is_read_ahead():
    maker = RecordMaker(Question())
    pool = BackwardPool(maker, room=2, window=5)
    read = []

    def entries():
        for number in range(100):
            read.append(number)
            yield Record("bad", failed=True) if number % 3 else Item(number, number, DEALS[0])

    for given, _ in enumerate(ordered_records(entries(), pool)):
        assert len(read) <= given + 1 + pool.window
        assert len(pool.jobs) <= pool.room
    assert given == 99


def test_a_slow_deal_holds_up_only_the_records():
    """While the first deal is being worked on, the others are done until the window is full."""
    maker = RecordMaker(Question())

    class SlowFirst(BackwardPool):
        def finished(self, *, wait):
            ready = [ticket for ticket in self.jobs if ticket > 0] or ([0] if wait else [])
            return [(ticket, self.maker(self.jobs.pop(ticket))) for ticket in ready]

    records = ordered_records(Items(DEALS), SlowFirst(maker, room=2, window=5))
    assert json.loads(next(records).line)["line"] == 1
    assert len(maker.task.asked) == 5
    assert len(list(records)) == 5


def test_existing_output_is_refused(tmp_path, whole):
    path = fresh(tmp_path, whole)
    with pytest.raises(BatchError, match=r"exists already; --resume"):
        run_batch(path, ENTRIES, Question())
    assert path.read_bytes() == whole
    assert not os.path.exists(f"{path}.lock")


def test_the_lock_is_tested_first(tmp_path, whole):
    path = fresh(tmp_path, whole)
    with locked(str(path)), pytest.raises(StoppedError, match="another run"):
        run_batch(path, ENTRIES, Question())


def test_output_through_a_link_is_the_file_behind_it(tmp_path, whole):
    path = fresh(tmp_path, whole[:700])
    (tmp_path / "link").symlink_to(path)
    with locked(str(path)), pytest.raises(StoppedError):
        run_batch(tmp_path / "link", ENTRIES, Question(), resume=True)
    run_batch(tmp_path / "link", ENTRIES, Question(), resume=True)
    assert path.read_bytes() == whole
    assert (tmp_path / "link").is_symlink()


def test_a_device_is_written_to_as_it_is(tmp_path):
    assert run_batch("/dev/null", ENTRIES, Question()) == BatchCounts(6, 1)


def test_a_run_that_never_began_is_begun(tmp_path, whole):
    path = tmp_path / "out.jsonl"
    run_batch(path, ENTRIES, Question(), resume=True)
    assert path.read_bytes() == whole


def test_a_file_cut_at_any_byte_is_completed_to_the_same_bytes(tmp_path, no_sync):
    entries = DEALS[:3]
    path = tmp_path / "undisturbed"
    run_batch(path, entries, Question())
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path = fresh(tmp_path, whole[:length])
        question = Question()
        assert run_batch(path, entries, question, resume=True) == BatchCounts(3, 0)
        assert path.read_bytes() == whole
        assert Counter(question.asked) == Counter(entries[whole[:length].count(b"\n") :]), "none is done twice"


def test_error_records_are_tried_again_first_and_the_rest_is_kept(tmp_path):
    path = tmp_path / "out.jsonl"
    refusing = Question(refused={DEALS[1], DEALS[4]})
    run_batch(path, DEALS[:5], refusing)
    with path.open("ab") as file:
        file.write(b'{"schema": "quintet.so')
    inode = os.stat(path).st_ino
    question = Question()
    assert run_batch(path, DEALS, question, resume=True) == BatchCounts(6, 0)
    assert Counter(question.asked) == Counter([DEALS[1], DEALS[4], DEALS[5]])
    assert os.stat(path).st_ino != inode, "the file was replaced whole"
    run_batch(tmp_path / "undisturbed", DEALS, Question())
    assert path.read_bytes() == (tmp_path / "undisturbed").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["out.jsonl", "undisturbed"]


def test_a_bad_deal_that_has_been_mended_is_done(tmp_path):
    path = tmp_path / "out.jsonl"
    run_batch(path, [DEALS[0], "bad", DEALS[2]], Question())
    assert run_batch(path, DEALS[:3], Question(), resume=True) == BatchCounts(3, 0)
    run_batch(tmp_path / "undisturbed", DEALS[:3], Question())
    assert path.read_bytes() == (tmp_path / "undisturbed").read_bytes()


def test_a_bad_deal_stays_an_error_record(tmp_path, whole):
    path = fresh(tmp_path, whole)
    assert run_batch(path, ENTRIES, Question(), resume=True) == BatchCounts(6, 1)
    assert path.read_bytes() == whole


def test_a_record_in_the_letters_of_an_editor_is_kept(tmp_path, whole):
    path = fresh(tmp_path, whole.replace(b'"optimal"', '"лучшее"'.encode(), 1))
    edited = path.read_bytes()
    assert run_batch(path, ENTRIES, Question(), resume=True) == BatchCounts(6, 1)
    assert path.read_bytes() == edited


def test_a_finished_run_has_nothing_to_do(tmp_path):
    path = tmp_path / "out.jsonl"
    run_batch(path, DEALS, Question())
    question = Question()
    assert run_batch(path, DEALS, question, resume=True) == BatchCounts(6, 0)
    assert question.asked == []


def test_more_deals_may_follow(tmp_path):
    path = tmp_path / "out.jsonl"
    run_batch(path, DEALS[:2], Question())
    assert run_batch(path, DEALS, Question(), resume=True) == BatchCounts(6, 0)


def test_wanted_repeats_are_all_done(tmp_path):
    path = tmp_path / "out.jsonl"
    question = Question()
    run_batch(path, [DEALS[0]], question)
    run_batch(path, [DEALS[0], DEALS[1], DEALS[0]], question, resume=True)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [record["id"] for record in records] == [1, 2, 3]
    assert records[0]["deal"] == records[2]["deal"]
    assert Counter(question.asked) == Counter([DEALS[0], DEALS[1], DEALS[0]])


@pytest.mark.parametrize(
    ("entries", "question", "timed", "message"),
    [
        (ENTRIES, Question(setting=2), False, "line 1: was written with seed 1, and this run has 2"),
        (ENTRIES, Question(), True, "line 1: was written with timings False, and this run has True"),
        (ENTRIES[:4], Question(), False, "line 5: the input has only 4 deals"),
        ([DEALS[3], *ENTRIES[1:]], Question(), False, "line 1: was written for the deal '"),
        (
            [*ENTRIES[:6], "worse"],
            Question(),
            False,
            "line 7: was written for a good deal, but line 7 of the input: worse",
        ),
        (["", *ENTRIES], Question(), False, "line 1: was written for a good deal"),
    ],
)
def test_another_run_is_refused_naming_the_difference(tmp_path, whole, entries, question, timed, message):
    path = fresh(tmp_path, whole)
    with pytest.raises(BatchError) as refusal:
        run_batch(path, entries, question, resume=True, timed=timed)
    assert message in str(refusal.value)
    assert path.read_bytes() == whole, "nothing was changed"
    assert question.asked == []


def test_other_lines_and_other_names_are_refused(tmp_path, whole):
    class Renamed(Items):
        def __iter__(self):
            for item in super().__iter__():
                yield Item(item.line, "x" if item.line == 2 else item.id, item.deal, item.error)

    class Moved(Items):
        def __iter__(self):
            for item in super().__iter__():
                yield Item(item.line + (item.line > 3), item.id, item.deal, item.error)

    path = fresh(tmp_path, whole)
    with pytest.raises(BatchError, match="line 2: was written for id 2, not 'x'"):
        run_batch(path, Renamed(ENTRIES), Question(), resume=True)
    with pytest.raises(BatchError, match="line 4: was written for line 4 of the input, not 5"):
        run_batch(path, Moved(ENTRIES), Question(), resume=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": 3}\n', "line 1: was written for line None"),
        (b'{"line": 1}\n', "line 1: was written with schema None"),
        (b'{"schema": "quintet.solve/1", "line": 1, "seed": 1}\n', "line 1: was written for id None"),
        (b'{"schema": "quintet.solve/1", "line": 1, "seed": 1, "id": 1}\n', "line 1: was written for the deal None"),
        (b"dear diary\n", "line 1: is no record"),
    ],
)
def test_some_other_file_is_refused_untouched(tmp_path, content, message):
    path = fresh(tmp_path, content)
    with pytest.raises(BatchError, match=message):
        run_batch(path, ENTRIES, Question(), resume=True)
    assert path.read_bytes() == content


def test_deals_that_can_be_read_only_once_cannot_be_resumed(tmp_path, whole):
    class Once(Items):
        def count(self):
            return None

    with pytest.raises(BatchError, match="more than once"):
        run_batch(fresh(tmp_path, whole), Once(ENTRIES), Question(), resume=True)


def test_no_pool_is_opened_for_output_that_is_refused(tmp_path, whole):
    def open_pool():
        raise AssertionError("opened")

    batch = Batch(Items(ENTRIES), RecordMaker(Question()), open_pool, lambda counts: None)
    with pytest.raises(BatchError):
        batch.write_file(str(fresh(tmp_path, whole)), BatchCounts())
    with pytest.raises(BatchError):
        batch.write_file(str(fresh(tmp_path, b"x")), BatchCounts(), resume=True)


def test_an_interrupt_while_error_records_are_tried_again_changes_nothing(tmp_path, whole):
    path = fresh(tmp_path, whole)

    def interrupt(counts):
        raise KeyboardInterrupt

    maker = RecordMaker(Question())
    batch = Batch(Items(ENTRIES), maker, lambda: nullcontext(BackwardPool(maker)), interrupt)
    with pytest.raises(KeyboardInterrupt):
        batch.write_file(str(path), BatchCounts(), resume=True)
    assert path.read_bytes() == whole
    assert sorted(os.listdir(tmp_path)) == ["out.jsonl", "undisturbed"]


def test_a_death_at_any_system_call_loses_nothing(tmp_path):
    """Every call that touches the disk is the last one once, and halfway through for those that write."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.crash_points", str(tmp_path)],
        cwd=ROOT,
        env=environment({"OPENBLAS_NUM_THREADS": "1"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 80


def test_an_input_that_has_lost_deals_while_it_was_read_is_refused(tmp_path):
    path = tmp_path / "out.jsonl"
    run_batch(path, DEALS, Question())
    with pytest.raises(BatchError, match=r"out\.jsonl, line 3: the input has changed while it was read"):
        list(retried(str(path), Items(DEALS[:2]), RecordMaker(Question())))


def test_without_dask_there_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BatchError, match="--dask needs the dask extra"), DaskPool("tcp://127.0.0.1:1", str, str):
        pass
