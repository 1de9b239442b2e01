"""Re-checking saved results: honest ones hold, and whatever is changed in one is found and named."""

import copy
import json
import sys
import threading
from dataclasses import replace

import pytest

from solver.dominance import undominated_arrangements
from solver.errors import FileError, ResultError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.opponents.specification import parse_opponent
from solver.results.shared_fields import deal_fields
from solver.verification.checks import NOT_PROVEN
from solver.verification.verify import verdict, verify_document, verify_file
from tests.support.command import write_mix
from tests.support.d1 import REMOVED
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.in_process import answer_here

FEW = EXTREME_DEALS[0].deal
OTHER = Deal.from_removed("7s 7h 8d 9c Th Qd Kh")


def failures(document, **options):
    """Return the details of the checks that do not hold, by name; the document itself stays as it is."""
    before = json.dumps(document)
    checks = verify_document(document, **options)
    assert json.dumps(document) == before
    return {check.name: check.detail for check in checks if not check.holds}


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    opponent = tmp_path_factory.mktemp("solved") / "mix.json"
    write_mix(opponent, parse_opponent("greedy-shuffled", FEW).strategies)
    arguments = [FEW.text(), "--opponent", f"file:{opponent}", "--top", "60", "--lock", f"1={weakest_packet()}"]
    return answer_here("solve", *arguments)


def weakest_packet():
    return parse_opponent("greedy", FEW).strategies.arrangements[0].packet_texts()[0]


@pytest.fixture(scope="module")
def equilibrium():
    return answer_here("equilibrium", FEW.text())


@pytest.fixture(scope="module")
def stopped():
    """A result that was stopped before the opponent was ready."""
    document = answer_here("solve", FEW.text(), "--opponent", "greedy")
    for packet in document["packets"]:
        packet |= {"win": None, "tie": None, "loss": None}
    empty = ("value", "objective_value", "objective_value_exact", "bound", "bound_exact")
    return document | dict.fromkeys(empty) | {"status": "feasible"}


# What holds.


@pytest.mark.parametrize("objective", ["points", "margin", "win"])
@pytest.mark.parametrize(
    "opponent", ["greedy", "greedy-shuffled", "undominated", "level:2", "quantal:1", "equilibrium"]
)
def test_honest_solutions_hold(opponent, objective):
    options = ["--objective", objective, "--opponent", opponent, "--samples", "20", "--seed", "3"]
    assert failures(answer_here("solve", FEW.text(), *options)) == {}


@pytest.mark.parametrize(
    "options",
    [
        ["--engine", "both", "--top", "4"],
        ["--rules", "quintet-text", "--weights", "1,2,3,4,1000"],
        ["--rules", "telesina", "--ace-low"],
        ["--opponent", " 2:greedy", "--opponent", "1:random ", "--objective", "win", "--samples", "5"],
        ["--opponent", "2:greedy", "--opponent", "1:equilibrium"],
    ],
)
def test_honest_solutions_with_options_hold(options):
    assert failures(answer_here("solve", FEW.text(), "--opponent", "greedy", *options)) == {}


@pytest.mark.parametrize("options", [[], ["--objective", "win"], ["--rules", "telesina"], ["--weights", "9,1,1,1,50"]])
def test_honest_equilibria_hold(options):
    assert failures(answer_here("equilibrium", FEW.text(), *options, "--seed", "5")) == {}


def test_an_honest_lock_holds(solved):
    assert solved["locked"] == {"1": weakest_packet()}
    assert failures(solved) == {}


def test_an_answer_without_an_opponent_claims_nothing(stopped):
    assert failures(stopped) == {}


# What does not hold.


def changed(document, path, change):
    """Return a copy in which the value at a path is replaced by what `change` makes of it."""
    copied = copy.deepcopy(document)
    target = copied
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = change(target[path[-1]]) if callable(change) else change
    return copied


def exchange_cards(packets):
    """Exchange the first cards of the first two packets."""
    first, second, *others = (packet.split() for packet in packets)
    first[0], second[0] = second[0], first[0]
    return [" ".join(packet) for packet in (first, second, *others)]


def one_more(text):
    top, _, bottom = text.partition("/")
    return f"{int(top) + 1}/{bottom}" if bottom else str(int(top) + 1)


