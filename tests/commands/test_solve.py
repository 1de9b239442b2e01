"""`quintet solve`, as a user runs it."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from solver.best_response import solve
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from tests.support.command import PROGRAM, answered, quintet, strict_json, write_mix
from tests.support.d1 import D1, FIXTURES, REMOVED
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.in_process import answer_here, run_here
from tests.support.scoring import cards_in, figures, objective_value, points

FEW = EXTREME_DEALS[6].deal.text()
DEFAULT = Rules()
NOT_PROVEN = "quintet: time limit reached; the best answer so far is given, not proven\n"


@pytest.fixture
def files(tmp_path):
    """Return the path of a file for every fixture, and of one for A, B and G alike."""
    paths = {
        name: write_mix(tmp_path / f"{name}.json", MixedStrategy.pure(arrangement))
        for name, arrangement in FIXTURES.items()
    }
    mix = MixedStrategy(tuple(FIXTURES[name] for name in "ABG"), (1, 1, 1))
    return paths | {"ABG": write_mix(tmp_path / "ABG.json", mix)}


def listed(document):
    return [(strategy["weight"], strategy["arrangement"]) for strategy in document["opponent"]["strategies"]]


def check(document, rules=DEFAULT):
    """Hold an answer against a listed opponent to the plain referee: report B58 and all figures."""
    cards = " ".join(document["arrangement"]).split()
    assert cards_in(document["arrangement"]) == set(document["deal"]["cards"].split())
    assert len(cards) == 25
    six = figures(document["arrangement"], listed(document), rules)
    assert document["value"] == {name: float(figure) for name, figure in six.items()}
    value = objective_value(six, document["objective"])
    assert document["objective_value_exact"] == str(value)
    assert document["objective_value"] == float(value)
    assert Fraction(document["bound_exact"]) >= value
    if document["status"] == "optimal":
        assert document["bound_exact"] == str(value)


# The answer.


def test_the_objective_is_a_whole_number_where_it_is_one(files):
    # Report B44.
    document = answered("solve", "--removed", REMOVED, "--opponent", f"file:{files['B']}")
    assert (document["status"], document["objective_value_exact"], document["objective_value"]) == (
        "optimal",
        "25",
        25.0,
    )
    assert points(document["arrangement"], FIXTURES["B"].packet_texts(), Rules()) == (25, 0)
    check(document)


@pytest.mark.parametrize("objective", ["points", "margin"])
def test_means_are_never_cut_to_whole_numbers(files, objective):
    # Report B40: 52 points in three matches are more than 51, though 17 points a match in whole numbers.
    document = answer_here("solve", D1.text(), "--opponent", f"file:{files['ABG']}", "--objective", objective)
    assert document["status"] == "optimal"
    check(document)
    sums = {name: points_of_three(FIXTURES[name].packet_texts(), objective) for name in "SXY"}
    assert sums == ({"S": 54, "X": 51, "Y": 52} if objective == "points" else {"S": 33, "X": 27, "Y": 42})
    assert Fraction(document["objective_value_exact"]) >= Fraction(max(sums.values()), 3)


def points_of_three(packets, objective):
    scores = [points(packets, FIXTURES[other].packet_texts(), Rules()) for other in "ABG"]
    return sum(mine - theirs if objective == "margin" else mine for mine, theirs in scores)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("engine", ["cpsat", "enumerate", "both"])
def test_every_engine_proves_the_same_value(files, objective, engine):
    options = ["--opponent", f"file:{files['ABG']}", "--objective", objective, "--engine", engine]
    document = answer_here("solve", D1.text(), *options)
    assert document["engine"] == engine
    assert document["status"] == "optimal"
    check(document)
    assert document["objective_value_exact"] == {"points": "65/3", "margin": "56/3", "win": "1"}[objective]


@pytest.mark.parametrize("spec", ["greedy", "greedy-shuffled", "level:1", "equilibrium"])
def test_listed_opponents_are_in_the_document(spec):
    document = answer_here("solve", FEW, "--opponent", spec)
    assert document["opponent"]["spec"] == [spec]
    assert document["opponent"]["sampled"] is False
    check(document)


def test_a_sampled_opponent_says_so():
    spec = "random"
    document = answer_here("solve", FEW, "--opponent", spec, "--samples", "50")
    assert document["opponent"] == {"spec": [spec], "sampled": True, "samples": 50}
    text = run_here("solve", FEW, "--opponent", spec, "--samples", "50").out
    assert "estimated from 50 arrangements of the opponent" in text
    assert "Proven optimal: no arrangement has more than" in text
    text = run_here("solve", FEW, "--opponent", spec, "--samples", "50", "--objective", "win").out
    assert "Proven optimal against the 50 arrangements drawn: no arrangement has more than" in text
    text = run_here(
        "grade", "|".join(document["arrangement"]), "--opponent", spec, "--samples", "50", "--objective", "win"
    ).out
    assert "Against the 50 arrangements drawn: " in text
    chances = [document["value"][name] * 50 for name in ("win", "draw", "loss")]
    assert chances == pytest.approx([round(chance) for chance in chances])


def test_the_default_opponent_is_quantal_1():
    document = answered("solve", FEW)
    assert document["opponent"] == {"spec": ["quantal:1"], "sampled": False}
    assert document["objective"] == "points"
    assert document["seed"] == 0
    assert document["engine"] == "cpsat"


def test_the_sample_follows_the_seed():
    documents = [
        answer_here("grade", FIXTURES["A"].text(), "--opponent", "random", "--samples", "500", "--seed", seed)
        for seed in ("1", "1", "2")
    ]
    assert documents[0] == documents[1]
    assert documents[0]["value"]["win"] != documents[2]["value"]["win"]
    assert documents[0]["objective_value_exact"] == documents[2]["objective_value_exact"]


def test_opponents_are_mixed_by_weight(files):
    options = ["--opponent", f"2:file:{files['A']}", "--opponent", f"1:file:{files['B']}"]
    document = answer_here("solve", D1.text(), *options)
    assert listed(document) == [(2, FIXTURES["A"].packet_texts()), (1, FIXTURES["B"].packet_texts())]
    check(document)


@pytest.mark.parametrize(
    "rules", [Rules("quintet-text"), Rules("telesina", True), Rules(weights=(10, 1, 1, 1, 1))], ids=str
)
def test_rules_decide(files, rules):
    options = ["--rules", rules.name, "--weights", ",".join(map(str, rules.weights))]
    options += ["--ace-low"] if rules.ace_low else []
    document = answer_here("solve", D1.text(), "--opponent", f"file:{files['G']}", *options)
    assert document["rules"] == {"name": rules.name, "ace_low": rules.ace_low, "weights": list(rules.weights)}
    check(document, rules)


# The input.


@pytest.mark.parametrize("notation", ["letters", "symbols", "russian"])
def test_the_cards_are_read_in_every_order_and_notation(notation, files):
    # Report B17.
    options = ["--opponent", f"file:{files['A']}"]
    expected = answer_here("solve", D1.text(), *options)
    shuffled = D1.text(notation).split()[::-1]
    assert answer_here("solve", *shuffled, *options) == expected
    assert answer_here("solve", "-", *options, stdin="\n".join(shuffled)) == expected


def test_removed_cards_say_the_same(files):
    options = ["--opponent", f"file:{files['A']}"]
    assert answer_here("solve", "--removed", *REMOVED.split(), *options) == answer_here("solve", D1.text(), *options)
    assert answered("solve", "--removed", "-", *options, stdin="7п7ч8б9т10ч Дб\r\nКп")["deal"]["cards"] == D1.text()


# Locks and alternatives.


def test_locked_packets_stay_where_they_are(files):
    lock = ["--lock", "5=Ac Kc Qc Jc Tc", "--lock", " 1 = 7d7c8h8c9s"]
    for engine in ("cpsat", "enumerate", "both"):
        document = answer_here("solve", D1.text(), "--opponent", f"file:{files['A']}", *lock, "--engine", engine)
        assert document["locked"] == {"1": "7d 7c 8h 8c 9s", "5": "Ac Kc Qc Jc Tc"}
        assert document["arrangement"][4] == "Ac Kc Qc Jc Tc"
        assert document["arrangement"][0] == "9s 8h 8c 7d 7c"
        assert document["status"] == "optimal"
        check(document)


def test_alternatives_are_the_best_ones_in_order(files):
    options = ["--opponent", f"file:{files['ABG']}", "--objective", "margin", "--top", "30"]
    document = answer_here("solve", D1.text(), *options)
    values = [Fraction(alternative["objective_value_exact"]) for alternative in document["alternatives"]]
    assert len(values) == 30
    assert values == sorted(values, reverse=True)
    assert values[0] == Fraction(document["objective_value_exact"])
    for alternative, value in zip(document["alternatives"], values, strict=True):
        assert cards_in(alternative["arrangement"]) == set(D1.text().split())
        six = figures(alternative["arrangement"], listed(document), Rules())
        assert six["margin"] == value
        assert alternative["value"] == {name: float(figure) for name, figure in six.items()}
    assert len({tuple(alternative["arrangement"]) for alternative in document["alternatives"]}) == 30
    by_enumeration = answer_here("solve", D1.text(), *options, "--engine", "enumerate")
    assert by_enumeration["alternatives"] == document["alternatives"]


# Limits.


def test_a_limit_without_time_gives_a_legal_arrangement():
    # Report B45.
    run = quintet("solve", D1.text(), "--opponent", "greedy", "--time-limit", "0.001", "--json")
    assert (run.code, run.err) == (0, NOT_PROVEN)
    assert run.document["status"] == "feasible"
    check(run.document)


@pytest.mark.parametrize("spec", ["quantal:1", "level:3", "equilibrium"])
def test_an_opponent_that_is_not_ready_leaves_no_figures(spec):
    run = quintet("solve", D1.text(), "--opponent", spec, "--time-limit", "0", "--json")
    assert (run.code, run.err) == (0, NOT_PROVEN)
    document = run.document
    assert document["status"] == "feasible"
    assert cards_in(document["arrangement"]) == set(D1.text().split())
    empty = ("value", "objective_value", "objective_value_exact", "bound", "bound_exact")
    assert [document[name] for name in empty] == [None] * 5
    assert {packet["win"] for packet in document["packets"]} == {None}
    assert document["opponent"] == {"spec": [spec], "sampled": None}
    assert document["alternatives"] == []


def test_locked_packets_stay_without_time_as_well():
    run = run_here("solve", D1.text(), "--lock", "3=7d7c8h8c9s", "--time-limit", "0", "--json")
    assert run.document["arrangement"][2] == "9s 8h 8c 7d 7c"
    assert cards_in(run.document["arrangement"]) == set(D1.text().split())


def test_a_limit_counts_the_making_of_the_opponent():
    # Report B55: a long model and a short limit; what is left of the limit is for the search.
    options = ["--opponent", "random", "--samples", "2000", "--objective", "win", "--time-limit", "2", "--json"]
    run = quintet("solve", D1.text(), *options)
    assert run.code == 0
    assert run.document["status"] in ("feasible", "optimal")
    assert (run.err == NOT_PROVEN) == (run.document["status"] == "feasible")
    assert cards_in(run.document["arrangement"]) == set(D1.text().split())


def test_both_engines_must_prove_in_time():
    run = quintet(
        "solve", D1.text(), "--opponent", "greedy-shuffled", "--engine", "both", "--time-limit", "0", "--json"
    )
    assert (run.code, run.err) == (1, NOT_PROVEN)
    assert run.document["status"] == "feasible"
    check(run.document)


def test_a_limit_that_is_not_reached_changes_nothing(files):
    options = ["--opponent", f"file:{files['A']}"]
    limited = answer_here("solve", D1.text(), *options, "--time-limit", "300")
    assert limited | {"limits": None} == answer_here("solve", D1.text(), *options) | {"limits": None}


# The output.


def test_text_shows_packets_chances_figures_and_the_proof(files):
    run = quintet("solve", D1.text(), "--opponent", f"file:{files['B']}")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    (arrangement,) = [line for line in lines if line.startswith("Arrangement: ")]
    assert answer_here("score", arrangement.removeprefix("Arrangement: "), FIXTURES["B"].text())["points"] == [25, 0]
    assert any(line.startswith("Proven optimal") and "25" in line for line in lines)
    assert "Expected points 25, opponent 0, margin 25" in lines


def test_quiet_gives_the_arrangement_alone(files):
    run = run_here("solve", D1.text(), "--opponent", f"file:{files['B']}", "--quiet")
    assert len(run.out.splitlines()) == 1
    assert answer_here("score", run.out, FIXTURES["B"].text())["points"] == [25, 0]


@pytest.mark.parametrize("notation", ["letters", "symbols", "russian"])
def test_the_arrangement_reads_back_in_every_notation(notation, files):
    # Report B35.
    run = run_here("solve", D1.text(), "--opponent", f"file:{files['B']}", "--quiet", "--notation", notation)
    assert answer_here("score", run.out, FIXTURES["B"].text())["points"] == [25, 0]


def test_the_log_goes_to_standard_error_and_the_document_stays_one(tmp_path):
    # Report B56: the streams are files, as the solver's own log would go past Python.
    program = ("sh", "-c", f'"$@" > {tmp_path}/out 2> {tmp_path}/err', "sh")
    run = quintet("solve", FEW, "--opponent", "greedy-shuffled", "--json", "--verbose", program=(*program, *PROGRAM))
    assert (run.code, run.out, run.err) == (0, "", "")
    assert strict_json((tmp_path / "out").read_text())["status"] == "optimal"
    log = (tmp_path / "err").read_text()
    assert "CP-SAT" in log
    assert "#Model" in log or "Presolve" in log


def test_a_run_without_verbose_says_nothing():
    assert quintet("solve", FEW, "--opponent", "greedy-shuffled").err == ""


def test_timings_are_given_only_when_asked_for():
    without = answer_here("solve", FEW, "--opponent", "greedy")
    timed = answer_here("solve", FEW, "--opponent", "greedy", "--timings")
    assert set(timed) - set(without) == {"timings"}
    assert timed["timings"]["seconds"] > 0
    assert timed["timings"]["peak_memory_mib"] > 0


def test_a_document_has_the_fields_of_the_contract(files):
    document = answered("solve", D1.text(), "--opponent", f"file:{files['ABG']}", "--top", "1", "--objective", "win")
    assert document["schema"] == "quintet.solve/1"
    assert set(document["versions"]) >= {"quintet", "python", "numpy", "ortools"}
    assert set(document["packets"][0]) == {"weight", "cards", "category", "name", "win", "tie", "loss"}
    assert len(document["packets"]) == len(document["arrangement"]) == 5
    assert set(document["value"]) == {"points", "opponent_points", "margin", "win", "draw", "loss"}
    assert json.dumps(document).isascii()


def test_engines_that_disagree_end_the_program_with_a_report(monkeypatch):
    honest = solve.undominated_partitions

    def without_the_strongest_packets(deal, rules):
        partitions = honest(deal, rules)
        kept = partitions.strengths[:, 4] < partitions.strengths[:, 4].max()
        return replace(partitions, strengths=partitions.strengths[kept], hands=partitions.hands[kept])

    monkeypatch.setattr(solve, "undominated_partitions", without_the_strongest_packets)
    run = run_here("solve", D1.text(), "--opponent", "greedy", "--engine", "both")
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith("quintet: internal error: the engines disagree; please report this text\n")
    assert D1.text() in run.err
    assert run.err.count("optimal: ") == 2
