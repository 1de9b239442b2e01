"""`quintet verify`, as a user runs it."""

import json
import re

import pytest

from solver.game.deal import Deal
from solver.results.shared_fields import deal_fields
from solver.verification.checks import NOT_PROVEN
from tests.commands.test_known_cases import rules_arguments, write_opponent
from tests.support.cases import best_response_cases
from tests.support.command import answered, quintet, strict_json
from tests.support.d1 import D1
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.in_process import answer_here, run_here

FEW = EXTREME_DEALS[1].deal


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return the paths of an equilibrium and of a solution."""
    folder = tmp_path_factory.mktemp("saved")
    paths = {"equilibrium": folder / "equilibrium.json", "solution": folder / "solution.json"}
    answered("equilibrium", FEW.text(), "--output", paths["equilibrium"])
    answered("solve", FEW.text(), "--opponent", f"file:{paths['equilibrium']}", "--output", paths["solution"])
    return paths


def changed(path, tmp_path, change):
    document = strict_json(path.read_text())
    change(document)
    copy = tmp_path / "changed.json"
    copy.write_text(json.dumps(document))
    return copy


@pytest.mark.parametrize("kind", ["equilibrium", "solution"])
def test_what_was_saved_holds(saved, kind):
    run = quintet("verify", saved[kind])
    assert (run.code, run.err) == (0, "")
    assert run.out.endswith("\nEvery claim holds\n")
    document = answer_here("verify", saved[kind])
    assert document["schema"] == "quintet.verify/1"
    assert document["holds"] is True
    assert {check["holds"] for check in document["checks"]} == {True}
    assert {"dynamic program", "CP-SAT"} <= {check["name"] for check in document["checks"]}


def test_the_words_of_a_result_are_written_as_they_stand(saved, tmp_path):
    run = run_here("verify", changed(saved["equilibrium"], tmp_path, lambda document: document.update(status="[/x]")))
    assert (run.code, run.err) == (1, "")
    assert "'[/x]' is none of converged" in run.out


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("command", ["equilibrium", "solve"])
def test_what_is_saved_and_read_is_the_same(tmp_path, command, objective):
    saved = tmp_path / "saved.json"
    document = answer_here(command, FEW.text(), "--objective", objective, "--output", saved)
    assert strict_json(saved.read_text()) == document
    assert answer_here("verify", saved)["holds"] is True


def one_weight(document):
    document["strategies"][0]["weight"] += 1


def a_card(document):
    first, second, *_ = packets = document["strategies"][0]["arrangement"]
    packets[0], packets[1] = first[:-2] + second[-2:], second[:-2] + first[-2:]


def another_deal(document):
    document["deal"] = deal_fields(Deal.from_removed("7c 8c 9c Tc Jc Qc Kd"))


def a_lower_exploitability(document):
    assert document["exploitability_exact"] != "0"
    document["exploitability_exact"] = "0"


CHANGES = {
    "one weight": (one_weight, ["strategies[0].probability"]),
    "a card moved": (a_card, ["strategies", "exploitability_exact", "the arrangement"]),
    "another deal": (another_deal, ["is not in the deal"]),
    "a lower exploitability": (a_lower_exploitability, ["exploitability_exact: claimed '0', is '"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_equilibrium_fails_and_says_what(saved, tmp_path, change):
    alter, sayings = CHANGES[change]
    path = changed(saved["equilibrium"], tmp_path, alter)
    run = quintet("verify", path)
    assert (run.code, run.err) == (1, "")
    assert run.out.endswith("\nNot every claim holds\n")
    document = run_here("verify", path, "--json").document
    assert document["holds"] is False
    said = " ".join(check["detail"] for check in document["checks"] if not check["holds"])
    assert any(saying in said for saying in sayings)


def test_a_changed_bound_of_a_solution_fails(saved, tmp_path):
    path = changed(saved["solution"], tmp_path, lambda document: document.update(bound_exact="25", bound=25.0))
    run = run_here("verify", path)
    assert run.code == 1
    assert "bound_exact is 25" in " ".join(run.out.split())


@pytest.mark.parametrize("kind", ["equilibrium", "solution"])
def test_no_proof_in_time_is_a_failure_of_its_own(saved, kind):
    run = quintet("verify", saved[kind], "--time-limit", "0")
    assert (run.code, run.err) == (1, "")
    assert re.search(rf"^CP-SAT +open +{NOT_PROVEN}$", run.out, re.MULTILINE)
    assert run.out.endswith("\nNot refuted, not proven\n")


def test_a_batch_takes_a_line_a_record_and_one_a_fault(saved, tmp_path):
    good = json.loads(saved["solution"].read_text("utf-8"))
    records = [good | {"line": 1}, {"error": "24 cards", "line": 2}, good | {"line": 3, "bound": 25.0}]
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    run = run_here("verify", path)
    assert run.code == 1
    _, first, second, third, *_ = run.out.splitlines()
    assert re.fullmatch(r"line 1 +yes +\d+ claims", first)
    assert re.fullmatch("line 2 +yes +an error record, which claims nothing", second)
    assert re.match("line 3: bound +NO +bound: claimed 25.0", third)
    assert len(run_here("verify", path, "--json").document["checks"]) > 20


def test_an_opponent_that_is_not_made_again_in_time_refutes_nothing(tmp_path):
    path = tmp_path / "quantal.json"
    answer_here("solve", D1.text(), "--opponent", "quantal:1", "--engine", "enumerate", "--output", path)
    run = run_here("verify", path, "--time-limit", "0")
    assert run.code == 1
    assert re.search(rf"^opponent +open +{NOT_PROVEN}$", run.out, re.MULTILINE)
    assert run.out.endswith("\nNot refuted, not proven\n")


def test_quiet_gives_the_verdict_alone(saved):
    assert run_here("verify", saved["solution"], "--quiet").out == "Every claim holds\n"


def test_the_checks_are_written_to_a_file(saved, tmp_path):
    output = tmp_path / "checks.json"
    document = answer_here("verify", saved["solution"], "--output", output)
    assert strict_json(output.read_text()) == document
    assert document["file"] == str(saved["solution"])


def test_a_result_on_standard_input_is_read(saved):
    assert quintet("verify", "/dev/stdin", stdin=saved["solution"].read_bytes()).code == 0


def test_a_stopped_equilibrium_holds_for_what_it_is(tmp_path):
    saved = tmp_path / "mix.json"
    assert run_here("equilibrium", D1.text(), "--max-iterations", "3", "--output", saved, "--quiet").code == 0
    assert strict_json(saved.read_text())["status"] == "iteration limit"
    assert run_here("verify", saved).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("case", best_response_cases(), ids=lambda case: case.id)
def test_every_known_optimum_is_proven_again(case, tmp_path):
    opponent, saved = tmp_path / "opponent.json", tmp_path / "saved.json"
    write_opponent(case, opponent)
    objective = ("points", "margin", "win")[int(case.id[-2:]) % 3]
    if case.id in ("HX09", "HX11"):
        objective = "margin"  # their `win` takes CP-SAT up to a minute
    arguments = [case.cards, "--objective", objective, "--opponent", f"file:{opponent}", *rules_arguments(case.rules)]
    assert answered("solve", *arguments, "--output", saved)["status"] == "optimal"
    document = answered("verify", saved, "--time-limit", "300")
    assert document["holds"] is True