SOLVE_CHANGES = {
    "another deal": (["deal", "cards"], OTHER.text()),
    "another deal laid aside": (["deal", "removed"], REMOVED),
    "no rule set": (["rules", "name"], "poker"),
    "other weights": (["rules", "weights"], [7, 6, 5, 4, 3]),
    "another objective": (["objective"], "margin"),
    "no objective": (["objective"], "fun"),
    "a card moved": (["arrangement"], exchange_cards),
    "packets exchanged": (["arrangement"], lambda packets: [*packets[:3], packets[4], packets[3]]),
    "a card twice": (["arrangement", 4], lambda packet: packet[:-2] + packet[:2]),
    "a card short": (["arrangement", 4], lambda packet: packet[:-3]),
    "a packet short": (["arrangement"], lambda packets: packets[:4]),
    "no card": (["arrangement", 4], "five cards of mine"),
    "a weight of the opponent": (["opponent", "strategies", 0, "weight"], 3),
    "a card of the opponent": (["opponent", "strategies", 7, "arrangement"], exchange_cards),
    "a strategy less": (["opponent", "strategies"], lambda strategies: strategies[:-1]),
    "sampled": (["opponent", "sampled"], True),
    "value": (["value", "win"], 0.75),
    "value of another type": (["value", "draw"], False),
    "points": (["value", "points"], lambda points: points + 1e-12),
    "objective value": (["objective_value"], 18.5),
    "exact objective value": (["objective_value_exact"], one_more),
    "bound": (["bound"], lambda bound: bound + 0.5),
    "exact bound": (["bound_exact"], one_more),
    "no bound": (["bound_exact"], None),
    "no fraction": (["bound_exact"], "1/0"),
    "a fraction that takes hours": (["bound_exact"], "1e999999999"),
    "status": (["status"], "superb"),
    "packet weight": (["packets", 2, "weight"], 6),
    "packet category": (["packets", 2, "category"], "royal flush"),
    "packet chance": (["packets", 2, "loss"], 0.001),
    "lock": (["locked"], {"5": weakest_packet()}),
    "lock out of range": (["locked"], {"6": weakest_packet()}),
    "best alternative": (["alternatives", 0, "objective_value_exact"], one_more),
    "alternative value": (["alternatives", 1, "value", "margin"], -3.0),
    "alternative cards": (["alternatives", 2, "arrangement"], exchange_cards),
    "alternative with more": (["alternatives", 1, "comment"], "mine"),
    "alternative twice": (["alternatives"], lambda alternatives: [alternatives[0], *alternatives[:2]]),
    "alternative left out": (["alternatives"], lambda alternatives: alternatives[1:]),
    "no value": (["value"], None),
    "no packets": (["packets"], []),
    "a list of rules": (["rules"], []),
}


@pytest.mark.parametrize("change", SOLVE_CHANGES)
def test_a_changed_solution_is_found_out(solved, change):
    document = changed(solved, *SOLVE_CHANGES[change])
    assert document != solved
    found = failures(document)
    assert found
    assert all(found.values())


FIELDS_OF_SOLVE = ("deal", "rules", "objective", "seed", "opponent", "locked", "status", "arrangement", "packets")
FIGURES_OF_SOLVE = ("value", "objective_value", "objective_value_exact", "bound", "bound_exact", "alternatives")


@pytest.mark.parametrize("field", FIELDS_OF_SOLVE + FIGURES_OF_SOLVE)
def test_a_missing_field_is_named(solved, field):
    found = failures({name: value for name, value in solved.items() if name != field})
    assert repr(field) in found["form"]


@pytest.mark.parametrize("seed", [None, -1, True, 0.0, "0", [0]])
def test_what_is_no_seed_is_found_out(solved, equilibrium, seed):
    for document in (solved, equilibrium):
        assert failures(document | {"seed": seed})["form"].startswith("seed ")


def test_what_is_claimed_is_quoted_in_few_printable_characters(solved):
    for name, path in (("alternatives", ["alternatives", 0, "objective_value_exact"]), ("form", ["objective"])):
        for claimed in ("\x1b[31m", "9" * 1000):
            detail = failures(changed(solved, path, claimed))[name]
            assert detail.isprintable()
            assert len(detail) < 200


def test_a_lock_of_no_place_is_found_out(stopped):
    assert "place 0 does not exist" in failures(stopped | {"locked": {"0": stopped["arrangement"][4]}})["form"]


