"""The output file of a batch: what a crash can leave of it, its lock, and its replacement."""

import os
import subprocess
import sys

import pytest

from solver.errors import BatchError, FileError, StoppedError
from solver.system import record_file
from solver.system.file_lock import locked
from solver.system.record_file import RecordFile, read_records, replacement
from tests.support.command import ROOT

WHOLE = b'{"id": 1}\n{"id": 2}\n'


def written(tmp_path, content):
    path = tmp_path / "out.jsonl"
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b"\n",
        b"\n\r\n  \n",
        b'{"id": 3, "val',
        b'{"id": 3, "val\n',
        b'{"id": 3, "val\n\n',
        b'{"id": 3}',
        b"{",
        b"\0\0\0\0",
        b'{"id": \0\0\0',
        b'{"id": "\xd0',
    ],
)
def test_what_a_crash_leaves_at_the_end_is_passed_over(tmp_path, rest):
    records = list(read_records(written(tmp_path, WHOLE + rest)))
    assert [(record.number, record.document, record.end) for record in records] == [
        (1, {"id": 1}, 10),
        (2, {"id": 2}, 20),
    ]


def test_every_cut_of_a_file_leaves_the_whole_records(tmp_path):
    for length in range(len(WHOLE) + 1):
        records = list(read_records(written(tmp_path, WHOLE[:length])))
        assert len(records) == length // 10
        assert [record.end for record in records] == [10, 20][: length // 10]


@pytest.mark.parametrize(
    ("content", "number"),
    [
        (b'{"id": 1}\n{"id": 2, "val\n{"id": 3}\n', 2),
        (b'{"id": 1}\n{"id": 2, "val\n{"id": 3, "val', 2),
        (b'{"id": 1}\n\n{"id": 3}\n', 2),
        (b'{"id": 1}\n\n\n{"id": 3', 2),
        (b'{"id": 1}{"id": 2}\n{"id": 3}\n', 1),
        (b'{"id": 1}\n[2]\n{"id": 3}\n', 2),
        (b"\0\0\n" + WHOLE, 1),
        (b'{"id": \xff}\n' + WHOLE, 1),
        # The rest of no record: some other file, which must not be cut.
        (b"dear diary", 1),
        (WHOLE + b"null\n", 3),
        (WHOLE + b"1 2 3", 3),
        (WHOLE + b"\xef\xbb\xbf", 3),
        (WHOLE + b'{"id": %s}\n' % (b"9" * 5000), 3),
        (WHOLE + b'{"id": %s1%s}\n' % (b"[" * 5000, b"]" * 5000), 3),
    ],
)
def test_a_broken_line_elsewhere_is_refused_with_its_number(tmp_path, content, number):
    with pytest.raises(BatchError, match=f"out.jsonl, line {number}: is "):
        list(read_records(written(tmp_path, content)))


def test_an_endless_line_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(record_file, "LARGEST_INPUT", 10)
    assert len(list(read_records(written(tmp_path, WHOLE)))) == 2
    for path, number in ((written(tmp_path, WHOLE + b'{"id": 10}\n'), 3), ("/dev/zero", 1)):
        with pytest.raises(BatchError, match=f"line {number}: is longer than 10 bytes"):
            list(read_records(path))


def test_line_ends_of_an_editor_do_not_matter(tmp_path):
    records = list(read_records(written(tmp_path, WHOLE.replace(b"\n", b"\r\n"))))
    assert [(record.line, record.end) for record in records] == [('{"id": 1}', 11), ('{"id": 2}', 22)]


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        list(read_records(str(tmp_path / "missing")))


def test_records_go_behind_the_whole_ones_and_are_synced_one_by_one(tmp_path, monkeypatch):
    path = written(tmp_path, WHOLE + b'{"id": 3, "val')
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.path.getsize(path)))
    with RecordFile(path, 20) as file:
        assert synced == [20, 20], "the cut, and the folder"
        file.append('{"id": 3}')
        file.append('{"id": 4}')
    assert synced[2:] == [30, 40]
    assert (tmp_path / "out.jsonl").read_bytes() == WHOLE + b'{"id": 3}\n{"id": 4}\n'


@pytest.mark.parametrize("short", [0, 1, 5])
def test_a_record_that_does_not_fit_is_taken_back(tmp_path, monkeypatch, short):
    path = written(tmp_path, WHOLE)
    write = os.write

    def full(descriptor, content):
        if write(descriptor, bytes(content[:short])) == 0:
            raise OSError(28, "No space left on device")
        monkeypatch.setattr(os, "write", no_space)
        return short

    def no_space(descriptor, content):
        raise OSError(28, "No space left on device")

    with RecordFile(path, 20) as file:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(StoppedError, match=r"out\.jsonl: No space left on device$"):
            file.append('{"id": 3}')
    assert (tmp_path / "out.jsonl").read_bytes() == WHOLE


