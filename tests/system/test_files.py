import json
import os
import stat
import subprocess
import sys
import tracemalloc

import pytest

from solver.errors import FileError
from solver.system import files
from solver.system.files import read_json, require_writable, write_whole
from tests.support.command import DROP_RIGHTS, ROOT


def as_ordinary_user(code, *arguments):
    """Run code in a process that may not read and write everything, as root may."""
    code = f"import os, stat, sys, tempfile\nfrom solver.system import files\n{DROP_RIGHTS}\n{code}"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def read_documents(path):
    with files.open_binary(path) as file:
        return files.read_documents(file, path)


# Reading.


@pytest.mark.parametrize(
    ("content", "value"),
    [(b"{}", {}), (b'\xef\xbb\xbf{"a": 1}', {"a": 1}), (b"[1,\r\n2]\r\n", [1, 2]), ('"ж"'.encode(), "ж")],
)
def test_a_json_document_is_read(tmp_path, content, value):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    assert read_json(str(path)) == value


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "not a JSON document"),
        (b"{", "not a JSON document"),
        (b"{} {}", "not a JSON document"),
        (b"As Kd", "not a JSON document"),
        (b"\xff\xfe\x00", r"not UTF-8 text \(byte 1\)"),
        (b"[" * 100_000, "not a JSON document"),
        (b"9" * 5000, "not a JSON document"),
        (bytes(100), "not a JSON document"),
    ],
)
def test_what_is_no_json_is_refused_in_one_line(tmp_path, content, complaint):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    for read in (read_json, read_documents):
        with pytest.raises(FileError, match=rf"a\.json: {complaint}") as raised:
            read(str(path))
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("missing", "No such file"), ("", "Is a directory"), ("a/b", "No such file"), ("x" * 300, "File name too long")],
)
def test_what_cannot_be_read_is_refused(tmp_path, name, complaint):
    with pytest.raises(FileError, match=complaint):
        read_json(str(tmp_path / name))


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(FileError, match="null"):
        read_json("a\0b")


def test_a_file_of_another_user_is_refused(tmp_path):
    path = tmp_path / "secret.json"
    path.write_text("{}")
    path.chmod(0)
    done = as_ordinary_user("files.read_json(sys.argv[1])", path)
    assert "Permission denied" in done.stderr.splitlines()[-1]


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="reads a file that opens and cannot be read")
def test_a_file_that_fails_while_it_is_read_is_refused():
    with pytest.raises(FileError, match=r"^/proc/self/mem: Input/output error$"):
        read_json("/proc/self/mem")


def test_an_endless_file_is_refused(monkeypatch):
    monkeypatch.setattr(files, "LARGEST_INPUT", 1000)
    with pytest.raises(FileError, match="/dev/zero: larger than 1000 bytes"):
        read_json("/dev/zero")


def test_a_file_of_the_largest_size_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST_INPUT", 10)
    path = tmp_path / "a.json"
    path.write_text("[" + " " * 8 + "]")
    assert read_json(str(path)) == []
    path.write_text("[" + " " * 9 + "]")
    with pytest.raises(FileError, match="larger than"):
        read_json(str(path))


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('{\n"a": 1\n}\n', [{"a": 1}]),
        ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        ('\n{"a": 1}\r\n\n{"a": 2}', [{"a": 1}, {"a": 2}]),
    ],
)
def test_documents_come_alone_or_one_a_line(tmp_path, text, documents):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    assert read_documents(str(path)) == documents


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"a": 1}\n{"a": \n{"a": 3}', "line 2: not a JSON document"),
        ('{"a": 1}\n\n[1]\n', "expected a JSON object, not list"),
        ("3", "expected a JSON object, not int"),
        ('{"a": 1}\nrubbish', "line 2: not a JSON document"),
    ],
)
def test_a_broken_line_is_named(tmp_path, text, complaint):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(FileError, match=complaint):
        read_documents(str(path))


def test_millions_of_short_lines_take_little_memory(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    path.write_text("a\n" * 10**5)
    monkeypatch.setattr(files, "LARGEST_INPUT", 10**6)
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match="not a JSON document"):
            read_documents(str(path))
        assert tracemalloc.get_traced_memory()[1] < 3 * 10**6
    finally:
        tracemalloc.stop()


# Writing.


def test_a_new_file_is_whole_and_has_the_usual_mode(tmp_path):
    path = tmp_path / "out.json"
    write_whole(str(path), "карты\n")
    assert path.read_bytes() == "карты\n".encode()
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert os.listdir(tmp_path) == ["out.json"]


def test_an_old_file_is_replaced_and_keeps_its_mode(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("a much longer old text")
    path.chmod(0o640)
    write_whole(str(path), "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target.json", tmp_path / "link.json"
    link.symlink_to(target)
    for text in ("first", "second"):
        write_whole(str(link), text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_device_is_written_to_directly():
    write_whole("/dev/null", "nothing")
    with pytest.raises(OSError, match=r"No space left.*: '/dev/full'"):
        write_whole("/dev/full", "something")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "out.json"
    path.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left.*: '.*/out\.json'"):
        write_whole(str(path), "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_an_interrupt_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "out.json"
    path.write_text("old")

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(str(path), "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_what_can_be_written_is_not_refused_and_not_touched(tmp_path):
    old, new, link = tmp_path / "old", tmp_path / "new", tmp_path / "link"
    old.write_text("old")
    link.symlink_to(new)
    for path in (old, new, link, "/dev/null", "/dev/full", "no-folder-given"):
        require_writable(str(path))
    assert old.read_text() == "old"
    assert not new.exists()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "is a folder, expected a file"),
        ("file/below", "Not a directory"),
        ("missing/out", "its folder does not exist"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, name, complaint):
    (tmp_path / "file").write_text("a file")
    with pytest.raises(FileError, match=complaint):
        require_writable(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "refused"), [("locked/new", True), ("locked/old", True), ("open/old", True), ("open/new", False)]
)
def test_where_no_permission_is_given_nothing_is_written(name, refused):
    # Not below the temporary folder of pytest, which others may not enter.
    script = """
folder = tempfile.mkdtemp()
for name, mode in (("open", 0o700), ("locked", 0o500)):
    os.mkdir(f"{folder}/{name}")
    with open(f"{folder}/{name}/old", "w") as file:
        file.write("old")
    os.chmod(f"{folder}/{name}/old", 0o600 if name == "locked" else 0o400)
    os.chmod(f"{folder}/{name}", mode)
try:
    files.require_writable(f"{folder}/{sys.argv[1]}")
except files.FileError as error:
    print(error)
os.chmod(f"{folder}/locked", 0o700)
for name in ("open", "locked"):
    os.unlink(f"{folder}/{name}/old")
    os.rmdir(f"{folder}/{name}")
os.rmdir(folder)
"""
    done = as_ordinary_user(script, name)
    assert done.stderr == ""
    assert done.stdout.endswith("no permission to write\n") == refused


def test_json_that_was_written_reads_back(tmp_path):
    path = tmp_path / "out.json"
    document = {"text": "ж\u2028", "numbers": [1, 0.1, 2**60]}
    write_whole(str(path), json.dumps(document))
    assert read_json(str(path)) == document
