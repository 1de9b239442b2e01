"""The same input gives the same bytes, whatever the environment says about hashing and threads."""

import pytest

from tests.commands.test_known_cases import rules_arguments, write_opponent
from tests.support.cases import best_response_cases
from tests.support.command import in_one_process, quintet
from tests.support.d1 import D1, ROWS
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.in_process import answer_here

ENVIRONMENTS = (
    {"PYTHONHASHSEED": "12345", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "3", "MKL_NUM_THREADS": "2"},
)
FEW = EXTREME_DEALS[1].deal
CASE = next(case for case in best_response_cases() if case.id == "HS03")

RUNS = {
    "solve": ["solve", D1.text(), "--json"],
    "solve for the match": ["solve", FEW.text(), "--objective", "win", "--top", "5", "--engine", "both", "--json"],
    "equilibrium": ["equilibrium", D1.text(), "--seed", "0", "--json"],
    "equilibrium of the match": ["equilibrium", FEW.text(), "--objective", "win", "--seed", "0", "--json"],
}


def bytes_of(arguments, variables=None):
    run = quintet(*arguments, variables=variables)
    assert (run.code, run.err) == (0, "")
    return run.out


@pytest.mark.parametrize("name", RUNS)
def test_the_environment_changes_no_byte(name):
    first, second = [bytes_of(RUNS[name], variables) for variables in ENVIRONMENTS]
    assert first == second


def test_no_hash_seed_changes_a_byte(tmp_path):
    # Also what the runs above leave out: checks, grades, records and pages.
    saved, page = tmp_path / "saved.json", tmp_path / "page.html"
    commands = [
        ["solve", FEW.text(), "--opponent", "level:2", "--objective", "win", "--output", saved, "--html", page],
        ["verify", saved, "--json"],
        ["grade", ROWS["A"], "--opponent", "undominated", "--json"],
        ["equilibrium", FEW.text(), "--seed", "0", "--json"],
        ["batch", "--random", "2", "--opponent", "greedy-shuffled", "--workers", "1"],
    ]
    written = set()
    for seed in ("0", "1"):
        run = in_one_process(*commands, variables={"PYTHONHASHSEED": seed})
        assert run.err == "quintet: 2 done, 0 failed\n"
        written.add((run.out, saved.read_bytes(), page.read_bytes()))
    assert len(written) == 1


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("seed", ["0", "7"])
@pytest.mark.parametrize("opponent", ["quantal:10", "equilibrium", "level:4"])
def test_no_byte_changes_on_a_random_deal(objective, seed, opponent):
    cards = quintet("deal", "--seed", seed).out
    arguments = ["solve", cards, "--objective", objective, "--seed", seed, "--opponent", opponent, "--json"]
    if objective == "win":
        arguments += ["--engine", "enumerate"]
    first, second = [bytes_of(arguments, variables) for variables in ENVIRONMENTS]
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("objective", ["margin", "win"])
def test_no_byte_of_an_equilibrium_changes_on_a_random_deal(objective, seed):
    cards = quintet("deal", "--seed", seed).out
    arguments = ["equilibrium", cards, "--objective", objective, "--seed", "0", "--json"]
    first, second = [bytes_of(arguments, variables) for variables in ENVIRONMENTS]
    assert first == second


def test_the_order_of_the_cards_changes_no_byte(tmp_path):
    # Report B17.
    opponent = tmp_path / "opponent.json"
    write_opponent(CASE, opponent)
    options = ["--opponent", f"file:{opponent}", *rules_arguments(CASE.rules), "--json"]
    cards = CASE.cards.split()
    first, second = [bytes_of(["solve", *order, *options]) for order in (cards, cards[1::2] + cards[::2])]
    assert first == second


def test_another_seed_finds_the_same_value(tmp_path):
    # Report B49.
    opponent = tmp_path / "opponent.json"
    write_opponent(CASE, opponent)
    options = ["--opponent", f"file:{opponent}", *rules_arguments(CASE.rules)]
    for seed in ("0", "1", "2024", str(2**40)):
        document = answer_here("solve", CASE.cards, *options, "--seed", seed)
        assert document["objective_value_exact"] == str(CASE.best["points"])
        assert document["status"] == "optimal"
