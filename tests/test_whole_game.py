"""The tables of a run over the whole game say what its records say."""

import csv
import gzip
import hashlib
import json

import pytest

from benchmarks import whole_game
from solver.batch.canonical_deals import SampledDeals
from solver.batch.record import RecordMaker
from solver.game.deal import Deal
from solver.results.tasks import CompactEquilibriumTask, EquilibriumTask
from solver.system.json_document import to_json


@pytest.fixture(scope="module")
def lines():
    task = EquilibriumTask(tolerance=0.01)
    maker = RecordMaker(CompactEquilibriumTask(task), header=task.compact_header)
    return [to_json(maker.header, indent=None), *(maker(item).line for item in SampledDeals(7, 5))]


def made(tmp_path, monkeypatch, lines, *options):
    monkeypatch.setattr(whole_game.write_parts, "__defaults__", (3,))
    path = tmp_path / "out.jsonl.gz"
    path.write_bytes(gzip.compress("".join(line + "\n" for line in lines).encode()))
    whole_game.main([str(path), "--folder", str(tmp_path / "tables"), *options])
    return json.loads((tmp_path / "tables" / "run.json").read_text())


def test_tables_and_figures_are_those_of_the_records(tmp_path, monkeypatch, lines, capsys):
    run = made(tmp_path, monkeypatch, lines, "--commit", "abc", "--hours", "1.5", "--verify", "2")
    records = [json.loads(line) for line in lines[1:]]
    rows = []
    for part in run["parts"]:
        content = gzip.decompress((tmp_path / "tables" / part["file"]).read_bytes())
        assert hashlib.sha256(content).hexdigest() == part["sha256"]
        table = list(csv.DictReader(content.decode().splitlines()))
        assert len(table) == part["rows"]
        rows += table
    assert [part["rows"] for part in run["parts"]] == [3, 3, 1]
    for row, record in zip(rows, records, strict=True):
        assert [int(row["line"]), row["removed"], row["status"]] == [record["line"], record["removed"], "converged"]
        assert int(row["multiplicity"]) == Deal.from_removed(row["removed"]).multiplicity
        assert int(row["support"]) == len(record["weights"])
        assert row["exploitability"] == record["exploitability_exact"]
        assert int(row["partitions"]) == record["undominated_partitions"]
    assert (run["records"], run["complete"], run["not_converged"]) == (7, False, [])
    assert run["deals"] == sum(int(row["multiplicity"]) for row in rows)
    assert run["support"]["median"] == sorted(int(row["support"]) for row in rows)[3]
    assert run["output"] == {
        "lines": 8,
        "sha256": hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest(),
    }
    assert (run["commit"], run["hours"], run["tolerance"]) == ("abc", 1.5, 0.01)
    assert run["verified"] == {"records": 2, "seed": 0, "claims": 26, "do_not_hold": []}
    assert json.loads(capsys.readouterr().out)["records"] == 7


def test_a_record_that_is_not_true_is_named(tmp_path, monkeypatch, lines):
    false = json.loads(lines[3])
    false["undominated_partitions"] += 1
    run = made(tmp_path, monkeypatch, [*lines[:3], json.dumps(false), *lines[4:]], "--verify", "7")
    assert run["verified"]["do_not_hold"] == ["line 3: undominated_partitions"]


def test_other_files_are_refused(tmp_path, monkeypatch, lines):
    with pytest.raises(SystemExit, match="expected compact records"):
        made(tmp_path, monkeypatch, lines[1:])
    with pytest.raises(SystemExit, match="line 3: an error record"):
        made(tmp_path, monkeypatch, [*lines[:2], '{"schema": "quintet.error/1", "id": 2, "line": 2, "error": "x"}'])
