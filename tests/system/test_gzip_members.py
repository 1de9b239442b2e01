"""Files of gzip members: what is whole of them, whatever ended their writing."""

import gzip

import pytest

from solver.errors import FileError
from solver.system import gzip_members
from solver.system.gzip_members import compressed, members

CONTENTS = [b"one\ntwo\n", b"", b"three\n" * 50]
MEMBERS = [compressed(content) for content in CONTENTS]
ENDS = [len(b"".join(MEMBERS[: count + 1])) for count in range(3)]


def read(path, content):
    path.write_bytes(content)
    with path.open("rb") as file:
        return list(members(file, "out.gz"))


def test_every_cut_leaves_the_whole_members(tmp_path):
    whole = b"".join(MEMBERS)
    assert gzip.decompress(whole) == b"".join(CONTENTS)
    for length in range(len(whole) + 1):
        found = read(tmp_path / "out.gz", whole[:length])
        assert found == [pair for pair in zip(CONTENTS, ENDS, strict=True) if pair[1] <= length]


def test_zeros_in_place_of_what_was_not_written_are_passed_over(tmp_path):
    for length in range(ENDS[1], ENDS[2] - 8):
        assert len(read(tmp_path / "out.gz", b"".join(MEMBERS)[:length] + bytes(5000))) == 2, length


def test_small_reads_change_nothing(tmp_path, monkeypatch):
    whole = read(tmp_path / "out.gz", b"".join(MEMBERS))
    monkeypatch.setattr(gzip_members, "_CHUNK", 3)
    assert read(tmp_path / "out.gz", b"".join(MEMBERS)) == whole


@pytest.mark.parametrize("rest", [b"\x1f\x8b\x08\0damaged", b"rubbish", b"\0\0rubbish"])
def test_damage_is_named(tmp_path, rest):
    with pytest.raises(FileError, match=f"out.gz: damaged after byte {ENDS[0]} of the gzip file"):
        read(tmp_path / "out.gz", MEMBERS[0] + rest + MEMBERS[2])


def test_a_member_without_bounds_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(gzip_members, "LARGEST_MEMBER", 100)
    with pytest.raises(FileError, match="more than 100 bytes of content"):
        read(tmp_path / "out.gz", b"".join(MEMBERS))