def test_a_record_written_in_pieces_is_whole(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, bytes(content[:3])))
    path = written(tmp_path, b"")
    with RecordFile(path, 0) as file:
        file.append('{"id": 1}')
        file.append('{"id": 2}')
    assert (tmp_path / "out.jsonl").read_bytes() == WHOLE


def test_a_record_that_cannot_be_synced_is_taken_back(tmp_path, monkeypatch):
    path = written(tmp_path, WHOLE)

    def broken(descriptor):
        raise OSError(5, "Input/output error")

    with RecordFile(path, 20) as file:
        monkeypatch.setattr(os, "fsync", broken)
        with pytest.raises(StoppedError, match="Input/output error"):
            file.append('{"id": 3}')
    assert (tmp_path / "out.jsonl").read_bytes() == WHOLE


def test_a_replacement_is_whole_keeps_the_mode_and_leaves_nothing(tmp_path):
    path = written(tmp_path, WHOLE)
    os.chmod(path, 0o640)
    (tmp_path / ".out.jsonl.resumed").write_bytes(b"what a killed run has left, longer than the new content")
    with replacement(path) as file:
        file.write(b'{"id": 1}\n')
        assert (tmp_path / "out.jsonl").read_bytes() == WHOLE
    assert (tmp_path / "out.jsonl").read_bytes() == b'{"id": 1}\n'
    assert os.stat(path).st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out.jsonl"]


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError(28, "No space left on device"), StoppedError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (ValueError(), ValueError),
    ],
)
def test_a_replacement_that_fails_leaves_the_file_as_it_was(tmp_path, error, raised):
    path = written(tmp_path, WHOLE)
    with pytest.raises(raised), replacement(path) as file:  # noqa: PT012
        file.write(b'{"id": 1}\n')
        raise error
    assert (tmp_path / "out.jsonl").read_bytes() == WHOLE
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_a_replacement_is_synced_before_it_takes_the_place(tmp_path, monkeypatch):
    path = written(tmp_path, WHOLE)
    events = []
    replace = os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: events.append("sync"))
    monkeypatch.setattr(os, "replace", lambda *names: (events.append("replace"), replace(*names)))
    with replacement(path) as file:
        file.write(b'{"id": 1}\n')
    assert events == ["sync", "replace", "sync"]


def test_a_lock_is_held_once_and_leaves_nothing(tmp_path):
    path = str(tmp_path / "out.jsonl")
    for _ in range(2):
        with locked(path):
            with pytest.raises(StoppedError, match=r"out\.jsonl: another run is writing to it"), locked(path):
                pass
            assert os.listdir(tmp_path) == ["out.jsonl.lock"]
        assert os.listdir(tmp_path) == []


def test_a_lock_ends_with_its_process_however_that_ends(tmp_path):
    path = str(tmp_path / "out.jsonl")
    code = f"from solver.system.file_lock import locked\nwith locked({path!r}):\n print(flush=True)\n input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        process.stdout.readline()
        with pytest.raises(StoppedError), locked(path):
            pass
        process.kill()
        process.wait()
        with locked(path):
            pass


def test_a_lock_that_its_holder_has_just_removed_is_not_taken_for_one(tmp_path, monkeypatch):
    """Another run opens the lock file, and before it locks it the holder ends and a third run begins."""
    path = str(tmp_path / "out.jsonl")
    opened = os.open
    third = []

    def late(name, *rest):
        descriptor = opened(name, *rest)
        if not third:
            os.unlink(name)
            third.append(locked(path))
            third[0].__enter__()
        return descriptor

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(StoppedError), locked(path):
        pass
    third[0].__exit__(None, None, None)


def test_a_lock_whose_holder_has_just_ended_is_made_anew(tmp_path, monkeypatch):
    path = str(tmp_path / "out.jsonl")
    opened, names = os.open, []

    def late(name, *rest):
        descriptor = opened(name, *rest)
        if not names:
            os.unlink(name)
        names.append(name)
        return descriptor

    monkeypatch.setattr(os, "open", late)
    with locked(path):
        assert names == [f"{path}.lock"] * 2
        with pytest.raises(StoppedError), locked(path):
            pass


def test_the_folder_of_a_bare_name_is_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with RecordFile("out.jsonl", 0) as file:
        file.append("{}")
    assert (tmp_path / "out.jsonl").read_bytes() == b"{}\n"