def test_a_value_nested_just_as_deep_as_can_be_read_is_found_out(tmp_path, stopped):
    path = tmp_path / "deep.json"
    text = json.dumps(changed(stopped, ["packets", 0, "win"], "?"))
    read = set()
    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
        path.write_text(text.replace('"?"', "[" * depth + "]" * depth))
        try:
            assert not all(check.holds for check in verify_file(str(path), time_limit=0))
            read.add(True)
        except FileError:
            read.add(False)
    assert read == {True, False}


def test_a_worse_answer_that_calls_itself_optimal_is_found_out(solved):
    worse = solved["alternatives"][-1]
    document = solved | {name: worse[name] for name in ("arrangement", "value", "objective_value")}
    document |= {"objective_value_exact": worse["objective_value_exact"], "bound_exact": worse["objective_value_exact"]}
    document |= {"bound": worse["objective_value"], "locked": {}, "alternatives": []}
    assert "optimum" in failures(document)


def test_a_bound_below_the_optimum_is_found_out(solved):
    document = solved | {"status": "feasible", "bound": 0.0, "bound_exact": "0"}
    assert "bound" in failures(document)


def test_an_honest_bound_above_the_optimum_holds(solved):
    assert failures(solved | {"status": "feasible", "bound": 25.0, "bound_exact": "25"}) == {}


def test_an_opponent_that_is_no_equilibrium_is_found_out():
    document = answer_here("solve", FEW.text(), "--opponent", "greedy")
    document["opponent"]["spec"] = ["equilibrium"]
    assert failures(document)["opponent"].startswith("exploitability ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("objective_value", 25.0),
        ("objective_value_exact", "25"),
        ("bound", 25.0),
        ("bound_exact", "25"),
        ("alternatives", [{}]),
        ("status", "optimal"),
    ],
)
def test_figures_without_an_opponent_are_found_out(stopped, name, value):
    assert list(failures(stopped | {name: value})) == [name]


EQUILIBRIUM_CHANGES = {
    "another deal": (["deal"], deal_fields(OTHER)),
    "rounds below 0": (["iterations"], -7),
    "laid aside": (["deal", "removed"], REMOVED),
    "another rule set": (["rules", "name"], "quintet-text"),
    "other weights": (["rules", "weights"], [9, 4, 5, 6, 7]),
    "another objective": (["objective"], "win"),
    "a non-zero-sum objective": (["objective"], "points"),
    "one weight": (["strategies", 0, "weight"], lambda weight: weight - 1),
    "all weights alike": (["strategies"], lambda strategies: [record | {"weight": 1} for record in strategies]),
    "a card moved": (["strategies", 0, "arrangement"], exchange_cards),
    "a foreign card": (["strategies", 0, "arrangement", 0], lambda packet: packet[3:] + " " + FEW_REMOVED),
    "a strategy less": (["strategies"], lambda strategies: strategies[1:]),
    "no strategies": (["strategies"], []),
    "one probability": (["strategies", 0, "probability"], 0.5),
    "total weight": (["total_weight"], lambda total: total + 1),
    "exploitability": (["exploitability"], -1e-300),
    "exact exploitability": (["exploitability_exact"], "0"),
    "exploitability below the true one": (["exploitability_exact"], "1/1000000000000000000000"),
    "status": (["status"], "solved"),
    "tolerance": (["tolerance"], -1.0),
    "play": (["play"], exchange_cards),
    "partitions": (["undominated_partitions"], 11),
    "seed": (["seed"], "zero"),
}
FEW_REMOVED = deal_fields(FEW)["removed"].split()[0]


@pytest.fixture(scope="module")
def rough_equilibrium():
    """A mix whose exploitability is not zero."""
    document = answer_here("equilibrium", FEW.text(), "--tolerance", "2")
    assert document["exploitability"] > 0
    return document


@pytest.mark.parametrize("change", EQUILIBRIUM_CHANGES)
def test_a_changed_equilibrium_is_found_out(rough_equilibrium, change):
    document = changed(rough_equilibrium, *EQUILIBRIUM_CHANGES[change])
    assert document != rough_equilibrium
    found = failures(document)
    assert found
    assert all(found.values())


def test_a_rough_equilibrium_holds_for_what_it_is(rough_equilibrium):
    assert failures(rough_equilibrium) == {}


