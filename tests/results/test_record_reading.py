"""Saved results are read from whatever file holds them."""

import gzip
import json

import pytest

from solver.errors import FileError, ResultError
from solver.results.record_reading import SavedRecord, saved_records
from solver.results.tasks import CompactEquilibriumTask, EquilibriumTask
from tests.support.extreme_deals import EXTREME_DEALS

RECORDS = [{"schema": "quintet.solve/1", "line": line} for line in (1, 2, 3)]
HEADER = {"schema": "quintet.equilibrium_compact_header/1"}
CUT = '{"schema": "quin'


def lines(*documents):
    return "".join(json.dumps(document) + "\n" for document in documents)


def read(tmp_path, content, name="out.jsonl"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(saved_records(str(path)))


def test_one_document_over_many_lines_or_one(tmp_path):
    document = {"schema": "quintet.solve/1", "seed": 0}
    for text in (json.dumps(document, indent=2), json.dumps(document), json.dumps(document) + "\n\n"):
        assert read(tmp_path, text) == read(tmp_path, "\ufeff" + text) == [SavedRecord(None, document)]


def test_records_with_their_lines(tmp_path):
    expected = [SavedRecord(number, record) for number, record in enumerate(RECORDS, 1)]
    assert read(tmp_path, lines(*RECORDS)) == expected
    assert read(tmp_path, lines(*RECORDS).rstrip("\n")) == expected
    assert read(tmp_path, lines(RECORDS[0])) == expected[:1]
    assert read(tmp_path, lines(RECORDS[0]) + "\n \r\n" + lines(RECORDS[1])) == [
        expected[0],
        SavedRecord(4, RECORDS[1]),
    ]
    assert read(tmp_path, gzip.compress(lines(*RECORDS).encode()), "out.jsonl.gz") == expected


def test_the_header_is_no_result(tmp_path):
    assert read(tmp_path, lines(HEADER)) == []
    assert read(tmp_path, lines(HEADER, *RECORDS)) == [SavedRecord(i + 2, RECORDS[i], HEADER) for i in range(3)]


def test_a_cut_off_end_is_a_record_without_content(tmp_path):
    assert read(tmp_path, lines(*RECORDS) + CUT)[-1] == SavedRecord(4, None)
    assert read(tmp_path, lines(HEADER) + CUT) == [SavedRecord(2, None, HEADER)]
    blocks = [gzip.compress(lines(record).encode()) for record in RECORDS]
    assert read(tmp_path, b"".join(blocks)[:-5], "out.jsonl.gz")[-2:] == [
        SavedRecord(2, RECORDS[1]),
        SavedRecord(3, None),
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (lines(RECORDS[0]) + CUT + "\n" + lines(RECORDS[1]), "line 2: not a JSON document"),
        (lines(RECORDS[0]) + "rubbish", "line 2: not a JSON document"),
        (lines(RECORDS[0]) + "[1]\n", "line 2: not a JSON document"),
        ("[1]\n", "expected a JSON object"),
        ("", "not a JSON document"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path, content, complaint):
    with pytest.raises(FileError, match=complaint):
        read(tmp_path, content)


def test_a_compressed_file_without_a_whole_block_says_so(tmp_path):
    with pytest.raises(FileError, match="holds no whole block"):
        read(tmp_path, gzip.compress(lines(*RECORDS).encode())[:-9], "out.jsonl.gz")


def test_compact_records_become_documents(tmp_path):
    task, deal = EquilibriumTask(max_iterations=1), EXTREME_DEALS[0].deal
    record = {**CompactEquilibriumTask(task).document_of(deal), "id": "a", "line": 1}
    (saved,) = read(tmp_path, lines(task.compact_header, record))
    document = task.document_of(deal)
    assert saved.document() == {"schema": document["schema"], "id": "a", "line": 1, **document}
    with pytest.raises(ResultError, match="'rules' is missing"):
        read(tmp_path, lines(record))[0].document()
