"""Every study runs on tiny instances; what it asserts about answers is asserted here, times are not."""

import importlib
import math
from importlib.util import find_spec

import pytest

from benchmarks.deals.instance_sets import instances
from benchmarks.reporting import headline, result_files, write_up
from benchmarks.reporting.summary import ABSENT, Summary, percentile, seconds_of
from benchmarks.reporting.tables import markdown_rows, seconds_text
from benchmarks.reporting.targets import TARGETS
from benchmarks.run import STUDIES, run_studies
from solver.batch.deal_sources import INSTANCES, instance_file
from solver.dominance.partitions import undominated_partitions
from solver.game.deal import random_deals
from tests.support.extreme_deals import EXTREME_DEALS

# What peers say on being imported is theirs to mend.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_runs_and_is_written_up(name, tmp_path):
    module = importlib.import_module(f"benchmarks.studies.{name}")
    records = module.run("tiny")
    assert records
    assert all({"group", "contestant", "status"} <= record.keys() for record in records)
    assert not [record for record in records if "error" in record]

    path = result_files.new_file("tiny", "tiny", tmp_path)
    result_files.append(path, name, records, {"seconds": 1.0})
    saved = result_files.read(path).records[name]
    tables = "".join(table.markdown() for table in module.tables(saved))
    assert tables == "".join(table.markdown() for table in module.tables(records))
    assert all(record["contestant"] in tables for record in records)

    text = write_up.render(path)
    assert path.with_suffix(".md").read_text(encoding="utf-8") == text
    assert module.TITLE in text
    assert tables.splitlines()[0] in text
    targets = [target for target in TARGETS if target.study == name]
    lines = [line for line in text.splitlines() if line.startswith(tuple(f"| {target.what} |" for target in targets))]
    assert len(lines) == len(targets)
    assert not [line for line in lines if "not measured" in line]

    figures = module.figures(saved)
    assert figures
    if find_spec("matplotlib"):
        assert sorted(each.name for each in path.with_suffix("").iterdir()) == sorted(f"{f.name}.png" for f in figures)
    else:
        assert "matplotlib is absent" in text


def test_every_target_belongs_to_a_study():
    assert {target.study for target in TARGETS} <= set(STUDIES)


def test_a_study_that_fails_is_written_down_and_the_others_go_on(tmp_path, capsys):
    assert not run_studies(["partitions", "evaluator"], "no such size", "broken", tmp_path)
    (path,) = tmp_path.glob("*.jsonl")
    saved = result_files.read(path)
    assert list(saved.studies) == ["partitions", "evaluator"]
    assert all("KeyError" in end["error"] for end in saved.studies.values())
    assert not saved.records
    assert "Ended by an error" in capsys.readouterr().out


def test_result_files_are_never_overwritten(tmp_path):
    paths = [result_files.new_file("same", "tiny", tmp_path) for _ in range(3)]
    assert len(set(paths)) == 3
    head = result_files.read(paths[0]).head
    assert {"machine", "versions", "commit", "modified", "date"} <= head.keys()


def test_absent_peers_are_reported(monkeypatch):
    from benchmarks.studies import evaluator

    def absent():
        raise ImportError

    monkeypatch.setattr(evaluator, "PEERS", {"some peer": absent})
    records = evaluator.run("tiny")
    assert [record["status"] for record in records if record["contestant"] == "some peer"] == [ABSENT] * 2
    assert "| some peer |  | absent |" in evaluator.tables(records)[0].markdown()


def test_unsolved_items_are_never_averaged_away():
    summary = Summary.of([0.5, math.inf, 0.1, 0.3])
    assert summary == Summary(4, 0.3, math.inf, math.inf, 1)
    assert seconds_of([{"status": "unsolved", "seconds": 60.0}, {"status": "absent"}]) == [math.inf]
    assert seconds_text(math.inf, 60) == "> 60 s"


@pytest.mark.parametrize(("percent", "expected"), [(50, 5), (90, 9), (91, 10), (100, 10)])
def test_percentiles_are_measured_values(percent, expected):
    assert percentile(range(1, 11), percent) == expected


def test_columns_of_numbers_are_aligned_to_the_right():
    table = markdown_rows(("name", "time", "size"), [("a", "1.5 s", "32-card"), ("b", "> 60 s", "5")])
    assert table.splitlines()[1] == "|---|--:|---|"


def test_random_100_is_what_quintet_deals():
    assert [deal.deal for deal in instances("random-100")] == list(random_deals(0, 100))


def test_extreme_8_are_the_extreme_deals_with_their_partitions():
    saved = instances("extreme-8")
    assert [(deal.id, deal.deal, deal.rules, deal.partitions) for deal in saved] == [
        (deal.name, deal.deal, deal.rules, deal.partitions) for deal in EXTREME_DEALS
    ]


def test_hard_20_states_the_partitions_of_its_deals():
    saved = instances("hard-20")
    assert len({deal.deal for deal in saved}) == 20
    for deal in saved:
        assert len(undominated_partitions(deal.deal)) == deal.partitions


@pytest.mark.parametrize("name", ["random-100", "extreme-8", "hard-20"])
def test_batch_reads_every_set(name):
    assert [item.deal for item in instance_file(name)] == [deal.deal for deal in instances(name)]


def test_every_set_is_documented():
    text = (INSTANCES / "README.md").read_text(encoding="utf-8")
    for path in INSTANCES.glob("*.jsonl"):
        assert f"`{path.stem}`" in text


def test_the_headline_of_the_readme_is_that_of_the_newest_results():
    assert headline.current() == headline.generated()


def test_the_headline_names_rows_source_and_missed_targets(tmp_path, monkeypatch):
    path = result_files.new_file("full", "full", tmp_path)
    for name in ("evaluator", "partitions"):
        result_files.append(
            path, name, importlib.import_module(f"benchmarks.studies.{name}").run("tiny"), {"seconds": 1.0}
        )
    monkeypatch.setattr(headline, "newest", lambda: result_files.newest(folder=tmp_path))
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{headline.BEGIN}old\n{headline.END}after\n", encoding="utf-8")
    headline.write(readme)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{headline.BEGIN}| what |")
    assert text.endswith(f"{headline.END}after\n")
    assert "old" not in text
    assert headline.current(readme) == headline.generated()
    assert f"[{path.stem}](benchmarks/results/{path.stem}.md)" in text
    assert "of 3 targets are met" in text
    headline.write(readme)
    assert readme.read_text(encoding="utf-8") == text
