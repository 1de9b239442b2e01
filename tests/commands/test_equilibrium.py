"""`quintet equilibrium`, as a user runs it; deals whose equilibrium takes no time."""

import json
from fractions import Fraction

import numpy as np
import pytest

from solver.equilibrium import solve
from solver.equilibrium.certificate import exploitability
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.results.equilibria import draw
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.command import answered, quintet, strict_json
from tests.support.d1 import D1, REMOVED
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.in_process import answer_here, run_here
from tests.support.scoring import cards_in, figures

FEW = EXTREME_DEALS[1].deal
RULES = [
    (["--rules", "quintet-text"], Rules("quintet-text")),
    (["--rules", "telesina", "--weights", "1,1,1,1,1"], Rules("telesina", weights=(1, 1, 1, 1, 1))),
    (["--ace-low", "--weights", "1000,1,1,1,1"], Rules(ace_low=True, weights=(1000, 1, 1, 1, 1))),
]


def check(document, rules=None):
    """Hold a document to the certificate, recomputed from its weights alone, and to the plain referee."""
    rules = rules or Rules()
    deal = Deal.parse(document["deal"]["cards"])
    mix = MixedStrategy(
        tuple(Arrangement.of_texts(record["arrangement"]) for record in document["strategies"]),
        tuple(record["weight"] for record in document["strategies"]),
    )
    gain = exploitability(deal, mix, document["objective"], rules)
    assert document["exploitability_exact"] == str(gain)
    assert document["exploitability"] == float(gain)
    assert document["total_weight"] == mix.total
    for record in document["strategies"]:
        assert cards_in(record["arrangement"]) == set(deal.text().split())
        assert record["probability"] == record["weight"] / mix.total
    assert document["play"] == draw(mix, document["seed"]).packet_texts()
    assert document["play"] in [record["arrangement"] for record in document["strategies"]]
    return gain


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_an_equilibrium_converges_with_its_proof(objective):
    document = answered("equilibrium", FEW.text(), "--objective", objective)
    assert document["schema"] == "quintet.equilibrium/1"
    assert (document["status"], document["objective"]) == ("converged", objective)
    assert document["undominated_partitions"] == 44
    assert document["iterations"] >= 1
    assert check(document) <= Fraction(1, 10**9)


def test_the_mix_holds_its_own_against_each_of_its_parts():
    document = answer_here("equilibrium", FEW.text())
    mix = [(record["weight"], record["arrangement"]) for record in document["strategies"]]
    for record in document["strategies"][:20]:
        assert abs(figures(record["arrangement"], mix, Rules())["margin"]) <= Fraction(1, 10**9)


def test_margin_is_the_default_and_removed_cards_say_the_same():
    assert answer_here("equilibrium", "--removed", *REMOVED.split(), "--seed", "0") == answer_here(
        "equilibrium", D1.text(), "--objective", "margin", "--seed", "0"
    )


@pytest.mark.parametrize(("options", "rules"), RULES)
def test_rules_and_weights_decide(options, rules):
    document = answer_here("equilibrium", FEW.text(), *options)
    assert document["status"] == "converged"
    assert document["rules"]["weights"] == list(rules.weights)
    assert check(document, rules) <= Fraction(sum(rules.weights), 25 * 10**9)


def test_the_seed_draws_what_to_play():
    documents = [answer_here("equilibrium", FEW.text(), "--seed", str(seed)) for seed in range(6)]
    assert len({tuple(document["play"]) for document in documents}) > 1
    assert [document["seed"] for document in documents] == list(range(6))
    assert len({json.dumps(document["strategies"]) for document in documents}) == 1
    for document in documents:
        check(document)


def test_without_a_seed_one_is_drawn_and_reported(monkeypatch):
    # Report R18: who knows the program shall not know what it plays.
    documents = [answer_here("equilibrium", FEW.text()) for _ in range(3)]
    seeds = [document["seed"] for document in documents]
    assert len(set(seeds)) == 3
    assert answer_here("equilibrium", FEW.text(), "--seed", str(seeds[0])) == documents[0]
    monkeypatch.setattr("secrets.randbits", lambda bits: 2**bits - 1)
    assert f"with seed {2**32 - 1}" in run_here("equilibrium", FEW.text()).out