def test_a_converged_mix_must_be_within_its_tolerance(rough_equilibrium):
    found = failures(rough_equilibrium | {"tolerance": 1e-9})
    assert list(found) == ["converged"]
    assert failures(rough_equilibrium | {"tolerance": 1e-9, "status": "time limit"}) == {}


@pytest.mark.parametrize("field", ["strategies", "total_weight", "exploitability_exact", "play", "tolerance", "status"])
def test_a_missing_field_of_an_equilibrium_is_named(equilibrium, field):
    found = failures({name: value for name, value in equilibrium.items() if name != field})
    assert repr(field) in found["form"]


def test_the_first_difference_is_shown(solved):
    document = changed(solved, ["packets", 2, "loss"], 0.001)
    assert failures(document)["packets"].startswith("packets[2].loss: claimed 0.001, is ")
    document = changed(solved, ["deal", "removed"], solved["deal"]["removed"][:-2] + "2s")
    assert "2s', is " in failures(document)["deal"]


# Proofs in time.


def test_no_time_refutes_nothing_and_proves_nothing(equilibrium, solved):
    for document in (equilibrium, solved):
        assert failures(document, time_limit=0) == {"CP-SAT": NOT_PROVEN}
        assert verdict(verify_document(document, time_limit=0)) == "Not refuted, not proven"
        assert verdict(verify_document(document)) == "Every claim holds"
    assert verdict(verify_document(solved | {"bound": 1.0}, time_limit=0)) == "Not every claim holds"


def test_an_interrupt_ends_the_proofs(equilibrium):
    interrupt = threading.Event()
    interrupt.set()
    assert failures(equilibrium, interrupt=interrupt) == {"CP-SAT": NOT_PROVEN}


# Files.


@pytest.mark.parametrize(
    "document", [None, 1, "text", [], {}, {"schema": 1}, {"schema": "quintet.hand/1"}, {"schema": ["quintet.solve/1"]}]
)
def test_what_is_no_result_is_refused(document):
    with pytest.raises(ResultError, match="expected a saved result of solve, equilibrium, mix or batch"):
        verify_document(document)


def test_every_line_of_a_batch_is_checked(tmp_path, solved, equilibrium):
    lines = [
        solved | {"id": 1, "line": 1},
        {"schema": "quintet.solve/1", "id": 2, "line": 2, "error": "24 cards"},
        equilibrium | {"id": 3, "line": 3},
        changed(solved, ["bound_exact"], one_more) | {"id": 4, "line": 4},
    ]
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    checks = verify_file(str(path))
    numbers = [check.name.partition(":")[0] for check in checks]
    assert sorted(set(numbers)) == ["line 1", "line 2", "line 3", "line 4"]
    assert {check.name.partition(":")[0] for check in checks if not check.holds} == {"line 4"}


def test_a_batch_of_one_line_is_a_batch(tmp_path, solved):
    path = tmp_path / "batch.jsonl"
    path.write_text(json.dumps(solved | {"id": 1, "line": 1}), encoding="utf-8")
    assert all(check.name.startswith("line 1: ") and check.holds for check in verify_file(str(path)))


def test_a_broken_line_is_named(tmp_path, solved):
    path = tmp_path / "batch.jsonl"
    path.write_text(json.dumps(solved) + '\n{"schema": "quint\n' + json.dumps(solved), encoding="utf-8")
    with pytest.raises(FileError, match="line 2: not a JSON document"):
        verify_file(str(path))


def test_an_equilibrium_of_too_few_partitions_is_found_out(monkeypatch, equilibrium):
    honest = undominated_arrangements.undominated_partitions
    played = {tuple(sorted(Arrangement.of_texts(r["arrangement"]).strengths())) for r in equilibrium["strategies"]}

    def without_those_played(deal, rules):
        partitions = honest(deal, rules)
        kept = [index for index, row in enumerate(partitions.strengths.tolist()) if tuple(row) not in played]
        return replace(partitions, strengths=partitions.strengths[kept], hands=partitions.hands[kept])

    with monkeypatch.context() as patch:
        patch.setattr(undominated_arrangements, "undominated_partitions", without_those_played)
        document = answer_here("equilibrium", FEW.text())
    assert document["status"] == "converged"
    found = failures(document)
    assert {"undominated_partitions", "exploitability_exact", "exploitability", "converged"} <= set(found)
