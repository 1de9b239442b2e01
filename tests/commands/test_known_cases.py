"""Every deal with a known optimum, through the command, for all three objectives."""

import json

import pytest

from solver.game.rules import Rules
from solver.strategies.objectives import OBJECTIVES
from tests.support.cases import Case, best_response_cases
from tests.support.command import answered
from tests.support.scoring import cards_in, category_name, figures, objective_value, place_chances


def questions():
    for case in best_response_cases():
        for objective in OBJECTIVES:
            yield pytest.param(case, objective, id=f"{case.id}-{objective}")


def rules_arguments(rules: Rules) -> list[str]:
    switches = ["--ace-low"] if rules.ace_low else []
    return ["--rules", rules.name, "--weights", ",".join(map(str, rules.weights)), *switches]


def write_opponent(case: Case, path) -> None:
    strategies = [{"arrangement": packets, "weight": weight} for weight, packets in case.opponent]
    path.write_text(json.dumps({"strategies": strategies}), encoding="utf-8")


def check_figures(document, case: Case, objective: str) -> None:
    """Hold every claim of a document about its arrangement against the plain referee."""
    packets = document["arrangement"]
    assert cards_in(packets) == set(case.cards.split())
    six = figures(packets, case.opponent, case.rules)
    assert document["value"] == {name: float(figure) for name, figure in six.items()}
    assert objective_value(six, objective) == case.best[objective]
    chances = place_chances(packets, case.opponent, case.rules)
    for packet, text, weight, (win, tie, loss) in zip(
        document["packets"], packets, case.rules.weights, chances, strict=True
    ):
        assert packet["cards"] == text
        assert packet["weight"] == weight
        assert packet["category"] == category_name(text, case.rules)
        assert (packet["win"], packet["tie"], packet["loss"]) == (float(win), float(tie), float(loss))


@pytest.mark.parametrize(("case", "objective"), list(questions()))
def test_a_known_optimum_is_found_and_proven(case, objective, tmp_path):
    opponent = tmp_path / "opponent.json"
    write_opponent(case, opponent)
    arguments = [case.cards, "--objective", objective, "--opponent", f"file:{opponent}", *rules_arguments(case.rules)]
    document = answered("solve", *arguments)
    assert document["status"] == "optimal"
    assert document["engine"] == "cpsat"
    assert document["objective_value_exact"] == str(case.best[objective])
    assert document["bound_exact"] == str(case.best[objective])
    assert document["objective_value"] == document["bound"] == float(case.best[objective])
    assert not document["opponent"]["sampled"]
    check_figures(document, case, objective)