def test_quiet_gives_what_to_play_alone():
    document = answer_here("equilibrium", FEW.text(), "--seed", "3")
    run = run_here("equilibrium", FEW.text(), "--seed", "3", "--quiet")
    assert run.out == " | ".join(document["play"]) + "\n"


def test_text_shows_the_mix_the_proof_and_what_to_play():
    run = quintet("equilibrium", FEW.text(), "--seed", "3")
    document = answer_here("equilibrium", FEW.text(), "--seed", "3")
    assert (run.code, run.err) == (0, "")
    assert "converged" in run.out
    for packet in document["play"]:
        assert packet in run.out


# Limits, tolerance, going on.


def test_a_wide_tolerance_ends_sooner():
    rough = answer_here("equilibrium", D1.text(), "--tolerance", "0.5")
    assert rough["status"] == "converged"
    assert rough["tolerance"] == 0.5
    assert 0 < check(rough) <= Fraction(1, 2)


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("extreme", EXTREME_DEALS[:4], ids=lambda extreme: extreme.name)
def test_no_tolerance_is_too_small_to_end(extreme, objective):
    # Whole weights seldom make an exact equilibrium; what they leave is reported, not chased.
    document = answer_here_limited("equilibrium", extreme.deal.text(), "--objective", objective, "--tolerance", "0")
    assert (document["status"] == "converged") == (check(document) == 0)
    assert check(document) < Fraction(1, 10**11)


def test_a_limit_of_rounds_gives_a_proven_bound_and_can_be_gone_on_from(tmp_path):
    saved = tmp_path / "mix.json"
    run = quintet("equilibrium", D1.text(), "--max-iterations", "5", "--output", saved)
    assert run.code == 0
    assert run.err == "quintet: iteration limit reached; the best mix so far is given, not converged\n"
    stopped = strict_json(saved.read_text())
    assert (stopped["status"], stopped["iterations"]) == ("iteration limit", 5)
    gain = check(stopped)
    assert gain > Fraction(1, 10**9)
    resumed = answered("equilibrium", D1.text(), "--resume", saved)
    assert resumed["status"] == "converged"
    assert check(resumed) <= Fraction(1, 10**9)


def test_a_limit_of_time_gives_a_proven_bound():
    run = quintet("equilibrium", D1.text(), "--objective", "win", "--time-limit", "0", "--json")
    assert run.code == 0
    assert run.err == "quintet: time limit reached; the best mix so far is given, not converged\n"
    assert run.document["status"] == "time limit"
    assert check(run.document) > 0


def test_a_converged_mix_is_gone_on_from_without_a_round(tmp_path):
    saved = tmp_path / "mix.json"
    first = answer_here("equilibrium", FEW.text(), "--output", saved)
    again = answer_here("equilibrium", FEW.text(), "--resume", saved, "--max-iterations", "0")
    assert again["status"] == "converged"
    assert again["strategies"] == first["strategies"]


def test_going_on_never_loses_ground(tmp_path):
    saved = tmp_path / "mix.json"
    before = None
    for _ in range(4):
        resume = [] if before is None else ["--resume", saved]
        document = answer_here_limited("equilibrium", D1.text(), "--max-iterations", "3", *resume, "--output", saved)
        gain = check(document)
        assert before is None or gain <= before
        before = gain


def answer_here_limited(*arguments):
    """Return the document of a run that a limit ends."""
    run = run_here(*arguments, "--json")
    assert run.code == 0
    return run.document


def test_a_changed_weight_is_certified_as_what_it_is(monkeypatch):
    honest = solve.apportion_probabilities

    def changed(probabilities, total):
        weights = honest(probabilities, total)
        weights[int(np.argmax(weights))] //= 2
        return weights

    monkeypatch.setattr(solve, "apportion_probabilities", changed)
    document = answer_here_limited("equilibrium", FEW.text(), "--max-iterations", "100")
    assert document["status"] != "converged"
    assert check(document) > Fraction(1, 10**9)


def test_rounds_are_not_shown_where_there_is_no_terminal():
    run = quintet("equilibrium", D1.text(), "--verbose")
    assert (run.code, run.err) == (0, "")


def test_the_mix_is_an_opponent(tmp_path):
    saved = tmp_path / "mix.json"
    document = answer_here("equilibrium", FEW.text(), "--output", saved)
    response = answer_here("solve", FEW.text(), "--opponent", f"file:{saved}", "--objective", "margin")
    assert response["objective_value_exact"] == document["exploitability_exact"]
